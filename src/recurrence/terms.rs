//! What a text is made of when it is compared: its words without frames and empty words, numbers as
//! figures, words that stand for one another under one name.

use crate::recurrence::lexicon::{LONGEST_PHRASE, lexicon};
use crate::recurrence::stem::stem;

/// One thing said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term {
    /// A stem, a figure, or `~class` for words that stand for one another.
    pub(crate) name: String,
    /// The words as they were said, folded.
    pub(crate) said: String,
    /// How much sharing it says: from 0 to 1, the rarer in general English the more.
    pub(crate) weight: f32,
}

/// The words of a folded text, in order, contractions opened.
pub(crate) fn words(folded: &str) -> Vec<String> {
    let mut words = Vec::new();
    let chars: Vec<char> = folded.chars().collect();
    let mut word = String::new();
    for (at, c) in chars.iter().enumerate() {
        let next = chars.get(at + 1);
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let joins = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric());
        let digits = |c: Option<&char>| c.is_some_and(char::is_ascii_digit);
        match c {
            c if c.is_alphanumeric() => word.push(*c),
            '\'' if joins(before) && joins(next) => word.push('\''),
            ',' if digits(before) && digits(next) => {}
            '.' | ':' if digits(before) && digits(next) => word.push(*c),
            '€' => money(&mut words, &mut word, "eur"),
            '$' => money(&mut words, &mut word, "usd"),
            '£' => money(&mut words, &mut word, "gbp"),
            '%' => money(&mut words, &mut word, "percent"),
            _ => opened(std::mem::take(&mut word), &mut words),
        }
    }
    opened(word, &mut words);
    figures(words)
}

fn money(words: &mut Vec<String>, word: &mut String, name: &str) {
    opened(std::mem::take(word), words);
    words.push(name.to_owned());
}

fn opened(word: String, words: &mut Vec<String>) {
    const SHORT: &[(&str, &str)] = &[
        ("arent", "are"),
        ("cannot", "can"),
        ("cant", "can"),
        ("couldnt", "could"),
        ("didnt", "do"),
        ("doesnt", "do"),
        ("dont", "do"),
        ("hasnt", "has"),
        ("havent", "have"),
        ("isnt", "is"),
        ("shouldnt", "should"),
        ("wasnt", "was"),
        ("werent", "were"),
        ("wont", "will"),
        ("wouldnt", "would"),
        ("needn", "need"),
        ("neednt", "need"),
    ];
    const PLAIN: &[(&str, &str)] = &[
        ("b4", "before"),
        ("euro", "eur"),
        ("euros", "eur"),
        ("pound", "gbp"),
        ("pounds", "gbp"),
        ("quid", "gbp"),
        ("dollar", "usd"),
        ("dollars", "usd"),
        ("bucks", "usd"),
        ("mins", "minute"),
        ("min", "minute"),
        ("hrs", "hour"),
        ("hr", "hour"),
        ("secs", "second"),
        ("sec", "second"),
        ("pct", "percent"),
        ("u", "you"),
        ("ur", "your"),
        ("r", "are"),
        ("w/o", "without"),
    ];
    if word.is_empty() {
        return;
    }
    let bare: String = word.chars().filter(|c| *c != '\'').collect();
    if let Some((_, first)) = SHORT.iter().find(|(form, _)| *form == bare) {
        words.extend([(*first).to_owned(), "not".to_owned()]);
    } else if let Some((_, plain)) = PLAIN.iter().find(|(form, _)| *form == bare) {
        words.push((*plain).to_owned());
    } else if let Some((head, _)) = word.split_once('\'') {
        words.push(head.to_owned());
    } else {
        words.push(word);
    }
}

/// Number words as figures: `a hundred and twenty` is `120`, `1k` is `1000`.
fn figures(words: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    let mut open: Option<u64> = None;
    let mut rest = words.into_iter().peekable();
    while let Some(word) = rest.next() {
        let next_is_number = rest.peek().is_some_and(|next| number(next).is_some());
        match (number(&word), open) {
            (Some(100), Some(n)) if n < 100 => open = Some(n.max(1) * 100),
            (Some(1000), Some(n)) if n < 1000 => open = Some(n.max(1) * 1000),
            (Some(n), Some(sum))
                if n < 10 && sum % 10 == 0 && sum > 10
                    || n < 100 && sum >= 100 && sum % 100 == 0 =>
            {
                open = Some(sum + n);
            }
            (Some(n), sum) => {
                out.extend(sum.map(|sum| sum.to_string()));
                open = Some(n);
            }
            (None, Some(sum)) if word == "and" && sum >= 100 && next_is_number => open = Some(sum),
            (None, _)
                if word == "a"
                    && rest
                        .peek()
                        .is_some_and(|next| next == "hundred" || next == "thousand") => {}
            (None, sum) => {
                out.extend(sum.map(|sum| sum.to_string()));
                open = None;
                out.push(thousands(word));
            }
        }
    }
    out.extend(open.map(|sum| sum.to_string()));
    out
}

fn number(word: &str) -> Option<u64> {
    const UNITS: &[&str] = &[
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: &[&str] = &[
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    let place = |list: &[&str]| list.iter().position(|unit| *unit == word);
    if let Some(at) = place(UNITS) {
        return Some(at as u64);
    }
    if let Some(at) = place(TENS) {
        return Some(20 + 10 * at as u64);
    }
    match word {
        "hundred" => Some(100),
        "thousand" => Some(1000),
        _ => None,
    }
}

fn thousands(word: String) -> String {
    match word.strip_suffix('k') {
        Some(head)
            if !head.is_empty() && head.len() < 5 && head.bytes().all(|b| b.is_ascii_digit()) =>
        {
            format!("{head}000")
        }
        _ => word,
    }
}

/// The terms of these words, in order.
pub(crate) fn terms(words: &[String]) -> Vec<Term> {
    const ARTICLES: &[&str] = &["a", "an", "the", "my", "your", "our", "their", "his", "her"];
    let kept: Vec<(&str, String)> = unframed(words)
        .iter()
        .filter(|word| !ARTICLES.contains(&word.as_str()))
        .map(|word| (word.as_str(), stem(word)))
        .collect();
    let mut terms = Vec::new();
    let mut rest: &[(&str, String)] = &kept;
    while let Some((first, tail)) = rest.split_first() {
        if let Some((length, term)) = phrase(rest) {
            terms.push(term);
            rest = rest.get(length..).unwrap_or_default();
        } else {
            terms.extend(single(first));
            rest = tail;
        }
    }
    terms
}

/// Without what only frames it; a text that is nothing but frame keeps it.
fn unframed(words: &[String]) -> &[String] {
    let mut rest = words;
    loop {
        let framed = lexicon().frame(rest);
        if framed == 0 || framed >= rest.len() {
            return rest;
        }
        rest = rest.get(framed..).unwrap_or_default();
    }
}

/// The longest phrase of the tables that starts here.
fn phrase(rest: &[(&str, String)]) -> Option<(usize, Term)> {
    (2..=LONGEST_PHRASE.min(rest.len()))
        .rev()
        .find_map(|length| {
            let words = rest.get(..length)?;
            let stems: Vec<&str> = words.iter().map(|(_, stem)| stem.as_str()).collect();
            let name = lexicon().class(&stems.join(" "))?.to_owned();
            let said: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let weight = lexicon().weight(name.trim_start_matches('~'));
            Some((
                length,
                Term {
                    name,
                    said: said.join(" "),
                    weight,
                },
            ))
        })
}

fn single((word, stem): &(&str, String)) -> Option<Term> {
    if lexicon().is_empty_word(word) {
        return None;
    }
    // `one` is a pronoun more often than a figure.
    let weight = if *word == "1" {
        0.35
    } else {
        lexicon().weight(stem)
    };
    let name = lexicon()
        .class(stem)
        .map_or_else(|| kin(word, stem), str::to_owned);
    Some(Term {
        name,
        said: (*word).to_owned(),
        weight,
    })
}

fn kin(word: &str, stem: &str) -> String {
    let features = crate::features::of(word);
    match features.words.first() {
        Some(first)
            if features.words.len() == 1 && first.root != first.stem && !first.root.is_empty() =>
        {
            let head = crate::recurrence::stem::stem(&first.root);
            lexicon()
                .class(&head)
                .map_or_else(|| format!("~{}", first.root), str::to_owned)
        }
        _ => stem.to_owned(),
    }
}
