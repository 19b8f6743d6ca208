//! What Pulse shows, and which pair of thresholds is picked in it.

use crate::console::snapshot::Detail;
use crate::desk::{Baseline, Measures, WhatIfCell, WhatIfTable};
use crate::domain::Layer;
use crate::domain::threshold::ThresholdSet;

/// The windows that can be looked at, in days.
pub(crate) const WINDOWS: [i64; 4] = [7, 30, 90, 365];
/// News makes it read itself again at most so often, in milliseconds.
const REST: u64 = 2_000;

/// Everything read for Pulse at once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PulseView {
    pub(crate) measures: Measures,
    /// What was kept to hold the measures against, or why it cannot be used.
    pub(crate) baseline: Result<Option<Baseline>, String>,
    pub(crate) table: WhatIfTable,
    /// Whether today's figures were just kept as the baseline.
    pub(crate) kept: bool,
}

#[derive(Debug)]
pub(crate) struct Pulse {
    pub(crate) detail: Detail<PulseView>,
    /// Of this layer and those below it.
    pub(crate) layer: Option<Layer>,
    /// How many days the window has.
    pub(crate) days: i64,
    /// The picked users and sessions; what is in force where nothing was picked.
    picked: Option<(u32, u32)>,
    pub(crate) asked_at: Option<u64>,
    /// When it was read last.
    read_at: u64,
}

impl Default for Pulse {
    fn default() -> Self {
        Self {
            detail: Detail::default(),
            layer: None,
            days: 30,
            picked: None,
            asked_at: None,
            read_at: 0,
        }
    }
}

impl Pulse {
    pub(crate) const fn loaded(&self) -> bool {
        self.detail.view.is_some()
    }

    /// Whether it was read and may be read again; otherwise it says that it is stale.
    pub(crate) fn due(&mut self, now: u64) -> bool {
        let rested = now.saturating_sub(self.read_at) >= REST && self.asked_at.is_none();
        self.detail.stale |= !rested;
        self.loaded() && rested
    }

    pub(crate) fn take(&mut self, view: PulseView, now: u64) {
        self.detail.view = Some(view);
        self.detail.trouble = None;
        self.detail.stale = false;
        self.asked_at = None;
        self.read_at = now;
    }

    /// Forgets what was read: it was of another layer or another window.
    pub(crate) fn forget(&mut self) {
        self.detail.view = None;
        self.picked = None;
        self.asked_at = None;
    }

    pub(crate) fn table(&self) -> Option<&WhatIfTable> {
        self.detail.view.as_ref().map(|view| &view.table)
    }

    /// The picked users and sessions.
    pub(crate) fn place(&self) -> Option<(u32, u32)> {
        let table = self.table()?;
        let least = table.now.least;
        Some(self.picked.unwrap_or((least.users, least.sessions)))
    }

    pub(crate) fn picked(&self) -> Option<&WhatIfCell> {
        let (users, sessions) = self.place()?;
        self.table()?
            .table
            .iter()
            .find(|cell| cell.users == users && cell.sessions == sessions)
    }

    /// Picks a neighbour, as far as the table goes.
    pub(crate) fn step(&mut self, users: isize, sessions: isize) {
        let Some((row, column)) = self.place() else {
            return;
        };
        let to = (moved(row, users), moved(column, sessions));
        let within = |cells: &[WhatIfCell]| {
            let rows = (cells.first()?.users, cells.last()?.users);
            let columns = (cells.first()?.sessions, cells.last()?.sessions);
            Some((to.0.clamp(rows.0, rows.1), to.1.clamp(columns.0, columns.1)))
        };
        if let Some(to) = self.table().and_then(|table| within(&table.table)) {
            self.picked = Some(to);
        }
    }

    /// Back to what is in force.
    pub(crate) const fn unpick(&mut self) {
        self.picked = None;
    }

    /// The thresholds that the picked pair would be, everything else as it is.
    pub(crate) fn wanted(&self) -> Option<ThresholdSet> {
        let table = self.table()?;
        let (users, sessions) = self.place()?;
        let mut wanted = ThresholdSet {
            layer: table.layer.clone(),
            ..table.now.clone()
        };
        wanted.least.users = users;
        wanted.least.sessions = sessions;
        Some(wanted)
    }
}

fn moved(at: u32, by: isize) -> u32 {
    let by = i64::try_from(by).unwrap_or(0).clamp(-1_000, 1_000);
    u32::try_from(i64::from(at) + by).unwrap_or(0)
}

impl Pulse {
    /// What it lacks, where nothing was read or asked for yet.
    pub(crate) fn wants(&self) -> Option<crate::console::list::Load> {
        let lacks = !self.loaded() && self.asked_at.is_none() && self.detail.trouble.is_none();
        lacks.then_some(crate::console::list::Load::Anew)
    }
}
