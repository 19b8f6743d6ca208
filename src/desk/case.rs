//! A candidate that people looked at, as a case of the policy's tests: what was confirmed must stay
//! held, what was let through must pass. Secrets are starred out, as everywhere.

use crate::desk::view::CandidateView;
use crate::desk::{Desk, DeskError};
use crate::domain::candidate::CandidateState;
use crate::domain::{Act, CandidateId, Severity, Verdict};

impl Desk {
    /// A candidate as the text of a case file, with everything hidden escaped.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn policy_case(&self, id: CandidateId) -> Result<String, DeskError> {
        Ok(case_of(&self.candidate(id)?))
    }
}

fn case_of(view: &CandidateView) -> String {
    let candidate = &view.candidate;
    let verdict = wanted(view);
    let rules: Vec<String> = match verdict {
        Verdict::Quarantine => candidate
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Quarantine && finding.span.is_some())
            .map(|finding| quoted(&finding.rule))
            .collect(),
        Verdict::Clear | Verdict::Advisory => Vec::new(),
    };
    let decided = candidate
        .outcome
        .as_ref()
        .map(|outcome| format!(", {} by {}", outcome.act, outcome.by));
    let mut lines = vec![
        format!(
            "# {} of {}{}",
            candidate.id,
            candidate.scope.layer,
            crate::text::line(&decided.unwrap_or_default())
        ),
        "[[case]]".to_owned(),
        format!("id = {}", quoted(&candidate.id.to_string())),
        format!("text = {}", quoted(&candidate.claim)),
        format!("verdict = \"{verdict}\""),
        format!("kind = \"{}\"", candidate.kind),
        format!("trust = \"{}\"", candidate.trust),
    ];
    if !rules.is_empty() {
        lines.push(format!("rules = [{}]", rules.join(", ")));
    }
    lines.join("\n")
}

/// What the gate shall say from now on: people's word where they gave one, else what it says now.
fn wanted(view: &CandidateView) -> Verdict {
    let candidate = &view.candidate;
    match (
        candidate.state,
        candidate.outcome.as_ref().map(|outcome| outcome.act),
    ) {
        (CandidateState::Rejected, Some(Act::Confirm)) => Verdict::Quarantine,
        (CandidateState::Approved, _) | (CandidateState::Pending, Some(Act::Release)) => {
            candidate.verdict.min(Verdict::Advisory)
        }
        _ => candidate.verdict,
    }
}

/// A basic TOML string, with everything hidden escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if crate::text::is_drawn(c) => out.push(c),
            c => out.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    out.push('"');
    out
}
