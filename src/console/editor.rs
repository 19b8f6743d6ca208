//! A text in the reviewer's own editor. Whatever fails, the item stays as it was, and says why.

use crate::console::Variables;
use crate::domain::candidate::MAX_CLAIM;
use std::io::Write;
use std::process::{Child, Command, ExitStatus};
use tempfile::NamedTempFile;

/// A text that is being edited outside.
#[derive(Debug)]
pub(crate) struct Session {
    file: NamedTempFile,
    before: String,
    program: String,
}

/// The editor to run: VISUAL, then EDITOR, then vi, as shell words.
pub(crate) fn words(environment: &Variables) -> Result<Vec<String>, String> {
    let given = [&environment.visual, &environment.editor];
    let named = given
        .into_iter()
        .flatten()
        .find(|line| !line.trim().is_empty());
    let line = named.map_or("vi", String::as_str);
    let words = shell_words::split(line).map_err(|_| {
        format!(
            "the editor `{}` has a quote that does not close",
            crate::text::line(line)
        )
    })?;
    match words.is_empty() {
        true => Err("no editor is named in VISUAL or EDITOR".to_owned()),
        false => Ok(words),
    }
}

/// Writes the text to a file that only this user can read, and opens it.
pub(crate) fn start(text: &str, environment: &Variables) -> Result<(Session, Child), String> {
    let words = words(environment)?;
    let (program, arguments) = words.split_first().ok_or("no editor is named")?;
    let failed =
        |error: std::io::Error| format!("the draft could not be written for the editor: {error}");
    let mut builder = tempfile::Builder::new();
    let mut file = builder
        .prefix("countersign-")
        .suffix(".txt")
        .tempfile()
        .map_err(failed)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.flush())
        .map_err(failed)?;
    let child = Command::new(program)
        .args(arguments)
        .arg(file.path())
        .spawn()
        .map_err(|error| {
            format!(
                "the editor `{}` did not start: {error}",
                crate::text::line(program)
            )
        })?;
    Ok((
        Session {
            file,
            before: text.to_owned(),
            program: program.clone(),
        },
        child,
    ))
}

impl Session {
    /// What was written, once the editor has ended.
    pub(crate) fn finish(self, status: std::io::Result<ExitStatus>) -> Result<String, String> {
        let program = crate::text::line(&self.program);
        let status = status.map_err(|error| format!("the editor `{program}` was lost: {error}"))?;
        if !status.success() {
            return Err(match status.code() {
                Some(code) => format!("the editor `{program}` ended with status {code}"),
                None => format!("the editor `{program}` was killed"),
            });
        }
        // Editors replace files by renaming: the name is read, not the handle.
        let path = self.file.path();
        let length = std::fs::metadata(path)
            .map_err(|_| "the edited file is gone".to_owned())?
            .len();
        if length > MAX_CLAIM as u64 + 1 {
            return Err("the edited text is longer than 64 KiB".to_owned());
        }
        let bytes = std::fs::read(path).map_err(|_| "the edited file is gone".to_owned())?;
        let text =
            String::from_utf8(bytes).map_err(|_| "the edited text is not UTF-8".to_owned())?;
        Ok(without_added_feed(&self.before, text))
    }
}

/// Editors end a file with a line feed; where the text had none, that one is the editor's.
fn without_added_feed(before: &str, mut text: String) -> String {
    if !before.ends_with('\n') && text.ends_with('\n') {
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{start, words};
    use crate::console::Variables;

    fn environment(visual: Option<&str>, editor: Option<&str>) -> Variables {
        Variables {
            visual: visual.map(str::to_owned),
            editor: editor.map(str::to_owned),
            ..Variables::default()
        }
    }

    fn edit(before: &str, editor: &str) -> Result<String, String> {
        let (session, mut child) = start(before, &environment(Some(editor), None))?;
        session.finish(child.wait())
    }

    #[test]
    fn t22_the_editor_is_found_as_shell_words() {
        let check = |visual, editor, expected: &[&str]| {
            assert_eq!(words(&environment(visual, editor)).unwrap(), expected);
        };
        check(Some("code --wait"), Some("nano"), &["code", "--wait"]);
        check(Some(" "), Some("\"/a b/ed\" -x"), &["/a b/ed", "-x"]);
        check(None, None, &["vi"]);
        assert!(
            words(&environment(Some("'open"), None))
                .unwrap_err()
                .contains("quote")
        );
    }

    #[test]
    fn t22_each_failure_says_why() {
        let check = |editor: &str, part: &str| {
            let why = edit("text", editor).unwrap_err();
            assert!(why.contains(part), "{editor}: {why}");
        };
        check("/no/such/editor", "did not start");
        check("sh -c 'exit 3'", "status 3");
        check("sh -c 'kill -9 $$'", "killed");
        check("sh -c 'rm \"$0\"'", "gone");
        check("sh -c 'printf \"\\377\" > \"$0\"'", "UTF-8");
        check("sh -c 'head -c 70000 /dev/zero > \"$0\"'", "64 KiB");
    }

    #[test]
    fn t22_what_was_written_comes_back_byte_for_byte() {
        assert_eq!(edit("text", "true").unwrap(), "text");
        assert_eq!(edit("text", "sh -c 'echo >> \"$0\"'").unwrap(), "text");
        assert_eq!(edit("a\n", "true").unwrap(), "a\n");
        assert_eq!(
            edit("a", "sh -c 'printf \"b\\0c\" > \"$0\"'").unwrap(),
            "b\0c"
        );
        let renamed = "sh -c 'echo new > \"$0\".x && mv \"$0\".x \"$0\"'";
        assert_eq!(edit("old", renamed).unwrap(), "new");
    }

    #[test]
    fn t22_only_this_user_can_read_the_draft() {
        let mode = edit(
            "x",
            "sh -c 'stat -c %a \"$0\" > \"$0\".m; mv \"$0\".m \"$0\"'",
        )
        .unwrap();
        assert_eq!(mode, "600");
    }
}
