//! Rows of labelled cases in, answers and a table out. The label is only counted, never read first.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::domain::{Backing as Answer, Trust};
use crate::evidence::weigh::{Item, weigh};

/// One row of a data set.
#[derive(Debug, Clone, Deserialize)]
pub struct Row {
    #[serde(default)]
    pub id: String,
    pub claim: String,
    pub evidence: Vec<RowItem>,
    #[serde(default)]
    pub label: Option<String>,
}

/// One item of evidence in a row.
#[derive(Debug, Clone, Deserialize)]
pub struct RowItem {
    #[serde(default)]
    pub id: String,
    pub trust: Trust,
    #[serde(default)]
    pub role: String,
    pub text: String,
}

/// The answer to one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answered {
    pub row: String,
    pub answer: &'static str,
    pub unsupported_words: Vec<String>,
    pub supporting: Vec<String>,
}

/// How the answers compare with the labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    pub n: usize,
    pub accuracy: f64,
    /// Label, then answer, then how often.
    pub confusion: BTreeMap<String, BTreeMap<String, usize>>,
}

/// Answers one row; the label plays no part.
#[must_use]
pub fn answer(row: &Row) -> Answered {
    let items: Vec<Item<'_>> = row
        .evidence
        .iter()
        .map(|item| Item {
            text: &item.text,
            trust: item.trust,
            person: item.role == "person",
            speaker: None,
        })
        .collect();
    let weighing = weigh(&row.claim, &items);
    let words = |range: &Range<usize>| row.claim.get(range.clone()).unwrap_or_default().to_owned();
    let mut supporting: Vec<String> = Vec::new();
    for (at, _) in &weighing.supporting {
        let id = row
            .evidence
            .get(*at)
            .map(|item| item.id.clone())
            .unwrap_or_default();
        if !supporting.contains(&id) {
            supporting.push(id);
        }
    }
    Answered {
        row: row.id.clone(),
        answer: weighing.answer.word(),
        unsupported_words: weighing.unsupported_words.iter().map(words).collect(),
        supporting,
    }
}

/// Counts answers against labels; rows without one are left out.
#[must_use]
pub fn summary<'a>(rows: impl IntoIterator<Item = (&'a Row, &'a Answered)>) -> Summary {
    let mut confusion: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let (mut n, mut right) = (0, 0);
    for (row, answered) in rows {
        let Some(label) = &row.label else { continue };
        n += 1;
        right += usize::from(label == answered.answer);
        let answers = confusion.entry(label.clone()).or_insert_with(|| {
            Answer::ALL
                .iter()
                .map(|it| (it.word().to_owned(), 0))
                .collect()
        });
        *answers.entry(answered.answer.to_owned()).or_default() += 1;
    }
    let accuracy = if n == 0 {
        0.0
    } else {
        f64::from(right as u32) / f64::from(n as u32)
    };
    Summary {
        n,
        accuracy,
        confusion,
    }
}
