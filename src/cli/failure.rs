//! How a command fails: one place picks the exit code and the words.

use crate::cli::context::{Context, Surroundings};
use crate::desk::DeskError;
use crate::store::StoreError;
use serde_json::json;

/// What sort of failure it is; the number is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum FailureKind {
    /// Usage or bad input.
    Usage = 2,
    /// Not allowed to this caller.
    Refused = 3,
    /// Somebody else decided.
    Conflict = 4,
    /// The store does not answer.
    Store = 5,
}

/// Why a command failed, and what to do next.
#[derive(Debug)]
pub(in crate::cli) struct Failure {
    kind: FailureKind,
    what: String,
    /// A text and which bytes of it are meant.
    place: Option<(String, std::ops::Range<usize>)>,
    hint: Option<String>,
    quiet: bool,
}

impl Failure {
    pub(in crate::cli) fn usage(what: &str, hint: &str) -> Self {
        Self::new(FailureKind::Usage, what, hint)
    }

    pub(in crate::cli) fn refused(what: &str, hint: &str) -> Self {
        Self::new(FailureKind::Refused, what, hint)
    }

    /// The store is not the one its reviewer saw.
    pub(in crate::cli) fn not_the_same(why: &str) -> Self {
        Self::new(
            FailureKind::Store,
            &format!("nothing is decided on this store: {why}"),
            "run `countersign audit verify`; if the store was restored on purpose, remove that file",
        )
    }

    /// The reader of our output has gone away: nothing is left to be said.
    pub(in crate::cli) fn output(error: &std::io::Error) -> Self {
        let quiet = error.kind() == std::io::ErrorKind::BrokenPipe;
        Self {
            quiet,
            ..Self::new(
                FailureKind::Usage,
                &format!("the output cannot be written: {error}"),
                "",
            )
        }
    }

    fn new(kind: FailureKind, what: &str, hint: &str) -> Self {
        let hint = Some(hint.to_owned()).filter(|hint| !hint.is_empty());
        Self {
            kind,
            what: what.to_owned(),
            place: None,
            hint,
            quiet: false,
        }
    }

    /// What failed, in one line.
    pub(in crate::cli) fn in_short(&self) -> String {
        crate::text::line_within(&self.what, 200)
    }

    /// What failed, safe to be shown.
    pub(in crate::cli) fn what(&self) -> String {
        crate::text::line(&self.what)
    }

    /// Says what failed and returns the exit code.
    pub(in crate::cli) fn print(&self, context: &mut Context<'_>) -> u8 {
        let code = self.kind as u8;
        if self.quiet {
            return code;
        }
        let what = crate::text::line(&self.what);
        if context.json {
            let mut object = json!({ "error": what, "code": code });
            if let (Some(hint), Some(map)) = (&self.hint, object.as_object_mut()) {
                map.insert("hint".to_owned(), json!(hint));
            }
            // A program reads the answer on standard output, whatever the answer is.
            let _ = context.say_json(&object);
        }
        context.note(&format!("countersign: {what}"));
        if let Some((text, bytes)) = &self.place {
            let columns = |part: Option<&str>| {
                let shown = crate::text::line(part.unwrap_or_default());
                unicode_width::UnicodeWidthStr::width(shown.as_str())
            };
            let before = columns(text.get(..bytes.start));
            let marked = columns(text.get(bytes.clone())).max(1);
            context.note(&format!("  {}", crate::text::line(text)));
            context.note(&format!("  {:before$}{}", "", "^".repeat(marked)));
        }
        if let Some(hint) = &self.hint {
            context.note(&format!("  hint: {}", crate::text::line(hint)));
        }
        code
    }
}

/// The same for a hook: exit code 2 would stop the agent that called it, so it is told in one line
/// and let go on.
pub(in crate::cli) fn unseen(error: &clap::Error, around: &mut Surroundings<'_>) -> u8 {
    let text = error.render().to_string();
    let first = text.lines().next().unwrap_or_default();
    // Nothing better is left where this cannot be written.
    let _ = writeln!(
        around.errors,
        "countersign hook: {}",
        crate::text::line(first)
    );
    0
}

/// A command line that cannot be read, or help that was asked for.
pub(in crate::cli) fn usage(error: &clap::Error, around: &mut Surroundings<'_>) -> u8 {
    let text = error.render().to_string();
    if error.use_stderr() {
        let safe: Vec<String> = text.lines().map(crate::text::line).collect();
        // Nothing better than the exit code is left where this cannot be written.
        let _ = writeln!(around.errors, "{}", safe.join("\n"));
        return FailureKind::Usage as u8;
    }
    let _ = write!(around.output, "{text}");
    0
}

impl From<DeskError> for Failure {
    fn from(error: DeskError) -> Self {
        let what = error.to_string();
        match error {
            DeskError::Conflict(_) => Self::new(
                FailureKind::Conflict,
                &what,
                "look at it again with `countersign queue show`",
            ),
            DeskError::Refused(_) => Self::refused(
                &what,
                "a person decides with `countersign review`, or with this command at a terminal",
            ),
            DeskError::NotPossible(_) => Self::refused(&what, ""),
            DeskError::NotFound(_) => Self::new(
                FailureKind::Usage,
                &what,
                "list what there is with `countersign queue list` or `memory list`",
            ),
            DeskError::BadInput { what, hint } => Self::usage(&what, &hint),
            DeskError::Policy(_) => Self::new(
                FailureKind::Store,
                &what,
                "nothing is judged until the policy can be read",
            ),
            DeskError::Store(error) => Self::from(error),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let kind = match error {
            StoreError::Conflict { .. } => FailureKind::Conflict,
            StoreError::NotFound(_) | StoreError::Exists(_) | StoreError::Erased(_) => {
                FailureKind::Usage
            }
            _ => FailureKind::Store,
        };
        Self {
            kind,
            what: error.to_string(),
            place: None,
            hint: error.hint(),
            quiet: false,
        }
    }
}

impl From<crate::domain::layer::BadLayer> for Failure {
    fn from(error: crate::domain::layer::BadLayer) -> Self {
        Self::usage(
            &error.to_string(),
            "a layer is a path such as acme/emea/berlin",
        )
    }
}

impl From<crate::domain::name::BadName> for Failure {
    fn from(error: crate::domain::name::BadName) -> Self {
        Self::usage(&error.to_string(), "write a short text without a NUL")
    }
}

impl From<crate::domain::id::BadId> for Failure {
    fn from(error: crate::domain::id::BadId) -> Self {
        Self::usage(
            &error.to_string(),
            "list what there is with `countersign queue list` or `memory list`",
        )
    }
}

impl From<crate::domain::query::BadQuery> for Failure {
    fn from(error: crate::domain::query::BadQuery) -> Self {
        let what = format!("the query cannot be read: {error}");
        Self {
            place: Some((error.query, error.at..error.end)),
            ..Self::usage(
                &what,
                "for instance `layer:acme/emea kind:inference age:>7d \"late fee\"`",
            )
        }
    }
}

impl From<crate::domain::BadWord> for Failure {
    fn from(error: crate::domain::BadWord) -> Self {
        Self::usage(&error.to_string(), "write one of these words")
    }
}
