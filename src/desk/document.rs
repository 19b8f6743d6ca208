//! Documents: static knowledge, cut into chunks, each scanned by the gate, indexed at once.
//! Only what a reader sees becomes a chunk; hidden text beside it is noted and left out.
//!
//! Adding one is a decision: what it says reaches agents without passing the queue. A chunk that
//! the gate would quarantine is kept back and named.

use crate::desk::presence::Presence;
use crate::desk::{Desk, DeskError};
use crate::domain::document::{Chunk, Document};
use crate::domain::pattern::Support;
use crate::domain::{
    Act, Class, Digest, DocumentId, Finding, Kind, Layer, Scope, Severity, SourceRef, Time, Trust,
    Verdict,
};
use crate::gate::{Facts, Policy, SourceFact, Standing};
use crate::page::{Form, Hidden, LeftOut, Page, form_of};
use crate::store::document::NewDocument;
use std::sync::Arc;

/// The longest chunk, in bytes; a longer paragraph is cut at its sentences.
const LONGEST: usize = 1200;
/// The longest document that is taken.
const LONGEST_DOCUMENT: usize = 8 * 1024 * 1024;

/// The largest file that is read.
const LARGEST_FILE: usize = 32 * 1024 * 1024;
/// How many notes on hidden text one chunk carries.
const NOTES: usize = 20;

/// A document, cut and scanned, before anybody decided about it.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentDraft {
    /// Its title.
    pub title: String,
    /// The layer it is for.
    pub layer: Layer,
    /// The hash of its text.
    pub sha256: Digest,
    /// Its pieces, each judged.
    pub chunks: Vec<Chunk>,
    /// The hash of the text of the policy that judged them.
    pub policy_text: Digest,
    /// What the file says where no reader looks, and what the gate says of that. None of it is in
    /// a chunk.
    pub left_out: Vec<(LeftOut, Vec<Finding>)>,
    /// How much more was left out than is listed.
    pub more_left_out: usize,
}

/// What became of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentAdded {
    /// Its id.
    pub id: DocumentId,
    /// How many chunks it has.
    pub chunks: usize,
    /// Those kept back: their place and the objection.
    pub withheld: Vec<(u32, String)>,
}

/// Reads a file as the text that a reader sees: Markdown and other text as it stands, HTML without
/// its marks. Known by content; `name` is what it is called.
///
/// # Errors
/// It is empty, too long, PDF, or no text.
pub fn read_document(bytes: &[u8], name: &str) -> Result<Page, DeskError> {
    let shown = crate::text::line_within(name, 120);
    let bad = |what: String, hint: &str| DeskError::BadInput {
        what,
        hint: hint.to_owned(),
    };
    if bytes.len() > LARGEST_FILE {
        return Err(bad(format!("`{shown}` is larger than 32 MiB"), "split it"));
    }
    let form = form_of(bytes, name);
    if form == Form::Pdf {
        let hint = "turn it into text and add what came out: `pdftotext -layout FILE.pdf FILE.txt`";
        return Err(bad(
            format!("`{shown}` is a PDF, which is not read here"),
            hint,
        ));
    }
    let text = std::str::from_utf8(bytes)
        .ok()
        .filter(|_| form != Form::Binary);
    let text = text.ok_or_else(|| {
        bad(
            format!("`{shown}` is not UTF-8 text"),
            "convert it, for instance with `iconv -t UTF-8`",
        )
    })?;
    let page = match form {
        Form::Html => crate::page::read_html(text),
        _ => Page {
            text: text.to_owned(),
            ..Page::default()
        },
    };
    if page.text.trim().is_empty() && !page.left_out.is_empty() {
        return Err(bad(
            format!("`{shown}` holds no text that a reader would see"),
            "all it says is in comments, scripts or hidden elements",
        ));
    }
    Ok(page)
}

impl Desk {
    /// Cuts and scans what a file says. Nothing is written.
    ///
    /// # Errors
    /// It is empty or too long.
    pub fn draft_document(
        &self,
        title: &str,
        layer: &Layer,
        page: &Page,
    ) -> Result<DocumentDraft, DeskError> {
        let bad = |what: &str, hint: &str| DeskError::BadInput {
            what: what.to_owned(),
            hint: hint.to_owned(),
        };
        let text = page.text.as_str();
        if text.trim().is_empty() {
            return Err(bad("the document is empty", "name a file with text in it"));
        }
        if text.len() > LONGEST_DOCUMENT {
            return Err(bad("the document is longer than 8 MiB", "split it"));
        }
        let sha256 = Digest::of(text.as_bytes());
        let scan = Scan {
            others: self.store.other_tenants(layer.tenant())?,
            policy: self.in_force()?,
            scope: Scope::of(layer.clone()),
            now: self.now(),
            source: SourceFact {
                reference: SourceRef::Artifact { sha256, span: None },
                trust: Trust::Tool,
                standing: Standing::Held,
                text: None,
            },
        };
        let left_out: Vec<(LeftOut, Vec<Finding>)> = page
            .left_out
            .iter()
            .map(|one| {
                let says = one.what.is_words().then(|| scan.findings(&one.text));
                (one.clone(), says.unwrap_or_default())
            })
            .collect();
        let pieces = cut(text);
        let starts: Vec<usize> = pieces.iter().map(|piece| start_of(text, piece)).collect();
        let mut chunks: Vec<Chunk> = pieces
            .iter()
            .enumerate()
            .map(|(place, piece)| Chunk {
                place: u32::try_from(place).unwrap_or(u32::MAX),
                text: (*piece).to_owned(),
                verdict: Verdict::Clear,
                findings: scan.findings(piece),
            })
            .collect();
        self.second_opinion(&mut chunks, layer, &scan.policy);
        for (one, says) in &left_out {
            let behind = starts.partition_point(|start| *start < one.at.max(1));
            let chunk = chunks.get_mut(behind.saturating_sub(1));
            if let Some(chunk) = chunk.filter(|chunk| chunk.findings.len() < NOTES) {
                chunk.findings.push(note(one, says));
            }
        }
        for chunk in &mut chunks {
            chunk.verdict = Verdict::of(&chunk.findings);
        }
        Ok(DocumentDraft {
            title: title.to_owned(),
            layer: layer.clone(),
            sha256,
            chunks,
            policy_text: scan.policy.text_hash(),
            left_out,
            more_left_out: page.more,
        })
    }

    /// Adds a document that a person has decided about.
    ///
    /// # Errors
    /// The same bytes stand in the same layer already, or the store cannot be written.
    pub fn add_document(
        &self,
        presence: &Presence,
        draft: DocumentDraft,
    ) -> Result<DocumentAdded, DeskError> {
        self.put_document(presence, draft, None)
    }

    /// Puts a document in the place of another, in one act: no moment has both or neither.
    ///
    /// # Errors
    /// The old one is gone, its text is the same, or the store cannot be written.
    pub fn update_document(
        &self,
        presence: &Presence,
        old: DocumentId,
        draft: DocumentDraft,
    ) -> Result<DocumentAdded, DeskError> {
        self.put_document(presence, draft, Some(old))
    }

    fn put_document(
        &self,
        presence: &Presence,
        draft: DocumentDraft,
        old: Option<DocumentId>,
    ) -> Result<DocumentAdded, DeskError> {
        let chunks = draft.chunks.len();
        let withheld = kept_back(&draft);
        let here = self.store.documents()?;
        let same = here
            .iter()
            .find(|one| one.layer == draft.layer && one.sha256 == draft.sha256);
        if let Some(same) = same {
            return Err(DeskError::BadInput {
                what: format!("the same text is in {} already, as {}", same.layer, same.id),
                hint: "remove that one first, or add a changed text".to_owned(),
            });
        }
        let mut new = NewDocument {
            title: draft.title,
            layer: draft.layer,
            sha256: draft.sha256,
            chunks: draft.chunks,
            policy_text: draft.policy_text,
            hand: presence.hand().clone(),
            at: self.now(),
            signed: None,
        };
        let removal = match old {
            Some(old) => self.sign(
                presence,
                || Ok(self.store.draft_removal(old, &new.hand, new.at)),
                Act::DocumentRemove,
            )?,
            None => None,
        };
        new.signed = self.sign(
            presence,
            || Ok(self.store.draft_document(&new)?),
            Act::DocumentAdd,
        )?;
        let id = match old {
            Some(old) => self.store.replace_document(old, removal, new)?,
            None => self.store.add_document(new)?,
        };
        Ok(DocumentAdded {
            id,
            chunks,
            withheld,
        })
    }

    /// Adds what the second opinion objects to in each piece. One that does not answer is not asked
    /// again: what it missed is said on every piece that it did not see.
    fn second_opinion(&self, chunks: &mut [Chunk], layer: &Layer, policy: &Policy) {
        let mut absent: Option<String> = None;
        for chunk in chunks {
            let answer = match &absent {
                Some(why) => Err(why.clone()),
                None => self.opinion_on_piece(&chunk.text, layer, policy),
            };
            let mut more = answer.unwrap_or_else(|why| {
                let missed = vec![crate::gate::no_opinion(&why)];
                absent = Some(why);
                missed
            });
            crate::gate::observe_all(&mut more, policy.at(layer));
            chunk.findings.append(&mut more);
        }
    }

    /// A document that is here.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn document(&self, id: DocumentId) -> Result<Document, DeskError> {
        let here = self.store.documents()?;
        here.into_iter()
            .find(|one| one.id == id)
            .ok_or_else(|| DeskError::NotFound(format!("there is no document {id}")))
    }

    /// Takes a document away.
    ///
    /// # Errors
    /// There is none, or the store cannot be written.
    pub fn remove_document(&self, presence: &Presence, id: DocumentId) -> Result<(), DeskError> {
        let (hand, now) = (presence.hand().clone(), self.now());
        let draft = || Ok(self.store.draft_removal(id, &hand, now));
        let signed = self.sign(presence, draft, Act::DocumentRemove)?;
        Ok(self.store.remove_document(id, hand, now, signed)?)
    }

    /// Documents that are here, newest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn documents(&self) -> Result<Vec<Document>, DeskError> {
        Ok(self.store.documents()?)
    }
}

/// What a document's words are held against.
struct Scan {
    others: Vec<String>,
    policy: Arc<Policy>,
    scope: Scope,
    now: Time,
    source: SourceFact,
}

impl Scan {
    /// What the gate objects to. A piece holds many sentences: only what it says counts, not how a
    /// single claim is built.
    fn findings(&self, piece: &str) -> Vec<Finding> {
        let facts = Facts {
            text: piece,
            kind: Kind::ObservedFact,
            sources: std::slice::from_ref(&self.source),
            declared_trust: None,
            scope: &self.scope,
            proposer_layer: None,
            expires_at: None,
            now: self.now,
            confidence: None,
            forbidden_fields: &[],
            claims: 1,
            support: Support::default(),
            other_tenants: &self.others,
            receipt: false,
            evidence: None,
        };
        let mut findings = crate::gate::judge(&facts, &self.policy).findings;
        findings.retain(|finding| finding.class != Class::Structure);
        findings
    }
}

/// What a chunk says of hidden text beside it. The text itself is not kept.
fn note(one: &LeftOut, says: &[Finding]) -> Finding {
    let what = one.what.as_str();
    let worst = says.iter().max_by_key(|finding| finding.severity);
    let bytes = one.text.len();
    let message = match worst {
        Some(worst) => format!(
            "a {what} of {bytes} bytes beside it was left out; no reader sees it, and it would be kept back as {}",
            worst.rule
        ),
        None => format!("a {what} of {bytes} bytes beside it was left out; no reader sees it"),
    };
    let severity = match (worst, one.what) {
        (Some(_), _) | (None, Hidden::Element) => Severity::Advisory,
        _ => Severity::Info,
    };
    Finding {
        rule: "hidden_from_readers".to_owned(),
        class: Class::InvisibleText,
        severity,
        span: None,
        view: "page".to_owned(),
        field: None,
        decoded: None,
        message,
    }
}

/// Where in its text a piece begins.
fn start_of(text: &str, piece: &str) -> usize {
    piece.as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

/// The chunks that the gate keeps back, with its objection.
fn kept_back(draft: &DocumentDraft) -> Vec<(u32, String)> {
    let objection = |chunk: &Chunk| {
        let worst = chunk.findings.iter().max_by_key(|finding| finding.severity);
        worst
            .map(|finding| format!("{}: {}", finding.rule, finding.message))
            .unwrap_or_default()
    };
    draft
        .chunks
        .iter()
        .filter(|chunk| chunk.verdict == Verdict::Quarantine)
        .map(|chunk| (chunk.place, objection(chunk)))
        .collect()
}

/// Paragraphs, joined while they are short, cut at sentences where they are long.
fn cut(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut end = 0;
    for paragraph in text.split_inclusive("\n\n") {
        if end > start && end + paragraph.len() - start > LONGEST {
            pieces.push((start, end));
            start = end;
        }
        end += paragraph.len();
    }
    pieces.push((start, end));
    pieces
        .into_iter()
        .filter_map(|(start, end)| text.get(start..end))
        .flat_map(cut_long)
        .map(str::trim)
        .filter(|piece| !piece.is_empty())
        .collect()
}

fn cut_long(mut text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    while text.len() > LONGEST {
        let limit = text.floor_char_boundary(LONGEST);
        let head = text.get(..limit).unwrap_or(text);
        let at = [". ", "\n", " "]
            .iter()
            .find_map(|mark| head.rfind(mark).map(|at| at + mark.len()))
            .unwrap_or(limit);
        let (piece, rest) = text.split_at_checked(at.max(1)).unwrap_or((text, ""));
        pieces.push(piece);
        text = rest;
    }
    pieces.push(text);
    pieces
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, cut};

    #[test]
    fn chunks_hold_the_whole_text_and_none_is_too_long() {
        let paragraph = "A sentence about refunds. ".repeat(30);
        let text = format!("Title\n\n{paragraph}\n\n{}\n\nlast", "ä".repeat(3000));
        let pieces = cut(&text);
        assert!(pieces.iter().all(|piece| piece.len() <= LONGEST));
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(bare(&pieces.concat()), bare(&text));
    }
}
