//! Countersign as a program: the process becomes data, the command line runs, its code is the exit code.

use countersign::cli::{Process, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut process = Process::current();
    ExitCode::from(run(std::env::args_os(), process.surroundings()))
}
