//! The policy: the numbers, modes and decision table a judgement is made under.
//!
//! Read once from TOML, refused with line and column where anything in it is unknown or unsound.
//! It cannot say "allow": it only says how much an objection weighs.

use crate::domain::{Class, Digest, Influence, Layer};
use crate::gate::packs::{PackError, Packs};
use crate::gate::policy_file::{Demand, File, Holding, Ready, SecondOpinion, Structure};
use crate::gate::statement::Statement;
use crate::gate::table::Table;
use std::fmt;
use std::sync::Arc;

const SHIPPED: &str = include_str!("../../assets/policy/balanced.toml");

/// The presets that ship, by name.
pub const PRESETS: &[(&str, &str)] = &[
    ("observe", include_str!("../../assets/policy/observe.toml")),
    ("balanced", SHIPPED),
    ("strict", include_str!("../../assets/policy/strict.toml")),
];

/// How many distinct people, sessions and days a pattern needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Distinct users.
    pub users: u32,
    /// Distinct sessions.
    pub sessions: u32,
    /// Distinct days.
    pub days: u32,
}

/// Whether a class holds candidates back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Record what would have happened, change nothing.
    Observe,
    /// Object.
    Enforce,
}

/// A policy that was read and found sound.
#[derive(Debug, Clone)]
pub struct Policy {
    source: String,
    pub(crate) file: File,
    pub(crate) table: Table,
    pub(crate) statements: Vec<Holding>,
    /// Names of other tenants that layers list.
    pub(crate) tenants: Vec<String>,
    /// What holds in the layers that say something for themselves, the deepest first.
    pub(crate) layers: Vec<(Layer, Self)>,
    /// Other rules than the shipped ones.
    packs: Option<Arc<Packs>>,
    hash: Digest,
}

/// Why a policy was refused. The gate stays closed until it is put right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyError {
    /// The line, from 1; 0 where it is the file as a whole.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong: bad TOML, an unknown key, a missing or mistyped value.
    pub what: String,
}

impl Policy {
    /// The policy a new store starts with.
    ///
    /// # Errors
    /// Only when the shipped files are broken; a test proves they are not.
    pub fn shipped() -> Result<Self, PolicyError> {
        Self::parse(SHIPPED)
    }

    /// Reads a policy.
    ///
    /// # Errors
    /// Bad TOML, an unknown key, an unsound value, with line and column.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let file: File = toml::from_str(text).map_err(|error| schema(text, &error))?;
        file.check(text)?;
        let rows = file.decision.iter().map(|row| row.get_ref().clone());
        let table = Table::new(rows.collect());
        if let Some(row) = table.twice() {
            let found = file.decision.iter().rfind(|entry| entry.get_ref() == row);
            let at = found.map_or(0, |entry| entry.span().start);
            return Err(PolicyError::at(
                text,
                at,
                "this row says again what a row above says",
            ));
        }
        let statements = file.statements(text)?;
        let hash = Digest::of_parts(&[text.as_bytes(), &Packs::shipped_hash().0]);
        let source = text.to_owned();
        let policy = Self {
            source,
            file,
            table,
            statements,
            tenants: Vec::new(),
            layers: Vec::new(),
            packs: None,
            hash,
        };
        policy.with_layers(text)
    }

    /// What holds in a layer: the section of the deepest layer above it or its own, which is at
    /// least as tight as everything above.
    #[must_use]
    pub fn at(&self, layer: &Layer) -> &Self {
        self.layers
            .iter()
            .find(|(at, _)| at.is_visible_from(layer))
            .map_or(self, |(_, policy)| policy)
    }

    /// The hash of its text alone, under which it stands in a store.
    #[must_use]
    pub fn text_hash(&self) -> Digest {
        Digest::of(self.source.as_bytes())
    }

    /// When a class that is only observed may be enforced.
    #[must_use]
    pub const fn ready_rule(&self) -> Ready {
        self.file.ready
    }

    /// The external command that may add objections, if one is named.
    #[must_use]
    pub fn second_opinion(&self) -> Option<&SecondOpinion> {
        self.file
            .second_opinion
            .as_ref()
            .map(toml::Spanned::get_ref)
    }

    /// The hash of policy and packs, named in every verdict.
    #[must_use]
    pub const fn hash(&self) -> Digest {
        self.hash
    }

    /// The text it was read from.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What it calls itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// How widely a pattern must be supported to be proposed.
    #[must_use]
    pub const fn thresholds(&self) -> Thresholds {
        self.file.thresholds
    }

    /// The longest life a memory of this influence may have; an authority is never promoted, and
    /// waits in quarantine no longer than an action lives.
    #[must_use]
    pub const fn longest_life_days(&self, influence: Influence) -> i64 {
        self.demand(influence).longest_life_days
    }

    /// How many different people must approve.
    #[must_use]
    pub const fn reviewers_needed(&self, influence: Influence) -> u32 {
        self.demand(influence).reviewers
    }

    /// Whether an approval needs a reason.
    #[must_use]
    pub const fn reason_needed(&self, influence: Influence) -> bool {
        self.demand(influence).reason
    }

    /// How many pending candidates a queue should hold at most.
    #[must_use]
    pub const fn queue_budget(&self) -> u64 {
        self.file.queue.budget
    }

    /// How long evidence is kept.
    #[must_use]
    pub const fn artifact_days(&self) -> i64 {
        self.file.artifacts.keep_days
    }

    /// The longest claim the gate reads; a longer one is held unread.
    #[must_use]
    pub const fn longest_bytes(&self) -> usize {
        self.file.text.longest_bytes
    }

    /// Whether objections of this class hold anything back.
    #[must_use]
    pub fn mode(&self, class: Class) -> Mode {
        self.file
            .modes
            .get(&class)
            .copied()
            .unwrap_or(Mode::Enforce)
    }

    /// The same policy over other packs.
    #[cfg(test)]
    pub(crate) fn over(&self, packs: Packs) -> Self {
        let packs = Some(Arc::new(packs));
        Self {
            packs,
            ..self.clone()
        }
    }

    /// Whether a sentence can be held as a statement.
    #[must_use]
    pub fn reads(statement: &str) -> bool {
        Statement::parse(statement).is_ok()
    }

    /// The same policy with further statements that hold everywhere.
    ///
    /// # Errors
    /// A statement the gate cannot read.
    pub fn with_statements(&self, texts: &[&str]) -> Result<Self, PolicyError> {
        let mut more = self.clone();
        for text in texts {
            let statement = Statement::parse(text).map_err(|what| PolicyError::at("", 0, &what))?;
            more.hash = Digest::of_parts(&[&more.hash.0, text.as_bytes()]);
            let hash = more.hash;
            let holding = Holding {
                statement,
                layer: None,
            };
            // A layer with a section of its own is judged under a copy.
            for (_, policy) in &mut more.layers {
                policy.statements.push(holding.clone());
                policy.hash = hash;
            }
            more.statements.push(holding);
        }
        Ok(more)
    }

    /// The statements that hold for a layer: its own and those of every layer above.
    pub(crate) fn statements(&self, layer: &Layer) -> impl Iterator<Item = &Statement> {
        let holds = |held: &&Holding| {
            held.layer
                .as_ref()
                .is_none_or(|at| at.is_visible_from(layer))
        };
        self.statements
            .iter()
            .filter(holds)
            .map(|held| &held.statement)
    }

    /// How much the structure rules weigh.
    pub(crate) const fn structure(&self) -> Structure {
        self.file.structure
    }

    /// What a form of words weighs.
    pub(crate) const fn table(&self) -> &Table {
        &self.table
    }

    /// The rules of words. They are read when they are first needed: whoever only looks things up
    /// does not wait for them.
    ///
    /// # Errors
    /// A rule cannot be read: then everything is held.
    pub(crate) fn packs(&self) -> Result<Arc<Packs>, PackError> {
        self.packs.clone().map_or_else(Packs::shipped, Ok)
    }

    const fn demand(&self, influence: Influence) -> Demand {
        match influence {
            Influence::Style => self.file.influence.style,
            Influence::Answer => self.file.influence.answer,
            Influence::Plan => self.file.influence.plan,
            Influence::Action | Influence::Authority => self.file.influence.action,
        }
    }
}

impl PolicyError {
    pub(crate) fn at(text: &str, offset: usize, what: &str) -> Self {
        let (line, column) = position(text, offset);
        Self {
            line,
            column,
            what: what.to_owned(),
        }
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, what } = self;
        match line {
            0 => write!(f, "the policy is not sound: {what}"),
            _ => write!(
                f,
                "the policy is not sound at line {line}, column {column}: {what}"
            ),
        }
    }
}

impl std::error::Error for PolicyError {}

fn schema(text: &str, error: &toml::de::Error) -> PolicyError {
    let what = error.message().replace('\n', " ");
    match error.span() {
        Some(span) => PolicyError::at(text, span.start, &what),
        None => PolicyError {
            line: 0,
            column: 0,
            what,
        },
    }
}

/// Line and column, both from 1, of a byte offset.
pub(crate) fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .map_or(1, |last| last.chars().count() + 1);
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::{PRESETS, Policy, PolicyError, SHIPPED};
    use crate::domain::Influence;
    use crate::domain::Layer;

    fn refused(from: &str, to: &str) -> (usize, String) {
        assert!(SHIPPED.contains(from), "{from}");
        match Policy::parse(&SHIPPED.replacen(from, to, 1)) {
            Err(PolicyError { line, what, .. }) => (line, what),
            Ok(_) => panic!("{from} -> {to}"),
        }
    }

    #[test]
    fn every_preset_is_sound_and_the_shipped_numbers_are_those_of_the_design() {
        for (name, text) in PRESETS {
            assert_eq!(Policy::parse(text).unwrap().name(), *name);
        }
        let policy = Policy::shipped().unwrap();
        let lives = [
            Influence::Style,
            Influence::Answer,
            Influence::Plan,
            Influence::Action,
        ]
        .map(|influence| policy.longest_life_days(influence));
        assert_eq!(lives, [180, 90, 30, 7]);
        assert_eq!(policy.reviewers_needed(Influence::Action), 2);
        assert!(policy.reason_needed(Influence::Plan));
        let numbers = (policy.queue_budget(), policy.artifact_days());
        assert_eq!(numbers, (40, 90));
        let limits = policy.thresholds();
        assert_eq!((limits.users, limits.sessions, limits.days), (3, 5, 2));
    }

    #[test]
    fn bad_configuration_is_refused_with_its_place() {
        let (line, what) = refused("budget = 40", "budget = 40\nbugdet = 3");
        assert!(line > 1 && what.contains("bugdet"), "{line} {what}");
        let (line, what) = refused("users = 3", "users = \"three\"");
        assert!(line > 1 && what.contains("invalid type"), "{what}");
        assert!(refused("users = 3", "users = 0").1.contains("threshold"));
        assert!(
            refused("longest_life_days = 7", "longest_life_days = 700")
                .1
                .contains("influence")
        );
        assert!(Policy::parse("").is_err());
        assert!(Policy::parse("name = ").is_err());
    }

    #[test]
    fn statements_are_read_at_load_or_refused_with_the_explicit_form() {
        let with = |more: &str| Policy::parse(&format!("{SHIPPED}\n[[statement]]\n{more}\n"));
        assert!(with("text = \"Agents do not place trades.\"").is_ok());
        let parts =
            "subject = \"agents\"\naction = \"place\"\nmodality = \"never\"\nvalue = \"trades\"";
        assert!(with(parts).is_ok());
        let error = with("text = \"Be nice.\"").unwrap_err().to_string();
        assert!(
            error.contains("line") && error.contains("subject, action"),
            "{error}"
        );
        assert!(with("subject = \"agents\"").is_err());
        assert!(with("text = \"No trades.\"\nlayer = \"acme//x\"").is_err());
    }

    #[test]
    fn a_row_that_loosens_for_lower_trust_is_refused() {
        let row = "[[decision]]\nclass = \"echo\"\nform = \"x\"\nsystem = \"quarantine\"\nauthenticated_user = \"none\"\ntool = \"none\"\nweb = \"none\"\nmodel = \"none\"\n";
        let error = Policy::parse(&format!("{SHIPPED}\n{row}"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("must not weigh less"), "{error}");
        let same = row.replace("none", "quarantine");
        let error = Policy::parse(&format!("{SHIPPED}\n{same}\n{same}"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("says again"), "{error}");
    }

    #[test]
    fn further_statements_hold_in_layers_with_a_section_of_their_own_too() {
        let text = format!(
            "{SHIPPED}\n[layer.\"acme\"]\n[layer.\"acme\".influence.style]\nlongest_life_days = 60\n"
        );
        let policy = Policy::parse(&text).unwrap();
        let more = policy
            .with_statements(&["Refunds over 50 euro need a team lead."])
            .unwrap();
        for layer in ["acme", "globex"] {
            let layer = Layer::parse(layer).unwrap();
            let (before, after) = (policy.at(&layer), more.at(&layer));
            assert_eq!(
                after.statements(&layer).count(),
                before.statements(&layer).count() + 1
            );
            assert_eq!(after.hash(), more.hash());
        }
    }

    #[test]
    fn the_hash_names_policy_and_packs() {
        let policy = Policy::shipped().unwrap();
        let changed = Policy::parse(&format!("{SHIPPED}\n# a note\n")).unwrap();
        assert_ne!(policy.hash(), changed.hash());
        assert_eq!(policy.hash(), Policy::shipped().unwrap().hash());
    }
}
