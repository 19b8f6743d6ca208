//! `keys`: every key of the console, from the table that runs them, and whether one's own file fits.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::cli::{Answer, Command, places};
use crate::console::key_rows;
use clap::{Arg, ArgMatches};
use serde_json::json;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "keys",
    about: "List the console's actions with their keys; checks a keys file",
    define: |command| {
        command
            .arg(Arg::new("file").long("file").value_name("FILE").help(
                "A keys file to lay over the shipped ones [default: keys.toml in the configuration folder]",
            ))
            .arg(Arg::new("place").long("in").value_name("PLACE").help("Only in this place: queue, everywhere, field"))
            .after_help(
                "A keys file names places, actions and keys:\n  [queue]\n  reject = [\"X\"]\n\nTwo actions on one key are refused, with both names.\n\n\
                 Examples:\n  countersign keys --in quarantine\n  countersign keys --file mine.toml --json",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let named = arguments.get_one::<String>("file").map(Into::into);
    let file = named.or_else(|| places::keys_file(&context.around.environment));
    let text = file
        .as_ref()
        .map(std::fs::read_to_string)
        .transpose()
        .map_err(|error| {
            let path = file.as_ref().map(|path| path.display().to_string());
            let what = format!("`{}`: {error}", path.unwrap_or_default());
            Failure::usage(
                &what,
                "name a file with --file, or none for the shipped keys",
            )
        })?;
    let rows = key_rows(text.as_deref()).map_err(|error| {
        Failure::usage(
            &error.to_string(),
            "`countersign keys` without a file of your own lists what can be bound",
        )
    })?;
    let place = arguments.get_one::<String>("place").map(String::as_str);
    let rows: Vec<_> = rows
        .into_iter()
        .filter(|row| place.is_none_or(|place| place == row.place))
        .collect();
    if rows.is_empty() {
        return Err(Failure::usage(
            "there is no such place",
            "`countersign keys` lists them all",
        ));
    }
    if context.json {
        for row in &rows {
            context.say_json(&json!({
                "place": row.place, "action": row.action, "keys": row.keys, "decides": row.decides, "help": row.help,
            }))?;
        }
        return Ok(Answer::Yes);
    }
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| {
            vec![
                row.place.to_owned(),
                row.action.to_owned(),
                row.keys.join(" "),
                row.help.to_owned(),
            ]
        })
        .collect();
    table(context, &["PLACE", "ACTION", "KEYS", "WHAT IT DOES"], &rows)?;
    Ok(Answer::Yes)
}
