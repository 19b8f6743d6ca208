//! `queue groups`: how many candidates each rule, source, session, harness or layer stands for.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::cli::{Answer, narrowed};
use crate::domain::candidate::CandidateState;
use crate::domain::query::{Facet, Over, Query};
use clap::{Arg, ArgMatches, Command as Clap};
use serde_json::json;

pub(in crate::cli) fn command(statuses: Vec<&'static str>) -> Clap {
    Clap::new("groups")
        .about("Count candidates by rule, source, session, harness or layer")
        .arg(
            Arg::new("by")
                .long("by")
                .value_parser(Facet::WORDS.to_vec())
                .default_value("rule")
                .help("What to group by"),
        )
        .arg(
            Arg::new("status")
                .long("status")
                .value_parser(statuses)
                .default_value("quarantined")
                .help("Which of them"),
        )
        .args(narrowed::options())
        .after_help(
            "Each group comes with the query that lists it.\n\nExample:\n  countersign queue groups --by layer",
        )
}

pub(in crate::cli) fn run(
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let text = |name: &str| arguments.get_one::<String>(name).map_or("", String::as_str);
    let state = CandidateState::parse(text("status"))?;
    let facet = Facet::parse(text("by"))?;
    let query = narrowed::query(arguments, context, Over::Candidates)?;
    let found = context.desk()?.groups(state, &query, facet)?;
    let lists = |group: &str| {
        let term = facet.term(group).map(Query::of).unwrap_or_default();
        query.clone().and(term).to_string()
    };
    if context.json {
        for (group, count) in &found.groups {
            context.say_json(&json!({
                "by": facet.as_str(), "group": group, "count": count, "of": found.total, "query": lists(group),
            }))?;
        }
        return Ok(Answer::Yes);
    }
    let rows: Vec<Vec<String>> = found
        .groups
        .iter()
        .map(|(group, count)| vec![count.to_string(), group.clone(), lists(group)])
        .collect();
    context.say(&format!("{} {state}, by {facet}", found.total))?;
    table(context, &["COUNT", "GROUP", "QUERY"], &rows)?;
    Ok(Answer::Yes)
}
