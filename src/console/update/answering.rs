//! The answers to menus and questions: from a digit or a yes to the request.

use crate::console::ask::{Lane, Request};
use crate::console::effect::Effect;
use crate::console::layer::{Act, Choice, Layer, Subject};
use crate::console::model::{Acting, Item, Model, Tone};
use crate::console::update::{asking, deciding, reshaping, superseding, turning};
use crate::domain::decision::Ruling;
use crate::domain::reason::RejectReason;
use crate::domain::threshold::ThresholdSet;

/// A digit in a menu.
pub(crate) fn choose(model: &mut Model) -> Vec<Effect> {
    let digit = model.key.digit().unwrap_or(0);
    let Some(Layer::Choose(menu)) = model.layers.last() else {
        return Vec::new();
    };
    if !menu.options.iter().any(|(option, _)| *option == digit) {
        model.say(Tone::Refused, format!("{digit} is none of these"));
        return Vec::new();
    }
    let choice = menu.choice.clone();
    match choice {
        Choice::Reject(subjects) => reject_for(model, subjects, digit),
        Choice::Supersede(memories) => {
            let at = usize::try_from(digit).unwrap_or(0).saturating_sub(1);
            model.pop();
            match memories.get(at) {
                Some(memory) => superseding::chosen(model, *memory),
                None => Vec::new(),
            }
        }
        Choice::Demote => turning::demote_for(model, digit),
    }
}

fn reject_for(model: &mut Model, subjects: Vec<Subject>, digit: u32) -> Vec<Effect> {
    let Some(reason) = RejectReason::from_code(i64::from(digit)) else {
        return Vec::new();
    };
    model.pop();
    let word = reason.as_str().to_owned();
    if reason == RejectReason::Other {
        let why = "say what it is; Enter alone leaves it at `other`";
        return deciding::reason(model, "Why reject?", why, subjects, Ruling::Reject);
    }
    if subjects.len() > 1 {
        return deciding::count(model, subjects, Ruling::Reject, Some(word));
    }
    deciding::decide(model, subjects, &Ruling::Reject, Some(&word))
}

/// The answer to the question on top.
pub(crate) fn yes(model: &mut Model) -> Vec<Effect> {
    let Some(Layer::Confirm(confirm)) = model.pop() else {
        return Vec::new();
    };
    match confirm.act {
        Act::Release(subject) => deciding::decide(model, vec![subject], &Ruling::Release, None),
        Act::Split { subject, parts } => reshaping::send_split(model, subject, parts),
        Act::Merge(subjects) => reshaping::send_merge(model, subjects),
        Act::Supersede {
            subject,
            ruling,
            reason,
            memory,
        } => deciding::send(model, vec![subject], &ruling, reason.as_ref(), Some(memory)),
        Act::Demote { .. } | Act::Restore { .. } | Act::Renew { .. } => {
            on_memory(model, confirm.act)
        }
        Act::Thresholds(set) => thresholds(model, set),
        Act::Undo { entry, item } => act(
            model,
            "undoing",
            "undone",
            Item::Entry(entry),
            Some(item),
            Request::Undo(entry),
        ),
    }
}

/// An act on one memory.
fn on_memory(model: &mut Model, what: Act) -> Vec<Effect> {
    match what {
        Act::Demote {
            memory,
            shown,
            reason,
            note,
        } => act(
            model,
            "demoting",
            "demoted",
            Item::Memory(memory),
            None,
            Request::Demote {
                memory,
                shown,
                reason,
                note,
            },
        ),
        Act::Restore {
            memory,
            shown,
            note,
        } => {
            let request = Request::Restore {
                memory,
                shown,
                note,
            };
            act(
                model,
                "restoring",
                "restored",
                Item::Memory(memory),
                None,
                request,
            )
        }
        Act::Renew {
            memory,
            shown,
            note,
            first,
        } => {
            let request = Request::Renew {
                memory,
                shown,
                note,
            };
            let done = if first {
                "noted that you verified"
            } else {
                "renewed"
            };
            act(model, "renewing", done, Item::Memory(memory), None, request)
        }
        Act::Release(_)
        | Act::Split { .. }
        | Act::Merge(_)
        | Act::Supersede { .. }
        | Act::Thresholds(_)
        | Act::Undo { .. } => Vec::new(),
    }
}

fn act(
    model: &mut Model,
    doing: &'static str,
    done: &'static str,
    item: Item,
    undone: Option<String>,
    request: Request,
) -> Vec<Effect> {
    model.acting = Some(Acting {
        doing,
        done,
        items: vec![item],
        stays: true,
        approving: false,
        undone,
    });
    vec![asking::ask(model, Lane::Act, request)]
}

fn thresholds(model: &mut Model, set: ThresholdSet) -> Vec<Effect> {
    model.acting = Some(Acting {
        doing: "setting the thresholds",
        done: "set the thresholds",
        items: Vec::new(),
        stays: true,
        approving: false,
        undone: None,
    });
    vec![asking::ask(model, Lane::Act, Request::Thresholds(set))]
}
