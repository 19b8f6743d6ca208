//! The trace: what the ledger says of decisions and servings, for those who read traces.
//!
//! Written from entries and nothing else, so that it can be written again. While a store is open a
//! thread of its own copies what is new to the configured file; a mark beside the store says how
//! far that is, so that what one process had no time for the next one writes. No act waits for it
//! and none fails with it: the ledger is the record, the trace is a copy.

use crate::desk::{Clock, Desk, DeskError};
use crate::domain::entry::Entry;
use crate::domain::{Act, CandidateId, Digest, EntrySeq, MemoryId, ServingId, Time, TraceParent};
use crate::ledger::canonical::{decode, leaf_hash};
use crate::trace::{About, Handed, Lines, Place, Told, append, lines};
use crossbeam_channel::{Receiver, bounded};
use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How many entries are read at a time.
const PAGE: usize = 500;
/// How long the mark is waited for; whoever holds it writes our entries too, or the next act does.
const PATIENCE: Duration = Duration::from_secs(1);

/// Where the acts of a desk are traced to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracing {
    /// The files.
    pub place: Place,
    /// How long closing the desk waits for what is still to be written.
    pub patience: Duration,
}

/// The thread that writes, for as long as its desk is open.
#[derive(Debug)]
pub(in crate::desk) struct Tracer {
    ended: Receiver<()>,
    patience: Duration,
}

/// The store, and with it the bell, is closed before this: the thread ends by itself.
impl Drop for Tracer {
    fn drop(&mut self) {
        // What is not written by then is written by the next act of any process.
        let _ = self.ended.recv_timeout(self.patience);
    }
}

impl Desk {
    /// From now on copies decisions and servings to files. A desk is traced once.
    ///
    /// # Errors
    /// The store cannot be read, or there is no thread to be had.
    pub fn trace_to(&self, tracing: Tracing) -> Result<(), DeskError> {
        let head = self.store.head()?.map_or(EntrySeq(0), |(seq, _)| seq);
        let (bell, rung) = bounded(1);
        let (end, ended) = bounded::<()>(0);
        let (path, clock) = (self.store_path().to_owned(), self.clock.clone());
        let place = tracing.place;
        std::thread::Builder::new()
            .name("trace".to_owned())
            .spawn(move || {
                follow(&path, &clock, &place, head, &rung);
                drop(end);
            })
            .map_err(|error| DeskError::NotPossible(error.to_string()))?;
        let tracer = Tracer {
            ended,
            patience: tracing.patience,
        };
        if self.tracer.set(tracer).is_ok() {
            self.store.ring(bell);
        }
        Ok(())
    }

    /// Hands over the lines of every entry behind `after`, in order, and says how far it came.
    ///
    /// # Errors
    /// The store cannot be read, or `each` takes no more.
    pub fn trace(
        &self,
        after: EntrySeq,
        texts: bool,
        each: &mut dyn FnMut(&Lines) -> Result<(), DeskError>,
    ) -> Result<EntrySeq, DeskError> {
        let store = self.store.uuid()?;
        let last = self.store.head()?.map_or(EntrySeq(0), |(seq, _)| seq);
        let mut after = after;
        while let Some(newest) = self.trace_page(&store, (after, last), texts, each)? {
            after = newest;
        }
        Ok(after)
    }

    /// The same for one page, and the last entry of it, if there is any.
    fn trace_page(
        &self,
        store: &str,
        (after, last): (EntrySeq, EntrySeq),
        texts: bool,
        each: &mut dyn FnMut(&Lines) -> Result<(), DeskError>,
    ) -> Result<Option<EntrySeq>, DeskError> {
        let page = self.store.entry_bytes(after, last, PAGE)?;
        for (_, bytes) in &page {
            // What is no entry any more is for `audit verify` to say.
            let Ok(entry) = decode(bytes) else {
                continue;
            };
            let told = Told {
                hash: leaf_hash(bytes),
                store,
                about: self.about(&entry, texts),
                entry: &entry,
            };
            let lines = lines(&told);
            if lines != Lines::default() {
                each(&lines)?;
            }
        }
        Ok(page.last().map(|(newest, _)| *newest))
    }

    /// The entry before the first one that is meant by `E-12` or by a time.
    ///
    /// # Errors
    /// It is neither, or the store cannot be read.
    pub fn trace_since(&self, since: &str) -> Result<EntrySeq, DeskError> {
        if let Ok(EntrySeq(seq)) = EntrySeq::parse(since) {
            return Ok(EntrySeq(seq - 1));
        }
        let moment = Time::parse(since).map_err(|_| DeskError::BadInput {
            what: format!(
                "`{}` is neither an entry nor a time",
                crate::text::line(since)
            ),
            hint: "for instance E-120 or 2026-12-01T09:00:00Z".to_owned(),
        })?;
        // Entries are in the order of their times.
        let (mut low, mut high) = (0, self.store.head()?.map_or(0, |(seq, _)| seq.0));
        while low < high {
            let middle = low + (high - low) / 2;
            let at = self
                .store
                .kept_entry(EntrySeq(middle + 1))?
                .and_then(|kept| decode(&kept.bytes).ok())
                .map(|entry| entry.draft.at);
            if at.is_some_and(|at| at < moment) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(EntrySeq(low))
    }

    /// What the store knows of an entry. What is gone by now is left out.
    fn about(&self, entry: &Entry, texts: bool) -> About {
        let (draft, facts) = (&entry.draft, &entry.draft.facts);
        let mut about = About::default();
        if !draft.act.is_decision() && !matches!(draft.act, Act::Auto | Act::Serve) {
            return about;
        }
        if let Ok(serving) = ServingId::parse(&draft.item) {
            let served = self.store.serving(serving).ok();
            let served = served.into_iter().flat_map(|serving| serving.memories);
            about.handed = served
                .map(|(id, sha256)| self.handed(id, Some(sha256), texts))
                .collect();
            return about;
        }
        if let Ok(memory) = MemoryId::parse(&draft.item)
            && let Ok(memory) = self.store.memory(memory)
        {
            about.candidate = Some(memory.candidate);
            about.earlier.extend(self.hash_of(memory.entry));
        }
        about.candidate = about
            .candidate
            .or_else(|| CandidateId::parse(&draft.item).ok());
        let undone = facts.get("undoes").and_then(|id| EntrySeq::parse(id).ok());
        if let Some(hash) = undone.and_then(|seq| self.hash_of(seq)) {
            about.earlier.retain(|known| *known != hash);
            about.earlier.push(hash);
        }
        if let Some(candidate) = about.candidate.and_then(|id| self.store.candidate(id).ok()) {
            about.verdict = Some(candidate.verdict.to_string());
            about.layer = Some(candidate.scope.layer.to_string());
            about.evidence = Some(candidate.sources.len() as u64);
            about.proposed_in = self.store.proposed_in(candidate.id).unwrap_or_default();
        }
        let minted = matches!(draft.act, Act::Approve | Act::Edit | Act::Auto);
        let minted = facts.get("memory").filter(|_| minted);
        let minted = minted.and_then(|id| MemoryId::parse(id).ok());
        about.handed = minted
            .map(|id| self.handed(id, None, texts))
            .into_iter()
            .collect();
        about
    }

    fn hash_of(&self, seq: EntrySeq) -> Option<Digest> {
        self.store.entry_hash(seq).ok().flatten()
    }

    /// A memory with its text where that was asked for, is what was handed over, and holds no secret.
    fn handed(&self, id: MemoryId, sha256: Option<Digest>, texts: bool) -> Handed {
        let memory = texts.then(|| self.store.memory(id).ok()).flatten();
        let text = memory
            .filter(|memory| sha256.is_none_or(|sha256| memory.sha256() == sha256))
            .map(|memory| self.shown(&memory.text).text)
            .filter(|text| !text.is_empty());
        Handed { id, text }
    }

    /// Writes what is new to the files, if nobody else is at it.
    fn catch_up(&self, place: &Place, from: EntrySeq) -> Result<(), DeskError> {
        let failed = |error: std::io::Error| DeskError::NotPossible(error.to_string());
        let Some(mut mark) = Mark::take(self.store_path(), place).map_err(failed)? else {
            return Ok(());
        };
        let last = self.store.head()?.map_or(EntrySeq(0), |(seq, _)| seq);
        let store = self.store.uuid()?;
        let mut after = mark.seq.unwrap_or(from).min(last);
        loop {
            let (mut spans, mut events) = (String::new(), String::new());
            let mut keep = |lines: &Lines| {
                for (line, all) in [(&lines.spans, &mut spans), (&lines.events, &mut events)] {
                    all.extend(line.iter().flat_map(|line| [line.as_str(), "\n"]));
                }
                Ok(())
            };
            let page = self.trace_page(&store, (after, last), place.texts, &mut keep)?;
            let Some(newest) = page else {
                return Ok(());
            };
            // Killed between these, a page is written twice: the same ids, the same bytes.
            append(&place.spans, &spans).map_err(failed)?;
            if let Some(file) = &place.events {
                append(file, &events).map_err(failed)?;
            }
            mark.set(newest).map_err(failed)?;
            after = newest;
        }
    }
}

/// Copies until the bell is taken down.
fn follow(path: &Path, clock: &Clock, place: &Place, from: EntrySeq, rung: &Receiver<()>) {
    let mut desk = None;
    while rung.recv().is_ok() {
        if desk.is_none() {
            desk = Desk::open(path, clock.clone()).ok();
        }
        if let Some(desk) = &desk {
            // What could not be written now is written at the next ring: the mark has not moved.
            let _ = desk.catch_up(place, from);
        }
    }
}

/// How far a store has been traced, and into which file; held while that changes.
struct Mark {
    file: File,
    place: String,
    seq: Option<EntrySeq>,
}

impl Mark {
    fn take(store: &Path, place: &Place) -> std::io::Result<Option<Self>> {
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(mark_of(store))?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) | Err(TryLockError::Error(_)) => break,
                Err(TryLockError::WouldBlock) if begun.elapsed() > PATIENCE => return Ok(None),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        let mut text = String::new();
        // A mark that cannot be read is none.
        let _ = (&mut file).take(64 * 1024).read_to_string(&mut text);
        let place = place.spans.display().to_string();
        Ok(Some(Self {
            file,
            seq: marked(&text, &place),
            place,
        }))
    }

    /// The number has one width, so that a mark that was only half written is still the old one or
    /// the new one.
    fn set(&mut self, seq: EntrySeq) -> std::io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        let line = format!("{:020} {}\n", seq.0, self.place);
        self.file.write_all(line.as_bytes())
    }
}

/// How far a store has been traced into this file, if it has been at all.
#[must_use]
pub fn traced(store: &Path, place: &Place) -> Option<EntrySeq> {
    let text = std::fs::read_to_string(mark_of(store)).ok()?;
    marked(&text, &place.spans.display().to_string())
}

/// What a mark says of a file; a mark of another file says nothing.
fn marked(text: &str, place: &str) -> Option<EntrySeq> {
    let (seq, file) = text.lines().next()?.split_once(' ')?;
    (file == place)
        .then(|| seq.parse().ok().map(EntrySeq))
        .flatten()
}

/// The file beside a store that says how far it has been traced.
fn mark_of(store: &Path) -> PathBuf {
    let mut name = store.file_name().unwrap_or_default().to_owned();
    name.push(".traced");
    store.with_file_name(name)
}

/// The trace that a caller names, if what it names is one. What is none is nobody's trace.
#[must_use]
pub fn trace_of_caller(text: Option<&str>) -> Option<TraceParent> {
    text.and_then(|text| TraceParent::parse(text).ok())
}
