//! Ingesting: the file becomes an artifact, then its messages become what they may become.
//!
//! A person's words are observations; a compaction summary is an artifact of its own, split into
//! claims of trust `model`, each aligned to the messages it says it came from; everything else
//! stays evidence. Reading is streaming; a broken line costs that line only.

use crate::desk::observe::{BATCH, ObserveReport};
use crate::desk::{BadLine, Desk, DeskError};
use crate::domain::artifact::ArtifactKind;
use crate::domain::candidate::Proposal;
use crate::domain::observation::{Origin, Sighting};
use crate::domain::{
    Digest, Kind, Layer, Problem, Project, Proposer, Scope, SessionId, SourceRef, Span, Trust,
    UserId,
};
use crate::store::artifact::NewArtifact;
use crate::transcript::{Batch, Feed, Format, Message, Speaker};
use std::collections::{BTreeMap, VecDeque};
use std::io::Read;

/// How much is read at a time.
const CHUNK: usize = 256 * 1024;
/// How many earlier messages a summary is held against.
const REMEMBERED: usize = 2000;
/// How many bytes of them.
const REMEMBERED_BYTES: usize = 8 * 1024 * 1024;
/// How many problems are listed; the rest are counted.
const LISTED: usize = 50;

/// What is to be ingested.
#[expect(
    missing_debug_implementations,
    reason = "it lends a function, which has no debug form"
)]
pub struct IngestRequest<'a> {
    /// A title for people, for instance the file's name.
    pub title: String,
    /// The layer it is brought into.
    pub layer: Layer,
    /// The project it belongs to, if it holds only there.
    pub project: Option<Project>,
    /// Whose conversation it is.
    pub user: UserId,
    /// The conversation, where the format does not say.
    pub session: SessionId,
    /// The format, if it shall not be recognised.
    pub format: Option<&'static Format>,
    /// Told how many bytes have been read.
    pub progress: Option<&'a mut dyn FnMut(u64)>,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct IngestReport {
    /// The format it was read as.
    pub format: String,
    /// The artifact it became.
    pub artifact: String,
    /// Whether these bytes had been ingested before.
    pub known: bool,
    /// How many bytes it has.
    pub bytes: u64,
    /// How many records were read.
    pub records: u64,
    /// How many messages each kind of speaker said.
    pub messages: BTreeMap<String, u64>,
    /// Observations that were new.
    pub observed: u64,
    /// Observations that were not.
    pub duplicates: u64,
    /// Candidates that came out of compaction summaries.
    pub candidates: u64,
    /// Record types that are not known, with how many there were; their bytes are kept.
    pub unknown: BTreeMap<String, u64>,
    /// What was wrong, the first of them.
    pub problems: Vec<Problem>,
    /// How many problems there were in all.
    pub problem_count: u64,
}

impl Desk {
    /// Ingests one file. The same file again adds nothing.
    ///
    /// # Errors
    /// The file cannot be read, or the store cannot be written.
    pub fn ingest(
        &self,
        file: &mut dyn Read,
        mut request: IngestRequest<'_>,
    ) -> Result<IngestReport, DeskError> {
        let (spool, sha256, report) = self.keep_transcript(file, &mut request)?;
        let mut run = Run {
            desk: self,
            artifact: sha256,
            remembered: VecDeque::new(),
            remembered_bytes: 0,
            pending: Vec::new(),
            observed: ObserveReport::default(),
            report,
            request,
        };
        run.read(spool)?;
        run.finish()
    }

    /// The bytes first: whatever the parser makes of them, they are kept.
    fn keep_transcript(
        &self,
        file: &mut dyn Read,
        request: &mut IngestRequest<'_>,
    ) -> Result<(std::fs::File, Digest, IngestReport), DeskError> {
        let unreadable = |error: &std::io::Error| DeskError::BadInput {
            what: format!(
                "`{}` cannot be read: {error}",
                crate::text::line(&request.title)
            ),
            hint: "name a file that you may read".to_owned(),
        };
        let mut incoming = self.store.incoming()?;
        let mut head = Vec::new();
        let mut buffer = vec![0_u8; CHUNK];
        let mut total = 0_u64;
        loop {
            let n = file.read(&mut buffer).map_err(|error| unreadable(&error))?;
            let Some(bytes) = buffer.get(..n).filter(|bytes| !bytes.is_empty()) else {
                break;
            };
            if head.len() < crate::transcript::HEAD {
                head.extend(bytes.iter().take(crate::transcript::HEAD - head.len()));
            }
            incoming.add(bytes)?;
            total += n as u64;
        }
        let format = request
            .format
            .unwrap_or_else(|| crate::transcript::sniff(&head));
        request.format = Some(format);
        let kind = if format.name == "observations" {
            ArtifactKind::Observations
        } else {
            ArtifactKind::Transcript
        };
        let new = self.new_artifact(kind, Trust::Tool, request);
        let (sha256, fresh) = self.store.keep(incoming, new)?;
        let spool = self.store.artifact_reader(&sha256)?;
        let report = IngestReport {
            format: format.name.to_owned(),
            artifact: format!("artifact:{sha256}"),
            known: !fresh,
            bytes: total,
            ..IngestReport::default()
        };
        Ok((spool, sha256, report))
    }

    fn new_artifact(
        &self,
        kind: ArtifactKind,
        trust: Trust,
        request: &IngestRequest<'_>,
    ) -> NewArtifact {
        let now = self.now();
        NewArtifact {
            kind,
            trust,
            layer: request.layer.clone(),
            session: Some(request.session.clone()),
            title: request.title.clone(),
            at: now,
            expires_at: now.plus_days(self.policy.artifact_days()),
            actor: "ingest".to_owned(),
        }
    }
}

/// One file on its way through.
struct Run<'d, 'r> {
    desk: &'d Desk,
    artifact: Digest,
    remembered: VecDeque<Message>,
    remembered_bytes: usize,
    pending: Vec<Sighting>,
    observed: ObserveReport,
    report: IngestReport,
    request: IngestRequest<'r>,
}

impl Run<'_, '_> {
    fn read(&mut self, mut spool: std::fs::File) -> Result<(), DeskError> {
        let Some(format) = self.request.format else {
            return Ok(());
        };
        let mut feed = Feed::new(format);
        let mut batch = Batch::default();
        let mut buffer = vec![0_u8; CHUNK];
        let mut total = 0_u64;
        loop {
            let n = spool.read(&mut buffer).map_err(|error| {
                DeskError::Store(crate::store::StoreError::Broken(error.to_string()))
            })?;
            let Some(bytes) = buffer.get(..n).filter(|bytes| !bytes.is_empty()) else {
                break;
            };
            feed.feed(bytes, &mut batch);
            self.take(&mut batch)?;
            total += n as u64;
            if let Some(progress) = self.request.progress.as_mut() {
                progress(total);
            }
        }
        feed.finish(&mut batch);
        self.take(&mut batch)
    }

    fn take(&mut self, batch: &mut Batch) -> Result<(), DeskError> {
        let batch = std::mem::take(batch);
        self.report.records += batch.records;
        for (kind, count) in batch.unknown {
            *self.report.unknown.entry(kind).or_default() += count;
        }
        for problem in batch.problems {
            self.problem(problem);
        }
        for line in batch.truncated {
            let what = format!(
                "{} bytes long (SHA-256 {}): only its beginning was read",
                line.length, line.sha256
            );
            self.problem(Problem {
                line: line.line,
                offset: line.offset,
                what,
            });
        }
        for message in batch.messages {
            self.message(message)?;
        }
        Ok(())
    }

    fn message(&mut self, message: Message) -> Result<(), DeskError> {
        *self
            .report
            .messages
            .entry(speaker_word(message.speaker).to_owned())
            .or_default() += 1;
        match message.speaker {
            Speaker::Summary => self.summary(&message)?,
            Speaker::Person | Speaker::Recall => self.observe(&message)?,
            _ if message.declared.is_some() || self.report.format == "plain" => {
                self.observe(&message)?;
            }
            Speaker::Tool | Speaker::Web | Speaker::Model | Speaker::Harness => {}
        }
        self.remember(message);
        Ok(())
    }

    fn observe(&mut self, message: &Message) -> Result<(), DeskError> {
        match self.sighting(message) {
            Ok(sighting) => self.pending.push(sighting),
            Err(bad) => self.problem(Problem {
                line: bad.line,
                offset: message.offset,
                what: bad.error,
            }),
        }
        if self.pending.len() >= BATCH {
            self.desk.take_in(
                std::mem::take(&mut self.pending),
                "ingest",
                &mut self.observed,
            )?;
        }
        Ok(())
    }

    fn sighting(&self, message: &Message) -> Result<Sighting, BadLine> {
        let mut declared = message.declared.clone().unwrap_or_default();
        let own = |text: &str| Some(text.to_owned());
        declared.layer = declared.layer.or_else(|| own(self.request.layer.as_str()));
        declared.user = declared.user.or_else(|| own(self.request.user.as_str()));
        declared.session = declared
            .session
            .or_else(|| message.session.clone())
            .or_else(|| own(self.request.session.as_str()));
        declared.source = declared.source.or_else(|| own(&self.report.format));
        let mut sighting = self.desk.sighting(message.text.clone(), &declared)?;
        if message.declared.is_none() {
            sighting.trust = message.speaker.trust().unwrap_or(Trust::Model);
            if self.report.format == "plain" {
                sighting.trust = Trust::AuthenticatedUser;
            }
            sighting.at = message
                .at
                .filter(|at| *at <= self.desk.now())
                .unwrap_or_else(|| self.desk.now());
        }
        if message.speaker == Speaker::Recall {
            sighting.origin = Origin::Recall;
        }
        sighting.key = sighting.key.or_else(|| Some(self.identity(message)));
        let end = message.offset.saturating_add(message.length);
        let span = Span {
            start: position(message.offset),
            end: position(end),
        };
        sighting.artifact = Some((self.artifact, Some(span)));
        Ok(sighting)
    }

    /// A record with an id is the same in every copy of it; one without speaks of this file alone.
    fn identity(&self, message: &Message) -> Digest {
        let ordinal = message.ordinal.to_be_bytes();
        match message.record {
            Some(_) => Digest::of_parts(&[b"record", &message.identity.0, &sub_ordinal(message)]),
            None => Digest::of_parts(&[b"file", &self.artifact.0, &message.identity.0, &ordinal]),
        }
    }

    fn summary(&mut self, message: &Message) -> Result<(), DeskError> {
        let mut incoming = self.desk.store.incoming()?;
        incoming.add(message.text.as_bytes())?;
        let mut new =
            self.desk
                .new_artifact(ArtifactKind::CompactionSummary, Trust::Model, &self.request);
        new.title = format!("compaction summary in {}", self.request.title);
        let (sha256, fresh) = self.desk.store.keep(incoming, new)?;
        if !fresh {
            return Ok(());
        }
        let mut proposals = Vec::new();
        let texts: Vec<&str> = self
            .remembered
            .iter()
            .map(|message| message.text.as_str())
            .collect();
        let earlier = crate::evidence::Sources::new(&texts);
        for range in crate::evidence::split(&message.text) {
            // The sentence a harness opens every summary with says nothing.
            let claim = message
                .text
                .get(range.clone())
                .filter(|claim| !crate::transcript::opens_summary(claim));
            if let Some(claim) = claim {
                let span = Span {
                    start: range.start,
                    end: range.end,
                };
                proposals.push(self.claim_of_summary(claim, sha256, span, &earlier)?);
            }
        }
        for proposal in proposals {
            let answer = self.desk.propose(proposal)?;
            if answer.status.is_new() {
                self.report.candidates += 1;
            }
        }
        Ok(())
    }

    /// The claim cites the summary, and every earlier message that says the same.
    fn claim_of_summary(
        &self,
        claim: &str,
        summary: Digest,
        span: Span,
        earlier: &crate::evidence::Sources,
    ) -> Result<Proposal, DeskError> {
        let alignment = earlier.align(claim);
        let mut sources = vec![SourceRef::Artifact {
            sha256: summary,
            span: Some(span),
        }];
        for quote in alignment.supporting.iter().take(8) {
            if let Some(message) = self.remembered.get(quote.message) {
                let end = message.offset.saturating_add(message.length);
                let span = Span {
                    start: position(message.offset),
                    end: position(end),
                };
                sources.push(SourceRef::Artifact {
                    sha256: self.artifact,
                    span: Some(span),
                });
            }
        }
        let proposer =
            Proposer::parse("ingest").map_err(|error| DeskError::NotPossible(error.to_string()))?;
        Ok(Proposal {
            claim: claim.to_owned(),
            kind: Kind::Inference,
            sources,
            declared_trust: Some(Trust::Model),
            scope: Scope {
                layer: self.request.layer.clone(),
                project: self.request.project.clone(),
                session: None,
            },
            expires_at: None,
            confidence: None,
            proposer,
            forbidden_fields: Vec::new(),
            key: None,
        })
    }

    fn remember(&mut self, message: Message) {
        let quotable = matches!(
            message.speaker,
            Speaker::Person | Speaker::Tool | Speaker::Web | Speaker::Model
        );
        if !quotable || message.text.len() > REMEMBERED_BYTES / 8 {
            return;
        }
        self.remembered_bytes += message.text.len();
        self.remembered.push_back(message);
        while self.remembered.len() > REMEMBERED || self.remembered_bytes > REMEMBERED_BYTES {
            let Some(oldest) = self.remembered.pop_front() else {
                return;
            };
            self.remembered_bytes = self.remembered_bytes.saturating_sub(oldest.text.len());
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.report.problem_count += 1;
        if self.report.problems.len() < LISTED {
            self.report.problems.push(problem);
        }
    }

    fn finish(mut self) -> Result<IngestReport, DeskError> {
        self.desk.take_in(
            std::mem::take(&mut self.pending),
            "ingest",
            &mut self.observed,
        )?;
        self.report.observed = self.observed.observed;
        self.report.duplicates = self.observed.duplicates;
        Ok(self.report)
    }
}

/// One record can hold several messages; what tells them apart is their text.
fn sub_ordinal(message: &Message) -> [u8; 32] {
    Digest::of(message.text.as_bytes()).0
}

const fn speaker_word(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::Person => "person",
        Speaker::Tool => "tool",
        Speaker::Web => "web",
        Speaker::Model => "model",
        Speaker::Summary => "summary",
        Speaker::Harness => "harness",
        Speaker::Recall => "recall",
    }
}

fn position(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
