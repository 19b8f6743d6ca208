//! A world of its own for each test: a temporary home, an empty environment, a clock that stands
//! until the test moves it, streams in memory, a line of a hundred columns.

use countersign::cli::{Environment, Surroundings, run};
use countersign::desk::presence::{AGENT_MARKERS, Caller, Presence};
use countersign::desk::view::CandidateView;
use countersign::desk::{Clock, Desk, RecallFormat, RecallRequest};
use countersign::domain::decision::{CandidateDecision, Ruling, Seen};
use countersign::domain::{CandidateId, Layer, Reviewer, ReviewerName, Role, Scope, Time};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The moment every world begins at.
pub(crate) const BEGIN: &str = "2026-12-01T09:00:00Z";

/// What a command said and how it ended.
#[derive(Debug, Clone)]
pub(crate) struct Ran {
    pub(crate) code: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Insists on an exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: u8) -> Self {
        assert_eq!(self.code, code, "out: {}\nerr: {}", self.out, self.err);
        self
    }

    /// The output as one JSON object.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let lines = self.lines();
        assert_eq!(
            lines.len(),
            1,
            "one object: {}\nerr: {}",
            self.out,
            self.err
        );
        lines[0].clone()
    }

    /// The output as one JSON object a line.
    #[track_caller]
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| {
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
            })
            .collect()
    }

    /// Insists on an error that names what is wrong and says what to do next.
    #[track_caller]
    pub(crate) fn fails_clearly(self, code: u8, what: &str) -> Self {
        let ran = self.exits(code);
        assert!(ran.err.contains(what), "`{what}` is not in: {}", ran.err);
        assert!(ran.err.starts_with("countersign: "), "{}", ran.err);
        assert!(ran.err.contains("hint: "), "no next step in: {}", ran.err);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        ran
    }
}

/// What the person at the terminal answers to `type CODE to ACT: `.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Typed {
    /// The code that was printed.
    Code,
    /// Something else.
    Text(&'static str),
    /// One line after the other; `<code>` is the code that was asked for last.
    Lines(&'static [&'static str]),
    /// The terminal is closed instead.
    Nothing,
}

/// A hermetic world with one store in it.
#[derive(Debug)]
pub(crate) struct World {
    folder: tempfile::TempDir,
    pub(crate) clock: Clock,
    pub(crate) environment: Environment,
}

impl World {
    /// A world with an empty store.
    pub(crate) fn new() -> Self {
        let world = Self::without_store();
        world.run(["init"]).exits(0);
        world
    }

    /// A world whose store has not been made.
    pub(crate) fn without_store() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::standing_at(Time::parse(BEGIN).unwrap());
        let mut environment = Environment::new();
        let home = folder.path().join("home").display().to_string();
        environment.insert("HOME".to_owned(), home);
        environment.insert("USER".to_owned(), "olga".to_owned());
        let store = folder.path().join("store.db").display().to_string();
        environment.insert("COUNTERSIGN_STORE".to_owned(), store);
        Self {
            folder,
            clock,
            environment,
        }
    }

    /// Another world with a copy of this store: cheap, so that each of many tamperings begins anew.
    pub(crate) fn fork(&self) -> Self {
        let other = Self::without_store();
        let path = other.store().display().to_string();
        self.database().execute("VACUUM INTO ?1", [path]).unwrap();
        other.clock.set(self.now());
        other
    }

    /// Where the store is.
    pub(crate) fn store(&self) -> PathBuf {
        self.path("store.db")
    }

    /// A place in this world's folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }

    /// The moment it is.
    pub(crate) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Moves the clock by so many milliseconds.
    pub(crate) fn later(&self, millis: i64) {
        self.clock.set(self.now().plus(millis));
    }

    /// Runs a command in a pipe, with nothing on standard input.
    pub(crate) fn run<const N: usize>(&self, arguments: [&str; N]) -> Ran {
        self.feed("", arguments)
    }

    /// Runs a command in a pipe, with this on standard input.
    pub(crate) fn feed<const N: usize>(
        &self,
        input: impl AsRef<[u8]>,
        arguments: [&str; N],
    ) -> Ran {
        self.piped(input.as_ref(), &arguments)
    }

    /// Runs a command at a terminal, as a person who types the code that is asked for.
    pub(crate) fn at_terminal<const N: usize>(&self, arguments: [&str; N]) -> Ran {
        self.typing(Typed::Code, arguments)
    }

    /// Runs a command at a terminal, as a person who answers this.
    pub(crate) fn typing<const N: usize>(&self, answer: Typed, arguments: [&str; N]) -> Ran {
        self.answering(answer, &arguments)
    }

    /// Runs a command whose arguments are counted at run time, with this on standard input.
    pub(crate) fn feeding(&self, input: &[u8], arguments: &[&str]) -> Ran {
        self.piped(input, arguments)
    }

    fn piped(&self, mut input: &[u8], arguments: &[&str]) -> Ran {
        let mut out = Vec::new();
        let ran = self.go(arguments, self.caller(false), &mut input, &mut out);
        Ran {
            out: text(out),
            ..ran
        }
    }

    fn answering(&self, answer: Typed, arguments: &[&str]) -> Ran {
        let screen = Screen::default();
        let mut input = Typist {
            screen: screen.clone(),
            answer,
            typed: None,
        };
        let ran = self.go(
            arguments,
            self.caller(true),
            &mut input,
            &mut screen.clone(),
        );
        Ran {
            out: screen.shown(),
            ..ran
        }
    }

    /// Runs a command in a pipe, its arguments given as one line of plain words.
    pub(crate) fn line(&self, arguments: &str) -> Ran {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        self.any(&arguments, None)
    }

    /// Runs a command whose arguments are counted at run time: in a pipe, or answering at a terminal.
    pub(crate) fn any(&self, arguments: &[&str], typing: Option<Typed>) -> Ran {
        match typing {
            None => self.piped(b"", arguments),
            Some(answer) => self.answering(answer, arguments),
        }
    }

    fn go(
        &self,
        arguments: &[&str],
        caller: Caller,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Ran {
        let mut err = Vec::new();
        let arguments = std::iter::once("countersign").chain(arguments.iter().copied());
        let code = run(
            arguments.map(OsString::from),
            Surroundings {
                input,
                output,
                errors: &mut err,
                caller,
                environment: self.environment.clone(),
                clock: self.clock.clone(),
                columns: 100,
                live: false,
            },
        );
        Ran {
            code,
            out: String::new(),
            err: text(err),
        }
    }

    /// The caller a command finds: the environment's agent markers, and terminals or none.
    fn caller(&self, terminal: bool) -> Caller {
        let markers = AGENT_MARKERS
            .iter()
            .filter(|name| self.environment.contains_key(**name))
            .map(|name| (*name).to_owned())
            .collect();
        Caller {
            input_is_terminal: terminal,
            output_is_terminal: terminal,
            markers,
            role: None,
        }
    }

    /// The desk over this world's store.
    pub(crate) fn desk(&self) -> Desk {
        Desk::open(&self.store(), self.clock.clone()).unwrap()
    }

    /// The database itself, past every door: what a tamperer has.
    pub(crate) fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.store()).unwrap()
    }

    /// One number out of the database.
    #[track_caller]
    pub(crate) fn count(&self, sql: &str) -> i64 {
        self.database()
            .query_row(sql, [], |row| row.get(0))
            .unwrap()
    }

    /// Proposes a claim with a session as its only source; returns what was answered.
    #[track_caller]
    pub(crate) fn propose(&self, claim: &str, layer: &str) -> Value {
        self.propose_json(&proposal(claim, layer))
    }

    /// Proposes what this object says.
    #[track_caller]
    pub(crate) fn propose_json(&self, line: &Value) -> Value {
        self.feed(line.to_string(), ["propose", "--json"])
            .exits(0)
            .json()
    }

    /// Proposes a claim and approves it at a terminal. Returns the memory's id.
    #[track_caller]
    pub(crate) fn remember(&self, claim: &str, layer: &str) -> String {
        self.remember_json(&proposal(claim, layer))
    }

    /// Proposes what this object says and approves it at a terminal. Returns the memory's id.
    #[track_caller]
    pub(crate) fn remember_json(&self, line: &Value) -> String {
        let answer = self.propose_json(line);
        assert_eq!(answer["status"], "pending", "{answer}");
        let id = answer["id"].as_str().unwrap();
        let ran = self.at_terminal(["decide", "approve", id, "--reason", "checked with the team"]);
        memory_in(&ran.exits(0).out)
    }

    /// Observes a text once from each of so many users, each in two sessions, over three days.
    #[track_caller]
    pub(crate) fn observe(&self, text: &str, layer: &str, users: usize) {
        let mut lines = String::new();
        for user in 0..users {
            for session in 0..2 {
                let days = i64::try_from((user + session) % 3).unwrap();
                let line = json!({
                    "text": text, "layer": layer, "user": format!("u-{user}"), "session": format!("s-{user}-{session}"),
                    "at": self.now().plus_days(-days).to_string(),
                });
                lines.push_str(&format!("{line}\n"));
            }
        }
        self.feed(lines, ["observe", "--json"]).exits(0);
    }

    /// Runs the detector once; its lease is taken to have run out.
    #[track_caller]
    pub(crate) fn detect(&self) -> Value {
        self.later(countersign::domain::time::HOUR);
        self.run(["detect", "--once", "--json"]).exits(0).json()
    }

    /// Candidates of a status.
    #[track_caller]
    pub(crate) fn queue(&self, status: &str) -> Vec<Value> {
        self.run(["queue", "list", "--json", "--status", status])
            .exits(0)
            .lines()
    }

    /// Recalls for a layer; returns the whole answer.
    #[track_caller]
    pub(crate) fn recall(&self, layer: &str) -> Value {
        self.run(["recall", "--layer", layer, "--json"])
            .exits(0)
            .json()
    }

    /// The texts that a recall for a layer hands over.
    #[track_caller]
    pub(crate) fn recalled(&self, layer: &str) -> Vec<String> {
        strings(&self.recall(layer)["records"], "text")
    }

    /// Whether the ledger is whole: the whole answer.
    #[track_caller]
    pub(crate) fn verify(&self) -> Value {
        let ran = self.run(["audit", "verify", "--json"]);
        let answer = ran.json();
        let code = u8::from(answer["ok"] != json!(true));
        assert_eq!(ran.code, code, "{answer}");
        answer
    }

    /// Insists that the ledger is whole.
    #[track_caller]
    pub(crate) fn is_whole(&self) {
        let answer = self.verify();
        assert_eq!(answer["ok"], json!(true), "{answer}");
    }

    /// Insists that the ledger is not whole, and that a problem says this.
    #[track_caller]
    pub(crate) fn is_broken(&self, what: &str) {
        let answer = self.verify();
        assert_eq!(answer["ok"], json!(false), "{answer}");
        assert!(answer["problems"].to_string().contains(what), "{answer}");
    }
}

/// What a terminal shows.
#[derive(Debug, Clone, Default)]
struct Screen(Rc<RefCell<Vec<u8>>>);

impl Screen {
    fn shown(&self) -> String {
        text(self.0.borrow().clone())
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A person who reads what the terminal shows and types.
#[derive(Debug)]
struct Typist {
    screen: Screen,
    answer: Typed,
    typed: Option<Vec<u8>>,
}

impl Typist {
    fn decide_what_to_type(&self) -> Vec<u8> {
        let shown = self.screen.shown();
        match self.answer {
            Typed::Nothing | Typed::Lines(_) => Vec::new(),
            Typed::Text(answer) => format!("{answer}\n").into_bytes(),
            Typed::Code => format!("{}\n", code_asked_for(&shown)).into_bytes(),
        }
    }
}

impl Read for Typist {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut bytes = self.fill_buf()?;
        let n = bytes.read(buffer)?;
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Typist {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        if let Typed::Lines([next, rest @ ..]) = self.answer
            && self.typed.as_ref().is_none_or(Vec::is_empty)
        {
            self.answer = Typed::Lines(rest);
            let line = match *next {
                "<code>" => code_asked_for(&self.screen.shown()),
                line => line.to_owned(),
            };
            self.typed = Some(format!("{line}\n").into_bytes());
        }
        if self.typed.is_none() {
            self.typed = Some(self.decide_what_to_type());
        }
        Ok(self.typed.as_deref().unwrap_or_default())
    }

    fn consume(&mut self, n: usize) {
        if let Some(typed) = &mut self.typed {
            typed.drain(..n);
        }
    }
}

/// The code in the last line, `type CODE to ACT: `.
fn code_asked_for(shown: &str) -> String {
    let line = shown.lines().last().unwrap_or_default();
    let asked = line.rsplit_once("type ").filter(|_| line.ends_with(": "));
    let asked = asked.unwrap_or_else(|| panic!("no code is asked for: {line}"));
    asked.1.split(' ').next().unwrap().to_owned()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// A proposal with a session as its only source.
pub(crate) fn proposal(claim: &str, layer: &str) -> Value {
    json!({
        "claim": claim, "kind": "observed_fact", "source_refs": ["session:s-1"], "source_trust": "authenticated_user",
        "scope": { "layer": layer }, "confidence": 0.8, "proposer": "agent-1",
    })
}

/// The memory that an approval says it minted.
#[track_caller]
pub(crate) fn memory_in(out: &str) -> String {
    let (_, id) = out
        .trim_end()
        .rsplit_once(" is now ")
        .unwrap_or_else(|| panic!("no memory: {out}"));
    id.to_owned()
}

/// One field of every object of a list.
pub(crate) fn strings(list: &Value, field: &str) -> Vec<String> {
    let list = list.as_array().unwrap();
    list.iter()
        .map(|one| one[field].as_str().unwrap().to_owned())
        .collect()
}

/// A reviewer of this name at a terminal.
pub(crate) fn presence(name: &str) -> Presence {
    let caller = Caller {
        input_is_terminal: true,
        output_is_terminal: true,
        markers: Vec::new(),
        role: None,
    };
    Presence::at_terminal(&caller, reviewer(name)).unwrap()
}

/// A reviewer of this name.
pub(crate) fn reviewer(name: &str) -> Reviewer {
    Reviewer {
        name: ReviewerName::parse(name).unwrap(),
        role: Role::Reviewer,
    }
}

/// A candidate's id.
pub(crate) fn candidate(id: &Value) -> CandidateId {
    CandidateId::parse(id.as_str().unwrap()).unwrap()
}

/// A decision on a candidate that was wholly seen as it is shown here.
pub(crate) fn decision(view: &CandidateView, ruling: Ruling) -> CandidateDecision {
    CandidateDecision {
        candidate: view.candidate.id,
        seen: Seen {
            version: view.candidate.version,
            shown: view.shown,
            frame: 1,
            whole: true,
            on_screen: None,
        },
        ruling,
        reason: Some("checked with the team".to_owned()),
        influence: None,
        supersedes: None,
    }
}

/// A recall for a whole layer.
pub(crate) fn asking(layer: &str) -> RecallRequest {
    RecallRequest {
        trace: None,
        viewer: Scope::of(Layer::parse(layer).unwrap()),
        query: None,
        budget: None,
        format: RecallFormat::Json,
        actor: "test".to_owned(),
    }
}

/// The data beside the project, or a loud word that a test goes without it.
pub(crate) fn shared(test: &str, name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/data")
        .join(name);
    if path.exists() {
        return Some(path);
    }
    skipped(test, &format!("../shared/data/{name} is not here"));
    None
}

/// Says that a test goes without what it needs: past the test runner, which keeps what passing tests
/// print to itself.
pub(crate) fn skipped(test: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}
