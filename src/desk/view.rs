//! What faces are shown: snapshots put together from the store, the gate and the evidence.
//!
//! Texts here are already masked where they hold a secret: a face never sees the raw value.

pub use crate::domain::why::Why;

use crate::domain::artifact::ArtifactKind;
use crate::domain::candidate::{Approval, Candidate, CandidateRow};
use crate::domain::memory::{Memory, MemoryKey, MemoryState, Mode};
use crate::domain::pattern::Wording;
use crate::domain::query::Searched;
use crate::domain::{
    Act, Assurance, CandidateId, Digest, EntrySeq, Influence, Kind, Layer, MemoryId, ServingId,
    SourceRef, Span, Time, Trust, Weighed,
};
use crate::store::memory::Audience;
use crate::store::order::LayerReach;

/// A run of rows and whether there are more behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// Whether a further page follows in the direction asked for.
    pub more: bool,
}

/// What the head line of every screen says.
#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    /// The store's path.
    pub store: String,
    /// Whether the store is a throw-away one for trying things out.
    pub demo: bool,
    /// Candidates that wait for a reviewer, held ones included, snoozed ones not.
    pub pending: u64,
    /// Candidates that wait for security.
    pub quarantined: u64,
    /// Pending candidates that are held.
    pub held: u64,
    /// Candidates that come back later.
    pub snoozed: u64,
    /// How many pending candidates the policy thinks a team can keep up with.
    pub budget: u64,
    /// When the oldest pending candidate was proposed.
    pub oldest: Option<Time>,
    /// Memories written as active, expired ones included.
    pub memories: u64,
    /// Entries in the ledger.
    pub entries: u64,
    /// Observations that the detector has not looked at yet.
    pub lag: u64,
    /// The policy's hash.
    pub policy: Digest,
    /// The moment all of this was read.
    pub now: Time,
}

/// A candidate with everything a reviewer looks at before deciding.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateView {
    /// The candidate; its claim is masked where it holds a secret.
    pub candidate: Candidate,
    /// The hash of the claim as it is shown here; a decision names it.
    pub shown: Digest,
    /// The parts of the claim that are masked.
    pub masked: Vec<Span>,
    /// Where it comes from.
    pub evidence: Vec<Evidence>,
    /// The wordings behind its pattern, most frequent first.
    pub wordings: Vec<Wording>,
    /// The newest sightings behind its pattern.
    pub sightings: Vec<SightingRow>,
    /// Words of the claim that no source backs, or that go further than the sources.
    pub unsupported: Vec<Span>,
    /// What the sources make of it; none where none can be read, or where it needs none.
    pub weighed: Option<Weighed>,
    /// Approved memories that say nearly the same, nearest first.
    pub near: Vec<Near>,
    /// What stood near it when it was proposed, in its lineage of layers.
    pub known: Vec<crate::domain::known::Known>,
    /// What is suspicious about the support of its pattern, in words.
    pub flags: Vec<String>,
    /// The layers that will see it, with what each sees already and who is served there.
    pub audience: Vec<Audience>,
    /// The claims that it could be split into; fewer than two where it is one.
    pub parts: Vec<String>,
    /// Who has approved it so far, where more than one must.
    pub approvals: Vec<Approval>,
    /// How many people must approve it.
    pub reviewers_needed: u32,
    /// Whether approving it needs a reason in words.
    pub reason_needed: bool,
    /// Why it cannot be approved by anybody now, in one sentence.
    pub blocked: Option<String>,
    /// What has happened to it, newest first.
    pub history: Vec<EntryRow>,
}

/// One source of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The reference as the claim gives it.
    pub reference: SourceRef,
    /// Where the source came from.
    pub trust: Trust,
    /// What sort of evidence it is, where it is held.
    pub kind: Option<ArtifactKind>,
    /// A title for people.
    pub title: String,
    /// Where it stands: held, missing, gone, only declared.
    pub standing: &'static str,
    /// The quoted text around the cited span.
    pub quote: Option<String>,
    /// The cited span inside the quote.
    pub cited: Option<Span>,
    /// What of the quote backs the claim, or the part of it that holds.
    pub backs: Option<Span>,
    /// What of the quote says otherwise.
    pub denies: Option<Span>,
    /// When its bytes go.
    pub expires_at: Option<Time>,
}

/// One sighting behind a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct SightingRow {
    /// When.
    pub at: Time,
    /// Who.
    pub user: String,
    /// In which conversation.
    pub session: String,
    /// What was said.
    pub text: String,
    /// Where the text came from.
    pub trust: Trust,
    /// Whether it counts, and if not why.
    pub counts: Result<(), &'static str>,
}

/// An approved memory near a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// The memory.
    pub memory: MemoryId,
    /// Its text.
    pub text: String,
    /// Its layer.
    pub layer: Layer,
    /// Share of words in common, in percent.
    pub overlap: u32,
    /// In what the two differ though they speak of the same: numbers, names, a negation.
    pub differs: Vec<&'static str>,
}

/// Which part of a list of memories is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryPlace {
    /// From the first on.
    Start,
    /// From this one on, itself too if it is still there.
    At(MemoryKey),
    /// The rows behind this one.
    After(MemoryKey),
    /// The rows just before this one.
    Before(MemoryKey),
    /// The last ones.
    End,
}

/// A memory that an act on many would turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedMemory {
    /// The memory.
    pub id: MemoryId,
    /// The hash of its text as it is shown.
    pub shown: Digest,
    /// How often it was served.
    pub served: u64,
}

/// A memory in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryRow {
    /// Its place in the order asked for.
    pub key: MemoryKey,
    /// Its id.
    pub id: MemoryId,
    /// Its text.
    pub text: String,
    /// Its layer.
    pub layer: Layer,
    /// What sort of claim it is.
    pub kind: Kind,
    /// What it could cause.
    pub influence: Influence,
    /// How far it may be relied on.
    pub mode: Mode,
    /// Where it stands at the moment it was read.
    pub state: MemoryState,
    /// When it ends.
    pub expires_at: Time,
    /// How often it was served.
    pub served: u64,
    /// When it was last served.
    pub last_served: Option<Time>,
    /// Whether enough people say otherwise since a person last decided on it.
    pub contradicted: bool,
    /// Why it should be looked at again, weightiest first; empty for a sound memory.
    pub stale: Vec<String>,
}

/// A memory with everything known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryView {
    /// The memory.
    pub memory: Memory,
    /// Where it stands now.
    pub state: MemoryState,
    /// Why it should be looked at again.
    pub stale: Vec<String>,
    /// Whether its bytes still match what was approved.
    pub verified: Result<(), String>,
    /// Where it comes from.
    pub evidence: Vec<Evidence>,
    /// The newest servings that contained it.
    pub servings: Vec<ServingRow>,
    /// In how many distinct sessions it was served.
    pub sessions_reached: u64,
    /// Where its servings went, the most first.
    pub reach: Vec<LayerReach>,
    /// The claim as proposed, where the reviewer changed it.
    pub proposed: Option<String>,
    /// What has happened to it and its candidate, newest first.
    pub history: Vec<EntryRow>,
    /// Every version of it, oldest first: itself among them.
    pub versions: Vec<VersionRow>,
    /// What renewing it would mean now.
    pub renewal: crate::desk::RenewalTerms,
}

/// One version of a memory.
#[derive(Debug, Clone, PartialEq)]
pub struct VersionRow {
    /// The memory.
    pub id: MemoryId,
    /// Its text.
    pub text: String,
    /// Who approved it.
    pub by: String,
    /// When.
    pub at: Time,
    /// Where it stands now.
    pub state: MemoryState,
}

/// One serving in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ServingRow {
    /// Its id.
    pub id: ServingId,
    /// When.
    pub at: Time,
    /// The layer that asked.
    pub layer: Layer,
    /// The session that asked.
    pub session: Option<String>,
    /// How many memories it held.
    pub memories: u64,
}

/// One ledger entry in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryRow {
    /// Its place.
    pub seq: EntrySeq,
    /// When.
    pub at: Time,
    /// What was done.
    pub act: Act,
    /// To what.
    pub item: String,
    /// By whom.
    pub actor: String,
    /// How sure that is.
    pub assurance: Assurance,
    /// The reason given, where it has not been erased.
    pub reason: Option<String>,
    /// The text shown, where it has not been erased; masked where it holds a secret.
    pub text: Option<String>,
    /// The entry's hash.
    pub hash: Digest,
    /// What else the entry commits to.
    pub facts: Vec<(String, String)>,
}

/// The decision that `undo` would take back.
#[derive(Debug, Clone, PartialEq)]
pub struct Undoable {
    /// The entry that would be taken back.
    pub entry: EntrySeq,
    /// What it was.
    pub act: Act,
    /// What it was done to.
    pub item: String,
    /// When.
    pub at: Time,
    /// In how many servings the memory has been handed over since.
    pub served: u64,
}

/// How the list of memories is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MemorySort {
    /// What most needs a person's eye first.
    #[default]
    Staleness,
    /// What ends soonest first.
    Expiry,
    /// What nobody was handed for longest first.
    Served,
    /// The oldest first.
    Age,
    /// What most people speak against first.
    Contradictions,
    /// The newest first.
    Newest,
}

impl MemorySort {
    /// Every order, with its word for commands and for the head of the list.
    pub const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Staleness, "staleness", "stalest first"),
        (Self::Expiry, "expiry", "first to end first"),
        (Self::Served, "served", "longest unserved first"),
        (Self::Age, "age", "oldest first"),
        (
            Self::Contradictions,
            "contradictions",
            "most contradicted first",
        ),
        (Self::Newest, "newest", "newest first"),
    ];

    /// What the head of the list says.
    #[must_use]
    pub fn says(self) -> &'static str {
        let found = Self::ALL.iter().find(|(sort, ..)| *sort == self);
        found.map_or("", |(_, _, says)| says)
    }

    /// The next order, going round.
    #[must_use]
    pub fn next(self) -> Self {
        let mut round = Self::ALL.iter().map(|(sort, ..)| *sort).cycle();
        let _found = round.by_ref().find(|sort| *sort == self);
        round.next().unwrap_or_default()
    }
}

/// What one round of the detector did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Detected {
    /// Observations looked at.
    pub observations: u64,
    /// Patterns that grew or began.
    pub patterns: u64,
    /// Candidates proposed.
    pub proposed: Vec<CandidateId>,
    /// Observations still to be looked at.
    pub lag: u64,
    /// Whether another process holds the detector's lease, so that this one did nothing.
    pub busy: bool,
}

/// Rows of the queue or the quarantine.
pub type QueuePage = Searched<CandidateRow, CandidateId>;
