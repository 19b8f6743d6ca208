//! Where a reviewer left off, in a file of their own: the view, what narrows it, the selected item.
//! It holds ids and what was typed as a limit, no text of any item; a file that cannot be read is no
//! file, and nothing is decided by it.

use crate::console::model::{Model, Tone};
use crate::console::views;
use crate::domain::query::{Over, Query};
use crate::domain::{CandidateId, MemoryId};
use std::io::Write as _;
use std::path::Path;

/// The version of the file.
const VERSION: u32 = 1;

#[derive(Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
struct Left {
    version: u32,
    /// The action that opens the view.
    view: String,
    queue: Place,
    quarantine: Place,
    memory: Place,
}

#[derive(Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
struct Place {
    selected: Option<String>,
    limit: String,
}

/// Puts the model where the reviewer left off, if a file says where that was.
pub(crate) fn resume(model: &mut Model, file: &Path) {
    let left = std::fs::read_to_string(file).ok();
    let left = left.and_then(|text| serde_json::from_str::<Left>(&text).ok());
    if let Some(left) = left.filter(|left| left.version == VERSION) {
        apply(model, &left);
    }
}

/// Keeps where the reviewer is. Where it cannot be kept, nothing else is lost.
pub(crate) fn keep(model: &Model, file: &Path) {
    let written = || -> std::io::Result<()> {
        let folder = file.parent().unwrap_or_else(|| Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
        fresh.write_all(serde_json::to_string(&left(model))?.as_bytes())?;
        fresh.persist(file)?;
        Ok(())
    };
    // The next start begins at the top of the queue then, as every first one does.
    let _ = written();
}

fn left(model: &Model) -> Left {
    let candidates = |view: &crate::console::snapshot::Candidates| Place {
        selected: view.list.selected.map(|id| id.to_string()),
        limit: view.filter.to_string(),
    };
    Left {
        version: VERSION,
        view: views::of(model.view).action.to_owned(),
        queue: candidates(&model.queue),
        quarantine: candidates(&model.quarantine),
        memory: Place {
            selected: model.memory.list.selected.map(|id| id.to_string()),
            limit: model.memory.filter.to_string(),
        },
    }
}

fn apply(model: &mut Model, left: &Left) {
    let view = views::ALL.iter().find(|view| view.action == left.view);
    model.view = view.map_or(model.view, |view| view.id);
    let filter = |place: &Place, over| Query::parse(&place.limit, over).unwrap_or_default();
    for (view, place) in [
        (&mut model.queue, &left.queue),
        (&mut model.quarantine, &left.quarantine),
    ] {
        view.filter = filter(place, Over::Candidates);
        view.list.selected = place
            .selected
            .as_deref()
            .and_then(|id| CandidateId::parse(id).ok());
        // The rows around it are asked for, not those of the list's beginning.
        view.list.more_before = view.list.selected.is_some();
    }
    model.memory.filter = filter(&left.memory, Over::Memories);
    let selected = left.memory.selected.as_deref();
    model.memory.list.selected = selected.and_then(|id| MemoryId::parse(id).ok());
    if let Some(item) = model.selected() {
        model.say(
            Tone::Plain,
            format!("where you left off: {item}; `g` goes to the first"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{Left, VERSION, apply, left};
    use crate::console::model::ViewId;
    use crate::console::tests::bench::Bench;
    use crate::console::tests::fixture::Fixture;

    #[test]
    fn a_console_begins_where_the_last_one_ended() {
        let mut before = Bench::new(Fixture::many(300), (80, 24));
        before.press("lprefers<enter>G");
        before.press("kkk");
        let selected = before.model.queue.list.selected;
        let kept = serde_json::to_string(&left(&before.model)).unwrap();
        let mut after = Bench::begun(Fixture::many(300), (80, 24), |model| {
            apply(model, &serde_json::from_str(&kept).unwrap());
        });
        assert_eq!(after.model.queue.list.selected, selected);
        assert!(after.screen().contains("Segment 297"), "{}", after.screen());
        assert!(
            after.notice().contains("where you left off: C-297"),
            "{}",
            after.notice()
        );
        after.press("g");
        assert!(after.screen().contains("Segment 1 "), "{}", after.screen());
    }

    #[test]
    fn an_item_that_is_gone_leads_to_the_one_behind_it_and_nonsense_to_the_beginning() {
        let mut place = Left {
            version: VERSION,
            view: "nowhere".to_owned(),
            ..Left::default()
        };
        place.queue.selected = Some("C-9000".to_owned());
        let after = Bench::begun(Fixture::many(30), (80, 24), |model| apply(model, &place));
        assert_eq!(after.model.view, ViewId::Queue);
        assert!(after.model.queue.list.row().is_some(), "{}", after.screen());
        place.queue.selected = Some("M-x".to_owned());
        let after = Bench::begun(Fixture::many(30), (80, 24), |model| apply(model, &place));
        assert_eq!(after.model.queue.list.place(), Some(0));
    }
}
