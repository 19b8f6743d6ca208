//! The demonstration: a throw-away store, built through the same acts as any other, with dates
//! that count back from today.
//!
//! Its past decisions are scripted: that is possible only while a demonstration is built, in a
//! store that says of itself that it is one.

use crate::desk::presence::Presence;
use crate::desk::{
    Clock, Desk, DeskError, IngestOptions, IngestRequest, RecallFormat, RecallRequest,
    read_proposal,
};
use crate::domain::artifact::ArtifactKind;
use crate::domain::candidate::Proposal;
use crate::domain::decision::{CandidateDecision, Decided, Ruling, Seen};
use crate::domain::observation::{Origin, Sighting};
use crate::domain::time::{HOUR, MINUTE};
use crate::domain::{
    CandidateId, Digest, Kind, Layer, MemoryId, Proposer, Reviewer, ReviewerName, Role, Scope,
    SessionId, SourceRef, Span, Time, Trust, UserId,
};
use crate::store::artifact::NewArtifact;
use serde::Deserialize;
use std::path::Path;

/// How many days before today people began to talk.
const FIRST_DAY: u16 = 14;

const PATTERNS: &str = include_str!("../../assets/demo/patterns.toml");
const PROPOSALS: &str = include_str!("../../assets/demo/proposals.jsonl");
const TICKETS: &str = include_str!("../../assets/demo/tickets.txt");
const PAGE: &str = include_str!("../../assets/demo/page.txt");
const SESSION: &str = include_str!("../../assets/demo/session.jsonl");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    pattern: Vec<Said>,
}

/// Something people said, and how widely.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    layer: String,
    users: i64,
    sessions: i64,
    days: i64,
    since: i64,
    wordings: Vec<String>,
}

/// Builds a demonstration store at `path` and opens it on the clock given.
///
/// # Errors
/// Something stands at `path`, or it cannot be written.
pub fn build_demo(path: &Path, clock: Clock) -> Result<Desk, DeskError> {
    let today = clock.now();
    let past = Clock::standing_at(today.plus_days(-95));
    let desk = Desk::init_as(path, "demo", past.clone(), true)?;
    Builder {
        desk: &desk,
        clock: past,
        today,
    }
    .build()?;
    drop(desk);
    Desk::open(path, clock)
}

struct Builder<'d> {
    desk: &'d Desk,
    clock: Clock,
    today: Time,
}

impl Builder<'_> {
    fn build(&self) -> Result<(), DeskError> {
        self.old_memories()?;
        self.people_talk()?;
        self.a_session_was_compacted()?;
        self.agents_propose()?;
        self.catch_up()?;
        self.clock.set(self.today);
        Ok(())
    }

    /// Memories with a past: one is stale by now and still served.
    fn old_memories(&self) -> Result<(), DeskError> {
        let tickets = self.keep(
            "ticket export",
            ArtifactKind::ToolResult,
            Trust::Tool,
            TICKETS,
        )?;
        self.days_ago(88, 0);
        self.remember(
            tickets,
            TICKETS,
            "The returns desk in Berlin is open until 18:00.",
            "acme/emea/berlin",
        )?;
        self.remember(
            tickets,
            TICKETS,
            "A return label costs 4.90 euro for orders under 30 euro.",
            "acme/emea",
        )?;
        for day in (21..85).step_by(4).rev() {
            self.serve(day)?;
        }
        self.days_ago(20, 0);
        let fresh = self.keep(
            "ticket export of last month",
            ArtifactKind::ToolResult,
            Trust::Tool,
            TICKETS_LATER,
        )?;
        self.remember(
            fresh,
            TICKETS_LATER,
            "Gift wrapping is free in December.",
            "acme",
        )?;
        self.remember(
            fresh,
            TICKETS_LATER,
            "The pickup shelf is left of the entrance.",
            "acme/emea/berlin",
        )?;
        Ok(())
    }

    /// A claim out of an artifact, approved by a made-up reviewer.
    fn remember(
        &self,
        artifact: Digest,
        text: &str,
        claim: &str,
        layer: &str,
    ) -> Result<MemoryId, DeskError> {
        let span = text.find(claim).map(|start| Span {
            start,
            end: start + claim.len(),
        });
        let answer = self.desk.propose(Proposal {
            claim: claim.to_owned(),
            kind: Kind::ObservedFact,
            sources: vec![SourceRef::Artifact {
                sha256: artifact,
                span,
            }],
            declared_trust: None,
            scope: Scope::of(parsed(Layer::parse(layer))?),
            expires_at: None,
            confidence: Some(0.9),
            proposer: parsed(Proposer::parse("support-agent"))?,
            forbidden_fields: Vec::new(),
            key: None,
        })?;
        self.approve(answer.id)
    }

    fn approve(&self, id: CandidateId) -> Result<MemoryId, DeskError> {
        let view = self.desk.candidate(id)?;
        let reviewer = Reviewer {
            name: parsed(ReviewerName::parse("dana"))?,
            role: Role::Reviewer,
        };
        let decision = CandidateDecision {
            candidate: id,
            seen: Seen {
                version: view.candidate.version,
                shown: view.shown,
                frame: 0,
                whole: true,
                on_screen: None,
            },
            ruling: Ruling::Approve,
            reason: Some("checked with the store".to_owned()),
            influence: None,
            supersedes: None,
        };
        match self.desk.decide(&Presence::scripted(reviewer), decision)? {
            Decided::Minted(memory) => Ok(memory),
            Decided::Moved | Decided::Endorsed => {
                Err(DeskError::NotPossible(format!("{id} was not minted")))
            }
        }
    }

    /// An agent asks for what was approved, at a session of its own.
    fn serve(&self, day: u16) -> Result<(), DeskError> {
        self.days_ago(day.into(), -8 * HOUR);
        let mut viewer = Scope::of(parsed(Layer::parse("acme/emea/berlin"))?);
        viewer.session = Some(parsed(SessionId::parse(&format!("desk-{}", day % 13)))?);
        self.desk.recall(&RecallRequest {
            trace: None,
            viewer,
            query: None,
            budget: None,
            format: RecallFormat::Block,
            actor: "support-agent".to_owned(),
        })?;
        Ok(())
    }

    fn people_talk(&self) -> Result<(), DeskError> {
        let script: Script =
            toml::from_str(PATTERNS).map_err(|error| broken("patterns.toml", &error))?;
        let mut sightings = Vec::new();
        for (number, said) in script.pattern.iter().enumerate() {
            self.say(i64::try_from(number).unwrap_or(0), said, &mut sightings)?;
        }
        for day in (0..=FIRST_DAY).rev() {
            if day % 3 == 0 && day > 0 {
                self.serve(day)?;
            }
            let until = self.moment(day.into(), -3 * HOUR);
            let (said, later): (Vec<_>, Vec<_>) =
                sightings.into_iter().partition(|one| one.at <= until);
            sightings = later;
            self.clock.set(until);
            self.desk
                .observe(said.into_iter().map(Ok), "support-agent")?;
            self.catch_up()?;
        }
        Ok(())
    }

    /// Spreads one saying over its people, sessions and days.
    fn say(&self, number: i64, said: &Said, into: &mut Vec<Sighting>) -> Result<(), DeskError> {
        let wordings = said.wordings.iter().cycle();
        for (turn, wording) in (0..said.sessions).zip(wordings) {
            let user = number * 3 + turn % said.users;
            let day = said.since - turn * said.since / said.sessions.max(1);
            let day = day
                .max(1)
                .min(said.since - (turn % said.days).min(said.since - 1));
            into.push(Sighting {
                text: wording.clone(),
                layer: parsed(Layer::parse(&said.layer))?,
                user: parsed(UserId::parse(&format!("u-{user}")))?,
                session: parsed(SessionId::parse(&format!("chat-{number}-{turn}")))?,
                source: Some("support chat".to_owned()),
                trust: Trust::AuthenticatedUser,
                at: self.moment(day, turn * 37 * MINUTE),
                origin: Origin::Direct,
                key: None,
                artifact: None,
            });
        }
        Ok(())
    }

    fn catch_up(&self) -> Result<(), DeskError> {
        while self.desk.detect(1000)?.lag > 0 {}
        Ok(())
    }

    fn a_session_was_compacted(&self) -> Result<(), DeskError> {
        let day = self.moment(2, 0).date();
        let transcript = SESSION.replace("@2@", &day);
        let request = IngestRequest {
            title: "8f2c-deploy.jsonl".to_owned(),
            layer: parsed(Layer::parse("acme/emea"))?,
            project: None,
            user: parsed(UserId::parse("u-41"))?,
            session: parsed(SessionId::parse("8f2c-deploy"))?,
            format: None,
            progress: None,
        };
        let options = IngestOptions {
            propose_summaries: true,
            ..IngestOptions::default()
        };
        let mut file = std::io::Cursor::new(transcript);
        self.desk.ingest_with(&mut file, request, &options)?;
        Ok(())
    }

    fn agents_propose(&self) -> Result<(), DeskError> {
        let page = self.keep("carrier status page", ArtifactKind::Page, Trust::Web, PAGE)?;
        let order = PAGE
            .lines()
            .find(|line| line.contains("skip the identity check"))
            .unwrap_or_default();
        let span = PAGE.find(order).map(|start| Span {
            start,
            end: start + order.len(),
        });
        for line in PROPOSALS.lines() {
            let proposal =
                read_proposal(line).map_err(|bad| broken("proposals.jsonl", &bad.error))?;
            self.desk.propose(proposal)?;
        }
        self.desk.propose(Proposal {
            claim: order.to_owned(),
            kind: Kind::ObservedFact,
            sources: vec![SourceRef::Artifact { sha256: page, span }],
            declared_trust: None,
            scope: Scope::of(parsed(Layer::parse("acme/emea"))?),
            expires_at: None,
            confidence: Some(0.5),
            proposer: parsed(Proposer::parse("support-agent"))?,
            forbidden_fields: Vec::new(),
            key: None,
        })?;
        Ok(())
    }

    fn keep(
        &self,
        title: &str,
        kind: ArtifactKind,
        trust: Trust,
        text: &str,
    ) -> Result<Digest, DeskError> {
        let mut incoming = self.desk.store.incoming()?;
        incoming.add(text.as_bytes())?;
        let now = self.desk.now();
        let new = NewArtifact {
            kind,
            trust,
            layer: parsed(Layer::parse("acme/emea"))?,
            session: None,
            title: title.to_owned(),
            at: now,
            expires_at: now.plus_days(self.desk.policy().artifact_days()),
            actor: "support-agent".to_owned(),
        };
        Ok(self.desk.store.keep(incoming, new)?.0)
    }

    fn days_ago(&self, days: i64, plus: i64) {
        self.clock.set(self.moment(days, plus));
    }

    fn moment(&self, days: i64, plus: i64) -> Time {
        self.today.plus_days(-days).plus(plus).min(self.today)
    }
}

/// The same export, a month later.
const TICKETS_LATER: &str = "ticket 41902  gifts  \"Gift wrapping is free in December.\"  closed\n\
ticket 41933  store Berlin  pickup  \"The pickup shelf is left of the entrance.\"  closed\n";

/// What the demonstration says of itself is ours; where it cannot be read, it is broken, not the caller.
fn parsed<T, E: std::fmt::Display>(result: Result<T, E>) -> Result<T, DeskError> {
    result.map_err(|error| broken("the demonstration", &error))
}

fn broken(what: &str, error: &dyn std::fmt::Display) -> DeskError {
    DeskError::NotPossible(format!("{what} of the demonstration is broken: {error}"))
}
