//! Support that looks made rather than grown: shown as suspicious, never dropped in silence.
//!
//! People paraphrase, on different days, from sessions of their own. Many new people within minutes,
//! the same bytes from many mouths, sessions that all start at once: one hand may hold them all.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{Digest, SessionId, Time, UserId};

/// One sighting that counts, as far as this room needs to know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Who.
    pub user: UserId,
    /// In which session.
    pub session: SessionId,
    /// When that session began.
    pub session_began: Time,
    /// When the user was first seen at all.
    pub user_first_seen: Time,
    /// When it was said.
    pub at: Time,
    /// The exact bytes.
    pub bytes: Digest,
}

/// What is suspicious about a pattern's support.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// So many users who were never seen before said it within a few minutes.
    NewUsersAtOnce {
        /// How many.
        users: u32,
    },
    /// So many users said it byte for byte, and nobody in other words.
    SameBytes {
        /// How many.
        users: u32,
    },
    /// So many sessions of different users began in the same seconds.
    SessionsBeganTogether {
        /// How many.
        sessions: u32,
    },
    /// One user said it in so many sessions that most of the sessions are theirs.
    OneUserManySessions {
        /// How many.
        sessions: u32,
    },
}

/// From how many on it is suspicious, and how close together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suspicion {
    /// How many make a crowd.
    pub crowd: u32,
    /// Within how many milliseconds new users are at once.
    pub at_once: i64,
    /// Within how many milliseconds sessions begin together.
    pub together: i64,
    /// In how many sessions one user is most likely a machine.
    pub sessions_of_one: u32,
}

impl Suspicion {
    /// As shipped: three people, ten minutes, five seconds, five sessions.
    pub const SHIPPED: Self = Self {
        crowd: 3,
        at_once: 600_000,
        together: 5_000,
        sessions_of_one: 5,
    };
}

/// Everything suspicious about these sightings of one pattern; their order makes no difference.
#[must_use]
pub fn flags(seen: &[Seen], suspicion: Suspicion) -> Vec<Flag> {
    let mut flags = Vec::new();
    let new = first_times(
        seen.iter()
            .filter(|one| {
                one.at.millis().saturating_sub(one.user_first_seen.millis()) <= suspicion.at_once
            })
            .map(|one| (one.user.clone(), one.at.millis())),
    );
    let users = crowd(&new, suspicion.at_once);
    if users >= suspicion.crowd {
        flags.push(Flag::NewUsersAtOnce { users });
    }
    let users: BTreeSet<&UserId> = seen.iter().map(|one| &one.user).collect();
    let bytes: BTreeSet<&Digest> = seen.iter().map(|one| &one.bytes).collect();
    if bytes.len() == 1 && small(users.len()) >= suspicion.crowd {
        flags.push(Flag::SameBytes {
            users: small(users.len()),
        });
    }
    let began = first_times(
        seen.iter()
            .map(|one| (one.session.clone(), one.session_began.millis())),
    );
    let sessions = crowd(&began, suspicion.together);
    if sessions >= suspicion.crowd && users.len() > 1 {
        flags.push(Flag::SessionsBeganTogether { sessions });
    }
    flags.extend(many_sessions(seen, suspicion));
    flags
}

fn many_sessions(seen: &[Seen], suspicion: Suspicion) -> Option<Flag> {
    let mut sessions: BTreeMap<&UserId, BTreeSet<&SessionId>> = BTreeMap::new();
    for one in seen {
        sessions.entry(&one.user).or_default().insert(&one.session);
    }
    let all: usize = sessions.values().map(BTreeSet::len).sum();
    let most = sessions.values().map(BTreeSet::len).max()?;
    let suspicious = small(most) >= suspicion.sessions_of_one && most * 2 > all;
    suspicious.then_some(Flag::OneUserManySessions {
        sessions: small(most),
    })
}

/// When each was first there.
fn first_times<T: Ord>(times: impl Iterator<Item = (T, i64)>) -> Vec<i64> {
    let mut first: BTreeMap<T, i64> = BTreeMap::new();
    for (who, at) in times {
        let known = first.entry(who).or_insert(at);
        *known = (*known).min(at);
    }
    let mut times: Vec<i64> = first.into_values().collect();
    times.sort_unstable();
    times
}

/// The most that fall into one window; the times ascend.
fn crowd(times: &[i64], window: i64) -> u32 {
    let inside = |(at, first): (usize, &i64)| {
        let rest = times.get(at..).unwrap_or_default();
        rest.partition_point(|time| time.saturating_sub(*first) <= window)
    };
    small(times.iter().enumerate().map(inside).max().unwrap_or(0))
}

fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Flag, Seen, Suspicion, flags};
    use crate::domain::{Digest, SessionId, Time, UserId};

    const DAY: i64 = 86_400_000;

    fn seen(user: u32, session: u32, at: i64, known_since: i64, text: &str) -> Seen {
        Seen {
            user: UserId::parse(&format!("u{user}")).unwrap(),
            session: SessionId::parse(&format!("s{session}")).unwrap(),
            session_began: Time::from_millis(at - 1000 * i64::from(session)),
            user_first_seen: Time::from_millis(known_since),
            at: Time::from_millis(at),
            bytes: Digest::of(text.as_bytes()),
        }
    }

    fn check(list: &[Seen], expected: &[Flag]) {
        assert_eq!(flags(list, Suspicion::SHIPPED), expected);
        let turned: Vec<Seen> = list.iter().rev().cloned().collect();
        assert_eq!(flags(&turned, Suspicion::SHIPPED), expected);
    }

    #[test]
    fn people_on_different_days_in_their_own_words_are_nothing_odd() {
        check(&[], &[]);
        check(
            &[
                seen(1, 10, 9 * DAY, 0, "a"),
                seen(2, 20, 10 * DAY, 0, "b"),
                seen(3, 30, 11 * DAY, 0, "a"),
            ],
            &[],
        );
    }

    #[test]
    fn a_crowd_of_new_users_with_one_text_is_flagged() {
        let crowd: Vec<Seen> = (1..=4)
            .map(|n| seen(n, n, 9 * DAY + i64::from(n) * 1000, 9 * DAY, "buy now"))
            .collect();
        check(
            &crowd,
            &[
                Flag::NewUsersAtOnce { users: 4 },
                Flag::SameBytes { users: 4 },
                Flag::SessionsBeganTogether { sessions: 4 },
            ],
        );
    }

    #[test]
    fn one_bot_in_many_sessions_is_flagged() {
        let mut list: Vec<Seen> = (0..9)
            .map(|n| seen(1, 100 * n, 9 * DAY + i64::from(n) * DAY, 0, "a"))
            .collect();
        list.push(seen(2, 901, 3 * DAY, 0, "b"));
        check(&list, &[Flag::OneUserManySessions { sessions: 9 }]);
    }
}
