//! Where a key is pressed: a view, or the layer on top. Only one place gets keys at a time.

use crate::console::layer::Layer;
use crate::console::model::{Model, ViewId};

/// Where a key is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Any view, together with the view's own place.
    Everywhere,
    Queue,
    Quarantine,
    Memory,
    Patterns,
    Ledger,
    Pulse,
    Choose,
    Confirm,
    Field,
    Palette,
    Help,
    Writer,
    Tree,
    Secret,
    Groups,
    Pager,
}

/// Every place, with its name in the keys file and its title in the help.
pub(crate) const ALL: &[(Place, &str, &str)] = &[
    (Place::Everywhere, "everywhere", "in every view"),
    (Place::Queue, "queue", "in the queue"),
    (Place::Quarantine, "quarantine", "in the quarantine"),
    (Place::Memory, "memory", "among memories"),
    (Place::Patterns, "patterns", "among patterns"),
    (Place::Ledger, "ledger", "in the ledger"),
    (Place::Pulse, "pulse", "in Pulse"),
    (Place::Choose, "choose", "choosing a reason"),
    (Place::Confirm, "confirm", "confirming"),
    (Place::Field, "field", "in a field"),
    (Place::Palette, "palette", "in the palette"),
    (Place::Help, "help", "in the help"),
    (Place::Writer, "writer", "editing in place"),
    (Place::Tree, "tree", "in the answer to why"),
    (Place::Secret, "secret", "looking at a secret"),
    (Place::Groups, "groups", "grouping a list"),
    (Place::Pager, "pager", "reading raw evidence"),
];

impl Place {
    pub(crate) const fn of_view(view: ViewId) -> Self {
        match view {
            ViewId::Queue => Self::Queue,
            ViewId::Quarantine => Self::Quarantine,
            ViewId::Memory => Self::Memory,
            ViewId::Patterns => Self::Patterns,
            ViewId::Ledger => Self::Ledger,
            ViewId::Pulse => Self::Pulse,
        }
    }

    pub(crate) const fn is_view(self) -> bool {
        matches!(
            self,
            Self::Everywhere
                | Self::Queue
                | Self::Quarantine
                | Self::Memory
                | Self::Patterns
                | Self::Ledger
                | Self::Pulse
        )
    }

    /// Whether plain characters are text here.
    pub(crate) const fn takes_text(self) -> bool {
        matches!(
            self,
            Self::Field | Self::Palette | Self::Help | Self::Writer
        )
    }

    pub(crate) fn title(self) -> &'static str {
        ALL.iter()
            .find(|(place, _, _)| *place == self)
            .map_or("", |(_, _, title)| title)
    }

    pub(crate) fn name(self) -> &'static str {
        ALL.iter()
            .find(|(place, _, _)| *place == self)
            .map_or("", |(_, name, _)| name)
    }
}

impl Model {
    /// The one place that gets keys now.
    pub(crate) fn place(&self) -> Place {
        self.layers
            .last()
            .map_or(Place::of_view(self.view), Layer::place)
    }
}
