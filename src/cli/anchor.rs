//! Checkpoints leave the store here: the key that signs them, and the places they go to.
//!
//! The key is the reviewer's own and is kept in their configuration, never in the store. A place
//! that already holds a checkpoint gets a new one only if the ledger grew out of the old one.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::places;
use crate::desk::Desk;
use crate::desk::put_whole;
use crate::domain::{Digest, Reviewer};
use crate::ledger::note::{Checkpoint, NoteKey, SignedCheckpoint};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a checkpoint goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) enum Destination {
    /// A file that always holds the newest one.
    File(PathBuf),
    /// A git repository: one file, a commit for each.
    Git(PathBuf),
}

/// The key that signs this reviewer's checkpoints of this ledger; made when it is first needed.
pub(in crate::cli) fn key(desk: &Desk, context: &Context<'_>) -> Result<NoteKey, Failure> {
    let folder = places::config_folder(&context.around.environment).ok_or_else(|| {
        Failure::usage(
            "there is no home folder to keep a checkpoint key in",
            "set HOME or XDG_CONFIG_HOME",
        )
    })?;
    let secret = secret(&folder.join("checkpoint.key"))?;
    NoteKey::new(&desk.origin()?, &secret).map_err(|error| Failure::usage(&error.to_string(), ""))
}

/// Where the configuration sends checkpoints.
pub(in crate::cli) fn configured(context: &Context<'_>) -> Result<Vec<Destination>, Failure> {
    let plan = places::configuration(&context.around.environment)?.checkpoint;
    let plan = plan.unwrap_or_default();
    let file = plan.to.map(Destination::File);
    Ok(file
        .into_iter()
        .chain(plan.git.map(Destination::Git))
        .collect())
}

/// Signs a checkpoint and brings it to these places. Returns it as text too.
pub(in crate::cli) fn publish(
    desk: &Desk,
    key: &NoteKey,
    reviewer: &Reviewer,
    places: &[Destination],
) -> Result<(Checkpoint, String), Failure> {
    let origin = desk.origin()?;
    for place in places {
        fits(desk, &place.file(&origin))?;
    }
    let (checkpoint, note) = desk.sign_checkpoint(key, reviewer)?;
    for place in places {
        let file = place.file(&origin);
        put_whole(&file, &note, None, || true)
            .map_err(|error| unwritable(&file, &error.to_string()))?;
        if let Destination::Git(folder) = place {
            commit(folder, &file, &checkpoint)?;
        }
    }
    Ok((checkpoint, note))
}

impl Destination {
    pub(in crate::cli) fn file(&self, origin: &str) -> PathBuf {
        match self {
            Self::File(file) => file.clone(),
            Self::Git(folder) => folder.join(format!("{origin}.checkpoint")),
        }
    }
}

/// A checkpoint that stands there must be one that this ledger grew out of.
fn fits(desk: &Desk, file: &Path) -> Result<(), Failure> {
    let Ok(text) = std::fs::read_to_string(file) else {
        return Ok(());
    };
    let shown = crate::text::line(&file.display().to_string());
    let standing = SignedCheckpoint::parse(&text).map_err(|error| {
        Failure::usage(
            &format!("`{shown}` stands there and is {error}"),
            "name another path",
        )
    })?;
    let agreement = desk.agrees(&standing.checkpoint)?;
    match agreement.objection(&standing.checkpoint) {
        None => Ok(()),
        Some(why) => Err(Failure::refused(
            &format!("the checkpoint in `{shown}` is not replaced: {why}"),
            "run `countersign audit verify`; a ledger never signs two histories",
        )),
    }
}

fn commit(folder: &Path, file: &Path, checkpoint: &Checkpoint) -> Result<(), Failure> {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let git = |arguments: &[&str]| git(folder, &file, arguments);
    git(&["add"])?;
    if git(&["status", "--porcelain"])?.trim().is_empty() {
        return Ok(());
    }
    let message = format!("{}: {} entries", checkpoint.origin, checkpoint.size);
    git(&["commit", "--quiet", "--message", &message]).map(|_| ())
}

fn git(folder: &Path, file: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let ran = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .arg("--")
        .arg(file)
        .output()
        .map_err(|error| unwritable(folder, &format!("git cannot be run: {error}")))?;
    if ran.status.success() {
        return Ok(String::from_utf8_lossy(&ran.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    Err(unwritable(
        folder,
        said.lines().next().unwrap_or("git failed"),
    ))
}

fn secret(file: &Path) -> Result<[u8; 32], Failure> {
    if let Ok(text) = std::fs::read_to_string(file) {
        let Ok(Digest(secret)) = Digest::parse(text.trim()) else {
            return Err(unwritable(file, "it holds no key of 64 hexadecimal digits"));
        };
        return Ok(secret);
    }
    let mut secret = [0_u8; 32];
    getrandom::fill(&mut secret)
        .map_err(|error| Failure::refused(&format!("no random bytes to be had: {error}"), ""))?;
    // A temporary file is its owner's alone from the start, and so is what it becomes. Of two
    // processes that make a key at once the first one's stays.
    let folder = file.parent().unwrap_or_else(|| Path::new("."));
    let made = std::fs::create_dir_all(folder)
        .and_then(|()| tempfile::NamedTempFile::new_in(folder))
        .and_then(|mut fresh| {
            use std::io::Write as _;
            writeln!(fresh, "{}", Digest(secret))?;
            fresh.as_file().sync_all()?;
            fresh.persist_noclobber(file).map_err(|error| error.error)
        });
    match made {
        Ok(_) => Ok(secret),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => self::secret(file),
        Err(error) => Err(unwritable(file, &error.to_string())),
    }
}

fn unwritable(place: &Path, why: &str) -> Failure {
    let shown = crate::text::line(&place.display().to_string());
    Failure::usage(
        &format!("`{shown}`: {}", crate::text::line(why)),
        "name a place that can be written",
    )
}
