//! Mutated text against the gate and the views it reads through: nothing may panic, answer twice
//! differently, point between two characters or take longer than its length allows.
//!
//! `COUNTERSIGN_FUZZ_MINUTES=10 cargo test --test integration fuzz -- --ignored` runs it at length. The seeds
//! stand in `tests/cases/fuzz`; the cases of the gate serve besides.

use countersign::domain::pattern::Support;
use countersign::domain::{Digest, Kind, Layer, Scope, SourceRef, Time, Trust};
use countersign::gate::{Facts, Policy, SourceFact, Standing, judge, secrets};
use std::time::{Duration, Instant};

const SEEDS: &str = include_str!("../cases/fuzz/seeds.txt");
const CASES: &[&str] = &[
    include_str!("../cases/gate/known.toml"),
    include_str!("../cases/gate/regression.toml"),
    include_str!("../cases/gate/pairs.toml"),
];

/// Characters that readers stumble over.
const AWKWARD: &[char] = &[
    '\u{200B}',
    '\u{200D}',
    '\u{200C}',
    '\u{FEFF}',
    '\u{202E}',
    '\u{E0067}',
    '\u{1F3F4}',
    '\u{E007F}',
    '\u{301}',
    '\u{430}',
    '\u{FF49}',
    '\u{131}',
    '\u{df}',
    '\u{3099}',
    '\u{AC00}',
    '\u{0}',
    '\u{7f}',
    '\n',
    '\'',
    '"',
    '`',
    '「',
    '%',
    '=',
    '&',
    ';',
    '.',
    '。',
    'ﷺ',
    '𝕚',
    '\u{10FFFF}',
];

/// A small generator of numbers, so that a failure can be had again from its seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below.max(1)).unwrap()).unwrap()
    }
}

fn corpus() -> Vec<String> {
    let quoted = CASES.iter().flat_map(|file| file.lines());
    let texts = quoted.filter_map(|line| line.strip_prefix("text = \""));
    let texts = texts.map(|line| line.trim_end_matches('"'));
    SEEDS.lines().chain(texts).map(str::to_owned).collect()
}

/// Another text, made from two.
fn mutated(chance: &mut Chance, corpus: &[String]) -> String {
    let pick = |chance: &mut Chance| {
        corpus[chance.next(corpus.len())]
            .chars()
            .collect::<Vec<char>>()
    };
    let mut text = pick(chance);
    for _ in 0..=chance.next(6) {
        let at = chance.next(text.len() + 1);
        match chance.next(8) {
            0 => text.truncate(at),
            1 => text.insert(at, AWKWARD[chance.next(AWKWARD.len())]),
            2 => {
                let other = pick(chance);
                text.splice(at..at, other);
            }
            3 => {
                let end = (at + chance.next(9)).min(text.len());
                let piece: Vec<char> = text[at..end].to_vec();
                let many = piece.repeat(chance.next(200));
                text.splice(at..at, many);
            }
            4 if at < text.len() => text[at] = AWKWARD[chance.next(AWKWARD.len())],
            5 => {
                let hex: String = text
                    .iter()
                    .collect::<String>()
                    .bytes()
                    .map(|b| format!("{b:02x}"))
                    .collect();
                text = hex.chars().take(4000).collect();
            }
            6 => text = text.iter().flat_map(|c| [*c, ' ']).collect(),
            _ => text = text.iter().flat_map(|c| c.to_uppercase()).collect(),
        }
        text.truncate(6000);
    }
    text.into_iter().collect()
}

/// One text through everything, and how long the gate took over it.
fn check(text: &str, policy: &Policy, trust: Trust) -> Duration {
    let scope = Scope::of(Layer::parse("acme/emea").unwrap());
    let reference = SourceRef::Artifact {
        sha256: Digest::ZERO,
        span: None,
    };
    let sources = [SourceFact {
        reference,
        trust,
        standing: Standing::Held,
        text: None,
    }];
    let others = ["globex".to_owned(), "initech gmbh".to_owned()];
    let facts = Facts {
        text,
        kind: Kind::ObservedFact,
        sources: &sources,
        declared_trust: None,
        scope: &scope,
        proposer_layer: None,
        expires_at: None,
        now: Time::from_millis(1_800_000_000_000),
        confidence: None,
        forbidden_fields: &[],
        claims: 1,
        support: Support::default(),
        other_tenants: &others,
        receipt: false,
        evidence: None,
    };
    let began = Instant::now();
    let first = judge(&facts, policy);
    let took = began.elapsed();
    assert_eq!(first, judge(&facts, policy), "{text:?}");
    for finding in &first.findings {
        let span = finding.span.map(|span| span.start..span.end);
        assert!(
            span.is_none_or(|span| text.get(span).is_some()),
            "{text:?}: {finding:?}"
        );
    }
    for range in secrets(text) {
        assert!(text.get(range).is_some(), "{text:?}");
    }
    let _ = countersign::text::visible(text).wrap(40);
    let key = countersign::text::key(text);
    assert_eq!(countersign::text::key(&key), key, "{text:?}");
    took
}

/// The longest the gate took over one text, for as long as `goes_on` says of how many held.
pub(crate) fn run(seed: u64, goes_on: impl Fn(u64) -> bool) -> (u64, Duration) {
    let policy = Policy::shipped().unwrap();
    let mut corpus = corpus();
    let mut chance = Chance(seed | 1);
    let (mut texts, mut slowest) = (0, Duration::ZERO);
    check(SEEDS, &policy, Trust::Web);
    while goes_on(texts) {
        let text = mutated(&mut chance, &corpus);
        let trust = Trust::ALL[chance.next(Trust::ALL.len())];
        slowest = slowest.max(check(&text, &policy, trust));
        if chance.next(50) == 0 {
            let slot = chance.next(corpus.len());
            corpus[slot] = text;
        }
        texts += 1;
    }
    (texts, slowest)
}

#[test]
fn seeds_and_a_few_mutations_hold() {
    assert_eq!(run(1, |texts| texts < 200).0, 200);
}

#[test]
#[ignore = "runs as long as COUNTERSIGN_FUZZ_MINUTES says"]
fn mutations_hold_at_length() {
    let minutes = std::env::var("COUNTERSIGN_FUZZ_MINUTES").ok();
    let minutes = minutes.and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let seed =
        u64::try_from(std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() % 1_000_000_007).unwrap();
    let until = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    let (texts, slowest) = run(seed, |_| Instant::now() < until);
    println!("seed {seed}: {texts} texts, the slowest took {slowest:?}");
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
}
