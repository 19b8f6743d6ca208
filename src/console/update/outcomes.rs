//! What came of an act: the row goes, the footer says what was done, a conflict says who and when.

use crate::console::ask::Trouble;
use crate::console::effect::Effect;
use crate::console::layer::{Act, Confirm, Layer};
use crate::console::list::Load;
use crate::console::model::{Acting, Item, LastAct, Model, Tone};
use crate::console::update::asking;
use crate::console::words;
use crate::desk::Conflict;
use crate::desk::view::Undoable;
use crate::domain::decision::Decided;
use crate::domain::{CandidateId, EntrySeq, MemoryId};

pub(crate) fn ask_undo(model: &mut Model, undoable: Option<Undoable>) {
    if !model.layers.is_empty() {
        return;
    }
    let Some(undoable) = undoable else {
        return model.say(
            Tone::Refused,
            "undo: there is no decision of yours to take back",
        );
    };
    let served = match undoable.served {
        0 => "to nobody so far".to_owned(),
        n => format!(
            "in {} recalls: they keep what they were given",
            words::count(n)
        ),
    };
    model.push(Layer::Confirm(Confirm {
        title: format!("Undo {} of {}?", undoable.act, undoable.item),
        lines: vec![
            ("decided", words::ago(model.now.wall, undoable.at)),
            ("handed out", served),
            ("writes", "a new entry; nothing is erased".to_owned()),
        ],
        verb: "undo it",
        act: Act::Undo {
            entry: undoable.entry,
            item: undoable.item,
        },
        target: None,
    }));
}

pub(crate) fn decided(
    model: &mut Model,
    outcomes: Vec<(CandidateId, Result<Decided, Trouble>)>,
) -> Vec<Effect> {
    let Some(acting) = model.acting.take() else {
        return asking::news(model);
    };
    let total = outcomes.len();
    let mut done = 0;
    let mut last = None;
    let mut failure = None;
    for (id, outcome) in outcomes {
        match outcome {
            Ok(decided) => {
                done += 1;
                took_place(model, &acting, id, &decided);
                last = Some((id, decided));
            }
            Err(trouble) => failure = Some((id, trouble)),
        }
    }
    if let Some((id, decided)) = last {
        note(model, &acting, done, id, &decided);
    }
    match failure {
        Some((_, trouble)) if total == 1 => act_refused(model, &acting, &trouble),
        Some((id, trouble)) => {
            model.say(
                Tone::Bad,
                format!("{done} of {total} {}; {id}: {trouble}", acting.done),
            );
        }
        None => {}
    }
    asking::news(model)
}

/// A decided row leaves the list, except where deciding leaves it there.
fn took_place(model: &mut Model, acting: &Acting, id: CandidateId, decided: &Decided) {
    let stays = acting.stays;
    model.drafts.remove(&id);
    for view in [&mut model.queue, &mut model.quarantine] {
        view.marks.remove(&id);
        if stays {
            view.detail.stale |= view.list.selected == Some(id);
        } else if *decided != Decided::Endorsed {
            view.list.remove(id);
        } else {
            view.detail.stale = true;
        }
    }
}

fn note(model: &mut Model, acting: &Acting, done: usize, id: CandidateId, decided: &Decided) {
    let what = match decided {
        Decided::Minted(memory) => format!("{} {id} as {memory}", acting.done),
        Decided::Endorsed => format!("noted your approval of {id}; it needs another reviewer"),
        Decided::Moved if done > 1 => format!("{} {done} items", acting.done),
        Decided::Moved => format!("{} {id}", acting.done),
    };
    model.last_act = Some(LastAct {
        did: acting.done,
        text: what.clone(),
        at: model.now.wall,
    });
    match model.pace.notice().filter(|_| acting.approving) {
        Some(notice) => model.say(Tone::Refused, format!("{what} · {notice}")),
        None => model.say(Tone::Good, what),
    }
}

pub(crate) fn done(model: &mut Model, entry: EntrySeq) -> Vec<Effect> {
    let Some(acting) = model.acting.take() else {
        return asking::news(model);
    };
    let items: Vec<String> = acting.items.iter().map(ToString::to_string).collect();
    let what = format!("{} {}", acting.done, items.join(", "));
    let what = format!("{} · entry {entry}", what.trim_end());
    if let Some(Item::Memory(_)) = acting.items.first() {
        model.memory.detail.stale = true;
    }
    let undone = acting.undone.as_deref().map(CandidateId::parse);
    if let Some(Ok(id)) = undone {
        model.queue.list.selected = Some(id);
    }
    let did = acting.done;
    let what = acting.undone.map_or(what, |item| {
        format!("took back the decision on {item} · entry {entry}")
    });
    model.last_act = Some(LastAct {
        did,
        text: what.clone(),
        at: model.now.wall,
    });
    model.say(Tone::Good, what);
    let mut effects = asking::overview(model);
    let was_memory = matches!(acting.items.first(), Some(Item::Memory(_)));
    effects.extend(asking::rows(
        model,
        if was_memory {
            Load::Refresh
        } else {
            Load::Anew
        },
    ));
    effects
}

/// Many memories were demoted, or some of them: each is one entry.
pub(crate) fn demoted_all(
    model: &mut Model,
    outcomes: Vec<(MemoryId, Result<EntrySeq, Trouble>)>,
) -> Vec<Effect> {
    let total = outcomes.len();
    let mut failure = None;
    let mut done = 0;
    for (id, outcome) in outcomes {
        match outcome {
            Ok(_) => {
                done += 1;
                model.memory.marks.remove(&id);
            }
            Err(trouble) => failure = Some((id, trouble)),
        }
    }
    model.acting = None;
    model.memory.detail.stale = true;
    let what = format!("demoted {done} of {total} memories");
    model.last_act = Some(LastAct {
        did: "demoted",
        text: what.clone(),
        at: model.now.wall,
    });
    match failure {
        None => model.say(Tone::Good, what),
        Some((id, trouble)) => model.say(Tone::Bad, format!("{what}; {id}: {trouble}")),
    }
    let mut effects = asking::overview(model);
    effects.extend(asking::rows(model, Load::Refresh));
    effects
}

pub(crate) fn act_failed(model: &mut Model, trouble: &Trouble) -> Vec<Effect> {
    if let Some(acting) = model.acting.take() {
        act_refused(model, &acting, trouble);
    }
    asking::news(model)
}

/// Nothing was written: say why, and look at the item again where it stands.
fn act_refused(model: &mut Model, acting: &Acting, trouble: &Trouble) {
    for view in [&mut model.queue, &mut model.quarantine] {
        view.detail.stale = true;
    }
    model.memory.detail.stale = true;
    let words = match trouble {
        Trouble::Conflict(Conflict::Decided { item, outcome }) => {
            let reason = outcome
                .reason
                .as_ref()
                .map(|r| format!(" ({r})"))
                .unwrap_or_default();
            let (act, by) = (words::past(outcome.act), &outcome.by);
            format!(
                "{item} was already {act} by {by} at {}{reason}; yours was not written",
                words::moment(outcome.at)
            )
        }
        Trouble::Conflict(Conflict::Changed { item, .. }) => {
            format!("{item} changed since it was shown; look at it again, nothing was written")
        }
        Trouble::Said(why) => format!("not {}: {why}", acting.done),
    };
    model.say(Tone::Bad, words);
}
