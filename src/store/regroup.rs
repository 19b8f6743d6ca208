//! Patterns held against the groups that the detector would make today: what differs is kept as
//! links and entered; no pattern, no count and no text is moved by it.

use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::pattern::LinkKind;
use crate::domain::{Act, Assurance, Digest, EntrySeq, Layer, PatternId, Time};
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{Store, rows};

/// A wording of a pattern, with where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The layer.
    pub layer: Layer,
    /// The pattern.
    pub pattern: PatternId,
    /// The words.
    pub text: String,
    /// How often.
    pub count: u64,
}

/// What the detector of today would do differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Make two patterns one, or take a wording out of its pattern.
    pub kind: LinkKind,
    /// The pattern.
    pub pattern: PatternId,
    /// The other pattern, where two would be one.
    pub other: Option<PatternId>,
    /// The wording of the pattern.
    pub text: String,
    /// The wording it would stand with, or without.
    pub with: String,
}

/// What comparing all patterns came to.
#[derive(Debug, Clone)]
pub struct NewRegroup {
    /// The detector that worked before.
    pub from: Option<String>,
    /// The detector of today.
    pub to: Digest,
    /// Wordings compared.
    pub wordings: u64,
    /// What it would do differently.
    pub differences: Vec<Difference>,
    /// When.
    pub at: Time,
}

impl Store {
    /// Every wording of every pattern, layer by layer, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn standing_wordings(&self, limit: usize) -> Result<Vec<Standing>, StoreError> {
        self.read_at_once(|db| {
            let mut find = db.prepare_cached(
                "SELECT l.path, w.pattern, w.text, w.count FROM pattern_wording w JOIN pattern p ON p.id = w.pattern \
                 JOIN layer l ON l.id = p.layer ORDER BY p.layer, w.pattern, w.sha256 LIMIT ?1",
            )?;
            let mut found = find.query([i64::try_from(limit).unwrap_or(i64::MAX)])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(Standing {
                    layer: rows::layer(&row.get::<_, String>(0)?)?,
                    pattern: PatternId(row.get(1)?),
                    text: row.get(2)?,
                    count: row.get::<_, i64>(3)?.unsigned_abs(),
                });
            }
            Ok(list)
        })
    }

    /// Enters what comparing came to, in place of what was found before.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn keep_regroup(&self, new: NewRegroup) -> Result<EntrySeq, StoreError> {
        self.write(move |tx| keep(tx, &new))
    }
}

fn keep(tx: &Tx<'_>, new: &NewRegroup) -> Result<EntrySeq, StoreError> {
    let db = tx.db();
    let (merge, split) = (LinkKind::Merge.code(), LinkKind::Split.code());
    db.execute(
        "DELETE FROM pattern_link WHERE kind IN (?1, ?2)",
        (merge, split),
    )?;
    let mut link = db.prepare_cached(
        "INSERT INTO pattern_link (pattern, kind, other, text, with_text, why, version, at) VALUES (?1, ?2, ?3, ?4, ?5, '', ?6, ?7) \
         ON CONFLICT DO NOTHING",
    )?;
    let at = tx.moment(new.at)?;
    for one in &new.differences {
        link.execute((
            one.pattern.0,
            one.kind.code(),
            one.other.map_or(0, |id| id.0),
            &one.text,
            &one.with,
            new.to.0.as_slice(),
            at.millis(),
        ))?;
    }
    db.prepare_cached(
        "INSERT INTO detector_progress (one, at, observations, millis, version) VALUES (1, 0, 0, 0, ?1) \
         ON CONFLICT (one) DO UPDATE SET version = ?1",
    )?
    .execute([new.to.to_string()])?;
    let count = |kind| {
        let all = new.differences.iter();
        all.filter(|one| one.kind == kind).count().to_string()
    };
    let mut facts: Facts = [
        ("merges", count(LinkKind::Merge)),
        ("splits", count(LinkKind::Split)),
        ("to", new.to.to_string()),
        ("wordings", new.wordings.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    if let Some(from) = &new.from {
        facts.insert("from".to_owned(), from.clone());
    }
    let draft = EntryDraft {
        at,
        actor: "detector".to_owned(),
        assurance: Assurance::Asserted,
        act: Act::Regroup,
        item: "patterns".to_owned(),
        facts,
    };
    tx.append(draft, &[])
}
