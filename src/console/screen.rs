//! Frames as single writes: ratatui's bytes are gathered and sent whole, inside one synchronised update.

use crossterm::clipboard::CopyToClipboard;
use crossterm::queue;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";
const CLEAR: &[u8] = b"\x1b[0m\x1b[2J";

/// Bytes that wait for the frame's end.
#[derive(Debug, Clone, Default)]
struct Pending(Rc<RefCell<Vec<u8>>>);

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<Pending>>,
    pending: Pending,
}

impl Screen {
    /// A screen of this size that knows nothing of what is on the terminal: its first frame clears.
    pub(crate) fn new((width, height): (u16, u16)) -> io::Result<Self> {
        // NO_COLOR is the theme's affair: crossterm's own handling of it loses the reversal.
        crossterm::style::force_color_output(true);
        let pending = Pending::default();
        pending.clone().write_all(CLEAR)?;
        // A fixed viewport asks the terminal nothing; its answers would mix with what is typed.
        let viewport = Viewport::Fixed(Rect::new(0, 0, width, height));
        let backend = CrosstermBackend::new(pending.clone());
        let terminal = Terminal::with_options(backend, TerminalOptions { viewport })?;
        Ok(Self { terminal, pending })
    }

    pub(crate) fn frame(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        let bytes = self.bytes(draw)?;
        let mut out = io::stdout().lock();
        out.write_all(&bytes)?;
        out.flush()
    }

    /// The bytes of a frame, whole.
    pub(crate) fn bytes(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<Vec<u8>> {
        self.terminal.draw(draw)?;
        let drawn = std::mem::take(&mut *self.pending.0.borrow_mut());
        Ok([BEGIN, &drawn, END].concat())
    }

    pub(crate) fn copy(&mut self, text: &str) -> io::Result<()> {
        queue!(self.pending, CopyToClipboard::to_clipboard_from(text))?;
        let bytes = std::mem::take(&mut *self.pending.0.borrow_mut());
        let mut out = io::stdout().lock();
        out.write_all(&bytes)?;
        out.flush()
    }
}
