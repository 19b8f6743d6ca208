//! What can happen to the console: a closed list. Time comes with it, nothing here asks a clock.

use crate::console::ask::Reply;
use crate::console::key::Key;
use crate::console::model::Item;
use crate::domain::{Digest, Time};
use std::ops::Range;

/// When something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Milliseconds since the console began; never goes back.
    pub(crate) ms: u64,
    /// The time of day.
    pub(crate) wall: Time,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Event {
    Key(Key),
    Paste(String),
    Resize(u16, u16),
    /// A frame reached the terminal.
    Flushed(Drawn),
    Reply(Reply),
    /// Something was committed, here or in another process.
    News,
    /// The external editor ended: the text, or why there is none.
    Edited(Result<String, String>),
    /// What came of copying.
    Copied(Result<String, String>),
    /// The detector could not work.
    DetectorFailed(String),
    /// The terminal is gone.
    Hangup,
    /// A moment that somebody waited for has come.
    Tick,
}

/// What a frame showed: the epoch that decisions are bound to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Drawn {
    /// The frame's number, from 1.
    pub(crate) frame: u64,
    /// The serial number of the layer on top.
    pub(crate) layer: u64,
    /// The item whose text was on screen.
    pub(crate) target: Option<Target>,
    /// The exact text that was on screen, and which bytes of it.
    pub(crate) text: Option<TextDrawn>,
    /// How far the detail can be scrolled.
    pub(crate) most_scroll: usize,
    /// How many rows of text there was room for.
    pub(crate) text_rows: usize,
    /// How far the top layer can be scrolled.
    pub(crate) layer_most: usize,
}

/// One version of one item's exact text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Target {
    pub(crate) item: Item,
    pub(crate) version: u32,
    pub(crate) shown: Digest,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextDrawn {
    /// Whose text: for an edit, `shown` is the hash of the typed bytes.
    pub(crate) target: Target,
    pub(crate) bytes: Range<usize>,
    pub(crate) length: usize,
}
