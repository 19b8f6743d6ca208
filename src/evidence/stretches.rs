//! Which stretches of an item are laid beside a claim: sentences, neighbours, rows of a table.

use crate::evidence::backing::is_tool;
use crate::evidence::matched::Ground;
use crate::evidence::reading::Sentence;
use crate::features::{Features, Moment};

/// How many sentences make an item that is also looked at as a whole.
const WHOLE: std::ops::RangeInclusive<usize> = 3..=12;

/// The stretches of an item, and whether they are rows of a table.
pub(crate) fn stretches<'a>(
    claim: &Features,
    ground: Ground<'a>,
) -> (Vec<Vec<&'a Sentence>>, bool) {
    let all: Vec<&Sentence> = ground.reading.sentences.iter().collect();
    let tool = is_tool(ground.reading);
    if tool && all.len() > 1 {
        let rows = rows(claim, &all, ground.claim);
        if !rows.is_empty() {
            return (rows, true);
        }
    }
    let follows = |pair: &[&Sentence]| matches!(pair, [one, two] if two.follows(one));
    let mut out: Vec<Vec<&Sentence>> = all.windows(1).map(<[_]>::to_vec).collect();
    out.extend(
        all.windows(2)
            .filter(|pair| tool || follows(pair))
            .map(<[_]>::to_vec),
    );
    if WHOLE.contains(&all.len()) && (tool || all.windows(2).all(follows)) {
        out.push(all);
    }
    (out, false)
}

/// The lines that name what the claim is about, each alone and with the head of its table.
fn rows<'a>(claim: &Features, all: &[&'a Sentence], text: &str) -> Vec<Vec<&'a Sentence>> {
    let pieces: Vec<String> = text
        .split(|c: char| c.is_whitespace() || ",;:!?\"".contains(c))
        .map(|piece| {
            piece
                .trim_end_matches(['.', '\''])
                .trim_end_matches("'s")
                .to_lowercase()
        })
        .collect();
    let lines: Vec<&&Sentence> = all
        .iter()
        .filter(|line| is_row(claim, line, &pieces))
        .collect();
    let first = |line: &Sentence| line.features.words.first().map(|word| word.lower.clone());
    let head = all.first().filter(|head| {
        let other = lines.iter().all(|line| first(line) != first(head));
        other && head.features.amounts.is_empty()
    });
    let alone = lines.iter().map(|line| vec![**line]);
    let headed = lines.iter().filter_map(|line| Some(vec![*head?, **line]));
    alone.chain(headed).collect()
}

/// Whether a line of a table is about what the claim names: its key, a code or a number in its
/// first words, or the claim's time of day.
fn is_row(claim: &Features, line: &Sentence, pieces: &[String]) -> bool {
    let first: Vec<&str> = line
        .features
        .words
        .iter()
        .take(3)
        .map(|word| word.lower.as_str())
        .collect();
    let keyed = line.key.contains(['-', '_', '.', '/']) && pieces.contains(&line.key);
    let codes = claim.codes.iter().filter_map(|at| claim.words.get(*at));
    let coded = codes
        .into_iter()
        .any(|word| first.contains(&word.lower.as_str()));
    let mut numbers = claim
        .amounts
        .iter()
        .filter(|it| it.label.is_some() && it.written >= 100.0);
    let numbered = numbers.any(|it| first.contains(&it.written.to_string().as_str()));
    let same = |wanted: &&Moment| {
        line.features
            .moments
            .iter()
            .any(|it| it.minute.is_some() && it.agrees(wanted))
    };
    let timed = claim
        .moments
        .iter()
        .filter(|it| it.minute.is_some())
        .any(|wanted| same(&wanted));
    keyed || coded || numbered || timed
}
