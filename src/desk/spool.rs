//! The spool: what a hook accepted and nobody has had time for. One file an item, beside the store.
//!
//! Writing needs no store and waits for nothing: a file is complete under its name or not there at
//! all. Draining is done by whoever opens the store to write, one process at a time, in order;
//! every item carries a key, so that a drain that was killed counts nothing twice.

use crate::desk::observe::ObserveReport;
use crate::desk::{Desk, DeskError, IngestOptions, IngestRequest};
use crate::domain::artifact::ArtifactKind;
use crate::domain::candidate::Proposal;
use crate::domain::compaction::Compaction;
use crate::domain::observation::{Origin, Sighting};
use crate::domain::{
    Digest, Kind, Layer, Project, Proposer, Scope, SessionId, SourceRef, Time, Trust, UserId,
};
use crate::store::artifact::NewArtifact;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The largest item that is read back.
const LARGEST: u64 = 32 * 1024 * 1024;
/// The longest prompt that becomes one observation; a longer one is kept as evidence only.
const LONGEST_PROMPT: usize = 64 * 1024;

/// What a hook accepted, as plain data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spooled {
    /// The same event twice has the same key.
    pub key: String,
    /// When it was accepted, in milliseconds.
    pub at: i64,
    /// Where what it says would hold.
    pub layer: String,
    /// The project, if it holds only there.
    pub project: Option<String>,
    /// Whose session it is.
    pub user: String,
    /// The session.
    pub session: String,
    /// What it is.
    pub what: Accepted,
    /// The payload as it came.
    pub raw: serde_json::Value,
}

/// What an accepted event is good for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Accepted {
    /// A person wrote this.
    Prompt {
        /// Their words.
        text: String,
    },
    /// A transcript had grown to this length.
    Transcript {
        /// Where it is.
        path: String,
        /// How long it was.
        length: u64,
    },
    /// A model summed a conversation up.
    Summary {
        /// Its words.
        text: String,
    },
    /// A tool answered.
    Tool {
        /// Which.
        name: String,
        /// Its answer.
        text: String,
    },
    /// An agent tried to write this into a memory file of its harness.
    Claim {
        /// Its words.
        text: String,
        /// The file.
        file: String,
    },
    /// An event that is not known, or that says nothing of its own.
    Other {
        /// Its name.
        event: String,
    },
}

/// What became of a spool.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Drained {
    /// Items that were taken in.
    pub taken: u64,
    /// Observations that were new.
    pub observed: u64,
    /// Artifacts they became.
    pub artifacts: u64,
    /// Candidates they became.
    pub candidates: u64,
    /// Events that are not known, by name.
    pub unknown: BTreeMap<String, u64>,
    /// Items that could not be taken in, and why; they are kept aside.
    pub failed: Vec<String>,
}

/// How full a spool is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SpoolDepth {
    /// Items that wait.
    pub waiting: u64,
    /// When the oldest was accepted, in milliseconds.
    pub oldest: Option<i64>,
    /// Items that were kept aside.
    pub failed: u64,
}

/// Keeps an item beside the store at `store`. Nothing has been accepted before this returns.
///
/// # Errors
/// The folder beside the store cannot be written.
pub fn spool(store: &Path, item: &Spooled) -> std::io::Result<()> {
    let folder = folder_of(store);
    std::fs::create_dir_all(&folder)?;
    let name = format!(
        "{:020}-{}.json",
        item.at.max(0),
        item.key.get(..32).unwrap_or("none")
    );
    let mut file = tempfile::Builder::new()
        .prefix(".new-")
        .tempfile_in(&folder)?;
    serde_json::to_writer(&mut file, item)?;
    file.flush()?;
    file.as_file().sync_all()?;
    file.persist(folder.join(name))
        .map_err(|error| error.error)?;
    sync(&folder);
    Ok(())
}

/// The folder that holds the spool of the store at `store`.
#[must_use]
pub fn folder_of(store: &Path) -> PathBuf {
    let mut name = store.file_name().unwrap_or_default().to_owned();
    name.push(".spool");
    store.with_file_name(name)
}

impl Desk {
    /// Takes in what hooks have accepted, oldest first. Another process at it is left alone.
    ///
    /// # Errors
    /// The store cannot be written: the item stays in the spool.
    pub fn drain(&self) -> Result<Drained, DeskError> {
        let folder = folder_of(self.store_path());
        let mut drained = Drained::default();
        let files = waiting(&folder);
        if files.is_empty() {
            return Ok(drained);
        }
        let Some(_alone) = lock(&folder) else {
            return Ok(drained);
        };
        // Only the longest known length of a transcript is read: it holds the shorter ones.
        let items: Vec<(PathBuf, Result<Spooled, String>)> = files
            .into_iter()
            .map(|file| (file.clone(), read(&file)))
            .collect();
        let longest = longest(items.iter().filter_map(|(_, item)| item.as_ref().ok()));
        for (file, item) in &items {
            let taken = match item {
                Ok(item) => self.take(item, &longest, &mut drained),
                Err(why) => Ok(Err(why.clone())),
            }?;
            match taken {
                Ok(()) => {
                    drained.taken += 1;
                    remove(file);
                }
                Err(why) => {
                    let name = file.file_name().unwrap_or_default().to_string_lossy();
                    drained.failed.push(format!("{name}: {why}"));
                    set_aside(&folder, file);
                }
            }
        }
        Ok(drained)
    }

    /// How full the spool is.
    #[must_use]
    pub fn spool_depth(&self) -> SpoolDepth {
        depth(self.store_path())
    }

    /// Takes one item in. The outer error is the store's, the inner one the item's.
    fn take(
        &self,
        item: &Spooled,
        longest: &BTreeMap<String, u64>,
        drained: &mut Drained,
    ) -> Result<Result<(), String>, DeskError> {
        let place = match Place::of(item) {
            Ok(place) => place,
            Err(why) => return Ok(Err(why)),
        };
        match &item.what {
            Accepted::Prompt { text } => self.take_prompt(item, &place, text, drained)?,
            Accepted::Transcript { path, length } => {
                if longest.get(path).is_some_and(|longest| longest > length) {
                    return Ok(Ok(()));
                }
                return self.take_transcript(&place, path, *length, drained);
            }
            Accepted::Summary { text } => self.take_summary(&place, text, drained)?,
            Accepted::Tool { name, text } => {
                // A memory coming back is nobody's words: kept at the lowest trust.
                let speaker = crate::transcript::tool_speaker(name, text);
                let trust = speaker.trust().unwrap_or(Trust::Model);
                self.take_bytes(&place, text, ArtifactKind::ToolResult, trust, name, drained)?;
            }
            Accepted::Claim { text, file } => self.take_claim(item, &place, text, file, drained)?,
            Accepted::Other { event } => {
                *drained.unknown.entry(event.clone()).or_default() += 1;
            }
        }
        Ok(Ok(()))
    }

    fn take_prompt(
        &self,
        item: &Spooled,
        place: &Place,
        text: &str,
        drained: &mut Drained,
    ) -> Result<(), DeskError> {
        if text.trim().is_empty() {
            return Ok(());
        }
        if text.len() > LONGEST_PROMPT {
            self.take_bytes(
                place,
                text,
                ArtifactKind::Document,
                Trust::AuthenticatedUser,
                "long prompt",
                drained,
            )?;
            return Ok(());
        }
        let mut report = ObserveReport::default();
        self.take_in(
            vec![Sighting {
                text: text.to_owned(),
                layer: place.layer.clone(),
                user: place.user.clone(),
                session: place.session.clone(),
                source: Some("prompt".to_owned()),
                trust: Trust::AuthenticatedUser,
                at: place.at.min(self.now()),
                origin: Origin::Direct,
                key: Some(Digest::of_parts(&[b"hook", item.key.as_bytes()])),
                artifact: None,
            }],
            "hook",
            &mut report,
        )?;
        drained.observed += report.observed;
        Ok(())
    }

    /// The conversation was not seen here: its transcript may tell of the messages later.
    fn take_summary(
        &self,
        place: &Place,
        text: &str,
        drained: &mut Drained,
    ) -> Result<(), DeskError> {
        let kind = ArtifactKind::CompactionSummary;
        let title = "compaction summary";
        let summary = self.take_bytes(place, text, kind, Trust::Model, title, drained)?;
        let now = self.now();
        let compaction = Compaction {
            summary,
            source: None,
            messages: 0,
            layer: place.layer.clone(),
            session: place.session.clone(),
            happened_at: place.at.min(now),
            claims: crate::evidence::split(text).len() as u64,
            candidates: Vec::new(),
        };
        self.store.keep_compaction(compaction, now, "hook")?;
        Ok(())
    }

    fn take_bytes(
        &self,
        place: &Place,
        text: &str,
        kind: ArtifactKind,
        trust: Trust,
        title: &str,
        drained: &mut Drained,
    ) -> Result<Digest, DeskError> {
        let mut incoming = self.store.incoming()?;
        incoming.add(text.as_bytes())?;
        let new = NewArtifact {
            kind,
            trust,
            layer: place.layer.clone(),
            session: Some(place.session.clone()),
            title: title.to_owned(),
            at: self.now(),
            expires_at: self.now().plus_days(self.policy().artifact_days()),
            actor: "hook".to_owned(),
        };
        let (sha256, fresh) = self.store.keep(incoming, new)?;
        drained.artifacts += u64::from(fresh);
        Ok(sha256)
    }

    fn take_transcript(
        &self,
        place: &Place,
        path: &str,
        length: u64,
        drained: &mut Drained,
    ) -> Result<Result<(), String>, DeskError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return Ok(Err(format!("the transcript cannot be read: {error}"))),
        };
        let title = Path::new(path)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let report = self.ingest_with(
            &mut file.take(length),
            IngestRequest {
                title,
                layer: place.layer.clone(),
                project: place.project.clone(),
                user: place.user.clone(),
                session: place.session.clone(),
                format: None,
                progress: None,
            },
            &IngestOptions {
                path: Some(path.to_owned()),
                growing: true,
                ..IngestOptions::default()
            },
        )?;
        drained.observed += report.observed;
        drained.candidates += report.candidates;
        drained.artifacts += u64::from(!report.known);
        Ok(Ok(()))
    }

    fn take_claim(
        &self,
        item: &Spooled,
        place: &Place,
        text: &str,
        file: &str,
        drained: &mut Drained,
    ) -> Result<(), DeskError> {
        let sha256 = self.take_bytes(
            place,
            text,
            ArtifactKind::Document,
            Trust::Model,
            file,
            drained,
        )?;
        let proposer = Proposer::parse("hook guard")
            .map_err(|error| DeskError::NotPossible(error.to_string()))?;
        let answer = self.propose(Proposal {
            claim: text.to_owned(),
            kind: Kind::Inference,
            sources: vec![
                SourceRef::Artifact { sha256, span: None },
                SourceRef::Session(place.session.clone()),
            ],
            declared_trust: Some(Trust::Model),
            scope: Scope {
                layer: place.layer.clone(),
                project: place.project.clone(),
                session: None,
            },
            expires_at: None,
            confidence: None,
            proposer,
            forbidden_fields: Vec::new(),
            key: Some(format!("hook {}", item.key)),
        })?;
        drained.candidates += u64::from(answer.status.is_new());
        Ok(())
    }
}

/// Where and whose an item is, read once.
struct Place {
    at: Time,
    layer: Layer,
    project: Option<Project>,
    user: UserId,
    session: SessionId,
}

impl Place {
    fn of(item: &Spooled) -> Result<Self, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        Ok(Self {
            at: Time::from_millis(item.at),
            layer: Layer::parse(&item.layer).map_err(|error| text(&error))?,
            project: item
                .project
                .as_deref()
                .map(Project::parse)
                .transpose()
                .map_err(|error| text(&error))?,
            user: UserId::parse(&item.user).map_err(|error| text(&error))?,
            session: SessionId::parse(&item.session).map_err(|error| text(&error))?,
        })
    }
}

/// How full the spool of a store is, without opening the store.
#[must_use]
pub fn depth(store: &Path) -> SpoolDepth {
    let folder = folder_of(store);
    let files = waiting(&folder);
    let oldest = files
        .first()
        .and_then(|file| file.file_name()?.to_str()?.split('-').next()?.parse().ok());
    let aside = std::fs::read_dir(folder.join("failed")).map_or(0, Iterator::count);
    SpoolDepth {
        waiting: files.len() as u64,
        oldest,
        failed: aside as u64,
    }
}

/// The files that wait, oldest first.
fn waiting(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let is_item = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        !name.starts_with('.') && name.ends_with(".json")
    };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(is_item)
        .collect();
    files.sort();
    files
}

fn longest<'a>(items: impl Iterator<Item = &'a Spooled>) -> BTreeMap<String, u64> {
    let mut longest = BTreeMap::new();
    for item in items {
        if let Accepted::Transcript { path, length } = &item.what {
            let known = longest.entry(path.clone()).or_insert(0);
            *known = (*length).max(*known);
        }
    }
    longest
}

fn read(file: &Path) -> Result<Spooled, String> {
    let open = File::open(file).map_err(|error| error.to_string())?;
    serde_json::from_reader(std::io::BufReader::new(open).take(LARGEST))
        .map_err(|error| error.to_string())
}

/// The right to drain, for as long as it is held.
fn lock(folder: &Path) -> Option<File> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join(".lock"))
        .ok()?;
    file.try_lock().ok()?;
    Some(file)
}

fn remove(file: &Path) {
    // What cannot be removed is taken in again later, under the same key, and counts nothing.
    let _ = std::fs::remove_file(file);
}

fn set_aside(folder: &Path, file: &Path) {
    let aside = folder.join("failed");
    let kept = std::fs::create_dir_all(&aside).is_ok();
    if let Some(name) = file.file_name().filter(|_| kept) {
        // Where it cannot be moved it stays in the spool and is tried again.
        let _ = std::fs::rename(file, aside.join(name));
    }
}

/// Makes a new name in a folder durable, where the platform can say so.
fn sync(folder: &Path) {
    #[cfg(unix)]
    if let Ok(open) = File::open(folder) {
        // The file itself is durable; a name that is lost with the power was never answered for.
        let _ = open.sync_all();
    }
    #[cfg(not(unix))]
    let _ = folder;
}
