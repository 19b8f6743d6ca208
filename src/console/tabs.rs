//! The tabs of the detail, by view; which are there depends on the item.

use crate::console::event::Target;
use crate::console::model::{Model, ViewId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    Text,
    Diff,
    Findings,
    Provenance,
    Impact,
    Reach,
    History,
    Entry,
    Wordings,
    Support,
    Links,
    Kin,
}

impl Tab {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Text => "Text",
            Self::Diff => "Diff",
            Self::Findings => "Findings",
            Self::Provenance => "Provenance",
            Self::Impact => "Impact",
            Self::Reach => "Reach",
            Self::History => "History",
            Self::Entry => "Entry",
            Self::Wordings => "Wordings",
            Self::Support => "Support",
            Self::Links => "Links",
            Self::Kin => "Kin",
        }
    }
}

const CANDIDATE: &[Tab] = &[
    Tab::Text,
    Tab::Findings,
    Tab::Provenance,
    Tab::Impact,
    Tab::History,
];
const EDITED: &[Tab] = &[
    Tab::Text,
    Tab::Diff,
    Tab::Findings,
    Tab::Provenance,
    Tab::Impact,
    Tab::History,
];
const MEMORY: &[Tab] = &[Tab::Text, Tab::Reach, Tab::Provenance, Tab::History];
const EDITED_MEMORY: &[Tab] = &[
    Tab::Text,
    Tab::Diff,
    Tab::Reach,
    Tab::Provenance,
    Tab::History,
];

const PATTERN: &[Tab] = &[Tab::Text, Tab::Wordings, Tab::Support, Tab::Links, Tab::Kin];

impl Model {
    pub(crate) fn tabs(&self) -> &'static [Tab] {
        match self.view {
            ViewId::Queue | ViewId::Quarantine if self.draft().is_some() => EDITED,
            ViewId::Queue | ViewId::Quarantine => CANDIDATE,
            ViewId::Memory => match self.memory.current() {
                Some(view) if view.proposed.is_some() => EDITED_MEMORY,
                _ => MEMORY,
            },
            ViewId::Patterns => PATTERN,
            ViewId::Ledger => &[Tab::Entry],
            ViewId::Pulse => &[],
        }
    }

    pub(crate) fn current_tab(&self) -> Tab {
        self.tabs().get(self.tab()).copied().unwrap_or(Tab::Text)
    }

    /// Whether the reviewer's own text is what is on screen.
    pub(crate) fn on_draft(&self) -> bool {
        self.draft().is_some() && self.current_tab() == Tab::Diff
    }

    /// The reviewer's own text, as something that can have been on screen.
    pub(crate) fn draft_target(&self) -> Option<Target> {
        let draft = self.draft()?;
        Some(Target {
            shown: draft.digest(),
            ..self.target()?
        })
    }

    pub(crate) fn set_tab(&mut self, tab: usize) {
        let (slot, scroll) = match self.view {
            ViewId::Queue => (&mut self.queue.detail.tab, &mut self.queue.detail.scroll),
            ViewId::Quarantine => (
                &mut self.quarantine.detail.tab,
                &mut self.quarantine.detail.scroll,
            ),
            ViewId::Memory => (&mut self.memory.detail.tab, &mut self.memory.detail.scroll),
            ViewId::Patterns => (
                &mut self.patterns.detail.tab,
                &mut self.patterns.detail.scroll,
            ),
            ViewId::Ledger => (&mut self.ledger.detail.tab, &mut self.ledger.detail.scroll),
            ViewId::Pulse => return,
        };
        *slot = tab;
        *scroll = 0;
    }
}
