//! A memory that is still true: asks before it lets it live on.

use crate::console::effect::Effect;
use crate::console::layer::{Act, Confirm, Layer, Purpose};
use crate::console::model::Model;
use crate::console::update::turning;
use crate::console::words;

pub(crate) fn renew(model: &mut Model) -> Vec<Effect> {
    let reason = model
        .memory
        .current()
        .is_some_and(|view| view.renewal.reason_needed);
    if reason {
        turning::note(
            model,
            "Still true: how do you know?",
            "an agent may plan by this: say in a few words why it still holds",
            Purpose::RenewNote,
        );
    } else {
        ask(model, None);
    }
    Vec::new()
}

pub(crate) fn ask(model: &mut Model, note: Option<String>) {
    let (Some(target), Some(view)) = (model.target(), model.memory.current()) else {
        return;
    };
    let (memory, terms) = (&view.memory, &view.renewal);
    let needed = terms.reviewers_needed as usize;
    let first = terms.so_far.len() + 1 < needed;
    let mut lines = vec![(
        "lives",
        format!(
            "until {} · now it {}",
            terms.until.date(),
            words::ends(model.now.wall, memory.expires_at)
        ),
    )];
    if let Some(against) = view.stale.first() {
        let more = match view.stale.len() {
            0 | 1 => String::new(),
            n => format!(" · {} more", n - 1),
        };
        lines.push(("answers", format!("{against}{more}")));
    }
    if needed > 1 {
        let others: Vec<&str> = terms
            .so_far
            .iter()
            .map(|one| one.reviewer.as_str())
            .collect();
        lines.push((
            "people",
            if first {
                format!("{needed} must verify it; you are the first")
            } else {
                format!("{needed} must verify it; {} did", others.join(", "))
            },
        ));
    }
    let confirm = Confirm {
        title: format!("Is {} still true?", memory.id),
        lines,
        verb: "I checked: it still holds",
        act: Act::Renew {
            memory: memory.id,
            shown: target.shown,
            note,
            first,
        },
        target: Some(target),
    };
    model.push(Layer::Confirm(confirm));
}
