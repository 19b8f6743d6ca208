//! A second opinion's answer, read as objections. It can add one; it can never clear one.
//!
//! Knows the shape of the answer, not how the command is run. An answer that cannot be read is
//! none, and that there was none is said by an objection of its own.

use crate::domain::{Class, Finding, Severity, Span, Verdict};
use crate::gate::facts::Judgement;
use crate::gate::judge::{observe_all, put_in_order};
use crate::gate::policy::Policy;

/// The rule that speaks for the command.
const RULE: &str = "second_opinion";
/// The rule that says that the command did not.
const ABSENT: &str = "second_opinion_absent";
/// How many objections one answer may hold.
const MOST: usize = 32;
/// How long an explanation may be, in characters.
const LONGEST: usize = 400;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    findings: Vec<Objection>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Objection {
    class: Class,
    severity: Severity,
    #[serde(default)]
    span: Option<(usize, usize)>,
    explanation: String,
}

/// Reads `{"findings":[{"class","severity","span":[s,e],"explanation"}]}`.
///
/// # Errors
/// Anything else, with what is wrong with it.
pub fn read_opinion(bytes: &[u8], claim: &str) -> Result<Vec<Finding>, String> {
    let answer: Answer = serde_json::from_slice(bytes)
        .map_err(|error| format!("its answer cannot be read: {error}"))?;
    if answer.findings.len() > MOST {
        return Err(format!("its answer holds more than {MOST} findings"));
    }
    Ok(answer
        .findings
        .iter()
        .map(|objection| finding(objection, claim))
        .collect())
}

/// The objection that says that there was no second opinion.
#[must_use]
pub fn no_opinion(why: &str) -> Finding {
    let why: String = why.chars().take(LONGEST).collect();
    Finding::about(
        "second_opinion",
        ABSENT,
        Severity::Advisory,
        format!("the second opinion did not answer: {why}; the gate's own answer stands"),
    )
}

impl Judgement {
    /// The same with further objections: nothing that stood is taken away.
    // INVARIANT: (5, the gate only objects) the verdict can only rise.
    #[must_use]
    pub fn and(mut self, mut more: Vec<Finding>, policy: &Policy) -> Self {
        for (class, severity) in observe_all(&mut more, policy) {
            match self.observed.iter_mut().find(|(known, _)| *known == class) {
                Some((_, known)) => *known = severity.max(*known),
                None => self.observed.push((class, severity)),
            }
        }
        self.findings.append(&mut more);
        put_in_order(&mut self.findings);
        self.verdict = self.verdict.max(Verdict::of(&self.findings));
        self
    }
}

fn finding(objection: &Objection, claim: &str) -> Finding {
    let span = objection
        .span
        .filter(|(start, end)| start < end && claim.get(*start..*end).is_some())
        .map(|(start, end)| Span { start, end });
    Finding {
        rule: RULE.to_owned(),
        class: objection.class,
        severity: objection.severity,
        span,
        view: "raw".to_owned(),
        field: span.is_none().then(|| "claim".to_owned()),
        decoded: None,
        message: objection.explanation.chars().take(LONGEST).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{no_opinion, read_opinion};
    use crate::domain::{Class, Severity, Trust, Verdict};
    use crate::gate::cases::{acme, facts, held};
    use crate::gate::judge::judge;
    use crate::gate::policy::Policy;
    use proptest::prelude::*;

    #[test]
    fn an_answer_is_read_or_refused() {
        let one = r#"{"findings":[{"class":"bypass","severity":"quarantine","span":[0,4],"explanation":"no"}]}"#;
        let found = read_opinion(one.as_bytes(), "Skip it").unwrap();
        assert_eq!(
            (found[0].class, found[0].severity),
            (Class::Bypass, Severity::Quarantine)
        );
        assert_eq!(found[0].span.unwrap().range(), 0..4);
        let outside = one.replace("[0,4]", "[0,400]");
        assert_eq!(
            read_opinion(outside.as_bytes(), "Skip it").unwrap()[0].span,
            None
        );
        for bad in [
            "",
            "yes",
            "{}",
            r#"{"findings":[],"verdict":"clear"}"#,
            r#"{"findings":[{"class":"kindness","severity":"info","explanation":""}]}"#,
            r#"{"findings":[{"class":"bypass","severity":"clear","explanation":""}]}"#,
            "\u{0}",
        ] {
            assert!(read_opinion(bad.as_bytes(), "x").is_err(), "{bad}");
        }
        assert_eq!(no_opinion("it was late").severity, Severity::Advisory);
    }

    proptest! {
        /// Whatever it answers, everything the gate found still stands.
        #[test]
        fn a_second_opinion_never_clears(
            text in "(ignore|all|previous|instructions|refunds|take|five|days|approved| ){1,8}",
            answer in prop::collection::vec((prop::sample::select(Class::ALL), prop::sample::select(Severity::ALL), 0_usize..9), 0..4),
            absent in any::<bool>(),
        ) {
            let (policy, sources, scope) = (Policy::shipped().unwrap(), [held(Trust::Web, None)], acme());
            let before = judge(&facts(&text, &sources, &scope), &policy);
            let list: Vec<_> = answer.iter().map(|(class, severity, at)| serde_json::json!({
                "class": class, "severity": severity, "span": [at, at + 1], "explanation": "because",
            })).collect();
            let bytes = serde_json::json!({ "findings": list }).to_string();
            let more = if absent { vec![no_opinion("late")] } else { read_opinion(bytes.as_bytes(), &text).unwrap() };
            let heaviest = Verdict::of(&more);
            let after = before.clone().and(more, &policy);
            prop_assert_eq!(after.verdict, before.verdict.max(heaviest));
            prop_assert!(before.findings.iter().all(|finding| after.findings.contains(finding)));
            prop_assert_eq!((after.influence, after.trust, after.expires_at), (before.influence, before.trust, before.expires_at));
        }
    }
}
