//! T7: text that hides or that drives a terminal, in every field that takes text. Nothing of it is
//! written raw where a person reads.

use crate::world::{Ran, Typed, World, proposal};
use serde_json::{Value, json};

/// One of each sort of character that is not drawn as itself.
const HOSTILE: &[(&str, &str)] = &[
    ("ESC", "\u{1b}[31mred\u{1b}[0m"),
    ("OSC 52", "\u{1b}]52;c;aGk=\u{7}"),
    ("BEL", "\u{7}"),
    ("C1 CSI", "\u{9b}31m"),
    ("NEL", "\u{85}"),
    ("DEL", "\u{7f}"),
    ("CR", "over\rwritten"),
    ("backspace", "ab\u{8}\u{8}"),
    ("bidi override", "\u{202e}txt.exe\u{202c}"),
    ("bidi isolate", "\u{2066}x\u{2069}"),
    ("zero width", "re\u{200b}fund\u{200d}\u{feff}"),
    ("word joiner", "a\u{2060}b"),
    ("soft hyphen", "a\u{ad}b"),
    ("tags", "\u{e0041}\u{e0042}"),
    ("line separator", "a\u{2028}b\u{2029}c"),
    ("interlinear", "a\u{fff9}b"),
    ("variation", "a\u{fe0f}\u{e0100}"),
    ("hangul filler", "\u{3164}"),
];

/// Whether this character must not be written raw where a person reads.
fn is_hostile(c: char) -> bool {
    let ranges = [
        '\u{ad}'..='\u{ad}',
        '\u{61c}'..='\u{61c}',
        '\u{180e}'..='\u{180e}',
        '\u{200b}'..='\u{200f}',
        '\u{2028}'..='\u{202e}',
        '\u{2060}'..='\u{206f}',
        '\u{3164}'..='\u{3164}',
        '\u{fe00}'..='\u{fe0f}',
        '\u{feff}'..='\u{feff}',
        '\u{fff9}'..='\u{fffb}',
        '\u{e0000}'..='\u{e0fff}',
    ];
    (c.is_control() && c != '\n') || ranges.iter().any(|range| range.contains(&c))
}

#[track_caller]
fn is_clean(what: &str, ran: &Ran) {
    for (stream, text) in [("out", &ran.out), ("err", &ran.err)] {
        let raw: Vec<String> = text
            .chars()
            .filter(|c| is_hostile(*c))
            .map(|c| format!("U+{:04X}", u32::from(c)))
            .collect();
        assert!(
            raw.is_empty(),
            "{what}: raw {raw:?} in {stream}: {}",
            text.escape_debug()
        );
    }
    assert!(!ran.err.contains("panicked"), "{what}: {}", ran.err);
}

/// All of it in one text.
fn all() -> String {
    HOSTILE.iter().map(|(_, text)| format!("{text} ")).collect()
}

/// Every text that a command shows of a store that holds hostile text in every field.
fn show_everything(world: &World) -> Vec<(String, Ran)> {
    let commands: [&[&str]; 22] = [
        &["queue", "list"],
        &["queue", "list", "--status", "quarantined"],
        &["queue", "list", "--status", "approved"],
        &["queue", "list", "--status", "rejected"],
        &["queue", "show", "C-1"],
        &["queue", "show", "C-2"],
        &["queue", "show", "C-3"],
        &["queue", "show", "C-4"],
        &["memory", "list"],
        &["memory", "show", "M-1"],
        &["memory", "show", "M-2"],
        &["recall", "--layer", "acme", "--format", "text"],
        &["recall", "--layer", "acme", "--format", "block"],
        &[
            "recall",
            "--layer",
            "acme",
            "--query",
            "fund hotline",
            "--format",
            "text",
        ],
        &[
            "recall",
            "--layer",
            "acme",
            "--query",
            "fund hotline",
            "--format",
            "block",
        ],
        &["why", "S-1"],
        &["why", "M-1"],
        &["why", "C-1"],
        &["why", "P-1"],
        &["detect", "patterns"],
        &["document", "list"],
        &["audit", "log"],
    ];
    let mut shown: Vec<(String, Ran)> = commands
        .iter()
        .map(|arguments| (format!("{arguments:?}"), world.any(arguments, None)))
        .collect();
    let asked: [&[&str]; 4] = [
        &["decide", "hold", "C-1"],
        &["demote", "M-1", "--reason", "stale"],
        &["restore", "M-1"],
        &["document", "remove", "K-1"],
    ];
    shown.extend(asked.iter().map(|arguments| {
        (
            format!("{arguments:?} asked"),
            world.any(arguments, Some(Typed::Nothing)),
        )
    }));
    shown
}

/// A world with this text in every field that takes text.
fn infested(text: &str) -> World {
    let world = World::new();
    let name = format!("n{text}");
    let mut line = proposal(&format!("Refunds {text} take days."), "acme");
    line["proposer"] = json!(name);
    line["source_refs"] = json!([format!("session:{name}")]);
    line["scope"]["project"] = json!(name);
    line["key"] = json!(text);
    world.feed(line.to_string(), ["propose", "--json"]).exits(0);
    for (n, claim) in ["The hotline closes at six.", "The office opens at eight."]
        .iter()
        .enumerate()
    {
        let mut line = proposal(claim, "acme");
        line["proposer"] = json!(name);
        line["source_refs"] = json!([format!("session:{name}")]);
        world.feed(line.to_string(), ["propose", "--json"]).exits(0);
        let id = format!("C-{}", n + 2);
        let ran = world.at_terminal(["decide", "approve", &id, "--as", &name, "--reason", text]);
        is_clean("approve", &ran);
        ran.exits(0);
    }
    let ran = world.at_terminal(["demote", "M-2", "--as", &name, "--reason", text]);
    is_clean("demote", &ran);
    world.at_terminal(["decide", "release", "C-1", "--as", &name, "--reason", text]);
    let mut lines = String::new();
    for n in 0..6 {
        let line = json!({ "text": format!("fund {text}"), "layer": "acme", "user": format!("{name}{}", n % 3), "session": format!("{name}{n}"),
            "source": text, "at": world.now().plus_days(-n).to_string(), "key": format!("{text}{n}") });
        lines.push_str(&format!("{line}\n"));
    }
    world.feed(lines, ["observe", "--json"]).exits(0);
    world.detect();
    let file = world.file(
        "handbook.md",
        format!("The hotline of the fund {text} closes."),
    );
    let ran = world.at_terminal([
        "document", "add", &file, "--layer", "acme", "--title", text, "--as", &name,
    ]);
    is_clean("document add", &ran);
    let mut pipe = vec!["decide", "approve", "C-1", "--as", &name];
    is_clean("refusal", &world.any(&pipe, None));
    pipe.push("--reason");
    pipe.push(text);
    is_clean("refusal", &world.any(&pipe, None));
    world
        .run([
            "recall",
            "--layer",
            "acme",
            "--session",
            &name,
            "--project",
            &name,
            "--json",
        ])
        .exits(0);
    world
}

#[test]
fn inv03_nothing_hidden_no_command_writes_hostile_text_raw() {
    for few in HOSTILE.chunks(4) {
        let what: Vec<&str> = few.iter().map(|(what, _)| *what).collect();
        let text: Vec<&str> = few.iter().map(|(_, text)| *text).collect();
        let world = infested(&text.join(" "));
        for (command, ran) in show_everything(&world) {
            is_clean(&format!("{what:?}: {command}"), &ran);
        }
        world.is_whole();
    }
}

#[test]
fn inv03_nothing_hidden_all_of_it_together_is_shown_and_nothing_breaks() {
    let world = infested(&all());
    let shown = show_everything(&world);
    assert!(shown.iter().filter(|(_, ran)| ran.code == 0).count() > 15);
    for (command, ran) in shown {
        is_clean(&command, &ran);
    }
    let shown = world.run(["queue", "show", "C-1"]).exits(0).out;
    for name in [
        "U+1B ESC", "U+202E", "U+200B", "U+E0041", "U+9B CSI", "U+2028",
    ] {
        assert!(shown.contains(name), "{name} is not named: {shown}");
    }
}

#[test]
fn inv03_nothing_hidden_a_nul_in_a_claim_is_named() {
    let world = World::new();
    world.propose("Refunds \u{0} take days.", "acme");
    for arguments in [["queue", "show", "C-1"], ["why", "C-1", "--json"]] {
        let ran = world.run(arguments).exits(0);
        is_clean("NUL", &ran);
    }
}

/// Every command that repeats what was typed in its error, with this typed.
const REPEATING: &[&str] = &[
    "#",
    "queue list --status #",
    "queue list --layer #",
    "queue list --query kind:#",
    "queue list --query age:#",
    "queue list #",
    "queue show #",
    "memory show #",
    "why #",
    "recall --layer #",
    "recall --layer acme --format #",
    "recall --layer acme --budget #",
    "observe --layer acme --user u --session s --at # x",
    "observe --layer acme --user u --session s --trust # x",
    "propose --layer acme --kind # x",
    "propose --layer acme --kind inference --source # x",
    "ingest --layer acme --user u /nowhere/#",
    "queue list --store /nowhere/#",
    "init --store /dev/null/#",
    "decide edit C-1 --text-file /nowhere/#",
    "document add --layer acme /nowhere/#",
];

#[test]
fn inv03_nothing_hidden_errors_that_repeat_what_was_typed_name_it() {
    let world = World::new();
    world.propose("Refunds take days.", "acme");
    for (what, text) in HOSTILE {
        for line in REPEATING {
            let words: Vec<String> = line
                .split(' ')
                .map(|word| word.replace('#', text))
                .collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            for typing in [None, Some(Typed::Code)] {
                let ran = world.any(&words, typing);
                is_clean(&format!("{what}: {line}"), &ran);
                assert_ne!(ran.code, 0, "{what}: {line}");
            }
        }
        let mut line = json!({ "text": "a", "layer": text });
        line[*text] = json!(1);
        is_clean(what, &world.feed(line.to_string(), ["observe"]));
        is_clean(what, &world.feed(line.to_string(), ["propose"]));
    }
}

#[test]
fn inv03_nothing_hidden_a_file_with_a_hostile_name_is_ingested_under_a_name_that_can_be_read() {
    let world = World::new();
    for (what, text) in HOSTILE {
        let name = format!("a{}.txt", text.replace('/', ""));
        let file = world.file(&name, format!("A line from a file called {what}.\n"));
        let ran = world.run([
            "ingest",
            "--layer",
            "acme",
            "--user",
            "u",
            "--session",
            "s",
            &file,
        ]);
        is_clean(what, &ran);
        ran.exits(0);
    }
}

#[test]
fn inv03_nothing_hidden_the_edited_text_and_its_difference_are_named_too() {
    let world = World::new();
    world.propose("Refunds take days.", "acme");
    for (what, text) in HOSTILE {
        let file = world.file("edited.txt", format!("Refunds {text} take days."));
        let ran = world.typing(
            Typed::Nothing,
            ["decide", "edit", "C-1", "--text-file", &file],
        );
        is_clean(what, &ran);
        assert!(
            ran.out.contains("diff: "),
            "{what}: {} {}",
            ran.out,
            ran.err
        );
    }
}

/// JSON is read by programs, and is printed on terminals all the same. The control characters of
/// ASCII are always escaped.
#[test]
fn json_answers_escape_the_control_characters_of_ascii() {
    let world = infested(&all());
    for arguments in [
        ["queue", "show", "C-1", "--json"],
        ["audit", "log", "--limit=50", "--json"],
        ["recall", "--layer=acme", "--query=fund", "--json"],
    ] {
        let ran = world.run(arguments).exits(0);
        let raw: Vec<char> = ran
            .out
            .chars()
            .filter(|c| c.is_ascii_control() && *c != '\n' && *c != '\u{7f}')
            .collect();
        assert_eq!(raw, [' '; 0], "{arguments:?}");
        let whole: Vec<Value> = ran.lines();
        assert!(!whole.is_empty());
    }
}

/// Found: serde_json leaves everything beyond U+001F as it is: DEL, the C1 controls (U+009B is a
/// CSI), bidi controls, zero widths and tags reach the terminal of whoever reads `--json` there.
#[test]
fn inv03_nothing_hidden_json_answers_escape_every_hidden_character() {
    let world = infested(&all());
    for arguments in [
        ["queue", "show", "C-1", "--json"],
        ["audit", "log", "--limit=50", "--json"],
        ["recall", "--layer=acme", "--query=fund", "--json"],
    ] {
        is_clean("json", &world.run(arguments).exits(0));
    }
}
