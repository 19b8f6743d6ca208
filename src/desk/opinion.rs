//! The second opinion: an external command that may add objections to a new candidate, or to a
//! piece of a document.
//!
//! It reads one JSON object and answers one. It is given what a reviewer would see, secrets starred
//! out. It cannot clear; where it does not answer in time, or not readably, that is one more
//! objection and changes nothing else. Where it takes too long, its whole
//! process group is ended.

use crate::desk::Desk;
use crate::desk::source::Sources;
use crate::domain::candidate::Proposal;
use crate::domain::{Finding, Kind, Layer, Trust};
use crate::gate::{Judgement, Policy, SecondOpinion, Standing};
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long it sleeps between two looks at a command that has answered and is about to end.
const PAUSE: Duration = Duration::from_millis(2);

impl Desk {
    /// The judgement with whatever the second opinion adds, if the policy names one.
    pub(in crate::desk) fn with_opinion(
        &self,
        judgement: Judgement,
        proposal: &Proposal,
        text: &str,
        sources: &Sources,
        policy: &Policy,
    ) -> Judgement {
        let Some(opinion) = policy.second_opinion() else {
            return judgement;
        };
        let shown = self.shown(text).text;
        let question = question(&shown, proposal, &judgement, sources);
        let more = asked(opinion, question, &shown)
            .unwrap_or_else(|why| vec![crate::gate::no_opinion(&why)]);
        judgement.and(more, policy.at(&proposal.scope.layer))
    }

    /// What the second opinion says of a piece of a document; nothing where the policy names none.
    ///
    /// # Errors
    /// It did not answer, and why: whoever has more pieces need not wait for each.
    pub(in crate::desk) fn opinion_on_piece(
        &self,
        piece: &str,
        layer: &Layer,
        policy: &Policy,
    ) -> Result<Vec<Finding>, String> {
        let Some(opinion) = policy.second_opinion() else {
            return Ok(Vec::new());
        };
        let shown = self.shown(piece).text;
        let question = json!({
            "claim": shown,
            "kind": Kind::ObservedFact,
            "trust": Trust::Tool,
            "layer": layer,
            "sources": [{ "trust": Trust::Tool, "held": true }],
        });
        asked(opinion, question.to_string(), &shown)
    }
}

/// Asks, and reads what was answered about the text as it was shown.
fn asked(opinion: &SecondOpinion, question: String, shown: &str) -> Result<Vec<Finding>, String> {
    let bytes = ask(opinion, question.into_bytes())?;
    crate::gate::read_opinion(&bytes, shown)
}

fn question(shown: &str, proposal: &Proposal, judgement: &Judgement, sources: &Sources) -> String {
    let sources: Vec<_> = sources
        .facts
        .iter()
        .map(|fact| {
            let held = fact.standing == Standing::Held;
            json!({ "trust": fact.trust, "held": held })
        })
        .collect();
    json!({
        "claim": shown,
        "kind": proposal.kind,
        "trust": judgement.trust,
        "layer": proposal.scope.layer,
        "sources": sources,
    })
    .to_string()
}

/// Runs the command and returns what it answered.
fn ask(opinion: &SecondOpinion, question: Vec<u8>) -> Result<Vec<u8>, String> {
    let deadline = Instant::now() + Duration::from_millis(opinion.time_limit_ms);
    let (program, arguments) = opinion.command.split_first().ok_or("no command is named")?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command
        .spawn()
        .map_err(|error| format!("`{program}` cannot be started: {error}"))?;
    let answered = converse(&mut child, question, opinion.max_bytes, deadline);
    let ended = answered.and_then(|bytes| Ok((bytes, wait(&mut child, deadline)?)));
    match ended {
        Ok((bytes, status)) if status.success() => Ok(bytes),
        Ok((_, status)) => Err(format!("it ended with {status}")),
        Err(why) => {
            stop(&mut child);
            Err(why)
        }
    }
}

/// Hands the question over and takes the answer, both beside each other so that neither waits.
fn converse(
    child: &mut Child,
    question: Vec<u8>,
    most: usize,
    deadline: Instant,
) -> Result<Vec<u8>, String> {
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("it has no streams".to_owned());
    };
    let (answer, wait) = crossbeam_channel::bounded(1);
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let threads = std::thread::Builder::new()
        .name("second-opinion-in".to_owned())
        // A command need not read all it is told; what it answers is what counts.
        .spawn(move || drop(input.write_all(&question)))
        .and_then(|_| {
            std::thread::Builder::new()
                .name("second-opinion-out".to_owned())
                .spawn(move || {
                    let mut bytes = Vec::new();
                    let read = output.take(limit).read_to_end(&mut bytes);
                    // Whoever asked may have stopped waiting.
                    let _ = answer.send(read.map(|_| bytes));
                })
        });
    threads.map_err(|error| format!("it cannot be listened to: {error}"))?;
    let bytes = wait
        .recv_deadline(deadline)
        .map_err(|_| "it took too long and was stopped".to_owned())?
        .map_err(|error| format!("its answer cannot be read: {error}"))?;
    if bytes.len() > most {
        return Err(format!("its answer is longer than {most} bytes"));
    }
    Ok(bytes)
}

fn wait(child: &mut Child, deadline: Instant) -> Result<ExitStatus, String> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(PAUSE),
            Ok(None) => return Err("it took too long and was stopped".to_owned()),
            Err(error) => return Err(format!("it cannot be waited for: {error}")),
        }
    }
}

/// Ends the command and everything it started. It has not been waited for, so its number is its own.
fn stop(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw)
    {
        // A group that is gone already needs no ending.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    // The same: it may have ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::ask;
    use crate::gate::SecondOpinion;
    use std::time::{Duration, Instant};

    fn check(script: &str, time_limit_ms: u64) -> Result<String, String> {
        let command = ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
        let opinion = SecondOpinion {
            command,
            time_limit_ms,
            max_bytes: 100,
        };
        ask(&opinion, b"{\"claim\":\"x\"}".to_vec())
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    #[test]
    fn it_is_answered_or_told_why_not() {
        assert_eq!(check("cat", 10_000).unwrap(), "{\"claim\":\"x\"}");
        assert_eq!(check("printf answer", 10_000).unwrap(), "answer");
        for (script, limit, wanted) in [
            ("exit 3", 10_000, "exit status: 3"),
            ("head -c 5000 /dev/zero", 10_000, "longer than 100"),
            ("sleep 60", 50, "too long"),
        ] {
            let why = check(script, limit).unwrap_err();
            assert!(why.contains(wanted), "{script}: {why}");
        }
        let missing = SecondOpinion {
            command: vec!["/no/such/program".to_owned()],
            time_limit_ms: 100,
            max_bytes: 100,
        };
        assert!(
            ask(&missing, Vec::new())
                .unwrap_err()
                .contains("cannot be started")
        );
    }

    /// A helper of the command holds the answer's pipe open: both end, nobody waits for them.
    #[test]
    fn what_it_started_ends_with_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        let began = Instant::now();
        let script = format!("(sleep 1; echo late > {}) & sleep 60", mark.display());
        assert!(check(&script, 100).is_err());
        assert!(began.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!mark.exists());
    }
}
