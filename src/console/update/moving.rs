//! Selection, scrolling and views. Nothing here decides.

use crate::console::effect::Effect;
use crate::console::layer::{Groups, Layer};
use crate::console::layout::Areas;
use crate::console::list::{List, Load, Row};
use crate::console::model::{Focus, Model, ViewId};
use crate::console::palette;
use crate::console::update::asking;

pub(crate) fn down(model: &mut Model) -> Vec<Effect> {
    step(model, 1)
}

pub(crate) fn up(model: &mut Model) -> Vec<Effect> {
    step(model, -1)
}

pub(crate) fn next_item(model: &mut Model) -> Vec<Effect> {
    step_list(model, 1);
    Vec::new()
}

pub(crate) fn previous_item(model: &mut Model) -> Vec<Effect> {
    step_list(model, -1);
    Vec::new()
}

pub(crate) fn half_down(model: &mut Model) -> Vec<Effect> {
    let half = half_page(model);
    step(model, half)
}

pub(crate) fn half_up(model: &mut Model) -> Vec<Effect> {
    let half = half_page(model);
    step(model, -half)
}

pub(crate) fn read_down(model: &mut Model) -> Vec<Effect> {
    scroll(model, 1)
}

pub(crate) fn read_up(model: &mut Model) -> Vec<Effect> {
    scroll(model, -1)
}

pub(crate) fn page_down(model: &mut Model) -> Vec<Effect> {
    let page = page(model);
    scroll(model, page)
}

pub(crate) fn page_up(model: &mut Model) -> Vec<Effect> {
    let page = page(model);
    scroll(model, -page)
}

pub(crate) fn first(model: &mut Model) -> Vec<Effect> {
    if model.focus == Focus::Detail {
        return scroll(model, isize::MIN / 2);
    }
    match model.view {
        ViewId::Queue => to_first(&mut model.queue.list),
        ViewId::Quarantine => to_first(&mut model.quarantine.list),
        ViewId::Memory => to_first(&mut model.memory.list),
        ViewId::Patterns => to_first(&mut model.patterns.list),
        ViewId::Ledger => to_first(&mut model.ledger.list),
        ViewId::Pulse => model.pulse.unpick(),
    }
    Vec::new()
}

pub(crate) fn last(model: &mut Model) -> Vec<Effect> {
    if model.focus == Focus::Detail {
        return scroll(model, isize::MAX / 2);
    }
    let jump = match model.view {
        ViewId::Queue => to_last(&mut model.queue.list, true),
        ViewId::Quarantine => to_last(&mut model.quarantine.list, true),
        ViewId::Memory => to_last(&mut model.memory.list, true),
        ViewId::Patterns => to_last(&mut model.patterns.list, false),
        ViewId::Ledger => to_last(&mut model.ledger.list, false),
        ViewId::Pulse => false,
    };
    if jump {
        asking::rows(model, Load::Last)
    } else {
        Vec::new()
    }
}

/// Gives the text the room and the keys, or takes them back.
pub(crate) fn read(model: &mut Model) -> Vec<Effect> {
    if model.view == ViewId::Pulse {
        return crate::console::update::pulse::short_of(model);
    }
    model.focus = match model.focus {
        Focus::List => Focus::Detail,
        Focus::Detail => Focus::List,
    };
    Vec::new()
}

/// One item at a time, or the list beside it again.
pub(crate) fn single(model: &mut Model) -> Vec<Effect> {
    model.single = !model.single;
    model.focus = Focus::List;
    Vec::new()
}

pub(crate) fn next_tab(model: &mut Model) -> Vec<Effect> {
    if model.view == ViewId::Pulse {
        model.pulse.step(0, 1);
        return Vec::new();
    }
    let tabs = model.tabs().len();
    model.set_tab((model.tab() + 1) % tabs.max(1));
    Vec::new()
}

pub(crate) fn previous_tab(model: &mut Model) -> Vec<Effect> {
    if model.view == ViewId::Pulse {
        model.pulse.step(0, -1);
        return Vec::new();
    }
    let tabs = model.tabs().len().max(1);
    model.set_tab((model.tab() + tabs - 1) % tabs);
    Vec::new()
}

pub(crate) fn queue(model: &mut Model) -> Vec<Effect> {
    show(model, ViewId::Queue)
}

pub(crate) fn quarantine(model: &mut Model) -> Vec<Effect> {
    show(model, ViewId::Quarantine)
}

pub(crate) fn memory(model: &mut Model) -> Vec<Effect> {
    show(model, ViewId::Memory)
}

pub(crate) fn patterns(model: &mut Model) -> Vec<Effect> {
    show(model, ViewId::Patterns)
}

pub(crate) fn ledger(model: &mut Model) -> Vec<Effect> {
    show(model, ViewId::Ledger)
}

/// Changes the view. What happened while it was out of sight is taken in at once: nothing that
/// anybody looked at moves by it.
pub(crate) fn show(model: &mut Model, view: ViewId) -> Vec<Effect> {
    if model.view == view {
        return Vec::new();
    }
    model.view = view;
    model.focus = Focus::List;
    model.single = false;
    let loaded = match view {
        ViewId::Queue => model.queue.list.loaded,
        ViewId::Quarantine => model.quarantine.list.loaded,
        ViewId::Memory => model.memory.list.loaded,
        ViewId::Patterns => model.patterns.list.loaded,
        ViewId::Ledger => model.ledger.list.loaded,
        ViewId::Pulse => model.pulse.loaded(),
    };
    if loaded {
        asking::rows(model, Load::Anew)
    } else {
        Vec::new()
    }
}

fn step(model: &mut Model, by: isize) -> Vec<Effect> {
    if model.layers.is_empty() && model.focus == Focus::Detail {
        return scroll(model, by);
    }
    if !step_layer(model, by) {
        step_list(model, by);
    }
    Vec::new()
}

fn step_list(model: &mut Model, by: isize) {
    match model.view {
        ViewId::Queue => model.queue.list.step(by),
        ViewId::Quarantine => model.quarantine.list.step(by),
        ViewId::Memory => model.memory.list.step(by),
        ViewId::Patterns => model.patterns.list.step(by),
        ViewId::Ledger => model.ledger.list.step(by),
        ViewId::Pulse => model.pulse.step(by, 0),
    }
}

/// Moves inside the top layer, if there is one.
fn step_layer(model: &mut Model, by: isize) -> bool {
    let rows = match model.layers.last() {
        Some(Layer::Palette { input, .. }) => palette::found(model, input.text()).len(),
        Some(Layer::Groups(Groups {
            found: Some(Ok(found)),
            ..
        })) => found.groups.len(),
        _ => usize::MAX,
    };
    match model.layers.last_mut() {
        None => return false,
        Some(Layer::Palette { picked, .. } | Layer::Groups(Groups { picked, .. })) => {
            *picked = picked.saturating_add_signed(by).min(rows.saturating_sub(1));
        }
        Some(Layer::Writer { input, .. }) => {
            if by > 0 {
                input.down();
            } else {
                input.up();
            }
        }
        Some(Layer::Help { scroll, .. } | Layer::Tree { scroll, .. }) => {
            *scroll = scroll.saturating_add_signed(by).min(model.layer_most);
        }
        Some(Layer::Pager(pager)) => {
            pager.scroll = pager.scroll.saturating_add_signed(by).min(model.layer_most);
        }
        Some(Layer::Choose(_) | Layer::Confirm(_) | Layer::Field(_) | Layer::Secret { .. }) => {}
    }
    true
}

fn scroll(model: &mut Model, by: isize) -> Vec<Effect> {
    if !step_layer(model, by) {
        let most = model.safety.drawn.most_scroll;
        let scroll = model.detail_scroll_mut();
        *scroll = scroll.saturating_add_signed(by).min(most);
    }
    Vec::new()
}

fn half_page(model: &Model) -> isize {
    (page(model) / 2).max(1)
}

/// A page leaves one line of what was read before on screen.
fn page(model: &Model) -> isize {
    let areas = Areas::of(model);
    let rows = if !model.layers.is_empty() {
        usize::from(areas.body.height)
    } else if model.focus == Focus::Detail
        || model.key.digit().is_none() && model.key.typed().is_none() && !model.key.ctrl
    {
        model.text_rows
    } else {
        areas.rows()
    };
    isize::try_from(rows.saturating_sub(1)).unwrap_or(10).max(1)
}

fn to_first<R: Row>(list: &mut List<R>) {
    if list.more_before {
        *list = List::default();
    }
    list.select_at(0);
}

/// Whether the end has to be asked for: far lists are not walked through.
fn to_last<R: Row>(list: &mut List<R>, can_jump: bool) -> bool {
    if list.more_after && can_jump {
        return true;
    }
    list.select_at(list.rows.len().saturating_sub(1));
    false
}
