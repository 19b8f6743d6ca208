//! Approving a candidate in the place of a memory: which one, then a question that shows both.

use crate::console::effect::Effect;
use crate::console::input::Input;
use crate::console::layer::{Act, Choice, Choose, Confirm, Field, Layer, Purpose};
use crate::console::model::Model;
use crate::console::update::deciding;
use crate::desk::view::CandidateView;
use crate::domain::MemoryId;
use crate::domain::decision::Ruling;

/// How many memories are offered: one for each digit.
const OFFERED: usize = 9;

/// The memories that a candidate could take the place of: those that it speaks against first.
pub(crate) fn replaceable(view: &CandidateView) -> Vec<(MemoryId, String)> {
    let mut known: Vec<_> = view.known.iter().collect();
    known.sort_by_key(|one| !one.relation.is_against());
    let known = known.into_iter().filter_map(|one| {
        let id = MemoryId::parse(&one.item).ok()?;
        let near = view.near.iter().find(|near| near.memory == id);
        let text = near.map_or(&one.why, |near| &near.text);
        Some((id, format!("{id} {text}")))
    });
    let near = view
        .near
        .iter()
        .map(|near| (near.memory, format!("{} {}", near.memory, near.text)));
    let mut found: Vec<(MemoryId, String)> = Vec::new();
    for one in known.chain(near) {
        if !found.iter().any(|(id, _)| *id == one.0) {
            found.push(one);
        }
    }
    found.truncate(OFFERED);
    found
}

pub(crate) fn supersede(model: &mut Model) -> Vec<Effect> {
    let (Some(view), Some(target)) = (model.candidate(), model.target()) else {
        return Vec::new();
    };
    let found = replaceable(view);
    if let [(only, _)] = found.as_slice() {
        let only = *only;
        return chosen(model, only);
    }
    let title = format!("{}: in the place of which?", target.item);
    let options = (1..)
        .zip(found.iter().map(|(_, text)| text.clone()))
        .collect();
    let choice = Choice::Supersede(found.into_iter().map(|(id, _)| id).collect());
    model.push(Layer::Choose(Choose {
        title,
        options,
        choice,
        target,
    }));
    Vec::new()
}

/// The memory is known: a reason first, where approving needs one.
pub(crate) fn chosen(model: &mut Model, memory: MemoryId) -> Vec<Effect> {
    let needs = model.candidate().is_some_and(|view| view.reason_needed);
    if needs {
        model.push(Layer::Field(Field {
            title: format!("Why in the place of {memory}?"),
            hint: "an agent may plan by this: say in a few words why that is right".to_owned(),
            input: Input::default(),
            error: None,
            purpose: Purpose::SupersedeReason(memory),
            target: None,
        }));
    } else {
        ask(model, memory, None);
    }
    Vec::new()
}

/// Both texts are named before anything is decided.
pub(crate) fn ask(model: &mut Model, memory: MemoryId, reason: Option<String>) {
    let (Some(subject), Some(view)) = (deciding::subject(model), model.candidate()) else {
        return;
    };
    let old = view.near.iter().find(|near| near.memory == memory);
    let known = view
        .known
        .iter()
        .find(|one| MemoryId::parse(&one.item) == Ok(memory));
    let text = old.map(|near| near.text.clone());
    let text = text.or_else(|| known.map(|one| one.why.clone()));
    let ruling = match model.draft().filter(|_| model.on_draft()) {
        Some(draft) => Ruling::Edit(draft.text.clone()),
        None => Ruling::Approve,
    };
    let new = match &ruling {
        Ruling::Edit(text) => text.clone(),
        _ => view.candidate.claim.clone(),
    };
    let confirm = Confirm {
        title: format!("Approve {} in the place of {memory}?", subject.candidate),
        lines: vec![
            ("until now", text.unwrap_or_else(|| memory.to_string())),
            ("from now", new),
            (
                "then",
                format!("{memory} is superseded in the same entry, and served no more"),
            ),
        ],
        verb: "replace it",
        act: Act::Supersede {
            subject,
            ruling,
            reason,
            memory,
        },
        target: model.target(),
    };
    model.push(Layer::Confirm(confirm));
}
