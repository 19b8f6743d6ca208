//! The one owner of the terminal: it is entered once and left once, on every way out.
//!
//! A panic on the drawing thread leaves from the hook, so that its message can be read. A panic
//! anywhere else does not touch the terminal: it becomes an event.

use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;

/// Alternate screen, bracketed paste, cleared.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[2J\x1b[H";
/// Everything that could be on goes off, whether or not it was turned on here.
const LEAVE: &[u8] =
    b"\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?1000l\x1b[?1006l\x1b[<u\x1b[?25h\x1b[?1049l";

static ENTERED: AtomicBool = AtomicBool::new(false);
static HOOKED: AtomicBool = AtomicBool::new(false);
static DRAWING: Mutex<Option<ThreadId>> = Mutex::new(None);

/// Holds the terminal; dropping it gives the terminal back.
#[derive(Debug)]
pub(crate) struct Guard(());

impl Guard {
    /// Takes the terminal, for the thread that draws.
    pub(crate) fn enter() -> io::Result<Self> {
        hook();
        *DRAWING.lock().unwrap_or_else(PoisonError::into_inner) = Some(std::thread::current().id());
        let guard = Self(());
        guard.enter_again()?;
        Ok(guard)
    }

    /// Takes the terminal back after it was left.
    pub(crate) fn enter_again(&self) -> io::Result<()> {
        crossterm::terminal::enable_raw_mode()?;
        ENTERED.store(true, Ordering::SeqCst);
        write(ENTER)
    }

    /// Gives the terminal back, if it is held.
    pub(crate) fn leave(&self) {
        leave();
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
    }
}

/// Leaves exactly once, whoever comes first. What cannot be written any more is past helping.
fn leave() {
    if ENTERED.swap(false, Ordering::SeqCst) {
        let _gone = write(LEAVE);
        let _gone = crossterm::terminal::disable_raw_mode();
    }
}

fn write(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

fn hook() {
    if HOOKED.swap(true, Ordering::SeqCst) {
        return;
    }
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| panicked(info, &before)));
}

fn panicked(info: &PanicHookInfo<'_>, before: &(dyn Fn(&PanicHookInfo<'_>) + Sync + Send)) {
    let drawing = *DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
    let here = drawing == Some(std::thread::current().id());
    if ENTERED.load(Ordering::SeqCst) && !here {
        return;
    }
    leave();
    before(info);
}
