//! Every visible message stands twice, side by side: as it was sent and as it was shown.

use crate::domain::Digest;
use crate::domain::digest::Hasher;
use crate::transcript::message::Speaker;
use crate::transcript::wrappers::Piece;

/// Which of the two a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Sent,
    Shown,
}

/// The message just given, while its copy may follow.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    last: Option<(Side, Digest)>,
}

impl Pairs {
    /// The pieces that are not the copy of what was just given from the other side.
    pub(super) fn first<'t>(&mut self, side: Side, mut pieces: Vec<Piece<'t>>) -> Vec<Piece<'t>> {
        let Some(words) = words(&pieces) else {
            return pieces;
        };
        let other = self.last.take();
        if other.is_some_and(|(last, said)| last != side && said == words) {
            pieces.retain(|(speaker, _)| *speaker == Speaker::Harness);
            return pieces;
        }
        self.last = Some((side, words));
        pieces
    }

    /// Something stands between: the same words after it are another message.
    pub(super) const fn apart(&mut self) {
        self.last = None;
    }
}

/// What is said in the pieces beside what a harness wrote; none where that is all.
fn words(pieces: &[Piece<'_>]) -> Option<Digest> {
    let mut said = pieces
        .iter()
        .filter(|(speaker, _)| *speaker != Speaker::Harness)
        .peekable();
    said.peek()?;
    let mut hasher = Hasher::default();
    for (speaker, text) in said {
        hasher.part(format!("{speaker:?}").as_bytes());
        hasher.part(text.as_bytes());
    }
    Some(hasher.finish())
}
