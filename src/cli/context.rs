//! What a command has at hand: where it reads and writes, who calls, which store.
//! Everything of the process comes in as data, so that a test can be the process.

use crate::cli::failure::Failure;
use crate::cli::places;
use crate::desk::presence::Caller;
use crate::desk::{Clock, Desk, Tracing, trace_of_caller};
use crate::domain::traceparent::BadTraceParent;
use crate::domain::{Reviewer, ReviewerName, Role, TraceParent};
use clap::ArgMatches;
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

/// How long a command that is done waits for its trace.
const TRACED_WITHIN: Duration = Duration::from_millis(200);

/// Environment variables by name.
pub type Environment = BTreeMap<String, String>;

/// The process as a command sees it.
#[expect(
    missing_debug_implementations,
    reason = "it lends streams, which have no debug form"
)]
pub struct Surroundings<'a> {
    /// Standard input.
    pub input: &'a mut dyn BufRead,
    /// Standard output.
    pub output: &'a mut dyn Write,
    /// Standard error.
    pub errors: &'a mut dyn Write,
    /// Who calls.
    pub caller: Caller,
    /// The environment.
    pub environment: Environment,
    /// Where the time comes from.
    pub clock: Clock,
    /// How many columns the terminal has.
    pub columns: usize,
    /// Whether `input` is the process's own standard input, from which nothing was read yet.
    pub live: bool,
}

/// A command's surroundings with what its global arguments say.
pub(in crate::cli) struct Context<'a> {
    pub(in crate::cli) around: Surroundings<'a>,
    pub(in crate::cli) json: bool,
    store: Option<PathBuf>,
    reviewer: Option<String>,
}

impl<'a> Context<'a> {
    pub(in crate::cli) fn new(matches: &ArgMatches, around: Surroundings<'a>) -> Self {
        Self {
            json: matches.get_flag("json"),
            store: matches.get_one::<String>("store").map(PathBuf::from),
            reviewer: matches.get_one::<String>("as").cloned(),
            around,
        }
    }

    /// The store's path: as given, from the environment, or in the data folder.
    pub(in crate::cli) fn store_path(&self) -> Result<PathBuf, Failure> {
        if let Some(path) = &self.store {
            return Ok(path.clone());
        }
        places::store(&self.around.environment).ok_or_else(|| {
            Failure::usage(
                "there is no home folder to keep a store in",
                "name one with --store PATH",
            )
        })
    }

    /// The store named on the command line, if one was.
    pub(in crate::cli) fn named_store(&self) -> Option<PathBuf> {
        self.store.clone()
    }

    /// The desk over the store that was named.
    pub(in crate::cli) fn desk(&self) -> Result<Desk, Failure> {
        let desk = Desk::open(&self.store_path()?, self.around.clock.clone())?;
        if let Some(tracing) = self.tracing() {
            // An act is done whether it can be traced or not.
            let _ = desk.trace_to(tracing);
        }
        Ok(desk)
    }

    /// Where acts are traced to, if they are.
    pub(in crate::cli) fn tracing(&self) -> Option<Tracing> {
        places::tracing(&self.around.environment).map(|place| Tracing {
            place,
            patience: TRACED_WITHIN,
        })
    }

    /// The trace this process is part of: as given, else what the environment says. One that was
    /// given must be one; one that was inherited and is none is nobody's.
    pub(in crate::cli) fn traceparent(
        &self,
        given: Option<&String>,
    ) -> Result<Option<TraceParent>, Failure> {
        let Some(given) = given else {
            let inherited = self.around.environment.get("TRACEPARENT");
            return Ok(trace_of_caller(inherited.map(String::as_str)));
        };
        let bad = |error: BadTraceParent| {
            let what = format!("`--traceparent {}`: {error}", crate::text::line(given));
            Failure::usage(&what, "leave it out, or hand on the one you were given")
        };
        TraceParent::parse(given).map(Some).map_err(bad)
    }

    /// Who acts: `--as`, then the configuration, then the operating system's user.
    pub(in crate::cli) fn reviewer(&self) -> Result<Reviewer, Failure> {
        let configured = places::configuration(&self.around.environment)?;
        let user = || {
            ["USER", "LOGNAME", "USERNAME"]
                .iter()
                .find_map(|name| self.around.environment.get(*name).cloned())
        };
        let name = self
            .reviewer
            .clone()
            .or(configured.reviewer)
            .or_else(user)
            .unwrap_or_else(|| "somebody".to_owned());
        let name = ReviewerName::parse(&name)
            .map_err(|error| Failure::usage(&error.to_string(), "name one with --as NAME"))?;
        Ok(Reviewer {
            name,
            role: configured.role.unwrap_or(Role::Reviewer),
        })
    }

    /// Lends the input; where it is the process's own, only for as long as patience lasts.
    pub(in crate::cli) fn with_live_input<T>(
        &mut self,
        read: impl FnOnce(&mut dyn std::io::BufRead) -> T,
    ) -> T {
        if self.around.live {
            return crate::cli::live::with_stdin(read);
        }
        read(self.around.input)
    }

    /// What is known of whoever calls, with the role that their configuration states.
    pub(in crate::cli) fn caller(&self) -> Result<Caller, Failure> {
        Ok(Caller {
            role: places::configuration(&self.around.environment)?.role,
            ..self.around.caller.clone()
        })
    }

    /// Writes one line of output.
    pub(in crate::cli) fn say(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.around.output, "{line}").map_err(|error| Failure::output(&error))
    }

    /// Writes one JSON object on a line of its own.
    pub(in crate::cli) fn say_json(&mut self, value: &serde_json::Value) -> Result<(), Failure> {
        let text = crate::cli::json::drawn(&value.to_string());
        writeln!(self.around.output, "{text}").map_err(|error| Failure::output(&error))
    }

    /// Writes a note for the person, never part of the answer.
    pub(in crate::cli) fn note(&mut self, line: &str) {
        // Where notes cannot be written, the answer still can.
        let _ = writeln!(self.around.errors, "{line}");
    }
}
