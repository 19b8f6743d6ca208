//! What speaks for and against a candidate, in full: objections, provenance, impact.

use crate::console::model::Model;
use crate::console::prose::{Mark, Paint};
use crate::console::theme::Ink;
use crate::console::views::page::Page;
use crate::console::views::parts::{self, severity_ink};
use crate::console::views::summary::{demands, seen};
use crate::console::words;
use crate::desk::view::CandidateView;
use crate::domain::Backing;

pub(crate) fn findings(page: &mut Page, view: &CandidateView) {
    let claim = &view.candidate.claim;
    if view.candidate.findings.is_empty() {
        page.text("The gate has nothing to object to. It can only object; whether it is so is yours to judge.", Ink::Dim, 0);
    }
    for finding in &view.candidate.findings {
        let ink = severity_ink(finding.severity);
        page.blank();
        page.text(
            &format!(
                "{} · {} · {}",
                finding.severity,
                words::spaced(finding.class.as_str()),
                finding.rule
            ),
            ink,
            0,
        );
        page.text(&finding.message, Ink::Text, 2);
        if let Some(words) = finding.span.and_then(|span| claim.get(span.range())) {
            page.quote(words, &[], "  │ ");
        }
        if let Some(decoded) = &finding.decoded {
            page.fact("  reads", decoded, Ink::Advisory);
        }
        if let Some(field) = &finding.field {
            page.fact("  field", field, Ink::Dim);
        }
    }
    if !view.unsupported.is_empty() {
        page.heading("Words that no source holds");
        let words = view
            .unsupported
            .iter()
            .filter_map(|span| claim.get(span.range()));
        page.text(&words.collect::<Vec<_>>().join(" · "), Ink::Unsupported, 2);
    }
}

pub(crate) fn provenance(page: &mut Page, view: &CandidateView, model: &Model) {
    let now = model.now.wall;
    page.fact(
        "trust",
        &format!(
            "{}: the lowest of its sources",
            words::spaced(view.candidate.trust.as_str())
        ),
        Ink::Text,
    );
    page.fact(
        "proposed",
        &format!(
            "by {} {}",
            view.candidate.proposer,
            words::ago(now, view.candidate.proposed_at)
        ),
        Ink::Text,
    );
    if view.candidate.support.users > 0 {
        page.fact("seen", &seen(view), Ink::Text);
    }
    for flag in &view.flags {
        page.fact("odd", flag, Ink::Advisory);
    }
    weighed(page, view);
    parts::evidence(page, &view.evidence, now);
    if !view.wordings.is_empty() {
        page.heading("Wordings");
        for wording in &view.wordings {
            page.fact(
                &format!("{}×", words::count(wording.count)),
                &wording.text,
                Ink::Text,
            );
        }
    }
    if !view.sightings.is_empty() {
        page.heading("Newest sightings");
    }
    for sighting in &view.sightings {
        let counts = match sighting.counts {
            Ok(()) => String::new(),
            Err(why) => format!(" · does not count: {why}"),
        };
        let who = format!(
            "{} · session {} · {}{counts}",
            sighting.user, sighting.session, sighting.trust
        );
        page.fact(&words::span(now.since(sighting.at)), &who, Ink::Dim);
        if sighting.text == view.candidate.claim {
            page.fact("", "in these words", Ink::Dim);
        } else {
            page.fact("", &sighting.text, Ink::Text);
        }
    }
}

/// What the sources make of the claim, and which of its words they do not back.
fn weighed(page: &mut Page, view: &CandidateView) {
    let Some(weighed) = &view.weighed else {
        return;
    };
    let ink = match weighed.backing {
        Backing::Supported => Ink::Text,
        Backing::Overstated | Backing::Unsupported => Ink::Advisory,
        Backing::Contradicted => Ink::Quarantine,
    };
    let answer = format!("{} · {}", weighed.backing.word(), weighed.because);
    page.fact("evidence", &answer, ink);
    if let Some(limits) = weighed.limits() {
        page.fact("", &limits, Ink::Advisory);
    }
    let words: Vec<&str> = view
        .unsupported
        .iter()
        .filter_map(|span| view.candidate.claim.get(span.range()))
        .collect();
    if !words.is_empty() {
        page.fact("not said", &words.join(" · "), Ink::Unsupported);
    }
}

pub(crate) fn impact(page: &mut Page, view: &CandidateView, model: &Model) {
    let c = &view.candidate;
    page.fact(
        "influence",
        &format!("{}: {}", c.influence, causes(c.influence)),
        Ink::Text,
    );
    page.fact(
        "ends",
        &format!(
            "{} · {}",
            c.expires_at.date(),
            words::ends(model.now.wall, c.expires_at)
        ),
        Ink::Text,
    );
    page.fact("needs", &people(view), Ink::Text);
    demands(page, view, model);
    page.heading("Who will be served it");
    if view.audience.is_empty() {
        page.text(
            "Its own layer, and those below it once there are any.",
            Ink::Dim,
            2,
        );
    }
    for one in &view.audience {
        let indent = u16::try_from(one.layer.depth()).unwrap_or(1) * 2;
        let sessions = match one.sessions {
            0 => "nobody served there lately".to_owned(),
            n => format!("{} served in 30 d", words::many(n, "session")),
        };
        page.text(
            &format!(
                "{} · {} now · {sessions}",
                one.layer,
                words::many(one.memories, "memory")
            ),
            Ink::Text,
            indent.min(16),
        );
    }
    page.heading("Nearest approved memories");
    if view.near.is_empty() {
        page.text("None says nearly the same.", Ink::Dim, 2);
    }
    for near in &view.near {
        let (how, ink) = words::nearness(near);
        page.fact(
            &near.memory.to_string(),
            &format!("{how} · {}", near.layer),
            ink,
        );
        let (removed, added) = crate::console::difference::words(&near.text, &c.claim);
        page.quote(&near.text, &marked(removed, Paint::Removed), "  - ");
        page.quote(&c.claim, &marked(added, Paint::Added), "  + ");
    }
    if !view.near.is_empty() {
        let key = model.keymap.hint(model.place(), "supersede");
        if !key.is_empty() {
            let says = format!("{key} approves it in the place of one of them");
            page.text(&says, Ink::Dim, 2);
        }
    }
    known(page, view);
}

fn marked(ranges: Vec<std::ops::Range<usize>>, paint: Paint) -> Vec<Mark> {
    let mark = |range| Mark {
        range,
        paint,
        label: String::new(),
    };
    ranges.into_iter().map(mark).collect()
}

/// How many people must sign, and who did: whether one more is another is for the desk to say.
fn people(view: &CandidateView) -> String {
    let needed = view.reviewers_needed as usize;
    let all = words::many(u64::from(view.reviewers_needed), "reviewer");
    if needed < 2 {
        return all;
    }
    let so_far: Vec<&str> = view
        .approvals
        .iter()
        .map(|one| one.reviewer.as_str())
        .collect();
    let left = needed.saturating_sub(so_far.len());
    if so_far.is_empty() {
        return format!("{all} with keys of their own; nobody approved it yet");
    }
    let who = so_far.join(", ");
    format!("{all} · {who} approved it · {left} more, another person with another key")
}

fn known(page: &mut Page, view: &CandidateView) {
    if view.known.is_empty() {
        return;
    }
    page.heading("Known when it was proposed");
    for known in &view.known {
        let ink = if known.relation.is_against() {
            Ink::Quarantine
        } else {
            Ink::Advisory
        };
        page.fact(&known.item, &words::spaced(known.relation.as_str()), ink);
        page.fact("", &known.why, Ink::Dim);
    }
}

const fn causes(influence: crate::domain::Influence) -> &'static str {
    use crate::domain::Influence as I;
    match influence {
        I::Style => "how an answer is worded",
        I::Answer => "what an answer says",
        I::Plan => "what an agent sets out to do",
        I::Action => "a target that an agent would act on",
        I::Authority => "a permission; never promoted",
    }
}
