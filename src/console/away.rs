//! Away from the screen and back: signals, suspension, the reviewer's editor, the clipboard.

use crate::console::clipboard::{self, Way};
use crate::console::editor;
use crate::console::error::ConsoleError;
use crate::console::event::Event;
use crate::console::run::Console;
use crate::console::screen::Screen;
use crate::console::signals::{self, Sign};
use crossterm::event::EventStream;

impl Console {
    pub(crate) fn sign(&mut self, sign: Sign) -> Result<(), ConsoleError> {
        match sign {
            Sign::End => self.leaving = true,
            Sign::Stop => self.suspend()?,
            Sign::Continue if self.input.is_none() => self.resume()?,
            Sign::Continue | Sign::Nothing => {}
        }
        Ok(())
    }

    pub(crate) fn suspend(&mut self) -> Result<(), ConsoleError> {
        self.input = None;
        self.guard.leave();
        signals::stop_group();
        self.resume()
    }

    /// Takes the terminal back, if it is ours; otherwise the next signal to go on tries again.
    fn resume(&mut self) -> Result<(), ConsoleError> {
        if !signals::in_foreground() {
            return Ok(());
        }
        self.guard.enter_again()?;
        signals::forget_typed();
        self.input = Some(EventStream::new());
        self.model.size = crossterm::terminal::size()?;
        self.screen = Screen::new(self.model.size)?;
        self.dirty = true;
        Ok(())
    }

    /// Hands the terminal to the editor. The event stream is gone while it runs: two readers of one
    /// terminal would share its keys.
    pub(crate) async fn edit(&mut self, text: &str) -> Result<(), ConsoleError> {
        self.input = None;
        self.guard.leave();
        let result = match editor::start(text, &self.environment) {
            Err(why) => Err(why),
            Ok((session, child)) => {
                let status = self.wait_for(child).await;
                session.finish(status)
            }
        };
        if !self.leaving {
            self.resume()?;
        }
        Box::pin(self.happen(Event::Edited(result))).await
    }

    async fn wait_for(
        &mut self,
        mut child: std::process::Child,
    ) -> std::io::Result<std::process::ExitStatus> {
        let pid = i32::try_from(child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw);
        let mut waiting = tokio::task::spawn_blocking(move || child.wait());
        loop {
            tokio::select! {
                status = &mut waiting => return status.map_err(std::io::Error::other)?,
                sign = self.signals.next() => match sign {
                    Sign::End => {
                        self.leaving = true;
                        if let Some(pid) = pid {
                            let _gone = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
                        }
                    }
                    Sign::Stop => signals::stop_self(),
                    Sign::Continue | Sign::Nothing => {}
                },
            }
        }
    }

    pub(crate) fn copy(&mut self, text: String) -> Result<(), ConsoleError> {
        let result = match clipboard::way(&text, &self.environment) {
            Way::Refused(why) => Err(why),
            Way::Osc52 => {
                self.screen.copy(&text)?;
                Ok(clipboard::said(&text, &self.environment))
            }
            Way::Tmux => {
                let sender = self.sender.clone();
                std::thread::spawn(move || {
                    let _ended = sender.send(Event::Copied(clipboard::to_tmux(&text)));
                });
                return Ok(());
            }
        };
        let _ended = self.sender.send(Event::Copied(result));
        Ok(())
    }
}
