//! Sources of signed events and the events that arrived: kept with their entries, read as facts.
//!
//! Whether an event is believed was judged before it came here; this room only makes sure that no
//! delivery and no body counts twice.

use crate::domain::decision::{Hand, Signed};
use crate::domain::digest::Hasher;
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::receipt::{
    Event, EventAction, EventOutcome, EventSource, EventState, Said, Scheme,
};
use crate::domain::{Act, Assurance, Digest, EntrySeq, EventId, Time};
use crate::ledger::canonical::{decode, leaf_hash};
use crate::store::decide::Draft;
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{Store, rows};
use rusqlite::{Connection, OptionalExtension as _, Row};
use std::collections::BTreeMap;

/// An event before it has an id.
#[derive(Debug, Clone)]
pub struct NewEvent {
    /// What is known of it; its id is not read.
    pub event: Event,
    /// Its headers, as they came.
    pub headers: Vec<(String, String)>,
    /// Its body, byte for byte.
    pub body: Vec<u8>,
}

impl Store {
    /// Adds a source of events.
    ///
    /// # Errors
    /// One of that name is there, or the store cannot be written.
    pub fn add_event_source(
        &self,
        source: EventSource,
        hand: Hand,
        signed: Option<Signed>,
    ) -> Result<(), StoreError> {
        self.write(move |tx| add_source(tx, &source, &hand, signed.as_ref()))
    }

    /// The entry that adding a source makes, for whoever has to sign it.
    #[must_use]
    pub fn draft_event_source(&self, source: &EventSource, hand: &Hand) -> Draft {
        source_added(source, hand)
    }

    /// The entry that taking a source away makes.
    #[must_use]
    pub fn draft_event_source_removal(&self, name: &str, hand: &Hand, at: Time) -> Draft {
        decided(hand, at, name, facts_of("removed", String::new()))
    }

    /// The newest entry about a source, and whether it says what its row says now.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn event_source_entry(
        &self,
        source: &EventSource,
    ) -> Result<Option<(EntrySeq, bool)>, StoreError> {
        let row = source_digest(source);
        let history = self.decisions_on(&source.name, 1)?;
        Ok(history.first().map(|one| {
            let draft = &one.entry.draft;
            let same = draft.act == Act::EventSource && draft.facts.get("row") == Some(&row);
            (one.entry.seq, same)
        }))
    }

    /// Takes a source away. What it said stays.
    ///
    /// # Errors
    /// There is none, or the store cannot be written.
    pub fn remove_event_source(
        &self,
        name: &str,
        hand: Hand,
        at: Time,
        signed: Option<Signed>,
    ) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.write(move |tx| {
            let mut remove = tx
                .db()
                .prepare_cached("DELETE FROM event_source WHERE name = ?1")?;
            if remove.execute([&name])? == 0 {
                return Err(StoreError::NotFound(format!("event source `{name}`")));
            }
            let facts = facts_of("removed", String::new());
            let at = tx.moment(at)?;
            tx.append_signed(decided(&hand, at, &name, facts), signed.as_ref())
                .map(|_| ())
        })
    }

    /// Every source, by name.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn event_sources(&self) -> Result<Vec<EventSource>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(SOURCES)?;
            let mut found = find.query([])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(source(row)?);
            }
            Ok(list)
        })
    }

    /// Keeps an event with its entry. One that came before is kept as refused.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn keep_event(&self, new: NewEvent) -> Result<Event, StoreError> {
        self.write(move |tx| keep(tx, &new))
    }

    /// One event.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn event(&self, id: EventId) -> Result<Option<Event>, StoreError> {
        self.read(|db| {
            let sql = format!("{EVENT} WHERE id = ?1");
            let found = db
                .prepare_cached(&sql)?
                .query_row([id.0], |row| Ok(event(row)))
                .optional()?;
            found.transpose()
        })
    }

    /// The newest events, refused ones too.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn events(&self, limit: usize) -> Result<Vec<Event>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read(|db| listed(db, "ORDER BY id DESC LIMIT ?1", [limit]))
    }

    /// The first event that is not as its entry says, or has none, or is gone; none where all are.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn changed_event(&self) -> Result<Option<String>, StoreError> {
        self.read_at_once(|db| {
            let rows: BTreeMap<String, String> = event_digests(db)?
                .into_iter()
                .map(|(id, digest)| (EventId(id).to_string(), digest))
                .collect();
            let entered = entered(db)?;
            let all = rows.keys().chain(entered.keys());
            Ok(all
                .into_iter()
                .find(|id| rows.get(*id) != entered.get(*id))
                .cloned())
        })
    }

    /// Every receipt about a subject that says this of it, in the order of arrival.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn receipts(&self, action: EventAction, subject: &str) -> Result<Vec<Event>, StoreError> {
        let which = "WHERE outcome = 0 AND subject = ?1 AND action = ?2 ORDER BY id";
        self.read(|db| listed(db, which, (subject, action.code())))
    }
}

/// The digest of everything a row of `event` says, by its id; the raw bytes by their hash.
pub(in crate::store) fn event_digests(db: &Connection) -> Result<Vec<(i64, String)>, StoreError> {
    let mut find = db.prepare("SELECT id, source, layer, delivery, sha256, received_at, outcome, why, action, subject, environment, state, said_at, said_order, headers, body FROM event ORDER BY id")?;
    let mut found = find.query([])?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        let event = event(row)?;
        let body: Vec<u8> = row.get(15)?;
        let kept = Digest::of(&body) == event.sha256;
        let digest = if kept {
            event_digest(&event, &row.get::<_, String>(14)?)
        } else {
            "the kept body is not the one that was received".to_owned()
        };
        list.push((event.id.0, digest));
    }
    Ok(list)
}

/// The same for the sources, by name.
pub(in crate::store) fn source_digests(
    db: &Connection,
) -> Result<Vec<(String, String)>, StoreError> {
    let mut find = db.prepare(SOURCES)?;
    let mut found = find.query([])?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        let source = source(row)?;
        list.push((source.name.clone(), source_digest(&source)));
    }
    Ok(list)
}

/// The digest that each event's entry names, by the event's id.
fn entered(db: &Connection) -> Result<BTreeMap<String, String>, StoreError> {
    let act = Act::Event.code();
    let mut find = db.prepare(&format!(
        "SELECT item, bytes, hash FROM entry WHERE act = {act}"
    ))?;
    let mut found = find.query([])?;
    let mut list = BTreeMap::new();
    while let Some(row) = found.next()? {
        let bytes: String = row.get(1)?;
        let sound = leaf_hash(&bytes) == rows::digest(&row.get::<_, Vec<u8>>(2)?)?;
        let facts = decode(&bytes)
            .ok()
            .filter(|_| sound)
            .map(|entry| entry.draft.facts);
        let digest = facts.and_then(|facts| facts.get("row").cloned());
        list.insert(row.get(0)?, digest.unwrap_or_default());
    }
    Ok(list)
}

const SOURCES: &str = "SELECT name, scheme, repository, environment, layer, secret_file, added_at, added_by FROM event_source ORDER BY name";
const EVENT: &str = "SELECT id, source, layer, delivery, sha256, received_at, outcome, why, action, subject, environment, state, said_at, said_order FROM event";

fn source_added(source: &EventSource, hand: &Hand) -> Draft {
    let facts = facts_of("row", source_digest(source));
    decided(hand, source.added_at, &source.name, facts)
}

fn add_source(
    tx: &Tx<'_>,
    source: &EventSource,
    hand: &Hand,
    signed: Option<&Signed>,
) -> Result<(), StoreError> {
    let mut add = tx.db().prepare_cached(
        "INSERT INTO event_source (name, scheme, repository, environment, layer, secret_file, added_at, added_by) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
    )?;
    let added = add.execute((
        &source.name,
        source.scheme.code(),
        &source.repository,
        &source.environment,
        source.layer.as_str(),
        &source.secret_file,
        source.added_at.millis(),
        &source.added_by,
    ))?;
    if added == 0 {
        return Err(StoreError::NotFound(format!(
            "room for `{}`: an event source of that name is here; remove it first",
            source.name
        )));
    }
    tx.append_signed(source_added(source, hand), signed)
        .map(|_| ())
}

fn keep(tx: &Tx<'_>, new: &NewEvent) -> Result<Event, StoreError> {
    let mut event = new.event.clone();
    let mut newest = tx
        .db()
        .prepare_cached("SELECT COALESCE(max(id), 0) + 1 FROM event")?;
    event.id = EventId(newest.query_row([], |row| row.get(0))?);
    if event.outcome != EventOutcome::Refused
        && let Some(first) = seen_before(tx.db(), &event)?
    {
        event.outcome = EventOutcome::Refused;
        event.why = format!("it was received before, as {first}");
        event.said = None;
    }
    let headers = headers_text(&new.headers);
    insert(tx, &event, &headers, &new.body)?;
    let mut facts = facts_of("row", event_digest(&event, &headers));
    for (key, value) in [
        ("outcome", event.outcome.to_string()),
        ("sha256", event.sha256.to_string()),
        ("source", event.source.clone()),
    ] {
        facts.insert(key.to_owned(), value);
    }
    tx.append(
        EntryDraft {
            at: event.received_at,
            actor: "event".to_owned(),
            assurance: Assurance::Asserted,
            act: Act::Event,
            item: event.id.to_string(),
            facts,
        },
        &[],
    )?;
    Ok(event)
}

fn seen_before(db: &Connection, event: &Event) -> Result<Option<EventId>, StoreError> {
    let mut find = db.prepare_cached(
        "SELECT id FROM event WHERE outcome < 2 AND source = ?1 AND (delivery = ?2 OR sha256 = ?3) ORDER BY id LIMIT 1",
    )?;
    let key = (&event.source, &event.delivery, event.sha256.0.as_slice());
    let found: Option<i64> = find.query_row(key, |row| row.get(0)).optional()?;
    Ok(found.map(EventId))
}

fn insert(tx: &Tx<'_>, event: &Event, headers: &str, body: &[u8]) -> Result<(), StoreError> {
    let said = event.said.as_ref();
    tx.db()
        .prepare_cached(
            "INSERT INTO event (id, source, layer, delivery, sha256, received_at, outcome, why, headers, body, \
             action, subject, environment, state, said_at, said_order) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?
        .execute(rusqlite::params![
            event.id.0,
            event.source,
            event.layer.as_str(),
            event.delivery,
            event.sha256.0.as_slice(),
            event.received_at.millis(),
            event.outcome.code(),
            event.why,
            headers,
            body,
            said.map(|said| said.action.code()),
            said.map(|said| said.subject.as_str()),
            said.and_then(|said| said.environment.as_deref()),
            said.map(|said| said.state.code()),
            said.and_then(|said| said.said_at).map(Time::millis),
            said.and_then(|said| said.order),
        ])?;
    Ok(())
}

fn headers_text(headers: &[(String, String)]) -> String {
    headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\n"))
        .collect()
}

/// A digest over fields that cannot run into one another.
fn digest_of(fields: &[&str]) -> String {
    let mut hasher = Hasher::default();
    for field in fields {
        hasher.bytes(&(field.len() as u64).to_be_bytes());
        hasher.bytes(field.as_bytes());
    }
    hasher.finish().to_string()
}

fn source_digest(source: &EventSource) -> String {
    digest_of(&[
        &source.name,
        source.scheme.as_str(),
        &source.repository,
        source.environment.as_deref().map_or("no", |_| "yes"),
        source.environment.as_deref().unwrap_or_default(),
        source.layer.as_str(),
        &source.secret_file,
        &source.added_at.millis().to_string(),
        &source.added_by,
    ])
}

fn event_digest(event: &Event, headers: &str) -> String {
    let number = |value: Option<i64>| value.map(|value| value.to_string()).unwrap_or_default();
    let said = event.said.as_ref();
    digest_of(&[
        &event.id.to_string(),
        &event.source,
        event.layer.as_str(),
        &event.delivery,
        &event.sha256.to_string(),
        &event.received_at.millis().to_string(),
        event.outcome.as_str(),
        &event.why,
        headers,
        said.map_or("", |said| said.action.as_str()),
        said.map_or("", |said| &said.subject),
        said.and_then(|said| said.environment.as_deref())
            .map_or("no", |_| "yes"),
        said.and_then(|said| said.environment.as_deref())
            .unwrap_or_default(),
        said.map_or("", |said| said.state.as_str()),
        &number(said.and_then(|said| said.said_at).map(Time::millis)),
        &number(said.and_then(|said| said.order)),
    ])
}

fn facts_of(key: &str, value: String) -> Facts {
    [(key.to_owned(), value)].into()
}

fn decided(hand: &Hand, at: Time, name: &str, facts: Facts) -> Draft {
    Draft {
        entry: EntryDraft {
            at,
            actor: hand.reviewer.name.to_string(),
            assurance: hand.assurance,
            act: Act::EventSource,
            item: name.to_owned(),
            facts,
        },
        beside: Vec::new(),
    }
}

fn listed(
    db: &Connection,
    which: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<Event>, StoreError> {
    let mut find = db.prepare_cached(&format!("{EVENT} {which}"))?;
    let mut found = find.query(values)?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        list.push(event(row)?);
    }
    Ok(list)
}

fn source(row: &Row<'_>) -> Result<EventSource, StoreError> {
    Ok(EventSource {
        name: row.get(0)?,
        scheme: rows::word(Scheme::from_code(row.get(1)?), "scheme")?,
        repository: row.get(2)?,
        environment: row.get(3)?,
        layer: rows::layer(&row.get::<_, String>(4)?)?,
        secret_file: row.get(5)?,
        added_at: Time::from_millis(row.get(6)?),
        added_by: row.get(7)?,
    })
}

fn event(row: &Row<'_>) -> Result<Event, StoreError> {
    let action: Option<i64> = row.get(8)?;
    let said = match action {
        None => None,
        Some(action) => Some(Said {
            action: rows::word(EventAction::from_code(action), "action")?,
            subject: row.get(9)?,
            environment: row.get(10)?,
            state: rows::word(EventState::from_code(row.get(11)?), "state")?,
            said_at: row.get::<_, Option<i64>>(12)?.map(Time::from_millis),
            order: row.get(13)?,
        }),
    };
    Ok(Event {
        id: EventId(row.get(0)?),
        source: row.get(1)?,
        layer: rows::layer(&row.get::<_, String>(2)?)?,
        delivery: row.get(3)?,
        sha256: rows::digest(&row.get::<_, Vec<u8>>(4)?)?,
        received_at: Time::from_millis(row.get(5)?),
        outcome: rows::word(EventOutcome::from_code(row.get(6)?), "outcome")?,
        why: row.get(7)?,
        said,
    })
}
