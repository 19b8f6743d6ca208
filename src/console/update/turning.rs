//! Memories out of service and back, and taking a decision back: each asks before it acts.

use crate::console::ask::{Lane, Request};
use crate::console::effect::Effect;
use crate::console::input::Input;
use crate::console::layer::{Act, Choice, Choose, Confirm, Field, Layer, Purpose};
use crate::console::model::Model;
use crate::console::update::asking;
use crate::console::words;
use crate::domain::Influence;
use crate::domain::reason::DemoteReason;

pub(crate) fn demote(model: &mut Model) -> Vec<Effect> {
    let Some(target) = model.target() else {
        return Vec::new();
    };
    let known = [DemoteReason::GatewayFailed, DemoteReason::Undone];
    let options = DemoteReason::ALL
        .iter()
        .filter(|reason| !known.contains(reason));
    let options = options
        .filter_map(|r| Some((u32::try_from(r.code()).ok()?, words::spaced(r.as_str()))))
        .collect();
    let title = format!("Demote {}: why?", target.item);
    model.push(Layer::Choose(Choose {
        title,
        options,
        choice: Choice::Demote,
        target,
    }));
    Vec::new()
}

pub(crate) fn restore(model: &mut Model) -> Vec<Effect> {
    let plans = model
        .memory
        .current()
        .is_some_and(|view| view.memory.influence >= Influence::Plan);
    if plans {
        note(
            model,
            "Restore: why?",
            "an agent may plan by this: say in a few words why it holds",
            Purpose::RestoreNote,
        );
    } else {
        ask_restore(model, None);
    }
    Vec::new()
}

pub(crate) fn ask_restore(model: &mut Model, note: Option<String>) {
    let (Some(target), Some(view)) = (model.target(), model.memory.current()) else {
        return;
    };
    let why = view.memory.demoted.as_ref().map_or_else(
        || "unknown".to_owned(),
        |o| {
            format!(
                "by {} at {}{}",
                o.by,
                words::moment(o.at),
                o.reason
                    .as_ref()
                    .map(|r| format!(" ({r})"))
                    .unwrap_or_default()
            )
        },
    );
    let confirm = Confirm {
        title: format!("Restore {}?", target.item),
        lines: vec![
            ("demoted", why),
            (
                "then",
                format!("it is served again in {}", view.memory.scope.layer),
            ),
        ],
        verb: "restore it",
        act: Act::Restore {
            memory: view.memory.id,
            shown: target.shown,
            note,
        },
        target: Some(target),
    };
    model.push(Layer::Confirm(confirm));
}

/// Asks for a few words before the question.
fn note(model: &mut Model, title: &str, hint: &str, purpose: Purpose) {
    model.push(Layer::Field(Field {
        title: title.to_owned(),
        hint: hint.to_owned(),
        input: Input::default(),
        error: None,
        purpose,
        target: None,
    }));
}

pub(crate) fn undo(model: &mut Model) -> Vec<Effect> {
    vec![asking::ask(model, Lane::Undoable, Request::Undoable)]
}

pub(crate) fn demote_for(model: &mut Model, digit: u32) -> Vec<Effect> {
    let Some(reason) = DemoteReason::from_code(i64::from(digit)) else {
        return Vec::new();
    };
    model.pop();
    if reason == DemoteReason::Other {
        note(
            model,
            "Demote: why?",
            "say what is wrong with it",
            Purpose::DemoteNote,
        );
        return Vec::new();
    }
    ask_demote(model, reason, None);
    Vec::new()
}

pub(crate) fn ask_demote(model: &mut Model, reason: DemoteReason, note: Option<String>) {
    let (Some(target), Some(view)) = (model.target(), model.memory.current()) else {
        return;
    };
    let memory = &view.memory;
    let reach = match memory.served {
        0 => "never served".to_owned(),
        n => format!(
            "{} to {} since {}",
            words::many(n, "serving"),
            words::many(view.sessions_reached, "session"),
            memory.approved_at.date()
        ),
    };
    let confirm = Confirm {
        title: format!(
            "Demote {} as {}?",
            memory.id,
            words::spaced(reason.as_str())
        ),
        lines: vec![
            ("reach", reach),
            (
                "then",
                format!("no recall in {} gets it any more", memory.scope.layer),
            ),
        ],
        verb: "demote it",
        act: Act::Demote {
            memory: memory.id,
            shown: target.shown,
            reason,
            note,
        },
        target: Some(target),
    };
    model.push(Layer::Confirm(confirm));
}
