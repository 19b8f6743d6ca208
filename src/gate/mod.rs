//! The gate: objections to a proposed claim, and nothing else.
//!
//! | module | knows |
//! |---|---|
//! | `facts` | what a judgement is made from and what it answers |
//! | `judge` | how the objections become one verdict |
//! | `policy`, `policy_file` | numbers, modes, statements and the decision table, read from TOML |
//! | `layers` | what a layer says for itself, which can only tighten |
//! | `auto` | what may pass without a person |
//! | `opinion` | a second opinion's answer, read as objections |
//! | `table` | what a form of words weighs, by class, kind and trust |
//! | `rules` | rules in code, one file each |
//! | `packs` | rules as data, with the examples that prove them |
//! | `index`, `need` | every word that is looked for, in one pass, and what patterns cannot do without |
//! | `matcher` | keywords first, then patterns |
//! | `marks`, `frame` | the families of those words, and what a sentence says in them |
//! | `reach` | which candidates a rule of a pack looks at, and what must stand near |
//! | `views`, `fold`, `traces`, `decode`, `disguise`, `lexicon` | the ways a text can be read, each mapped to raw bytes |
//! | `clause` | negation, and mention against use |
//! | `statement` | immutable statements, and what contradicts them |
//! | `influence` | what a claim could cause |
//! | `shape` | what a secret looks like |
//! | `secrets` | what must be masked |
//! | `work` | how much was looked at, for tests |
//! | `eval` | labelled rows in, answers and counts out |
//!
//! Pure: time and every other fact are arguments. It cannot clear, approve or look anything up.

mod auto;
pub mod case_file;
mod clause;
mod decode;
mod disguise;
pub mod eval;
mod facts;
mod fold;
mod frame;
mod index;
mod influence;
mod judge;
mod layers;
mod lexicon;
mod marks;
mod matcher;
mod need;
mod opinion;
mod packs;
mod policy;
mod policy_file;
mod reach;
mod rules;
mod secrets;
mod shape;
mod statement;
mod table;
mod traces;
mod views;
mod work;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod properties;

pub use auto::passes;
pub use facts::{Facts, Judgement, SourceFact, Standing, trust_of};
pub use judge::judge;
pub(crate) use judge::observe_all;
pub use layers::Setting;
pub use opinion::{no_opinion, read_opinion};
pub use packs::{PACKS, PackError, RuleNote, check_packs, rule_list};
pub use policy::{Mode, PRESETS, Policy, PolicyError, Thresholds};
pub use policy_file::{Ready, SecondOpinion};
pub use rules::{ALL as RULES, Rule};
pub use secrets::secrets;
