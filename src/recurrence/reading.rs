//! A wording, read once for comparing: what is cheap at once, what is dear when first asked for.

use std::sync::{Arc, OnceLock};

use crate::recurrence::signature::Signature;
use crate::recurrence::stance::Stance;
use crate::recurrence::vectors::Vectors;

/// One wording as scores and guard read it. Made from the text alone: it can be thrown away and
/// made again.
#[derive(Debug, Clone)]
pub struct Reading {
    text: String,
    signature: Signature,
    stance: OnceLock<Stance>,
    direction: Option<Direction>,
}

/// Where a wording points in a table of vectors.
#[derive(Debug, Clone)]
pub(crate) struct Direction {
    pub(crate) vectors: Arc<Vectors>,
    pub(crate) numbers: Vec<f32>,
}

impl Reading {
    /// Reads a wording.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            signature: Signature::of(text),
            stance: OnceLock::new(),
            direction: None,
        }
    }

    /// Reads a wording, and where it points in a table of vectors.
    #[must_use]
    pub fn with(text: &str, vectors: Option<&Arc<Vectors>>) -> Self {
        let direction = vectors.and_then(|vectors| {
            Some(Direction {
                numbers: vectors.of(text)?,
                vectors: Arc::clone(vectors),
            })
        });
        Self {
            direction,
            ..Self::of(text)
        }
    }

    pub(crate) const fn direction(&self) -> Option<&Direction> {
        self.direction.as_ref()
    }

    /// Its text, as it was said.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) const fn signature(&self) -> &Signature {
        &self.signature
    }

    pub(crate) fn stance(&self) -> &Stance {
        self.stance
            .get_or_init(|| Stance::of(&self.text, &self.signature))
    }
}
