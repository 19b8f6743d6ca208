//! Who may decide: a person at a terminal. Every face asks here, none answers for itself.
//!
//! What this stops and what it does not: a pipe, a hook and an agent's plain shell tool are
//! refused; an agent that allocates a terminal of its own is not. Only a key stops that one.

use crate::domain::decision::Hand;
use crate::domain::{Act, Assurance, Reviewer, Role};
use crate::keys::Signer;
use std::fmt;
use std::sync::Arc;

/// Environment variables that harnesses set for the commands their agents run.
/// `CLAUDECODE` is not among them: terminals inside editors carry it for people too.
pub const AGENT_MARKERS: &[&str] = &[
    "CLAUDE_CODE_CHILD_SESSION",
    "GEMINI_CLI",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
];

/// What a face knows of whoever calls it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caller {
    /// Whether standard input is a terminal.
    pub input_is_terminal: bool,
    /// Whether standard output is a terminal.
    pub output_is_terminal: bool,
    /// Which of [`AGENT_MARKERS`] are set.
    pub markers: Vec<String>,
    /// The role that their configuration states, if it states one.
    pub role: Option<Role>,
}

/// Proof that a decision comes from a person at a terminal. Only this module can make one.
#[derive(Debug, Clone)]
pub struct Presence {
    hand: Hand,
    stated: Option<Role>,
    signer: Option<Arc<Signer>>,
}

/// Why somebody may not decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Input or output is not a terminal.
    NoTerminal,
    /// Started by an agent.
    InsideAgent(String),
    /// Not on the list, not in the role, or without the key.
    NotAllowed(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTerminal => f.write_str(
                "deciding needs a person at a terminal; here input or output is a pipe or a file",
            ),
            Self::NotAllowed(why) => f.write_str(why),
            Self::InsideAgent(marker) => {
                write!(
                    f,
                    "deciding needs a person; `{marker}` says that an agent started this command"
                )
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl Presence {
    /// Grants a reviewer the right to decide, if a person can be there at all.
    ///
    /// # Errors
    /// No terminal on both ends, or inside a known agent's child environment.
    pub fn at_terminal(caller: &Caller, reviewer: Reviewer) -> Result<Self, Refusal> {
        if let Some(marker) = caller.markers.first() {
            return Err(Refusal::InsideAgent(marker.clone()));
        }
        if !caller.input_is_terminal || !caller.output_is_terminal {
            return Err(Refusal::NoTerminal);
        }
        Ok(Self {
            hand: Hand {
                reviewer,
                assurance: Assurance::Terminal,
            },
            stated: caller.role,
            signer: None,
        })
    }

    /// The same person, with their key unlocked.
    #[must_use]
    pub fn with_key(self, signer: Option<Arc<Signer>>) -> Self {
        Self { signer, ..self }
    }

    /// The key at hand.
    #[must_use]
    pub fn signer(&self) -> Option<&Signer> {
        self.signer.as_deref()
    }

    /// The hand of a made-up reviewer, for building a demonstration store and nothing else.
    pub(in crate::desk) const fn scripted(reviewer: Reviewer) -> Self {
        Self {
            hand: Hand {
                reviewer,
                assurance: Assurance::Asserted,
            },
            stated: None,
            signer: None,
        }
    }

    /// What keeps this person from an act where nobody is listed: roles are then what people say of
    /// themselves. One that was stated counts; a secret and an erasure take one that was.
    #[must_use]
    pub fn objection(&self, act: Act) -> Option<String> {
        let person = &self.hand.reviewer;
        let role = match act {
            Act::Reveal | Act::Erase => person.role,
            _ => self.stated?,
        };
        let (takes, name) = (act.takes(), crate::text::line(person.name.as_str()));
        (role < takes).then(|| {
            format!("{act} takes the role `{takes}`, and `{name}` is `{role}`; a reviewer's config.toml states theirs")
        })
    }

    /// Who decides, and how that is known.
    #[must_use]
    pub const fn hand(&self) -> &Hand {
        &self.hand
    }
}

#[cfg(test)]
mod tests {
    use super::{Caller, Presence, Refusal};
    use crate::domain::{Reviewer, ReviewerName, Role};

    fn ask(input: bool, output: bool, marker: Option<&str>) -> Result<(), Refusal> {
        let caller = Caller {
            input_is_terminal: input,
            output_is_terminal: output,
            markers: marker.into_iter().map(str::to_owned).collect(),
            role: None,
        };
        let alice = Reviewer {
            name: ReviewerName::parse("alice").unwrap(),
            role: Role::Reviewer,
        };
        Presence::at_terminal(&caller, alice).map(|_| ())
    }

    #[test]
    fn where_nobody_is_listed_a_stated_role_counts_and_some_acts_take_one() {
        use crate::domain::Act;
        let may = |stated: Option<Role>, act: Act| {
            let caller = Caller {
                input_is_terminal: true,
                output_is_terminal: true,
                role: stated,
                ..Caller::default()
            };
            let alice = Reviewer {
                name: ReviewerName::parse("alice").unwrap(),
                role: stated.unwrap_or(Role::Reviewer),
            };
            let presence = Presence::at_terminal(&caller, alice).unwrap();
            presence.objection(act).is_none()
        };
        for (stated, act, expected) in [
            (None, Act::Approve, true),
            (None, Act::Policy, true),
            (None, Act::Release, true),
            (None, Act::Reveal, false),
            (None, Act::Erase, false),
            (Some(Role::Reviewer), Act::Approve, true),
            (Some(Role::Reviewer), Act::Release, false),
            (Some(Role::Reviewer), Act::Policy, false),
            (Some(Role::Security), Act::Reveal, true),
            (Some(Role::Security), Act::Erase, false),
            (Some(Role::Security), Act::Thresholds, false),
            (Some(Role::Admin), Act::Erase, true),
            (Some(Role::Admin), Act::Policy, true),
        ] {
            assert_eq!(may(stated, act), expected, "{stated:?} {act}");
        }
    }

    #[test]
    fn only_people_decide_pipes_and_agents_are_refused() {
        assert_eq!(ask(true, true, None), Ok(()));
        assert_eq!(ask(false, true, None), Err(Refusal::NoTerminal));
        assert_eq!(ask(true, false, None), Err(Refusal::NoTerminal));
        assert_eq!(
            ask(true, true, Some("GEMINI_CLI")),
            Err(Refusal::InsideAgent("GEMINI_CLI".into()))
        );
    }
}
