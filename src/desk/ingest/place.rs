//! Where a file was left, whether it is still the same file, and the bytes of it that are new.

use super::{Bytes, IngestOptions, IngestReport, IngestRequest};
use crate::desk::{Desk, DeskError};
use crate::domain::artifact::ArtifactKind;
use crate::domain::digest::Hasher;
use crate::domain::{Digest, Trust};
use crate::store::bookmark::Bookmark;
use crate::transcript::Format;
use std::fs::File;
use std::io::{Read as _, SeekFrom};

/// How much is read at a time.
pub(super) const CHUNK: usize = 256 * 1024;
/// How many bytes at the start and before the offset say that a file is still the same.
const SAMPLE: u64 = 4096;

/// What is known of a file before it is read.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) format: &'static Format,
    pub(super) length: u64,
    /// What it is called in the store, where it can be called anything.
    pub(super) name: Option<Digest>,
    /// Where it was left, where it is still the same file.
    pub(super) left: Option<Bookmark>,
    /// The hash of what stands after that.
    tail: Option<Digest>,
}

/// The new bytes, kept or only hashed.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) artifact: Digest,
    pub(super) known: bool,
    /// The bytes as they were kept: what is read is what was hashed.
    pub(super) spool: Option<File>,
    /// How many there are.
    pub(super) length: u64,
}

impl Found {
    /// Whether there is nothing in it that was not there the last time.
    pub(super) fn is_same(&self) -> bool {
        self.left
            .is_some_and(|left| self.tail == Some(left.tail) && self.length == left.length)
    }

    /// The byte the new part begins at.
    pub(super) fn from(&self) -> u64 {
        self.left.map_or(0, |left| left.offset)
    }

    pub(super) fn nothing_new(&self, options: &IngestOptions) -> IngestReport {
        let artifact = self.left.map_or(Digest::ZERO, |left| left.artifact);
        IngestReport {
            format: self.format.name.to_owned(),
            artifact: format!("artifact:{artifact}"),
            known: true,
            dry_run: options.dry_run,
            bytes: self.length,
            from: self.length,
            ..IngestReport::default()
        }
    }
}

impl Desk {
    /// Looks where the file was left the last time, and whether it is the same file.
    pub(super) fn find_place(
        &self,
        file: &mut dyn Bytes,
        request: &IngestRequest<'_>,
        options: &IngestOptions,
    ) -> Result<Found, DeskError> {
        let wrong = |error: std::io::Error| unreadable(&request.title, &error);
        let length = file.seek(SeekFrom::End(0)).map_err(wrong)?;
        let head = sample(file, 0, crate::transcript::HEAD as u64).map_err(wrong)?;
        let format = request
            .format
            .unwrap_or_else(|| crate::transcript::sniff(&head));
        let name = options.path.as_ref().map(|path| {
            let proposing = if options.propose_summaries {
                "propose"
            } else {
                ""
            };
            let (layer, user) = (request.layer.as_str(), request.user.as_str());
            let parts = [path.as_str(), layer, user, format.name, proposing];
            Digest::of_parts(&parts.map(str::as_bytes))
        });
        let left = match &name {
            Some(name) => self.store.bookmark(name)?,
            None => None,
        };
        let mut found = Found {
            format,
            length,
            name,
            left: None,
            tail: None,
        };
        // Evidence that has gone, by its age or for good, is not known any more: it begins anew.
        let held = match left {
            Some(left) => self
                .store
                .artifact(&left.artifact)?
                .is_some_and(|head| head.present),
            None => false,
        };
        if let Some(left) = left.filter(|left| held && left.offset <= length)
            && before(file, left.offset).map_err(wrong)? == left.before
        {
            if left.length == length {
                found.tail = Some(hash_from(file, left.offset).map_err(wrong)?);
            }
            found.left = Some(left);
        }
        Ok(found)
    }

    /// The bytes first: whatever the parser makes of them, they are kept.
    pub(super) fn keep_new(
        &self,
        file: &mut dyn Bytes,
        found: &Found,
        request: &IngestRequest<'_>,
        options: &IngestOptions,
    ) -> Result<Kept, DeskError> {
        let wrong = |error: std::io::Error| unreadable(&request.title, &error);
        file.seek(SeekFrom::Start(found.from())).map_err(wrong)?;
        if options.dry_run {
            let artifact = hash_from(file, found.from()).map_err(wrong)?;
            return Ok(Kept {
                artifact,
                known: self.store.artifact(&artifact)?.is_some(),
                spool: None,
                length: found.length.saturating_sub(found.from()),
            });
        }
        let mut incoming = self.store.incoming()?;
        let mut buffer = vec![0_u8; CHUNK];
        let mut length = 0_u64;
        loop {
            let n = file.read(&mut buffer).map_err(wrong)?;
            let Some(bytes) = buffer.get(..n).filter(|bytes| !bytes.is_empty()) else {
                break;
            };
            incoming.add(bytes)?;
            length += n as u64;
        }
        let kind = if found.format.name == "observations" {
            ArtifactKind::Observations
        } else {
            ArtifactKind::Transcript
        };
        let mut new = self.new_artifact(kind, Trust::Tool, request);
        if found.from() > 0 {
            new.title = format!("{} from byte {}", request.title, found.from());
        }
        let (artifact, fresh) = self.store.keep(incoming, new)?;
        Ok(Kept {
            artifact,
            known: !fresh,
            spool: Some(self.store.artifact_reader(&artifact)?),
            length,
        })
    }

    /// Notes how far the file was read.
    pub(super) fn leave(
        &self,
        file: &mut dyn Bytes,
        found: &Found,
        kept: &Kept,
        at: (u64, u64),
        title: &str,
    ) -> Result<(), DeskError> {
        let Some(name) = &found.name else {
            return Ok(());
        };
        let wrong = |error: std::io::Error| unreadable(title, &error);
        let (offset, line) = at;
        let length = found.from().saturating_add(kept.length);
        let tail = hash_between(file, offset, length).map_err(wrong)?;
        let bookmark = Bookmark {
            offset,
            line,
            length,
            before: before(file, offset).map_err(wrong)?,
            tail,
            artifact: kept.artifact,
        };
        Ok(self.store.set_bookmark(name, &bookmark)?)
    }
}

pub(super) fn unreadable(title: &str, error: &std::io::Error) -> DeskError {
    DeskError::BadInput {
        what: format!("`{}` cannot be read: {error}", crate::text::line(title)),
        hint: "name a file that you may read".to_owned(),
    }
}

/// The hash of some bytes at the start and just before this one.
fn before(file: &mut dyn Bytes, offset: u64) -> std::io::Result<Digest> {
    let head = sample(file, 0, offset.min(SAMPLE))?;
    let start = offset.saturating_sub(SAMPLE);
    let last = sample(file, start, offset.saturating_sub(start))?;
    Ok(Digest::of_parts(&[&head, &last]))
}

/// So many bytes from here, or what there is.
fn sample(file: &mut dyn Bytes, start: u64, length: u64) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn hash_from(file: &mut dyn Bytes, start: u64) -> std::io::Result<Digest> {
    hash_between(file, start, u64::MAX)
}

fn hash_between(file: &mut dyn Bytes, start: u64, end: u64) -> std::io::Result<Digest> {
    file.seek(SeekFrom::Start(start))?;
    let mut hasher = Hasher::default();
    let mut buffer = vec![0_u8; CHUNK];
    let mut left = end.saturating_sub(start);
    while left > 0 {
        let n = file.read(&mut buffer)?;
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(n);
        let Some(bytes) = buffer.get(..most).filter(|bytes| !bytes.is_empty()) else {
            break;
        };
        hasher.bytes(bytes);
        left = left.saturating_sub(bytes.len() as u64);
    }
    Ok(hasher.finish())
}
