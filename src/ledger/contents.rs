//! What entries commit to in bulk, against the rows as they are now: batches of observations and
//! servings. Rows come in the order their tables keep them, entries came in theirs: two walks side
//! by side, nothing looked up.
//!
//! ```text
//! row of an observation  = SHA-256(salt || its texts, each behind its length || its numbers)
//! batch of observations  = SHA-256(row || row || ...)             the fact `rows` of its entry
//! serving                = SHA-256(salt || hash of the block || numbers of its memories)
//! ```
//!
//! Each row has a salt of its own: erasing one drops its text and salt and keeps its hash, so that
//! the batch still verifies, and the hash cannot be guessed back to the text.

use crate::domain::digest::Hasher;
use crate::domain::{Act, Digest, EntrySeq, MemoryId, ObservationId, ServingId};
use crate::ledger::scan::Scanned;
use std::collections::BTreeSet;

/// An observation's row as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// Its salted hash.
    Salted(Digest),
    /// Its bytes, from before rows had salts.
    Plain(Vec<u8>),
    /// It was erased; the hash that was kept of it, if it had a salt.
    Erased(Option<Digest>),
}

/// A serving's rows as they are now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServingNow {
    /// Which one.
    pub id: ServingId,
    /// The entry it names.
    pub entry: EntrySeq,
    /// What its entry must commit to; none without a salt.
    pub commitment: Option<Digest>,
    /// The memories it handed over, where there is no commitment.
    pub memories: Vec<MemoryId>,
}

/// Collects what entries say, then holds rows against it.
#[derive(Debug, Default)]
pub struct Contents {
    batches: Vec<Batch>,
    batch: usize,
    open: Option<Open>,
    servings: Vec<Serving>,
    serving: usize,
    erased: BTreeSet<i64>,
    problems: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
struct Batch {
    entry: i64,
    last: i64,
    count: i64,
    digest: Digest,
    salted: bool,
}

#[derive(Debug, Clone, Copy)]
struct Serving {
    entry: i64,
    id: i64,
    commitment: Option<Digest>,
}

/// The batch whose rows are coming in.
#[derive(Debug, Default)]
struct Open {
    hasher: Hasher,
    rows: i64,
    unknown: bool,
}

impl Contents {
    /// Remembers what an entry commits to.
    pub fn entry(&mut self, entry: &Scanned<'_>) {
        match entry.act {
            Act::Observe => {
                let (salted, digest) = entry.digest("rows").map_or_else(
                    || (false, entry.digest("batch")),
                    |digest| (true, Some(digest)),
                );
                let numbers = entry.number("last").zip(entry.number("count"));
                if let (Some((last, count)), Some(digest)) = (numbers, digest) {
                    self.batches.push(Batch {
                        entry: entry.seq,
                        last,
                        count,
                        digest,
                        salted,
                    });
                } else {
                    self.problems.push(format!(
                        "entry E-{} does not say what it took in",
                        entry.seq
                    ));
                }
            }
            Act::Serve => {
                let id = ServingId::parse(&entry.item()).map_or(0, |id| id.0);
                self.servings.push(Serving {
                    entry: entry.seq,
                    id,
                    commitment: entry.digest("served_commitment"),
                });
            }
            Act::Erase => {
                let memories = entry.fact("memories").unwrap_or_default();
                self.erased.extend(
                    memories
                        .split(' ')
                        .filter_map(|id| MemoryId::parse(id).ok())
                        .map(|id| id.0),
                );
            }
            _ => {}
        }
    }

    /// Holds the next observation against the batch it belongs to.
    pub fn observation(&mut self, id: ObservationId, row: Row) {
        while self
            .batches
            .get(self.batch)
            .is_some_and(|batch| batch.last < id.0)
        {
            self.close_batch();
        }
        let first = |batch: &Batch| batch.last.saturating_sub(batch.count);
        match self.batches.get(self.batch) {
            Some(batch) if id.0 > first(batch) => {
                let open = self.open.get_or_insert_default();
                open.rows += 1;
                match row {
                    Row::Salted(hash) | Row::Erased(Some(hash)) => open.hasher.bytes(&hash.0),
                    Row::Plain(bytes) => open.hasher.bytes(&bytes),
                    Row::Erased(None) => open.unknown = true,
                }
            }
            _ => self
                .problems
                .push(format!("observation {id} is in its table and in no entry")),
        }
    }

    /// Holds the next serving against its entry.
    pub fn serving(&mut self, now: &ServingNow) {
        while let Some(said) = self
            .servings
            .get(self.serving)
            .filter(|said| said.id < now.id.0)
        {
            self.problems.push(format!(
                "entry E-{} logs a serving S-{} that is not in its table",
                said.entry, said.id
            ));
            self.serving += 1;
        }
        let said = self.servings.get(self.serving).copied();
        let Some(said) = said.filter(|said| said.id == now.id.0) else {
            self.problems.push(format!(
                "serving {} is in its table and in no entry",
                now.id
            ));
            return;
        };
        self.serving += 1;
        let erased = now.commitment.is_none()
            && now
                .memories
                .iter()
                .any(|memory| self.erased.contains(&memory.0));
        let same = said.entry == now.entry.0 && (said.commitment == now.commitment || erased);
        if !same {
            self.problems.push(format!(
                "serving {} was changed in its table: it is not the one that entry E-{} logged",
                now.id, said.entry
            ));
        }
    }

    /// Everything that was wrong.
    #[must_use]
    pub fn into_problems(mut self) -> Vec<String> {
        while self.batch < self.batches.len() {
            self.close_batch();
        }
        for said in self.servings.iter().skip(self.serving) {
            self.problems.push(format!(
                "entry E-{} logs a serving S-{} that is not in its table",
                said.entry, said.id
            ));
        }
        self.problems
    }

    fn close_batch(&mut self) {
        let open = self.open.take().unwrap_or_default();
        if let Some(batch) = self.batches.get(self.batch) {
            // One erased row from before salts leaves its batch without a check, and nothing else.
            let unknown = open.unknown && !batch.salted;
            let whole =
                open.rows == batch.count && (unknown || open.hasher.finish() == batch.digest);
            if !whole {
                self.problems.push(format!(
                    "observations that entry E-{} took in were changed in their table",
                    batch.entry
                ));
            }
        }
        self.batch += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Contents, Row, ServingNow};
    use crate::domain::digest::Hasher;
    use crate::domain::entry::{Entry, EntryDraft};
    use crate::domain::{
        Act, Assurance, Digest, EntrySeq, MemoryId, ObservationId, ServingId, Time,
    };
    use crate::ledger::canonical::encode;
    use crate::ledger::scan::scan;

    fn say(contents: &mut Contents, seq: i64, act: Act, item: &str, facts: &[(&str, String)]) {
        let facts = facts
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone()));
        let entry = Entry {
            seq: EntrySeq(seq),
            prev: Digest::ZERO,
            draft: EntryDraft {
                at: Time::from_millis(0),
                actor: "a".into(),
                assurance: Assurance::Asserted,
                act,
                item: item.into(),
                facts: facts.collect(),
            },
        };
        contents.entry(&scan(&encode(&entry).unwrap()).unwrap());
    }

    fn hash(n: i64) -> Digest {
        Digest::of(&n.to_be_bytes())
    }

    fn batch(contents: &mut Contents, seq: i64, rows: std::ops::RangeInclusive<i64>) {
        let mut hasher = Hasher::default();
        rows.clone().for_each(|n| hasher.bytes(&hash(n).0));
        let facts = [
            ("rows", hasher.finish().to_string()),
            ("count", (rows.end() - rows.start() + 1).to_string()),
            ("last", rows.end().to_string()),
        ];
        say(contents, seq, Act::Observe, "observations", &facts);
    }

    /// What is found when the rows 1 to 5, in batches of 3 and 2, stand like this.
    fn found(rows: &[(i64, Row)]) -> Vec<String> {
        let mut contents = Contents::default();
        batch(&mut contents, 1, 1..=3);
        batch(&mut contents, 2, 4..=5);
        for (id, row) in rows {
            contents.observation(ObservationId(*id), row.clone());
        }
        contents.into_problems()
    }

    fn whole() -> Vec<(i64, Row)> {
        (1..=5).map(|n| (n, Row::Salted(hash(n)))).collect()
    }

    #[test]
    fn a_batch_verifies_until_one_of_its_rows_is_changed_moved_added_or_gone() {
        assert_eq!(found(&whole()), Vec::<String>::new());
        let mut erased = whole();
        erased[1].1 = Row::Erased(Some(hash(2)));
        assert_eq!(found(&erased), Vec::<String>::new());
        for at in 0..5 {
            let entry = if at < 3 { "E-1" } else { "E-2" };
            let mut changed = whole();
            changed[at].1 = Row::Salted(hash(99));
            let mut gone = whole();
            gone.remove(at);
            let mut unsaid = whole();
            unsaid[at].1 = Row::Erased(None);
            for rows in [changed, gone, unsaid] {
                let problems = found(&rows);
                assert_eq!(problems.len(), 1, "{problems:?}");
                assert!(problems[0].contains(entry), "{problems:?}");
            }
        }
        let mut more = whole();
        more.push((6, Row::Salted(hash(6))));
        assert_eq!(
            found(&more),
            ["observation O-6 is in its table and in no entry"]
        );
    }

    #[test]
    fn a_serving_is_the_one_its_entry_logged() {
        let served = |id: i64, entry: i64, hash: Option<Digest>| ServingNow {
            id: ServingId(id),
            entry: EntrySeq(entry),
            commitment: hash,
            memories: vec![MemoryId(id)],
        };
        let found = |rows: &[ServingNow]| {
            let mut contents = Contents::default();
            for (seq, id) in [(4, 1), (5, 2), (6, 3)] {
                say(
                    &mut contents,
                    seq,
                    Act::Serve,
                    &format!("S-{id}"),
                    &[("served_commitment", hash(id).to_string())],
                );
            }
            say(
                &mut contents,
                7,
                Act::Erase,
                "C-2",
                &[("memories", "M-2".into())],
            );
            rows.iter().for_each(|row| contents.serving(row));
            contents.into_problems()
        };
        let rows = [
            served(1, 4, Some(hash(1))),
            served(2, 5, None),
            served(3, 6, Some(hash(3))),
        ];
        assert_eq!(found(&rows), Vec::<String>::new(), "M-2 was erased");
        let [one, two, three] = rows;
        let cases = [
            (vec![one.clone(), two.clone()], "E-6 logs a serving S-3"),
            (vec![two.clone(), three.clone()], "E-4 logs a serving S-1"),
            (
                vec![one.clone(), two.clone(), served(3, 6, None)],
                "S-3 was changed",
            ),
            (
                vec![one.clone(), two.clone(), served(3, 5, Some(hash(3)))],
                "S-3 was changed",
            ),
            (
                vec![one, two, three, served(4, 6, None)],
                "S-4 is in its table and in no entry",
            ),
        ];
        for (rows, said) in cases {
            let problems = found(&rows);
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(problems[0].contains(said), "{problems:?}");
        }
    }
}
