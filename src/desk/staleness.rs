//! Why a memory should be looked at again, and how lists of memories are ordered by it.
//!
//! Everything is judged from light facts, so that a list of any length has one exact order.

use crate::desk::view::{MemoryPlace, MemorySort};
use crate::domain::Time;
use crate::domain::memory::{Memory, MemoryKey, MemoryState};
use crate::domain::time::DAY;
use crate::store::known::Contradicted;
use crate::store::order::MemoryFacts;
use crate::store::report::Doubts;
use std::ops::Range;

/// How many days before its end a memory is looked at again.
const ENDS_SOON: i64 = 7;
/// How many days without a serving make a memory doubtful.
const UNSERVED: i64 = 30;

/// What speaks against memories, from wherever it came.
#[derive(Debug)]
pub(in crate::desk) struct Against {
    pub(in crate::desk) contradicted: Contradicted,
    pub(in crate::desk) doubts: Doubts,
}

/// Why one memory should be looked at again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::desk) struct Staleness {
    /// The most people behind one pattern that says otherwise, since when, and in how many patterns.
    people: Option<(u32, String, usize)>,
    /// How many agents reported it.
    reports: usize,
    /// Whether evidence that it cites has gone.
    evidence_gone: bool,
    /// The days that are left, where they are few.
    ends_in: Option<i64>,
    /// The days since it was last served, or approved, where they are many.
    unserved: Option<(i64, bool)>,
}

impl Staleness {
    pub(in crate::desk) fn of(one: &MemoryFacts, against: &Against, now: Time) -> Self {
        if one.written_state.at(one.expires_at, now) != MemoryState::Active {
            return Self::default();
        }
        let said = against.contradicted.get(&one.id);
        let people = said.and_then(|all| {
            let (first, most) = (all.first()?, all.iter().map(|one| one.users).max()?);
            let since = format!("since {} ({})", first.at.date(), first.pattern);
            Some((most, since, all.len()))
        });
        let since = one
            .changed_at
            .unwrap_or(one.approved_at)
            .max(one.approved_at);
        let doubts = against.doubts.get(&one.id).into_iter().flatten();
        let left = one.expires_at.since(now);
        let idle = now.since(one.last_served.unwrap_or(one.approved_at));
        Self {
            people,
            reports: doubts.filter(|(at, _)| *at >= since).count(),
            evidence_gone: !one.evidence_held,
            ends_in: (left <= ENDS_SOON * DAY).then_some(left / DAY),
            unserved: (idle > UNSERVED * DAY).then_some((idle / DAY, one.last_served.is_some())),
        }
    }

    /// How many reasons there are.
    fn count(&self) -> i64 {
        i64::from(self.people.is_some())
            + i64::from(self.reports > 0)
            + i64::from(self.evidence_gone)
            + i64::from(self.ends_in.is_some())
            + i64::from(self.unserved.is_some())
    }

    pub(in crate::desk) fn is_any(&self) -> bool {
        self.count() > 0
    }

    pub(in crate::desk) const fn contradicted(&self) -> bool {
        self.people.is_some()
    }

    /// The reasons in words, weightiest first.
    pub(in crate::desk) fn words(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        if let Some((most, since, _)) = &self.people {
            let people = if *most == 1 { "person" } else { "people" };
            reasons.push(format!("contradicted by {most} {people} {since}"));
        }
        match self.reports {
            0 => {}
            1 => reasons.push("reported wrong or stale by an agent".to_owned()),
            many => reasons.push(format!("reported wrong or stale {many} times by agents")),
        }
        if self.evidence_gone {
            reasons.push("its evidence is gone (retention passed)".to_owned());
        }
        if let Some(days) = self.ends_in {
            reasons.push(format!("ends in {days} d"));
        }
        match self.unserved {
            None => {}
            Some((days, true)) => reasons.push(format!("last served {days} d ago")),
            Some((days, false)) => reasons.push(format!("never served in {days} d")),
        }
        reasons
    }
}

/// The same facts of a memory that was read in full.
pub(in crate::desk) fn facts_of(memory: &Memory) -> MemoryFacts {
    MemoryFacts {
        id: memory.id,
        written_state: memory.written_state,
        approved_at: memory.approved_at,
        changed_at: memory.changed.as_ref().map(|outcome| outcome.at),
        expires_at: memory.expires_at,
        last_served: memory.last_served,
        evidence_held: memory.evidence_held,
    }
}

/// Where a memory stands in this order.
pub(in crate::desk) fn key(
    sort: MemorySort,
    one: &MemoryFacts,
    stale: &Staleness,
    now: Time,
) -> MemoryKey {
    let group = match (sort, one.written_state.at(one.expires_at, now)) {
        (MemorySort::Newest, _) | (_, MemoryState::Active) => 0,
        (_, MemoryState::Expired) => 1,
        (_, MemoryState::Demoted | MemoryState::Superseded) => 2,
    };
    let people = stale.people.as_ref();
    let (most, patterns) = people.map_or((0, 0), |(most, _, patterns)| {
        (
            i64::from(*most),
            i64::try_from(*patterns).unwrap_or(i64::MAX),
        )
    });
    let approved = one.approved_at.millis();
    let (first, second) = match sort {
        MemorySort::Staleness => {
            let contradicted = if people.is_some() { 100 } else { 0 };
            (-(contradicted + stale.count()), one.expires_at.millis())
        }
        MemorySort::Expiry => (one.expires_at.millis(), approved),
        MemorySort::Served => (one.last_served.map_or(i64::MIN, Time::millis), approved),
        MemorySort::Age => (approved, 0),
        MemorySort::Contradictions => (-most, -patterns),
        MemorySort::Newest => (-approved, -one.id.0),
    };
    MemoryKey {
        group,
        first,
        second,
        id: one.id,
    }
}

/// Which of these sorted keys a page holds, and whether more follow in the direction asked for.
pub(in crate::desk) fn window(
    keys: &[MemoryKey],
    place: MemoryPlace,
    limit: usize,
) -> (Range<usize>, bool) {
    let on = |start: usize| {
        let end = start.saturating_add(limit).min(keys.len());
        (start..end, end < keys.len())
    };
    let back = |end: usize| {
        let start = end.saturating_sub(limit);
        (start..end, start > 0)
    };
    match place {
        MemoryPlace::Start => on(0),
        MemoryPlace::At(key) => on(keys.partition_point(|one| *one < key)),
        MemoryPlace::After(key) => on(keys.partition_point(|one| *one <= key)),
        MemoryPlace::Before(key) => back(keys.partition_point(|one| *one < key)),
        MemoryPlace::End => back(keys.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Against, Staleness, key, window};
    use crate::desk::view::{MemoryPlace, MemorySort};
    use crate::domain::memory::{MemoryKey, MemoryState};
    use crate::domain::time::DAY;
    use crate::domain::{MemoryId, Time};
    use crate::store::order::MemoryFacts;

    fn nothing() -> Against {
        Against {
            contradicted: Default::default(),
            doubts: Default::default(),
        }
    }

    fn memory(id: i64, approved: i64, ends: i64, served: Option<i64>) -> MemoryFacts {
        let day = |n: i64| Time::from_millis(n * DAY);
        MemoryFacts {
            id: MemoryId(id),
            written_state: MemoryState::Active,
            approved_at: day(approved),
            changed_at: None,
            expires_at: day(ends),
            last_served: served.map(day),
            evidence_held: true,
        }
    }

    fn order(sort: MemorySort, memories: &[MemoryFacts], today: i64) -> Vec<i64> {
        let now = Time::from_millis(today * DAY);
        let mut keys: Vec<MemoryKey> = memories
            .iter()
            .map(|one| key(sort, one, &Staleness::of(one, &nothing(), now), now))
            .collect();
        keys.sort_unstable();
        keys.iter().map(|key| key.id.0).collect()
    }

    #[test]
    fn each_order_is_about_what_it_says_and_what_has_ended_comes_last() {
        let mut gone = memory(4, 1, 200, None);
        gone.written_state = MemoryState::Demoted;
        let all = [
            memory(1, 10, 190, Some(95)),
            memory(2, 20, 104, None),
            memory(3, 5, 99, Some(50)),
            gone,
            memory(5, 60, 180, Some(90)),
        ];
        assert_eq!(order(MemorySort::Staleness, &all, 100), [2, 5, 1, 3, 4]);
        assert_eq!(order(MemorySort::Expiry, &all, 100), [2, 5, 1, 3, 4]);
        assert_eq!(order(MemorySort::Served, &all, 100), [2, 5, 1, 3, 4]);
        assert_eq!(order(MemorySort::Age, &all, 100), [1, 2, 5, 3, 4]);
        assert_eq!(order(MemorySort::Newest, &all, 100), [5, 2, 1, 3, 4]);
    }

    #[test]
    fn pages_go_on_behind_a_key_although_rows_came_and_went() {
        let at = |id: i64| MemoryKey {
            group: 0,
            first: id,
            second: 0,
            id: MemoryId(id),
        };
        let keys: Vec<MemoryKey> = (1..=10).map(at).collect();
        assert_eq!(window(&keys, MemoryPlace::Start, 4), (0..4, true));
        assert_eq!(window(&keys, MemoryPlace::After(at(4)), 4), (4..8, true));
        assert_eq!(window(&keys, MemoryPlace::After(at(8)), 4), (8..10, false));
        assert_eq!(window(&keys, MemoryPlace::At(at(3)), 2), (2..4, true));
        assert_eq!(window(&keys, MemoryPlace::Before(at(4)), 2), (1..3, true));
        assert_eq!(window(&keys, MemoryPlace::End, 3), (7..10, true));
        // The one it goes on behind has been demoted meanwhile, and another came before it.
        let changed: Vec<MemoryKey> = [0, 1, 2, 3, 5, 6].map(at).to_vec();
        assert_eq!(
            window(&changed, MemoryPlace::After(at(4)), 4),
            (4..6, false)
        );
    }

    #[test]
    fn the_orders_go_round() {
        let mut sort = MemorySort::default();
        for _ in MemorySort::ALL {
            sort = sort.next();
        }
        assert_eq!(sort, MemorySort::default());
        assert_eq!(MemorySort::Staleness.next(), MemorySort::Expiry);
    }
}
