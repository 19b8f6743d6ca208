//! `reviewer`: who may decide what, with which key; the list changes only by an admin at a terminal.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::cli::{Answer, Command, confirm, key, places, reviewer_proof, witness};
use crate::desk::presence::Presence;
use crate::desk::{Desk, ReviewerChange};
use crate::domain::Act;
use crate::domain::reviewer::Footing;
use crate::domain::{ReviewerName, Role};
use crate::keys::{Member, Signer};
use clap::{Arg, ArgAction, ArgMatches, Command as Clap};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "reviewer",
    about: "List who may decide, and change the list",
    define: |command| {
        let name = || Arg::new("name").required(true).help("The reviewer's name");
        let key = |help: &'static str| {
            Arg::new("key")
                .long("key")
                .value_name("FILE.pub")
                .help(help)
        };
        command
            .subcommand_required(true)
            .subcommand(
                Clap::new("add")
                    .about("List a reviewer; the first one with a key begins signing")
                    .arg(name())
                    .arg(Arg::new("role").long("role").required(true).value_parser(Role::WORDS.to_vec()).help("What they may decide"))
                    .arg(key("Their public key")),
            )
            .subcommand(
                Clap::new("list")
                    .about("Show the list")
                    .arg(Arg::new("all").long("all").action(ArgAction::SetTrue).help("Those who were revoked, and old keys, too"))
                    .arg(
                        Arg::new("allowed-signers")
                            .long("allowed-signers")
                            .action(ArgAction::SetTrue)
                            .help("As the file that `ssh-keygen -Y verify -f` reads"),
                    ),
            )
            .subcommand(Clap::new("revoke").about("Let a reviewer decide nothing from now on").arg(name()))
            .subcommand(Clap::new("rotate").about("Give a reviewer another key").arg(name()).arg(key("The new public key").required(true)))
            .subcommand(Clap::new("adopt").about("Take over what was approved before keys were used, as it is shown"))
            .subcommand(reviewer_proof::define())
            .after_help(
                "Examples:\n  countersign reviewer add alice --role admin --key ~/.ssh/id_ed25519.pub\n  \
                 countersign reviewer add bob --role security --key bob.pub\n  countersign reviewer list --json\n\n\
                 Your own key is found through COUNTERSIGN_KEY, `key = \"FILE\"` in config.toml, or where `init --new-key` \
                 made it: a private key, or a public one whose private half your ssh-agent holds.",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    match arguments.subcommand() {
        Some(("add", arguments)) => add(&desk, arguments, context),
        Some(("revoke", arguments)) => {
            let change = ReviewerChange::Revoke(name(arguments)?);
            change_list(&desk, context, &change, "revoke")
        }
        Some(("rotate", arguments)) => {
            let (file, line) = public_key(arguments)?.unwrap_or_default();
            if !context.json {
                context.say(&told(&file, &line)?)?;
            }
            change_list(
                &desk,
                context,
                &ReviewerChange::Rotate(name(arguments)?, line),
                "rotate",
            )
        }
        Some(("adopt", _)) => adopt(&desk, context),
        Some(("proof", arguments)) => reviewer_proof::run(&desk, arguments, context),
        Some((_, arguments)) => list(&desk, arguments, context),
        None => Err(Failure::usage(
            "name what to do with reviewers",
            "see `countersign reviewer --help`",
        )),
    }
}

fn name(arguments: &ArgMatches) -> Result<ReviewerName, Failure> {
    let text = arguments
        .get_one::<String>("name")
        .map_or("", String::as_str);
    Ok(ReviewerName::parse(text)?)
}

/// The file named, and the one line of the key in it.
fn public_key(arguments: &ArgMatches) -> Result<Option<(PathBuf, String)>, Failure> {
    let Some(file) = arguments.get_one::<String>("key").map(PathBuf::from) else {
        return Ok(None);
    };
    read_public(&file).map(|line| Some((file, line)))
}

fn read_public(file: &Path) -> Result<String, Failure> {
    let shown = crate::text::line(&file.display().to_string());
    let text = std::fs::read_to_string(file).map_err(|error| {
        Failure::usage(
            &format!("`{shown}` cannot be read: {error}"),
            "name a public key, FILE.pub",
        )
    })?;
    if text.contains("PRIVATE KEY") {
        return Err(Failure::usage(
            &format!("`{shown}` is a private key"),
            "name the public one beside it, FILE.pub",
        ));
    }
    crate::keys::public_key(&text).map_err(|error| {
        Failure::usage(
            &format!("`{shown}`: {error}"),
            "name a public key, FILE.pub",
        )
    })
}

fn told(file: &Path, line: &str) -> Result<String, Failure> {
    let fingerprint =
        crate::keys::fingerprint(line).map_err(|error| Failure::usage(&error.to_string(), ""))?;
    let shown = crate::text::line(&file.display().to_string());
    Ok(format!("key in {shown}: {fingerprint}"))
}

fn add(desk: &Desk, arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let role = Role::parse(
        arguments
            .get_one::<String>("role")
            .map_or("", String::as_str),
    )?;
    let key = public_key(arguments)?;
    if let (false, Some((file, line))) = (context.json, &key) {
        context.say(&told(file, line)?)?;
    }
    let name = name(arguments)?;
    let own = name == context.reviewer()?.name;
    let presence = confirm::presence(context, desk, Act::Reviewer, name.as_str())?;
    let (file, line) = match key {
        Some((file, line)) => (Some(file), Some(line)),
        None => (None, None),
    };
    let presence =
        match file.filter(|_| own && desk.footing().is_ok_and(|now| now != Footing::Signed)) {
            Some(file) => presence.with_key(Some(own_key(context, &file)?)),
            None => presence,
        };
    let change = ReviewerChange::Add {
        name,
        role,
        public_key: line,
    };
    enter(desk, context, &presence, &change, "add")
}

/// The private half of one's own public key: as configured, beside it, or in the agent.
fn own_key(context: &mut Context<'_>, file: &Path) -> Result<Arc<Signer>, Failure> {
    let beside = file.with_extension("");
    let path = match places::signing_key(&context.around.environment)? {
        Some(path) => path,
        None if file.extension().is_some_and(|kind| kind == "pub") && beside.exists() => beside,
        None => file.to_owned(),
    };
    key::open(context, &path)
}

fn change_list(
    desk: &Desk,
    context: &mut Context<'_>,
    change: &ReviewerChange,
    word: &str,
) -> Result<Answer, Failure> {
    let presence = confirm::presence(context, desk, Act::Reviewer, word)?;
    enter(desk, context, &presence, change, word)
}

/// Begins signing in a store that was just made: its maker is the first admin.
pub(in crate::cli) fn begin(
    desk: &Desk,
    context: &mut Context<'_>,
    signer: Arc<Signer>,
) -> Result<String, Failure> {
    let name = context.reviewer()?.name;
    let presence = confirm::presence(context, desk, Act::Reviewer, name.as_str())?;
    let change = ReviewerChange::Add {
        name,
        role: Role::Admin,
        public_key: Some(signer.public_key().to_owned()),
    };
    let fingerprint = signer.fingerprint().to_owned();
    desk.change_reviewers(&presence.with_key(Some(signer)), &change)?;
    witness::remember(desk, context)?;
    Ok(fingerprint)
}

fn enter(
    desk: &Desk,
    context: &mut Context<'_>,
    presence: &Presence,
    change: &ReviewerChange,
    word: &str,
) -> Result<Answer, Failure> {
    let (ReviewerChange::Add { name, .. }
    | ReviewerChange::Revoke(name)
    | ReviewerChange::Rotate(name, _)) = change;
    let before = desk.footing()?;
    confirm::confirm(
        context,
        &format!("{word} {}", crate::text::line(name.as_str())),
    )?;
    let entry = desk.change_reviewers(presence, change)?;
    witness::remember(desk, context)?;
    let now = desk.footing()?;
    if context.json {
        context
            .say_json(&json!({ "name": name, "change": word, "entry": entry, "assurance": now }))?;
        return Ok(Answer::Yes);
    }
    context.say(&format!(
        "{word}: {} ({entry}); decisions here are {now}",
        crate::text::line(name.as_str())
    ))?;
    if before != now && now == Footing::Signed && !desk.adoptable()?.is_empty() {
        context.say("what was approved before is withheld until it is adopted: `countersign reviewer adopt`")?;
    }
    Ok(Answer::Yes)
}

fn adopt(desk: &Desk, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let presence = confirm::presence(context, desk, Act::Adopt, "store")?;
    let shown = desk.adoptable()?;
    if shown.is_empty() {
        context
            .say("there is nothing to adopt: whatever is served was signed, or adopted before")?;
        return Ok(Answer::Yes);
    }
    for one in &shown {
        let title = format!(
            "{} · {} by {} ({})",
            one.item,
            one.act,
            crate::text::line(&one.by),
            one.entry
        );
        confirm::show_exactly(context, &title, &one.text)?;
    }
    confirm::confirm(context, &format!("adopt all {}", shown.len()))?;
    let entry = desk.adopt_decisions(&presence, &shown)?;
    witness::remember(desk, context)?;
    if context.json {
        let items: Vec<&str> = shown.iter().map(|one| one.item.as_str()).collect();
        context.say_json(&json!({ "adopted": items, "entry": entry }))?;
    } else {
        context.say(&format!("adopted {} decisions ({entry})", shown.len()))?;
    }
    Ok(Answer::Yes)
}

fn list(desk: &Desk, arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let list = desk.reviewers()?;
    if arguments.get_flag("allowed-signers") {
        let text = crate::keys::allowed_signers(list.members());
        context.say(text.trim_end_matches('\n'))?;
        return Ok(Answer::Yes);
    }
    let all = arguments.get_flag("all");
    let shown: Vec<&Member> = list
        .members()
        .iter()
        .filter(|one| all || one.until.is_none())
        .collect();
    for (seq, why) in list.problems() {
        context.note(&format!(
            "entry {seq} {}: it changes nothing",
            crate::text::line(why)
        ));
    }
    if context.json {
        for one in shown {
            context.say_json(&shape(one, list.footing()))?;
        }
        return Ok(Answer::Yes);
    }
    context.say(&format!("decisions here are {}", list.footing()))?;
    let row = |one: &&Member| {
        let until = one
            .until_at
            .map_or_else(|| "stands".to_owned(), |at| format!("until {at}"));
        vec![
            one.name.clone(),
            one.role.to_string(),
            until,
            one.since_at.to_string(),
            one.fingerprint
                .clone()
                .unwrap_or_else(|| "no key".to_owned()),
        ]
    };
    let rows: Vec<Vec<String>> = shown.iter().map(row).collect();
    table(
        context,
        &["NAME", "ROLE", "STANDING", "SINCE", "KEY"],
        &rows,
    )?;
    Ok(Answer::Yes)
}

fn shape(one: &Member, footing: Footing) -> Value {
    json!({
        "name": one.name,
        "role": one.role,
        "key": one.public_key,
        "fingerprint": one.fingerprint,
        "since": one.since_at,
        "until": one.until_at,
        "entry": one.since,
        "by": one.by,
        "assurance": footing,
    })
}
