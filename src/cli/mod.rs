//! The command line: one file per command, one table of them all.
//!
//! A command reads its arguments, calls one act of the desk, and writes what came of it as text or
//! as JSON. Help, completion and the manual derive from the table. Nothing here decides anything.

mod anchor;
mod audit;
mod audit_files;
mod authorize;
mod changes;
mod chores;
mod completions;
mod confirm;
mod context;
mod decide;
mod demo;
mod demote;
mod detect;
mod doctor;
mod document;
mod erase;
mod event;
mod evidence;
mod examples;
mod explain;
mod export;
mod failure;
mod hook;
mod ingest;
mod ingest_files;
mod ingest_say;
mod init;
mod install;
mod json;
mod key;
mod keys;
mod live;
mod man;
mod mcp;
mod memory;
mod metrics;
mod narrowed;
mod observe;
mod patterns;
mod places;
mod plain;
mod plain_acts;
mod plain_show;
mod policy;
mod policy_backtest;
mod policy_case;
mod policy_change;
mod policy_ready;
mod policy_test;
mod process;
mod propose;
mod queue;
mod queue_groups;
mod recall;
mod renew;
mod restore;
mod reveal;
mod review;
mod reviewer;
mod reviewer_proof;
mod split;
mod store;
mod table;
mod thresholds;
mod trace;
mod why;
mod witness;

pub use context::{Environment, Surroundings};
pub use process::Process;

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use clap::{Arg, ArgAction, ArgMatches, Command as Clap};
use std::ffi::OsString;

/// One command.
struct Command {
    /// Its name, its file's name.
    name: &'static str,
    /// What it does, in a line.
    about: &'static str,
    /// Adds its arguments and examples.
    define: fn(Clap) -> Clap,
    /// Runs it.
    run: fn(&ArgMatches, &mut Context<'_>) -> Result<Answer, Failure>,
}

/// What a command says about its outcome, beside what it wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// Done, or the answer is yes.
    Yes,
    /// The answer is no, or something was found.
    No,
    /// Some of the input was bad; the rest was done.
    BadLines,
}

/// Every command, in the order help lists them.
const COMMANDS: &[&Command] = &[
    &demo::COMMAND,
    &review::COMMAND,
    &init::COMMAND,
    &observe::COMMAND,
    &propose::COMMAND,
    &ingest::COMMAND,
    &detect::COMMAND,
    &queue::COMMAND,
    &decide::COMMAND,
    &split::SPLIT,
    &split::MERGE,
    &memory::COMMAND,
    &demote::COMMAND,
    &restore::COMMAND,
    &renew::COMMAND,
    &reveal::COMMAND,
    &recall::COMMAND,
    &why::COMMAND,
    &metrics::COMMAND,
    &export::COMMAND,
    &mcp::COMMAND,
    &hook::COMMAND,
    &install::COMMAND,
    &doctor::COMMAND,
    &document::COMMAND,
    &event::COMMAND,
    &authorize::COMMAND,
    &audit::COMMAND,
    &trace::COMMAND,
    &reviewer::COMMAND,
    &store::COMMAND,
    &erase::COMMAND,
    &policy::COMMAND,
    &evidence::COMMAND,
    &keys::COMMAND,
    &completions::COMMAND,
    &man::COMMAND,
];

/// Runs one command line and returns its exit code: 0 done, 1 the answer is no, 2 usage or bad
/// input, 3 refused, 4 conflict, 5 store unavailable.
pub fn run(arguments: impl IntoIterator<Item = OsString>, surroundings: Surroundings<'_>) -> u8 {
    let mut surroundings = surroundings;
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let is_hook = arguments
        .get(1)
        .is_some_and(|command| command == hook::COMMAND.name);
    let matches = match definition().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) if is_hook && error.use_stderr() => {
            return failure::unseen(&error, &mut surroundings);
        }
        Err(error) => return failure::usage(&error, &mut surroundings),
    };
    let mut context = Context::new(&matches, surroundings);
    match dispatch(&matches, &mut context) {
        Ok(Answer::Yes) => 0,
        Ok(Answer::No) => 1,
        Ok(Answer::BadLines) => 2,
        Err(failure) => failure.print(&mut context),
    }
}

/// The whole command line, for parsing, completion and the manual.
fn definition() -> Clap {
    let root = Clap::new("countersign")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Review what AI agents want to remember, before it becomes shared knowledge")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .arg(global(
            "store",
            "PATH",
            "The store [default: COUNTERSIGN_STORE, then the data folder]",
        ))
        .arg(global(
            "as",
            "NAME",
            "Who acts [default: the configuration, then the operating system's user]",
        ))
        .arg(
            Arg::new("json")
                .long("json")
                .global(true)
                .action(ArgAction::SetTrue)
                .help("Answer in JSON; a list is one object a line"),
        );
    let root = COMMANDS.iter().fold(root, |root, command| {
        root.subcommand((command.define)(
            Clap::new(command.name).about(command.about),
        ))
    });
    examples::with_examples(root)
}

fn dispatch(matches: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let Some((name, arguments)) = matches.subcommand() else {
        return Err(Failure::usage("name a command", "see `countersign --help`"));
    };
    let command = COMMANDS.iter().find(|command| command.name == name);
    let command =
        command.ok_or_else(|| Failure::usage("no such command", "see `countersign --help`"))?;
    (command.run)(arguments, context)
}

fn global(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(value)
        .global(true)
        .help(help)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_well_formed() {
        super::definition().debug_assert();
    }

    /// Every example that any help shows.
    fn walk(command: &clap::Command, shown: &mut Vec<String>) {
        let help = command.get_after_help().map(ToString::to_string);
        let lines = help.unwrap_or_default();
        let examples = lines.lines().map(str::trim);
        // What starts a server of ours stands behind another program's dashes.
        let own = examples.map(|line| line.split_once(" -- ").map_or(line, |(_, own)| own));
        shown.extend(
            own.filter(|line| line.starts_with("countersign "))
                .map(str::to_owned),
        );
        for below in command.get_subcommands() {
            walk(below, shown);
        }
    }

    /// The path of commands that a line names, if the line is understood as it stands.
    fn understood(line: &str) -> Result<String, String> {
        let words = shell_words::split(line).map_err(|error| error.to_string())?;
        let words = words
            .into_iter()
            .take_while(|word| !["<", ">", "|", "&", "#", "&&"].contains(&word.as_str()));
        let matches = super::definition()
            .try_get_matches_from(words)
            .map_err(|error| error.to_string())?;
        let (mut path, mut at) = (String::from("countersign"), &matches);
        while let Some((name, below)) = at.subcommand() {
            path = format!("{path} {name}");
            at = below;
        }
        Ok(path)
    }

    #[test]
    fn every_example_is_understood_and_every_command_has_one() {
        let mut shown = Vec::new();
        walk(&super::definition(), &mut shown);
        let mut wrong = Vec::new();
        let mut known = std::collections::BTreeSet::new();
        for line in &shown {
            match understood(line) {
                Ok(path) => {
                    known.insert(path);
                }
                Err(error) => wrong.push(format!("{line}: {error}")),
            }
        }
        let examples = super::examples::paths().map(|path| format!("countersign {path}"));
        let commands = super::COMMANDS.iter();
        let commands = commands.map(|command| format!("countersign {}", command.name));
        for path in commands.chain(examples) {
            let below = format!("{path} ");
            if !known
                .iter()
                .any(|one| *one == path || one.starts_with(&below))
            {
                wrong.push(format!("{path}: no help shows an example of it"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(shown.len() > 40, "the examples were found: {}", shown.len());
    }
}
