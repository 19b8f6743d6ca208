//! `--query` and `--layer`: what a list is narrowed to, in every command that lists.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::domain::Layer;
use crate::domain::query::{KEYS, Over, Query, Term, Who};
use clap::{Arg, ArgMatches};

/// The two options.
pub(in crate::cli) fn options() -> [Arg; 2] {
    [
        Arg::new("layer")
            .long("layer")
            .help("Of this layer and those below it"),
        option(),
    ]
}

/// `--query` alone.
pub(in crate::cli) fn option() -> Arg {
    Arg::new("query")
        .long("query")
        .allow_hyphen_values(true)
        .help("Narrow the list: words, key:value, `or`, `-` for not, parentheses")
}

/// The language over these rows, for the end of a help.
pub(in crate::cli) fn language(over: Over) -> String {
    let keys = KEYS.iter().filter(|key| key.over.contains(&over));
    let mut lines = vec!["--query knows:".to_owned()];
    for key in keys {
        let words = (key.words)(over);
        let words = match words.len() {
            1..=8 if key.name == "is" => format!(" ({})", words.join(", ")),
            _ => String::new(),
        };
        lines.push(format!("  {:<10} {}{words}", key.name, key.help));
    }
    lines.join("\n")
}

/// What the options ask for, in the name of whoever asks.
pub(in crate::cli) fn query(
    arguments: &ArgMatches,
    context: &Context<'_>,
    over: Over,
) -> Result<Query, Failure> {
    let text = |name: &str| {
        let given = arguments.try_get_one::<String>(name).ok().flatten();
        given.map(String::as_str)
    };
    let mut query = Query::parse(text("query").unwrap_or_default(), over)?;
    if let Some(layer) = text("layer") {
        query = query.and(Query::of(Term::Layer(Layer::parse(layer)?)));
    }
    if query.mentions(&Term::Reviewer(Who::Me)) {
        query = query.asked_by(&context.reviewer()?.name);
    }
    Ok(query)
}
