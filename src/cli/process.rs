//! The real process: its streams, its environment, its terminal. Only `main` makes one.

use crate::cli::context::{Environment, Surroundings};
use crate::desk::Clock;
use crate::desk::presence::{AGENT_MARKERS, Caller};
use std::io::{BufReader, IsTerminal as _, LineWriter, Stderr, Stdin, Stdout};

/// How many columns a line has where no terminal says.
const COLUMNS: usize = 120;

/// The process's streams, held for as long as a command runs.
#[derive(Debug)]
pub struct Process {
    input: BufReader<Stdin>,
    output: LineWriter<Stdout>,
    errors: Stderr,
}

impl Process {
    /// This process.
    #[must_use]
    pub fn current() -> Self {
        Self {
            input: BufReader::new(std::io::stdin()),
            output: LineWriter::new(std::io::stdout()),
            errors: std::io::stderr(),
        }
    }

    /// The process as a command sees it.
    pub fn surroundings(&mut self) -> Surroundings<'_> {
        let environment: Environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let markers = AGENT_MARKERS
            .iter()
            .filter(|name| environment.contains_key(**name))
            .map(|name| (*name).to_owned())
            .collect();
        let caller = Caller {
            input_is_terminal: std::io::stdin().is_terminal(),
            output_is_terminal: std::io::stdout().is_terminal(),
            markers,
            role: None,
        };
        let columns = terminal_columns(&caller);
        Surroundings {
            input: &mut self.input,
            output: &mut self.output,
            errors: &mut self.errors,
            caller,
            environment,
            clock: Clock::System,
            columns,
            live: true,
        }
    }
}

/// The terminal's width, asked of the terminal itself.
fn terminal_columns(caller: &Caller) -> usize {
    if !caller.output_is_terminal {
        return COLUMNS;
    }
    rustix::termios::tcgetwinsize(std::io::stdout()).map_or(COLUMNS, |size| {
        match usize::from(size.ws_col) {
            0 => COLUMNS,
            columns => columns,
        }
    })
}
