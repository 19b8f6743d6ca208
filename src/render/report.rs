//! An answer to "why?" as a report that stands by itself: Markdown, for a ticket or a mail.
//!
//! INVARIANT: every text that anybody wrote stands inside a code span that it cannot end, on one
//! line, with what cannot be drawn named: nothing in it is read as Markdown, HTML or a mention.

use crate::domain::why::{Why, stands};
use crate::domain::{Digest, EntrySeq, Time};
use crate::text::line::line;

/// How many proofs are suggested.
const PROVEN: usize = 20;

/// Under what a report was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// What was asked.
    pub asked: String,
    /// When.
    pub at: Time,
    /// Which ledger.
    pub origin: String,
    /// The newest entry, and its hash.
    pub head: Option<(EntrySeq, Digest)>,
}

/// The whole report.
#[must_use]
pub fn report(why: &Why, stamp: &Stamp) -> String {
    let mut out = format!("# Why {}\n\n", code(&stamp.asked));
    out.push_str(&format!("- made at {}\n", stamp.at));
    out.push_str(&format!("- ledger {}\n", code(&stamp.origin)));
    if let Some((seq, hash)) = &stamp.head {
        out.push_str(&format!("- newest entry {seq}, hash `{hash}`\n"));
    }
    out.push_str(
        "- texts stand between backticks, each on one line; what cannot be drawn is named\n",
    );
    out.push_str("\n## Answer\n\n");
    node(why, 0, &mut out);
    missing(why, &mut out);
    checks(why, &mut out);
    out
}

/// A text as a code span on one line. Its fence is longer than any run of backticks in it.
fn code(text: &str) -> String {
    let text = line(text);
    if text.is_empty() {
        return "(nothing)".to_owned();
    }
    let longest = text
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let edge = |c: char| c == '`' || c == ' ';
    if text.starts_with(edge) || text.ends_with(edge) {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

fn node(why: &Why, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    out.push_str(&format!(
        "{indent}- **{}** {}: {}\n",
        why.kind,
        code(&why.id),
        code(&why.says)
    ));
    for (key, value) in &why.facts {
        out.push_str(&format!(
            "{indent}  - {}: {}\n",
            key.replace('_', " "),
            code(value)
        ));
    }
    for below in &why.because {
        node(below, depth + 1, out);
    }
}

/// What could not be shown, said once more where nobody overlooks it.
fn missing(why: &Why, out: &mut String) {
    let gone: Vec<&Why> = why
        .nodes()
        .into_iter()
        .filter(|node| {
            node.fact("standing")
                .is_some_and(|standing| !stands(standing))
        })
        .collect();
    let doubted: Vec<&Why> = why
        .nodes()
        .into_iter()
        .filter(|node| {
            node.fact("verified")
                .is_some_and(|verified| verified != "yes")
        })
        .collect();
    out.push_str("\n## What is missing\n\n");
    if gone.is_empty() && doubted.is_empty() {
        out.push_str("Nothing: every source is held, every memory verifies.\n");
    }
    for (nodes, key) in [(gone, "standing"), (doubted, "verified")] {
        for one in nodes {
            let how = one.fact(key).unwrap_or_default();
            out.push_str(&format!(
                "- {} {}: {}\n",
                one.kind,
                code(&one.id),
                code(how)
            ));
        }
    }
}

/// How somebody else checks it.
fn checks(why: &Why, out: &mut String) {
    let provable = [
        "serving",
        "memory",
        "candidate",
        "decision",
        "entry",
        "compaction",
    ];
    let mut items: Vec<&str> = why
        .nodes()
        .into_iter()
        .filter(|node| provable.contains(&node.kind))
        .map(|node| node.id.as_str())
        .collect();
    items.sort_unstable();
    items.dedup();
    out.push_str("\n## How to check it\n\n");
    out.push_str("- the whole store: `countersign audit verify`\n");
    for item in items.iter().take(PROVEN) {
        let command = format!("countersign audit prove {item} --json");
        out.push_str(&format!("- {}\n", code(&command)));
    }
}

#[cfg(test)]
mod tests {
    use super::{Stamp, code, report};
    use crate::domain::why::Why;
    use crate::domain::{Digest, EntrySeq, Time};
    use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

    fn leaf(says: &str) -> Why {
        Why {
            kind: "artifact",
            id: says.to_owned(),
            says: says.to_owned(),
            facts: vec![("trust", says.to_owned()), ("standing", "gone".to_owned())],
            because: Vec::new(),
        }
    }

    fn made(hostile: &str) -> String {
        let why = Why {
            kind: "memory",
            id: "M-1".to_owned(),
            says: hostile.to_owned(),
            facts: vec![("verified", "yes".to_owned())],
            because: vec![leaf(hostile)],
        };
        let stamp = Stamp {
            asked: hostile.to_owned(),
            at: Time::from_millis(0),
            origin: "ledger.x".to_owned(),
            head: Some((EntrySeq(7), Digest::ZERO)),
        };
        report(&why, &stamp)
    }

    /// The code spans of a line and what stands between them, as CommonMark reads them: a run of
    /// backticks opens, the next run of the same length closes.
    fn spans(line: &str) -> (Vec<String>, String) {
        let chars: Vec<char> = line.chars().collect();
        let run = |at: usize| chars[at..].iter().take_while(|c| **c == '`').count();
        let (mut spans, mut between, mut at) = (Vec::new(), String::new(), 0);
        while at < chars.len() {
            if chars[at] != '`' {
                between.push(chars[at]);
                at += 1;
                continue;
            }
            let fence = run(at);
            let (start, mut end) = (at + fence, at + fence);
            while run(end) != fence {
                end += run(end).max(1);
            }
            let inside: String = chars[start..end].iter().collect();
            let padded = inside
                .strip_prefix(' ')
                .and_then(|inside| inside.strip_suffix(' '))
                .filter(|_| !inside.trim_matches(' ').is_empty());
            spans.push(padded.unwrap_or(&inside).to_owned());
            at = end + fence;
        }
        (spans, between)
    }

    /// The report with every text taken out is the same, whatever the text is.
    fn skeleton(report: &str) -> Vec<String> {
        report.lines().map(|line| spans(line).1).collect()
    }

    #[test]
    fn a_report_says_what_is_missing_and_how_to_check_it() {
        let report = made("Refunds take 5 days.");
        assert!(
            report.starts_with("# Why `Refunds take 5 days.`\n\n- made at 1970-01-01T00:00:00"),
            "{report}"
        );
        for part in [
            "- **memory** `M-1`: `Refunds take 5 days.`\n  - verified: `yes`\n  - **artifact** `Refunds",
            "## What is missing\n\n- artifact `Refunds take 5 days.`: `gone`\n",
            "- `countersign audit prove M-1 --json`\n",
        ] {
            assert!(report.contains(part), "{part}\n{report}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_text_breaks_out_of_its_span(text in any::<String>()) {
            let (found, between) = spans(&code(&text));
            let shown = crate::text::line::line(&text);
            if shown.is_empty() {
                prop_assert_eq!(between, "(nothing)");
            } else {
                prop_assert_eq!(between, "");
                prop_assert_eq!(found, [shown]);
            }
        }

        #[test]
        fn no_text_changes_what_stands_around_it(text in "(`|\\n|\\r|#|- |<b>|\\]\\(x\\)|\\||\\*|@a|\\PC){1,24}") {
            let (hostile, harmless) = (made(&text), made("x"));
            prop_assert!(!hostile.contains('\r'));
            prop_assert_eq!(skeleton(&hostile), skeleton(&harmless));
        }
    }
}
