//! Splitting an item into its claims, and joining marked ones: both ask first and show what becomes.

use crate::console::ask::{Lane, Request};
use crate::console::effect::Effect;
use crate::console::layer::{Act, Confirm, Layer, Subject};
use crate::console::model::{Acting, Item, LastAct, Model, Tone};
use crate::console::update::{asking, deciding};
use crate::desk::Reshaped;

/// How many parts stand in the question; all of them stand in the text above it.
const SHOWN: usize = 6;

pub(crate) fn split(model: &mut Model) -> Vec<Effect> {
    let (Some(subject), Some(view)) = (deciding::subject(model), model.candidate()) else {
        return Vec::new();
    };
    let parts = view.parts.clone();
    let mut lines: Vec<(&'static str, String)> = parts
        .iter()
        .take(SHOWN)
        .map(|part| ("part", part.clone()))
        .collect();
    if parts.len() > SHOWN {
        lines.push(("", format!("and {} more", parts.len() - SHOWN)));
    }
    lines.push((
        "then",
        "each waits by itself, from the same sources, as the gate judges it".to_owned(),
    ));
    model.push(Layer::Confirm(Confirm {
        title: format!("Split {} into {}?", subject.candidate, parts.len()),
        lines,
        verb: "split it",
        target: model.target(),
        act: Act::Split { subject, parts },
    }));
    Vec::new()
}

pub(crate) fn merge(model: &mut Model) -> Vec<Effect> {
    let Some(view) = model.candidates() else {
        return Vec::new();
    };
    let subjects: Vec<Subject> = view
        .marks
        .iter()
        .map(|(id, seen)| Subject {
            candidate: *id,
            seen: seen.clone(),
        })
        .collect();
    let rows = &view.list.rows;
    let mut lines: Vec<(&'static str, String)> = Vec::new();
    for (at, subject) in subjects.iter().take(SHOWN).enumerate() {
        let row = rows.iter().find(|row| row.id == subject.candidate);
        let text = row.map_or("(not loaded here)", |row| row.claim.as_str());
        let label = if at == 0 { "its words" } else { "joins it" };
        lines.push((label, format!("{} {text}", subject.candidate)));
    }
    if subjects.len() > SHOWN {
        lines.push(("", format!("and {} more", subjects.len() - SHOWN)));
    }
    lines.push((
        "then",
        "all of these close, and one new item waits with the sources of all".to_owned(),
    ));
    model.push(Layer::Confirm(Confirm {
        title: format!("Join {} marked items into one?", subjects.len()),
        lines,
        verb: "join them",
        target: None,
        act: Act::Merge(subjects),
    }));
    Vec::new()
}

pub(crate) fn send_split(model: &mut Model, subject: Subject, parts: Vec<String>) -> Vec<Effect> {
    acting(
        model,
        "splitting",
        "split",
        vec![Item::Candidate(subject.candidate)],
    );
    let request = Request::Split {
        candidate: subject.candidate,
        seen: subject.seen,
        parts,
    };
    vec![asking::ask(model, Lane::Act, request)]
}

pub(crate) fn send_merge(model: &mut Model, subjects: Vec<Subject>) -> Vec<Effect> {
    let items = subjects.iter().map(|one| Item::Candidate(one.candidate));
    let items = items.collect();
    acting(model, "joining", "joined", items);
    let marked = subjects.into_iter().map(|one| (one.candidate, one.seen));
    let request = Request::Merge(marked.collect());
    vec![asking::ask(model, Lane::Act, request)]
}

fn acting(model: &mut Model, doing: &'static str, done: &'static str, items: Vec<Item>) {
    model.acting = Some(Acting {
        doing,
        done,
        items,
        stays: false,
        approving: false,
        undone: None,
    });
}

/// What was closed leaves the list; what was opened comes in at its end.
pub(crate) fn reshaped(model: &mut Model, done: &Reshaped) -> Vec<Effect> {
    let Some(acting) = model.acting.take() else {
        return asking::news(model);
    };
    let mut closed = Vec::new();
    for item in &acting.items {
        if let Item::Candidate(id) = item {
            model.queue.marks.remove(id);
            model.queue.list.remove(*id);
            model.drafts.remove(id);
            closed.push(id.to_string());
        }
    }
    let opened: Vec<String> = done
        .opened
        .iter()
        .map(|(id, state)| format!("{id} ({state})"))
        .collect();
    let stands = match done.stands.len() {
        0 => String::new(),
        n => format!("; {n} stood already"),
    };
    let what = format!(
        "{} {} into {}{stands}",
        acting.done,
        closed.join(", "),
        opened.join(", ")
    );
    model.last_act = Some(LastAct {
        did: "reshaped",
        text: what.clone(),
        at: model.now.wall,
    });
    model.say(Tone::Good, what);
    asking::news(model)
}
