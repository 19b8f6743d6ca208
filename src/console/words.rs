//! Small words: counts, ages, times of day, past tenses. Says nothing that a test could not check.

use crate::domain::decision::Ruling;
use crate::domain::time::{DAY, HOUR, MINUTE};
use crate::domain::{Act, Time};

/// `4,812`
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 session`, `31 sessions`
pub(crate) fn many(n: u64, what: &str) -> String {
    let plural = match (n, what) {
        (1, _) => what.to_owned(),
        (_, "person") => "people".to_owned(),
        (_, "memory") => "memories".to_owned(),
        (_, "entry") => "entries".to_owned(),
        _ => format!("{what}s"),
    };
    format!("{} {plural}", count(n))
}

/// `3 d`, `14 h`, `5 m`, `now`: how long ago, or how long until.
pub(crate) fn span(ms: i64) -> String {
    let ms = ms.abs();
    match ms {
        _ if ms >= DAY => format!("{} d", count(u64::try_from(ms / DAY).unwrap_or(0))),
        _ if ms >= HOUR => format!("{} h", ms / HOUR),
        _ if ms >= MINUTE => format!("{} m", ms / MINUTE),
        _ => "now".to_owned(),
    }
}

/// `3d`, `14h`, `5m`: an age in a column.
pub(crate) fn age(now: Time, then: Time) -> String {
    span(now.since(then)).replace(' ', "")
}

/// `12 s ago`, `3 d ago`
pub(crate) fn ago(now: Time, then: Time) -> String {
    let ms = now.since(then);
    match ms {
        ..0 => format!("at {then}"),
        0..1_000 => "just now".to_owned(),
        _ if ms < MINUTE => format!("{} s ago", ms / 1_000),
        _ => format!("{} ago", span(ms)),
    }
}

/// `ends in 3 d`, `ended 2 d ago`
pub(crate) fn ends(now: Time, end: Time) -> String {
    match end.since(now) {
        left if left > 0 => format!("ends in {}", span(left)),
        over => format!("ended {} ago", span(over)),
    }
}

/// `2026-12-01 09:14`, in UTC.
pub(crate) fn clock(time: Time) -> String {
    time.to_string()
        .chars()
        .take(16)
        .map(|c| if c == 'T' { ' ' } else { c })
        .collect()
}

/// The same in a sentence.
pub(crate) fn moment(time: Time) -> String {
    format!("{} UTC", clock(time))
}

/// `policy too permissive`
pub(crate) fn spaced(word: &str) -> String {
    word.replace('_', " ")
}

/// What is being done, and what has been.
pub(crate) const fn ruling(ruling: &Ruling) -> (&'static str, &'static str) {
    match ruling {
        Ruling::Approve => ("approving", "approved"),
        Ruling::Edit(_) => ("approving the edit", "approved your text of"),
        Ruling::Reject => ("rejecting", "rejected"),
        Ruling::Release => ("releasing", "released"),
        Ruling::Confirm => ("confirming", "confirmed as bad"),
        Ruling::Hold(true) => ("holding", "held"),
        Ruling::Hold(false) => ("letting go of", "let go of"),
        Ruling::Snooze(_) => ("snoozing", "snoozed until tomorrow"),
    }
}

/// `rejected`
pub(crate) fn past(act: Act) -> String {
    let word = match act {
        Act::Edit => "approved with an edit",
        Act::Undo => "undone",
        Act::Split => "split",
        Act::Hold => "held",
        Act::DocumentAdd => "added",
        Act::DocumentRemove => "removed",
        Act::Confirm => "confirmed as bad",
        Act::Reviewer => "changed the reviewers",
        Act::Endorse => "approved first",
        Act::Auto => "passed without a person",
        Act::Policy => "changed",
        _ => {
            let word = act.as_str();
            return if word.ends_with('e') {
                format!("{word}d")
            } else {
                format!("{word}ed")
            };
        }
    };
    word.to_owned()
}

/// How near a memory is to a claim, and whether that is a warning.
pub(crate) fn nearness(near: &crate::desk::view::Near) -> (String, crate::console::theme::Ink) {
    use crate::console::theme::Ink;
    if near.differs.is_empty() {
        return (format!("{}% alike", near.overlap), Ink::Text);
    }
    let differs = near.differs.join(", ");
    (
        format!("{}% alike, says otherwise ({differs})", near.overlap),
        Ink::Held,
    )
}

#[cfg(test)]
mod tests {
    use super::{ago, count, many, past, span};
    use crate::domain::{Act, Time};

    #[test]
    fn numbers_ages_and_tenses_read_well() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(many(1, "session"), "1 session");
        assert_eq!(many(2, "person"), "2 people");
        assert_eq!(span(3 * 86_400_000), "3 d");
        assert_eq!(span(59_000), "now");
        let t = Time::from_millis;
        assert_eq!(ago(t(12_400), t(400)), "12 s ago");
        assert_eq!(past(Act::Reject), "rejected");
        assert_eq!(past(Act::Approve), "approved");
        assert_eq!(past(Act::Snooze), "snoozed");
    }
}
