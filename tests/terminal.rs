//! The program in a real terminal: a pseudo-terminal, its keys, its screen, its way out.
//!
//! Slow on purpose: a deciding key is dead until its item was drawn and the keyboard was quiet.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a screen may take to show what is waited for, on a machine with other things to do.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the keyboard must be quiet before a deciding key.
const QUIET: Duration = Duration::from_millis(600);

struct Terminal {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    bytes: Arc<Mutex<Vec<u8>>>,
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("countersign-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn store(&self) -> PathBuf {
        self.0.join("store.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Terminal {
    fn start(arguments: &[&str], folder: &Folder, more: &[(&str, &str)]) -> Self {
        let size = PtySize {
            rows: 40,
            cols: 120,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_countersign"));
        command.env_clear();
        for (name, value) in [
            ("TERM", "xterm-256color"),
            ("HOME", folder.0.to_str().unwrap()),
            ("USER", "alice"),
            ("PATH", "/usr/bin:/bin"),
        ] {
            command.env(name, value);
        }
        for (name, value) in more {
            command.env(name, value);
        }
        command.args(arguments);
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(parser(40, 120)));
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (into, kept) = (screen.clone(), bytes.clone());
        std::thread::spawn(move || {
            let mut buffer = [0_u8; 8192];
            while let Ok(n) = reader.read(&mut buffer) {
                let Some(read) = buffer.get(..n).filter(|read| !read.is_empty()) else {
                    return;
                };
                into.lock().unwrap().process(read);
                kept.lock().unwrap().extend_from_slice(read);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Self {
            master: pair.master,
            child,
            keys,
            screen,
            bytes,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// A key that decides: the keyboard is quiet first.
    fn decide(&mut self, key: &str) {
        std::thread::sleep(QUIET);
        self.press(key);
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn wait_for(&self, wanted: &str) -> String {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let text = self.text();
            if text.contains(wanted) {
                return text;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("waited for `{wanted}` and saw:\n{}", self.text());
    }

    /// Waits until this was written, wherever it is by now.
    fn wait_written(&self, wanted: &str) -> String {
        self.wait_times(wanted, 1)
    }

    fn wait_times(&self, wanted: &str, times: usize) -> String {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let text = self.written();
            if text.matches(wanted).count() >= times {
                return text;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("waited for `{wanted}` and read:\n{}", self.written());
    }

    /// The code that is asked for, for so many times by now.
    fn code(&self, what: &str, times: usize) -> String {
        let text = self.wait_times(what, times);
        let line = text.lines().rfind(|line| line.contains(what)).unwrap();
        let code = line.rsplit_once("type ").unwrap().1;
        code.split(' ').next().unwrap().to_owned()
    }

    fn ended(&mut self) -> u32 {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        self.child.kill().unwrap();
        panic!("the program did not end; the screen was:\n{}", self.text());
    }

    fn written(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }
}

fn cells(n: u16) -> NonZero<u16> {
    NonZero::new(n).unwrap()
}

fn parser(rows: u16, columns: u16) -> vt100::Parser {
    vt100::Parser::new(cells(rows), cells(columns), 0)
}

fn answer(store: &Path, arguments: &[&str]) -> String {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(arguments)
        .arg("--store")
        .arg(store)
        .env_clear()
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_newcomer_approves_edits_and_demotes_and_recall_serves_exactly_that() {
    let folder = Folder::new("newcomer");
    let store = folder.store();
    let path = store.to_str().unwrap().to_owned();
    let mut terminal = Terminal::start(&["demo", "--store", &path], &folder, &[]);
    terminal.wait_for("The invoice number starts with the year and the country code.");
    terminal.decide("a");
    terminal.wait_for("approved C-5");

    // Late fees are a rule of work: approving one asks for a reason.
    terminal.wait_for("Waive late fees under 20 euro.");
    terminal.decide("a");
    std::thread::sleep(QUIET);
    terminal.press("agreed with finance\r");
    terminal.wait_for("approved C-6");

    // The next one in the reviewer's own words, typed in place.
    terminal.wait_for("Export requests need the new consent form");
    terminal.decide("x");
    std::thread::sleep(QUIET);
    terminal.press("2");
    terminal.wait_for("rejected C-7");

    terminal.press("3");
    terminal.wait_for("stalest first");
    terminal.decide("d");
    terminal.wait_for("Demote M-1");
    std::thread::sleep(QUIET);
    terminal.press("1");
    std::thread::sleep(QUIET);
    terminal.press("y");
    terminal.wait_for("demoted M-1");
    terminal.press("q");
    std::thread::sleep(QUIET);
    terminal.press("Q");
    assert_eq!(terminal.ended(), 0);
    assert!(
        terminal.written().contains("\u{1b}[?1049l"),
        "the alternate screen is left"
    );

    let recall = answer(&store, &["recall", "--layer", "acme/emea/berlin", "--json"]);
    assert!(
        recall.contains("The invoice number starts with the year and the country code."),
        "{recall}"
    );
    assert!(
        recall.contains("Waive late fees under 20 euro."),
        "{recall}"
    );
    assert!(
        !recall.contains("The returns desk in Berlin is open until 18:00."),
        "{recall}"
    );
    assert!(!recall.contains("consent form"), "{recall}");
    assert!(answer(&store, &["audit", "verify", "--json"]).contains("\"ok\":true"));
}

#[test]
fn an_edit_in_the_reviewers_own_editor_is_approved_byte_for_byte() {
    let folder = Folder::new("editor");
    let store = folder.store();
    let editor = folder.0.join("my editor");
    std::fs::write(
        &editor,
        "#!/bin/sh\nprintf 'Invoice numbers start with the year.\\n' > \"$1\"\n",
    )
    .unwrap();
    std::process::Command::new("chmod")
        .arg("+x")
        .arg(&editor)
        .status()
        .unwrap();
    let command = format!("'{}'", editor.display());
    let path = store.to_str().unwrap().to_owned();
    let mut terminal = Terminal::start(
        &["demo", "--store", &path],
        &folder,
        &[("EDITOR", &command)],
    );
    terminal.wait_for("The invoice number starts with the year and the country code.");
    std::thread::sleep(QUIET);
    terminal.press("e");
    terminal.wait_for("Invoice numbers start with the year.");
    terminal.decide("a");
    terminal.wait_for("C-5");
    std::thread::sleep(QUIET);
    terminal.press("Q");
    assert_eq!(terminal.ended(), 0);
    let recall = answer(
        &store,
        &["recall", "--layer", "acme", "--query", "invoice", "--json"],
    );
    assert!(
        recall.contains("\"text\":\"Invoice numbers start with the year.\""),
        "{recall}"
    );
    let log = answer(&store, &["audit", "log", "edit", "--json"]);
    assert!(
        log.contains("Invoice numbers start with the year."),
        "{log}"
    );
}

#[cfg(unix)]
#[test]
fn a_killed_console_leaves_the_terminal_as_it_was_and_nothing_half_done() {
    for signal in ["TERM", "HUP"] {
        let folder = Folder::new(&format!("signal-{signal}"));
        let store = folder.store();
        let path = store.to_str().unwrap().to_owned();
        let mut terminal = Terminal::start(&["demo", "--store", &path], &folder, &[]);
        terminal.wait_for("The invoice number starts");
        let pid = terminal.child.process_id().unwrap().to_string();
        std::process::Command::new("kill")
            .args([&format!("-{signal}"), &pid])
            .status()
            .unwrap();
        terminal.ended();
        std::thread::sleep(Duration::from_millis(200));
        assert!(
            terminal.written().contains("\u{1b}[?1049l"),
            "{signal}: the alternate screen is left"
        );
        assert!(
            answer(&store, &["audit", "verify", "--json"]).contains("\"ok\":true"),
            "{signal}"
        );
    }
}

#[test]
fn keys_pressed_before_anything_was_drawn_decide_nothing() {
    let folder = Folder::new("early");
    let store = folder.store();
    let path = store.to_str().unwrap().to_owned();
    let mut terminal = Terminal::start(&["demo", "--store", &path], &folder, &[]);
    terminal.press("aaaaaaaa");
    terminal.wait_for("The invoice number starts");
    std::thread::sleep(QUIET);
    terminal.press("Q");
    assert_eq!(terminal.ended(), 0);
    assert_eq!(answer(&store, &["audit", "log", "alice", "--json"]), "");
}

#[test]
fn a_terminal_that_is_too_small_says_so_and_decides_nothing() {
    let folder = Folder::new("small");
    let store = folder.store();
    let path = store.to_str().unwrap().to_owned();
    let mut terminal = Terminal::start(&["demo", "--store", &path], &folder, &[]);
    terminal.wait_for("The invoice number starts");
    terminal
        .screen
        .lock()
        .unwrap()
        .screen_mut()
        .set_size(cells(8), cells(31));
    terminal
        .master
        .resize(PtySize {
            rows: 8,
            cols: 31,
            pixel_width: 0,
            pixel_height: 0,
        })
        .unwrap();
    terminal.wait_for("too small");
    terminal.decide("a");
    std::thread::sleep(QUIET);
    terminal.press("Q");
    terminal.ended();
    assert_eq!(answer(&store, &["audit", "log", "alice", "--json"]), "");
}

#[test]
fn the_plain_review_decides_line_by_line_without_one_escape_sequence() {
    let folder = Folder::new("plain");
    let store = folder.store();
    let path = store.to_str().unwrap().to_owned();
    answer(&store, &["demo"]);
    let mut terminal = Terminal::start(
        &["review", "--plain", "--store", &path],
        &folder,
        &[("TERM", "dumb")],
    );
    terminal.wait_written("The invoice number starts with the year");
    terminal.wait_written("queue C-5> ");
    terminal.press("approve\n");
    terminal.wait_written("to approve C-5: ");
    terminal.press("nonsense\n");
    terminal.wait_written("the code was not typed; nothing was changed");
    terminal.press("approve\n");
    let code = terminal.code("to approve C-5: ", 2);
    terminal.press(&format!("{code}\n"));
    terminal.wait_written("C-5 is now M-");
    terminal.wait_written("queue C-6> ");
    terminal.press("quarantine\n");
    terminal.wait_written("quarantine C-");
    terminal.press("undo\n");
    let code = terminal.code("to undo it: ", 1);
    terminal.press(&format!("{code}\n"));
    terminal.wait_written("took back the decision on C-5");
    terminal.press("quit\n");
    assert_eq!(terminal.ended(), 0);
    let written = terminal.written();
    assert!(!written.contains('\u{1b}'), "{written:?}");
    assert!(!written.contains('\u{202e}'), "{written:?}");
    let log = answer(&store, &["audit", "log", "alice", "--json"]);
    assert_eq!(log.lines().count(), 2, "{log}");
}
