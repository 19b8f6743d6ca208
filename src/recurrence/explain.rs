//! Why two wordings are, or are not, one pattern, in words that a person can check.

use crate::features::What;
use crate::recurrence::guard::{Objection, objections};
use crate::recurrence::meeting::meeting;
use crate::recurrence::reading::Reading;
use crate::recurrence::score::Likeness;
use crate::recurrence::terms::Term;

/// The grounds, side by side.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Explanation {
    /// How alike the two are.
    pub likeness: Likeness,
    /// What both say, as each of them says it.
    pub shared: Vec<(String, String)>,
    /// What only the first says.
    pub only_one: Vec<String>,
    /// What only the second says.
    pub only_other: Vec<String>,
    /// What speaks against the two being one.
    pub objections: Vec<String>,
}

/// Compares two wordings for a reader.
#[must_use]
pub fn explain(one: &str, other: &str) -> Explanation {
    let (one, other) = (Reading::of(one), Reading::of(other));
    let met = meeting(one.signature(), other.signature());
    let (left, right) = met.common(one.signature(), other.signature());
    let (only_one, only_other) = met.lone(one.signature(), other.signature());
    let shared = left
        .iter()
        .map(|term| (term.said.clone(), twin(term, &right)));
    let said = |terms: Vec<&Term>| terms.into_iter().map(|term| term.said.clone()).collect();
    Explanation {
        likeness: Likeness::of(&one, &other),
        shared: shared.collect(),
        only_one: said(only_one),
        only_other: said(only_other),
        objections: objections(&one, &other)
            .iter()
            .map(|objection| sentence(objection, &one, &other))
            .collect(),
    }
}

fn twin(term: &Term, there: &[&Term]) -> String {
    let same = there.iter().find(|other| other.name == term.name);
    same.map_or_else(|| term.said.clone(), |other| other.said.clone())
}

impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.shared.is_empty() {
            f.write_str("these share no word")?;
        } else {
            let pair = |(one, other): &(String, String)| match one == other {
                true => one.clone(),
                false => format!("{one} = {other}"),
            };
            let shared: Vec<String> = self.shared.iter().map(pair).collect();
            write!(f, "these share {}", shared.join(", "))?;
        }
        for lone in [&self.only_one, &self.only_other]
            .into_iter()
            .filter(|lone| !lone.is_empty())
        {
            write!(f, "; one alone says {}", lone.join(", "))?;
        }
        self.objections
            .iter()
            .try_for_each(|objection| write!(f, "; {objection}"))
    }
}

fn sentence(objection: &Objection, one: &Reading, other: &Reading) -> String {
    match objection {
        Objection::Feature(difference) => {
            let quoted = |text: &str, range: &Option<std::ops::Range<usize>>| {
                let words = range.clone().and_then(|range| text.get(range));
                words.map_or_else(|| "nothing".to_owned(), |words| format!("`{words}`"))
            };
            let (left, right) = (
                quoted(one.text(), &difference.left),
                quoted(other.text(), &difference.right),
            );
            format!("{}: {left} against {right}", named(difference.what))
        }
        Objection::Words(one, other) => {
            format!("each says something of its own: `{one}` and `{other}`")
        }
        Objection::Surplus => "one says much that the other leaves out".to_owned(),
        Objection::Thin => "they share too little".to_owned(),
        Objection::Denial => "one denies what the other says".to_owned(),
        Objection::Figure(one, other) => format!("the figures differ: `{one}` and `{other}`"),
        Objection::Sequence => "they do not put things in the same order".to_owned(),
        Objection::Party => "the same deed is done by the other side".to_owned(),
        Objection::Asked => "they want different answers".to_owned(),
        Objection::Extent => {
            "they do not speak of the same part, or not of the same one".to_owned()
        }
        Objection::Opposed(one, other) => format!("they are opposites: `{one}` and `{other}`"),
        Objection::Force => "one must be done, the other may".to_owned(),
        Objection::Undone(word) => format!("one takes it back: `{word}`"),
    }
}

const fn named(what: What) -> &'static str {
    match what {
        What::Number => "the numbers differ",
        What::Unit => "the units differ",
        What::Money => "the amounts differ",
        What::Moment => "the times differ",
        What::Name => "the names differ",
        What::Code => "the identifiers differ",
        What::Negation => "one denies what the other says",
        What::Order => "the order is turned",
        What::Modality => "one asks what the other states",
        What::Opposite => "they take opposite sides",
        What::Word => "one word is another",
    }
}

#[cfg(test)]
mod tests {
    use super::explain;

    fn check(one: &str, other: &str, expected: &str) {
        assert_eq!(explain(one, other).to_string(), expected);
    }

    #[test]
    fn a_reader_sees_what_is_shared_and_what_is_not() {
        check(
            "the hotline is closed on Saturdays",
            "phone support is shut on a Saturday",
            "these share hotline = phone support, closed = shut, saturdays = saturday",
        );
        check(
            "lunch is in the kitchen",
            "the lift is broken",
            "these share no word; one alone says lunch, kitchen; one alone says lift, broken; \
             each says something of its own: `kitchen` and `broken`",
        );
    }

    #[test]
    fn an_objection_quotes_both_sides() {
        let text = explain(
            "gift cards run out after 12 months",
            "gift cards run out after 3 years",
        )
        .to_string();
        assert!(
            text.contains("12 months") && text.contains("3 years"),
            "{text}"
        );
    }
}
