//! The console: a person, a keyboard, and the exact text of what an agent wants remembered.
//!
//! It draws snapshots and sends wishes; every rule about what may happen lives in `desk` and below.
//! It knows no SQL and no files but the reviewer's keys, saved views and baseline, and the draft in
//! the reviewer's own editor.
//!
//! ```text
//! key, paste, resize, signal, reply, news ──► Event, with its time
//!     ──► keys: the place on top, the action table ──► update(&mut Model, Event) ──► Effects
//!     ──► the loop: requests to the worker ──► Reply ──► Event; editor, clipboard, suspend, quit
//! model changed ──► draw(&Model, cache) ──► one write ──► Flushed: what may now be decided on
//! ```
//!
//! | module | holds |
//! |---|---|
//! | `run`, `away`, `screen`, `guard`, `signals`, `watch` | the loop, the terminal, what comes from outside |
//! | `worker`, `ask` | the desk, on threads of its own |
//! | `event`, `effect`, `model`, `snapshot`, `pulse`, `list`, `layer`, `input`, `tabs`, `shelf` | state, as data |
//! | `action`, `ready`, `place`, `key`, `keys`, `palette`, `listing` | what keys do, where, and why not |
//! | `safety`, `pace` | when a key may decide; whether approvals outrun reading |
//! | `update` | (model, event) to effects |
//! | `draw`, `layout`, `views`, `widgets`, `prose`, `difference`, `theme`, `words` | from the model to a frame |
//! | `editor`, `clipboard`, `variables` | the two ways text leaves, and what they ask of the environment |
// INVARIANT: (11) a decision names the item, its version and the frame that showed it; see `safety`.
// INVARIANT: (3) no text reaches the terminal but through `text`; see `widgets::row` and `prose`.

mod action;
mod ask;
mod away;
mod clipboard;
mod difference;
mod draw;
mod editor;
mod effect;
mod error;
mod event;
mod guard;
mod input;
mod key;
mod keys;
mod layer;
mod layout;
mod list;
mod listing;
mod model;
mod pace;
mod palette;
mod place;
mod prose;
mod pulse;
mod ready;
mod run;
mod safety;
mod screen;
mod shelf;
mod signals;
mod snapshot;
mod tabs;
mod theme;
mod tour;
mod update;
mod variables;
mod views;
mod watch;
mod widgets;
mod words;
mod worker;

#[cfg(test)]
mod tests;

pub use error::ConsoleError;
pub use listing::{KeyRow, key_rows};
pub use run::run;
pub use variables::Variables;

use crate::desk::presence::Caller;
use crate::domain::Reviewer;
use crate::keys::Signer;
use std::path::PathBuf;
use std::sync::Arc;

/// How the console is started: facts, gathered by whoever starts it.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether a person can be there at all.
    pub caller: Caller,
    /// Who sits there.
    pub reviewer: Reviewer,
    /// Their key, unlocked, where decisions are signed.
    pub signer: Option<Arc<Signer>>,
    /// The reviewer's own keys; a file that does not exist changes nothing.
    pub keys_file: Option<PathBuf>,
    /// Where the reviewer's own baseline of this store is kept.
    pub baseline_file: Option<PathBuf>,
    /// Where the reviewer's saved views are kept, and where they stood.
    pub views_file: Option<PathBuf>,
    /// The few variables that matter here.
    pub environment: Variables,
    /// Look at everything, decide nothing.
    pub readonly: bool,
    /// Let the detector work in the background.
    pub detect: bool,
}
