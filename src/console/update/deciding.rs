//! The acts: each binds what is asked to the exact text, version and frame that were on screen.

use crate::console::ask::{Lane, Request};
use crate::console::effect::Effect;
use crate::console::event::Target;
use crate::console::input::Input;
use crate::console::layer::{Act, Choice, Choose, Confirm, Field, Layer, Purpose, Subject};
use crate::console::model::{Acting, Item, Model};
use crate::console::update::asking;
use crate::console::words;
use crate::desk::view::CandidateView;
use crate::domain::decision::{CandidateDecision, Ruling, Seen, next_morning};
use crate::domain::reason::RejectReason;
use crate::domain::{Influence, MemoryId};

/// Looks at what the item hides: on record first, then on screen until the next key.
pub(crate) fn reveal(model: &mut Model) -> Vec<Effect> {
    match model.selected() {
        Some(Item::Candidate(id)) => vec![asking::ask(model, Lane::Reveal, Request::Reveal(id))],
        _ => Vec::new(),
    }
}

pub(crate) fn approve(model: &mut Model) -> Vec<Effect> {
    let ruling = match model.draft().filter(|_| model.on_draft()) {
        Some(draft) => Ruling::Edit(draft.text.clone()),
        None => Ruling::Approve,
    };
    let raised = model
        .draft()
        .filter(|_| model.on_draft())
        .and_then(|draft| draft.judged.as_ref());
    let raised = matches!(raised, Some(Ok(judged)) if judged.influence >= Influence::Plan);
    let needs = raised || model.candidate().is_some_and(|view| view.reason_needed);
    let Some(subject) = subject(model) else {
        return Vec::new();
    };
    if needs {
        let why = "an agent may plan by this: say in a few words why that is right";
        return reason(model, "Why approve?", why, vec![subject], ruling);
    }
    decide(model, vec![subject], &ruling, None)
}

pub(crate) fn reject(model: &mut Model) -> Vec<Effect> {
    let subjects = subjects(model);
    let Some(target) = model.target() else {
        return Vec::new();
    };
    let title = match subjects.len() {
        0 | 1 => format!("Reject {}: why?", target.item),
        n => format!("Reject {n} marked items: why?"),
    };
    let options = RejectReason::ALL.iter().filter_map(|reason| {
        Some((
            u32::try_from(reason.code()).ok()?,
            words::spaced(reason.as_str()),
        ))
    });
    let options = options.collect();
    model.push(Layer::Choose(Choose {
        title,
        options,
        choice: Choice::Reject(subjects),
        target,
    }));
    Vec::new()
}

pub(crate) fn snooze(model: &mut Model) -> Vec<Effect> {
    let until = next_morning(model.now.wall);
    let subjects = subjects(model);
    if subjects.len() > 1 {
        return count(model, subjects, Ruling::Snooze(until), None);
    }
    decide(model, subjects, &Ruling::Snooze(until), None)
}

pub(crate) fn hold(model: &mut Model) -> Vec<Effect> {
    let held = model.candidate().is_some_and(|view| view.candidate.held);
    one(model, &Ruling::Hold(!held))
}

pub(crate) fn confirm(model: &mut Model) -> Vec<Effect> {
    one(model, &Ruling::Confirm)
}

pub(crate) fn release(model: &mut Model) -> Vec<Effect> {
    let (Some(subject), Some(view)) = (subject(model), model.candidate()) else {
        return Vec::new();
    };
    let objections = view
        .candidate
        .findings
        .iter()
        .map(|f| words::spaced(f.class.as_str()));
    let mut objections: Vec<String> = objections.collect();
    objections.dedup();
    let confirm = Confirm {
        title: format!("Release {} into the queue?", subject.candidate),
        lines: vec![
            ("objections", objections.join(", ")),
            (
                "then",
                "it waits for a reviewer; it is not served until approved".to_owned(),
            ),
        ],
        verb: "release it",
        target: model.target(),
        act: Act::Release(subject),
    };
    model.push(Layer::Confirm(confirm));
    Vec::new()
}

pub(crate) fn mark(model: &mut Model) -> Vec<Effect> {
    let Some(subject) = subject(model) else {
        return Vec::new();
    };
    if let Some(view) = model.candidates_mut() {
        if view.marks.remove(&subject.candidate).is_none() {
            view.marks.insert(subject.candidate, subject.seen);
        }
        view.list.step(1);
    }
    Vec::new()
}

/// Sends a ruling off; nothing has happened until the reply.
pub(crate) fn decide(
    model: &mut Model,
    subjects: Vec<Subject>,
    ruling: &Ruling,
    reason: Option<&String>,
) -> Vec<Effect> {
    send(model, subjects, ruling, reason, None)
}

/// The same; an approval may take the place of a memory.
pub(crate) fn send(
    model: &mut Model,
    subjects: Vec<Subject>,
    ruling: &Ruling,
    reason: Option<&String>,
    supersedes: Option<MemoryId>,
) -> Vec<Effect> {
    if subjects.is_empty() {
        return Vec::new();
    }
    let (doing, done) = words::ruling(ruling);
    if *ruling == Ruling::Approve {
        let characters = model
            .candidate()
            .map(|view| view.candidate.claim.chars().count());
        let on_screen = subjects.first().and_then(|subject| subject.seen.on_screen);
        if let Some((characters, on_screen)) = characters.zip(on_screen) {
            model.pace.note(characters, on_screen);
        }
    }
    model.acting = Some(Acting {
        doing,
        done,
        items: subjects
            .iter()
            .map(|s| Item::Candidate(s.candidate))
            .collect(),
        stays: matches!(ruling, Ruling::Hold(_)),
        approving: matches!(ruling, Ruling::Approve | Ruling::Edit(_)),
        undone: None,
    });
    let decisions = subjects
        .into_iter()
        .map(|subject| CandidateDecision {
            candidate: subject.candidate,
            seen: subject.seen,
            ruling: ruling.clone(),
            reason: reason.cloned(),
            influence: None,
            supersedes,
        })
        .collect();
    vec![asking::ask(model, Lane::Act, Request::Decide(decisions))]
}

fn one(model: &mut Model, ruling: &Ruling) -> Vec<Effect> {
    let Some(subject) = subject(model) else {
        return Vec::new();
    };
    decide(model, vec![subject], ruling, None)
}

/// Asks for the reason of a ruling in a line of its own.
pub(crate) fn reason(
    model: &mut Model,
    title: &str,
    hint: &str,
    subjects: Vec<Subject>,
    ruling: Ruling,
) -> Vec<Effect> {
    let target: Option<Target> = model.target();
    model.push(Layer::Field(Field {
        title: title.to_owned(),
        hint: hint.to_owned(),
        input: Input::default(),
        error: None,
        purpose: Purpose::Reason { subjects, ruling },
        target,
    }));
    Vec::new()
}

/// Many at once: their number has to be typed.
pub(crate) fn count(
    model: &mut Model,
    subjects: Vec<Subject>,
    ruling: Ruling,
    reason: Option<String>,
) -> Vec<Effect> {
    let n = subjects.len();
    let (doing, _) = words::ruling(&ruling);
    model.push(Layer::Field(Field {
        title: format!("{doing} {n} items"),
        hint: format!("type {n} and press Enter"),
        input: Input::default(),
        error: None,
        purpose: Purpose::Count {
            subjects,
            ruling,
            reason,
        },
        target: None,
    }));
    Vec::new()
}

/// The marked items, or the selected one.
fn subjects(model: &Model) -> Vec<Subject> {
    let marks = model.candidates().map(|view| &view.marks);
    match marks {
        Some(marks) if !marks.is_empty() => marks
            .iter()
            .map(|(id, seen)| Subject {
                candidate: *id,
                seen: seen.clone(),
            })
            .collect(),
        _ => subject(model).into_iter().collect(),
    }
}

/// The selected item with what has been on screen of it.
pub(crate) fn subject(model: &Model) -> Option<Subject> {
    let view = model.candidate()?;
    Some(Subject {
        candidate: view.candidate.id,
        seen: seen(model, view),
    })
}

fn seen(model: &Model, view: &CandidateView) -> Seen {
    let (target, length) = match model.draft().filter(|_| model.on_draft()) {
        Some(draft) => (model.draft_target(), draft.text.len()),
        None => (model.target(), view.candidate.claim.len()),
    };
    let frame = model.safety.drawn.frame;
    Seen {
        version: view.candidate.version,
        shown: view.shown,
        frame,
        whole: target.is_some_and(|target| model.safety.whole(target, length)),
        on_screen: target.map(|target| model.safety.on_screen(target, model.now)),
    }
}
