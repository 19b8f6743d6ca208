//! The groups that the program shows are those that the pure rooms make of the same texts.

use crate::world::World;
use countersign::domain::Layer;
use countersign::recurrence::eval::{Row, grouped};
use countersign::recurrence::{Lines, fingerprint};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Sentences in pairs of wordings and look-alikes; see the file.
const WORDINGS: &str = include_str!("../cases/recurrence/wordings.txt");

fn texts() -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    WORDINGS
        .lines()
        .filter_map(|line| line.strip_prefix("= ").or_else(|| line.strip_prefix("! ")))
        .filter(|text| seen.insert(fingerprint(text)))
        .take(400)
        .collect()
}

/// The sets of texts that belong together, whatever they are called.
fn sets<K: Ord>(pairs: impl IntoIterator<Item = (K, String)>) -> BTreeSet<BTreeSet<String>> {
    let mut sets: BTreeMap<K, BTreeSet<String>> = BTreeMap::new();
    for (key, text) in pairs {
        sets.entry(key).or_default().insert(text);
    }
    sets.into_values().collect()
}

#[test]
fn the_program_groups_as_the_pure_rooms_do() {
    let world = World::new();
    let texts = texts();
    let mut lines = String::new();
    for (n, text) in texts.iter().enumerate() {
        let line = json!({
            "text": text, "layer": "acme/support", "user": format!("u-{}", n % 9),
            "session": format!("s-{n}"), "at": world.now().plus_days(-1).to_string(),
        });
        lines.push_str(&format!("{line}\n"));
    }
    world.feed(lines, ["observe", "--json"]).exits(0);
    assert_eq!(world.detect()["observations"], texts.len());
    let shown = world.run(["detect", "patterns", "--json"]).exits(0).lines();
    let mut told = Vec::new();
    for pattern in &shown {
        let wordings = pattern["wordings"].as_array().cloned().unwrap_or_default();
        let id = pattern["pattern"].to_string();
        let text = |wording: &Value| wording["text"].as_str().unwrap_or_default().to_owned();
        told.extend(wordings.iter().map(|wording| (id.clone(), text(wording))));
    }
    let rows: Vec<Row> = texts
        .iter()
        .map(|text| Row {
            text: (*text).to_owned(),
            layer: Layer::parse("acme/support").unwrap(),
            group: None,
            family: None,
        })
        .collect();
    let groups = grouped(&rows, Lines::SHIPPED);
    let pure = groups
        .into_iter()
        .zip(texts.iter().map(|text| (*text).to_owned()));
    let (told, pure) = (sets(told), sets(pure));
    assert_eq!(told, pure);
    assert!(pure.iter().any(|set| set.len() > 1), "nothing was joined");
}
