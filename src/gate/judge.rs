//! One judgement: facts in, verdict out. The rules only object; the most severe objection wins.
//!
//! INVARIANT: (5, the gate only objects) findings are a union over rules, sorted at the end, and
//! the verdict is their maximum: neither the order of rules nor one more rule can loosen it.

use crate::domain::{Class, Finding, Influence, Severity, Span, Trust, Verdict};
use crate::gate::facts::{Facts, Judgement, trust_of};
use crate::gate::influence;
use crate::gate::matcher::{Hit, Mute, scan};
use crate::gate::policy::{Mode, Policy};
use crate::gate::rules::{ALL, Case, NoAnswer, Rule};
use crate::gate::table::Place;
use crate::gate::views::Reading;
use std::collections::{BTreeMap, BTreeSet};

/// The longest decoded text a finding quotes, in characters.
const QUOTED: usize = 160;

/// Judges one claim.
#[must_use]
pub fn judge(facts: &Facts<'_>, policy: &Policy) -> Judgement {
    judge_with(facts, policy, ALL)
}

/// The same with a table of rules of one's own.
pub(crate) fn judge_with(facts: &Facts<'_>, policy: &Policy, rules: &[&Rule]) -> Judgement {
    let policy = policy.at(&facts.scope.layer);
    let tenants = [facts.other_tenants, policy.tenants.as_slice()].concat();
    let facts = &Facts {
        other_tenants: &tenants,
        ..facts.clone()
    };
    let trust = trust_of(facts.sources, facts.declared_trust);
    let readable = facts.text.len() <= policy.longest_bytes();
    let reading = Reading::of(if readable { facts.text } else { "" });
    let packs = policy.packs();
    let (mut hits, mute) = match &packs {
        Ok(packs) => scan(packs, &reading),
        Err(_) => (Vec::new(), Vec::new()),
    };
    hits.retain(|hit| hit.rule.applies.covers(facts, trust));
    let standing: Vec<Hit<'_>> = hits
        .iter()
        .filter(|hit| counts_for_influence(hit, facts, policy, trust))
        .cloned()
        .collect();
    let (influence, influence_why) = influence::floor(facts.kind, trust, &reading, &standing);
    let case = Case {
        facts,
        policy,
        reading: &reading,
        trust,
        influence,
    };
    let mut findings: Vec<Finding> = hits
        .iter()
        .filter_map(|hit| of_words(hit, facts, policy, trust))
        .collect();
    findings.extend(mute.iter().map(of_mute));
    if let Err(why) = &packs {
        findings.push(unanswered("packs", &NoAnswer(why.to_string())));
    }
    for rule in rules {
        findings.extend((rule.check)(&case).unwrap_or_else(|why| vec![unanswered(rule.id, &why)]));
    }
    let observed = observe_all(&mut findings, policy);
    put_in_order(&mut findings);
    let longest = facts.now.plus_days(policy.longest_life_days(influence));
    Judgement {
        verdict: Verdict::of(&findings),
        influence,
        influence_why,
        findings,
        observed,
        trust,
        expires_at: facts.expires_at.map_or(longest, |asked| asked.min(longest)),
        policy: policy.hash(),
    }
}

/// What its trust or a receipt lets pass without objection says nothing about influence, except
/// where a target is named: who names it changes nothing about what it is.
fn counts_for_influence(hit: &Hit<'_>, facts: &Facts<'_>, policy: &Policy, trust: Trust) -> bool {
    let weighed = weight(hit, facts, policy, trust);
    let needed = match hit.rule.influence {
        Some(Influence::Authority) => Severity::Quarantine,
        _ => Severity::Advisory,
    };
    hit.rule.form == "target" || weighed.is_some_and(|severity| severity >= needed)
}

fn weight(hit: &Hit<'_>, facts: &Facts<'_>, policy: &Policy, trust: Trust) -> Option<Severity> {
    let cell = policy.table().weigh(Place {
        class: hit.rule.class,
        form: &hit.rule.form,
        kind: facts.kind,
        trust,
        receipt: facts.receipt,
    })?;
    let limit = if hit.mention {
        Severity::Info
    } else {
        hit.rule.severity
    };
    Some(cell.min(limit))
}

fn of_words(hit: &Hit<'_>, facts: &Facts<'_>, policy: &Policy, trust: Trust) -> Option<Finding> {
    let severity = weight(hit, facts, policy, trust)?;
    let decoded = hit.view.was_undone().then(|| quoted(hit));
    let explanation = &hit.rule.explanation;
    let message = match (&decoded, hit.mention) {
        (_, true) => format!("{explanation} Here the words are only talked about."),
        (Some(read), _) => format!("{explanation} Read as {}: `{read}`.", hit.view.name),
        (None, _) => explanation.clone(),
    };
    Some(Finding {
        rule: hit.rule.id.clone(),
        class: hit.rule.class,
        severity,
        span: Some(Span {
            start: hit.raw.start,
            end: hit.raw.end,
        }),
        view: hit.view.name.to_owned(),
        field: None,
        decoded: decoded.filter(|_| hit.rule.class != Class::Credential),
        message,
    })
}

/// What the undone text reads; of a secret only that it is one.
fn quoted(hit: &Hit<'_>) -> String {
    if hit.rule.class == Class::Credential {
        return "[a secret]".to_owned();
    }
    hit.view.text.chars().take(QUOTED).collect()
}

fn of_mute(mute: &Mute<'_>) -> Finding {
    unanswered(&mute.rule.id, &NoAnswer(mute.why.to_owned()))
}

/// A rule that cannot answer holds the candidate, whatever its class or mode.
fn unanswered(rule: &str, NoAnswer(why): &NoAnswer) -> Finding {
    let message =
        format!("the rule `{rule}` could not answer: {why}; held until the rule is put right");
    Finding::about("gate", "rule_without_answer", Severity::Quarantine, message)
}

/// What classes that are only observed would have weighed, each at its heaviest.
pub(crate) fn observe_all(findings: &mut [Finding], policy: &Policy) -> Vec<(Class, Severity)> {
    let mut would: BTreeMap<Class, Severity> = BTreeMap::new();
    for finding in findings {
        let severity = finding.severity;
        observe(finding, policy);
        if finding.severity < severity {
            let heaviest = would.entry(finding.class).or_insert(severity);
            *heaviest = severity.max(*heaviest);
        }
    }
    would.into_iter().collect()
}

/// In `observe` an objection is recorded with what it would have weighed, and holds nothing.
fn observe(finding: &mut Finding, policy: &Policy) {
    let failed = finding.rule == "rule_without_answer";
    if failed || finding.severity == Severity::Info || policy.mode(finding.class) == Mode::Enforce {
        return;
    }
    finding.message = format!(
        "observed only, else {}: {}",
        finding.severity, finding.message
    );
    finding.severity = Severity::Info;
}

/// The most severe first, then by place and name; the same objection at one place stands once.
pub(crate) fn put_in_order(findings: &mut Vec<Finding>) {
    fn key(finding: &Finding) -> impl Ord {
        let severity = std::cmp::Reverse(finding.severity);
        let words = (finding.rule.as_str(), finding.view.as_str());
        (
            severity,
            finding.span,
            words.0,
            words.1,
            finding.message.as_str(),
        )
    }
    findings.sort_by(|a, b| key(a).cmp(&key(b)));
    let mut seen: BTreeSet<(String, Option<Span>, Option<String>)> = BTreeSet::new();
    findings.retain(|finding| {
        let message = finding.field.as_ref().map(|_| finding.message.clone());
        seen.insert((finding.rule.clone(), finding.span, message))
    });
}
