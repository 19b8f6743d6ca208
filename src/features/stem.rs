//! The plain form of an English word, so that `refunded` meets `refunds`.
//!
//! Light on purpose: endings of number and tense, nothing that turns one word into another.

use std::sync::LazyLock;

use crate::features::table::Table;

/// Forms that no rule finds: the plain form first.
const IRREGULAR: &[&str] = &[
    "be is are was were been being am",
    "have has had having",
    "do does did done doing",
    "go goes went gone going",
    "use uses used using",
    "say says said",
    "get gets got gotten getting",
    "give gives gave given giving",
    "take takes took taken taking",
    "make makes made making",
    "send sent",
    "pay pays paid",
    "buy bought",
    "sell sold",
    "keep kept",
    "run ran running",
    "begin began begun",
    "stick stuck",
    "break broke broken",
    "choose chose chosen",
    "write wrote written writing",
    "find found",
    "tell told",
    "meet met",
    "hold held",
    "lose lost",
    "build built",
    "rebuild rebuilt",
    "spend spent",
    "stand stood",
    "understand understood",
    "think thought",
    "bring brought",
    "show shown",
    "know knew known",
    "see saw seen",
    "eat ate eaten",
    "draw drew drawn",
    "drive drove driven",
    "fall fell fallen",
    "feel felt",
    "grow grew grown",
    "hide hid hidden",
    "ring rang rung",
    "rise rose risen",
    "speak spoke spoken",
    "steal stole stolen",
    "win won",
    "lend lent",
    "shrink shrank shrunk",
    "freeze froze frozen",
    "hang hung",
    "come came coming",
    "become became",
    "leave leaving leaves",
    "lie lying lain",
    "wear wore worn",
    "sign signs signed signing",
    "child children",
    "person people persons",
    "man men",
    "woman women",
    "foot feet",
    "mouse mice",
    "datum data",
    "swim swam",
    "sleep slept",
    "teach taught",
    "catch caught",
    "fly flew flown",
    "forget forgot forgotten",
    "die dies died dying",
    "try tries tried trying",
    "mean meant",
    "need needs needed",
    "news",
    "this",
    "his",
    "its",
    "always",
    "us",
    "as",
    "perhaps",
    "across",
    "thus",
    "yes",
    "bus buses",
    "gas",
    "lens",
    "series",
    "status statuses",
    "analysis analyses",
    "basis",
    "process processes processed processing",
    "access accesses accessed",
    "bed",
    "red",
    "during",
    "something",
    "nothing",
    "anything",
    "everything",
    "morning mornings",
    "evening evenings",
    "building buildings",
    "king",
    "thing things",
    "string strings",
    "spring",
    "meeting meetings",
    "hundred",
    "speed",
    "feed feeds",
    "indeed",
    "exceed exceeds exceeded",
    "proceed proceeds proceeded",
    "agree agrees agreed agreeing",
    "free",
    "fee fees",
    "one ones",
    "early",
    "only",
    "daily",
    "weekly",
    "monthly",
    "yearly",
    "hourly",
    "nightly",
    "July",
    "apply applies applied",
    "reply replies replied replying",
    "supply supplies supplied",
    "family families",
    "application applications",
    "information",
    "version versions",
    "station stations",
    "question questions",
    "section sections",
    "region regions",
    "million millions",
    "session sessions",
    "permission permissions",
    "rely",
    "assembly",
    "usually usual",
    "bill bills",
    "billing",
];

static PLAIN: LazyLock<Table<&'static str, &'static str>> = LazyLock::new(|| {
    let forms = IRREGULAR.iter().flat_map(|line| {
        let head = line.split(' ').next().unwrap_or(line);
        line.split(' ').map(move |form| (form, head))
    });
    forms.collect()
});

/// The plain form of a word in lower case.
#[must_use]
pub fn stem(word: &str) -> String {
    if let Some(plain) = PLAIN.get(word) {
        return (*plain).to_owned();
    }
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut out = singular(word);
    if let Some(plain) = PLAIN.get(out.as_str()) {
        return (*plain).to_owned();
    }
    untensed(&mut out);
    if out.len() > 6 && out.ends_with("ly") {
        out.truncate(out.len() - 2);
    }
    if out.len() > 6 && (out.ends_with("tion") || out.ends_with("sion")) {
        out.truncate(out.len() - 3);
    }
    if out.len() > 3 && out.ends_with('e') {
        out.pop();
    }
    out
}

fn singular(word: &str) -> String {
    let cut = |count: usize| word.get(..word.len() - count).unwrap_or(word);
    if word.len() > 4 && word.ends_with("ies") {
        return format!("{}y", cut(3));
    }
    if ["sses", "xes", "ches", "shes", "zes"]
        .iter()
        .any(|end| word.ends_with(end))
    {
        return cut(2).to_owned();
    }
    let kept = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    match word.ends_with('s') && !kept {
        true => cut(1).to_owned(),
        false => word.to_owned(),
    }
}

/// Takes `ing` and `ed` off, and the letter that they doubled.
fn untensed(word: &mut String) {
    if word.len() > 4 && word.ends_with("ied") {
        word.truncate(word.len() - 3);
        return word.push('y');
    }
    let cut = match () {
        () if word.len() > 5 && word.ends_with("ing") => 3,
        () if word.len() > 4 && word.ends_with("ed") => 2,
        () => return,
    };
    let head = word.get(..word.len() - cut).unwrap_or_default();
    if !head.contains(['a', 'e', 'i', 'o', 'u', 'y']) {
        return;
    }
    word.truncate(word.len() - cut);
    let mut last = word.bytes().rev();
    if let (Some(one), Some(two)) = (last.next(), last.next())
        && one == two
        && !b"lsz".contains(&one)
    {
        word.pop();
    }
}
