//! Where the words of the families stand in a text: one pass, no pattern.
//!
//! A family is a list of words that say the same thing for a rule ("approve", "wave through",
//! "give the nod"). Every frame is written in families, so one tree finds them all (`index`), once
//! for each view, whatever the number of rules. Knows nothing of rules, negation or trust.

use crate::gate::index::{self, Found, Seen, Word};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many families there may be.
const MOST: usize = 512;

/// Every family.
#[derive(Debug)]
pub(crate) struct Families {
    names: BTreeMap<String, usize>,
    entries: Vec<Entry>,
    /// Families that hold numbers, and the least digits of theirs.
    numbers: Vec<(usize, usize)>,
}

/// One word or phrase, and what it belongs to.
#[derive(Debug)]
struct Entry {
    text: String,
    families: Vec<usize>,
    /// It is no mark of them: whatever of them stands inside it does not count.
    except: bool,
    /// Letters may follow.
    open: bool,
    /// Letters may stand before.
    inside: bool,
}

/// A set of families.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Set([u64; MOST / 64]);

/// One word of a family, where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) family: usize,
    /// Bytes of the view.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Words of the view: its first and its last.
    pub(crate) first: usize,
    pub(crate) last: usize,
}

/// The marks of one sentence, in order.
#[derive(Debug, Default)]
pub(crate) struct Sentence {
    /// The number of its first word.
    pub(crate) opens: usize,
    pub(crate) marks: Vec<Mark>,
    pub(crate) present: Set,
}

/// How a form of a word is looked for.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    text: String,
    open: bool,
    inside: bool,
    except: bool,
}

/// Where words of a family do not count.
#[derive(Debug, Default)]
struct Hidden(BTreeMap<usize, Vec<Range<usize>>>);

impl Set {
    pub(crate) fn add(&mut self, family: usize) {
        if let Some(bits) = self.0.get_mut(family / 64) {
            *bits |= 1 << (family % 64);
        }
    }

    pub(crate) fn has(&self, family: usize) -> bool {
        let bits = self.0.get(family / 64);
        bits.is_some_and(|bits| bits & (1 << (family % 64)) != 0)
    }

    /// Its families.
    pub(crate) fn families(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate();
        words.flat_map(|(at, bits)| {
            let mut left = *bits;
            std::iter::from_fn(move || {
                let bit = usize::try_from(left.trailing_zeros()).ok()?;
                (left != 0).then(|| {
                    left &= left - 1;
                    at * 64 + bit
                })
            })
        })
    }

    /// Whether the two have a family in common.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

impl Families {
    /// Reads lists of words; a word may end in `+` (its inflected forms) or
    /// `*` (anything that begins so), and begin with `*` (may stand inside a word). One that
    /// begins with `!` is an exception: inside it no other word of the family counts, as in
    /// `optional` and `!not optional`. `#6` is a number as accounts and telephones have them, of at
    /// least six digits: no amount, no date, no year.
    pub(crate) fn new(lists: &BTreeMap<String, Vec<String>>) -> Result<Self, String> {
        if lists.len() > MOST {
            return Err(format!("there are more than {MOST} families"));
        }
        let names: BTreeMap<String, usize> = lists
            .keys()
            .cloned()
            .enumerate()
            .map(|(n, k)| (k, n))
            .collect();
        let mut forms: BTreeMap<Form, Vec<usize>> = BTreeMap::new();
        let mut numbers = Vec::new();
        for (family, words) in lists.values().enumerate() {
            for word in words {
                if let Some(least) = word.strip_prefix('#') {
                    let least = least.parse();
                    let least = least.map_err(|_| format!("`{word}` is no count of digits"))?;
                    numbers.push((family, least));
                    continue;
                }
                for form in forms_of(word)? {
                    let owners = forms.entry(form).or_default();
                    if !owners.contains(&family) {
                        owners.push(family);
                    }
                }
            }
        }
        let entries = forms.into_iter().map(|(form, families)| Entry {
            text: form.text,
            families,
            except: form.except,
            open: form.open,
            inside: form.inside,
        });
        Ok(Self {
            names,
            entries: entries.collect(),
            numbers,
        })
    }

    /// How many families there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// What is looked for, by the number under which [`Self::sentences`] knows it.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (String, index::Entry)> {
        let numbered = self.entries.iter().enumerate();
        numbered.map(|(number, entry)| {
            let (open, inside) = (entry.open, entry.inside);
            let sought = index::Entry {
                number,
                open,
                inside,
            };
            (entry.text.clone(), sought)
        })
    }

    /// The number of a family.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// The marks of a folded text, sentence by sentence; sentences without any are left out.
    pub(crate) fn sentences(&self, text: &str, seen: &Seen) -> Vec<Sentence> {
        let words = &seen.words;
        let mut hidden = Hidden::default();
        let mut marks: Vec<(usize, Mark)> = Vec::with_capacity(seen.entries.len() * 2);
        for found in &seen.entries {
            let Some((entry, word)) = self.entries.get(found.entry).zip(words.get(found.word))
            else {
                continue;
            };
            if entry.except {
                hidden.add(&entry.families, excepted(entry, found, words, text.len()));
                continue;
            }
            let last = last_word(words, found.end, found.word);
            marks.extend(entry.families.iter().map(|family| {
                let mark = Mark {
                    family: *family,
                    start: found.start,
                    end: found.end,
                    first: found.word,
                    last,
                };
                (word.sentence, mark)
            }));
        }
        if seen.digits && !self.numbers.is_empty() {
            self.count(text, words, &mut marks);
        }
        hidden.settle();
        marks.retain(|(_, mark)| !hidden.covers(mark));
        marks.sort_unstable_by_key(|(_, mark)| (mark.start, mark.end, mark.family));
        in_sentences(marks, words)
    }

    /// The numbers that belong to families.
    fn count(&self, text: &str, words: &[Word], marks: &mut Vec<(usize, Mark)>) {
        for (at, digits) in numbers(text) {
            let past = words.partition_point(|word| word.start <= at.start);
            let Some(first) = past.checked_sub(1) else {
                continue;
            };
            let Some(word) = words.get(first) else {
                continue;
            };
            let last = last_word(words, at.end, first);
            let held = self.numbers.iter().filter(|(_, least)| digits >= *least);
            marks.extend(held.map(|(family, _)| {
                let mark = Mark {
                    family: *family,
                    start: at.start,
                    end: at.end,
                    first,
                    last,
                };
                (word.sentence, mark)
            }));
        }
    }
}

/// The bytes inside which an exception hides words of its families.
fn excepted(entry: &Entry, found: &Found, words: &[Word], len: usize) -> Range<usize> {
    let end = if entry.open {
        let next = words.partition_point(|word| word.start <= found.end);
        words.get(next).map_or(len, |word| word.start)
    } else {
        found.end
    };
    found.start..end
}

/// The last word that begins before this place, from `first` on.
fn last_word(words: &[Word], end: usize, first: usize) -> usize {
    let after = words.get(first + 1..).unwrap_or_default();
    let more = after.iter().take_while(|word| word.start < end).count();
    first + more
}

impl Hidden {
    fn add(&mut self, families: &[usize], at: Range<usize>) {
        for family in families {
            self.0.entry(*family).or_default().push(at.clone());
        }
    }

    /// Puts the ranges in order, each stretched to the furthest end of those before it.
    fn settle(&mut self) {
        for ranges in self.0.values_mut() {
            ranges.sort_by_key(|range| range.start);
            let mut furthest = 0;
            for range in ranges {
                furthest = furthest.max(range.end);
                range.end = furthest;
            }
        }
    }

    /// Whether a mark lies inside a range of its own family.
    fn covers(&self, mark: &Mark) -> bool {
        self.0.get(&mark.family).is_some_and(|ranges| {
            let past = ranges.partition_point(|range| range.start <= mark.start);
            let reach = past.checked_sub(1).and_then(|place| ranges.get(place));
            reach.is_some_and(|range| mark.end <= range.end)
        })
    }
}

/// Marks in order, sentence by sentence.
fn in_sentences(marks: Vec<(usize, Mark)>, words: &[Word]) -> Vec<Sentence> {
    let mut out: Vec<Sentence> = Vec::new();
    let mut last_sentence = None;
    for (sentence, mark) in marks {
        if last_sentence != Some(sentence) {
            last_sentence = Some(sentence);
            let opens = words.partition_point(|word| word.sentence < sentence);
            out.push(Sentence {
                opens,
                ..Sentence::default()
            });
        }
        if let Some(here) = out.last_mut() {
            here.present.add(mark.family);
            here.marks.push(mark);
        }
    }
    out
}

/// The numbers of a text that name something, and their digits: groups joined by hyphens or single
/// spaces count as one. Amounts, dates and years are left out.
fn numbers(text: &str) -> Vec<(Range<usize>, usize)> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !digit(at) {
            at += 1;
            continue;
        }
        let start = at;
        let mut groups = Vec::new();
        loop {
            let from = at;
            while digit(at) {
                at += 1;
            }
            groups.push(at - from);
            if !matches!(bytes.get(at), Some(b'-' | b' ')) || !digit(at + 1) {
                break;
            }
            at += 1;
        }
        // `15,000` and `2.5` are amounts, `2026-05-01` is a date, `2026` a year.
        let amount = matches!(bytes.get(at), Some(b',' | b'.')) && digit(at + 1);
        let rest = matches!(
            start.checked_sub(1).and_then(|before| bytes.get(before)),
            Some(b',' | b'.')
        );
        let date = matches!(groups.as_slice(), [4, 2, 2] | [2, 2, 4]);
        let year = groups == [4] && matches!(bytes.get(start..start + 2), Some(b"19" | b"20"));
        if !(amount || rest || date || year) {
            out.push((start..at, groups.iter().sum()));
        }
    }
    out
}

/// What an entry of a list stands for.
fn forms_of(word: &str) -> Result<Vec<Form>, String> {
    let (except, rest) = match word.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let (inside, rest) = match rest.strip_prefix('*') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (open, inflected, stem) = match (rest.strip_suffix('*'), rest.strip_suffix('+')) {
        (Some(stem), _) => (true, false, stem),
        (None, Some(stem)) => (false, true, stem),
        (None, None) => (false, false, rest),
    };
    if stem.is_empty() || stem.to_lowercase() != stem {
        return Err(format!(
            "`{word}` is no word of a family: write it in lower case"
        ));
    }
    let texts = if inflected {
        inflections(stem)
    } else {
        vec![stem.to_owned()]
    };
    let form = |text| Form {
        text,
        open,
        inside,
        except,
    };
    Ok(texts.into_iter().map(form).collect())
}

/// The regular forms of an English verb or noun; of a phrase, those of its first and of its last
/// word. Forms that no dictionary knows do no harm.
fn inflections(stem: &str) -> Vec<String> {
    let Some((head, tail)) = stem.split_once(' ') else {
        return word_forms(stem);
    };
    let first = word_forms(head)
        .into_iter()
        .map(|form| format!("{form} {tail}"));
    let (rest, last) = stem.rsplit_once(' ').unwrap_or((head, tail));
    let last = word_forms(last)
        .into_iter()
        .map(|form| format!("{rest} {form}"));
    first.chain(last).collect()
}

fn word_forms(word: &str) -> Vec<String> {
    let chopped = word.strip_suffix(['e', 'y']).unwrap_or(word);
    let mut forms = vec![word.to_owned(), format!("{word}s"), format!("{word}'s")];
    if word.ends_with('e') {
        forms.extend([format!("{word}d"), format!("{chopped}ing")]);
    } else if word.ends_with('y') {
        forms.extend([
            format!("{chopped}ies"),
            format!("{chopped}ied"),
            format!("{word}ing"),
            format!("{word}ed"),
        ]);
    } else {
        forms.extend([
            format!("{word}es"),
            format!("{word}ed"),
            format!("{word}ing"),
        ]);
        if let Some(last) = word
            .chars()
            .next_back()
            .filter(|c| "bdgklmnprt".contains(*c))
        {
            forms.extend([format!("{word}{last}ed"), format!("{word}{last}ing")]);
        }
    }
    forms
}

/// The marks of a text, by families alone.
#[cfg(test)]
pub(crate) fn read(families: &Families, text: &str) -> Vec<Sentence> {
    let needed = crate::gate::need::NeededWords::default();
    let index = index::Index::new(families.entries(), std::iter::empty(), &needed, 0);
    families.sentences(text, &index.read(text))
}

#[cfg(test)]
mod tests {
    use super::{Families, inflections, read};
    use std::collections::BTreeMap;

    fn families() -> Families {
        let lists = [
            ("check", vec!["review+", "sign-off", "审批"]),
            ("drop", vec!["skip+", "leave+ out", "not need*", "pay"]),
            (
                "idle",
                vec!["pay", "optional", "!never optional", "!nothing gets *"],
            ),
            ("number", vec!["#5"]),
        ];
        let lists: BTreeMap<String, Vec<String>> = lists
            .into_iter()
            .map(|(name, words)| {
                (
                    name.to_owned(),
                    words.into_iter().map(str::to_owned).collect(),
                )
            })
            .collect();
        Families::new(&lists).unwrap()
    }

    /// The marks of a text, as `word` by `word`, sentences apart.
    fn check(text: &str, expected: &[&[&str]]) {
        let found = read(&families(), text);
        let words: Vec<Vec<&str>> = found
            .iter()
            .map(|sentence| {
                sentence
                    .marks
                    .iter()
                    .map(|m| text.get(m.start..m.end).unwrap())
                    .collect()
            })
            .collect();
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn words_are_found_whole_and_in_their_forms() {
        check(
            "they skipped the reviews. no sign-off",
            &[&["skipped", "reviews"], &["sign-off"]],
        );
        check("reviewers skipper", &[]);
        check("they do not needed it", &[&["not need"]]);
        check("无需审批即可", &[&["审批"]]);
    }

    #[test]
    fn inside_an_exception_its_own_family_does_not_count() {
        check("it is optional", &[&["optional"]]);
        check("it is never optional", &[]);
        check("it is never optionally", &[]);
        check(
            "never optional, or optional. optional",
            &[&["optional"], &["optional"]],
        );
        // `pay` belongs to two families, and only one of them excepts it here.
        check("pay now", &[&["pay", "pay"]]);
        check("nothing gets pay", &[&["pay"]]);
        check("nothing gets a pay", &[&["pay", "pay"]]);
    }

    #[test]
    fn numbers_name_something_or_they_are_none() {
        check("account 88120034", &[&["88120034"]]);
        check(
            "sort code 20-11-64, iban de89 3704 0044",
            &[&["20-11-64", "89 3704 0044"]],
        );
        check("in 5 days, 12 percent, room 1204", &[]);
        check("15000.50 or 15,000 on 2026-05-01 in 2026", &[]);
        check("01-05-2026; 1,234567", &[]);
        check("unit20-11-64", &[&["20-11-64"]]);
    }

    #[test]
    fn forms_are_those_of_the_first_and_the_last_word() {
        assert!(inflections("api key").contains(&"api keys".to_owned()));
        assert!(inflections("skip").contains(&"skipping".to_owned()));
        assert!(inflections("apply").contains(&"applied".to_owned()));
        assert!(inflections("approve").contains(&"approving".to_owned()));
        assert!(inflections("leave out").contains(&"leaving out".to_owned()));
    }
}
