//! A wording, read once for comparing: what is cheap at once, what is dear when first asked for.

use std::sync::OnceLock;

use crate::recurrence::signature::Signature;
use crate::recurrence::stance::Stance;

/// One wording as scores and guard read it. Made from the text alone: it can be thrown away and
/// made again.
#[derive(Debug, Clone)]
pub struct Reading {
    text: String,
    signature: Signature,
    stance: OnceLock<Stance>,
}

impl Reading {
    /// Reads a wording.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            signature: Signature::of(text),
            stance: OnceLock::new(),
        }
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
