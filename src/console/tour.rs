//! The walk through the demonstration store: one sentence at a time, which moves on by itself when
//! what it asks for was done.
//!
//! Knows the model and the keys as they are bound; decides nothing and presses nothing.

use crate::console::layer::Layer;
use crate::console::model::{Model, ViewId};
use crate::console::place::Place;

/// How far somebody is on the walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Tour {
    /// It is not known yet whether there is one.
    #[default]
    Unknown,
    /// At this step.
    At(usize),
    /// Closed at this step.
    Closed(usize),
}

struct Step {
    say: fn(&Model) -> String,
    done: fn(&Model) -> bool,
}

const STEPS: &[Step] = &[
    Step {
        say: |model| {
            format!(
                "Read the claim, and below it who said so and what the gate says. `{}` lets exactly this text become a memory; `{}` turns it down.",
                key(model, Place::Queue, "approve"),
                key(model, Place::Queue, "reject")
            )
        },
        done: |model| did(model, &["approved", "rejected"]),
    },
    Step {
        say: |model| {
            format!(
                "`{}` goes to the quarantine: what the gate holds back, marked on the words it objects to.",
                key(model, Place::Everywhere, "quarantine")
            )
        },
        done: |model| model.view == ViewId::Quarantine,
    },
    Step {
        say: |model| {
            format!(
                "A summary made \"waiting for approval\" into \"approved\". `{}`: it stays out, and becomes a case that your gate must hold.",
                key(model, Place::Quarantine, "confirm")
            )
        },
        done: |model| did(model, &["confirmed as bad"]),
    },
    Step {
        say: |model| {
            format!(
                "`{}` goes to what agents are told, the stalest first. Five people say otherwise by now: `{}` `1` `{}` stops serving it.",
                key(model, Place::Everywhere, "memory"),
                key(model, Place::Memory, "demote"),
                key(model, Place::Confirm, "yes")
            )
        },
        done: |model| did(model, &["demoted"]),
    },
    Step {
        say: |model| {
            format!(
                "`{}` `{}` takes your newest decision back. Nothing is erased: that is one more entry.",
                key(model, Place::Everywhere, "undo"),
                key(model, Place::Confirm, "yes")
            )
        },
        done: |model| did(model, &["undone"]),
    },
    Step {
        say: |model| {
            format!(
                "`{}` says why: from what is selected down to the words somebody said.",
                key(model, Place::Everywhere, "why")
            )
        },
        done: |model| matches!(model.layers.last(), Some(Layer::Tree { .. })),
    },
    Step {
        say: |model| {
            format!(
                "`{}` closes it. `{}` goes to the ledger: every act so far, each bound to the one before.",
                key(model, Place::Tree, "close"),
                key(model, Place::Everywhere, "ledger")
            )
        },
        done: |model| model.view == ViewId::Ledger,
    },
    Step {
        say: |model| {
            format!(
                "That was the whole way. `{}` lists every key, `{}` finds an action by its name, `{}` closes this line.",
                key(model, Place::Everywhere, "help"),
                key(model, Place::Everywhere, "palette"),
                key(model, Place::Everywhere, "tour")
            )
        },
        done: |model| matches!(model.layers.last(), Some(Layer::Help { .. })),
    },
];

/// Begins the walk where there is one, and moves on past what was done.
pub(crate) fn advance(model: &mut Model) {
    if model.tour == Tour::Unknown && is_offered(model) {
        model.tour = Tour::At(0);
    }
    while let Tour::At(at) = model.tour
        && STEPS.get(at).is_some_and(|step| (step.done)(model))
    {
        model.tour = Tour::At(at + 1);
    }
}

/// Only in a store where nothing is real, to somebody who may decide there.
pub(crate) fn is_offered(model: &Model) -> bool {
    model.session.may_decide.is_ok() && model.overview.as_ref().is_some_and(|it| it.demo)
}

/// Closes the walk, or goes on with it; over again from its end.
pub(crate) fn turn(model: &mut Model) {
    model.tour = match model.tour {
        Tour::At(at) if at < STEPS.len() => Tour::Closed(at),
        Tour::Closed(at) => Tour::At(at),
        Tour::At(_) | Tour::Unknown => Tour::At(0),
    };
}

/// What it says now, with how far it is.
pub(crate) fn sentence(model: &Model) -> Option<String> {
    let Tour::At(at) = model.tour else {
        return None;
    };
    let step = STEPS.get(at)?;
    Some(format!(
        "{} of {}  {}",
        at + 1,
        STEPS.len(),
        (step.say)(model)
    ))
}

fn key(model: &Model, place: Place, id: &str) -> String {
    model.keymap.hint(place, id)
}

fn did(model: &Model, acts: &[&str]) -> bool {
    model
        .last_act
        .as_ref()
        .is_some_and(|last| acts.contains(&last.did))
}
