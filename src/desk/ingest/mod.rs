//! Ingesting: the file becomes an artifact, then its messages become what they may become.
//!
//! A person's words are observations; a compaction summary is an artifact of its own, split into
//! claims of trust `model`, each aligned to the messages it says it came from; everything else
//! stays evidence. Reading is streaming; a broken line costs that line only.
//!
//! | module | does |
//! |---|---|
//! | `compaction` | the record of what was summed up, into what, and what was made of it |
//! | `place` | where a file was left and whether it is still the same; the bytes that are new |
//! | `run` | one file on its way through |
//! | `summary` | what a compaction summary claims, and what stands behind each claim |

mod compaction;
mod place;
mod run;
mod summary;

use crate::desk::{Desk, DeskError};
use crate::domain::artifact::ArtifactKind;
use crate::domain::{Layer, Problem, Project, SessionId, Time, Trust, UserId};
use crate::store::artifact::NewArtifact;
use crate::transcript::Format;
use std::collections::BTreeMap;
use std::io::{Read, Seek};

pub use summary::{Standing, SummaryReport};

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

/// How it is to be ingested.
#[derive(Debug, Clone, Default)]
pub struct IngestOptions {
    /// The name of the file on its machine: it is read on from where it was left.
    pub path: Option<String>,
    /// Only says what would be new; nothing is written.
    pub dry_run: bool,
    /// The file may still grow: a last line without its end is not there yet.
    pub growing: bool,
    /// The claims of compaction summaries are proposed, each through the gate.
    pub propose_summaries: bool,
    /// Whoever imports it says that what the format calls the user's was typed by the user.
    pub vouched: bool,
    /// When it was said, where the file does not say.
    pub at: Option<Time>,
}

/// Where bytes are read from.
pub trait Bytes: Read + Seek {}

impl<T: Read + Seek> Bytes for T {}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct IngestReport {
    /// The format it was read as.
    pub format: String,
    /// The artifact it became.
    pub artifact: String,
    /// Whether these bytes had been ingested before.
    pub known: bool,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// How many bytes it has.
    pub bytes: u64,
    /// The byte from which it was read: more than none for a file that has grown.
    pub from: u64,
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
    /// What the compaction summaries claim, the first of them.
    pub summaries: Vec<SummaryReport>,
    /// How many claims they make in all.
    pub claims: u64,
    /// How many of these nothing earlier in the file supports.
    pub unsupported: u64,
    /// Record types that are not known, with how many there were; their bytes are kept.
    pub unknown: BTreeMap<String, u64>,
    /// Records of which pictures and other blobs were left out in reading.
    pub blobs: u64,
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
        file: &mut dyn Bytes,
        request: IngestRequest<'_>,
    ) -> Result<IngestReport, DeskError> {
        self.ingest_with(file, request, &IngestOptions::default())
    }

    /// Ingests one file in a particular way. The same file again adds nothing; one that has grown
    /// is read from where it was left.
    ///
    /// # Errors
    /// The file cannot be read, or the store cannot be written.
    pub fn ingest_with(
        &self,
        file: &mut dyn Bytes,
        request: IngestRequest<'_>,
        options: &IngestOptions,
    ) -> Result<IngestReport, DeskError> {
        let found = self.find_place(file, &request, options)?;
        if found.is_same() {
            return Ok(found.nothing_new(options));
        }
        let kept = self.keep_new(file, &found, &request, options)?;
        run::Run::begin(self, &found, &kept, request, options).go(file, &found, kept)
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
            expires_at: now.plus_days(self.policy().artifact_days()),
            actor: "ingest".to_owned(),
        }
    }
}

fn position(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
