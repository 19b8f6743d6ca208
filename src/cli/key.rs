//! The key of whoever sits here: found where they said it is, unlocked by what they type.
//!
//! A passphrase is read without being shown and wiped once the key is open. It never comes from an
//! argument or the environment: those are read by every process of the same user.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::places;
use crate::desk::Desk;
use crate::desk::presence::Presence;
use crate::domain::reviewer::Footing;
use crate::keys::{KeyError, Signer};
use std::path::Path;
use std::sync::Arc;
use zeroize::Zeroizing;

/// The same person with their key at hand, where this store's decisions are signed.
pub(in crate::cli) fn at_hand(
    context: &mut Context<'_>,
    desk: &Desk,
    presence: Presence,
) -> Result<Presence, Failure> {
    let signer = for_store(context, desk)?;
    Ok(presence.with_key(signer))
}

/// The key to sign with in this store; none where nobody signs, or where no key is to be found.
pub(in crate::cli) fn for_store(
    context: &mut Context<'_>,
    desk: &Desk,
) -> Result<Option<Arc<Signer>>, Failure> {
    if desk.footing()? != Footing::Signed {
        return Ok(None);
    }
    let Some(path) = places::signing_key(&context.around.environment)? else {
        context.note(
            "no key is configured: name yours with `key = \"FILE\"` in config.toml, or COUNTERSIGN_KEY",
        );
        return Ok(None);
    };
    open(context, &path).map(Some)
}

/// Opens the key at a path, asking for its passphrase if it has one.
pub(in crate::cli) fn open(context: &mut Context<'_>, path: &Path) -> Result<Arc<Signer>, Failure> {
    let shown = crate::text::line(&path.display().to_string());
    let mut ask = || passphrase(context, &shown);
    let signer = Signer::open(path, &mut ask).map_err(|error| unusable(&error))?;
    if !signer.is_guarded() {
        context.note(&format!(
            "warning: `{shown}` has no passphrase: whoever can read that file can sign in your name"
        ));
    }
    if signer.waits_for_touch() {
        context.note("touch your key when it blinks");
    }
    Ok(Arc::new(signer))
}

fn unusable(error: &KeyError) -> Failure {
    let hint = match error {
        KeyError::Unreadable(..) => {
            "name your key with `key = \"FILE\"` in config.toml, or COUNTERSIGN_KEY"
        }
        KeyError::NotAKey(_) => "make one with `ssh-keygen -t ed25519`",
        KeyError::WrongPassphrase(_) => "nothing was changed; try again",
        KeyError::Tool(_) => {
            "is ssh-keygen installed, does the agent run, and does it hold the key? (`ssh-add -l`)"
        }
        KeyError::Bad(_) => "nothing was changed",
    };
    Failure::refused(&error.to_string(), hint)
}

fn passphrase(context: &mut Context<'_>, shown: &str) -> Result<Zeroizing<String>, KeyError> {
    let failed = |error: std::io::Error| KeyError::Tool(error.to_string());
    let around = &mut context.around;
    write!(around.output, "passphrase for {shown}: ")
        .and_then(|()| around.output.flush())
        .map_err(failed)?;
    let quiet = Quiet::begin();
    // Long enough that the line does not grow while it is read: a move would leave a copy behind.
    let mut typed = Zeroizing::new(String::with_capacity(4096));
    let read = around.input.read_line(&mut typed);
    drop(quiet);
    writeln!(around.output).map_err(failed)?;
    read.map_err(failed)?;
    let length = typed.trim_end_matches(['\r', '\n']).len();
    typed.truncate(length);
    Ok(typed)
}

/// A terminal that does not show what is typed, until this is dropped.
struct Quiet(Option<rustix::termios::Termios>);

impl Quiet {
    fn begin() -> Self {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let Ok(before) = tcgetattr(std::io::stdin()) else {
            return Self(None);
        };
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        match tcsetattr(std::io::stdin(), OptionalActions::Flush, &silent) {
            Ok(()) => Self(Some(before)),
            Err(_) => Self(None),
        }
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            use rustix::termios::{OptionalActions, tcsetattr};
            // A terminal that has gone away needs no echo.
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
        }
    }
}
