//! Groups of a list, the raw evidence behind an item, the case it makes. Nothing here decides.

use crate::console::ask::{Lane, Request};
use crate::console::effect::Effect;
use crate::console::layer::{Groups, Layer, Pager};
use crate::console::layout::Areas;
use crate::console::model::{Model, Tone};
use crate::console::prose::Prose;
use crate::console::update::{asking, typing};
use crate::desk::{ArtifactPart, GroupCounts};
use crate::domain::SourceRef;
use crate::domain::query::{Facet, Query};

/// Opens the groups of the shown list, or goes on to the next thing to group by.
pub(crate) fn group(model: &mut Model) -> Vec<Effect> {
    let facet = match model.layers.last_mut() {
        Some(Layer::Groups(groups)) => {
            groups.facet = groups.facet.next();
            groups.found = None;
            groups.picked = 0;
            groups.facet
        }
        _ => {
            let facet = Facet::Rule;
            model.push(Layer::Groups(Groups {
                facet,
                found: None,
                picked: 0,
            }));
            facet
        }
    };
    let Some(view) = model.candidates() else {
        return Vec::new();
    };
    let request = Request::Groups {
        state: view.state,
        filter: view.filter.clone(),
        facet,
    };
    vec![asking::ask(model, Lane::Groups, request)]
}

pub(crate) fn grouped(model: &mut Model, found: Result<GroupCounts, String>) {
    if let Some(Layer::Groups(groups)) = model.layers.last_mut()
        && found.as_ref().is_ok_and(|it| it.facet == groups.facet) | found.is_err()
    {
        groups.found = Some(found);
    }
}

/// Narrows the list to the group that is picked.
pub(crate) fn narrow_to(model: &mut Model) -> Vec<Effect> {
    let Some(Layer::Groups(groups)) = model.layers.last() else {
        return Vec::new();
    };
    let picked = match &groups.found {
        Some(Ok(found)) => found.groups.get(groups.picked),
        _ => None,
    };
    let term = picked.and_then(|(name, _)| groups.facet.term(name));
    let (Some(term), Some(view)) = (term, model.candidates()) else {
        return Vec::new();
    };
    let filter = view.filter.clone();
    let already = filter.mentions(&term);
    model.pop();
    if already {
        return Vec::new();
    }
    typing::narrow(model, filter.and(Query::of(term)))
}

/// The first artifact that the selected candidate cites, with the range that is cited.
fn artifact(model: &Model) -> Option<Request> {
    let view = model.candidate()?;
    view.candidate
        .sources
        .iter()
        .find_map(|source| match source {
            SourceRef::Artifact { sha256, span } => Some(Request::Artifact {
                sha256: *sha256,
                cited: *span,
            }),
            _ => None,
        })
}

pub(crate) fn raw_ready(model: &Model) -> crate::console::ready::Ready {
    crate::console::ready::loaded(model)?;
    match artifact(model) {
        Some(_) => Ok(()),
        None => Err("it cites no artifact".into()),
    }
}

pub(crate) fn open_raw(model: &mut Model) -> Vec<Effect> {
    match artifact(model) {
        Some(request) => vec![asking::ask(model, Lane::Look, request)],
        None => Vec::new(),
    }
}

/// Opens what came at the line that is cited.
pub(crate) fn opened(model: &mut Model, part: ArtifactPart) {
    if !model.layers.is_empty() {
        return;
    }
    let columns = Areas::of(model).body.width.saturating_sub(7).max(8);
    let before = part.cited.and_then(|span| part.text.get(..span.start));
    let rows = before.map_or(0, |text| Prose::build(text, columns, false, &[]).lines);
    model.push(Layer::Pager(Box::new(Pager {
        part,
        scroll: rows.saturating_sub(3),
    })));
}

pub(crate) fn case(model: &mut Model) -> Vec<Effect> {
    match model.selected() {
        Some(crate::console::model::Item::Candidate(id)) => {
            vec![asking::ask(model, Lane::Look, Request::Case(id))]
        }
        _ => Vec::new(),
    }
}

/// A case goes the one way that text leaves the console.
pub(crate) fn case_made(model: &mut Model, case: String) -> Vec<Effect> {
    model.say(
        Tone::Plain,
        "the case is copied: paste it into a file for `countersign policy test DIR`",
    );
    vec![Effect::Copy(case)]
}
