//! `policy case`: turns a candidate that people looked at into a case file of one's own.
//!
//! A case keeps what was learned: what was confirmed must stay held, what was let through must
//! pass. Secrets are starred out, as everywhere.

use crate::cli::Answer;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::desk::view::CandidateView;
use crate::domain::candidate::CandidateState;
use crate::domain::{Act, CandidateId, Severity, Verdict};
use clap::ArgMatches;

pub(in crate::cli) fn run(
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let id = CandidateId::parse(arguments.get_one::<String>("id").map_or("", String::as_str))?;
    let view = context.desk()?.candidate(id)?;
    let verdict = wanted(&view);
    let candidate = &view.candidate;
    let holding = |severity| {
        candidate
            .findings
            .iter()
            .filter(move |finding| finding.severity == severity)
    };
    let rules: Vec<String> = match verdict {
        Verdict::Quarantine => holding(Severity::Quarantine)
            .filter(|finding| finding.span.is_some())
            .map(|finding| quoted(&finding.rule))
            .collect(),
        Verdict::Clear | Verdict::Advisory => Vec::new(),
    };
    let decided = candidate
        .outcome
        .as_ref()
        .map(|outcome| format!(", {} by {}", outcome.act, outcome.by));
    context.say(&format!(
        "# {id} of {}{}",
        candidate.scope.layer,
        crate::text::line(&decided.unwrap_or_default())
    ))?;
    context.say("[[case]]")?;
    context.say(&format!("id = {}", quoted(&id.to_string())))?;
    context.say(&format!("text = {}", quoted(&candidate.claim)))?;
    context.say(&format!("verdict = \"{verdict}\""))?;
    context.say(&format!("kind = \"{}\"", candidate.kind))?;
    context.say(&format!("trust = \"{}\"", candidate.trust))?;
    if !rules.is_empty() {
        context.say(&format!("rules = [{}]", rules.join(", ")))?;
    }
    Ok(Answer::Yes)
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
