//! The house: reads the text of `src/` and fails where an arrow points up or sideways, where a
//! word stands in the wrong room, and where something was forgotten in a table.
//!
//! Comments and the contents of strings do not count. What stands behind `#[cfg(test)]` may use
//! any word, but its imports still point down.

use std::fmt;
use std::path::{Path, PathBuf};

/// The rooms, floor by floor. A new room is one word here and one row in the map of `lib.rs`.
const FLOORS: &[&[&str]] = &[
    &["domain", "text", "features"],
    &[
        "gate",
        "evidence",
        "recurrence",
        "ledger",
        "transcript",
        "compare",
        "render",
        "receipt",
        "page",
    ],
    &["store", "keys", "trace"],
    &["desk"],
    &["cli", "mcp", "hook", "console"],
];

/// Rooms on floors 0 and 1 have no clock, randomness, environment, files, threads or network.
const PURE: usize = 1;

/// Arrows that are allowed although they point sideways, each with its reason.
const DOORS: &[(&str, &str, &str)] = &[
    (
        "cli/review.rs",
        "console",
        "`review` is the command that opens the console",
    ),
    (
        "cli/keys.rs",
        "console",
        "`keys` lists the console's table of actions",
    ),
    (
        "cli/demo.rs",
        "console",
        "`demo` opens the console on a throw-away store",
    ),
    (
        "cli/hook.rs",
        "hook",
        "`hook` is the command that harnesses call",
    ),
    (
        "cli/install.rs",
        "hook",
        "`install` writes what each harness's settings must hold",
    ),
    (
        "cli/doctor.rs",
        "hook",
        "`doctor` looks for what `install` wrote",
    ),
    (
        "cli/mcp.rs",
        "mcp",
        "`mcp` is the command that serves agents",
    ),
];

/// Crates that stand in these rooms only; `main` is the program itself.
const CRATES: &[(&str, &[&str])] = &[
    ("rusqlite", &["store"]),
    ("ssh_key", &["keys"]),
    ("html5gum", &["page"]),
    ("ratatui", &["console"]),
    ("ratatui_textarea", &["console"]),
    ("tui_input", &["console"]),
    ("crossterm", &["console"]),
    ("clap", &["cli", "main"]),
    ("clap_complete", &["cli", "main"]),
    ("clap_mangen", &["cli", "main"]),
    ("tokio", &["console", "mcp", "main"]),
];

/// What floors 0 and 1 do not know of.
const IMPURE: &[&[&str]] = &[
    &["std", "fs"],
    &["std", "env"],
    &["std", "thread"],
    &["std", "net"],
    &["std", "process"],
    &["std", "time", "SystemTime"],
    &["std", "time", "Instant"],
    &["getrandom"],
];

/// One thing that is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wrong {
    file: String,
    line: usize,
    what: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "src/{}:{}: {}", self.file, self.line, self.what)
    }
}

/// One file of the source, named below `src/`.
#[derive(Debug, Clone)]
struct Source {
    name: String,
    text: String,
}

/// A path such as `crate::store::Store`, with the line it starts on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Names {
    line: usize,
    parts: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    /// `::`
    Into,
    Sign(char),
}

fn source() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let name = path.strip_prefix(&root).unwrap_or(&path);
                files.push(Source {
                    name: name.to_string_lossy().replace('\\', "/"),
                    text: std::fs::read_to_string(&path).unwrap_or_default(),
                });
            }
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect()
}

/// The room a file belongs to: its folder, or its own name at the top.
fn room_of(name: &str) -> &str {
    let first = name.split('/').next().unwrap_or(name);
    first.strip_suffix(".rs").unwrap_or(first)
}

fn floor_of(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// The text with comments gone and strings emptied; every line stays in its place.
fn bare(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = |place: usize| chars.get(place).copied().unwrap_or('\0');
    let mut out = String::with_capacity(text.len());
    let mut place = 0;
    while place < chars.len() {
        let end = match (at(place), at(place + 1)) {
            ('/', '/') => until(&chars, place, |c| c == '\n'),
            ('/', '*') => block_end(&chars, place),
            ('"', _) => string_end(&chars, place + 1),
            ('r', '"' | '#') if !in_word(&chars, place) => raw_end(&chars, place),
            ('\'', _) => quote_end(&chars, place),
            _ => place,
        };
        if end == place {
            out.push(at(place));
            place += 1;
            continue;
        }
        let gone = chars.get(place..end).unwrap_or_default();
        out.extend(gone.iter().filter(|c| **c == '\n'));
        out.push(' ');
        place = end;
    }
    out
}

fn in_word(chars: &[char], place: usize) -> bool {
    let before = place.checked_sub(1).and_then(|before| chars.get(before));
    before.is_some_and(|c| c.is_alphanumeric() || *c == '_')
}

fn until(chars: &[char], from: usize, stop: impl Fn(char) -> bool) -> usize {
    let rest = chars.get(from..).unwrap_or_default();
    from + rest.iter().position(|c| stop(*c)).unwrap_or(rest.len())
}

fn block_end(chars: &[char], from: usize) -> usize {
    let mut depth = 0;
    let mut place = from;
    while place < chars.len() {
        match (chars.get(place), chars.get(place + 1)) {
            (Some('/'), Some('*')) => {
                depth += 1;
                place += 2;
            }
            (Some('*'), Some('/')) => {
                depth -= 1;
                place += 2;
                if depth == 0 {
                    return place;
                }
            }
            _ => place += 1,
        }
    }
    place
}

/// The place behind the closing quote of a string whose contents start at `place`.
fn string_end(chars: &[char], mut place: usize) -> usize {
    while let Some(c) = chars.get(place) {
        place += if *c == '\\' { 2 } else { 1 };
        if *c == '"' {
            break;
        }
    }
    place.min(chars.len())
}

/// The place behind `r#"…"#`, or `place` where no raw string starts.
fn raw_end(chars: &[char], place: usize) -> usize {
    let open = until(chars, place + 1, |c| c != '#');
    if chars.get(open) != Some(&'"') {
        return place;
    }
    let hashes = open - place - 1;
    let mut end = open + 1;
    while end < chars.len() {
        let behind = until(chars, end + 1, |c| c != '#');
        if chars.get(end) == Some(&'"') && behind - end > hashes {
            return end + 1 + hashes;
        }
        end += 1;
    }
    end
}

/// The place behind a character such as `'"'`; a lifetime is left alone.
fn quote_end(chars: &[char], place: usize) -> usize {
    match (chars.get(place + 1), chars.get(place + 2)) {
        (Some('\\'), _) => until(chars, place + 3, |c| c == '\'') + 1,
        (Some(_), Some('\'')) => place + 3,
        _ => place,
    }
}

/// The same text with every item behind `#[cfg(test)]` gone.
fn without_tests(bare: &str) -> String {
    let mut out = String::new();
    let mut rest = bare;
    while let Some((before, behind)) = rest.split_once("#[cfg(test)]") {
        out.push_str(before);
        let (gone, left) = behind
            .split_at_checked(item_end(behind))
            .unwrap_or((behind, ""));
        out.extend(gone.chars().filter(|c| *c == '\n'));
        rest = left;
    }
    out.push_str(rest);
    out
}

/// Where an item ends: at its `;`, or at the bracket that closes it.
fn item_end(text: &str) -> usize {
    let mut depth = 0_i32;
    for (place, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(c, ';' | '}') {
            return place + 1;
        }
    }
    text.len()
}

fn tokens(bare: &str) -> Vec<(usize, Token)> {
    let mut list = Vec::new();
    let mut line = 1;
    let mut word = String::new();
    let mut chars = bare.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            list.push((line, Token::Word(std::mem::take(&mut word))));
        }
        match c {
            '\n' => line += 1,
            ':' if chars.peek() == Some(&':') => {
                chars.next();
                list.push((line, Token::Into));
            }
            c if c.is_whitespace() => {}
            c => list.push((line, Token::Sign(c))),
        }
    }
    if !word.is_empty() {
        list.push((line, Token::Word(word)));
    }
    list
}

/// Every path in the text, groups in braces spelled out: `a::{b, c::*}` is `a::b` and `a::c::*`.
fn paths(tokens: &[(usize, Token)]) -> Vec<Names> {
    let mut found = Vec::new();
    let mut place = 0;
    while place < tokens.len() {
        let fresh = !matches!(
            place.checked_sub(1).and_then(|before| tokens.get(before)),
            Some((_, Token::Into))
        );
        match tokens.get(place) {
            Some((_, Token::Word(_))) if fresh => {
                place = path(tokens, place, &[], &mut found);
            }
            _ => place += 1,
        }
    }
    found
}

/// Reads one path that starts at `place`; returns the place behind it.
fn path(
    tokens: &[(usize, Token)],
    mut place: usize,
    before: &[String],
    found: &mut Vec<Names>,
) -> usize {
    let mut parts = before.to_vec();
    let start = tokens.get(place).map_or(0, |(line, _)| *line);
    loop {
        match tokens.get(place) {
            Some((_, Token::Word(word))) => parts.push(word.clone()),
            Some((_, Token::Sign('*'))) if !parts.is_empty() => parts.push("*".to_owned()),
            Some((_, Token::Sign('{'))) if !parts.is_empty() => {
                return group(tokens, place + 1, &parts, found);
            }
            _ => break,
        }
        place += 1;
        if !matches!(tokens.get(place), Some((_, Token::Into))) {
            break;
        }
        place += 1;
    }
    found.push(Names { line: start, parts });
    place
}

/// Reads the paths of a group whose brace opened just before `place`.
fn group(
    tokens: &[(usize, Token)],
    mut place: usize,
    before: &[String],
    found: &mut Vec<Names>,
) -> usize {
    while let Some((_, token)) = tokens.get(place) {
        match token {
            Token::Sign('}') => return place + 1,
            Token::Word(_) | Token::Sign('*') => place = path(tokens, place, before, found),
            _ => place += 1,
        }
    }
    place
}

/// Where a path leads to another room: the room, if it does.
fn room_named<'a>(file: &str, names: &'a Names) -> Option<&'a str> {
    let parts = &names.parts;
    match parts.first().map(String::as_str) {
        Some("crate" | "countersign") => parts.get(1).map(String::as_str),
        Some("super" | "self") => {
            let climbs = parts.iter().take_while(|part| *part == "super").count();
            let next = parts.get(climbs).map(String::as_str)?;
            (climbs >= depth(file) && floor_of(next).is_some()).then_some(next)
        }
        _ => None,
    }
}

/// How many modules stand between a file and the crate.
fn depth(file: &str) -> usize {
    let stem = file.strip_suffix("/mod.rs").unwrap_or(file);
    stem.split('/').count()
}

fn is_door(file: &str, to: &str) -> bool {
    DOORS
        .iter()
        .any(|(from, room, _)| *room == to && *from == file)
}

/// Arrows that point up or sideways.
fn arrows(source: &Source) -> Vec<Wrong> {
    let own = room_of(&source.name);
    if own == "lib" {
        return Vec::new();
    }
    let wrong = |line, what: String| Wrong {
        file: source.name.clone(),
        line,
        what,
    };
    let mut found = Vec::new();
    for names in paths(&tokens(&bare(&source.text))) {
        let Some(to) = room_named(&source.name, &names) else {
            continue;
        };
        if own == "main" {
            if to != "cli" {
                found.push(wrong(
                    names.line,
                    format!("`main` reaches for `{to}`: it starts `cli` and nothing else"),
                ));
            }
            continue;
        }
        let (Some(from), Some(target)) = (floor_of(own), floor_of(to)) else {
            if floor_of(to).is_none() && to != "*" {
                found.push(wrong(names.line, format!("`{}` names no room: write the full path, and give a new room its floor in tests/floors.rs", names.parts.join("::"))));
            }
            continue;
        };
        if to == own || target < from || is_door(&source.name, to) {
            continue;
        }
        let way = if target > from { "up" } else { "sideways" };
        found.push(wrong(names.line, format!(
            "`{own}` (floor {from}) points {way} to `{to}` (floor {target}): put the shared word into `domain`, or let `desk` carry the facts"
        )));
    }
    found
}

/// Globs, anywhere but in tests.
fn globs(source: &Source) -> Vec<Wrong> {
    let code = without_tests(&bare(&source.text));
    let is_glob = |names: &Names| names.parts.last().is_some_and(|part| part == "*");
    paths(&tokens(&code))
        .into_iter()
        .filter(is_glob)
        .map(|names| Wrong {
            file: source.name.clone(),
            line: names.line,
            what: format!(
                "`{}` imports whatever is there: name what is needed, so that the arrow can be read",
                names.parts.join("::")
            ),
        })
        .collect()
}

/// Words in the wrong room.
fn words(source: &Source) -> Vec<Wrong> {
    let own = room_of(&source.name);
    let tokens = tokens(&without_tests(&bare(&source.text)));
    let mut found = Vec::new();
    let mut add = |line, what: String| {
        found.push(Wrong {
            file: source.name.clone(),
            line,
            what,
        });
    };
    let pure = floor_of(own).is_some_and(|floor| floor <= PURE);
    for names in paths(&tokens) {
        let head = names.parts.first().map_or("", String::as_str);
        let crates = CRATES.iter().find(|(name, _)| *name == head);
        let leads = names.parts.len() > 1;
        if let Some((name, rooms)) = crates.filter(|(_, rooms)| leads && !rooms.contains(&own)) {
            add(
                names.line,
                format!(
                    "`{name}` stands in {} only: ask that room for what is needed",
                    rooms.join(", ")
                ),
            );
        }
        let parts: Vec<&str> = names.parts.iter().map(String::as_str).collect();
        let banned = IMPURE.iter().find(|banned| parts.starts_with(banned));
        if let Some(banned) = banned.filter(|_| pure) {
            add(
                names.line,
                format!(
                    "`{}` on floor {}: pure rooms are given the time and the facts as arguments",
                    banned.join("::"),
                    floor_of(own).unwrap_or(0)
                ),
            );
        }
    }
    let prints = !matches!(own, "cli" | "main");
    for pair in tokens.windows(2) {
        if let [(line, Token::Word(word)), (_, Token::Sign('!'))] = pair
            && prints
            && matches!(word.as_str(), "println" | "eprintln" | "print" | "eprint")
        {
            add(
                *line,
                format!("`{word}!` outside cli and main: write to the handle you are given"),
            );
        }
    }
    found
}

/// Rooms that no floor knows, in `lib.rs` or as a folder.
fn unknown_rooms(files: &[Source]) -> Vec<Wrong> {
    let unknown = |file: &str, line, room: &str| Wrong {
        file: file.to_owned(),
        line,
        what: format!(
            "the room `{room}` stands on no floor: give it one in tests/floors.rs and in the map of lib.rs"
        ),
    };
    let mut found = Vec::new();
    for source in files {
        let own = room_of(&source.name);
        if source.name == "lib.rs" {
            for (line, room) in modules(&source.text) {
                if floor_of(&room).is_none() {
                    found.push(unknown("lib.rs", line, &room));
                }
            }
        } else if own != "main" && floor_of(own).is_none() {
            found.push(unknown(&source.name, 1, own));
        }
    }
    found
}

/// The modules a file declares, with the line of each.
fn modules(text: &str) -> Vec<(usize, String)> {
    let tokens = tokens(&bare(text));
    let mut found = Vec::new();
    for triple in tokens.windows(3) {
        if let [
            (line, Token::Word(keyword)),
            (_, Token::Word(name)),
            (_, Token::Sign(';')),
        ] = triple
            && keyword == "mod"
        {
            found.push((*line, name.clone()));
        }
    }
    found
}

/// Files that no `mod` line names: they are not compiled and nobody notices.
fn forgotten(files: &[Source]) -> Vec<Wrong> {
    let mut found = Vec::new();
    for source in files {
        let stem = source
            .name
            .strip_suffix("/mod.rs")
            .or_else(|| source.name.strip_suffix(".rs"));
        let stem = stem.unwrap_or(&source.name);
        let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        if folder.is_empty() && matches!(name, "lib" | "main") {
            continue;
        }
        let parents = if folder.is_empty() {
            vec!["lib.rs".to_owned()]
        } else {
            vec![format!("{folder}/mod.rs"), format!("{folder}.rs")]
        };
        let parent = files.iter().find(|file| parents.contains(&file.name));
        let named = parent.is_some_and(|parent| {
            modules(&parent.text)
                .iter()
                .any(|(_, module)| module == name)
        });
        if !named {
            found.push(Wrong {
                file: source.name.clone(),
                line: 1,
                what: format!(
                    "no `mod {name};` in {}: add its line to the room's table",
                    parents.join(" or ")
                ),
            });
        }
    }
    found
}

/// Files that hold tests only: declared behind `#[cfg(test)]`, or called tests, or below such a folder.
fn is_test_file(files: &[Source], name: &str) -> bool {
    if name
        .split('/')
        .any(|part| matches!(part, "tests" | "tests.rs"))
    {
        return true;
    }
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    let Some((folder, stem)) = stem.rsplit_once('/') else {
        return false;
    };
    let parent = files
        .iter()
        .find(|file| file.name == format!("{folder}/mod.rs"));
    parent.is_some_and(|parent| {
        let declared = |text: &str| modules(text).iter().any(|(_, module)| module == stem);
        declared(&parent.text) && !declared(&without_tests(&bare(&parent.text)))
    })
}

fn openings(files: &[Source]) -> Vec<Wrong> {
    files
        .iter()
        .filter(|file| !file.text.starts_with("//!"))
        .map(|file| Wrong {
            file: file.name.clone(),
            line: 1,
            what: "opens without `//!`: say in one to five lines what this file knows and what it does not".to_owned(),
        })
        .collect()
}

#[track_caller]
fn assert_none(wrong: &[Wrong]) {
    let list: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    assert!(list.is_empty(), "\n{}\n", list.join("\n"));
}

#[test]
fn every_arrow_points_down() {
    let files = source();
    assert!(files.len() > 50, "src/ was not read");
    let wrong: Vec<Wrong> = files.iter().flat_map(arrows).collect();
    assert_none(&wrong);
}

#[test]
fn every_word_stands_in_its_room() {
    let files = source();
    let wrong: Vec<Wrong> = files
        .iter()
        .filter(|file| !is_test_file(&files, &file.name))
        .flat_map(words)
        .collect();
    assert_none(&wrong);
}

#[test]
fn no_import_is_a_glob() {
    let files = source();
    let wrong: Vec<Wrong> = files
        .iter()
        .filter(|file| !is_test_file(&files, &file.name))
        .flat_map(globs)
        .collect();
    assert_none(&wrong);
}

#[test]
fn every_room_has_a_floor_and_every_file_its_line() {
    let files = source();
    let mut wrong = unknown_rooms(&files);
    wrong.extend(forgotten(&files));
    assert_none(&wrong);
}

#[test]
fn every_file_says_what_it_is() {
    assert_none(&openings(&source()));
}

#[test]
fn every_command_stands_in_the_table_of_commands() {
    let files = source();
    let table = files.iter().find(|file| file.name == "cli/mod.rs");
    let (_, table) = table.map_or(("", ""), |file| {
        file.text.split_once("const COMMANDS").unwrap_or_default()
    });
    let (table, _) = table.split_once("];").unwrap_or_default();
    for file in files.iter().filter(|file| file.name.starts_with("cli/")) {
        let stem = file.name.trim_start_matches("cli/").trim_end_matches(".rs");
        let is_command = bare(&file.text).contains("const COMMAND: Command");
        assert!(
            !is_command || table.contains(&format!("&{stem}::COMMAND,")),
            "src/{}: its COMMAND stands in no line of COMMANDS in src/cli/mod.rs: add `&{stem}::COMMAND,`",
            file.name
        );
    }
    assert!(
        table.contains("&queue::COMMAND,"),
        "the table of commands was not found"
    );
}

#[test]
fn every_pack_stands_in_the_table_of_packs() {
    let files = source();
    let table = files.iter().find(|file| file.name == "gate/packs.rs");
    let table = table.map_or("", |file| file.text.as_str());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/packs");
    let packs = entries(&folder);
    assert!(!packs.is_empty(), "assets/packs was not read");
    for pack in packs {
        let name = pack
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        assert!(
            table.contains(&format!("assets/packs/{name}\"")),
            "assets/packs/{name}: src/gate/packs.rs does not include it: add its line to PACKS"
        );
    }
}

// The checker itself must fail on violations, or it holds nothing.

fn file(name: &str, text: &str) -> Source {
    Source {
        name: name.to_owned(),
        text: text.to_owned(),
    }
}

#[track_caller]
fn check(found: &[Wrong], expected: &[(usize, &str)]) {
    let lines: Vec<usize> = found.iter().map(|wrong| wrong.line).collect();
    let wanted: Vec<usize> = expected.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, wanted, "{found:?}");
    for (wrong, (_, part)) in found.iter().zip(expected) {
        assert!(wrong.what.contains(part), "{} lacks {part}", wrong.what);
    }
}

#[test]
fn the_checker_finds_arrows_that_point_up_or_sideways() {
    let of = |name: &str, text: &str| arrows(&file(name, text));
    check(
        &of(
            "gate/judge.rs",
            "use crate::domain::Layer;\nuse crate::text::visible;",
        ),
        &[],
    );
    check(
        &of("gate/judge.rs", "\nuse crate::store::Store;"),
        &[(2, "points up to `store`")],
    );
    check(
        &of("gate/judge.rs", "use crate::ledger::chain;"),
        &[(1, "points sideways to `ledger`")],
    );
    check(
        &of("domain/id.rs", "fn f() {\n  crate::text::line(\"\")\n}"),
        &[(2, "points sideways to `text`")],
    );
    check(
        &of("store/read.rs", "use crate::desk::Desk;"),
        &[(1, "points up to `desk`")],
    );
    check(
        &of("mcp/get.rs", "use crate::cli::run;"),
        &[(1, "points sideways to `cli`")],
    );
    check(
        &of(
            "compare/diff.rs",
            "use crate::{domain::Id, desk::{Desk, Clock}};",
        ),
        &[(1, "points up to `desk`"), (1, "points up to `desk`")],
    );
    check(
        &of("render/block.rs", "use super::super::store::Store;"),
        &[(1, "points up to `store`")],
    );
    check(
        &of(
            "render/block.rs",
            "#[cfg(test)]\nmod tests {\n  use crate::cli::run;\n}",
        ),
        &[(3, "points up to `cli`")],
    );
    check(
        &of("desk/act.rs", "use crate::Desk;"),
        &[(1, "names no room")],
    );
    check(
        &of(
            "main.rs",
            "use countersign::cli::run;\nuse countersign::desk::Desk;",
        ),
        &[(2, "`main` reaches for `desk`")],
    );
}

#[test]
fn the_checker_knows_its_doors_and_no_others() {
    check(
        &arrows(&file("cli/review.rs", "use crate::console::run;")),
        &[],
    );
    check(
        &arrows(&file("cli/queue.rs", "use crate::console::run;")),
        &[(1, "sideways to `console`")],
    );
    check(
        &arrows(&file("console/run.rs", "use crate::cli::run;")),
        &[(1, "sideways to `cli`")],
    );
}

#[test]
fn the_checker_finds_words_in_the_wrong_room() {
    let of = |name: &str, text: &str| words(&file(name, text));
    check(&of("store/read.rs", "use rusqlite::Connection;"), &[]);
    check(
        &of("desk/act.rs", "\n\nuse rusqlite::Connection;"),
        &[(3, "`rusqlite` stands in store")],
    );
    check(
        &of("desk/act.rs", "fn f() -> ratatui::Frame {}"),
        &[(1, "`ratatui` stands in console")],
    );
    check(
        &of("desk/act.rs", "use clap::Arg; use tokio::spawn;"),
        &[(1, "`clap`"), (1, "`tokio`")],
    );
    check(
        &of(
            "gate/judge.rs",
            "use std::{\n  fmt,\n  time::{Duration, Instant},\n};",
        ),
        &[(3, "`std::time::Instant`")],
    );
    check(
        &of("domain/id.rs", "let x = std::env::var(\"A\");"),
        &[(1, "`std::env` on floor 0")],
    );
    check(
        &of("ledger/chain.rs", "getrandom::fill(&mut bytes)"),
        &[(1, "`getrandom`")],
    );
    check(
        &of(
            "store/write.rs",
            "std::fs::read(\"x\"); std::thread::spawn(f)",
        ),
        &[],
    );
    check(
        &of("mcp/serve.rs", "fn f() {\n println!(\"x\");\n}"),
        &[(2, "`println!`")],
    );
    check(&of("cli/queue.rs", "println!(\"x\");"), &[]);
    check(
        &of(
            "desk/act.rs",
            "// rusqlite::Connection\nlet x = \"clap::Arg\"; /* tokio::x */ let y = r#\"std::fs \"#;",
        ),
        &[],
    );
    let test =
        "#[cfg(test)]\nmod tests {\n  fn f() { std::fs::read(\"}\"); }\n}\nuse std::fs::File;";
    check(&of("gate/judge.rs", test), &[(5, "`std::fs`")]);
    check(
        &of(
            "gate/mod.rs",
            "#[cfg(test)]\nmod cases;\nuse std::fs::File;",
        ),
        &[(3, "`std::fs`")],
    );
}

#[test]
fn the_checker_finds_globs() {
    let of = |text: &str| globs(&file("desk/act.rs", text));
    check(&of("use super::*;"), &[(1, "`super::*`")]);
    check(
        &of("use crate::domain::{Layer,\n id::*};"),
        &[(2, "`crate::domain::id::*`")],
    );
    check(&of("let area = width * height; let x = *y; a::b * c"), &[]);
    check(&of("#[cfg(test)]\nmod tests { use super::*; }"), &[]);
}

#[test]
fn the_checker_finds_what_was_forgotten() {
    let files = [
        file("lib.rs", "//! map\npub mod desk;\npub mod attic;"),
        file(
            "desk/mod.rs",
            "//! acts\nmod act;\n#[cfg(test)]\nmod cases;",
        ),
        file("desk/act.rs", "no opening"),
        file("desk/cases.rs", "//! cases"),
        file("desk/lost.rs", "//! lost"),
        file("attic/mod.rs", "//! attic"),
        file("cellar/mod.rs", "//! cellar"),
    ];
    check(
        &unknown_rooms(&files),
        &[(3, "`attic`"), (1, "`attic`"), (1, "`cellar`")],
    );
    check(
        &forgotten(&files),
        &[(1, "no `mod lost;`"), (1, "no `mod cellar;`")],
    );
    check(&openings(&files), &[(1, "opens without")]);
    assert!(is_test_file(&files, "desk/cases.rs"));
    assert!(is_test_file(&files, "console/tests/keys.rs"));
    assert!(!is_test_file(&files, "desk/act.rs"));
}

#[test]
fn strings_comments_and_characters_are_no_code() {
    let code =
        bare("a('\"') // b\n\"c \\\" d\" /* e /* f */ g */ h<'x>('\\'') r##\"i\"# j\"## k r#type");
    let kept: Vec<&str> = code.split_whitespace().collect();
    assert_eq!(kept.concat(), "a()h<'x>()kr#type");
    assert_eq!(code.lines().count(), 2);
}
