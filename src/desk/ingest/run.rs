//! One file on its way through: bytes to messages, messages to observations, in batches.

use super::compaction::Since;
use super::place::{CHUNK, Found, Kept, unreadable};
use super::summary::Earlier;
use super::{Bytes, IngestOptions, IngestReport, IngestRequest, position};
use crate::desk::observe::{BATCH, ObserveReport};
use crate::desk::{BadLine, Desk, DeskError};
use crate::domain::observation::{Origin, Sighting};
use crate::domain::{Digest, Problem, Span, Trust};
use crate::transcript::{Batch, Feed, Message, Resume, Speaker};
use std::collections::HashSet;
use std::io::{Read as _, SeekFrom};

/// How many problems are listed; the rest are counted.
const LISTED: usize = 50;
/// How many bytes before the new ones are read again, for what a line says of an earlier one.
const AGAIN: u64 = 1024 * 1024;

/// One file on its way through.
pub(super) struct Run<'d, 'r> {
    pub(super) desk: &'d Desk,
    pub(super) options: &'d IngestOptions,
    pub(super) request: IngestRequest<'r>,
    pub(super) report: IngestReport,
    pub(super) artifact: Digest,
    /// The byte of the file at which the artifact begins.
    pub(super) base: u64,
    pub(super) earlier: Earlier,
    /// The messages since the last summary: what the next one sums up.
    pub(super) since: Since,
    tells: bool,
    pending: Vec<Sighting>,
    observed: ObserveReport,
    /// What a dry run has seen already.
    seen: HashSet<u64>,
}

impl<'d, 'r> Run<'d, 'r> {
    pub(super) fn begin(
        desk: &'d Desk,
        found: &Found,
        kept: &Kept,
        request: IngestRequest<'r>,
        options: &'d IngestOptions,
    ) -> Self {
        let report = IngestReport {
            format: found.format.name.to_owned(),
            artifact: format!("artifact:{}", kept.artifact),
            known: kept.known,
            dry_run: options.dry_run,
            bytes: found.from().saturating_add(kept.length),
            from: found.from(),
            ..IngestReport::default()
        };
        Self {
            desk,
            options,
            request,
            report,
            artifact: kept.artifact,
            base: found.from(),
            earlier: Earlier::default(),
            since: Since::default(),
            tells: found.format.tells,
            pending: Vec::new(),
            observed: ObserveReport::default(),
            seen: HashSet::new(),
        }
    }

    pub(super) fn go(
        mut self,
        file: &mut dyn Bytes,
        found: &Found,
        mut kept: Kept,
    ) -> Result<IngestReport, DeskError> {
        let mut feed = self.read_again(file, found)?;
        let mut batch = Batch::default();
        match kept.spool.take() {
            Some(mut spool) => self.read(&mut spool, &mut feed, &mut batch)?,
            None => {
                let seeked = file.seek(SeekFrom::Start(self.base));
                seeked.map_err(|error| unreadable(&self.request.title, &error))?;
                self.read(file, &mut feed, &mut batch)?;
            }
        }
        if self.options.growing {
            feed.pause(&mut batch);
        } else {
            feed.finish(&mut batch);
        }
        self.take(&mut batch)?;
        self.observe_pending()?;
        self.report.observed += self.observed.observed;
        self.report.duplicates += self.observed.duplicates;
        if !self.options.dry_run {
            let at = (feed.consumed(), feed.next_line());
            let title = self.request.title.clone();
            self.desk.leave(file, found, &kept, at, &title)?;
        }
        Ok(self.report)
    }

    /// What stands before the new bytes is read for what they depend on, and gives nothing.
    fn read_again(&mut self, file: &mut dyn Bytes, found: &Found) -> Result<Feed, DeskError> {
        let Some(left) = found.left.filter(|left| left.offset > 0) else {
            return Ok(Feed::new(found.format));
        };
        let title = self.request.title.clone();
        let wrong = |error: std::io::Error| unreadable(&title, &error);
        let start = match found.format.resume {
            Resume::Start => 0,
            Resume::There => left.offset.saturating_sub(AGAIN),
        };
        file.seek(SeekFrom::Start(start)).map_err(wrong)?;
        let mut before = file.take(left.offset - start);
        let mut batch = Batch::default();
        if found.format.resume == Resume::Start || start == 0 {
            let mut feed = Feed::new(found.format);
            let mut buffer = vec![0_u8; CHUNK];
            loop {
                let n = before.read(&mut buffer).map_err(wrong)?;
                let Some(bytes) = buffer.get(..n).filter(|bytes| !bytes.is_empty()) else {
                    return Ok(feed);
                };
                feed.feed(bytes, &mut batch);
                self.look_back(&mut batch);
            }
        }
        let mut bytes = Vec::new();
        before.read_to_end(&mut bytes).map_err(wrong)?;
        let cut = memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |at| at + 1);
        let lines = bytes.get(cut..).unwrap_or_default();
        let count = memchr::memchr_iter(b'\n', lines).count() as u64;
        let first = left.line.saturating_sub(count);
        let mut feed = Feed::resumed(found.format, first, start.saturating_add(cut as u64));
        feed.feed(lines, &mut batch);
        self.look_back(&mut batch);
        Ok(feed)
    }

    /// Earlier messages can stand behind a later summary.
    fn look_back(&mut self, batch: &mut Batch) {
        for message in std::mem::take(batch).messages {
            self.earlier.remember(message, None);
        }
    }

    fn read(
        &mut self,
        from: &mut dyn std::io::Read,
        feed: &mut Feed,
        batch: &mut Batch,
    ) -> Result<(), DeskError> {
        let mut buffer = vec![0_u8; CHUNK];
        let mut total = self.base;
        loop {
            let n = from.read(&mut buffer).map_err(|error| {
                DeskError::Store(crate::store::StoreError::Broken(error.to_string()))
            })?;
            let Some(bytes) = buffer.get(..n).filter(|bytes| !bytes.is_empty()) else {
                return Ok(());
            };
            feed.feed(bytes, batch);
            self.take(batch)?;
            total += n as u64;
            if let Some(progress) = self.request.progress.as_mut() {
                progress(total);
            }
        }
    }

    fn take(&mut self, batch: &mut Batch) -> Result<(), DeskError> {
        let batch = std::mem::take(batch);
        self.report.records += batch.records;
        self.report.blobs += batch.blobs;
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
            if message.offset < self.base {
                self.earlier.remember(message, None);
            } else {
                self.message(message)?;
            }
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
        let span = self.span(&message);
        if message.speaker != Speaker::Summary {
            self.since.add(span);
        }
        self.earlier.remember(message, span);
        Ok(())
    }

    /// Where a message stands in the artifact.
    pub(super) fn span(&self, message: &Message) -> Option<Span> {
        let start = message.offset.checked_sub(self.base)?;
        Some(Span {
            start: position(start),
            end: position(start.saturating_add(message.length)),
        })
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
            self.observe_pending()?;
        }
        Ok(())
    }

    fn observe_pending(&mut self) -> Result<(), DeskError> {
        let pending = std::mem::take(&mut self.pending);
        if !self.options.dry_run {
            return self.desk.take_in(pending, "ingest", &mut self.observed);
        }
        for key in pending.iter().filter_map(|sighting| sighting.key.as_ref()) {
            let first = self.seen.insert(short(key));
            if first && !self.desk.store.knows(key)? {
                self.observed.observed += 1;
            } else {
                self.observed.duplicates += 1;
            }
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
        let now = self.desk.now();
        if message.declared.is_none() {
            sighting.trust = self.trust(message.speaker);
            sighting.at = message.at.filter(|at| *at <= now).unwrap_or(now);
        }
        if message.at.is_none()
            && let Some(at) = self.options.at
        {
            sighting.at = at.min(now);
        }
        if message.speaker == Speaker::Recall {
            sighting.origin = Origin::Recall;
        }
        sighting.key = sighting.key.or_else(|| Some(self.identity(message)));
        sighting.artifact = Some((self.artifact, self.span(message)));
        Ok(sighting)
    }

    /// Where a format cannot tell a person's words from others, they are worth a model's.
    fn trust(&self, speaker: Speaker) -> Trust {
        if self.report.format == "plain" {
            return Trust::AuthenticatedUser;
        }
        let trust = speaker.trust().unwrap_or(Trust::Model);
        if self.tells || self.options.vouched {
            trust
        } else {
            trust.min(Trust::Model)
        }
    }

    /// A record with an id is the same in every copy of it; one without is the same where the same
    /// stands at the same place of a file that the same user calls the same. One tenant's copy
    /// says nothing of another's.
    fn identity(&self, message: &Message) -> Digest {
        let text = Digest::of(message.text.as_bytes());
        let tenant = self.request.layer.tenant().as_bytes();
        match message.record {
            Some(_) => Digest::of_parts(&[b"record", tenant, &message.identity.0, &text.0]),
            None => Digest::of_parts(&[
                b"file",
                tenant,
                self.request.layer.as_str().as_bytes(),
                self.request.user.as_str().as_bytes(),
                self.request.session.as_str().as_bytes(),
                &message.identity.0,
                &text.0,
            ]),
        }
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.report.problem_count += 1;
        if self.report.problems.len() < LISTED {
            self.report.problems.push(problem);
        }
    }
}

/// Enough of a hash to tell the messages of one file apart.
fn short(key: &Digest) -> u64 {
    key.0
        .iter()
        .take(8)
        .fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
}

pub(super) const fn speaker_word(speaker: Speaker) -> &'static str {
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
