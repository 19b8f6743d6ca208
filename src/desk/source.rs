//! From a reference to what stands there: for the gate as facts, for people as quotes.

use crate::desk::view::Evidence;
use crate::desk::{Desk, DeskError};
use crate::domain::artifact::ArtifactHead;
use crate::domain::observation::Origin;
use crate::domain::pattern::Support;
use crate::domain::receipt::{EventOutcome, Said};
use crate::domain::{Digest, EventId, Layer, PatternId, Scope, SourceRef, Span, Trust};
use crate::gate::{SourceFact, Standing};
use crate::receipt::Standing as Stands;
use crate::store::StoreError;

/// How much of an artifact is quoted around a cited span, in bytes on each side.
const AROUND: usize = 240;
/// The largest artifact that is hashed again whenever it is looked at.
const REHASHED: u64 = 16 * 1024 * 1024;
/// How much is read around a cited span, in bytes on each side.
const WIDER: usize = 8 * 1024;
/// The longest quote that is ever read.
const LONGEST: usize = 16 * 1024;

/// The sources of one claim, resolved.
#[derive(Debug, Clone, Default)]
pub(in crate::desk) struct Sources {
    /// One fact per reference, in order.
    pub(in crate::desk) facts: Vec<SourceFact>,
    /// Who stands behind the pattern among them.
    pub(in crate::desk) support: Support,
    /// The pattern among them.
    pub(in crate::desk) pattern: Option<PatternId>,
    /// Whether a receipt among them says what the claim says.
    pub(in crate::desk) receipt: bool,
    /// Which of them are longer than what was read.
    pub(in crate::desk) cut: Vec<usize>,
    /// Who said an observation, by its place among the references.
    speakers: Vec<(usize, String)>,
}

impl Sources {
    /// Whether any evidence that we hold stands behind the claim.
    pub(in crate::desk) fn has_evidence(&self) -> bool {
        self.facts
            .iter()
            .any(|fact| fact.standing == Standing::Held)
    }

    /// Who speaks in a source, where that is known.
    pub(in crate::desk) fn speaker(&self, at: usize) -> Option<&str> {
        let mut known = self.speakers.iter();
        known
            .find(|(place, _)| *place == at)
            .map(|(_, who)| who.as_str())
    }
}

/// A digest over what is cited, in no particular order, so that new evidence is noticed.
/// Sessions are no evidence and do not count.
pub(in crate::desk) fn evidence_digest(sources: &[SourceRef]) -> Digest {
    let mut cited: Vec<String> = sources
        .iter()
        .filter(|source| !matches!(source, SourceRef::Session(_)))
        .map(ToString::to_string)
        .collect();
    cited.sort();
    cited.dedup();
    Digest::of(cited.join("\n").as_bytes())
}

impl Desk {
    /// Looks up what a claim's references name. What another tenant's people said is not there.
    pub(in crate::desk) fn resolve(
        &self,
        references: &[SourceRef],
        claim: &str,
        scope: &Scope,
    ) -> Result<Sources, DeskError> {
        let mut sources = Sources::default();
        for reference in references {
            let fact = match reference {
                SourceRef::Artifact { sha256, span } => {
                    let fact = self.artifact_fact(reference, sha256, *span)?;
                    let read = fact.text.as_ref().map_or(0, String::len);
                    if read >= LONGEST && span.is_none_or(|span| span.range().len() > LONGEST) {
                        sources.cut.push(sources.facts.len());
                    }
                    fact
                }
                SourceRef::Session(_) => fact(
                    reference,
                    Trust::AuthenticatedUser,
                    Standing::Declared,
                    None,
                ),
                SourceRef::Pattern(id) => {
                    self.pattern_fact(reference, *id, claim, scope, &mut sources)?
                }
                SourceRef::Receipt(id) => match self.receipt(*id, &scope.layer)? {
                    Some((said, Stands::Stands(_))) => {
                        sources.receipt |= crate::receipt::asserts(&said, claim);
                        fact(
                            reference,
                            Trust::System,
                            Standing::Held,
                            Some(said_text(&said)),
                        )
                    }
                    _ => fact(reference, Trust::Model, Standing::Missing, None),
                },
                SourceRef::Observation(id) => match self.store.observation(*id)? {
                    None => fact(reference, Trust::Model, Standing::Missing, None),
                    Some(found) if !same_tenant(&found.sighting.layer, scope) => {
                        fact(reference, Trust::Model, Standing::Missing, None)
                    }
                    Some(found) => {
                        let echo = found.sighting.origin != Origin::Direct;
                        let trust = if echo {
                            Trust::Model
                        } else {
                            found.sighting.trust
                        };
                        if !echo {
                            let who = found.sighting.user.to_string();
                            sources.speakers.push((sources.facts.len(), who));
                        }
                        fact(reference, trust, Standing::Held, Some(found.sighting.text))
                    }
                },
            };
            sources.facts.push(fact);
        }
        Ok(sources)
    }

    /// What a reviewer sees of the references.
    pub(in crate::desk) fn evidence(
        &self,
        references: &[SourceRef],
    ) -> Result<Vec<Evidence>, DeskError> {
        references
            .iter()
            .map(|reference| self.evidence_of(reference))
            .collect()
    }

    /// Whether an artifact's bytes still have its hash; very large ones are left to `audit verify`.
    fn bytes_are_whole(&self, head: &ArtifactHead) -> Result<bool, DeskError> {
        if head.length > REHASHED {
            return Ok(true);
        }
        Ok(self.store.artifact_is_whole(&head.sha256)?)
    }

    fn artifact_fact(
        &self,
        reference: &SourceRef,
        sha256: &Digest,
        span: Option<Span>,
    ) -> Result<SourceFact, DeskError> {
        let Some(head) = self.store.artifact(sha256)? else {
            return Ok(fact(reference, Trust::Model, Standing::Missing, None));
        };
        if !head.present || head.expires_at <= self.now() {
            return Ok(fact(reference, head.trust, Standing::Expired, None));
        }
        if !self.bytes_are_whole(&head)? {
            return Ok(fact(reference, Trust::Model, Standing::Missing, None));
        }
        let whole = Span {
            start: 0,
            end: usize::try_from(head.length).unwrap_or(usize::MAX),
        };
        let wanted = span.unwrap_or(whole);
        if wanted.end > whole.end {
            return Ok(fact(reference, head.trust, Standing::SpanOutside, None));
        }
        let bytes = self
            .store
            .artifact_bytes(sha256, wanted, LONGEST)?
            .unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(fact(reference, head.trust, Standing::Held, Some(text)))
    }

    fn pattern_fact(
        &self,
        reference: &SourceRef,
        id: PatternId,
        claim: &str,
        scope: &Scope,
        sources: &mut Sources,
    ) -> Result<SourceFact, DeskError> {
        match self.store.pattern(id) {
            // The people behind a pattern said these words and vouch for no others.
            Ok(found)
                if !same_tenant(&found.layer, scope)
                    || !self
                        .store
                        .pattern_holds(id, &crate::recurrence::fingerprint(claim))? =>
            {
                Ok(fact(reference, Trust::Model, Standing::Missing, None))
            }
            Ok(found) => {
                sources.support = found.support;
                sources.pattern = Some(id);
                Ok(fact(
                    reference,
                    found.trust,
                    Standing::Held,
                    Some(found.claim),
                ))
            }
            Err(StoreError::NotFound(_)) => {
                Ok(fact(reference, Trust::Model, Standing::Missing, None))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn evidence_of(&self, reference: &SourceRef) -> Result<Evidence, DeskError> {
        let plain = |title: String, trust, standing| Evidence {
            reference: reference.clone(),
            trust,
            kind: None,
            title,
            standing,
            quote: None,
            cited: None,
            backs: None,
            denies: None,
            expires_at: None,
        };
        match reference {
            SourceRef::Session(session) => Ok(plain(
                format!("session {session}"),
                Trust::AuthenticatedUser,
                "declared, not held",
            )),
            SourceRef::Artifact { sha256, span } => {
                self.artifact_evidence(reference, sha256, *span)
            }
            SourceRef::Pattern(id) => match self.store.pattern(*id) {
                Ok(found) => Ok(plain(
                    format!(
                        "{id}: {} people, {} sessions, {} days",
                        found.support.users, found.support.sessions, found.support.days
                    ),
                    found.trust,
                    "held",
                )),
                Err(StoreError::NotFound(_)) => Ok(plain(id.to_string(), Trust::Model, "missing")),
                Err(error) => Err(error.into()),
            },
            SourceRef::Receipt(id) => self.receipt_evidence(*id, plain),
            SourceRef::Observation(id) => Ok(match self.store.observation(*id)? {
                None => plain(id.to_string(), Trust::Model, "missing"),
                Some(found) => {
                    let seen = found.sighting;
                    let mut evidence = plain(
                        format!("{id} by {} in {}", seen.user, seen.session),
                        seen.trust,
                        "held",
                    );
                    evidence.quote = Some(self.shown(&seen.text).text);
                    evidence
                }
            }),
        }
    }

    fn receipt_evidence(
        &self,
        id: EventId,
        plain: impl Fn(String, Trust, &'static str) -> Evidence,
    ) -> Result<Evidence, DeskError> {
        let Some(event) = self.store.event(id)? else {
            return Ok(plain(id.to_string(), Trust::Model, "missing"));
        };
        let (Some(said), EventOutcome::Receipt) = (&event.said, event.outcome) else {
            return Ok(plain(
                format!("{id} from {}", event.source),
                Trust::Model,
                "no receipt",
            ));
        };
        let (trust, standing) = match self.standing_of(said, &event.layer)? {
            Stands::Stands(_) => (Trust::System, "verified receipt"),
            Stands::Withdrawn(_) => (Trust::Model, "taken back by a later event"),
            Stands::Held(_) | Stands::Unsaid => (
                Trust::Model,
                "held: it cannot be told whether it still stands",
            ),
        };
        let mut evidence = plain(format!("{id} from {}", event.source), trust, standing);
        evidence.quote = Some(self.shown(&said_text(said)).text);
        Ok(evidence)
    }

    fn artifact_evidence(
        &self,
        reference: &SourceRef,
        sha256: &Digest,
        span: Option<Span>,
    ) -> Result<Evidence, DeskError> {
        let mut evidence = Evidence {
            reference: reference.clone(),
            trust: Trust::Model,
            kind: None,
            title: format!("artifact {}", sha256.short()),
            standing: "unknown here",
            quote: None,
            cited: None,
            backs: None,
            denies: None,
            expires_at: None,
        };
        let Some(head) = self.store.artifact(sha256)? else {
            return Ok(evidence);
        };
        evidence.trust = head.trust;
        evidence.kind = Some(head.kind);
        evidence.title.clone_from(&head.title);
        evidence.expires_at = Some(head.expires_at);
        if !head.present || head.expires_at <= self.now() {
            evidence.standing = self.how_it_went(sha256)?;
            return Ok(evidence);
        }
        if !self.bytes_are_whole(&head)? {
            evidence.standing = "changed since it was kept: not the bytes that were cited";
            return Ok(evidence);
        }
        evidence.standing = "held";
        let length = usize::try_from(head.length).unwrap_or(usize::MAX);
        let cited = span.unwrap_or(Span {
            start: 0,
            end: length.min(LONGEST),
        });
        if cited.end > length {
            evidence.standing = "held, but the cited range lies outside it";
            return Ok(evidence);
        }
        // Wider than what is shown, so that a secret is recognised whole before the quote is cut.
        let around = Span {
            start: cited.start.saturating_sub(WIDER),
            end: cited.end.saturating_add(WIDER).min(length),
        };
        let limit = LONGEST.saturating_add(2 * WIDER);
        let bytes = self
            .store
            .artifact_bytes(sha256, around, limit)?
            .unwrap_or_default();
        let (quote, place) = quoted(
            &bytes,
            cited.start.saturating_sub(around.start),
            cited.end.saturating_sub(around.start),
        );
        let (quote, place) = cut(&self.shown(&quote).text, place);
        evidence.quote = Some(quote);
        evidence.cited = Some(place);
        Ok(evidence)
    }
}

/// A text with no more than a little around a place in it.
fn cut(text: &str, place: Span) -> (String, Span) {
    let start = text.floor_char_boundary(place.start.saturating_sub(AROUND));
    let end = text.ceil_char_boundary(place.end.saturating_add(AROUND).min(text.len()));
    let quote = text.get(start..end).unwrap_or_default().to_owned();
    let place = Span {
        start: place.start.saturating_sub(start),
        end: place.end.saturating_sub(start).min(quote.len()),
    };
    (quote, place)
}

/// Bytes as text, with the place of a byte range in that text: bytes that are no text change length.
fn quoted(bytes: &[u8], start: usize, end: usize) -> (String, Span) {
    let part = |range: std::ops::Range<usize>| {
        String::from_utf8_lossy(bytes.get(range).unwrap_or_default()).into_owned()
    };
    let (start, end) = (start.min(bytes.len()), end.min(bytes.len()));
    let (before, cited, after) = (part(0..start), part(start..end), part(end..bytes.len()));
    let place = Span {
        start: before.len(),
        end: before.len() + cited.len(),
    };
    (before + &cited + &after, place)
}

/// A receipt in words.
fn said_text(said: &Said) -> String {
    let place = said
        .environment
        .as_deref()
        .map(|name| format!(" in {name}"))
        .unwrap_or_default();
    let when = said
        .said_at
        .map(|at| format!(" at {at}"))
        .unwrap_or_default();
    format!(
        "{} was {}{place}{when} ({})",
        said.subject, said.action, said.state
    )
}

fn same_tenant(layer: &Layer, scope: &Scope) -> bool {
    layer.tenant() == scope.layer.tenant()
}

fn fact(
    reference: &SourceRef,
    trust: Trust,
    standing: Standing,
    text: Option<String>,
) -> SourceFact {
    SourceFact {
        reference: reference.clone(),
        trust,
        standing,
        text,
    }
}
