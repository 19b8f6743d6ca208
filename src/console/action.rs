//! The one table of everything a key can do: dispatch, footer, help and palette all read it.

use crate::console::effect::Effect;
use crate::console::model::Model;
use crate::console::place::Place;
use crate::console::ready::{self, Ready};
use crate::console::update::{
    answering, completing, deciding, editing, going, grouping, layers, looking, moving, pulse,
    renewing, reshaping, saving, superseding, turning, typing,
};
use crate::domain::Act;

/// One thing a key can do.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) id: &'static str,
    pub(crate) places: &'static [Place],
    /// A word or two for the footer and the palette.
    pub(crate) label: &'static str,
    pub(crate) help: &'static str,
    pub(crate) binds: Binds,
    /// Whether it can be done now, and if not why.
    pub(crate) ready: fn(&Model) -> Ready,
    pub(crate) run: fn(&mut Model) -> Vec<Effect>,
}

impl Action {
    /// Whether it can be done now: what this person may not do here is said before anything else.
    pub(crate) fn now(&self, model: &Model) -> Ready {
        if let Some((_, why)) = model.session.refused.iter().find(|(id, _)| *id == self.id) {
            return Err(why.clone().into());
        }
        (self.ready)(model)
    }
}

/// The actions that take more than any reviewer, with the acts that they are.
pub(crate) const GUARDED: &[(&str, Act)] = &[
    ("release", Act::Release),
    ("confirm", Act::Confirm),
    ("reveal", Act::Reveal),
    ("apply", Act::Thresholds),
];

/// What must have been on screen before the action's key does anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binds {
    Nothing,
    /// The selected item.
    Selected,
    /// Whatever the top layer is about.
    Layer,
}

/// Actions that ask a question first; their keys may not answer it.
pub(crate) const ASKING: &[&str] = &[
    "release",
    "demote",
    "restore",
    "renew",
    "supersede",
    "split",
    "merge",
    "undo",
    "apply",
];

pub(crate) fn find(id: &str) -> Option<&'static Action> {
    ALL.iter().find(|action| action.id == id)
}

const ALL_VIEWS: &[Place] = &[Place::Everywhere];
const QUEUE: &[Place] = &[Place::Queue];
const QUARANTINE: &[Place] = &[Place::Quarantine];
const CANDIDATES: &[Place] = &[Place::Queue, Place::Quarantine];
const MEMORY: &[Place] = &[Place::Memory];
const LEDGER: &[Place] = &[Place::Ledger];
const PULSE: &[Place] = &[Place::Pulse];
const LAYERS: &[Place] = &[
    Place::Choose,
    Place::Confirm,
    Place::Field,
    Place::Palette,
    Place::Help,
    Place::Writer,
    Place::Tree,
    Place::Secret,
    Place::Groups,
    Place::Pager,
];
const TEXTS: &[Place] = &[Place::Field, Place::Palette, Place::Help, Place::Writer];
const FIELDS: &[Place] = &[Place::Field, Place::Writer];
const DOWNS: &[Place] = &[
    Place::Everywhere,
    Place::Palette,
    Place::Help,
    Place::Tree,
    Place::Writer,
    Place::Groups,
    Place::Pager,
];
const PAGES: &[Place] = &[Place::Everywhere, Place::Help, Place::Tree, Place::Pager];
const GROUPED: &[Place] = &[Place::Queue, Place::Quarantine, Place::Groups];
const LEADS_ON: &[Place] = &[Place::Patterns, Place::Ledger];

type Run = fn(&mut Model) -> Vec<Effect>;
type When = fn(&Model) -> Ready;

/// An action that decides nothing.
const fn plain(
    id: &'static str,
    places: &'static [Place],
    label: &'static str,
    help: &'static str,
    ready: When,
    run: Run,
) -> Action {
    Action {
        id,
        places,
        label,
        help,
        binds: Binds::Nothing,
        ready,
        run,
    }
}

/// An action that decides on the selected item.
const fn act(
    id: &'static str,
    places: &'static [Place],
    label: &'static str,
    help: &'static str,
    ready: When,
    run: Run,
) -> Action {
    Action {
        id,
        places,
        label,
        help,
        binds: Binds::Selected,
        ready,
        run,
    }
}

/// An action that answers the top layer.
const fn answer(
    id: &'static str,
    places: &'static [Place],
    label: &'static str,
    help: &'static str,
    run: Run,
) -> Action {
    Action {
        id,
        places,
        label,
        help,
        binds: Binds::Layer,
        ready: ready::always,
        run,
    }
}

/// Every action, in the order of the help and the footer.
#[rustfmt::skip]
pub(crate) static ALL: &[Action] = &[
    act("approve", CANDIDATES, "approve", "Let the exact text on screen become a memory; after an edit, your text", ready::approve, deciding::approve),
    plain("split", QUEUE, "split", "Split an item with several claims into several items; shows the parts and asks first", ready::split, reshaping::split),
    plain("merge", QUEUE, "join", "Join the marked items that say the same into one, with the sources of all; asks first", ready::merge, reshaping::merge),
    plain("supersede", QUEUE, "", "Approve the text on screen in the place of a near memory; asks first", ready::supersede, superseding::supersede),
    plain("reject", QUEUE, "reject", "Turn the item, or all marked items, down: asks for a reason by digit", ready::reject, deciding::reject),
    plain("edit", QUEUE, "edit", "Change the text in your own editor; the gate judges it again, then approve or leave it", ready::edit, editing::edit),
    plain("write", QUEUE, "edit here", "Change the text in place", ready::edit, editing::write),
    plain("drop_draft", QUEUE, "drop draft", "Throw your draft away; the proposal stays as it was", ready::draft, editing::drop_draft),
    act("snooze", QUEUE, "snooze", "Bring the item, or all marked items, back tomorrow morning", ready::decide, deciding::snooze),
    plain("mark", QUEUE, "mark", "Mark the item: reject and snooze then act on all marked items", ready::loaded, deciding::mark),
    act("confirm", QUARANTINE, "confirm bad", "Confirm that the item belongs here: it stays out and becomes a labelled case", ready::decide, deciding::confirm),
    plain("release", QUARANTINE, "release", "Let the item into the queue, where it still needs approval; asks first", ready::whole, deciding::release),
    act("hold", CANDIDATES, "hold", "Keep the item for somebody else to look at, or let go of it", ready::decide, deciding::hold),
    act("reveal", CANDIDATES, "", "Look at the secret that the item hides; it goes on record first", ready::reveal, deciding::reveal),
    plain("demote", MEMORY, "demote", "Stop serving the memory: asks for a reason by digit, then for a yes", ready::demote, turning::demote),
    plain("renew", MEMORY, "still true", "Verify the memory again, so that it lives on; answers what is said against it; asks first", ready::renew, renewing::renew),
    plain("restore", MEMORY, "restore", "Serve a demoted memory again; asks first", ready::restore, turning::restore),
    plain("mark_memory", MEMORY, "mark", "Mark the memory: demoting then acts on all marked ones, after their number was typed", ready::markable, turning::mark),
    plain("mark_found", MEMORY, "mark all", "Mark every memory that the limit finds, or take all marks away", ready::always, turning::mark_found),
    plain("sort", MEMORY, "sort", "Sort by the next of: staleness, expiry, last served, age, contradictions, newest", ready::always, looking::sort),
    plain("go_there", LEADS_ON, "go there", "Go to what the pattern became, or what the entry is about", ready::go_there, going::go_there),
    plain("verify", LEDGER, "verify", "Hash the whole ledger again and compare it with the tables", ready::always, looking::verify),
    plain("apply", PULSE, "set them", "Set the picked thresholds; shows what they do, then asks", ready::apply, pulse::apply),
    plain("window", PULSE, "days", "Measure 7, 30, 90 or 365 days", ready::measured, pulse::window),
    plain("baseline", PULSE, "keep as baseline", "Keep today's figures, in a file of your own, to hold later ones against", ready::measured, pulse::keep),
    plain("why", ALL_VIEWS, "why", "Walk from the selected item back to its evidence", ready::selected, looking::why),
    plain("undo", ALL_VIEWS, "undo", "Take your newest decision back: shows what and who was served meanwhile, then asks", ready::undo, turning::undo),
    plain("group", GROUPED, "group", "Count the list by rule, then source, session, harness, layer; Enter narrows to a group", ready::always, grouping::group),
    plain("raw", CANDIDATES, "raw", "Read the artifact that the item cites, a bounded part, every character named", grouping::raw_ready, grouping::open_raw),
    plain("case", CANDIDATES, "", "Copy the item as a case for `countersign policy test`", ready::loaded, grouping::case),

    plain("down", DOWNS, "", "Next", ready::always, moving::down),
    plain("up", DOWNS, "", "Previous", ready::always, moving::up),
    plain("next_item", ALL_VIEWS, "", "Next row, also while the text has the keys", ready::always, moving::next_item),
    plain("previous_item", ALL_VIEWS, "", "Previous row, also while the text has the keys", ready::always, moving::previous_item),
    plain("first", ALL_VIEWS, "", "First; in the text, its beginning", ready::always, moving::first),
    plain("last", ALL_VIEWS, "", "Last; in the text, its end", ready::always, moving::last),
    plain("half_down", ALL_VIEWS, "", "Half a page down, in the list or the text that has the focus", ready::always, moving::half_down),
    plain("half_up", ALL_VIEWS, "", "Half a page up", ready::always, moving::half_up),
    plain("read_down", ALL_VIEWS, "", "Read on, without leaving the list", ready::always, moving::read_down),
    plain("read_up", ALL_VIEWS, "", "Read back, without leaving the list", ready::always, moving::read_up),
    plain("page_down", PAGES, "", "A page of the text on", ready::always, moving::page_down),
    plain("page_up", PAGES, "", "A page of the text back", ready::always, moving::page_up),
    plain("read", ALL_VIEWS, "read", "Give the text the room and the keys; again or Esc gives them back", ready::read, moving::read),
    plain("single", CANDIDATES, "focus", "One item at a time, without the list; again or Esc gives it back", ready::selected, moving::single),
    plain("next_tab", ALL_VIEWS, "details", "Next tab of the detail", ready::always, moving::next_tab),
    plain("previous_tab", ALL_VIEWS, "", "Previous tab of the detail", ready::always, moving::previous_tab),
    plain("escape_all", ALL_VIEWS, "escape", "Show the text as it reads, or every odd character by its number", ready::texts, looking::escape_all),
    plain("copy", &[Place::Everywhere, Place::Tree], "copy", "Copy the visible form of the text; the raw bytes are never copied", ready::copy, looking::copy),

    plain("find", ALL_VIEWS, "find", "Move to the next row that holds these words", ready::texts, looking::find),
    plain("find_next", ALL_VIEWS, "", "Find the same again, further down", ready::needle, looking::find_next),
    plain("find_previous", ALL_VIEWS, "", "Find the same again, further up", ready::needle, looking::find_previous),
    plain("limit", ALL_VIEWS, "limit", "Narrow the list: words, key:value, `or`, `-` for not; Tab completes", ready::always, looking::limit),
    plain("save_view", ALL_VIEWS, "", "Save this view and its limit under a name", saving::lists, saving::save_view),
    plain("open_view", ALL_VIEWS, "", "Open a saved view by its name", saving::any_saved, saving::open_view),
    plain("take_in", ALL_VIEWS, "take in", "Take in what is new, and drop what others decided", ready::take_in, looking::take_in),
    plain("palette", ALL_VIEWS, "", "Find an action by name", ready::always, layers::palette),
    plain("help", ALL_VIEWS, "keys", "What the keys do here", ready::always, layers::help),

    plain("queue", ALL_VIEWS, "", "Queue: what waits for a reviewer", ready::always, moving::queue),
    plain("quarantine", ALL_VIEWS, "", "Quarantine: what the gate holds back", ready::always, moving::quarantine),
    plain("memory", ALL_VIEWS, "", "Memory: what was approved, the stalest first", ready::always, moving::memory),
    plain("patterns", ALL_VIEWS, "", "Patterns: what recurs, how far it is from the thresholds and why", ready::always, moving::patterns),
    plain("ledger", ALL_VIEWS, "", "Ledger: what was done, by whom, the newest first", ready::always, moving::ledger),
    plain("pulse", ALL_VIEWS, "", "Pulse: measures and what-if thresholds", ready::always, pulse::show),
    plain("tour", ALL_VIEWS, "", "Close the walk through the demonstration, or go on with it", ready::tour, layers::tour),
    plain("repaint", ALL_VIEWS, "", "Draw the whole screen again", ready::always, layers::repaint),
    plain("suspend", ALL_VIEWS, "", "Back to the shell; `fg` returns", ready::always, layers::suspend),
    plain("back", ALL_VIEWS, "", "Back: from the text to the list, from a draft to the proposal; at the end, quit", ready::always, layers::back),
    plain("quit", ALL_VIEWS, "quit", "Leave the console", ready::always, layers::quit),

    answer("choose", &[Place::Choose], "choose", "Take the reason with this digit", answering::choose),
    plain("narrow", &[Place::Groups], "narrow", "Narrow the list to this group", ready::always, grouping::narrow_to),
    answer("yes", &[Place::Confirm], "yes", "Do it", answering::yes),
    plain("who", &[Place::Confirm], "who", "Who was served it, while the question stays", ready::who, turning::who),
    answer("accept", &[Place::Field, Place::Palette], "accept", "Take what is typed", typing::accept),
    plain("complete", &[Place::Field], "complete", "Complete the key or the value at the cursor", completing::ready, completing::complete),
    plain("close", LAYERS, "close", "Close this; nothing is decided", ready::always, layers::close),
    plain("new_line", &[Place::Writer], "new line", "Start a new line", ready::always, typing::new_line),
    plain("left", FIELDS, "", "A character back", ready::always, typing::left),
    plain("right", FIELDS, "", "A character on", ready::always, typing::right),
    plain("line_start", FIELDS, "", "To the start of the line", ready::always, typing::line_start),
    plain("line_end", FIELDS, "", "To the end of the line", ready::always, typing::line_end),
    plain("erase", TEXTS, "", "Erase the character before the cursor", ready::always, typing::erase),
    plain("erase_after", FIELDS, "", "Erase the character under the cursor", ready::always, typing::erase_after),
    plain("erase_word", &[Place::Field, Place::Palette, Place::Writer], "", "Erase the word before the cursor", ready::always, typing::erase_word),
    plain("take_back", FIELDS, "take back", "Take back what was typed last", ready::always, typing::take_back),
];

#[cfg(test)]
mod tests {
    use super::{ALL, ASKING, find};

    #[test]
    fn ids_are_unique_and_every_action_says_what_it_does() {
        for (at, action) in ALL.iter().enumerate() {
            assert_eq!(
                ALL.iter().position(|other| other.id == action.id),
                Some(at),
                "{}",
                action.id
            );
            assert!(
                !action.help.is_empty() && !action.places.is_empty(),
                "{}",
                action.id
            );
        }
        assert!(ASKING.iter().all(|id| find(id).is_some()));
    }
}
