//! What a sentence says, as plain data: numbers with units, moments, names, codes, denials,
//! conditions, how sure it is, and which side of known opposites it takes.
//!
//! | module | knows |
//! |---|---|
//! | `words` `opened` `chunk` `stem` `small` `table` | the words, what each looks like, its plain form |
//! | `kin` `kin_table` | words and phrases that say the same |
//! | `number` `unit` `amount` `calendar` | numbers, units, days and times of day |
//! | `names` `negation` `mark` `question` `order` | names, denials, small words that change a claim, first and then |
//! | `poles` `axis_table` | opposites |
//! | `differences` | in what two texts cannot say the same |
//!
//! Reads one text at a time, in linear time; ranges are bytes of the raw text. It knows English
//! and the marks of any language, no grammar, and gives no score and no verdict. Text in disguise
//! is for the caller to fold first.

mod amount;
mod axis_table;
mod calendar;
mod chunk;
mod differences;
mod kin;
mod kin_table;
mod mark;
mod names;
mod negation;
mod number;
mod opened;
mod order;
mod poles;
mod question;
mod small;
mod stem;
mod table;
#[cfg(test)]
mod tests;
mod unit;
mod words;

use std::ops::Range;

pub use amount::{Amount, is_label};
pub use calendar::Moment;
pub use chunk::Shape;
pub use differences::{Difference, What, differences};
pub use kin::root;
pub use mark::{Mark, MarkKind};
pub use names::Name;
pub use negation::Negation;
pub use order::Order;
pub use poles::Pole;
pub use small::is_small;
pub use stem::stem;
pub use unit::{Unit, is_period};
pub use words::Word;

/// What one text says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Features {
    pub words: Vec<Word>,
    pub amounts: Vec<Amount>,
    pub moments: Vec<Moment>,
    pub names: Vec<Name>,
    /// Versions, paths, flags, addresses and identifiers, by their places among the words.
    pub codes: Vec<usize>,
    pub negations: Vec<Negation>,
    pub marks: Vec<Mark>,
    pub orders: Vec<Order>,
    pub poles: Vec<Pole>,
    /// What shows that the text asks, if it does.
    pub question: Option<Range<usize>>,
}

/// The value of a number word below a hundred, where it is a whole one.
pub(crate) fn small_number(word: &str) -> Option<u64> {
    let value = number::small(word)?;
    // Every word of the table is a whole number below a hundred.
    (0..100)
        .find(|whole: &u32| f64::from(*whole).total_cmp(&value).is_eq())
        .map(u64::from)
}

/// Reads a text.
#[must_use]
pub fn of(text: &str) -> Features {
    let mut words = words::words(text);
    kin::join_phrases(&mut words);
    let negations = negation::deny(&mut words);
    negation::condition(text, &mut words);
    let (amounts, moments) = amount::read(&words);
    let is_code = |(at, word): (usize, &Word)| word.shape.is_code().then_some(at);
    Features {
        codes: words.iter().enumerate().filter_map(is_code).collect(),
        names: names::names(&words),
        marks: mark::marks(&words),
        orders: order::orders(&words),
        poles: poles::poles(&words),
        question: question::question(text, &words),
        negations,
        amounts,
        moments,
        words,
    }
}

impl Features {
    /// The words that carry content: no small word, and no word that a phrase has taken in.
    pub fn content(&self) -> impl Iterator<Item = (usize, &Word)> {
        self.words
            .iter()
            .enumerate()
            .filter(|(_, word)| !word.root.is_empty() && !is_small(&word.lower))
    }

    /// Whether a mark of this kind stands in the text.
    #[must_use]
    pub fn has(&self, kind: MarkKind) -> bool {
        self.marks.iter().any(|mark| mark.kind == kind)
    }
}
