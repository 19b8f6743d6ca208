//! `audit`, the parts that leave the store or do without it: checkpoints, proofs, exports.

use crate::cli::Answer;
use crate::cli::anchor::{self, Destination};
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::desk::{DecisionsChecked, DeskError, check_decisions};
use crate::ledger::export::Reader;
use crate::ledger::note::{SignedCheckpoint, VerifierKey};
use crate::ledger::proof::Proof;
use clap::{Arg, ArgAction, ArgMatches, Command as Clap};
use serde_json::json;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};

/// The commands of this file, in the order help lists them.
pub(in crate::cli) fn commands() -> Vec<Clap> {
    let file = |help: &'static str| {
        Arg::new("file")
            .required(true)
            .value_name("FILE")
            .help(help)
    };
    let key = || {
        Arg::new("key")
            .long("key")
            .value_name("KEY")
            .action(ArgAction::Append)
            .help("A verifier key to trust, `name+id+base64`; without one your own")
    };
    let number = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .required(true)
            .value_parser(clap::value_parser!(u64))
            .help(help)
    };
    vec![
        Clap::new("checkpoint")
            .about("Sign a checkpoint of the whole ledger, to keep outside the store")
            .arg(Arg::new("to").long("to").value_name("PATH").help("A file for the newest one; - for standard output [default: -]"))
            .arg(Arg::new("git").long("git").value_name("DIR").help("A git repository that gets a commit for each"))
            .arg(Arg::new("show-key").long("show-key").action(ArgAction::SetTrue).help("Print the key that others verify with, and sign nothing")),
        Clap::new("compare")
            .about("Compare two checkpoints: were two people shown one history?")
            .arg(Arg::new("one").required(true).value_name("FILE"))
            .arg(Arg::new("other").required(true).value_name("FILE")),
        Clap::new("prove")
            .about("Prove that the entries about an item stand in the ledger, for checking without the store")
            .arg(Arg::new("id").required(true).help("E-12, C-12, M-3, S-7, K-1, O-5 or artifact:<sha256>")),
        Clap::new("prove-growth")
            .about("Prove that the ledger of NEW entries grew out of that of OLD entries")
            .arg(number("old", "The older size"))
            .arg(number("new", "The newer size")),
        Clap::new("check-proof").about("Check a proof, without the store").arg(file("What `audit prove --json` wrote")).arg(key()),
        Clap::new("export").about("Write the whole ledger to a file that others verify").arg(file("A new file; - for standard output")),
        Clap::new("import-check").about("Verify an exported ledger, without the store").arg(file("What `audit export` wrote")).arg(key()).arg(
            Arg::new("admin")
                .long("admin")
                .value_name("FINGERPRINT")
                .help("The key that must have begun signing, `SHA256:…` as `ssh-keygen -l` prints it"),
        ),
    ]
}

/// Runs one of [`commands`]; none if it is another one.
pub(in crate::cli) fn run(
    name: &str,
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Option<Result<Answer, Failure>> {
    Some(match name {
        "checkpoint" => checkpoint(arguments, context),
        "compare" => compare(arguments, context),
        "prove" => prove(arguments, context),
        "prove-growth" => prove_growth(arguments, context),
        "check-proof" => check_proof(arguments, context),
        "export" => export(arguments, context),
        "import-check" => import_check(arguments, context),
        _ => return None,
    })
}

/// Every checkpoint in a file.
pub(in crate::cli) fn read_checkpoints(file: &str) -> Result<Vec<SignedCheckpoint>, Failure> {
    SignedCheckpoint::parse_all(&read(file)?).map_err(|error| {
        let shown = crate::text::line(file);
        Failure::usage(
            &format!("`{shown}`: {error}"),
            "name a file that `audit checkpoint` wrote",
        )
    })
}

fn checkpoint(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    let key = anchor::key(&desk, context)?;
    let verifier = key.verifier();
    if arguments.get_flag("show-key") {
        if context.json {
            context.say_json(&json!({ "key": verifier.to_string(), "id": verifier.id() }))?;
        } else {
            context.say(&verifier.to_string())?;
        }
        return Ok(Answer::Yes);
    }
    let path = |name: &str| arguments.get_one::<String>(name).map(PathBuf::from);
    let to = path("to").filter(|path| path.as_os_str() != "-");
    let git = path("git");
    let places: Vec<Destination> = to
        .map(Destination::File)
        .into_iter()
        .chain(git.map(Destination::Git))
        .collect();
    if let Some(why) = crate::cli::witness::objection(&desk, context)? {
        return Err(Failure::not_the_same(&why));
    }
    let reviewer = context.reviewer()?;
    let (made, note) = anchor::publish(&desk, &key, &reviewer, &places)?;
    crate::cli::witness::remember(&desk, context)?;
    if context.json {
        context.say_json(&json!({
            "origin": made.origin, "size": made.size, "root": made.root, "key": verifier.to_string(), "checkpoint": note,
        }))?;
    } else if places.is_empty() {
        context.say(note.trim_end_matches('\n'))?;
    } else {
        context.say(&format!(
            "{} entries, root {}, signed by {}",
            made.size,
            made.root,
            verifier.id()
        ))?;
    }
    Ok(Answer::Yes)
}

fn compare(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let newest = |name: &str| -> Result<_, Failure> {
        let file = text(arguments, name);
        let notes = read_checkpoints(&file)?;
        let found = notes
            .into_iter()
            .map(|note| note.checkpoint)
            .max_by_key(|one| one.size);
        found.ok_or_else(|| Failure::usage("the file holds no checkpoint", ""))
    };
    let (one, other) = (newest("one")?, newest("other")?);
    let verdict = if one.origin != other.origin {
        Err(format!(
            "they are of two ledgers, {} and {}",
            one.origin, other.origin
        ))
    } else if one.size == other.size && one.root != other.root {
        Err(format!(
            "two histories: both have {} entries, under different roots; something from E-1 to E-{} differs",
            one.size, one.size
        ))
    } else if one == other {
        Ok(format!("one history of {} entries", one.size))
    } else {
        let desk = context.desk()?;
        let judge =
            |seen| -> Result<Option<String>, Failure> { Ok(desk.agrees(seen)?.objection(seen)) };
        match (judge(&one)?, judge(&other)?) {
            (None, None) => Ok(format!(
                "one history: {} and {} entries of the same ledger",
                one.size, other.size
            )),
            (Some(why), None) => Err(format!(
                "two histories: the first does not fit this store, the second does: {why}"
            )),
            (None, Some(why)) => Err(format!(
                "two histories: the second does not fit this store, the first does: {why}"
            )),
            (Some(why), Some(_)) => Err(format!("neither fits this store: {why}")),
        }
    };
    let (same, says) = match &verdict {
        Ok(says) => (true, says),
        Err(says) => (false, says),
    };
    if context.json {
        context.say_json(
            &json!({ "same_history": same, "says": says, "sizes": [one.size, other.size] }),
        )?;
    } else {
        context.say(&crate::text::line(says))?;
    }
    Ok(if same { Answer::Yes } else { Answer::No })
}

fn prove(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    let key = anchor::key(&desk, context)?;
    let proof = desk.prove(&text(arguments, "id"), &key)?;
    if context.json {
        let text = proof
            .to_json()
            .map_err(|error| Failure::usage(&error, ""))?;
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| Failure::usage(&error.to_string(), ""))?;
        context.say_json(&value)?;
        return Ok(Answer::Yes);
    }
    for one in &proof.entries {
        let line = format!(
            "E-{} · {} hashes · {}",
            one.index + 1,
            one.proof.len(),
            one.bytes
        );
        context.say(&crate::text::line(&line))?;
    }
    context.say(
        "with --json this is a file for `countersign audit check-proof`, under this checkpoint:",
    )?;
    context.say(proof.checkpoint.trim_end_matches('\n'))?;
    Ok(Answer::Yes)
}

fn prove_growth(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let size = |name: &str| arguments.get_one::<u64>(name).copied().unwrap_or(0);
    let growth = context.desk()?.prove_growth(size("old"), size("new"))?;
    if context.json {
        context
            .say_json(&json!({ "old": growth.old, "new": growth.new, "proof": growth.proof }))?;
        return Ok(Answer::Yes);
    }
    for hash in &growth.proof {
        context.say(&hash.to_string())?;
    }
    Ok(Answer::Yes)
}

fn check_proof(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let proof = Proof::parse(&read(&text(arguments, "file"))?)
        .map_err(|error| Failure::usage(&error, "name a file that `audit prove --json` wrote"))?;
    let trusted = keys(arguments)?;
    let checked = match trusted.as_slice() {
        [] => proof.check(None),
        keys => keys
            .iter()
            .map(|key| proof.check(Some(key)))
            .reduce(Result::or)
            .unwrap_or_else(|| Err("no key".to_owned())),
    };
    let says = match &checked {
        Ok(checkpoint) => {
            let whose = if trusted.is_empty() {
                "by the key it brings, which nobody vouched for: name the one you trust with --key"
            } else {
                "by a key you trust"
            };
            format!(
                "{} entries stand in {} of {} entries, signed {whose}",
                proof.entries.len(),
                checkpoint.origin,
                checkpoint.size
            )
        }
        Err(why) => why.clone(),
    };
    if context.json {
        context.say_json(
            &json!({ "ok": checked.is_ok(), "trusted": !trusted.is_empty(), "says": says }),
        )?;
    } else {
        context.say(&crate::text::line(&says))?;
    }
    Ok(if checked.is_ok() {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn export(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    use std::io::Write as _;
    let desk = context.desk()?;
    let key = anchor::key(&desk, context)?;
    let file = text(arguments, "file");
    if file == "-" {
        desk.export_ledger(&key, &mut |line| {
            writeln!(context.around.output, "{line}").map_err(|error| {
                DeskError::NotPossible(format!("the output cannot be written: {error}"))
            })
        })?;
        return Ok(Answer::Yes);
    }
    let path = Path::new(&file);
    let failed = |error: std::io::Error| {
        Failure::usage(
            &format!("`{}`: {error}", crate::text::line(&file)),
            "name a new file in a folder that can be written",
        )
    };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let fresh = tempfile::NamedTempFile::new_in(folder.unwrap_or_else(|| Path::new(".")))
        .map_err(failed)?;
    let mut out = std::io::BufWriter::new(fresh);
    let size = desk.export_ledger(&key, &mut |line| {
        writeln!(out, "{line}")
            .map_err(|error| DeskError::NotPossible(format!("the file cannot be written: {error}")))
    })?;
    let fresh = out
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    fresh.as_file().sync_all().map_err(failed)?;
    fresh
        .persist_noclobber(path)
        .map_err(|error| failed(error.error))?;
    if context.json {
        context.say_json(
            &json!({ "file": file, "entries": size, "key": key.verifier().to_string() }),
        )?;
    } else {
        context.say(&format!("{size} entries in {}", crate::text::line(&file)))?;
    }
    Ok(Answer::Yes)
}

fn import_check(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let name = text(arguments, "file");
    let failed = |error: std::io::Error| {
        Failure::usage(
            &format!("`{}` cannot be read: {error}", crate::text::line(&name)),
            "name a file that `audit export` wrote",
        )
    };
    let file = std::fs::File::open(&name).map_err(failed)?;
    let mut reader = Reader::default();
    for line in std::io::BufReader::new(file).lines() {
        reader.take(&line.map_err(failed)?);
    }
    let trusted = keys(arguments)?;
    let (mut found, decided) = reader.finish(&trusted);
    let admin = arguments.get_one::<String>("admin").map(String::as_str);
    let mut decisions = check_decisions(&decided, admin);
    found.problems.append(&mut decisions.problems);
    let ok = found.problems.is_empty();
    if context.json {
        let anchored: Vec<_> = found
            .anchored
            .iter()
            .map(|(key, size)| json!({ "key": key, "size": size }))
            .collect();
        context.say_json(&json!({
            "ok": ok, "origin": found.origin, "entries": found.entries, "root": found.root, "anchored": anchored,
            "trusted": !trusted.is_empty(), "decisions": decisions_json(&decisions), "problems": found.problems,
        }))?;
    } else {
        for problem in &found.problems {
            context.say(&format!("problem: {}", crate::text::line(problem)))?;
        }
        for (key, size) in &found.anchored {
            context.say(&format!(
                "{size} entries are under a checkpoint signed by {key}"
            ))?;
        }
        say_decisions(&decisions, admin.is_some(), context)?;
        let word = if ok { "whole" } else { "BROKEN" };
        context.say(&format!(
            "{}: {} entries, {word}",
            crate::text::line(&found.origin),
            found.entries
        ))?;
    }
    Ok(if ok { Answer::Yes } else { Answer::No })
}

fn decisions_json(decisions: &DecisionsChecked) -> serde_json::Value {
    let began = decisions
        .began
        .as_ref()
        .map(|(entry, by, key)| json!({ "entry": entry, "by": by, "key": key }));
    json!({
        "all": decisions.decisions, "signed": decisions.signed, "before_signing": decisions.early,
        "adopted": decisions.adopted, "signing_began": began,
    })
}

fn say_decisions(
    decisions: &DecisionsChecked,
    trusted: bool,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let Some((entry, by, key)) = &decisions.began else {
        return context.say(&format!(
            "{} decisions, unsigned: names are asserted, nobody signs in this ledger",
            decisions.decisions
        ));
    };
    context.say(&format!(
        "{} decisions: {} signed by listed reviewers, {} from before signing ({} of them adopted)",
        decisions.decisions, decisions.signed, decisions.early, decisions.adopted
    ))?;
    let known = if trusted {
        "as you trust"
    } else {
        "which nobody vouched for: name the one you trust with --admin"
    };
    context.say(&format!(
        "signing began in {entry} by {} with {key}, {known}",
        crate::text::line(by)
    ))
}

/// The keys that were named on the command line.
pub(in crate::cli) fn keys(arguments: &ArgMatches) -> Result<Vec<VerifierKey>, Failure> {
    arguments
        .get_many::<String>("key")
        .into_iter()
        .flatten()
        .map(|key| {
            VerifierKey::parse(key).map_err(|error| {
                Failure::usage(
                    &error.to_string(),
                    "`countersign audit checkpoint --show-key` prints one",
                )
            })
        })
        .collect()
}

fn text(arguments: &ArgMatches, name: &str) -> String {
    arguments
        .get_one::<String>(name)
        .cloned()
        .unwrap_or_default()
}

fn read(file: &str) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(|error| {
        Failure::usage(
            &format!("`{}` cannot be read: {error}", crate::text::line(file)),
            "name a file that is there",
        )
    })
}
