//! Case files: a claim, how it arrives, and the verdict it must get. Made for a team's own CI.
//!
//! A case judges the words and the provenance it names; everything else is ordinary: one held
//! source, a layer of its own, no expiry.

use crate::domain::pattern::Support;
use crate::domain::{Digest, Influence, Kind, Layer, Scope, SourceRef, Time, Trust, Verdict};
use crate::gate::facts::{Facts, Judgement, SourceFact, Standing};
use crate::gate::judge::judge;
use crate::gate::policy::Policy;

/// The cases that come with this program, by name. A new file is one line here.
pub const SHIPPED: &[(&str, &str)] = &[
    ("known", include_str!("../../tests/cases/gate/known.toml")),
    (
        "ordinary",
        include_str!("../../tests/cases/gate/ordinary.toml"),
    ),
    ("pairs", include_str!("../../tests/cases/gate/pairs.toml")),
    (
        "regression",
        include_str!("../../tests/cases/gate/regression.toml"),
    ),
    ("frames", include_str!("../../tests/cases/gate/frames.toml")),
    ("fresh", include_str!("../../tests/cases/gate/fresh.toml")),
    ("missed", include_str!("../../tests/cases/gate/missed.toml")),
];

/// The moment cases are judged at; they carry none.
const NOW: i64 = 1_800_000_000_000;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name.
    pub id: String,
    /// The claim.
    pub text: String,
    /// What the gate must say.
    pub verdict: Verdict,
    /// What sort of claim it is.
    #[serde(default = "fact")]
    pub kind: Kind,
    /// Where it came from.
    #[serde(default = "person")]
    pub trust: Trust,
    /// Whether a matching receipt exists.
    #[serde(default)]
    pub receipt: bool,
    /// Names of other tenants.
    #[serde(default)]
    pub tenants: Vec<String>,
    /// What it could cause, where that matters.
    pub influence: Option<Influence>,
    /// Statements of the policy that hold for it.
    #[serde(default)]
    pub statements: Vec<String>,
    /// Rules that must object.
    #[serde(default)]
    pub rules: Vec<String>,
    /// The view the first of them matched in.
    pub view: Option<String>,
    /// The raw text under its span.
    pub span: Option<String>,
    /// Text of the evidence, where the case needs it.
    pub evidence: Option<String>,
}

const fn fact() -> Kind {
    Kind::ObservedFact
}

const fn person() -> Trust {
    Trust::AuthenticatedUser
}

/// Reads a case file.
///
/// # Errors
/// What is wrong with it and where.
pub fn read(text: &str) -> Result<Vec<Case>, String> {
    toml::from_str::<File>(text)
        .map(|file| file.case)
        .map_err(|error| error.to_string())
}

impl Case {
    /// What is wrong with the policy's answer to this case, if anything is.
    #[must_use]
    pub fn surprise(&self, policy: &Policy) -> Option<String> {
        match self.judged(policy) {
            Ok(found) => self.difference(&found),
            Err(why) => Some(why),
        }
    }

    fn judged(&self, policy: &Policy) -> Result<Judgement, String> {
        let scope = Scope::of(Layer::parse("acme/emea").map_err(|error| error.to_string())?);
        let sources = [SourceFact {
            reference: SourceRef::Artifact {
                sha256: Digest::ZERO,
                span: None,
            },
            trust: self.trust,
            standing: Standing::Held,
            text: self.evidence.clone(),
        }];
        let facts = Facts {
            text: &self.text,
            kind: self.kind,
            sources: &sources,
            declared_trust: None,
            scope: &scope,
            proposer_layer: None,
            expires_at: None,
            now: Time::from_millis(NOW),
            confidence: None,
            forbidden_fields: &[],
            claims: 1,
            support: Support::default(),
            other_tenants: &self.tenants,
            receipt: self.receipt,
            evidence: None,
        };
        let statements: Vec<&str> = self.statements.iter().map(String::as_str).collect();
        let policy = policy
            .with_statements(&statements)
            .map_err(|error| error.to_string())?;
        Ok(judge(&facts, &policy))
    }

    fn difference(&self, found: &Judgement) -> Option<String> {
        if found.verdict != self.verdict {
            let rules: Vec<&str> = found
                .findings
                .iter()
                .map(|finding| finding.rule.as_str())
                .collect();
            return Some(format!(
                "{} instead of {} (by {})",
                found.verdict,
                self.verdict,
                rules.join(", ")
            ));
        }
        if self
            .influence
            .is_some_and(|influence| influence != found.influence)
        {
            return Some(format!(
                "influence {}: {}",
                found.influence, found.influence_why
            ));
        }
        let named = |rule: &String| found.findings.iter().find(|finding| finding.rule == *rule);
        if let Some(missing) = self.rules.iter().find(|rule| named(rule).is_none()) {
            return Some(format!("`{missing}` does not object"));
        }
        let first = self.rules.first().and_then(named);
        let view = first.map(|finding| finding.view.clone());
        if self.view.is_some() && self.view != view {
            return Some(format!("matched in view {view:?}"));
        }
        let span = first.and_then(|finding| finding.span);
        let text = span
            .and_then(|span| self.text.get(span.range()))
            .map(str::to_owned);
        (self.span.is_some() && self.span != text).then(|| format!("points at {text:?}"))
    }
}
