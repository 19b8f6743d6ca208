//! The policy in force and the shadow beside it: each change is one entry, decided by a person.
//!
//! Also what was judged beside the policy in force: what observed classes would have weighed, and
//! what the shadow says. Those rows report; nothing that is decided or served reads them.

use crate::domain::candidate::Candidate;
use crate::domain::decision::{Hand, Signed};
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::{Act, CandidateId, Class, Digest, EntrySeq, Severity, Time, Verdict};
use crate::store::decide::Draft;
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{Store, rows};
use rusqlite::{Connection, OptionalExtension as _};

/// The item of every entry about the policy in force.
pub(in crate::store) const ITEM: &str = "policy";
/// The item of every entry about the shadow.
const SHADOW: &str = "shadow";

/// A policy that a person puts in force, or beside it.
#[derive(Debug, Clone)]
pub struct NewPolicy {
    /// The hash of the text in force when the difference was shown.
    pub before: Digest,
    /// The text; none takes a shadow away.
    pub text: Option<String>,
    /// The hash of policy and packs; zero where there is none.
    pub hash: Digest,
    /// Who decides.
    pub hand: Hand,
    /// When.
    pub at: Time,
    /// The signature over it, where the store is signed.
    pub signed: Option<Signed>,
}

/// What the shadow says of a new candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShadowSaid {
    /// The hash of the shadow's text.
    pub shadow: Digest,
    /// Its verdict; none where it could not answer.
    pub verdict: Option<Verdict>,
    /// The rule that makes the difference, or why it could not answer.
    pub rule: String,
}

impl Store {
    /// The hash of the policy text in force. Costs about a microsecond.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn policy_hash(&self) -> Result<Digest, StoreError> {
        self.read(|db| {
            text_hash(db, "policy")?
                .ok_or_else(|| StoreError::Broken("the store names no policy".to_owned()))
        })
    }

    /// The shadow's text, if there is a shadow, with the hash of the text that was entered.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn shadow(&self) -> Result<Option<(String, Digest)>, StoreError> {
        self.read(|db| {
            let Some(hash) = text_hash(db, "shadow")? else {
                return Ok(None);
            };
            let mut find = db.prepare_cached("SELECT body FROM policy WHERE sha256 = ?1")?;
            let body: Option<String> = find
                .query_row([hash.0.as_slice()], |row| row.get(0))
                .optional()?;
            Ok(Some((body.unwrap_or_default(), hash)))
        })
    }

    /// Puts a policy in force. None where another is in force than the one that was seen.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn set_policy(&self, new: NewPolicy) -> Result<Option<EntrySeq>, StoreError> {
        self.write(move |tx| set(tx, &new, ITEM, "policy"))
    }

    /// Puts a policy beside the one in force, or takes it away.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn set_shadow(&self, new: NewPolicy) -> Result<Option<EntrySeq>, StoreError> {
        self.write(move |tx| set(tx, &new, SHADOW, "shadow"))
    }

    /// The entry that putting a policy in force would make now.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn draft_policy(&self, new: &NewPolicy) -> Result<Draft, StoreError> {
        self.read_at_once(|db| draft(db, new, new.at, (ITEM, "policy")))
    }

    /// The entry that putting one beside it would make now.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn draft_shadow(&self, new: &NewPolicy) -> Result<Draft, StoreError> {
        self.read_at_once(|db| draft(db, new, new.at, (SHADOW, "shadow")))
    }

    /// What a shadow said of each candidate, in order.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn shadow_said(&self, shadow: &Digest) -> Result<Vec<(Candidate, ShadowSaid)>, StoreError> {
        self.read_at_once(|db| {
            let mut find = db.prepare_cached(
                "SELECT candidate, verdict, rule FROM shadow_verdict WHERE shadow = ?1 ORDER BY candidate",
            )?;
            let mut found = find.query([shadow.0.as_slice()])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                let candidate = crate::store::candidate::load(db, CandidateId(row.get(0)?))?;
                let verdict = row.get::<_, Option<i64>>(1)?;
                let verdict = verdict.map(|code| rows::word(Verdict::from_code(code), "verdict"));
                let said = ShadowSaid {
                    shadow: *shadow,
                    verdict: verdict.transpose()?,
                    rule: row.get(2)?,
                };
                list.push((candidate, said));
            }
            Ok(list)
        })
    }

    /// The candidates a class would have weighed on while it was only observed, newest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn observed(&self, class: Class) -> Result<Vec<(Candidate, Severity)>, StoreError> {
        self.read_at_once(|db| {
            let mut find = db.prepare_cached(
                "SELECT candidate, severity FROM observed WHERE class = ?1 ORDER BY candidate DESC",
            )?;
            let mut found = find.query([class.code()])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                let candidate = crate::store::candidate::load(db, CandidateId(row.get(0)?))?;
                let severity = rows::word(Severity::from_code(row.get(1)?), "severity")?;
                list.push((candidate, severity));
            }
            Ok(list)
        })
    }
}

/// Whether this is still the policy text in force.
pub(in crate::store) fn is_in_force(tx: &Tx<'_>, text: &Digest) -> Result<bool, StoreError> {
    Ok(text_hash(tx.db(), "policy")?.as_ref() == Some(text))
}

/// Keeps what was judged beside the policy in force.
pub(in crate::store) fn keep_aside(
    tx: &Tx<'_>,
    candidate: CandidateId,
    observed: &[(Class, Severity)],
    shadow: Option<&ShadowSaid>,
) -> Result<(), StoreError> {
    for (class, severity) in observed {
        tx.db()
            .prepare_cached(
                "INSERT INTO observed (class, candidate, severity) VALUES (?1, ?2, ?3)",
            )?
            .execute((class.code(), candidate.0, severity.code()))?;
    }
    if let Some(said) = shadow {
        tx.db()
            .prepare_cached(
                "INSERT INTO shadow_verdict (shadow, candidate, verdict, rule) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute((
                said.shadow.0.as_slice(),
                candidate.0,
                said.verdict.map(Verdict::code),
                &said.rule,
            ))?;
    }
    Ok(())
}

/// The hash of the text that stands in the table under a name, whatever its key says.
pub(in crate::store) fn body_hash(db: &Connection, name: &str) -> Result<String, StoreError> {
    let sql = "SELECT p.body FROM meta m JOIN policy p ON lower(hex(p.sha256)) = m.value WHERE m.name = ?1";
    let body: Option<String> = db
        .prepare(sql)?
        .query_row([name], |row| row.get(0))
        .optional()?;
    Ok(body
        .map(|body| Digest::of(body.as_bytes()).to_string())
        .unwrap_or_default())
}

fn text_hash(db: &Connection, name: &str) -> Result<Option<Digest>, StoreError> {
    let mut find = db.prepare_cached("SELECT value FROM meta WHERE name = ?1")?;
    let found: Option<String> = find.query_row([name], |row| row.get(0)).optional()?;
    found
        .map(|text| Digest::parse(&text).map_err(|error| StoreError::Broken(error.to_string())))
        .transpose()
}

fn draft(
    db: &Connection,
    new: &NewPolicy,
    at: Time,
    (item, name): (&str, &str),
) -> Result<Draft, StoreError> {
    let was = text_hash(db, name)?;
    let text = new.text.as_ref().map(|text| Digest::of(text.as_bytes()));
    let shown = |hash: Option<Digest>| hash.map_or_else(String::new, |hash| hash.to_string());
    let facts: Facts = [
        ("before_text", shown(was)),
        ("policy", shown(text.map(|_| new.hash))),
        ("policy_text", shown(text)),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    Ok(Draft {
        entry: EntryDraft {
            at,
            actor: new.hand.reviewer.name.to_string(),
            assurance: new.hand.assurance,
            act: Act::Policy,
            item: item.to_owned(),
            facts,
        },
        beside: Vec::new(),
    })
}

fn set(
    tx: &Tx<'_>,
    new: &NewPolicy,
    item: &str,
    name: &str,
) -> Result<Option<EntrySeq>, StoreError> {
    if !is_in_force(tx, &new.before)? {
        return Ok(None);
    }
    let text = new.text.as_ref().map(|text| Digest::of(text.as_bytes()));
    let at = tx.moment(new.at)?;
    let draft = draft(tx.db(), new, at, (item, name))?;
    let entry = tx.append_signed(draft, new.signed.as_ref())?;
    let (Some(hash), Some(body)) = (text, &new.text) else {
        tx.db()
            .execute("DELETE FROM meta WHERE name = ?1", [name])?;
        return Ok(Some(entry));
    };
    tx.db().execute(
        "INSERT OR IGNORE INTO policy (sha256, body, since) VALUES (?1, ?2, ?3)",
        (hash.0.as_slice(), body, at.millis()),
    )?;
    tx.db().execute(
        "INSERT INTO meta (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2",
        (name, hash.to_string()),
    )?;
    Ok(Some(entry))
}
