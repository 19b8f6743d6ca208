//! Rules that are data: read from TOML, woven with the shared word lists, proved by their own
//! examples. Knows nothing of trust or kinds; it only finds forms of words.

use crate::domain::{Class, Digest, Influence, Severity};
use crate::gate::frame::{Frame, Frames};
use crate::gate::index::Index;
use crate::gate::marks::Families;
use crate::gate::matcher::RawMatcher;
use crate::gate::need::{Need, NeededWords};
use crate::gate::policy::position;
use crate::gate::reach::{Applies, Near};
use crate::gate::shape::Token;
use regex::bytes::{Regex, RegexBuilder};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The packs, by name. A new pack is one file and one line here.
pub const PACKS: &[(&str, &str)] = &[
    (
        "credential",
        include_str!("../../assets/packs/credential.toml"),
    ),
    (
        "instruction",
        include_str!("../../assets/packs/instruction.toml"),
    ),
    ("control", include_str!("../../assets/packs/control.toml")),
    (
        "authority",
        include_str!("../../assets/packs/authority.toml"),
    ),
    ("action", include_str!("../../assets/packs/action.toml")),
    ("echo", include_str!("../../assets/packs/echo.toml")),
    (
        "languages",
        include_str!("../../assets/packs/languages.toml"),
    ),
    ("frames", include_str!("../../assets/packs/frames.toml")),
    (
        "frames_elsewhere",
        include_str!("../../assets/packs/frames_elsewhere.toml"),
    ),
];

/// Word lists that patterns name as `%list%`.
const WORDS: &str = include_str!("../../assets/packs/words.toml");

/// Families of words that frames are written in.
const FAMILIES: &str = include_str!("../../assets/packs/families.toml");

/// The largest a compiled pattern may be, in bytes.
const LARGEST: usize = 16 << 20;

/// Which view of the text a rule reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Look {
    /// The bytes as they stand.
    Raw,
    /// Lower case, folded, and everything that was decoded.
    Folded,
}

/// One rule, ready to match.
#[derive(Debug)]
pub(crate) struct PackRule {
    pub(crate) id: String,
    pub(crate) class: Class,
    pub(crate) form: String,
    pub(crate) severity: Severity,
    pub(crate) influence: Option<Influence>,
    pub(crate) explanation: String,
    pub(crate) look: Look,
    pub(crate) token: Option<Token>,
    /// The value is the first fitting word after the match.
    pub(crate) pick: bool,
    /// A negation just before it voids the match.
    pub(crate) negatable: bool,
    /// A question does not say it.
    pub(crate) unasked: bool,
    pub(crate) keywords: Vec<String>,
    pub(crate) with: Vec<String>,
    pub(crate) hits: Vec<String>,
    pub(crate) misses: Vec<String>,
    /// Which candidates it looks at.
    pub(crate) applies: Applies,
    /// What its sentence says; used where there is no pattern.
    pub(crate) frames: Vec<Frame>,
    /// What its pattern cannot match without.
    pub(crate) need: Need,
    since: String,
    pattern: Option<Lazy>,
    unless: Option<Lazy>,
    near: Option<(Lazy, usize)>,
}

/// Every rule of every pack, behind one prefilter for each sort of view.
#[derive(Debug)]
pub(crate) struct Packs {
    rules: Vec<PackRule>,
    families: Families,
    frames: Frames,
    index: Index,
    raw: RawMatcher,
    raw_index: Index,
}

/// Why a pack was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackError {
    /// The pack.
    pub pack: String,
    /// The rule, where it is one rule's fault.
    pub rule: Option<String>,
    /// What is wrong.
    pub what: String,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct PackFile {
    #[serde(default)]
    rule: Vec<RuleFile>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    id: String,
    class: Class,
    #[serde(default)]
    form: String,
    severity: Severity,
    influence: Option<Influence>,
    explanation: String,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    with: Vec<String>,
    pattern: Option<String>,
    #[serde(default)]
    frames: Vec<String>,
    unless: Option<String>,
    near: Option<Near>,
    #[serde(default)]
    applies: Applies,
    #[serde(default = "first_version")]
    since: String,
    token: Option<Token>,
    view: Option<Look>,
    #[serde(default)]
    pick: bool,
    #[serde(default)]
    negatable: bool,
    #[serde(default)]
    unasked: bool,
    hits: Vec<String>,
    misses: Vec<String>,
}

type Words = BTreeMap<String, Vec<String>>;

fn first_version() -> String {
    "1".to_owned()
}

/// A pattern compiled when it is first needed: Unicode off, as bytes, which is what keeps the
/// start short. What it matches is widened to character boundaries before anybody sees it.
#[derive(Debug)]
struct Lazy {
    /// As it stands in the pack, lists only named.
    written: String,
    /// With every list spelled out.
    source: String,
    regex: OnceLock<Option<Regex>>,
}

impl Lazy {
    const fn new(written: String, source: String) -> Self {
        Self {
            written,
            source,
            regex: OnceLock::new(),
        }
    }

    fn compiled(&self) -> Result<Regex, regex::Error> {
        let mut builder = RegexBuilder::new(&self.source);
        builder.unicode(false).size_limit(LARGEST).build()
    }

    fn get(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| self.compiled().ok()).as_ref()
    }

    fn error(&self) -> Option<String> {
        self.compiled().err().map(|error| error.to_string())
    }
}

impl PackRule {
    /// The compiled pattern; none where it does not compile, which holds the candidate.
    pub(crate) fn pattern(&self) -> Option<&Regex> {
        self.pattern.as_ref().and_then(Lazy::get)
    }

    /// What must stand near a match, and within how many words, as [`Self::unless`] says it.
    pub(crate) fn near(&self) -> Option<Option<(&Regex, usize)>> {
        let (pattern, words) = self.near.as_ref()?;
        Some(pattern.get().map(|pattern| (pattern, *words)))
    }

    /// Why one of its patterns does not compile.
    fn uncompiled(&self) -> Option<String> {
        let near = self.near.iter().map(|(pattern, _)| pattern);
        let mut all = self.pattern.iter().chain(&self.unless).chain(near);
        all.find_map(Lazy::error)
    }

    /// The context that voids a match: `None` where none is named, `Some(None)` where it is broken.
    pub(crate) fn unless(&self) -> Option<Option<&Regex>> {
        self.unless.as_ref().map(Lazy::get)
    }
}

impl Packs {
    /// The shipped packs, read once.
    pub(crate) fn shipped() -> Result<Arc<Self>, PackError> {
        static SHIPPED: OnceLock<Result<Arc<Packs>, PackError>> = OnceLock::new();
        SHIPPED
            .get_or_init(|| Self::read(WORDS, FAMILIES, PACKS).map(Arc::new))
            .clone()
    }

    /// The shipped rules that know a secret, read once: no policy changes what is one, and whoever
    /// only recalls does not wait for the rest.
    pub(crate) fn of_secrets() -> Result<Arc<Self>, PackError> {
        static SECRETS: OnceLock<Result<Arc<Packs>, PackError>> = OnceLock::new();
        let only = |(name, _): &&(&str, &str)| *name == "credential";
        SECRETS
            .get_or_init(|| {
                let packs: Vec<(&str, &str)> = PACKS.iter().filter(only).copied().collect();
                Self::read(WORDS, "", &packs).map(Arc::new)
            })
            .clone()
    }

    /// The hash of the shipped packs, which takes no reading.
    pub(crate) fn shipped_hash() -> Digest {
        static HASH: OnceLock<Digest> = OnceLock::new();
        *HASH.get_or_init(|| hash_of(WORDS, FAMILIES, PACKS))
    }

    /// Reads packs and their word lists.
    pub(crate) fn read(
        words: &str,
        families: &str,
        packs: &[(&str, &str)],
    ) -> Result<Self, PackError> {
        let lists: Words = toml::from_str(words).map_err(|error| unread("words", words, &error))?;
        let named: Words =
            toml::from_str(families).map_err(|error| unread("families", families, &error))?;
        let families =
            Families::new(&named).map_err(|what| PackError::new("families", None, &what))?;
        let mut rules = Vec::new();
        for (name, text) in packs {
            let file: PackFile =
                toml::from_str(text).map_err(|error| unread(name, text, &error))?;
            for rule in file.rule {
                rules.push(woven(name, rule, &lists, &families)?);
            }
        }
        let mut ids: Vec<&str> = rules.iter().map(|rule| rule.id.as_str()).collect();
        ids.sort_unstable();
        if let Some(twice) = ids.windows(2).find(|pair| pair.first() == pair.last()) {
            let rule = twice.first().map(|id| (*id).to_owned());
            return Err(PackError::new("", rule, "two rules have this id"));
        }
        let raw = RawMatcher::new(&rules);
        let raw = raw.ok_or_else(|| PackError::new("", None, "too many keywords"))?;
        let raw_index = indexed(&mut rules, Look::Raw, &lists, None);
        let index = indexed(&mut rules, Look::Folded, &lists, Some(&families));
        let frames = rules.iter().map(|rule| rule.frames.as_slice());
        let frames = Frames::new(frames, families.len());
        Ok(Self {
            rules,
            families,
            frames,
            index,
            raw,
            raw_index,
        })
    }

    /// Packs of one's own, over the shipped lists.
    #[cfg(test)]
    pub(crate) fn written(rules: &str) -> Self {
        Self::read(WORDS, FAMILIES, &[("p", rules)]).unwrap()
    }

    pub(crate) fn rules(&self) -> &[PackRule] {
        &self.rules
    }

    pub(crate) const fn families(&self) -> &Families {
        &self.families
    }

    pub(crate) const fn frames(&self) -> &Frames {
        &self.frames
    }

    /// What is looked for in folded text.
    pub(crate) const fn index(&self) -> &Index {
        &self.index
    }

    pub(crate) const fn raw(&self) -> &RawMatcher {
        &self.raw
    }

    /// What patterns need that look at the bytes as they stand.
    pub(crate) const fn raw_index(&self) -> &Index {
        &self.raw_index
    }
}

fn hash_of(words: &str, families: &str, packs: &[(&str, &str)]) -> Digest {
    let parts: Vec<&[u8]> = [words, families]
        .into_iter()
        .chain(packs.iter().map(|(_, text)| *text))
        .map(str::as_bytes)
        .collect();
    Digest::of_parts(&parts)
}

/// Notes what the patterns of one sort of view need, and puts it in one tree with the keywords of
/// their rules and the words of the families.
fn indexed(
    rules: &mut [PackRule],
    look: Look,
    lists: &Words,
    families: Option<&Families>,
) -> Index {
    let mut needed = NeededWords::over(lists);
    for rule in rules.iter_mut().filter(|rule| rule.look == look) {
        if let Some(pattern) = &rule.pattern {
            rule.need = Need::of(&pattern.written, &mut needed);
        }
    }
    // Keywords of rules that look at raw bytes may stand anywhere, so an automaton finds those.
    let placed = rules.iter().enumerate();
    let folded = placed.filter(|(_, rule)| rule.look == look && look == Look::Folded);
    let keywords = folded.flat_map(|(place, rule)| {
        let first = rule.keywords.iter().map(move |word| (word, place, false));
        let second = rule.with.iter().map(move |word| (word, place, true));
        first.chain(second)
    });
    let keywords = keywords.map(|(word, place, second)| (word.clone(), place, second));
    let entries = families.into_iter().flat_map(Families::entries);
    Index::new(entries, keywords, &needed, rules.len())
}

impl PackError {
    fn new(pack: &str, rule: Option<String>, what: &str) -> Self {
        let (pack, what) = (pack.to_owned(), what.to_owned());
        Self { pack, rule, what }
    }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pack, rule, what } = self;
        match rule {
            Some(rule) if pack.is_empty() => write!(f, "the rule `{rule}` is broken: {what}"),
            Some(rule) => write!(f, "the rule `{rule}` of pack `{pack}` is broken: {what}"),
            None => write!(f, "the pack `{pack}` is broken: {what}"),
        }
    }
}

impl std::error::Error for PackError {}

/// A rule as a person reads about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleNote {
    /// Its id.
    pub id: String,
    /// The class it objects in; `structure` for rules about fields, which are written in code.
    pub class: Class,
    /// What it objects to and what would satisfy it.
    pub why: String,
    /// The version of the packs that brought it.
    pub since: String,
}

/// Every rule, those in code first.
///
/// # Errors
/// A shipped pack that is broken.
pub fn rule_list() -> Result<Vec<RuleNote>, PackError> {
    let packs = Packs::shipped()?;
    let coded = crate::gate::rules::ALL.iter().map(|rule| RuleNote {
        id: rule.id.to_owned(),
        class: Class::Structure,
        why: rule.why.to_owned(),
        since: first_version(),
    });
    let written = packs.rules.iter().map(|rule| RuleNote {
        id: rule.id.clone(),
        class: rule.class,
        why: rule.explanation.clone(),
        since: rule.since.clone(),
    });
    Ok(coded.chain(written).collect())
}

/// Proves every rule by its own examples: each hit is found, each miss is not.
///
/// # Errors
/// The first rule that does not hold.
pub fn check_packs() -> Result<usize, PackError> {
    let packs = Packs::shipped()?;
    let mut problems = problems(&packs);
    match problems.is_empty() {
        true => Ok(packs.rules.len()),
        false => Err(problems.swap_remove(0)),
    }
}

/// Everything that does not hold in these packs.
pub(crate) fn problems(packs: &Packs) -> Vec<PackError> {
    packs
        .rules
        .iter()
        .flat_map(|rule| problems_of(packs, rule))
        .collect()
}

fn problems_of(packs: &Packs, rule: &PackRule) -> Vec<PackError> {
    let broken = |what: &str| PackError::new("", Some(rule.id.clone()), what);
    if let Some(why) = rule.uncompiled() {
        let why = why.replace('\n', " ");
        return vec![broken(&format!("its pattern does not compile: {why}"))];
    }
    if rule.hits.is_empty() || rule.misses.is_empty() {
        return vec![broken("it needs hits and misses of its own")];
    }
    let found = |text: &String| crate::gate::matcher::finds(packs, &rule.id, text);
    let missed = rule.hits.iter().filter(|text| !found(text));
    let hit = rule.misses.iter().filter(|text| found(text));
    missed
        .map(|text| broken(&format!("its own hit is missed: `{text}`")))
        .chain(hit.map(|text| broken(&format!("its own miss is hit: `{text}`"))))
        .collect()
}

fn unread(pack: &str, text: &str, error: &toml::de::Error) -> PackError {
    let (line, column) = position(text, error.span().map_or(0, |span| span.start));
    let what = format!("line {line}, column {column}: {}", error.message());
    PackError::new(pack, None, &what)
}

fn woven(
    pack: &str,
    file: RuleFile,
    lists: &Words,
    families: &Families,
) -> Result<PackRule, PackError> {
    let broken = |what: String| PackError::new(pack, Some(file.id.clone()), &what);
    let weave = |text: &str| {
        let source = spelled_out(text, lists, 0).map_err(broken)?;
        Ok::<Lazy, PackError>(Lazy::new(text.to_owned(), source))
    };
    let pattern = file.pattern.as_deref().map(weave).transpose()?;
    let unless = file.unless.as_deref().map(weave).transpose()?;
    let near = file.near.map(Near::checked).transpose().map_err(broken)?;
    let near = near
        .map(|near| weave(&near.pattern).map(|pattern| (pattern, near.within_words)))
        .transpose()?;
    let frames = file
        .frames
        .iter()
        .map(|frame| Frame::parse(frame, families));
    let frames: Vec<Frame> = frames.collect::<Result<_, _>>().map_err(broken)?;
    let applies = file.applies.checked().map_err(broken)?;
    if pattern.is_some() != frames.is_empty() {
        return Err(broken("it needs a pattern or frames, not both".to_owned()));
    }
    let words = |entries: &[String]| keywords(entries, lists).map_err(broken);
    let (keywords, with) = (words(&file.keywords)?, words(&file.with)?);
    if keywords.is_empty() && pattern.is_some() {
        return Err(broken("it has no keywords".to_owned()));
    }
    Ok(PackRule {
        pattern,
        unless,
        near,
        frames,
        applies,
        need: Need::Nothing,
        since: file.since,
        keywords,
        with,
        look: file.view.unwrap_or(Look::Folded),
        id: file.id,
        class: file.class,
        form: file.form,
        severity: file.severity,
        influence: file.influence,
        explanation: file.explanation,
        token: file.token,
        pick: file.pick,
        negatable: file.negatable,
        unasked: file.unasked,
        hits: file.hits,
        misses: file.misses,
    })
}

/// The pattern with each `%list%` replaced by its members, lists within lists included;
/// `%%` is a percent sign.
fn spelled_out(text: &str, lists: &Words, depth: u8) -> Result<String, String> {
    if depth > 4 {
        return Err("word lists name each other in a circle".to_owned());
    }
    let mut out = String::with_capacity(text.len());
    for (place, piece) in text.split('%').enumerate() {
        if place % 2 == 0 {
            out.push_str(piece);
            continue;
        }
        if piece.is_empty() {
            out.push('%');
            continue;
        }
        let members = lists
            .get(piece)
            .ok_or_else(|| format!("there is no word list `{piece}`"))?;
        let joined = spelled_out(&members.join("|"), lists, depth + 1)?;
        out.push_str("(?:");
        out.push_str(&joined);
        out.push(')');
    }
    Ok(out)
}

/// Keywords as plain text: of a list member, what stands before its first special character.
fn keywords(entries: &[String], lists: &Words) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    for entry in entries {
        match entry
            .strip_prefix('%')
            .and_then(|rest| rest.strip_suffix('%'))
        {
            Some(list) => {
                let members = lists
                    .get(list)
                    .ok_or_else(|| format!("there is no word list `{list}`"))?;
                let inner = members.iter().map(|member| literal_start(member));
                let plain: Vec<String> = inner.collect();
                out.extend(self::keywords(&plain, lists)?);
            }
            None if entry.len() < 2 && entry.starts_with(char::is_alphanumeric) => {
                return Err(format!("the keyword `{entry}` is too short"));
            }
            None => out.push(entry.to_lowercase()),
        }
    }
    out.sort();
    out.dedup();
    Ok(out)
}

fn literal_start(member: &str) -> String {
    if member.starts_with('%') {
        return member.to_owned();
    }
    let special = |c: char| "\\.+*?()|[]{}^$".contains(c);
    let Some(at) = member.find(special) else {
        return member.to_owned();
    };
    let head = member.get(..at).unwrap_or_default();
    let optional = member
        .get(at..)
        .is_some_and(|rest| rest.starts_with(['?', '*', '{']));
    let keep = head.chars().count() - usize::from(optional);
    head.chars().take(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::{FAMILIES, PACKS, Packs, WORDS, check_packs, literal_start, problems};

    #[test]
    fn every_rule_finds_its_hits_and_leaves_its_misses() {
        let packs = Packs::shipped().unwrap();
        let found: Vec<String> = problems(&packs).iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
        assert!(check_packs().unwrap() > 40);
    }

    fn pack(rule: &str) -> Result<(), String> {
        let text = format!(
            "[[rule]]\nid='x'\nclass='bypass'\nseverity='advisory'\nexplanation='e'\n{rule}"
        );
        let packs =
            Packs::read(WORDS, FAMILIES, &[("p", &text)]).map_err(|error| error.to_string())?;
        problems(&packs)
            .first()
            .map_or(Ok(()), |error| Err(error.to_string()))
    }

    #[test]
    fn a_pack_that_does_not_hold_is_refused() {
        let good = "keywords=['skip']\npattern='skip it'\nhits=['skip it']\nmisses=['keep it']";
        assert_eq!(pack(good), Ok(()));
        for (from, to, why) in [
            ("hits=['skip it']", "hits=['keep it']", "own hit is missed"),
            (
                "misses=['keep it']",
                "misses=['skip it']",
                "own miss is hit",
            ),
            ("pattern='skip it'", "pattern='skip ('", "does not compile"),
            ("pattern='skip it'", "pattern='%nolist%'", "no word list"),
            ("pattern=", "colour='red'\npattern=", "unknown field"),
            ("keywords=['skip']", "keywords=[]", "no keywords"),
            ("pattern='skip it'", "frames=['nobody']", "no word family"),
            (
                "pattern='skip it'",
                "pattern='skip it'\nframes=['skip']",
                "not both",
            ),
            (
                "hits=",
                "near={pattern='x', within_words=0}\nhits=",
                "words around",
            ),
            (
                "hits=",
                "near={pattern='zebra', within_words=3}\nhits=",
                "own hit is missed",
            ),
            ("hits=", "applies={trust=['web']}\nhits=", "lower trust"),
            ("hits=", "applies={scope='a//b'}\nhits=", "no layer"),
            ("hits=", "applies={colour='red'}\nhits=", "unknown field"),
        ] {
            let answer = pack(&good.replace(from, to));
            assert!(
                answer.clone().is_err_and(|e| e.contains(why)),
                "{why}: {answer:?}"
            );
        }
    }

    #[test]
    fn two_rules_of_one_id_are_refused() {
        let doubled: Vec<(&str, &str)> =
            PACKS.iter().chain(PACKS.iter().take(1)).copied().collect();
        assert!(Packs::read(WORDS, FAMILIES, &doubled).is_err());
    }

    #[test]
    fn keywords_of_a_list_are_its_literal_starts() {
        assert_eq!(literal_start("sign-?offs?"), "sign");
        assert_eq!(literal_start("approvals?"), "approval");
        assert_eq!(literal_start("check"), "check");
    }
}
