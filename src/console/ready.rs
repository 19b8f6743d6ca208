//! Whether an action can be done now, and if not, why: the sentence shown in its place.

use crate::console::model::{Model, ViewId};
use crate::desk::view::CandidateView;
use crate::domain::Verdict;
use crate::domain::memory::MemoryState;
use std::borrow::Cow;

/// Ready, or why not.
pub(crate) type Ready = Result<(), Cow<'static, str>>;

#[expect(
    clippy::unnecessary_wraps,
    reason = "one of many answers to the same question"
)]
pub(crate) const fn always(_: &Model) -> Ready {
    Ok(())
}

pub(crate) fn selected(model: &Model) -> Ready {
    check(model.selected().is_some(), "nothing is selected")
}

/// Whether this store is one to be walked through.
pub(crate) fn tour(model: &Model) -> Ready {
    check(
        crate::console::tour::is_offered(model),
        "only `countersign demo` has a walk through it",
    )
}

/// Whether the selected item's detail is here.
pub(crate) fn loaded(model: &Model) -> Ready {
    selected(model)?;
    check(model.target().is_some(), "the item is still being read")
}

/// Whether something can be decided on the selected item at all.
pub(crate) fn decide(model: &Model) -> Ready {
    person(model)?;
    loaded(model)?;
    check(
        model.acting.is_none(),
        "the last decision is still being written",
    )?;
    undecided(model)
}

/// Whether something is hidden that this reviewer may look at.
pub(crate) fn reveal(model: &Model) -> Ready {
    person(model)?;
    loaded(model)?;
    let hidden = model
        .candidate()
        .is_some_and(|view| !view.masked.is_empty());
    check(hidden, "nothing is hidden here")
}

pub(crate) fn reject(model: &Model) -> Ready {
    decide(model)
}

/// The whole text must have been on screen.
pub(crate) fn whole(model: &Model) -> Ready {
    decide(model)?;
    let Some(view) = model.candidate() else {
        return Ok(());
    };
    let target = model.target();
    let read = target.is_some_and(|t| model.safety.whole(t, view.candidate.claim.len()));
    if read {
        return Ok(());
    }
    Err(Cow::Owned(format!(
        "not all of the text has been on screen: `{}` reads on",
        model.keymap.hint(model.place(), "read_down")
    )))
}

pub(crate) fn approve(model: &Model) -> Ready {
    if model.view == ViewId::Quarantine {
        let key = model
            .keymap
            .hint(crate::console::place::Place::Quarantine, "release");
        return Err(
            format!("the gate holds this back: `{key}` releases it to the queue first").into(),
        );
    }
    decide(model)?;
    let Some(view) = model.candidate() else {
        return Ok(());
    };
    if model.on_draft() {
        return draft_ready(model);
    }
    if model.draft().is_some() {
        let drop = model
            .keymap
            .hint(crate::console::place::Place::Queue, "drop_draft");
        return Err(format!(
            "there is a draft: approve it on its Diff tab, or drop it with `{drop}`"
        )
        .into());
    }
    if let Some(why) = &view.blocked {
        return Err(Cow::Owned(why.clone()));
    }
    whole(model)
}

/// Whether the item says more than one thing.
pub(crate) fn split(model: &Model) -> Ready {
    let several = model.candidate().is_some_and(|view| view.parts.len() > 1);
    check(several, "it is one claim")?;
    whole(model)
}

/// Whether several items are marked, each of which was read.
pub(crate) fn merge(model: &Model) -> Ready {
    let marks = model.candidates().map(|view| &view.marks);
    let several = marks.is_some_and(|marks| marks.len() > 1);
    check(several, "mark the items that say the same first")?;
    person(model)?;
    check(
        model.acting.is_none(),
        "the last decision is still being written",
    )?;
    let read = marks.is_some_and(|marks| marks.values().all(|seen| seen.whole));
    check(read, "not all of the text of each has been on screen")
}

/// Whether there is a memory near that the item could take the place of.
pub(crate) fn supersede(model: &Model) -> Ready {
    approve(model)?;
    let near = model
        .candidate()
        .is_some_and(|view| !crate::console::update::superseding::replaceable(view).is_empty());
    check(
        near,
        "no memory is near: there is nothing to take the place of",
    )
}

/// Whether the draft on screen may be approved.
fn draft_ready(model: &Model) -> Ready {
    let Some(draft) = model.draft() else {
        return Ok(());
    };
    match &draft.judged {
        None => return Err("the gate has not answered yet".into()),
        Some(Err(why)) => return Err(Cow::Owned(format!("the gate could not judge it: {why}"))),
        Some(Ok(judged)) if judged.verdict == Verdict::Quarantine => {
            return Err("the gate would hold your text back; its objections stand below".into());
        }
        Some(Ok(_)) => {}
    }
    let starred = model
        .candidate()
        .is_some_and(|view| holds_stars(view, &draft.text));
    check(
        !starred,
        "the stars stand for a masked secret: take them out of your text first",
    )?;
    let read = model
        .draft_target()
        .is_some_and(|t| model.safety.whole(t, draft.text.len()));
    check(
        read,
        "not all of your text has been on screen: scroll to its end first",
    )
}

/// Whether a text still holds what stands for a secret of the claim.
fn holds_stars(view: &CandidateView, text: &str) -> bool {
    let stars = view
        .masked
        .iter()
        .filter_map(|span| view.candidate.claim.get(span.range()));
    stars
        .filter(|stars| !stars.is_empty())
        .any(|stars| text.contains(stars))
}

pub(crate) fn edit(model: &Model) -> Ready {
    decide(model)
}

pub(crate) fn draft(model: &Model) -> Ready {
    check(model.draft().is_some(), "there is no draft")
}

/// Whether the selected memory can be marked for demoting.
pub(crate) fn markable(model: &Model) -> Ready {
    selected(model)?;
    let live = model
        .memory
        .list
        .row()
        .is_some_and(|row| matches!(row.state, MemoryState::Active | MemoryState::Expired));
    check(live, "it is not served any more")
}

/// Whether the question on top is about a memory that was handed to somebody.
pub(crate) fn who(model: &Model) -> Ready {
    check(
        model.view == ViewId::Memory && model.memory.current().is_some(),
        "this question is not about a memory",
    )
}

pub(crate) fn demote(model: &Model) -> Ready {
    if !model.memory.marks.is_empty() {
        person(model)?;
        loaded(model)?;
        return check(
            model.acting.is_none(),
            "the last decision is still being written",
        );
    }
    decide(model)?;
    let state = model.memory.current().map(|view| view.state);
    let live = matches!(state, Some(MemoryState::Active | MemoryState::Expired));
    check(live, "it is not served any more")
}

pub(crate) fn restore(model: &Model) -> Ready {
    decide(model)?;
    let state = model.memory.current().map(|view| view.state);
    check(
        state == Some(MemoryState::Demoted),
        "only a demoted memory can be restored",
    )
}

pub(crate) fn renew(model: &Model) -> Ready {
    decide(model)?;
    markable(model)?;
    let blocked = model
        .memory
        .current()
        .and_then(|view| view.renewal.blocked.clone());
    blocked.map_or(Ok(()), |why| Err(Cow::Owned(why)))
}

pub(crate) fn undo(model: &Model) -> Ready {
    person(model)?;
    check(
        model.acting.is_none(),
        "the last decision is still being written",
    )
}

pub(crate) fn take_in(model: &Model) -> Ready {
    let fresh = match model.view {
        ViewId::Queue => model.queue.list.is_stale(),
        ViewId::Quarantine => model.quarantine.list.is_stale(),
        ViewId::Memory => model.memory.list.is_stale(),
        ViewId::Patterns => model.patterns.list.is_stale(),
        ViewId::Ledger => model.ledger.list.is_stale(),
        ViewId::Pulse => true,
    };
    check(fresh, "nothing is new")
}

pub(crate) fn needle(model: &Model) -> Ready {
    check(!model.needle.is_empty(), "nothing was looked for yet")
}

pub(crate) fn copy(model: &Model) -> Ready {
    selected(model)
}

/// Whether there is a candidate or a memory to go to from the selected pattern.
pub(crate) fn go_there(model: &Model) -> Ready {
    selected(model)?;
    if model.view == ViewId::Ledger {
        return Ok(());
    }
    let row = model.patterns.list.row();
    check(
        row.is_some_and(|row| {
            row.memory.is_some() || row.candidate.is_some() && row.state != "rejected"
        }),
        "nothing of this pattern waits or is remembered",
    )
}

/// Whether there is something to read on, or to ask about.
pub(crate) fn read(model: &Model) -> Ready {
    match model.view {
        ViewId::Pulse => measured(model),
        _ => selected(model),
    }
}

/// Whether this view has rows and texts.
pub(crate) fn texts(model: &Model) -> Ready {
    check(
        model.view != ViewId::Pulse,
        "there are numbers here, and no texts",
    )
}

/// Whether Pulse has been read.
pub(crate) fn measured(model: &Model) -> Ready {
    check(model.pulse.loaded(), "it is still being measured")
}

/// Whether other thresholds than those in force are picked, and may be set.
pub(crate) fn apply(model: &Model) -> Ready {
    person(model)?;
    measured(model)?;
    check(
        model.acting.is_none(),
        "the last decision is still being written",
    )?;
    let other = model.pulse.wanted().zip(model.pulse.table());
    check(
        other.is_some_and(|(wanted, table)| wanted.least != table.now.least),
        "these are in force already: the arrows pick others",
    )
}

fn person(model: &Model) -> Ready {
    model.session.may_decide.clone().map_err(Cow::Owned)
}

/// The item still stands where this view shows it.
fn undecided(model: &Model) -> Ready {
    match (model.candidates(), model.candidate()) {
        (Some(list), Some(view)) if view.candidate.state != list.state => {
            let outcome = view.candidate.outcome.as_ref();
            let by = outcome
                .map(|o| format!(" by {} at {}", o.by, crate::console::words::moment(o.at)))
                .unwrap_or_default();
            Err(Cow::Owned(format!(
                "it is already {}{by}",
                view.candidate.state
            )))
        }
        _ => Ok(()),
    }
}

fn check(holds: bool, why: &'static str) -> Ready {
    if holds {
        Ok(())
    } else {
        Err(Cow::Borrowed(why))
    }
}
