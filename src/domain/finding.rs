//! Objections of the gate, and the verdict they add up to.

use crate::domain::word::words;

words! {
    /// What the gate answers: the most severe finding wins.
    Verdict as "verdict" {
        /// No objection.
        Clear = 0 "clear",
        /// Shown to the reviewer, keeps nothing back.
        Advisory = 1 "advisory",
        /// Kept apart until security has looked.
        Quarantine = 2 "quarantine",
    }
}

words! {
    /// How much one finding weighs.
    Severity as "severity" {
        /// Worth knowing.
        Info = 0 "info",
        /// Worth a second look.
        Advisory = 1 "advisory",
        /// Holds the candidate back.
        Quarantine = 2 "quarantine",
    }
}

words! {
    /// What sort of objection it is.
    Class as "class" {
        /// Imperatives aimed at the agent.
        Instruction = 0 "instruction",
        /// What outranks what.
        Priority = 1 "priority",
        /// Skips review, tests, approval or confirmation.
        Bypass = 2 "bypass",
        /// System prompts and hidden policy.
        HiddenRules = 3 "hidden_rules",
        /// Do not tell, do not log.
        Concealment = 4 "concealment",
        /// Claims that something was approved, deployed or paid, without a receipt.
        Authority = 5 "authority",
        /// Argues that a safeguard is unneeded.
        WeakenedControl = 6 "weakened_control",
        /// Sends, uploads or links data out.
        Exfiltration = 7 "exfiltration",
        /// Changes accounts, recipients, amounts, endpoints or branches.
        ActionAlteration = 8 "action_alteration",
        /// A secret value.
        Credential = 9 "credential",
        /// Another tenant's identifiers.
        ForeignTenant = 10 "foreign_tenant",
        /// Contradicts an immutable policy statement.
        PolicyConflict = 11 "policy_conflict",
        /// Bidi, zero-width, tags, confusables.
        InvisibleText = 12 "invisible_text",
        /// Pipeline artefacts and recall echoes.
        Echo = 13 "echo",
        /// Sources, trust, expiry, scope and fields.
        Structure = 14 "structure",
    }
}

/// A range of bytes in the raw text.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The range this span covers.
    #[must_use]
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}

/// One objection of one rule.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Finding {
    /// The rule that objects, named for what it flags.
    pub rule: String,
    /// What sort of objection it is.
    pub class: Class,
    /// How much it weighs.
    pub severity: Severity,
    /// The bytes of the raw claim it points at; none for a finding about a field.
    #[serde(default)]
    pub span: Option<Span>,
    /// The view of the text that matched, `raw` where nothing had to be undone.
    pub view: String,
    /// The field it is about, for findings about structure.
    #[serde(default)]
    pub field: Option<String>,
    /// What the hidden text reads, where it had to be decoded.
    #[serde(default)]
    pub decoded: Option<String>,
    /// One sentence: what it objects to and what would satisfy it.
    pub message: String,
}

impl Finding {
    /// An objection to a field rather than to words.
    #[must_use]
    pub fn about(field: &str, rule: &str, severity: Severity, message: String) -> Self {
        Self {
            rule: rule.to_owned(),
            class: Class::Structure,
            severity,
            span: None,
            view: "structure".to_owned(),
            field: Some(field.to_owned()),
            decoded: None,
            message,
        }
    }
}

impl Verdict {
    /// The verdict these findings add up to.
    #[must_use]
    pub fn of(findings: &[Finding]) -> Self {
        match findings.iter().map(|finding| finding.severity).max() {
            None | Some(Severity::Info) => Self::Clear,
            Some(Severity::Advisory) => Self::Advisory,
            Some(Severity::Quarantine) => Self::Quarantine,
        }
    }
}
