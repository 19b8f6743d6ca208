//! (model, event) -> effects. Pure: time comes with the event, the world is only asked for.
//!
//! | module | holds |
//! |---|---|
//! | `keys` | which action a key means, and whether it may decide |
//! | `deciding`, `superseding`, `reshaping`, `turning`, `renewing` | the acts on candidates, and on memories |
//! | `answering` | menus and questions |
//! | `editing` | drafts |
//! | `typing`, `completing` | fields |
//! | `moving` | selection, scrolling, views |
//! | `looking` | find, limit, sort, copy, why |
//! | `pulse` | thresholds, windows, the baseline |
//! | `going`, `grouping` | from one list to another; groups, raw evidence, cases |
//! | `saving` | views under a name |
//! | `layers` | help, palette, back, quit |
//! | `asking` | what to request from the desk |
//! | `replies`, `outcomes` | what came back: reads, and acts |

pub(crate) mod answering;
pub(crate) mod asking;
pub(crate) mod completing;
pub(crate) mod deciding;
pub(crate) mod editing;
pub(crate) mod going;
pub(crate) mod grouping;
pub(crate) mod keys;
pub(crate) mod layers;
pub(crate) mod looking;
pub(crate) mod moving;
pub(crate) mod outcomes;
pub(crate) mod pulse;
pub(crate) mod renewing;
pub(crate) mod replies;
pub(crate) mod reshaping;
pub(crate) mod saving;
pub(crate) mod superseding;
pub(crate) mod turning;
pub(crate) mod typing;

use crate::console::effect::Effect;
use crate::console::event::{Drawn, Event, Moment};
use crate::console::layout::Areas;
use crate::console::model::{Model, Tone};
use crate::console::tour;

/// The first requests.
pub(crate) fn start(model: &mut Model, now: Moment) -> Vec<Effect> {
    model.now = now;
    let mut effects = asking::overview(model);
    effects.extend(settle(model));
    effects
}

/// Takes one event in and says what it wants done.
pub(crate) fn update(model: &mut Model, event: Event, now: Moment) -> Vec<Effect> {
    model.now = now;
    let mut effects = match event {
        Event::Key(key) => keys::press(model, key),
        Event::Paste(text) => typing::paste(model, &text),
        Event::Resize(width, height) => {
            model.size = (width, height);
            Vec::new()
        }
        Event::Flushed(drawn) => return flushed(model, drawn),
        Event::Reply(reply) => replies::take(model, reply),
        Event::News => asking::news(model),
        Event::Edited(result) => editing::edited(model, result),
        Event::Copied(result) => {
            match result {
                Ok(how) => model.say(Tone::Plain, how),
                Err(why) => model.say(Tone::Refused, why),
            }
            Vec::new()
        }
        Event::DetectorFailed(why) => {
            model.say(Tone::Bad, format!("the detector stopped: {why}"));
            Vec::new()
        }
        Event::Hangup => vec![Effect::Quit],
        Event::Tick => keys::tick(model),
    };
    tour::advance(model);
    effects.extend(settle(model));
    effects
}

/// Keeps selections on screen and asks for what the view now lacks.
fn settle(model: &mut Model) -> Vec<Effect> {
    let areas = Areas::of(model);
    let height = areas.rows();
    model.queue.list.settle(height);
    model.quarantine.list.settle(height);
    model.memory.list.settle(height);
    model.ledger.list.settle(height);
    let tabs = model.tabs().len();
    if model.tab() >= tabs {
        model.set_tab(0);
    }
    let mut effects = asking::rows_wanted(model);
    effects.extend(asking::detail_wanted(model));
    effects.extend(asking::judgement_wanted(model));
    effects
}

fn flushed(model: &mut Model, drawn: Drawn) -> Vec<Effect> {
    let most = drawn.most_scroll;
    let scroll = model.detail_scroll_mut();
    *scroll = (*scroll).min(most);
    model.text_rows = drawn.text_rows.max(1);
    model.layer_most = drawn.layer_most;
    let now = model.now;
    model.safety.flushed(drawn, now);
    Vec::new()
}
