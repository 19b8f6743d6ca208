//! `document`: static knowledge in and out. Each is a decision: it reaches agents at once.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::cli::{Answer, Command, confirm};
use crate::desk::{Desk, DocumentAdded, DocumentDraft, read_document};
use crate::domain::Act;
use crate::domain::{DocumentId, Layer, Verdict};
use crate::page::Page;
use clap::{Arg, ArgMatches, Command as Clap};
use serde_json::json;
use std::io::Read as _;

/// No more of a file is read: what is larger is refused.
const LARGEST: u64 = 33 * 1024 * 1024;
/// How many pieces of hidden text are shown one by one.
const SHOWN: usize = 50;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "document",
    about: "Add, update, list or remove static documents; scanned by the gate, searched at once",
    define: |command| {
        command
            .subcommand_required(true)
            .subcommand(
                Clap::new("add")
                    .about("Add a text, Markdown or HTML file, at a terminal")
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
            .subcommand(
                Clap::new("update")
                    .about("Put a new text in the place of one that is here, at a terminal")
                    .arg(Arg::new("id").required(true).help("K-12"))
                    .arg(Arg::new("file").required(true).help("The file"))
                    .arg(
                        Arg::new("title")
                            .long("title")
                            .help("Its title [default: as it is]"),
                    ),
            )
            .subcommand(Clap::new("list").about("List the documents that are here"))
            .subcommand(
                Clap::new("remove")
                    .about("Remove one, at a terminal")
                    .arg(Arg::new("id").required(true).help("K-12")),
            )
            .after_help(
                "Of HTML only what a reader sees is taken; comments, scripts and hidden elements are named and left out.\n\
                 A PDF is refused: turn it into text first, `pdftotext -layout handbook.pdf handbook.txt`.\n\n\
                 Examples:\n  countersign document add --layer acme handbook.md\n  countersign document update K-1 handbook.html\n  \
                 countersign document list --json",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    match arguments.subcommand() {
        Some(("add", arguments)) => add(&desk, arguments, context),
        Some(("update", arguments)) => update(&desk, arguments, context),
        Some(("remove", arguments)) => remove(&desk, arguments, context),
        _ => list(&desk, context),
    }
}

fn add(desk: &Desk, arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let get = |name: &str| arguments.get_one::<String>(name).map(String::as_str);
    let file = get("file").unwrap_or_default();
    let layer = Layer::parse(get("layer").unwrap_or_default())?;
    let presence = confirm::presence(context, desk, Act::DocumentAdd, file)?;
    let page = read(file)?;
    let title = get("title").or(page.title.as_deref()).unwrap_or_default();
    let title = if title.trim().is_empty() {
        name_of(file)
    } else {
        title.to_owned()
    };
    let draft = desk.draft_document(&title, &layer, &page)?;
    show(desk, context, &draft, &page)?;
    confirm::confirm(context, "add")?;
    let left_out = draft.left_out.len() + draft.more_left_out;
    let added = desk.add_document(&presence, draft)?;
    say(context, &added, None, left_out)
}

fn update(
    desk: &Desk,
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let get = |name: &str| arguments.get_one::<String>(name).map(String::as_str);
    let file = get("file").unwrap_or_default();
    let id = DocumentId::parse(get("id").unwrap_or_default())?;
    let presence = confirm::presence(context, desk, Act::DocumentAdd, &id.to_string())?;
    let old = desk.document(id)?;
    let page = read(file)?;
    let title = get("title").unwrap_or(&old.title);
    let draft = desk.draft_document(title, &old.layer, &page)?;
    context.say(&format!(
        "in the place of {id} {}, {} chunks:",
        crate::text::line(&old.title),
        old.chunks
    ))?;
    show(desk, context, &draft, &page)?;
    confirm::confirm(context, "update")?;
    let left_out = draft.left_out.len() + draft.more_left_out;
    let added = desk.update_document(&presence, id, draft)?;
    say(context, &added, Some(id), left_out)
}

fn read(file: &str) -> Result<Page, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::usage(
            &format!("`{}` cannot be read: {error}", crate::text::line(file)),
            "name a file of text, Markdown or HTML",
        )
    };
    let open = std::fs::File::open(file).map_err(unreadable)?;
    let mut bytes = Vec::new();
    open.take(LARGEST)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    Ok(read_document(&bytes, &name_of(file))?)
}

fn name_of(file: &str) -> String {
    let name = std::path::Path::new(file).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Everything that would be handed to agents, what the gate says of it, and what was left out.
fn show(
    desk: &Desk,
    context: &mut Context<'_>,
    draft: &DocumentDraft,
    page: &Page,
) -> Result<(), Failure> {
    context.say(&format!(
        "{} for {}: {} chunks",
        crate::text::line(&draft.title),
        draft.layer,
        draft.chunks.len()
    ))?;
    confirm::show_exactly(context, "text", &page.text)?;
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
    for (one, says) in draft.left_out.iter().take(SHOWN) {
        let text = crate::text::line_within(&desk.as_shown(&one.text), 300);
        let rules: Vec<&str> = says.iter().map(|finding| finding.rule.as_str()).collect();
        let says = if rules.is_empty() {
            String::new()
        } else {
            format!(" ({})", rules.join(", "))
        };
        context.say(&format!("  left out, {}{says}: {text}", one.what.as_str()))?;
    }
    let more = draft.left_out.len().saturating_sub(SHOWN) + draft.more_left_out;
    if more > 0 {
        context.say(&format!("  left out, and {more} more"))?;
    }
    Ok(())
}

fn say(
    context: &mut Context<'_>,
    added: &DocumentAdded,
    replaces: Option<DocumentId>,
    left_out: usize,
) -> Result<Answer, Failure> {
    if context.json {
        let withheld: Vec<_> = added
            .withheld
            .iter()
            .map(|(place, why)| json!({ "chunk": place, "reason": why }))
            .collect();
        let mut answer = json!({
            "id": added.id, "chunks": added.chunks, "withheld": withheld, "left_out": left_out,
        });
        if let (Some(old), Some(answer)) = (replaces, answer.as_object_mut()) {
            answer.insert("replaces".to_owned(), json!(old));
        }
        context.say_json(&answer)?;
        return Ok(Answer::Yes);
    }
    let instead = replaces.map_or(String::new(), |old| format!(" in the place of {old}"));
    context.say(&format!(
        "{} added{instead}: {} chunks, {} kept back",
        added.id,
        added.chunks,
        added.withheld.len()
    ))?;
    Ok(Answer::Yes)
}

fn remove(
    desk: &Desk,
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let id = DocumentId::parse(arguments.get_one::<String>("id").map_or("", String::as_str))?;
    let presence = confirm::presence(context, desk, Act::DocumentRemove, &id.to_string())?;
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
