//! Signals as events, and a watch over a terminal that goes away without saying so.

use crate::console::event::Event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpgrp};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::UnboundedSender;

/// What a signal means here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// End in order.
    End,
    /// Stop, to be continued.
    Stop,
    Continue,
    /// Nothing to do; a child may want it.
    Nothing,
}

#[derive(Debug)]
pub(crate) struct Signals {
    term: tokio::signal::unix::Signal,
    hup: tokio::signal::unix::Signal,
    int: tokio::signal::unix::Signal,
    stop: tokio::signal::unix::Signal,
    cont: tokio::signal::unix::Signal,
}

impl Signals {
    /// Takes the signals; works even where the console was started with hang-ups ignored.
    pub(crate) fn take() -> io::Result<Self> {
        Ok(Self {
            term: signal(SignalKind::terminate())?,
            hup: signal(SignalKind::hangup())?,
            int: signal(SignalKind::interrupt())?,
            stop: signal(SignalKind::from_raw(Signal::TSTP.as_raw()))?,
            cont: signal(SignalKind::from_raw(Signal::CONT.as_raw()))?,
        })
    }

    pub(crate) async fn next(&mut self) -> Sign {
        tokio::select! {
            biased;
            _ = self.term.recv() => Sign::End,
            _ = self.hup.recv() => Sign::End,
            _ = self.stop.recv() => Sign::Stop,
            _ = self.cont.recv() => Sign::Continue,
            _ = self.int.recv() => Sign::Nothing,
        }
    }
}

/// Stops the whole group, so that the shell sees a stopped job; returns when continued.
pub(crate) fn stop_group() {
    let _stopped = rustix::process::kill_current_process_group(Signal::STOP);
}

/// Stops this process alone: an editor in the same group stops by itself.
pub(crate) fn stop_self() {
    let _stopped = rustix::process::kill_process(rustix::process::getpid(), Signal::STOP);
}

/// Whether the terminal is ours to draw on.
pub(crate) fn in_foreground() -> bool {
    rustix::termios::tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp())
}

/// Forgets what was typed before now.
pub(crate) fn forget_typed() {
    let _gone = rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush);
}

/// Looks once a second whether the terminal is still there. When it is not, the loop is told; if
/// the loop cannot end by itself the process is ended, for a reader of a dead terminal spins.
pub(crate) fn watch(events: UnboundedSender<Event>, done: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        while !done.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_secs(1));
            if terminal_gone() && !done.load(Ordering::SeqCst) {
                let _told = events.send(Event::Hangup);
                std::thread::sleep(Duration::from_millis(700));
                if !done.load(Ordering::SeqCst) {
                    end();
                }
            }
        }
    });
}

#[expect(
    clippy::exit,
    reason = "the thread that reads a dead terminal spins for ever (crossterm#793)"
)]
fn end() {
    std::process::exit(1);
}

fn terminal_gone() -> bool {
    let input = io::stdin();
    let mut fds = [PollFd::new(&input, PollFlags::empty())];
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let bad = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    match poll(&mut fds, Some(&now)) {
        Ok(_) => fds.iter().any(|fd| fd.revents().intersects(bad)),
        Err(_) => false,
    }
}
