//! Exports: approved, unexpired, verified memory as the body of a managed block.
//!
//! An export hands memories over like any recall: it is logged before its bytes go anywhere. Files
//! are the face's work; the markers are `render`'s. No candidate, finding or artifact comes near.

use crate::desk::recall::record;
use crate::desk::{Desk, DeskError, ProposalAnswer, Served};
use crate::domain::artifact::ArtifactKind;
use crate::domain::candidate::Proposal;
use crate::domain::{Digest, Kind, MemoryId, Proposer, Scope, ServingId, SourceRef, Span, Trust};
use crate::render::Record;
use crate::render::managed::Body;
use crate::store::artifact::NewArtifact;
use crate::store::recall::NewServing;

/// How many memories one export is made from.
const LOOKED_AT: usize = 5000;

/// What is to be exported.
#[derive(Debug, Clone)]
pub struct ExportRequest {
    /// From where it is read: its layer and the layers above it.
    pub viewer: Scope,
    /// How many bytes the body may take.
    pub budget: usize,
}

/// A body, ready to be put into a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// The scope as markers name it.
    pub scope: String,
    /// The body and what is to be said of it.
    pub body: Body,
    /// The memories that stand in it.
    pub records: Vec<Served>,
    /// Memories that did not verify, and why.
    pub withheld: Vec<(MemoryId, String)>,
    viewer: Scope,
}

impl Desk {
    /// Makes the body of an export. Nothing is handed over and nothing logged yet.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn export(&self, request: &ExportRequest) -> Result<Export, DeskError> {
        let viewer = &request.viewer;
        let now = self.now();
        let mut withheld = Vec::new();
        let mut sound = Vec::new();
        let grounds = self.grounds()?;
        for recalled in self.store.recall(viewer, None, now, LOOKED_AT)? {
            match self.check(&grounds, &recalled, viewer, now) {
                Ok(()) => sound.push(Served {
                    sha256: recalled.memory.sha256(),
                    stale: Vec::new(),
                    memory: recalled.memory,
                }),
                Err(why) => withheld.push((recalled.memory.id, why)),
            }
        }
        let scope = scope_text(viewer);
        let records: Vec<Record> = sound.iter().map(record).collect();
        let body = crate::render::managed::body(&records, &scope, request.budget);
        let records = body
            .taken
            .iter()
            .filter_map(|place| sound.get(*place).cloned())
            .collect();
        Ok(Export {
            scope,
            body,
            records,
            withheld,
            viewer: viewer.clone(),
        })
    }

    /// Logs that an export is handed over. Its bytes go nowhere before this has returned.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn exported(&self, export: &Export, target: &str) -> Result<ServingId, DeskError> {
        let bytes = export.body.text.as_bytes();
        Ok(self.store.serve(NewServing {
            at: self.now(),
            actor: "export".to_owned(),
            scope: export.viewer.clone(),
            format: format!("export {target}"),
            block: Digest::of(bytes),
            bytes: bytes.len() as u64,
            memories: export
                .records
                .iter()
                .map(|one| (one.memory.id, one.sha256))
                .collect(),
            withheld: export.withheld.clone(),
            trace: None,
        })?)
    }

    /// Proposes what was written by hand inside a block: each new line is a candidate, the file
    /// its evidence. Whoever may write the file may have written it, so its trust is `model`.
    ///
    /// # Errors
    /// The evidence or a candidate cannot be written.
    pub fn adopt(
        &self,
        export: &Export,
        file: &str,
        title: &str,
    ) -> Result<Vec<ProposalAnswer>, DeskError> {
        let known: Vec<&str> = export.body.text.lines().collect();
        let edits: Vec<&str> = crate::render::managed::edits(file, &known);
        if edits.is_empty() {
            return Ok(Vec::new());
        }
        let mut incoming = self.store.incoming()?;
        incoming.add(file.as_bytes())?;
        let now = self.now();
        let new = NewArtifact {
            kind: ArtifactKind::Document,
            trust: Trust::Model,
            layer: export.viewer.layer.clone(),
            session: None,
            title: title.to_owned(),
            at: now,
            expires_at: now.plus_days(self.policy().artifact_days()),
            actor: "export".to_owned(),
        };
        let (sha256, _) = self.store.keep(incoming, new)?;
        let proposer =
            Proposer::parse("export").map_err(|error| DeskError::NotPossible(error.to_string()))?;
        edits
            .into_iter()
            .map(|claim| {
                let span = file.find(claim).map(|start| Span {
                    start,
                    end: start + claim.len(),
                });
                self.propose(Proposal {
                    claim: claim.to_owned(),
                    kind: Kind::ObservedFact,
                    sources: vec![SourceRef::Artifact { sha256, span }],
                    declared_trust: None,
                    scope: export.viewer.clone(),
                    expires_at: None,
                    confidence: None,
                    proposer: proposer.clone(),
                    forbidden_fields: Vec::new(),
                    key: None,
                })
            })
            .collect()
    }
}

/// A scope as one word without white space.
fn scope_text(scope: &Scope) -> String {
    let mut out = scope.layer.to_string();
    if let Some(project) = &scope.project {
        out.push('@');
        out.extend(project.as_str().chars().map(|c| {
            let plain = c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
            if plain { c } else { '_' }
        }));
    }
    out
}
