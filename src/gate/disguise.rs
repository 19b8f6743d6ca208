//! Undoes what hides words from a reader of words: letters spelled apart, digits for letters,
//! words run together, misspelled or turned round. Each has a guard, so that ordinary text stays.

use crate::gate::lexicon;
use crate::gate::traces::Traces;
use crate::gate::views::{View, Weave};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use std::ops::Range;
use std::sync::OnceLock;

/// Letters spelled apart before it counts as a disguise.
const SPELLED: usize = 5;
/// Letters without a space before it counts as words run together.
const RUN: usize = 20;

/// `i g n o r e  t h i s` read as words.
pub(crate) fn spacing(view: &View, traces: Traces) -> Option<View> {
    if traces.spelled + 2 < SPELLED && view.text.is_ascii() {
        return None;
    }
    let chars: Vec<(char, Range<usize>)> = view.characters().collect();
    let mut out = Weave::default();
    let mut at = 0;
    let mut undone = false;
    while let Some((c, raw)) = chars.get(at) {
        let run = spelled_run(&chars, at);
        if run.letters.len() < SPELLED {
            out.push(*c, raw.clone());
            at += 1;
            continue;
        }
        undone = true;
        for (place, wide) in run.letters {
            if let Some((c, raw)) = chars.get(place) {
                if wide {
                    out.push(' ', raw.clone());
                }
                out.push(*c, raw.clone());
            }
        }
        at = run.end;
    }
    undone.then(|| out.into_view("spacing"))
}

struct Run {
    /// Places of the letters, and whether a wide gap stood before each.
    letters: Vec<(usize, bool)>,
    end: usize,
}

/// The run of single letters that starts here.
fn spelled_run(chars: &[(char, Range<usize>)], from: usize) -> Run {
    let single = |at: usize| {
        chars
            .get(at)
            .is_some_and(|(c, _)| c.is_alphanumeric() || "@$!".contains(*c))
    };
    let gap = |at: usize| chars.get(at).is_some_and(|(c, _)| " .-_*\t".contains(*c));
    let mut run = Run {
        letters: Vec::new(),
        end: from,
    };
    if from > 0 && single(from - 1) {
        return run;
    }
    let mut at = from;
    let mut wide = false;
    while single(at) && !single(at + 1) {
        run.letters.push((at, wide));
        run.end = at + 1;
        let mut next = at + 1;
        while gap(next) {
            next += 1;
        }
        wide = next - at > 2;
        if next == at + 1 || next - at > 4 {
            break;
        }
        at = next;
    }
    run
}

/// `1gn0re` read as `ignore`: the words of the lexicon first, letter by letter otherwise.
pub(crate) fn leet(view: &View, traces: Traces) -> Option<View> {
    if !traces.stand_ins || !view.text.split(is_word_break).any(is_leet) {
        return None;
    }
    let mut out = Weave::default();
    for word in chunks(view, is_word_break) {
        let token: String = word.iter().map(|(c, _)| *c).collect();
        let known = lexicon::spelled(&token);
        let read: Vec<char> = known.map_or_else(
            || token.chars().map(unleet).collect(),
            |word| word.chars().collect(),
        );
        for (c, (_, raw)) in read.into_iter().zip(word) {
            out.push(c, raw);
        }
    }
    Some(out.into_view("leet"))
}

/// `ignoreallprevious` read as words.
pub(crate) fn run_together(view: &View, traces: Traces) -> Option<View> {
    if traces.longest_word < RUN {
        return None;
    }
    let mut out = Weave::default();
    let mut undone = false;
    for word in chunks(view, |c| !c.is_ascii_alphanumeric()) {
        let token: Vec<char> = word.iter().map(|(c, _)| *c).collect();
        let Some(parts) = (token.len() >= RUN)
            .then(|| lexicon::run_together(&token))
            .flatten()
        else {
            word.into_iter().for_each(|(c, raw)| out.push(c, raw));
            continue;
        };
        undone = true;
        let mut raws = word.into_iter().map(|(_, raw)| raw);
        for (part, _) in parts {
            for (place, c) in part.chars().enumerate() {
                let Some(raw) = raws.next() else {
                    break;
                };
                if place == 0 && part.len() > 1 {
                    out.push(' ', raw.start..raw.start);
                }
                out.push(c, raw);
            }
        }
    }
    undone.then(|| out.into_view("run_together"))
}

/// `skpi teh aproval` read as `skip the approval`, where two words at least are misspelled so.
pub(crate) fn misspelled(view: &View) -> Option<View> {
    let words = view.text.split(|c: char| !c.is_ascii_alphabetic());
    if words.filter_map(lexicon::misspelled).take(2).count() < 2 {
        return None;
    }
    let mut out = Weave::default();
    for word in chunks(view, |c| !c.is_ascii_alphabetic()) {
        let token: String = word.iter().map(|(c, _)| *c).collect();
        let whole = word
            .first()
            .map(|(_, raw)| raw.start)
            .zip(word.last().map(|(_, raw)| raw.end));
        match (lexicon::misspelled(&token), whole) {
            (Some(read), Some((start, end))) => read.chars().for_each(|c| out.push(c, start..end)),
            _ => word.into_iter().for_each(|(c, raw)| out.push(c, raw)),
        }
    }
    Some(out.into_view("misspelled"))
}

/// Text turned round, or with every letter moved by thirteen: undone where the commonest words
/// show that it was.
pub(crate) fn turned(view: &View) -> Option<View> {
    let mut out = Weave::default();
    match turn_of(&view.text)? {
        Turn::Thirteen => {
            let turned = view.characters().map(|(c, raw)| (thirteen(c), raw));
            turned.for_each(|(c, raw)| out.push(c, raw));
            Some(out.into_view("rot13"))
        }
        Turn::Round => {
            let chars: Vec<_> = view.characters().collect();
            let turned = chars.into_iter().rev();
            turned.for_each(|(c, raw)| out.push(c, raw));
            Some(out.into_view("reversed"))
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Thirteen,
    Round,
}

/// Which turn two of its words show, if any.
fn turn_of(text: &str) -> Option<Turn> {
    static FINDER: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let finder = FINDER.get_or_init(|| {
        let words = TURNED.iter().map(|(_, word, _)| *word);
        let mut builder = AhoCorasick::builder();
        builder.kind(Some(AhoCorasickKind::DFA)).build(words).ok()
    });
    let bytes = text.as_bytes();
    let free = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_none_or(|b| *b == b' ');
    let (mut thirteen, mut round) = (0_u32, 0_u32);
    for found in finder.as_ref()?.find_overlapping_iter(text) {
        let number = found.pattern().as_usize();
        let Some((turn, _, whole)) = TURNED.get(number) else {
            continue;
        };
        let stands = free(found.start().checked_sub(1)) && free(Some(found.end()));
        if !whole || stands {
            match turn {
                Turn::Thirteen => thirteen |= 1 << number,
                Turn::Round => round |= 1 << number,
            }
        }
    }
    match (thirteen.count_ones(), round.count_ones()) {
        (2.., _) => Some(Turn::Thirteen),
        (_, 2..) => Some(Turn::Round),
        _ => None,
    }
}

/// Common words as they read turned, and whether they must stand alone.
const TURNED: &[(Turn, &str, bool)] = &[
    (Turn::Thirteen, "gur", true),
    (Turn::Thirteen, "naq", true),
    (Turn::Thirteen, "gb", true),
    (Turn::Thirteen, "bs", true),
    (Turn::Thirteen, "lbhe", true),
    (Turn::Thirteen, "vafgehpgvba", false),
    (Turn::Thirteen, "cebzcg", false),
    (Turn::Thirteen, "vtaber", false),
    (Turn::Thirteen, "erirny", false),
    (Turn::Round, "eht", true),
    (Turn::Round, "dna", true),
    (Turn::Round, "ot", true),
    (Turn::Round, "lla", true),
    (Turn::Round, "ruoy", true),
    (Turn::Round, "snoitcurtsni", false),
    (Turn::Round, "tpmorp", false),
    (Turn::Round, "erongi", false),
    (Turn::Round, "laever", false),
];

fn thirteen(c: char) -> char {
    let turn = |base: u8, c: u8| char::from(base + (c - base + 13) % 26);
    match u8::try_from(c) {
        Ok(byte @ b'a'..=b'z') => turn(b'a', byte),
        Ok(byte @ b'A'..=b'Z') => turn(b'A', byte),
        _ => c,
    }
}

/// The characters of a view in runs of what breaks a word and what does not.
fn chunks(view: &View, breaks: fn(char) -> bool) -> Vec<Vec<(char, Range<usize>)>> {
    let mut out: Vec<Vec<(char, Range<usize>)>> = Vec::new();
    let mut last = None;
    for (c, raw) in view.characters() {
        let kind = Some(breaks(c));
        match out.last_mut().filter(|_| last == kind) {
            Some(chunk) => chunk.push((c, raw)),
            None => out.push(vec![(c, raw)]),
        }
        last = kind;
    }
    out
}

fn is_word_break(c: char) -> bool {
    !(c.is_alphanumeric() || "@$!".contains(c))
}

/// A word of letters with digits in their places: not a number with a unit, not a hex string.
fn is_leet(word: &str) -> bool {
    let word = word.trim_end_matches('!');
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let stand_ins = word.chars().filter(|c| "013457@$!".contains(*c)).count();
    let known = letters + stand_ins == word.chars().count();
    let hex = word.len() >= 4 && word.chars().all(|c| c.is_ascii_hexdigit());
    let middle = word.trim_matches(|c: char| c.is_ascii_digit());
    let numbered = middle.chars().all(char::is_alphabetic)
        && !word.starts_with(['1', '4', '3', '0', '5', '7', '@', '$']);
    let ordinal = ["1st", "3rd", "4th", "5th", "7th", "0th"]
        .iter()
        .any(|end| word.ends_with(end));
    let counted = word.trim_start_matches(|c: char| c.is_ascii_digit()).len() < word.len()
        && word.chars().take_while(char::is_ascii_digit).count() > 1
        && word.len() > 4;
    known
        && letters >= 2
        && stand_ins >= 1
        && word.len() >= 4
        && !hex
        && !numbered
        && !ordinal
        && !counted
        && !word
            .get(1..)
            .is_some_and(|rest| rest.contains('@') && rest.len() > 12)
}

const fn unleet(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::is_leet;

    #[test]
    fn names_numbers_and_digests_are_no_leet() {
        for word in [
            "sha256", "v2", "db3", "utf8", "4th", "15th", "30days", "e3b0c442", "2024", "node18",
            "b2b", "x86", "s3", "p0",
        ] {
            assert!(!is_leet(word), "{word}");
        }
        for word in ["1gn0re", "prev10us", "@ppr0ved", "b0ard", "53nd"] {
            assert!(is_leet(word), "{word}");
        }
    }
}
