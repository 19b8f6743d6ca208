//! How far a file was read: bookkeeping that saves work and decides nothing.
//!
//! A bookmark is no act and has no entry: without it everything is read again and nothing is
//! counted twice.

use crate::domain::Digest;
use crate::store::Store;
use crate::store::error::StoreError;
use rusqlite::OptionalExtension as _;

/// How far a file was read, and how to see that it is still the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bookmark {
    /// The byte after the last whole record.
    pub offset: u64,
    /// The number of the line that starts there.
    pub line: u64,
    /// How many bytes the file had.
    pub length: u64,
    /// The hash of some bytes at its start and just before the offset.
    pub before: Digest,
    /// The hash of what stood after the offset.
    pub tail: Digest,
    /// The artifact that was made of it last.
    pub artifact: Digest,
}

impl Bookmark {
    fn write(&self) -> String {
        let Self {
            offset,
            line,
            length,
            before,
            tail,
            artifact,
        } = self;
        format!("1 {offset} {line} {length} {before} {tail} {artifact}")
    }

    /// None for what another version wrote: then the file is read from its start.
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix("1 ")?.split(' ');
        let mut number = || parts.next()?.parse::<u64>().ok();
        let (offset, line, length) = (number()?, number()?, number()?);
        let mut digest = || Digest::parse(parts.next()?).ok();
        Some(Self {
            offset,
            line,
            length,
            before: digest()?,
            tail: digest()?,
            artifact: digest()?,
        })
    }
}

impl Store {
    /// How far the file of this name was read.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn bookmark(&self, name: &Digest) -> Result<Option<Bookmark>, StoreError> {
        let name = row(name);
        let text: Option<String> = self.read(|db| {
            Ok(db
                .prepare_cached("SELECT value FROM meta WHERE name = ?1")?
                .query_row([&name], |row| row.get(0))
                .optional()?)
        })?;
        Ok(text.as_deref().and_then(Bookmark::read))
    }

    /// Notes how far the file of this name was read.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn set_bookmark(&self, name: &Digest, bookmark: &Bookmark) -> Result<(), StoreError> {
        let (name, text) = (row(name), bookmark.write());
        self.write(move |tx| {
            tx.db()
                .prepare_cached(
                    "INSERT INTO meta (name, value) VALUES (?1, ?2) \
                     ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                )?
                .execute((name, text))?;
            Ok(())
        })
    }

    /// Whether a sighting with this key was taken in.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn knows(&self, key: &Digest) -> Result<bool, StoreError> {
        self.read(|db| {
            Ok(db
                .prepare_cached("SELECT 1 FROM observation WHERE key = ?1")?
                .query_row([key.0.as_slice()], |_| Ok(()))
                .optional()?
                .is_some())
        })
    }
}

fn row(name: &Digest) -> String {
    format!("bookmark:{name}")
}

#[cfg(test)]
mod tests {
    use super::{Bookmark, Digest};

    #[test]
    fn a_bookmark_is_read_as_it_was_written_and_no_other_text_is_one() {
        let bookmark = Bookmark {
            offset: 7,
            line: 2,
            length: 9,
            before: Digest::of(b"a"),
            tail: Digest::of(b"b"),
            artifact: Digest::of(b"c"),
        };
        assert_eq!(Bookmark::read(&bookmark.write()), Some(bookmark));
        for text in ["", "2 7 2 9", "1 7 2", "1 x 2 9 a b c"] {
            assert_eq!(Bookmark::read(text), None, "{text}");
        }
    }
}
