//! What update wants done in the world. The loop does it; update only says it.

use crate::console::ask::Ask;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    Ask(Ask),
    /// Open this text in the reviewer's own editor.
    Edit(String),
    /// Put this visible form on the clipboard.
    Copy(String),
    /// Clear and draw everything again.
    Repaint,
    /// Keep the saved views.
    Shelve,
    Suspend,
    Quit,
}
