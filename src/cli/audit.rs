//! `audit`: whether the ledger is whole, and what stands in it.

use crate::cli::audit_files::{self, keys, read_checkpoints};
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::cli::{Answer, Command, anchor, json, narrowed, witness};
use crate::desk::{Desk, Verification};
use crate::domain::query::{Over, Query, Term, Who};
use crate::domain::reviewer::Footing;
use crate::domain::{Act, EntrySeq};
use crate::ledger::note::{SignedCheckpoint, VerifierKey};
use clap::{Arg, ArgAction, ArgMatches, Command as Clap};
use serde_json::json;

/// How many entries are fetched at a time.
const PAGE: usize = 500;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "audit",
    about: "Verify the ledger, read it, anchor it, prove what stands in it",
    define: |command| {
        command
            .subcommand_required(true)
            .subcommand(
                Clap::new("verify")
                    .about("Re-hash and replay every entry and compare with the tables")
                    .arg(Arg::new("since").long("since").value_name("FILE").action(ArgAction::Append)
                        .help("Checkpoints that somebody kept: did the ledger grow out of them?"))
                    .arg(Arg::new("key").long("key").value_name("KEY").action(ArgAction::Append)
                        .help("They must be signed by this key, `name+id+base64`")),
            )
            .subcommand(
                Clap::new("log")
                    .about("Read the entries, newest first")
                    .arg(Arg::new("of").help("Only this act, item or reviewer: approve, C-12, alice"))
                    .arg(narrowed::option())
                    .after_help(narrowed::language(Over::Entries))
                    .arg(Arg::new("limit").long("limit").value_parser(clap::value_parser!(usize)).help("At most so many")),
            )
            .subcommands(audit_files::commands())
            .after_help(
                "Examples:\n  countersign audit verify --json\n  countersign audit log approve --limit 20\n  \
                 countersign audit checkpoint --to /mnt/elsewhere/team.checkpoint\n  \
                 countersign audit verify --since /mnt/elsewhere/team.checkpoint\n  \
                 countersign audit prove M-3 --json > m3.proof\n\n\
                 What verify finds: an entry that was changed, removed, inserted or moved; a table changed without an entry; a \
                 store that was cut, rewritten or rolled back since somebody's checkpoint. What nobody saw before it was \
                 rewritten cannot be found: keep checkpoints on another machine.",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    match arguments.subcommand() {
        Some(("log", arguments)) => log(&context.desk()?, arguments, context),
        Some(("verify", arguments)) => verify(arguments, context),
        Some((name, arguments)) => {
            audit_files::run(name, arguments, context).unwrap_or_else(|| {
                Err(Failure::usage(
                    "no such command",
                    "see `countersign audit --help`",
                ))
            })
        }
        None => Err(Failure::usage(
            "name a command",
            "see `countersign audit --help`",
        )),
    }
}

/// A checkpoint that the ledger is held against.
struct Held {
    note: SignedCheckpoint,
    /// Who vouches for it, in words.
    by: String,
    holds: bool,
    /// The caller's own, which the witness has objected to already if it does not hold.
    own: bool,
}

fn verify(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    let mut notes = Vec::new();
    for file in arguments.get_many::<String>("since").into_iter().flatten() {
        notes.extend(read_checkpoints(file)?);
    }
    let trusted = keys(arguments)?;
    let seen = witness::checkpoint(&desk, context)?;
    let seen = seen.and_then(|(_, text)| SignedCheckpoint::parse(&text).ok());
    let sizes: Vec<u64> = notes
        .iter()
        .chain(&seen)
        .map(|note| note.checkpoint.size)
        .collect();
    let mut found = desk.verify_at(&sizes)?;
    if let Some(why) = witness::objection(&desk, context)? {
        found.problems.insert(0, why);
    }
    let origin = desk.origin()?;
    let mut held = Vec::new();
    for note in notes {
        let by = signer(&desk, context, &note, &trusted, &mut found);
        held.push(hold(&found, &origin, note, by));
    }
    held.extend(seen.map(|note| Held {
        own: true,
        ..hold(
            &found,
            &origin,
            note,
            "you, in your configuration".to_owned(),
        )
    }));
    let problems = differences(&held, &origin, found.entries);
    found.problems.splice(0..0, problems);
    found.ok = found.problems.is_empty();
    if found.ok {
        witness::remember(&desk, context)?;
    }
    report(&found, &held, desk.footing()?, context)?;
    Ok(if found.ok { Answer::Yes } else { Answer::No })
}

fn hold(found: &Verification, origin: &str, note: SignedCheckpoint, by: String) -> Held {
    let one = &note.checkpoint;
    let holds = one.origin == origin && found.roots.get(&one.size) == Some(&one.root);
    Held {
        note,
        by,
        holds,
        own: false,
    }
}

/// Who signed a checkpoint, as far as it can be known here.
fn signer(
    desk: &Desk,
    context: &Context<'_>,
    note: &SignedCheckpoint,
    trusted: &[VerifierKey],
    found: &mut Verification,
) -> String {
    let own = anchor::key(desk, context).ok().map(|key| key.verifier());
    if let Some(key) = trusted.iter().find(|key| note.is_signed_by(key)) {
        return format!("{}, a key you named", key.id());
    }
    if !trusted.is_empty() {
        found.problems.push(format!(
            "the checkpoint of {} entries is signed by none of the keys you named",
            note.checkpoint.size
        ));
    }
    if own.is_some_and(|key| note.is_signed_by(&key)) {
        return "your key".to_owned();
    }
    let ids = note.key_ids().join(", ");
    let told = found
        .anchors
        .iter()
        .find(|anchor| ids.contains(&anchor.key));
    told.map_or_else(
        || format!("{ids}, a key that is not known here"),
        |anchor| format!("{ids}, which an entry says is the key of {}", anchor.by),
    )
}

/// Where checkpoints and ledger part: between the newest that holds and the oldest that does not.
fn differences(held: &[Held], origin: &str, entries: u64) -> Vec<String> {
    let good = held
        .iter()
        .filter(|one| one.holds)
        .map(|one| one.note.checkpoint.size)
        .max();
    let mut list = Vec::new();
    let mut broken: Vec<&Held> = held.iter().filter(|one| !one.holds && !one.own).collect();
    broken.sort_by_key(|one| one.note.checkpoint.size);
    for one in broken {
        let seen = &one.note.checkpoint;
        let from = good.filter(|good| *good < seen.size).unwrap_or(0) + 1;
        list.push(if seen.origin != origin {
            format!("a checkpoint is of another ledger, {}", seen.origin)
        } else if seen.size > entries {
            format!(
                "the ledger ends at E-{entries}, the checkpoint by {} saw E-{}: entries from E-{} on were cut off, or the store is an old copy",
                one.by, seen.size, entries + 1
            )
        } else {
            format!(
                "the ledger differs from the checkpoint of {} entries by {}: something from E-{from} to E-{} was rewritten",
                seen.size, one.by, seen.size
            )
        });
    }
    list
}

fn report(
    found: &Verification,
    held: &[Held],
    footing: Footing,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let good: Vec<&Held> = held.iter().filter(|one| one.holds).collect();
    let up_to = good
        .iter()
        .map(|one| one.note.checkpoint.size)
        .max()
        .unwrap_or(0);
    let left = found.entries.saturating_sub(up_to);
    if context.json {
        let anchored: Vec<_> = good
            .iter()
            .map(|one| json!({ "size": one.note.checkpoint.size, "by": one.by }))
            .collect();
        let told: Vec<_> = found
            .anchors
            .iter()
            .map(|one| json!({ "size": one.size, "by": one.by, "key": one.key, "at": one.at }))
            .collect();
        let erased: Vec<_> = found
            .erased
            .iter()
            .map(|one| json!({ "item": one.item, "entry": one.entry, "by": one.by, "at": one.at }))
            .collect();
        return context.say_json(&json!({
            "ok": found.ok, "entries": found.entries, "head": found.head, "root": found.root, "problems": found.problems,
            "anchored": anchored, "anchored_up_to": up_to, "unanchored": left, "checkpoints": told, "erased": erased, "assurance": footing,
        }));
    }
    for problem in &found.problems {
        context.say(&format!("problem: {}", crate::text::line(problem)))?;
    }
    for one in &found.erased {
        context.say(&format!(
            "erased: {} by {} at {} ({})",
            crate::text::line(&one.item),
            crate::text::line(&one.by),
            one.at,
            one.entry
        ))?;
    }
    for one in &good {
        let size = one.note.checkpoint.size;
        context.say(&format!(
            "anchored up to E-{size} by {}",
            crate::text::line(&one.by)
        ))?;
    }
    for one in &found.anchors {
        context.say(&format!(
            "an entry tells of a checkpoint up to E-{} by {} (key {}, {}): ask for it and say --since",
            one.size, crate::text::line(&one.by), crate::text::line(&one.key), one.at
        ))?;
    }
    if left > 0 || good.is_empty() {
        context.say(&format!(
            "{left} entries are in no checkpoint that was looked at"
        ))?;
    }
    let head = found.head.map(|head| head.to_string()).unwrap_or_default();
    let word = if found.ok {
        "whole: every entry and table agrees"
    } else {
        "BROKEN"
    };
    context.say(&format!(
        "{} entries, head {head}, decisions {footing}, {word}",
        found.entries
    ))
}

/// One word that means an act, an item or a reviewer.
fn about(of: &str) -> Query {
    Query::of(match Act::parse(of) {
        Ok(act) => Term::Act(act),
        Err(_) if of.contains('-') || of.contains(':') => Term::Item(of.to_owned()),
        Err(_) => Term::Reviewer(Who::Named(of.to_owned())),
    })
}

fn log(desk: &Desk, arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let of = arguments.get_one::<String>("of").map(|of| about(of));
    let query = narrowed::query(arguments, context, Over::Entries)?;
    let query = query.and(of.unwrap_or_default());
    let mut left = arguments
        .get_one::<usize>("limit")
        .copied()
        .unwrap_or(usize::MAX);
    let mut before: Option<EntrySeq> = None;
    let mut rows = Vec::new();
    loop {
        let page = desk.entries(before, &query, PAGE.min(left))?;
        before = page.left_at.or(page.rows.last().map(|row| row.seq));
        left -= page.rows.len();
        for row in &page.rows {
            if context.json {
                context.say_json(&json::entry(row))?;
                continue;
            }
            let what = row
                .text
                .clone()
                .or_else(|| row.reason.clone())
                .unwrap_or_default();
            let who = format!("{} ({})", row.actor, row.assurance);
            rows.push(vec![
                row.seq.to_string(),
                row.at.to_string(),
                row.act.to_string(),
                row.item.clone(),
                who,
                what,
            ]);
        }
        if !page.more || left == 0 {
            break;
        }
    }
    if !context.json {
        table(
            context,
            &["ENTRY", "AT", "ACT", "ITEM", "BY", "TEXT"],
            &rows,
        )?;
    }
    Ok(Answer::Yes)
}
