//! Examples for the help of commands below commands, which say nothing of their own: one table.

use clap::Command as Clap;

/// A path of commands below `countersign`, and what somebody would type.
const EXAMPLES: &[(&[&str], &str)] = &[
    (&["audit", "check-proof"], "m3.proof"),
    (&["audit", "compare"], "mine.checkpoint theirs.checkpoint"),
    (&["audit", "export"], "ledger.jsonl"),
    (&["audit", "import-check"], "ledger.jsonl"),
    (&["audit", "prove-growth"], "120 480"),
    (&["detect", "regroup"], "--json"),
    (&["document", "remove"], "K-1"),
    (&["event", "list"], "--limit 20"),
    (&["event", "source", "list"], "--json"),
    (&["event", "source", "remove"], "ci"),
    (&["policy", "case"], "C-12"),
    (&["policy", "check"], "mine.toml"),
    (&["policy", "diff"], "balanced mine.toml"),
    (&["policy", "explain"], "missing_source_ref"),
    (&["policy", "ready"], "--json"),
    (&["policy", "shadow"], "strict"),
    (&["reviewer", "adopt"], ""),
    (&["reviewer", "proof"], "E-4 --out proof"),
    (&["reviewer", "revoke"], "bob"),
    (&["reviewer", "rotate"], "alice --key alice.pub"),
    (&["store", "sweep"], "--json"),
];

/// The same commands, each of those with its example in its help.
pub(in crate::cli) fn with_examples(root: Clap) -> Clap {
    EXAMPLES.iter().fold(root, |root, (path, arguments)| {
        let line = format!("Example:\n  countersign {} {arguments}", path.join(" "));
        add(root, path, line.trim_end())
    })
}

/// Every path that has its example here.
#[cfg(test)]
pub(in crate::cli) fn paths() -> impl Iterator<Item = String> {
    EXAMPLES.iter().map(|(path, _)| path.join(" "))
}

/// A path that names no command, or one with help of its own, changes nothing.
fn add(command: Clap, path: &[&'static str], line: &str) -> Clap {
    let Some((name, below)) = path.split_first() else {
        let has_own = command.get_after_help().is_some();
        return if has_own {
            command
        } else {
            command.after_help(line.to_owned())
        };
    };
    if command.find_subcommand(name).is_none() {
        return command;
    }
    command.mut_subcommand(*name, |command| add(command, below, line))
}
