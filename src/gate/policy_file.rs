//! The policy file as it is written: its tables and keys, and what makes one unsound.

use crate::domain::{Class, Influence, Kind, Layer, Severity, Trust};
use crate::gate::policy::{Mode, PolicyError, Thresholds};
use crate::gate::statement::Statement;
use crate::gate::table::Row;
use std::collections::BTreeMap;

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) thresholds: Thresholds,
    pub(crate) queue: Queue,
    pub(crate) artifacts: Artifacts,
    pub(crate) text: Text,
    pub(crate) influence: Influences,
    pub(crate) structure: Structure,
    #[serde(default)]
    pub(crate) modes: BTreeMap<Class, Mode>,
    pub(crate) decision: Vec<toml::Spanned<Row>>,
    #[serde(default)]
    pub(crate) statement: Vec<toml::Spanned<Stated>>,
    #[serde(default)]
    pub(crate) auto: Auto,
    #[serde(default)]
    pub(crate) ready: Ready,
    pub(crate) second_opinion: Option<toml::Spanned<SecondOpinion>>,
    #[serde(default)]
    pub(crate) layer: BTreeMap<String, toml::Spanned<LayerFile>>,
}

/// What passes without a person: nothing unless it is switched on.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Auto {
    #[serde(default)]
    pub(crate) on: bool,
    #[serde(default)]
    pub(crate) pass: Vec<toml::Spanned<Pass>>,
}

/// One named class of claims that may pass.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pass {
    pub(crate) kind: Kind,
    pub(crate) influence: Influence,
    pub(crate) trust: Option<Trust>,
    #[serde(default, deserialize_with = "read_layer")]
    pub(crate) layer: Option<Layer>,
    #[serde(default = "yes")]
    pub(crate) session_only: bool,
    pub(crate) life_days: i64,
}

fn read_layer<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Option<Layer>, D::Error> {
    let path = <String as serde::Deserialize>::deserialize(reader)?;
    Layer::parse(&path)
        .map(Some)
        .map_err(serde::de::Error::custom)
}

const fn yes() -> bool {
    true
}

/// The longest life of what no person looked at, in days.
const AUTO_LONGEST: i64 = 14;

/// When a class that is only observed may be enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ready {
    /// So many of the candidates it would have held must have been decided by people.
    pub decided: u64,
    /// Of these, people may have let through at most this share, in percent.
    pub wrongly_held_percent: u64,
}

impl Default for Ready {
    fn default() -> Self {
        Self {
            decided: 20,
            wrongly_held_percent: 5,
        }
    }
}

/// An external command that may add objections.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecondOpinion {
    /// The program and its arguments; no shell reads them.
    pub command: Vec<String>,
    /// How long it may take.
    #[serde(default = "time_limit")]
    pub time_limit_ms: u64,
    /// How much it may answer.
    #[serde(default = "most_bytes")]
    pub max_bytes: usize,
}

const fn time_limit() -> u64 {
    2000
}

const fn most_bytes() -> usize {
    65_536
}

/// What a layer says for itself and those below it. It may only tighten.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LayerFile {
    pub(crate) thresholds: BTreeMap<String, toml::Spanned<u32>>,
    pub(crate) influence: BTreeMap<Influence, SomeDemand>,
    pub(crate) structure: BTreeMap<String, toml::Spanned<Severity>>,
    pub(crate) modes: BTreeMap<Class, toml::Spanned<Mode>>,
    pub(crate) decision: Vec<toml::Spanned<Row>>,
    pub(crate) statement: Vec<toml::Spanned<Stated>>,
    pub(crate) tenants: Vec<String>,
    pub(crate) auto: Option<toml::Spanned<bool>>,
}

/// What one influence asks for in a layer, as far as it differs.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SomeDemand {
    pub(crate) reviewers: Option<toml::Spanned<u32>>,
    pub(crate) reason: Option<toml::Spanned<bool>>,
    pub(crate) longest_life_days: Option<toml::Spanned<i64>>,
}

/// A statement as it is written: a sentence, or its parts.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stated {
    pub(crate) text: Option<String>,
    pub(crate) subject: Option<String>,
    pub(crate) action: Option<String>,
    pub(crate) modality: Option<Modality>,
    pub(crate) value: Option<String>,
    pub(crate) layer: Option<String>,
}

#[derive(Debug, Clone, Copy, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Modality {
    Never,
    Must,
    Only,
    Is,
}

/// A statement and the layer it holds for, everywhere where none is named.
#[derive(Debug, Clone)]
pub(crate) struct Holding {
    pub(crate) statement: Statement,
    pub(crate) layer: Option<Layer>,
}

#[derive(Debug, Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Queue {
    pub(crate) budget: u64,
}

#[derive(Debug, Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Artifacts {
    pub(crate) keep_days: i64,
}

#[derive(Debug, Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    pub(crate) longest_bytes: usize,
}

#[derive(Debug, Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Influences {
    pub(crate) style: Demand,
    pub(crate) answer: Demand,
    pub(crate) plan: Demand,
    pub(crate) action: Demand,
}

/// What one influence asks for.
#[derive(Debug, Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Demand {
    pub(crate) reviewers: u32,
    pub(crate) reason: bool,
    pub(crate) longest_life_days: i64,
}

/// How much the structure rules weigh where DESIGN leaves it open.
#[derive(Debug, Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Structure {
    /// An answer out of one page, or in a model's words alone.
    pub(crate) answer_from_one_page: Severity,
    /// A plan without the thresholds, from a tool or a person.
    pub(crate) plan_said_once: Severity,
    /// A plan out of a page or in a model's words alone.
    pub(crate) plan_from_page_or_model: Severity,
    /// An action without system or receipt evidence, from a tool or a person.
    pub(crate) action_without_receipt: Severity,
    /// An action out of a page or in a model's words.
    pub(crate) action_from_page_or_model: Severity,
    /// A model's words presented as fact.
    pub(crate) inference_as_fact: Severity,
    /// Session references alone, or evidence past its retention.
    pub(crate) unverified_source: Severity,
    /// A rule of work that the sources it names do not say.
    #[serde(default = "advisory")]
    pub(crate) unsupported_plan: Severity,
    /// A target to act on that the sources it names do not say.
    #[serde(default = "quarantine")]
    pub(crate) unsupported_action: Severity,
    /// An expiry longer than the influence allows; it is shortened whatever this says.
    pub(crate) expiry_too_long: Severity,
    /// The state of a task without a receipt, from a tool or better.
    pub(crate) task_state_without_receipt: Severity,
    /// The same out of a page or in a model's words, where it says that something is done.
    pub(crate) task_done_without_receipt: Severity,
}

const fn advisory() -> Severity {
    Severity::Advisory
}

const fn quarantine() -> Severity {
    Severity::Quarantine
}

impl Structure {
    /// Every weight under its key.
    pub(crate) const fn weights(&self) -> [(&'static str, Severity); 12] {
        [
            ("answer_from_one_page", self.answer_from_one_page),
            ("plan_said_once", self.plan_said_once),
            ("plan_from_page_or_model", self.plan_from_page_or_model),
            ("action_without_receipt", self.action_without_receipt),
            ("action_from_page_or_model", self.action_from_page_or_model),
            ("inference_as_fact", self.inference_as_fact),
            ("unverified_source", self.unverified_source),
            ("unsupported_plan", self.unsupported_plan),
            ("unsupported_action", self.unsupported_action),
            ("expiry_too_long", self.expiry_too_long),
            (
                "task_state_without_receipt",
                self.task_state_without_receipt,
            ),
            ("task_done_without_receipt", self.task_done_without_receipt),
        ]
    }

    /// The weight under a key, to be changed.
    pub(crate) fn weight_mut(&mut self, key: &str) -> Option<&mut Severity> {
        Some(match key {
            "answer_from_one_page" => &mut self.answer_from_one_page,
            "plan_said_once" => &mut self.plan_said_once,
            "plan_from_page_or_model" => &mut self.plan_from_page_or_model,
            "action_without_receipt" => &mut self.action_without_receipt,
            "action_from_page_or_model" => &mut self.action_from_page_or_model,
            "inference_as_fact" => &mut self.inference_as_fact,
            "unverified_source" => &mut self.unverified_source,
            "unsupported_plan" => &mut self.unsupported_plan,
            "unsupported_action" => &mut self.unsupported_action,
            "expiry_too_long" => &mut self.expiry_too_long,
            "task_state_without_receipt" => &mut self.task_state_without_receipt,
            "task_done_without_receipt" => &mut self.task_done_without_receipt,
            _ => return None,
        })
    }
}

impl Auto {
    fn check(&self, text: &str, style_days: i64) -> Result<(), PolicyError> {
        for pass in &self.pass {
            if let Some(what) = pass.get_ref().problem(style_days) {
                return Err(PolicyError::at(text, pass.span().start, &what));
            }
        }
        Ok(())
    }
}

impl Pass {
    fn problem(&self, style_days: i64) -> Option<String> {
        let longest = AUTO_LONGEST.min(style_days);
        if self.influence == Influence::Authority {
            return Some("`authority` never passes: nothing is enough for it".to_owned());
        }
        if self.influence > Influence::Style {
            let what = self.influence;
            return Some(format!(
                "only `style` may pass without a person; `{what}` can cause more"
            ));
        }
        if self
            .trust
            .is_some_and(|trust| trust < Trust::AuthenticatedUser)
        {
            return Some(
                "`trust` must be at least `authenticated_user` for what no person looks at"
                    .to_owned(),
            );
        }
        if !self.session_only && self.layer.is_none() {
            return Some("name the `layer` it may pass in, or leave `session_only` on".to_owned());
        }
        (self.life_days < 1 || self.life_days > longest).then(|| {
            format!("`life_days` must be between 1 and {longest} for what no person looks at")
        })
    }
}

impl SecondOpinion {
    fn problem(&self) -> Option<&'static str> {
        if self.command.first().is_none_or(String::is_empty) {
            return Some("`command` names a program and its arguments: [\"prog\", \"arg\"]");
        }
        if self.time_limit_ms < 1 || self.time_limit_ms > 60_000 {
            return Some("`time_limit_ms` must be between 1 and 60000");
        }
        (self.max_bytes < 64 || self.max_bytes > 1_048_576)
            .then_some("`max_bytes` must be between 64 and 1048576")
    }
}

impl Stated {
    /// The sentence it stands for.
    fn sentence(&self) -> Result<String, &'static str> {
        let value = self.value.as_deref().unwrap_or_default();
        match (&self.text, &self.subject, &self.action, self.modality) {
            (Some(text), None, None, None) if self.value.is_none() => Ok(text.clone()),
            (None, Some(subject), Some(action), Some(modality)) => Ok(match modality {
                Modality::Never => format!("{subject} never {action} {value}"),
                Modality::Must => format!("{subject} must {action} {value}"),
                Modality::Only => format!("only {subject} may {action} {value}"),
                Modality::Is => format!("{subject} {action} {value}"),
            }),
            _ => Err(
                "a statement has either `text`, or `subject`, `action`, `modality` and, where it has one, `value`",
            ),
        }
    }
}

impl File {
    pub(crate) fn statements(&self, text: &str) -> Result<Vec<Holding>, PolicyError> {
        self.statement
            .iter()
            .map(|stated| holding(text, stated))
            .collect()
    }

    pub(crate) fn check(&self, text: &str) -> Result<(), PolicyError> {
        for row in &self.decision {
            if let Some(what) = row.get_ref().problem() {
                return Err(PolicyError::at(text, row.span().start, what));
            }
        }
        self.influence.problem().map_or(Ok(()), |what| {
            Err(PolicyError::at(text, heading(text, "[influence"), what))
        })?;
        let Thresholds {
            users,
            sessions,
            days,
        } = self.thresholds;
        if users == 0 || sessions == 0 || days == 0 {
            let at = heading(text, "[thresholds");
            return Err(PolicyError::at(text, at, "a threshold must be at least 1"));
        }
        if self.artifacts.keep_days < 1 {
            let at = heading(text, "[artifacts");
            return Err(PolicyError::at(text, at, "`keep_days` must be at least 1"));
        }
        if let Some(opinion) = &self.second_opinion
            && let Some(what) = opinion.get_ref().problem()
        {
            return Err(PolicyError::at(text, opinion.span().start, what));
        }
        if self.ready.decided == 0 || self.ready.wrongly_held_percent > 100 {
            let at = heading(text, "[ready");
            return Err(PolicyError::at(
                text,
                at,
                "`decided` must be at least 1 and `wrongly_held_percent` at most 100",
            ));
        }
        self.auto
            .check(text, self.influence.style.longest_life_days)
    }
}

/// Reads one statement.
pub(crate) fn holding(text: &str, stated: &toml::Spanned<Stated>) -> Result<Holding, PolicyError> {
    let at = stated.span().start;
    let written = stated.get_ref();
    let sentence = written
        .sentence()
        .map_err(|what| PolicyError::at(text, at, what))?;
    let statement =
        Statement::parse(sentence.trim()).map_err(|what| PolicyError::at(text, at, &what))?;
    let layer = written.layer.as_deref().map(Layer::parse).transpose();
    let layer = layer.map_err(|error| PolicyError::at(text, at, &error.to_string()))?;
    Ok(Holding { statement, layer })
}

impl Influences {
    /// What each influence asks for, least first.
    pub(crate) const fn named(&self) -> [(Influence, Demand); 4] {
        [
            (Influence::Style, self.style),
            (Influence::Answer, self.answer),
            (Influence::Plan, self.plan),
            (Influence::Action, self.action),
        ]
    }

    /// What an influence asks for, to be changed; an authority has none.
    pub(crate) const fn demand_mut(&mut self, influence: Influence) -> Option<&mut Demand> {
        match influence {
            Influence::Style => Some(&mut self.style),
            Influence::Answer => Some(&mut self.answer),
            Influence::Plan => Some(&mut self.plan),
            Influence::Action => Some(&mut self.action),
            Influence::Authority => None,
        }
    }

    /// More influence never asks for less.
    fn problem(&self) -> Option<&'static str> {
        let all = [self.style, self.answer, self.plan, self.action];
        if all.iter().any(|demand| demand.reviewers == 0) {
            return Some("`reviewers` must be at least 1");
        }
        if all.iter().any(|demand| demand.longest_life_days < 1) {
            return Some("`longest_life_days` must be at least 1");
        }
        let reviewers = all.map(|demand| demand.reviewers);
        let lives = all.map(|demand| -demand.longest_life_days);
        let rises = reviewers.is_sorted() && lives.is_sorted();
        (!rises).then_some(
            "more influence must not ask for less: `reviewers` may only rise and `longest_life_days` only fall from style to action",
        )
    }
}

fn heading(text: &str, start: &str) -> usize {
    text.find(start).unwrap_or(0)
}
