//! The palette's entries: actions of the view underneath, matched by the letters typed, in order.

use crate::console::action::{self, Action};
use crate::console::model::Model;
use crate::console::place::Place;

/// The actions that match, best first; those that are possible now before those that are not.
pub(crate) fn found(model: &Model, typed: &str) -> Vec<&'static Action> {
    let view = Place::of_view(model.view);
    let mut found: Vec<(bool, u32, &'static Action)> = action::ALL
        .iter()
        .filter(|action| {
            action.places.contains(&view) || action.places.contains(&Place::Everywhere)
        })
        .filter(|action| action.id != "palette")
        .filter_map(|action| {
            let names = format!("{} {}", action.id.replace('_', " "), action.label);
            let typed = typed.to_lowercase();
            let by_help = || score(&action.help.to_lowercase(), &typed).map(|score| score + 500);
            let score = score(&names, &typed).or_else(by_help)?;
            Some((action.now(model).is_err(), score, action))
        })
        .collect();
    found.sort_by_key(|(impossible, score, _)| (*impossible, *score));
    found.into_iter().map(|(_, _, action)| action).collect()
}

/// How far apart the typed letters lie in the text: less is better, none if they are not there.
pub(crate) fn score(text: &str, typed: &str) -> Option<u32> {
    if let Some(at) = text.find(typed) {
        return u32::try_from(at).ok();
    }
    let mut chars = text.chars();
    let mut gaps = 1_000;
    for wanted in typed.chars().filter(|c| *c != ' ') {
        let skipped = chars.by_ref().take_while(|c| *c != wanted).count();
        gaps += u32::try_from(skipped).unwrap_or(u32::MAX);
        if gaps > 1_200 || chars.as_str().is_empty() && !text.ends_with(wanted) {
            return None;
        }
    }
    Some(gaps)
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn letters_in_order_match_and_words_match_better() {
        assert!(score("approve", "appr") < score("a pp re", "appr").or(Some(9_999)));
        assert!(score("take in", "tki").is_some());
        assert!(score("approve", "xq").is_none());
        assert_eq!(score("anything", ""), Some(0));
    }
}
