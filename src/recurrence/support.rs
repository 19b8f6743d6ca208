//! Which sightings count, and how many independent sources they add up to.
//!
//! Repetition is no corroboration: one user is one vote, an echo or a copy adds nothing, and
//! sessions and days are counted over the sightings that count only.

use std::collections::BTreeSet;

use crate::domain::Trust;
use crate::domain::observation::{Origin, Sighting};
use crate::domain::pattern::Support;

/// Whether a sighting of this origin and trust adds support: said directly, by a user or a tool of
/// one's own. A recalled memory, a copy, a page and a model's words never do.
#[must_use]
pub const fn counts(origin: Origin, trust: Trust) -> bool {
    matches!(origin, Origin::Direct) && trust.supports()
}

/// What a group of sightings adds up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// The independent sources.
    pub support: Support,
    /// How many sightings there are.
    pub observations: u64,
    /// How many of them count.
    pub counted: u64,
    /// The lowest trust among those that count; among all, where none does.
    pub trust: Trust,
}

/// Counts a group of sightings; their order makes no difference.
#[must_use]
pub fn tally<'a>(sightings: impl IntoIterator<Item = &'a Sighting>) -> Tally {
    let (mut users, mut sessions, mut days) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut counting, mut all) = (Vec::new(), Vec::new());
    for sighting in sightings {
        all.push(sighting.trust);
        if !counts(sighting.origin, sighting.trust) {
            continue;
        }
        counting.push(sighting.trust);
        users.insert(&sighting.user);
        sessions.insert(&sighting.session);
        days.insert(sighting.at.day());
    }
    let relevant = if counting.is_empty() { &all } else { &counting };
    Tally {
        support: Support {
            users: small(users.len()),
            sessions: small(sessions.len()),
            days: small(days.len()),
        },
        observations: all.len() as u64,
        counted: counting.len() as u64,
        trust: Trust::lowest(relevant.iter().copied()),
    }
}

fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{counts, tally};
    use crate::domain::observation::{Origin, Sighting};
    use crate::domain::pattern::Support;
    use crate::domain::{Layer, SessionId, Time, Trust, UserId};
    use crate::recurrence::{Thresholds, fingerprint};

    fn said(user: &str, session: &str, day: i64, text: &str) -> Sighting {
        Sighting {
            text: text.to_owned(),
            layer: Layer::parse("acme").unwrap(),
            user: UserId::parse(user).unwrap(),
            session: SessionId::parse(session).unwrap(),
            source: None,
            trust: Trust::AuthenticatedUser,
            at: Time::from_millis(0).plus_days(day),
            origin: Origin::Direct,
            key: None,
            artifact: None,
        }
    }

    fn check(sightings: &[Sighting], users: u32, sessions: u32, days: u32) {
        let expected = Support {
            users,
            sessions,
            days,
        };
        assert_eq!(tally(sightings).support, expected);
        assert_eq!(tally(sightings.iter().rev()), tally(sightings));
    }

    #[test]
    fn only_what_a_user_or_an_own_tool_said_directly_counts() {
        assert!(counts(Origin::Direct, Trust::AuthenticatedUser));
        assert!(counts(Origin::Direct, Trust::Tool));
        for trust in Trust::ALL {
            assert!(!counts(Origin::Recall, *trust));
            assert!(!counts(Origin::Derived, *trust));
        }
        assert!(!counts(Origin::Direct, Trust::Web));
        assert!(!counts(Origin::Direct, Trust::Model));
    }

    /// One line observed 40 times, 39 of them recalled and said again: one observation.
    #[test]
    fn m1_recall_echoes_never_add_support() {
        let mut sightings = vec![said("u1", "s1", 0, "Late fees are waived")];
        for n in 0..39 {
            let mut echo = said(
                &format!("e{n}"),
                &format!("t{n}"),
                n,
                "Late fees are waived",
            );
            echo.origin = Origin::Recall;
            sightings.push(echo);
        }
        check(&sightings, 1, 1, 1);
        assert_eq!(tally(&sightings).counted, 1);
        assert_eq!(tally(&sightings).observations, 40);
    }

    /// Agreement of people counts, not equal wording: one user nine times is one vote. Gathering
    /// the three wordings into one pattern is the grouping's work; here they are one group.
    #[test]
    fn m2_three_people_are_three_votes_and_one_person_nine_times_is_one() {
        let people = [
            said("u1", "s1", 0, "card late"),
            said("u2", "s2", 1, "card hasn't come"),
            said("u3", "s3", 1, "still no card"),
        ];
        check(&people, 3, 3, 2);
        let nine: Vec<_> = (0..9)
            .map(|n| said("u1", &format!("s{n}"), n, "card late"))
            .collect();
        check(&nine, 1, 9, 9);
        assert!(!Thresholds::SHIPPED.passes(tally(&nine).support));
    }

    /// One ticket, summarised five times by an agent: repetition is no corroboration.
    #[test]
    fn m3_summaries_of_one_ticket_are_one_origin() {
        let text = "The customer wants refunds in 5 days";
        let mut sightings = vec![said("u1", "s1", 0, text)];
        for n in 0..5 {
            let mut summary = said(&format!("a{n}"), &format!("t{n}"), n, text);
            summary.origin = if n % 2 == 0 {
                Origin::Derived
            } else {
                Origin::Direct
            };
            summary.trust = Trust::Model;
            sightings.push(summary);
        }
        check(&sightings, 1, 1, 1);
        let summaries = &sightings[1..];
        check(summaries, 0, 0, 0);
        assert_eq!(tally(summaries).trust, Trust::Model);
        assert!(
            sightings
                .iter()
                .all(|s| fingerprint(&s.text) == fingerprint(text))
        );
    }

    #[test]
    fn trust_is_the_lowest_among_those_that_count() {
        let mut sightings = [said("u1", "s1", 0, "x"), said("u2", "s2", 0, "x")];
        sightings[1].trust = Trust::Tool;
        assert_eq!(tally(&sightings).trust, Trust::Tool);
        sightings[1].trust = Trust::Web;
        assert_eq!(tally(&sightings).trust, Trust::AuthenticatedUser);
        assert_eq!(tally(&[]).trust, Trust::Model);
    }
}
