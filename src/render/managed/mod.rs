//! Approved memory inside files that agents read at start: a file of our own, or one managed
//! block in a file that people write.
//!
//! Pure: old bytes in, new bytes out. Not one byte outside the block changes, and a block that is
//! damaged, doubled or edited by hand is refused, never guessed at. Which memories may stand in it,
//! and where the file is, is decided elsewhere.

mod body;
mod markers;
mod target;

pub use body::{Body, Line, body};
pub use markers::{Block, Damage, find};
pub use target::{Shape, TARGETS, Target};

use crate::domain::Digest;

/// Why a file is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The markers are not none or one well-formed pair.
    #[error("line {}: {}", .0.line, .0.why)]
    Damaged(Damage),
    /// Somebody wrote inside the block.
    #[error("line {line}: the text inside the block was changed by hand")]
    Edited {
        /// The line of the marker that begins it.
        line: usize,
        /// What stands inside now.
        inside: String,
    },
    /// A file of this name stands here and was not written by this program.
    #[error("the file was not written by this program")]
    NotOurs,
}

/// The file with this body in its block; `None` where it stands there already.
///
/// `overwrite` puts the body in place of one that was edited by hand. Damage is refused even then.
///
/// # Errors
/// The markers are damaged, the block was edited, or a file of our own name is somebody else's.
pub fn put(
    file: Option<&str>,
    target: &Target,
    scope: &str,
    body: &str,
    overwrite: bool,
) -> Result<Option<String>, Refusal> {
    let Some(file) = file else {
        let front = target.shape.front();
        return Ok(Some(format!("{front}{}", block(scope, body, "\n"))));
    };
    let ending = line_ending(file);
    let new = match find(file).map_err(Refusal::Damaged)? {
        Some(found) => {
            let inside = with_line_feeds(file.get(found.body.clone()).unwrap_or_default());
            if !overwrite && hash(&inside) != found.sha256 {
                return Err(Refusal::Edited {
                    line: found.line,
                    inside,
                });
            }
            replaced(file, &found, &block(scope, body, ending))
        }
        None if target.shape.is_own() && !file.trim().is_empty() => return Err(Refusal::NotOurs),
        None => appended(file, &block(scope, body, ending), ending),
    };
    Ok((new != file).then_some(new))
}

/// The file without its block; `None` where it has none.
///
/// # Errors
/// The markers are damaged, or the block was edited and `overwrite` is not set.
pub fn remove(file: &str, overwrite: bool) -> Result<Option<String>, Refusal> {
    let Some(found) = find(file).map_err(Refusal::Damaged)? else {
        return Ok(None);
    };
    let inside = with_line_feeds(file.get(found.body.clone()).unwrap_or_default());
    if !overwrite && hash(&inside) != found.sha256 {
        return Err(Refusal::Edited {
            line: found.line,
            inside,
        });
    }
    Ok(Some(replaced(file, &found, "")))
}

/// What was written by hand inside the block: the text of each line that is none of `known`,
/// without the list's dash and our own note behind it. Nothing where the markers are damaged.
#[must_use]
pub fn edits<'f>(file: &'f str, known: &[&str]) -> Vec<&'f str> {
    let body = find(file).ok().flatten().map(|found| found.body);
    let inside = body.and_then(|body| file.get(body)).unwrap_or_default();
    let written = |line: &'f str| {
        let text = line.trim().trim_start_matches("- ");
        let text = text.split(" <!-- ").next().unwrap_or_default().trim();
        let marks = body::MARKS
            .iter()
            .find_map(|marks| text.strip_suffix(marks));
        marks.unwrap_or(text)
    };
    inside
        .lines()
        .filter(|line| !known.contains(line))
        .map(written)
        .filter(|text| !text.is_empty())
        .collect()
}

fn block(scope: &str, body: &str, ending: &str) -> String {
    let whole = format!(
        "{} scope={scope} sha256={} -->\n{body}{}\n",
        markers::BEGIN,
        hash(body),
        markers::END
    );
    if ending == "\n" {
        whole
    } else {
        whole.replace('\n', ending)
    }
}

// INVARIANT: the hash is taken over line feeds, so that a checkout with other line endings holds
// the same block.
fn hash(body: &str) -> String {
    Digest::of(body.as_bytes()).to_string()
}

fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The line ending of the first line, a line feed where there is none.
fn line_ending(file: &str) -> &'static str {
    let first = file.find('\n');
    let before = first.and_then(|at| file.get(..at)).unwrap_or_default();
    if before.ends_with('\r') { "\r\n" } else { "\n" }
}

fn replaced(file: &str, found: &Block, with: &str) -> String {
    let head = file.get(..found.whole.start).unwrap_or_default();
    let tail = file.get(found.whole.end..).unwrap_or_default();
    // A block that ended the file without a line feed keeps it that way.
    let with = if tail.is_empty() && !file.ends_with('\n') {
        with.trim_end_matches(['\r', '\n'])
    } else {
        with
    };
    format!("{head}{with}{tail}")
}

fn appended(file: &str, block: &str, ending: &str) -> String {
    let mut out = file.to_owned();
    if !file.is_empty() && !file.ends_with('\n') {
        out.push_str(ending);
    }
    if !file.trim().is_empty() {
        out.push_str(ending);
    }
    out.push_str(block);
    out
}

#[cfg(test)]
mod tests {
    use super::{Refusal, Target, edits, put, remove};
    use crate::render::managed::TARGETS;
    use proptest::prelude::*;

    fn target(name: &str) -> &'static Target {
        TARGETS.iter().find(|target| target.name == name).unwrap()
    }

    fn put_in(file: &str, body: &str) -> Result<Option<String>, Refusal> {
        put(Some(file), target("agents"), "acme", body, false)
    }

    #[test]
    fn a_file_without_markers_keeps_every_byte_and_gains_a_block() {
        for (file, gap) in [
            ("# Shop\n", "\n"),
            ("# Shop", "\n\n"),
            ("", ""),
            ("# Shop\r\n", "\r\n"),
        ] {
            let new = put_in(file, "- a\n").unwrap().unwrap();
            let added = new.strip_prefix(file).unwrap();
            assert!(
                added.starts_with(&format!("{gap}<!-- countersign:begin v1 ")),
                "{added:?}"
            );
            assert_eq!(
                put_in(&new, "- a\n").unwrap(),
                None,
                "a second run changes nothing"
            );
        }
    }

    #[test]
    fn only_the_block_changes() {
        let first = put_in("\u{feff}# Shop\r\nHEAD\r\n", "- a\n")
            .unwrap()
            .unwrap()
            + "TAIL\r\nlast";
        let second = put_in(&first, "- b\n- c\n").unwrap().unwrap();
        assert!(second.starts_with("\u{feff}# Shop\r\nHEAD\r\n"));
        assert!(second.ends_with("-->\r\n- b\r\n- c\r\n<!-- countersign:end -->\r\nTAIL\r\nlast"));
        assert!(!second.replace("\r\n", "").contains('\n'));
    }

    #[test]
    fn a_hand_in_the_block_is_refused_and_may_be_overwritten() {
        let file = put_in("# Shop\n", "- a\n").unwrap().unwrap();
        let edited = file.replace("- a\n", "- a and b\n");
        let refusal = put_in(&edited, "- c\n").unwrap_err();
        assert_eq!(
            refusal,
            Refusal::Edited {
                line: 3,
                inside: "- a and b\n".to_owned()
            }
        );
        assert!(remove(&edited, false).is_err());
        let forced = put(Some(&edited), target("agents"), "acme", "- c\n", true)
            .unwrap()
            .unwrap();
        assert_eq!(edits(&edited, &["- a"]), ["a and b"]);
        let marked = edited.replace(
            "a and b",
            "a and c (advisory) <!-- M-1 until 2026-12-31 -->",
        );
        assert_eq!(edits(&marked, &["- a"]), ["a and c"]);
        assert_eq!(edits(&forced, &["- c"]), Vec::<&str>::new());
    }

    #[test]
    fn a_file_of_our_own_is_made_whole_and_never_takes_over_anothers() {
        let cursor = target("cursor");
        let new = put(None, cursor, "acme", "- a\n", false).unwrap().unwrap();
        assert!(new.starts_with("---\n"));
        assert!(new.contains("\nalwaysApply: true\n"));
        assert_eq!(
            put(Some(&new), cursor, "acme", "- a\n", false).unwrap(),
            None
        );
        let refusal = put(Some("their own rules\n"), cursor, "acme", "- a\n", true);
        assert_eq!(refusal.unwrap_err(), Refusal::NotOurs);
    }

    #[test]
    fn taking_it_out_takes_out_the_block_and_nothing_else() {
        let file = put_in("# Shop\n", "- a\n").unwrap().unwrap() + "\nTail keep.\n";
        assert_eq!(
            remove(&file, false).unwrap().unwrap(),
            "# Shop\n\n\nTail keep.\n"
        );
        assert_eq!(remove("# Shop\n", false).unwrap(), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_byte_outside_the_block_changes(head in ".{0,60}", tail in ".{0,60}", a in "[a-z\n]{0,20}", b in "[a-z\n]{0,20}") {
            let (a, b) = (format!("{a}\n"), format!("{b}\n"));
            let Ok(Some(first)) = put_in(&head, &a) else { return Ok(()) };
            prop_assert!(first.starts_with(&head));
            let first = first + &tail;
            if let Ok(Some(second)) = put_in(&first, &b) {
                prop_assert!(second.starts_with(&head) && second.ends_with(&tail));
                prop_assert_eq!(put_in(&second, &b), Ok(None));
            }
        }

        #[test]
        fn nothing_that_stands_in_a_file_makes_it_panic(file in any::<String>(), body in any::<String>()) {
            let _ = put_in(&file, &body);
            let _ = remove(&file, true);
        }
    }
}
