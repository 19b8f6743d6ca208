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
use crate::domain::{Act, Digest, EntrySeq, MemoryId, ObservationId, ServingId, Time};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServingNow<'a> {
    /// Which one.
    pub id: ServingId,
    /// The entry it names.
    pub entry: EntrySeq,
    /// When.
    pub at: Time,
    /// What its entry must commit to; none without a salt.
    pub commitment: Option<Digest>,
    /// What its entry must say, in canonical form, as [`served_facts`] writes it.
    pub facts: &'a str,
    /// The memories it handed over, where there is no commitment.
    pub memories: &'a [i64],
}

/// Servings in the order of their table.
pub trait ServingRows {
    /// The next one, which stays the next until it is passed.
    fn peek(&mut self) -> Option<ServingNow<'_>>;
    /// Passes it.
    fn pass(&mut self);
}

/// What a serving says of itself.
#[derive(Debug, Clone, Copy)]
pub struct Served<'a> {
    /// How many memories.
    pub count: usize,
    /// In which form.
    pub format: &'a str,
    /// From which layer.
    pub layer: &'a str,
    /// For which project.
    pub project: Option<&'a str>,
    /// In which session.
    pub session: Option<&'a str>,
    /// The commitment to all that was handed over.
    pub commitment: Option<&'a Digest>,
}

/// Appends the inside of the facts of a serving's entry, as its canonical bytes have it.
pub fn served_facts(served: &Served<'_>, out: &mut String) {
    out.push_str("\"count\":\"");
    out.push_str(&served.count.to_string());
    out.push_str("\",\"format\":");
    push_text(served.format, out);
    out.push_str(",\"layer\":");
    push_text(served.layer, out);
    if let Some(project) = served.project {
        out.push_str(",\"project\":");
        push_text(project, out);
    }
    if let Some(commitment) = served.commitment {
        out.push_str(",\"served_commitment\":\"");
        let mut digits = [0_u8; 64];
        let (pairs, _) = digits.as_chunks_mut::<2>();
        for (pair, byte) in pairs.iter_mut().zip(commitment.0) {
            *pair = [hex(byte >> 4), hex(byte & 15)];
        }
        // Digits are text; were they none, the facts would only be found to differ.
        out.push_str(std::str::from_utf8(&digits).unwrap_or_default());
        out.push('"');
    }
    if let Some(session) = served.session {
        out.push_str(",\"session\":");
        push_text(session, out);
    }
}

const fn hex(nibble: u8) -> u8 {
    if nibble < 10 {
        b'0' + nibble
    } else {
        b'a' - 10 + nibble
    }
}

fn push_text(text: &str, out: &mut String) {
    let plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        // A text always encodes; an empty one would only be found to differ.
        out.push_str(&serde_json::to_string(text).unwrap_or_default());
    }
}

/// Collects what entries say, then holds rows against it.
#[derive(Debug, Default)]
pub struct Contents {
    batches: Vec<Batch>,
    batch: usize,
    open: Option<Open>,
    /// Servings that lost their salt, until it is known what was erased.
    unsalted: Vec<Unsalted>,
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

#[derive(Debug, Clone)]
struct Unsalted {
    entry: i64,
    id: ServingId,
    memories: Vec<i64>,
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

    /// Holds an entry of a serving against its row, which comes in the same order.
    pub fn serve(&mut self, entry: &Scanned<'_>, rows: &mut dyn ServingRows) {
        let id = ServingId::parse(&entry.item()).map_or(0, |id| id.0);
        while rows.peek().is_some_and(|row| row.id.0 < id) {
            self.unsaid(rows);
        }
        match rows.peek().filter(|row| row.id.0 == id) {
            Some(row) => {
                self.same(entry, &row);
                rows.pass();
            }
            None => self.problems.push(format!(
                "entry E-{} logs a serving S-{id} that is not in its table",
                entry.seq
            )),
        }
    }

    /// No entry is left: neither may a serving be.
    pub fn end_of_servings(&mut self, rows: &mut dyn ServingRows) {
        while rows.peek().is_some() {
            self.unsaid(rows);
        }
    }

    fn unsaid(&mut self, rows: &mut dyn ServingRows) {
        if let Some(row) = rows.peek() {
            self.problems.push(format!(
                "serving {} is in its table and in no entry",
                row.id
            ));
        }
        rows.pass();
    }

    fn same(&mut self, entry: &Scanned<'_>, row: &ServingNow<'_>) {
        let placed = row.entry.0 == entry.seq && row.at == entry.at;
        if placed && entry.says_exactly(row.facts) {
            return;
        }
        let agrees = placed && entry.agrees(row.facts);
        let said = entry.digest("served_commitment");
        match row.commitment {
            None if agrees && said.is_some() => self.unsalted.push(Unsalted {
                entry: entry.seq,
                id: row.id,
                memories: row.memories.to_vec(),
            }),
            kept if agrees && kept == said => {}
            _ => self.changed(row.id, entry.seq),
        }
    }

    fn changed(&mut self, id: ServingId, entry: i64) {
        self.problems.push(format!(
            "serving {id} was changed in its table: it is not the one that entry E-{entry} logged"
        ));
    }

    /// Everything that was wrong.
    #[must_use]
    pub fn into_problems(mut self) -> Vec<String> {
        while self.batch < self.batches.len() {
            self.close_batch();
        }
        for one in std::mem::take(&mut self.unsalted) {
            let mut memories = one.memories.iter();
            if !memories.any(|memory| self.erased.contains(memory)) {
                self.changed(one.id, one.entry);
            }
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
    use super::{Contents, Row, Served, ServingNow, ServingRows, served_facts};
    use crate::domain::digest::Hasher;
    use crate::domain::entry::{Entry, EntryDraft};
    use crate::domain::{Act, Assurance, Digest, EntrySeq, ObservationId, ServingId, Time};
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

    #[derive(Clone)]
    struct Kept {
        id: i64,
        entry: i64,
        at: i64,
        commitment: Option<Digest>,
        facts: String,
        memories: Vec<i64>,
    }

    struct Table(Vec<Kept>, usize);

    impl ServingRows for Table {
        fn peek(&mut self) -> Option<ServingNow<'_>> {
            self.0.get(self.1).map(|row| ServingNow {
                id: ServingId(row.id),
                entry: EntrySeq(row.entry),
                at: Time::from_millis(row.at),
                commitment: row.commitment,
                facts: &row.facts,
                memories: &row.memories,
            })
        }

        fn pass(&mut self) {
            self.1 += 1;
        }
    }

    fn facts(session: Option<&str>, layer: &str, commitment: Option<&Digest>) -> String {
        let mut out = String::new();
        let served = Served {
            count: 1,
            format: "block",
            layer,
            project: None,
            session,
            commitment,
        };
        served_facts(&served, &mut out);
        out
    }

    const HOSTILE: &str = "s \"\\\n\u{7f}é";

    fn kept(id: i64, entry: i64, commitment: Option<Digest>) -> Kept {
        Kept {
            id,
            entry,
            at: 0,
            commitment,
            facts: facts(Some(HOSTILE), "acme", commitment.as_ref()),
            memories: vec![id],
        }
    }

    /// What is found when the entries 4 to 6 logged the servings 1 to 3, of which M-2 was erased.
    fn found_in(rows: &[Kept]) -> Vec<String> {
        let mut contents = Contents::default();
        let mut table = Table(rows.to_vec(), 0);
        for (seq, id) in [(4, 1), (5, 2), (6, 3)] {
            let facts = [
                ("count", "1"),
                ("format", "block"),
                ("layer", "acme"),
                ("session", HOSTILE),
            ]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into_iter()
            .chain([("served_commitment".to_owned(), hash(id).to_string())]);
            let entry = Entry {
                seq: EntrySeq(seq),
                prev: Digest::ZERO,
                draft: EntryDraft {
                    at: Time::from_millis(0),
                    actor: "a".into(),
                    assurance: Assurance::Asserted,
                    act: Act::Serve,
                    item: format!("S-{id}"),
                    facts: facts.collect(),
                },
            };
            contents.serve(&scan(&encode(&entry).unwrap()).unwrap(), &mut table);
        }
        say(
            &mut contents,
            7,
            Act::Erase,
            "C-2",
            &[("memories", "M-2".into())],
        );
        contents.end_of_servings(&mut table);
        contents.into_problems()
    }

    #[test]
    fn a_serving_is_the_one_its_entry_logged() {
        let rows = [
            kept(1, 4, Some(hash(1))),
            kept(2, 5, None),
            kept(3, 6, Some(hash(3))),
        ];
        assert_eq!(found_in(&rows), Vec::<String>::new(), "M-2 was erased");
        let [one, two, three] = rows;
        let but = |change: fn(&mut Kept)| {
            let mut other = three.clone();
            change(&mut other);
            vec![one.clone(), two.clone(), other]
        };
        let cases = [
            (vec![one.clone(), two.clone()], "E-6 logs a serving S-3"),
            (vec![two.clone(), three.clone()], "E-4 logs a serving S-1"),
            (but(|row| *row = kept(3, 6, None)), "S-3 was changed"),
            (but(|row| row.entry = 5), "S-3 was changed"),
            (but(|row| row.at = 1), "S-3 was changed"),
            (
                but(|row| row.facts = facts(Some("other"), "acme", Some(&hash(3)))),
                "S-3 was changed",
            ),
            (
                but(|row| row.facts = facts(None, "acme", Some(&hash(3)))),
                "S-3 was changed",
            ),
            (
                but(|row| row.facts = facts(Some(HOSTILE), "globex", Some(&hash(3)))),
                "S-3 was changed",
            ),
            (
                vec![one.clone(), two.clone(), three.clone(), kept(4, 6, None)],
                "S-4 is in its table and in no entry",
            ),
            (
                vec![kept(0, 1, None), one.clone(), two.clone(), three.clone()],
                "S-0 is in its table and in no entry",
            ),
        ];
        for (rows, said) in cases {
            let problems = found_in(&rows);
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(problems[0].contains(said), "{problems:?}");
        }
    }
}
