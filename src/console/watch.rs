//! News and the detector, each on a thread of its own. Both bring counts, never texts.

use crate::console::event::Event;
use crate::desk::Desk;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// How often other processes' changes are looked for.
const NEWS: Duration = Duration::from_millis(100);
/// How long the detector rests when another process does its work.
const REST: Duration = Duration::from_secs(5);
/// Observations a round looks at, small enough that nobody waits for it.
const SLICE: usize = 500;

/// Dropping it ends both threads.
#[derive(Debug)]
pub(crate) struct Watch {
    _stop: Sender<()>,
}

pub(crate) fn start(desk: &Arc<Desk>, detect: bool, events: &UnboundedSender<Event>) -> Watch {
    let (stop, stopped) = bounded::<()>(0);
    let (wake, woken) = bounded::<()>(1);
    if detect {
        let (desk, events, stopped) = (Arc::clone(desk), events.clone(), stopped.clone());
        let _first = wake.try_send(());
        std::thread::spawn(move || detector(&desk, &events, &woken, &stopped));
    }
    let (desk, events) = (Arc::clone(desk), events.clone());
    std::thread::spawn(move || news(&desk, &events, &wake, &stopped));
    Watch { _stop: stop }
}

fn ended(stopped: &Receiver<()>, within: Duration) -> bool {
    matches!(
        stopped.recv_timeout(within),
        Err(RecvTimeoutError::Disconnected)
    )
}

fn news(desk: &Desk, events: &UnboundedSender<Event>, wake: &Sender<()>, stopped: &Receiver<()>) {
    let mut last = desk.changes().ok();
    while !ended(stopped, NEWS) {
        let now = desk.changes().ok();
        if now.is_some() && now != last {
            last = now;
            let _woken = wake.try_send(());
            if events.send(Event::News).is_err() {
                return;
            }
        }
    }
}

fn detector(
    desk: &Desk,
    events: &UnboundedSender<Event>,
    woken: &Receiver<()>,
    stopped: &Receiver<()>,
) {
    loop {
        match woken.recv_timeout(REST) {
            Err(RecvTimeoutError::Disconnected) => return,
            // Hooks wake nobody: what they left is looked for now and then.
            Err(RecvTimeoutError::Timeout) if desk.spool_depth().waiting == 0 => continue,
            Ok(()) | Err(RecvTimeoutError::Timeout) => {}
        }
        loop {
            let round = catch_unwind(AssertUnwindSafe(|| desk.detect(SLICE)));
            let why = match round {
                Ok(Ok(done)) if done.busy => {
                    if ended(stopped, REST) {
                        return;
                    }
                    continue;
                }
                Ok(Ok(done)) if done.lag == 0 || done.observations == 0 => break,
                Ok(Ok(_)) if ended(stopped, Duration::ZERO) => return,
                Ok(Ok(_)) => continue,
                Ok(Err(error)) => error.to_string(),
                Err(_) => "it failed inside".to_owned(),
            };
            let _told = events.send(Event::DetectorFailed(crate::text::line(&why)));
            return;
        }
    }
}
