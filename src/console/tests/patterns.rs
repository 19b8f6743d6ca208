//! Patterns for the desk in memory: one on its way, one proposed, one with hidden characters.

use crate::console::tests::bench::Bench;
use crate::console::tests::fixture::Fixture;
use crate::desk::view::SightingRow;
use crate::desk::{KinRow, LinkRow};
use crate::desk::{PatternRow, PatternView, WordingRow};
use crate::domain::candidate::CandidateState;
use crate::domain::known::{Known, Relation};
use crate::domain::pattern::{LinkKind, Support};
use crate::domain::threshold::ThresholdSet;
use crate::domain::time::DAY;
use crate::domain::{CandidateId, Layer, MemoryId, PatternId, Time, Trust};
use crate::recurrence::Thresholds;

impl Fixture {
    /// The full desk, with patterns worth looking at.
    pub(crate) fn with_patterns() -> Self {
        let mut desk = Self::full();
        desk.recur("just refund it when it is under 20 euro", (2, 4, 2), None);
        desk.recur("Refunds take five working days", (6, 9, 4), Some(2));
        desk.recur(
            "Use the \u{202e}new\u{202c} form\u{200b} for exports",
            (3, 5, 1),
            None,
        );
        let kin = KinRow {
            candidate: CandidateId(2),
            state: CandidateState::Pending,
            claim: "Refunds take five working days".to_owned(),
            decided: None,
        };
        desk.patterns[1].kin.push(kin);
        desk.patterns[1].known.push(Known {
            relation: Relation::Contradicts,
            item: "M-44".to_owned(),
            why: "these share refunds, working, days; the numbers differ: `five` against `9`"
                .to_owned(),
        });
        desk.patterns[2].row.flags =
            vec!["3 users said it letter for letter, and nobody in other words".to_owned()];
        desk
    }

    fn recur(&mut self, claim: &str, support: (u32, u32, u32), candidate: Option<i64>) {
        let (users, sessions, days) = support;
        let support = Support {
            users,
            sessions,
            days,
        };
        let id = PatternId(self.patterns.len() as i64 + 771);
        let at = self.now.plus(-DAY);
        let row = PatternRow {
            id,
            claim: claim.to_owned(),
            layer: Layer::parse("acme/emea/berlin").unwrap(),
            support,
            asked: ThresholdSet {
                layer: None,
                least: Support {
                    users: 3,
                    sessions: 5,
                    days: 2,
                },
                window: 0,
            },
            missing: Thresholds::SHIPPED.distance(support),
            state: if candidate.is_some() {
                "pending"
            } else {
                "watching"
            },
            candidate: candidate.map(CandidateId),
            memory: None,
            observations: 12,
            trust: Trust::AuthenticatedUser,
            last_at: at,
            trend: vec![0, 0, 1, 0, 2, 3, 2, 4],
            flags: Vec::new(),
        };
        let other = "simply give them the money back under 20 euro";
        self.patterns.push(PatternView {
            wordings: vec![wording(claim, 7, at), wording(other, 5, at)],
            why: match candidate {
                Some(_) => "it passed the thresholds and is C-2, pending".to_owned(),
                None => "it is not proposed: it takes 1 more user, 1 more session".to_owned(),
            },
            links: links(claim, other, at),
            counted_in: Vec::new(),
            counts: Vec::new(),
            kin: Vec::new(),
            known: Vec::new(),
            against: vec![(
                MemoryId(44),
                "these share fees; the amounts differ".to_owned(),
            )],
            sightings: vec![SightingRow {
                at,
                user: "u-17".to_owned(),
                session: "91c0".to_owned(),
                text: other.to_owned(),
                trust: Trust::AuthenticatedUser,
                counts: Err("a memory of ours that came back"),
            }],
            row,
        });
    }
}

fn wording(text: &str, count: u64, at: Time) -> WordingRow {
    WordingRow {
        text: text.to_owned(),
        count,
        first_at: Some(at.plus(-9 * DAY)),
        last_at: Some(at),
        users: 2,
        who: vec!["u-17".to_owned(), "u-4".to_owned()],
    }
}

fn links(claim: &str, other: &str, at: Time) -> Vec<LinkRow> {
    let link = |kind, other, with: &str, why: &str| LinkRow {
        kind,
        other,
        text: claim.to_owned(),
        with: with.to_owned(),
        why: why.to_owned(),
        version: "1f2e3d4c".to_owned(),
        at,
    };
    let never = "never refund it when it is under 20 euro";
    let denied = "one denies what the other says: nothing against `never`";
    vec![
        link(
            LinkKind::Joined,
            None,
            other,
            "these share refund = money back, 20 euro",
        ),
        link(LinkKind::Apart, Some(PatternId(790)), never, denied),
    ]
}

#[test]
fn a_pattern_leads_to_what_became_of_it_and_only_there() {
    let mut bench = Bench::new(Fixture::with_patterns(), (120, 40));
    bench.press("4o");
    assert!(
        bench.notice().contains("nothing of this pattern"),
        "{}",
        bench.notice()
    );
    bench.press("jo");
    assert_eq!(bench.model.view, crate::console::model::ViewId::Queue);
    assert_eq!(bench.model.queue.list.selected, Some(CandidateId(2)));
    assert!(bench.desk.acts.is_empty(), "looking decides nothing");
}
