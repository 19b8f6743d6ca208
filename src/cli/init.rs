//! `init`: makes a store, unsigned, or signed from its first decision on with the maker's key.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, key, places, reviewer};
use crate::desk::Desk;
use crate::desk::presence::Presence;
use crate::domain::Act;
use clap::{Arg, ArgAction, ArgMatches};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(in crate::cli) const COMMAND: Command = Command {
    name: "init",
    about: "Make a new store",
    define: |command| {
        command
            .arg(
                Arg::new("key")
                    .long("key")
                    .value_name("FILE")
                    .help("Sign decisions from the start: your private key, or a public one that your agent holds"),
            )
            .arg(
                Arg::new("new-key")
                    .long("new-key")
                    .action(ArgAction::SetTrue)
                    .conflicts_with("key")
                    .help("The same, with a new key that ssh-keygen makes and protects with a passphrase"),
            )
            .after_help(
                "Examples:\n  countersign init --store team.db\n  countersign init --store team.db --key ~/.ssh/id_ed25519\n\n\
                 Without a key the store is unsigned: decisions record who was named, not who it was. Whoever makes it with a \
                 key is its first admin.",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let path = context.store_path()?;
    let actor = context.reviewer()?.name;
    let named = arguments.get_one::<String>("key").map(PathBuf::from);
    let wanted = named.is_some() || arguments.get_flag("new-key");
    if wanted {
        // A store is not begun for somebody who may not sign its first entry.
        let maker = Presence::at_terminal(&context.caller()?, context.reviewer()?)
            .map_err(crate::desk::DeskError::from)?;
        if let Some(why) = maker.objection(Act::Reviewer) {
            return Err(Failure::refused(
                &why,
                "whoever begins a signed store is its first admin",
            ));
        }
    }
    let file = match named {
        Some(file) => Some(file),
        None if wanted => Some(make_key(context)?),
        None => None,
    };
    // The key is opened before anything is made: a wrong passphrase leaves no store behind.
    let signer = match &file {
        Some(file) => Some(key::open(context, file)?),
        None => None,
    };
    let desk = Desk::init(&path, actor.as_str(), context.around.clock.clone())?;
    let signed = match signer {
        Some(signer) => Some(reviewer::begin(&desk, context, signer)?),
        None => None,
    };
    say(context, &desk, &path, file.as_deref(), signed.as_deref())
}

fn say(
    context: &mut Context<'_>,
    desk: &Desk,
    path: &Path,
    file: Option<&Path>,
    signed: Option<&str>,
) -> Result<Answer, Failure> {
    let shown = path.display().to_string();
    if context.json {
        context.say_json(&json!({
            "store": shown, "policy": desk.policy().hash(), "signed": signed.is_some(), "key": signed, "assurance": desk.footing()?,
        }))?;
        return Ok(Answer::Yes);
    }
    let kind = if signed.is_some() {
        "a signed"
    } else {
        "an unsigned"
    };
    context.say(&format!(
        "made {kind} store at {}",
        crate::text::line(&shown)
    ))?;
    context.say(&format!(
        "policy {} ({})",
        desk.policy().name(),
        desk.policy().hash().short()
    ))?;
    if let (Some(fingerprint), Some(file)) = (signed, file) {
        context.say(&format!("you are its admin, with the key {fingerprint}"))?;
        let found = places::signing_key(&context.around.environment)?;
        if found.as_deref() != Some(file) {
            context.say(&format!(
                "so that your decisions find it, put `key = \"{}\"` into config.toml, or set COUNTERSIGN_KEY",
                crate::text::line(&file.display().to_string())
            ))?;
        }
    }
    context.say("next: `countersign observe`, `propose` or `ingest` bring things in, `countersign review` decides")?;
    Ok(Answer::Yes)
}

/// Lets ssh-keygen make a key and ask for its passphrase itself: it never passes through here.
fn make_key(context: &mut Context<'_>) -> Result<PathBuf, Failure> {
    let place = places::own_key(&context.around.environment).ok_or_else(|| {
        Failure::usage(
            "there is no folder to keep a key in",
            "name a key with --key FILE",
        )
    })?;
    let shown = crate::text::line(&place.display().to_string());
    if place.exists() {
        return Err(Failure::usage(
            &format!("there is a key at {shown} already"),
            "use it with --key, or move it away",
        ));
    }
    if let Some(folder) = place.parent() {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::usage(
                &format!("no folder for {shown}: {error}"),
                "name a key with --key FILE",
            )
        })?;
    }
    context.say(&format!(
        "a new key at {shown}: choose a passphrase that you use nowhere else"
    ))?;
    let ended = std::process::Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-C", "countersign", "-f"])
        .arg(&place)
        .status();
    match ended {
        Ok(status) if status.success() => Ok(place),
        Ok(_) => Err(Failure::refused(
            "ssh-keygen made no key; nothing was changed",
            "",
        )),
        Err(error) => Err(Failure::usage(
            &format!("ssh-keygen cannot be run: {error}"),
            "install OpenSSH, or name a key with --key FILE",
        )),
    }
}
