//! Whether something stands as done, by the events that say so and those that take it back.
//!
//! Order is what the events say of themselves, not their arrival. Where they do not say, a success
//! that arrives after something was taken back is held, never believed.

use crate::domain::receipt::{EventState, Said};
use crate::domain::{EventId, Time};

/// A receipt in the order of arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrived<'a> {
    /// Its id; a later arrival has a greater one.
    pub id: EventId,
    /// What it says.
    pub said: &'a Said,
}

/// Where something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing says that it was done.
    Unsaid,
    /// This receipt says that it was done, and nothing takes it back.
    Stands(EventId),
    /// It was done, and this receipt took it back.
    Withdrawn(EventId),
    /// This receipt says that it was done; whether before or after it was taken back cannot be told.
    Held(EventId),
}

/// Where one thing stands, by every receipt about it.
#[must_use]
pub fn standing(arrived: &[Arrived<'_>]) -> Standing {
    let of = |state| arrived.iter().filter(move |one| one.said.state == state);
    let withdrawn: Vec<&Arrived<'_>> = of(EventState::Withdrawn).collect();
    let mut best = withdrawn
        .last()
        .map_or(Standing::Unsaid, |one| Standing::Withdrawn(one.id));
    for success in of(EventState::Succeeded) {
        let found = match withdrawn.iter().map(|back| after(success, back)).min() {
            None | Some(After::Yes) => return Standing::Stands(success.id),
            Some(After::Unknown) => Standing::Held(success.id),
            Some(After::No) => continue,
        };
        best = found;
    }
    best
}

/// Whether a success comes after something was taken back, least sure first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum After {
    No,
    Unknown,
    Yes,
}

fn after(success: &Arrived<'_>, back: &Arrived<'_>) -> After {
    let place = |one: &Arrived<'_>| one.said.said_at.map(|at: Time| (at, one.said.order));
    match (place(success), place(back)) {
        (Some((at, order)), Some((back_at, back_order))) => {
            let later = at == back_at && order.zip(back_order).is_some_and(|(a, b)| a > b);
            if at > back_at || later {
                After::Yes
            } else {
                After::No
            }
        }
        _ if success.id < back.id => After::No,
        _ => After::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrived, Standing, standing};
    use crate::domain::receipt::{EventAction, EventState, Said};
    use crate::domain::{EventId, Time};

    /// Events in order of arrival: `+` a success, `-` a withdrawal, with the minute they name.
    fn check(events: &[(char, Option<i64>)], expected: Standing) {
        let said: Vec<Said> = events
            .iter()
            .map(|(sign, minute)| Said {
                action: EventAction::Deployed,
                subject: "acme/shop@1".to_owned(),
                environment: None,
                state: if *sign == '+' {
                    EventState::Succeeded
                } else {
                    EventState::Withdrawn
                },
                said_at: minute.map(|minute| Time::from_millis(minute * 60_000)),
                order: None,
            })
            .collect();
        let arrived: Vec<Arrived<'_>> = (1..)
            .zip(&said)
            .map(|(id, said)| Arrived {
                id: EventId(id),
                said,
            })
            .collect();
        assert_eq!(standing(&arrived), expected, "{events:?}");
    }

    #[test]
    fn what_is_taken_back_stays_taken_back_until_a_later_success() {
        let (one, two, three) = (EventId(1), EventId(2), EventId(3));
        check(&[], Standing::Unsaid);
        check(&[('+', None)], Standing::Stands(one));
        check(&[('-', None)], Standing::Withdrawn(one));
        check(&[('+', Some(1)), ('-', Some(2))], Standing::Withdrawn(two));
        check(
            &[('+', Some(1)), ('-', Some(2)), ('+', Some(3))],
            Standing::Stands(three),
        );
        check(
            &[('+', Some(1)), ('-', Some(2)), ('+', Some(1))],
            Standing::Withdrawn(two),
        );
        check(&[('-', Some(2)), ('+', Some(1))], Standing::Withdrawn(one));
        check(&[('-', Some(2)), ('+', Some(2))], Standing::Withdrawn(one));
        check(&[('-', Some(1)), ('+', Some(2))], Standing::Stands(two));
    }

    #[test]
    fn where_events_do_not_say_when_a_late_success_is_held() {
        check(&[('+', None), ('-', None)], Standing::Withdrawn(EventId(2)));
        check(&[('-', None), ('+', None)], Standing::Held(EventId(2)));
        check(&[('-', Some(1)), ('+', None)], Standing::Held(EventId(2)));
        check(
            &[('+', Some(1)), ('-', None), ('+', Some(9))],
            Standing::Held(EventId(3)),
        );
    }
}
