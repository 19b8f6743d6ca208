//! What changed between two texts, line by line, as every command prints it.
//!
//! Knows nothing of what the texts are; each line is drawn, whatever it holds.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::compare::{ChangeKind, lines};

/// Prints the lines that went with `-` and those that came with `+`; says whether there were any.
pub(in crate::cli) fn say_changes(
    context: &mut Context<'_>,
    before: &str,
    after: &str,
) -> Result<bool, Failure> {
    let mut changed = false;
    for change in lines(before, after) {
        let (mark, part) = match change.kind {
            ChangeKind::Same => continue,
            ChangeKind::Removed => ("-", before.get(change.before.clone())),
            ChangeKind::Added => ("+", after.get(change.after.clone())),
        };
        changed = true;
        for line in part.unwrap_or_default().lines() {
            context.say(&format!("{mark} {}", crate::text::line(line)))?;
        }
    }
    Ok(changed)
}
