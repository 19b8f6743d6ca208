//! Drafts: a reviewer's own wording of a claim. Having one decides nothing; the gate judges it again.

use crate::console::ask::{Lane, Request};
use crate::console::effect::Effect;
use crate::console::input::Input;
use crate::console::layer::Layer;
use crate::console::model::{Model, Tone};
use crate::console::snapshot::Draft;
use crate::console::tabs::Tab;
use crate::console::update::asking;
use crate::domain::CandidateId;
use crate::domain::candidate::MAX_CLAIM;

/// Opens the claim, or the draft of it, in the reviewer's own editor.
pub(crate) fn edit(model: &mut Model) -> Vec<Effect> {
    let Some((candidate, text)) = subject(model) else {
        return Vec::new();
    };
    model.editing = Some((candidate, text.clone()));
    vec![Effect::Edit(text)]
}

/// Opens the claim, or the draft of it, in place.
pub(crate) fn write(model: &mut Model) -> Vec<Effect> {
    let Some((candidate, text)) = subject(model) else {
        return Vec::new();
    };
    model.push(Layer::Writer {
        candidate,
        input: Input::of(&text),
    });
    Vec::new()
}

pub(crate) fn drop_draft(model: &mut Model) -> Vec<Effect> {
    if let Some(id) = model.candidate().map(|view| view.candidate.id) {
        model.drafts.remove(&id);
        model.set_tab(0);
        model.say(
            Tone::Plain,
            "the draft is gone; the proposal stands as it was",
        );
    }
    Vec::new()
}

/// The external editor ended.
pub(crate) fn edited(model: &mut Model, result: Result<String, String>) -> Vec<Effect> {
    let Some((candidate, before)) = model.editing.take() else {
        return Vec::new();
    };
    match result {
        Err(why) => {
            model.say(Tone::Bad, format!("{why}; {candidate} is as it was"));
            Vec::new()
        }
        Ok(text) if text == before => {
            model.say(
                Tone::Plain,
                format!("nothing was changed; {candidate} is as it was"),
            );
            Vec::new()
        }
        Ok(text) => keep(model, candidate, text),
    }
}

/// Keeps what was written as the draft and asks the gate about it.
pub(crate) fn keep(model: &mut Model, candidate: CandidateId, text: String) -> Vec<Effect> {
    let Some(view) = model
        .candidate()
        .filter(|view| view.candidate.id == candidate)
    else {
        model.say(
            Tone::Bad,
            format!("{candidate} is not selected any more; the edit was dropped"),
        );
        return Vec::new();
    };
    if let Some(why) = objection(&text) {
        model.say(Tone::Bad, format!("{why}; {candidate} is as it was"));
        return Vec::new();
    }
    if text == view.candidate.claim {
        model.drafts.remove(&candidate);
        model.set_tab(0);
        model.say(
            Tone::Plain,
            "that is the proposal, word for word; there is no draft",
        );
        return Vec::new();
    }
    let version = view.candidate.version;
    model.drafts.insert(
        candidate,
        Draft {
            version,
            text: text.clone(),
            judged: None,
        },
    );
    model.judging = Some(candidate);
    let diff = model
        .tabs()
        .iter()
        .position(|tab| *tab == Tab::Diff)
        .unwrap_or(0);
    model.set_tab(diff);
    vec![asking::ask(
        model,
        Lane::Judge,
        Request::Judge { candidate, text },
    )]
}

fn objection(text: &str) -> Option<&'static str> {
    if text.trim().is_empty() {
        return Some("the edited text is empty");
    }
    if text.contains('\0') {
        return Some("the edited text holds a NUL");
    }
    (text.len() > MAX_CLAIM).then_some("the edited text is longer than 64 KiB")
}

fn subject(model: &Model) -> Option<(CandidateId, String)> {
    let view = model.candidate()?;
    let text = model
        .draft()
        .map_or(&view.candidate.claim, |draft| &draft.text);
    Some((view.candidate.id, text.clone()))
}
