//! `document`: static knowledge in and out. Each is a decision: it reaches agents at once.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::cli::{Answer, Command, confirm};
use crate::desk::Desk;
use crate::domain::{DocumentId, Layer, Verdict};
use clap::{Arg, ArgMatches, Command as Clap};
use serde_json::json;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "document",
    about: "Add, list or remove static documents; scanned by the gate, searched at once",
    define: |command| {
        command
            .subcommand_required(true)
            .subcommand(
                Clap::new("add")
                    .about("Add a text, at a terminal")
                    .arg(Arg::new("file").required(true).help("The file"))
                    .arg(
                        Arg::new("layer")
                            .long("layer")
                            .required(true)
                            .help("The layer it is for"),
                    )
                    .arg(
                        Arg::new("title")
                            .long("title")
                            .help("Its title [default: the file's name]"),
                    ),
            )
            .subcommand(Clap::new("list").about("List the documents that are here"))
            .subcommand(
                Clap::new("remove")
                    .about("Remove one, at a terminal")
                    .arg(Arg::new("id").required(true).help("K-12")),
            )
            .after_help("Example:\n  countersign document add --layer acme handbook.md")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    match arguments.subcommand() {
        Some(("add", arguments)) => add(&desk, arguments, context),
        Some(("remove", arguments)) => remove(&desk, arguments, context),
        _ => list(&desk, context),
    }
}

fn add(desk: &Desk, arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let get = |name: &str| arguments.get_one::<String>(name).map(String::as_str);
    let file = get("file").unwrap_or_default();
    let layer = Layer::parse(get("layer").unwrap_or_default())?;
    let presence = confirm::presence(context, desk, "document add", file)?;
    let unreadable = |why: String| {
        Failure::usage(
            &format!("`{}` cannot be read: {why}", crate::text::line(file)),
            "",
        )
    };
    let bytes = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
    let name = std::path::Path::new(file)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let draft = desk.draft_document(get("title").unwrap_or(&name), &layer, &text)?;
    context.say(&format!(
        "{} for {layer}: {} chunks",
        crate::text::line(&draft.title),
        draft.chunks.len()
    ))?;
    confirm::show_exactly(context, "text", &text)?;
    for chunk in &draft.chunks {
        for finding in &chunk.findings {
            let kept = if chunk.verdict == Verdict::Quarantine {
                "kept back"
            } else {
                "indexed"
            };
            context.say(&format!(
                "  chunk {} ({kept}): {}: {}",
                chunk.place,
                finding.rule,
                crate::text::line(&finding.message)
            ))?;
        }
    }
    confirm::confirm(context, "add")?;
    let added = desk.add_document(&presence, draft)?;
    if context.json {
        let withheld: Vec<_> = added
            .withheld
            .iter()
            .map(|(place, why)| json!({ "chunk": place, "reason": why }))
            .collect();
        context
            .say_json(&json!({ "id": added.id, "chunks": added.chunks, "withheld": withheld }))?;
    } else {
        context.say(&format!(
            "{} added: {} chunks, {} kept back",
            added.id,
            added.chunks,
            added.withheld.len()
        ))?;
    }
    Ok(Answer::Yes)
}

fn remove(
    desk: &Desk,
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let id = DocumentId::parse(arguments.get_one::<String>("id").map_or("", String::as_str))?;
    let presence = confirm::presence(context, desk, "document remove", &id.to_string())?;
    let listed = desk.documents()?;
    let title = listed
        .iter()
        .find(|document| document.id == id)
        .map(|document| document.title.clone())
        .unwrap_or_default();
    context.say(&format!("{id} {}", crate::text::line(&title)))?;
    confirm::confirm(context, "remove")?;
    desk.remove_document(&presence, id)?;
    context.say(&format!("{id} removed"))?;
    Ok(Answer::Yes)
}

fn list(desk: &Desk, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let documents = desk.documents()?;
    if context.json {
        for one in &documents {
            context.say_json(&json!({
                "id": one.id, "title": one.title, "layer": one.layer, "sha256": one.sha256, "chunks": one.chunks,
                "withheld": one.withheld, "at": one.at, "by": one.by,
            }))?;
        }
        return Ok(Answer::Yes);
    }
    let rows: Vec<Vec<String>> = documents
        .iter()
        .map(|one| {
            vec![
                one.id.to_string(),
                one.layer.to_string(),
                one.chunks.to_string(),
                one.withheld.to_string(),
                one.at.date(),
                one.title.clone(),
            ]
        })
        .collect();
    table(
        context,
        &["ID", "LAYER", "CHUNKS", "KEPT BACK", "SINCE", "TITLE"],
        &rows,
    )?;
    Ok(Answer::Yes)
}
