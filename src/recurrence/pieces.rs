//! Cuts a text into the pieces a table of vectors has rows for, as a `tokenizer.json` says.
//!
//! Knows the three ways such files cut (WordPiece, Unigram, BPE) as far as plain text needs them;
//! no special pieces, no templates. What has no piece is left out. The file is read elsewhere.

use std::collections::HashMap;

use serde_json::Value;

/// What begins a word, where a tokenizer marks that.
const BLANK: char = '\u{2581}';
/// Longer words have no piece.
const LONGEST_WORD: usize = 100;
/// So much of a text is cut.
const LONGEST_TEXT: usize = 2_000;

/// The pieces and how a text is cut into them.
#[derive(Debug, Clone)]
pub(crate) struct Pieces {
    rows: HashMap<String, u32>,
    way: Way,
    lower: bool,
}

#[derive(Debug, Clone)]
enum Way {
    /// The longest piece first; later pieces of a word bear a mark.
    WordPiece { mark: String },
    /// The pieces that are likeliest together.
    Unigram { scores: Vec<f32>, longest: usize },
    /// Neighbours are joined, the earliest rule first.
    Bpe {
        ranks: HashMap<(String, String), usize>,
    },
}

impl Pieces {
    /// Reads a `tokenizer.json`.
    pub(crate) fn parse(json: &str) -> Result<Self, String> {
        let file: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let model = file.get("model").ok_or("it has no `model`")?;
        let vocab = model.get("vocab").ok_or("its model has no `vocab`")?;
        let kind = model.get("type").and_then(Value::as_str);
        let (rows, way) = match (kind, vocab) {
            (_, Value::Array(list)) => unigram(list)?,
            (Some("BPE"), Value::Object(map)) => {
                let ranks = merges(model.get("merges"))?;
                (numbered(map)?, Way::Bpe { ranks })
            }
            (Some("WordPiece") | None, Value::Object(map)) => {
                let mark = model
                    .get("continuing_subword_prefix")
                    .and_then(Value::as_str);
                let mark = mark.unwrap_or("##").to_owned();
                (numbered(map)?, Way::WordPiece { mark })
            }
            _ => return Err("only WordPiece, Unigram and BPE are known".to_owned()),
        };
        let normalizer = file
            .get("normalizer")
            .map(Value::to_string)
            .unwrap_or_default();
        let lower =
            normalizer.contains("\"lowercase\":true") || normalizer.contains("\"Lowercase\"");
        Ok(Self { rows, way, lower })
    }

    /// How many rows a table for these pieces has at least.
    pub(crate) fn least_rows(&self) -> usize {
        self.rows.values().max().map_or(0, |row| *row as usize + 1)
    }

    /// The rows of a text, in order.
    pub(crate) fn rows(&self, text: &str) -> Vec<u32> {
        let text: String = text.chars().take(LONGEST_TEXT).collect();
        let text = if self.lower {
            text.to_lowercase()
        } else {
            text
        };
        match &self.way {
            Way::WordPiece { mark } => parted(&text)
                .iter()
                .flat_map(|word| self.greedy(word, mark))
                .collect(),
            Way::Unigram { scores, longest } => marked(&text)
                .iter()
                .flat_map(|word| self.likeliest(word, scores, *longest))
                .collect(),
            Way::Bpe { ranks } => marked(&text)
                .iter()
                .flat_map(|word| self.joined(word, ranks))
                .collect(),
        }
    }

    fn greedy(&self, word: &str, mark: &str) -> Vec<u32> {
        let chars: Vec<char> = word.chars().take(LONGEST_WORD).collect();
        let (mut at, mut rows) = (0, Vec::new());
        while at < chars.len() {
            let found = (at + 1..=chars.len()).rev().find_map(|end| {
                let piece: String = chars.get(at..end)?.iter().collect();
                let piece = if at == 0 {
                    piece
                } else {
                    format!("{mark}{piece}")
                };
                self.rows.get(&piece).map(|row| (*row, end))
            });
            // A word that cannot be cut to its end has no piece at all.
            let Some((row, end)) = found else {
                return Vec::new();
            };
            rows.push(row);
            at = end;
        }
        rows
    }

    fn likeliest(&self, word: &str, scores: &[f32], longest: usize) -> Vec<u32> {
        const UNKNOWN: f32 = -30.0;
        let chars: Vec<char> = word.chars().take(LONGEST_WORD).collect();
        // For each end: the best sum, where its last piece begins, and that piece.
        let mut best: Vec<(f32, usize, Option<u32>)> = vec![(0.0, 0, None)];
        for end in 1..=chars.len() {
            let mut here = (f32::NEG_INFINITY, end - 1, None);
            for from in end.saturating_sub(longest)..end {
                let piece: String = chars.get(from..end).unwrap_or_default().iter().collect();
                let row = self.rows.get(&piece).copied();
                let score = row.and_then(|row| scores.get(row as usize).copied());
                let Some(score) = score.or((end - from == 1).then_some(UNKNOWN)) else {
                    continue;
                };
                let sum = best.get(from).map_or(f32::NEG_INFINITY, |it| it.0) + score;
                if sum > here.0 {
                    here = (sum, from, row);
                }
            }
            best.push(here);
        }
        let (mut at, mut rows) = (chars.len(), Vec::new());
        while at > 0 {
            let Some((_, from, row)) = best.get(at) else {
                break;
            };
            rows.extend(*row);
            at = *from;
        }
        rows.reverse();
        rows
    }

    fn joined(&self, word: &str, ranks: &HashMap<(String, String), usize>) -> Vec<u32> {
        let mut parts: Vec<String> = word.chars().take(LONGEST_WORD).map(String::from).collect();
        loop {
            let pairs = parts.iter().zip(parts.iter().skip(1)).enumerate();
            let ranked = pairs.filter_map(|(at, (one, two))| {
                Some((*ranks.get(&(one.clone(), two.clone()))?, at))
            });
            let Some((_, at)) = ranked.min() else {
                break;
            };
            let next = parts.remove(at + 1);
            if let Some(part) = parts.get_mut(at) {
                part.push_str(&next);
            }
        }
        parts
            .iter()
            .filter_map(|part| self.rows.get(part).copied())
            .collect()
    }
}

fn numbered(map: &serde_json::Map<String, Value>) -> Result<HashMap<String, u32>, String> {
    let row = |(piece, row): (&String, &Value)| {
        let row = row.as_u64().and_then(|row| u32::try_from(row).ok());
        Some((piece.clone(), row?))
    };
    let rows: Option<HashMap<String, u32>> = map.iter().map(row).collect();
    rows.ok_or_else(|| "a piece has no row".to_owned())
}

fn unigram(list: &[Value]) -> Result<(HashMap<String, u32>, Way), String> {
    let (mut rows, mut scores, mut longest) = (HashMap::new(), Vec::new(), 1);
    for (at, entry) in list.iter().enumerate() {
        let piece = entry.get(0).and_then(Value::as_str);
        let score = entry.get(1).and_then(Value::as_f64);
        let (Some(piece), Some(score)) = (piece, score) else {
            return Err(format!("piece {at} is no pair of text and score"));
        };
        longest = longest.max(piece.chars().count());
        rows.insert(
            piece.to_owned(),
            u32::try_from(at).map_err(|error| error.to_string())?,
        );
        scores.push(score as f32);
    }
    Ok((
        rows,
        Way::Unigram {
            scores,
            longest: longest.min(LONGEST_WORD),
        },
    ))
}

fn merges(list: Option<&Value>) -> Result<HashMap<(String, String), usize>, String> {
    let list = list
        .and_then(Value::as_array)
        .ok_or("its model has no `merges`")?;
    let pair = |entry: &Value| match entry {
        Value::String(pair) => pair
            .split_once(' ')
            .map(|(one, two)| (one.to_owned(), two.to_owned())),
        _ => Some((
            entry.get(0)?.as_str()?.to_owned(),
            entry.get(1)?.as_str()?.to_owned(),
        )),
    };
    list.iter()
        .enumerate()
        .map(|(rank, entry)| Some((pair(entry)?, rank)))
        .collect::<Option<_>>()
        .ok_or_else(|| "a merge is no pair".to_owned())
}

/// Words and marks, each for itself.
fn parted(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for chunk in text.split_whitespace() {
        let mut word = String::new();
        for c in chunk.chars() {
            if c.is_alphanumeric() {
                word.push(c);
            } else {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                words.push(c.to_string());
            }
        }
        words.extend((!word.is_empty()).then_some(word));
    }
    words
}

/// Words with the mark of a beginning.
fn marked(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|word| format!("{BLANK}{word}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Pieces;

    fn check(json: &str, text: &str, expected: &[u32]) {
        assert_eq!(Pieces::parse(json).unwrap().rows(text), expected, "{text}");
    }

    #[test]
    fn wordpiece_takes_the_longest_piece_first() {
        let json = r###"{"normalizer":{"type":"BertNormalizer","lowercase":true},
            "model":{"type":"WordPiece","vocab":{"re":0,"##fund":1,"##s":2,"refund":3,".":4}}}"###;
        check(json, "Refunds.", &[3, 2, 4]);
        check(json, "zebra refund", &[3]);
    }

    #[test]
    fn unigram_takes_the_likeliest_pieces() {
        let json = r#"{"model":{"type":"Unigram","vocab":[["▁",-5.0],["▁re",-3.0],["fund",-3.0],["▁refund",-4.0]]}}"#;
        check(json, "refund re", &[3, 1]);
    }

    #[test]
    fn bpe_joins_by_rank() {
        let json = r#"{"model":{"type":"BPE","vocab":{"▁a":0,"b":1,"▁ab":2,"c":3},"merges":["▁ a","▁a b"]}}"#;
        check(json, "abc", &[2, 3]);
        check(json, "ac", &[0, 3]);
    }

    #[test]
    fn what_is_no_tokenizer_is_refused() {
        for json in [
            "",
            "{}",
            r#"{"model":{}}"#,
            r#"{"model":{"type":"X","vocab":{}}}"#,
        ] {
            assert!(Pieces::parse(json).is_err(), "{json}");
        }
    }
}
