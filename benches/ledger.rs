//! Verifying a long ledger against hashing the same bytes in the same run, and `why` over it.
//!
//! `cargo bench --bench ledger` prints one line a measure: ratios first. The floor hashes, one by
//! one with SHA-256, the bytes that verifying must hash: each entry's canonical bytes, and what
//! each serving's commitment covers. Rounds are interleaved, medians are compared; the floor is one
//! core's work, so that verifying is also compared by the time that all its threads spend.
//! Recall from a signed store is compared with recall from an unsigned one, the commit apart.
//! `COUNTERSIGN_BENCH_ENTRIES` sets the length (default 1000000).

#![expect(clippy::print_stdout, reason = "a bench answers on standard output")]

use countersign::desk::presence::{Caller, Presence};
use countersign::desk::view::Why;
use countersign::desk::{
    Clock, Desk, DeskError, ExportRequest, ProposalAnswer, ReviewerChange, read_proposal,
};
use countersign::domain::decision::{CandidateDecision, Ruling, Seen};
use countersign::domain::digest::Hasher;
use countersign::domain::entry::EntryDraft;
use countersign::domain::{
    Act, Assurance, CandidateId, Commitment, Digest, EntrySeq, Layer, MemoryId, Reviewer,
    ReviewerName, Role, Salt, Scope, Time,
};
use countersign::keys::Signer;
use countersign::ledger::chain::{Head, append};
use rusqlite::Connection;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

type Outcome<T> = Result<T, Box<dyn Error>>;

const ROUNDS: usize = 5;
const MEMORIES: i64 = 20;
const EXPLAINED: i64 = 200;
const RECALLED: i64 = 200;

fn main() -> Outcome<()> {
    let entries: i64 = std::env::var("COUNTERSIGN_BENCH_ENTRIES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000_000);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("ledger.db");
    let desk = Desk::init(&path, "bench", Clock::System)?;
    for n in 0..MEMORIES {
        remember(&desk, n)?;
    }
    let hashed = fill(&path, entries)?;
    verify(&desk, &hashed)?;
    drop(hashed);
    explain(&desk, entries)?;
    checkpoint(&desk)?;
    signed_recall()
}

/// The whole of verifying against the floor under it.
fn verify(desk: &Desk, hashed: &[Vec<u8>]) -> Outcome<()> {
    let (mut ours, mut floor) = (Vec::new(), Vec::new());
    let (mut spent, mut alone) = (Vec::new(), Vec::new());
    let mut entries = 0;
    for _ in 0..ROUNDS {
        let (begun, before) = (Instant::now(), spent_so_far());
        let mut last = Digest::ZERO;
        for bytes in hashed {
            let mut hasher = Hasher::default();
            hasher.bytes(bytes);
            last = hasher.finish();
        }
        floor.push(begun.elapsed());
        alone.extend(spent_so_far().zip(before).map(|(now, then)| now - then));
        std::hint::black_box(last);
        let (begun, before) = (Instant::now(), spent_so_far());
        let found = desk.verify()?;
        ours.push(begun.elapsed());
        spent.extend(spent_so_far().zip(before).map(|(now, then)| now - then));
        if let Some(problem) = found.problems.first() {
            return Err(format!("the bench's own ledger is not whole: {problem}").into());
        }
        entries = found.entries;
    }
    let megabytes = hashed.iter().map(Vec::len).sum::<usize>() / 1_000_000;
    let (ours, floor) = (median(&mut ours), median(&mut floor));
    println!(
        "verify, {entries} entries, {megabytes} MB hashed: ratio {:.2} (aim 3.00 or less), {:.2} s, SHA-256 alone {:.2} s",
        ours.as_secs_f64() / floor.as_secs_f64(),
        ours.as_secs_f64(),
        floor.as_secs_f64()
    );
    if !spent.is_empty() {
        let (spent, alone) = (median(&mut spent), median(&mut alone));
        println!(
            "verify, processor time of all its threads: ratio {:.2}, {:.2} s, SHA-256 alone {:.2} s",
            spent.as_secs_f64() / alone.as_secs_f64(),
            spent.as_secs_f64(),
            alone.as_secs_f64()
        );
    }
    Ok(())
}

/// What this process has spent of all processors, where the platform says so.
fn spent_so_far() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let behind = stat.rsplit(')').next()?;
    let ticks: Vec<u64> = behind
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse().ok())
        .collect();
    Some(Duration::from_millis(ticks.iter().sum::<u64>() * 10))
}

/// `why` from a serving anywhere in the store, from a memory, from a session at a moment, from
/// words, and the servings that held a memory between two moments.
fn explain(desk: &Desk, servings: i64) -> Outcome<()> {
    let newest = Time::parse(&at_of(desk, servings)?)?;
    let anywhere = |turn: i64| 1 + (turn * 7_919_317) % servings;
    let moment = |turn: i64| newest.plus(anywhere(turn) - servings);
    let id = |turn: i64| 1 + turn % MEMORIES;
    ask("a serving", &|turn| {
        desk.why(&format!("S-{}", anywhere(turn)))
    })?;
    ask("a memory", &|turn| desk.why(&format!("M-{}", id(turn))))?;
    ask("a session at a moment", &|turn| {
        desk.why_at(&format!("session:s-{}", turn % 9973), moment(turn))
    })?;
    ask("the servings of a memory between two moments", &|turn| {
        let (one, other) = (moment(turn), moment(turn + 1));
        desk.why_served(
            MemoryId(id(turn)),
            Some(one.min(other)),
            Some(one.max(other)),
            50,
        )
    })?;
    ask("words of a claim", &|turn| {
        desk.why(&format!("counter {} takes refunds", id(turn) - 1))
    })
}

fn ask(what: &str, one: &dyn Fn(i64) -> Result<Why, DeskError>) -> Outcome<()> {
    let mut times = Vec::new();
    let mut nodes = 0;
    for turn in 0..EXPLAINED {
        let begun = Instant::now();
        nodes += one(turn)?.nodes().len();
        times.push(begun.elapsed());
    }
    let middle = median(&mut times);
    let worst = times.last().copied().unwrap_or_default();
    println!(
        "why, {what}: {:.2} ms, worst of {EXPLAINED} {:.2} ms (aim 100 or less), {} nodes each",
        middle.as_secs_f64() * 1e3,
        worst.as_secs_f64() * 1e3,
        nodes / usize::try_from(EXPLAINED)?
    );
    Ok(())
}

fn at_of(desk: &Desk, serving: i64) -> Outcome<String> {
    let why = desk.why(&format!("S-{serving}"))?;
    Ok(why.fact("at").unwrap_or_default().to_owned())
}

/// What recall reads and checks, in a store where decisions are signed and in one where they are not.
fn signed_recall() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let key = folder.path().join("key");
    let made = std::process::Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-f"])
        .arg(&key)
        .status()?;
    if !made.success() {
        return Err("ssh-keygen made no key".into());
    }
    let signer = Arc::new(Signer::open(&key, &mut || Ok(Zeroizing::default()))?);
    let plain = Desk::init(&folder.path().join("plain.db"), "bench", Clock::System)?;
    let signed = Desk::init(&folder.path().join("signed.db"), "bench", Clock::System)?;
    let admin = person(Role::Admin)?.with_key(Some(Arc::clone(&signer)));
    signed.change_reviewers(
        &admin,
        &ReviewerChange::Add {
            name: ReviewerName::parse("bench")?,
            role: Role::Admin,
            public_key: Some(signer.public_key().to_owned()),
        },
    )?;
    for n in 0..RECALLED {
        remember_as(&plain, n, &person(Role::Reviewer)?)?;
        remember_as(&signed, n, &admin)?;
    }
    let request = ExportRequest {
        viewer: Scope {
            layer: Layer::parse("acme")?,
            project: None,
            session: None,
        },
        budget: usize::MAX,
    };
    let (mut ours, mut floor) = (Vec::new(), Vec::new());
    for _ in 0..EXPLAINED {
        for (desk, times) in [(&plain, &mut floor), (&signed, &mut ours)] {
            let begun = Instant::now();
            let found = desk.export(&request)?;
            times.push(begun.elapsed());
            if found.records.len() != usize::try_from(RECALLED)? {
                return Err(format!("{} of {RECALLED} were recalled", found.records.len()).into());
            }
        }
    }
    let (ours, floor) = (median(&mut ours), median(&mut floor));
    println!(
        "recall of {RECALLED} memories, signed against unsigned, the commit apart: ratio {:.2} (aim 1.30 or less), {:.2} ms against {:.2} ms",
        ours.as_secs_f64() / floor.as_secs_f64(),
        ours.as_secs_f64() * 1e3,
        floor.as_secs_f64() * 1e3
    );
    Ok(())
}

fn person(role: Role) -> Outcome<Presence> {
    let caller = Caller {
        input_is_terminal: true,
        output_is_terminal: true,
        markers: Vec::new(),
        role: None,
    };
    let reviewer = Reviewer {
        name: ReviewerName::parse("bench")?,
        role,
    };
    Ok(Presence::at_terminal(&caller, reviewer)?)
}

/// The root as every decision remembers it, and a proof.
fn checkpoint(desk: &Desk) -> Outcome<()> {
    let mut times = Vec::new();
    for _ in 0..50 {
        let begun = Instant::now();
        desk.checkpoint()?;
        times.push(begun.elapsed());
    }
    let size = desk.checkpoint()?.size;
    let root = median(&mut times);
    let mut times = Vec::new();
    for turn in 1..50 {
        let begun = Instant::now();
        desk.prove_growth(size * turn / 50, size)?;
        times.push(begun.elapsed());
    }
    println!(
        "root over {size} entries: {:.2} ms; consistency proof: {:.2} ms",
        root.as_secs_f64() * 1e3,
        median(&mut times).as_secs_f64() * 1e3
    );
    Ok(())
}

fn remember(desk: &Desk, n: i64) -> Outcome<()> {
    remember_as(desk, n, &person(Role::Reviewer)?)
}

fn remember_as(desk: &Desk, n: i64, presence: &Presence) -> Outcome<()> {
    let line = format!(
        "{{\"claim\":\"Counter {n} takes refunds in person.\",\"kind\":\"observed_fact\",\"source_refs\":[\"session:s-{n}\"],\
         \"source_trust\":\"authenticated_user\",\"scope\":{{\"layer\":\"acme\"}},\"proposer\":\"bench\"}}"
    );
    let answer: ProposalAnswer =
        desk.propose(read_proposal(&line).map_err(|bad| format!("{bad:?}"))?)?;
    let id: CandidateId = answer.id;
    let view = desk.candidate(id)?;
    desk.decide(
        presence,
        CandidateDecision {
            candidate: id,
            seen: Seen {
                version: view.candidate.version,
                shown: view.shown,
                frame: 1,
                whole: true,
                on_screen: None,
            },
            ruling: Ruling::Approve,
            reason: Some("measured".to_owned()),
            influence: None,
            supersedes: None,
        },
    )?;
    Ok(())
}

/// Servings and their entries written straight into the tables, chained as the store chains them.
/// Returns the bytes that verifying must hash.
fn fill(path: &Path, entries: i64) -> Outcome<Vec<Vec<u8>>> {
    let mut db = Connection::open(path)?;
    let (mut head, mut hashed) = standing(&db)?;
    let tx = db.transaction()?;
    let texts: Vec<String> = tx
        .prepare("SELECT text FROM memory ORDER BY id")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut entry = tx.prepare("INSERT INTO entry (seq, at, act, item, actor, bytes, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
    let mut serving = tx.prepare(
        "INSERT INTO serving (id, at, layer, session, format, block, bytes, entry, salt) VALUES (?1, ?2, 1, ?3, 'block', ?4, 400, ?5, ?6)",
    )?;
    let mut member =
        tx.prepare("INSERT INTO serving_memory (memory, serving, sha256) VALUES (?1, ?2, ?3)")?;
    for id in 1..=entries {
        let memory = 1 + id % MEMORIES;
        let block = Digest::of(&id.to_be_bytes());
        let salt = Salt(Digest::of(&block.0).0);
        let covered = [&block.0[..], &memory.to_be_bytes()].concat();
        let session = format!("s-{}", id % 9973);
        let sealed = append(
            &head,
            served(id, &session, &Commitment::to(&salt, &covered), &head),
        )?;
        let (seq, at) = (sealed.entry.seq, sealed.entry.draft.at);
        head = Head {
            seq,
            hash: sealed.hash,
            at,
        };
        let (code, item, hash) = (
            Act::Serve.code(),
            format!("S-{id}"),
            sealed.hash.0.as_slice(),
        );
        entry.execute((seq.0, at.millis(), code, item, "agent", &sealed.bytes, hash))?;
        serving.execute((
            id,
            at.millis(),
            session,
            block.0.as_slice(),
            seq.0,
            salt.0.as_slice(),
        ))?;
        let text = texts
            .get(usize::try_from(memory - 1)?)
            .map_or("", String::as_str);
        member.execute((memory, id, Digest::of(text.as_bytes()).0.as_slice()))?;
        hashed.push(leaf(&sealed.bytes));
        hashed.push([&salt.0[..], &covered].concat());
    }
    drop((entry, serving, member));
    tx.execute(
        "UPDATE ledger_head SET seq = ?1, hash = ?2",
        (head.seq.0, head.hash.0.as_slice()),
    )?;
    tx.execute(
        "INSERT INTO memory_served SELECT memory, count(*), 0 FROM serving_memory GROUP BY memory",
        [],
    )?;
    nodes(&tx)?;
    tx.commit()?;
    db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    Ok(hashed)
}

/// Where the ledger stands, and the bytes of what stands in it.
fn standing(db: &Connection) -> Outcome<(Head, Vec<Vec<u8>>)> {
    let (mut head, mut hashed) = (Head::empty(), Vec::new());
    let mut kept = db.prepare("SELECT seq, hash, at, bytes FROM entry ORDER BY seq")?;
    let mut rows = kept.query([])?;
    while let Some(row) = rows.next()? {
        head = Head {
            seq: EntrySeq(row.get(0)?),
            hash: Digest(row.get(1)?),
            at: Time::from_millis(row.get(2)?),
        };
        hashed.push(leaf(&row.get::<_, String>(3)?));
    }
    Ok((head, hashed))
}

fn served(id: i64, session: &str, commitment: &Commitment, head: &Head) -> EntryDraft {
    let facts = [
        ("count", "1".to_owned()),
        ("format", "block".to_owned()),
        ("layer", "acme".to_owned()),
        ("served_commitment", commitment.to_string()),
        ("session", session.to_owned()),
    ];
    EntryDraft {
        at: Time::from_millis(head.at.millis() + 1),
        actor: "agent".to_owned(),
        assurance: Assurance::Asserted,
        act: Act::Serve,
        item: format!("S-{id}"),
        facts: facts.map(|(key, value)| (key.to_owned(), value)).into(),
    }
}

/// The nodes that the store keeps as it appends.
fn nodes(db: &Connection) -> Outcome<()> {
    let mut keep = db.prepare("INSERT INTO tree_node (level, at, hash) VALUES (?1, ?2, ?3)")?;
    let mut all = db.prepare("SELECT hash FROM entry ORDER BY seq")?;
    let mut rows = all.query([])?;
    let mut frontier = countersign::ledger::tree::Frontier::default();
    let mut kept = Vec::new();
    while let Some(row) = rows.next()? {
        frontier.push(Digest(row.get(0)?), &mut |node, hash| {
            if node.level % 8 == 0 {
                kept.push((node, *hash));
            }
        });
    }
    for (node, hash) in kept {
        keep.execute((node.level, i64::try_from(node.index)?, hash.0.as_slice()))?;
    }
    Ok(())
}

fn leaf(bytes: &str) -> Vec<u8> {
    [b"\0", bytes.as_bytes()].concat()
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
