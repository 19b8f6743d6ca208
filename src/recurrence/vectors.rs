//! Static word vectors as plain data: a table of rows, one for each piece of text.
//!
//! The format is that of model2vec: a `tokenizer.json` and a `model.safetensors`, given as bytes.
//! Nothing is read from disk, downloaded or trained here. What a cosine is worth differs from table
//! to table, so it is measured against sentences that have nothing to do with each other.

use serde_json::Value;

use crate::recurrence::pieces::Pieces;

/// A table of vectors, ready for use.
#[derive(Debug, Clone)]
pub struct Vectors {
    pieces: Pieces,
    rows: Vec<f32>,
    width: usize,
    /// Mean and spread of the cosine of unrelated sentences.
    unrelated: (f32, f32),
}

/// Why a table cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VectorsError {
    /// The tokenizer cannot be read.
    #[error("the tokenizer cannot be used: {0}")]
    Pieces(String),
    /// The table cannot be read.
    #[error("the table of vectors cannot be used: {0}")]
    Table(String),
}

/// So wide may a row be, and so large a table in all.
const WIDEST: usize = 4_096;
const MOST_NUMBERS: usize = 256 << 20;

/// Sentences that say unrelated things.
const UNRELATED: &[&str] = &[
    "the lift in the north wing is out of order",
    "refunds are paid within a week",
    "run the linter before every commit",
    "our team meets on Tuesday morning",
    "the coffee machine needs new beans",
    "how do I change my password?",
    "cache entries live for one hour",
    "visitors must wear a badge",
    "the train to the airport was late",
    "invoices are sent by email",
    "please water the plants in the office",
    "the parser ignores trailing commas",
    "my card was stolen last night",
    "choose a strong passphrase",
    "the warehouse counts its stock every quarter",
    "what is the weather like in the mountains?",
];

impl Vectors {
    /// Reads a table from the bytes of its two files.
    ///
    /// # Errors
    /// The bytes are no such files, or do not belong together.
    pub fn parse(tokenizer: &str, safetensors: &[u8]) -> Result<Self, VectorsError> {
        let pieces = Pieces::parse(tokenizer).map_err(VectorsError::Pieces)?;
        let (rows, width) = table(safetensors).map_err(VectorsError::Table)?;
        if rows.len() / width < pieces.least_rows() {
            let what = "it has fewer rows than the tokenizer has pieces".to_owned();
            return Err(VectorsError::Table(what));
        }
        let mut vectors = Self {
            pieces,
            rows,
            width,
            unrelated: (0.0, 1.0),
        };
        vectors.unrelated = vectors.spread();
        Ok(vectors)
    }

    /// The direction of a text: the mean of its pieces, of length one. Nothing where no piece is known.
    #[must_use]
    pub fn of(&self, text: &str) -> Option<Vec<f32>> {
        let mut sum = vec![0.0_f32; self.width];
        for row in self.pieces.rows(text) {
            let from = row as usize * self.width;
            for (sum, number) in sum.iter_mut().zip(self.rows.get(from..from + self.width)?) {
                *sum += number;
            }
        }
        let length = sum.iter().map(|number| number * number).sum::<f32>().sqrt();
        (length.is_finite() && length > 0.0)
            .then(|| sum.iter().map(|number| number / length).collect())
    }

    /// How far above unrelated sentences two directions meet, in spreads.
    #[must_use]
    pub fn nearness(&self, one: &[f32], other: &[f32]) -> f32 {
        let (mean, spread) = self.unrelated;
        (cosine(one, other) - mean) / spread
    }

    fn spread(&self) -> (f32, f32) {
        let known: Vec<Vec<f32>> = UNRELATED.iter().filter_map(|text| self.of(text)).collect();
        let mut cosines = Vec::new();
        let mut rest = known.iter();
        while let Some(one) = rest.next() {
            cosines.extend(rest.clone().map(|other| cosine(one, other)));
        }
        let count = cosines.len().max(1) as f32;
        let mean = cosines.iter().sum::<f32>() / count;
        let spread = cosines
            .iter()
            .map(|one| (one - mean) * (one - mean))
            .sum::<f32>()
            / count;
        (mean, spread.sqrt().max(0.02))
    }
}

/// The cosine of two directions of length one.
pub(crate) fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// The one table of a safetensors file: eight bytes of length, a header in JSON, then numbers.
fn table(bytes: &[u8]) -> Result<(Vec<f32>, usize), String> {
    let length: [u8; 8] = bytes
        .get(..8)
        .and_then(|head| head.try_into().ok())
        .ok_or("it is shorter than its header")?;
    let length = usize::try_from(u64::from_le_bytes(length)).map_err(|error| error.to_string())?;
    let end = length.checked_add(8).ok_or("its header has no end")?;
    let header = bytes.get(8..end).ok_or("its header has no end")?;
    let header: Value = serde_json::from_slice(header).map_err(|error| error.to_string())?;
    let tables = header
        .as_object()
        .ok_or("its header is no list of tables")?;
    let named = tables.get("embeddings").or_else(|| {
        tables
            .iter()
            .find(|(name, _)| *name != "__metadata__")
            .map(|(_, table)| table)
    });
    let entry = named.ok_or("it holds no table")?;
    let numbers = |name: &str| -> Option<Vec<usize>> {
        let list = entry.get(name)?.as_array()?.iter();
        list.map(|number| usize::try_from(number.as_u64()?).ok())
            .collect()
    };
    let (shape, place) = (numbers("shape"), numbers("data_offsets"));
    let (Some([height, width]), Some([from, to])) = (shape.as_deref(), place.as_deref()) else {
        return Err("its table has no shape of two numbers".to_owned());
    };
    let all = height
        .checked_mul(*width)
        .filter(|all| *all <= MOST_NUMBERS);
    let all = all
        .filter(|_| (1..=WIDEST).contains(width))
        .ok_or("its table is too large")?;
    let data = end.checked_add(*from).zip(end.checked_add(*to));
    let data = data
        .and_then(|(from, to)| bytes.get(from..to))
        .ok_or("its table is cut off")?;
    let rows: Vec<f32> = match entry.get("dtype").and_then(Value::as_str) {
        Some("F32") => data
            .as_chunks()
            .0
            .iter()
            .map(|four| f32::from_le_bytes(*four))
            .collect(),
        Some("F16") => data
            .as_chunks()
            .0
            .iter()
            .map(|two| half(u16::from_le_bytes(*two)))
            .collect(),
        _ => return Err("only F32 and F16 are known".to_owned()),
    };
    if rows.len() != all {
        return Err("its table has not as many numbers as its shape".to_owned());
    }
    if rows.iter().any(|number| !number.is_finite()) {
        return Err("its table holds what is no number".to_owned());
    }
    Ok((rows, *width))
}

/// A number of sixteen bits: sign, five bits of exponent, ten of fraction.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent - 15),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Vectors, VectorsError, cosine, half};

    /// A table as its two files, of words in groups: those of one group point one way.
    pub(crate) fn files(groups: &[&[&str]], kind: &str) -> (String, Vec<u8>) {
        let width = groups.len();
        let words: Vec<(usize, &str)> = groups
            .iter()
            .enumerate()
            .flat_map(|(at, group)| group.iter().map(move |word| (at, *word)))
            .collect();
        let vocab: serde_json::Map<String, serde_json::Value> = words
            .iter()
            .enumerate()
            .map(|(row, (_, word))| ((*word).to_owned(), row.into()))
            .collect();
        let json = serde_json::json!({"model": {"type": "WordPiece", "vocab": vocab}}).to_string();
        let mut data = Vec::new();
        for (group, _) in &words {
            for at in 0..width {
                let one = at == *group;
                match kind {
                    "F16" => data.extend((if one { 0x3c00_u16 } else { 0 }).to_le_bytes()),
                    _ => data.extend((if one { 1.0_f32 } else { 0.0 }).to_le_bytes()),
                }
            }
        }
        let header = serde_json::json!({"embeddings": {
            "dtype": kind, "shape": [words.len(), width], "data_offsets": [0, data.len()]}})
        .to_string();
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        file.extend(data);
        (json, file)
    }

    #[test]
    fn a_text_points_where_its_words_point() {
        for kind in ["F32", "F16"] {
            let (json, file) = files(&[&["refund", "repay"], &["lamp"]], kind);
            let vectors = Vectors::parse(&json, &file).unwrap();
            let of = |text: &str| vectors.of(text).unwrap();
            assert!((cosine(&of("refund"), &of("repay")) - 1.0).abs() < 1e-6);
            assert!(cosine(&of("refund"), &of("lamp")).abs() < 1e-6);
            assert!((cosine(&of("refund lamp"), &of("lamp")) - 0.5_f32.sqrt()).abs() < 1e-6);
            assert!(vectors.of("nothing known").is_none());
        }
    }

    #[test]
    fn broken_files_are_refused_and_never_fail() {
        let (json, file) = files(&[&["refund"], &["lamp"]], "F32");
        for end in 0..file.len() {
            assert!(Vectors::parse(&json, &file[..end]).is_err(), "cut at {end}");
        }
        assert!(matches!(
            Vectors::parse("{}", &file),
            Err(VectorsError::Pieces(_))
        ));
        let (large, _) = files(&[&["a", "b", "c"]], "F32");
        assert!(matches!(
            Vectors::parse(&large, &file),
            Err(VectorsError::Table(_))
        ));
        let mut nan = file.clone();
        let at = nan.len() - 4;
        nan[at..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(Vectors::parse(&json, &nan).is_err());
        let mut huge = file;
        huge[..8].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(Vectors::parse(&json, &huge).is_err());
    }

    #[test]
    fn sixteen_bits_are_read() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x0001, 2.0_f32.powi(-24)),
            (0x3555, 0.333_25),
        ] {
            assert!((half(bits) - value).abs() < 1e-4, "{bits:x}");
        }
    }
}
