//! The policy file as it is written: its tables and keys, and what makes one unsound.

use crate::domain::{Class, Layer, Severity};
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
        let read = |stated: &toml::Spanned<Stated>| {
            let at = stated.span().start;
            let written = stated.get_ref();
            let sentence = written
                .sentence()
                .map_err(|what| PolicyError::at(text, at, what))?;
            let statement = Statement::parse(sentence.trim())
                .map_err(|what| PolicyError::at(text, at, &what))?;
            let layer = written.layer.as_deref().map(Layer::parse).transpose();
            let layer = layer.map_err(|error| PolicyError::at(text, at, &error.to_string()))?;
            Ok(Holding { statement, layer })
        };
        self.statement.iter().map(read).collect()
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
        Ok(())
    }
}

impl Influences {
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
