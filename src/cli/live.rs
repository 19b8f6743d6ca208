//! Standard input with an end to its patience: a harness that never closes its pipe holds nothing up.

use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

/// How long input may take in all.
const PATIENCE: Duration = Duration::from_secs(2);

/// The process's own standard input, read as it comes, until time runs out.
pub(in crate::cli) fn with_stdin<T>(read: impl FnOnce(&mut dyn BufRead) -> T) -> T {
    let mut input = BufReader::new(Patient {
        until: Instant::now() + PATIENCE,
    });
    read(&mut input)
}

struct Patient {
    until: Instant,
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        #[cfg(unix)]
        {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let stdin = std::io::stdin();
            let left = self.until.saturating_duration_since(Instant::now());
            let wait = Timespec {
                tv_sec: i64::try_from(left.as_secs()).unwrap_or(0),
                tv_nsec: left.subsec_nanos().into(),
            };
            let mut waited = [PollFd::new(&stdin, PollFlags::IN)];
            if poll(&mut waited, Some(&wait))? == 0 {
                return Err(std::io::ErrorKind::TimedOut.into());
            }
            Ok(rustix::io::read(&stdin, buffer)?)
        }
        #[cfg(not(unix))]
        {
            let _ = self.until;
            std::io::stdin().read(buffer)
        }
    }
}
