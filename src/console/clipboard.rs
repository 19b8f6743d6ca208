//! The visible form of a text on the clipboard. Says which way it went; never claims that it arrived.

use crate::console::Variables;
use std::io::Write;
use std::process::{Command, Stdio};

/// Terminals drop longer sequences in silence.
const MOST: usize = 74_000;

/// How a text is copied.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Through tmux, which passes it on.
    Tmux,
    /// Through the terminal itself.
    Osc52,
    Refused(String),
}

pub(crate) fn way(text: &str, environment: &Variables) -> Way {
    let length = text.len().div_ceil(3) * 4;
    if length > MOST {
        return Way::Refused(format!(
            "copy: {length} bytes are more than a terminal takes ({MOST})"
        ));
    }
    match environment.tmux.as_deref() {
        None | Some("") => Way::Osc52,
        Some(_) => Way::Tmux,
    }
}

pub(crate) fn said(text: &str, environment: &Variables) -> String {
    let count = text.chars().count();
    let far = if environment.ssh_tty.is_some() {
        " of your own machine"
    } else {
        ""
    };
    format!(
        "sent {count} characters to the terminal{far} (OSC 52); whether it took them it does not say"
    )
}

/// Gives the text to tmux.
pub(crate) fn to_tmux(text: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("copy: tmux did not take it: {error}");
    let mut child = Command::new("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).map_err(failed)?;
    }
    match child.wait().map_err(failed)?.success() {
        true => Ok(format!("gave {} characters to tmux", text.chars().count())),
        false => Err("copy: tmux refused it".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Way, way};
    use crate::console::Variables;

    #[test]
    fn t15_the_way_is_chosen_and_too_much_is_refused() {
        let tmux = Variables {
            tmux: Some("/tmp/x,1,0".to_owned()),
            ..Variables::default()
        };
        assert_eq!(way("x", &tmux), Way::Tmux);
        assert_eq!(way("x", &Variables::default()), Way::Osc52);
        let much = "x".repeat(200_000);
        assert!(matches!(way(&much, &tmux), Way::Refused(why) if why.contains("more than")));
    }
}
