//! How well wordings are grouped, on the development sets.
//!
//! The near-miss set is ours and runs always; the others are read from `../shared/data/recurrence`
//! where they are. Families and intents are split: the lines were drawn on the first half only.
//!
//! `cargo test --release recurrence::quality -- --ignored --nocapture` prints a table.

use crate::domain::Layer;
use crate::recurrence::Lines;
use crate::recurrence::eval::{Pairs, Row, best_at, distinct, grouped, grouped_by_letters, scored};
use crate::recurrence::signature::hash;

const NEARMISS: &str = include_str!("../../tests/cases/recurrence/nearmiss_dev.jsonl");

/// Wordings of our own, read while the guard and the tables were written.
const WORDINGS: &str = include_str!("../../tests/cases/recurrence/wordings.txt");

/// The families whose texts were read while the guard was written.
const READ: &[&str] = &[
    "wrong-size",
    "saturday-hotline",
    "pin-versions",
    "gift-card-expiry",
    "label-printer-jam",
    "timestamps",
    "cache-rebuild",
    "cash-on-delivery",
    "call-recording",
    "trade-in",
    "okafor-contact",
    "newsletter-consent",
    "free-shipping",
    "lint-order",
    "id-document",
    "rate-limit",
    "page-index",
    "used-devices",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Tuned,
    Other,
    All,
}

fn rows(data: &str, half: Half, apart: bool) -> Vec<Row> {
    let parsed = data.lines().map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| {
            value
                .get(name)
                .and_then(|field| field.as_str())
                .map(str::to_owned)
        };
        let layer = field("layer")
            .filter(|_| apart)
            .unwrap_or_else(|| "acme".to_owned());
        Row {
            text: field("text").unwrap(),
            layer: Layer::parse(&layer).unwrap(),
            group: field("group").or_else(|| field("label")),
            family: field("family"),
        }
    });
    let tuned = |row: &Row| match (&row.family, &row.group) {
        (Some(family), _) => READ.contains(&family.as_str()),
        (None, Some(intent)) => hash(intent).is_multiple_of(2),
        (None, None) => hash(&row.text).is_multiple_of(2),
    };
    distinct(
        parsed
            .filter(|row| half == Half::All || tuned(row) == (half == Half::Tuned))
            .collect(),
    )
}

/// The rows of a file of families: `@ family`, `= same`, `! look-alike`.
fn families(data: &str) -> Vec<Row> {
    let mut family = String::new();
    let mut rows = Vec::new();
    for line in data.lines() {
        let (mark, text) = line.split_once(' ').unwrap_or((line, ""));
        let group = match mark {
            "@" => {
                family = text.split(" | ").next().unwrap_or(text).to_owned();
                continue;
            }
            "=" => Some(family.clone()),
            "!" => None,
            _ => continue,
        };
        rows.push(Row {
            text: text.to_owned(),
            layer: Layer::parse("acme").unwrap(),
            group,
            family: Some(family.clone()),
        });
    }
    distinct(rows)
}

#[test]
fn everyday_wordings_meet_and_their_look_alikes_stay_apart() {
    let rows = families(WORDINGS);
    assert!(rows.len() > 580, "{}", rows.len());
    let pairs = Pairs::of(&rows, &grouped(&rows, Lines::SHIPPED));
    assert!(pairs.precision() >= 0.95, "{pairs:?}");
    assert!(pairs.recall() >= 0.40, "{} {pairs:?}", pairs.recall());
    assert!(pairs.look_alikes_joined() < 0.01, "{pairs:?}");
}

#[test]
fn near_misses_stay_apart_and_paraphrases_meet() {
    for (half, recall) in [(Half::Tuned, 0.22), (Half::Other, 0.13), (Half::All, 0.18)] {
        let rows = rows(NEARMISS, half, false);
        let pairs = Pairs::of(&rows, &grouped(&rows, Lines::SHIPPED));
        assert!(pairs.precision() >= 0.95, "{half:?} {pairs:?}");
        assert!(
            pairs.recall() >= recall,
            "{half:?} {} {pairs:?}",
            pairs.recall()
        );
        assert!(pairs.look_alikes_joined() < 0.01, "{half:?} {pairs:?}");
    }
}

#[test]
#[ignore = "takes minutes, prints a table"]
fn table() {
    println!(
        "{:10} {:6} {:36} {:>6} {:>7} {:>7} {:>6} {:>7}",
        "set", "half", "method", "line", "P", "R", "look%", "largest"
    );
    for name in ["nearmiss", "banking77", "clinc150"] {
        let path = format!(
            "{}/../shared/data/recurrence/{name}_dev.jsonl",
            env!("CARGO_MANIFEST_DIR")
        );
        let Ok(data) = std::fs::read_to_string(&path) else {
            let _ = std::io::Write::write_fmt(
                &mut std::io::stderr(),
                format_args!("SKIPPED {name}: {path} is not there\n"),
            );
            continue;
        };
        for half in [Half::Tuned, Half::Other, Half::All] {
            report(
                name,
                half,
                &rows(&data, half, false),
                if name == "nearmiss" { 0.95 } else { 0.90 },
            );
        }
        if name == "nearmiss" {
            report("  apart", Half::All, &rows(&data, Half::All, true), 0.95);
        }
    }
}

fn report(set: &str, half: Half, rows: &[Row], goal: f64) {
    let half = format!("{half:?}");
    let point = |method: &str, point: crate::recurrence::eval::Point| {
        println!(
            "{set:10} {half:6} {method:36} {:6.3} {:7.4} {:7.4}",
            point.line, point.precision, point.recall
        );
    };
    let groups = |method: &str, line: f32, pairs: Pairs| {
        println!(
            "{set:10} {half:6} {method:36} {line:6.3} {:7.4} {:7.4} {:6.2} {:7}",
            pairs.precision(),
            pairs.recall(),
            100.0 * pairs.look_alikes_joined(),
            pairs.largest
        );
    };
    let shipped = Pairs::of(rows, &grouped(rows, Lines::SHIPPED));
    let (letters, ours) = scored(rows, 0.2);
    point(
        &format!("pairs: char-3 Jaccard, best at {goal}"),
        best_at(letters, shipped.same, goal),
    );
    point(
        &format!("pairs: ours, best at {goal}"),
        best_at(ours, shipped.same, goal),
    );
    let (line, best) = best_groups(goal, |line| grouped_by_letters(rows, line), rows);
    groups(
        &format!("groups: char-3 Jaccard, best at {goal}"),
        line,
        best,
    );
    let strict = |line: f32| {
        grouped(
            rows,
            Lines {
                same: line,
                drift: line,
                ..Lines::SHIPPED
            },
        )
    };
    let (line, best) = best_groups(goal, strict, rows);
    groups(&format!("groups: ours, best at {goal}"), line, best);
    groups("groups: ours, as shipped", Lines::SHIPPED.same, shipped);
}

fn best_groups(goal: f64, group: impl Fn(f32) -> Vec<usize>, rows: &[Row]) -> (f32, Pairs) {
    let lines = [0.25, 0.35, 0.4, 0.45, 0.55];
    let all = lines
        .into_iter()
        .map(|line| (line, Pairs::of(rows, &group(line))));
    let good = all.filter(|(_, pairs)| pairs.precision() >= goal);
    good.max_by(|one, other| one.1.recall().total_cmp(&other.1.recall()))
        .unwrap_or_default()
}
