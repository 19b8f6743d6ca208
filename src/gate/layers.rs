//! What a layer says for itself: it inherits everything above it, and may only tighten.
//!
//! Layers are compared segment by segment. A value that would loosen what holds above is an error
//! where it stands, naming what holds above. Nothing here judges.

use crate::domain::{Influence, Layer};
use crate::gate::policy::{Mode, Policy, PolicyError, Thresholds};
use crate::gate::policy_file::{Demand, LayerFile, SomeDemand, holding};
use std::collections::BTreeMap;
use std::fmt::Display;
use toml::Spanned;

/// One value that holds in a layer, and where it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its key, as it would be written.
    pub key: String,
    /// The value.
    pub value: String,
    /// The layer that says so; none for the policy as a whole.
    pub from: Option<Layer>,
}

impl Policy {
    /// Every value that holds in a layer, with the layer it comes from.
    #[must_use]
    pub fn settings(&self, layer: &Layer) -> Vec<Setting> {
        let mut chain: Vec<(Option<&Layer>, &Self)> = vec![(None, self)];
        let above = self.layers.iter().rev();
        chain.extend(
            above
                .filter(|(at, _)| at.is_visible_from(layer))
                .map(|(at, policy)| (Some(at), policy)),
        );
        let mut settings: BTreeMap<String, (String, Option<Layer>)> = BTreeMap::new();
        let mut order: Vec<String> = Vec::new();
        for (from, policy) in chain {
            for (key, value) in policy.values() {
                match settings.get(&key) {
                    None => order.push(key.clone()),
                    Some((known, _)) if *known == value => continue,
                    Some(_) => {}
                }
                settings.insert(key, (value, from.cloned()));
            }
        }
        let taken = order.into_iter().filter_map(|key| {
            let (value, from) = settings.remove(&key)?;
            Some(Setting { key, value, from })
        });
        taken.collect()
    }

    /// Reads the layers' sections, from the top down.
    pub(crate) fn with_layers(mut self, text: &str) -> Result<Self, PolicyError> {
        let mut sections = Vec::new();
        for (name, section) in &self.file.layer {
            let at = section.span().start;
            let layer = Layer::parse(name)
                .map_err(|error| PolicyError::at(text, at, &error.to_string()))?;
            sections.push((layer, section.get_ref().clone()));
        }
        sections.sort_by(|(a, _), (b, _)| (a.depth(), a.as_str()).cmp(&(b.depth(), b.as_str())));
        for (layer, section) in &sections {
            let above = self.layers.iter().find(|(at, _)| at.is_visible_from(layer));
            let name = above.map_or_else(
                || "the policy".to_owned(),
                |(at, _)| format!("layer `{at}`"),
            );
            let mut tighter = above.map_or_else(|| self.alone(), |(_, policy)| policy.clone());
            Tighten { text, above: &name }.apply(&mut tighter, layer, section)?;
            self.layers.insert(0, (layer.clone(), tighter));
        }
        Ok(self)
    }

    /// The same without what layers say.
    fn alone(&self) -> Self {
        let mut alone = self.clone();
        alone.layers.clear();
        alone
    }

    fn values(&self) -> Vec<(String, String)> {
        let mut values = Vec::new();
        let mut say = |key: String, value: String| values.push((key, value));
        let limits = self.file.thresholds;
        say("thresholds.users".to_owned(), limits.users.to_string());
        say(
            "thresholds.sessions".to_owned(),
            limits.sessions.to_string(),
        );
        say("thresholds.days".to_owned(), limits.days.to_string());
        for (influence, demand) in self.file.influence.named() {
            say(
                format!("influence.{influence}.reviewers"),
                demand.reviewers.to_string(),
            );
            say(
                format!("influence.{influence}.reason"),
                demand.reason.to_string(),
            );
            let days = demand.longest_life_days;
            say(
                format!("influence.{influence}.longest_life_days"),
                days.to_string(),
            );
        }
        for (key, weight) in self.file.structure.weights() {
            say(format!("structure.{key}"), weight.to_string());
        }
        for class in crate::domain::Class::ALL {
            say(format!("modes.{class}"), self.mode(*class).to_string());
        }
        for (row, added) in self.table.listed() {
            let form = row.form.as_deref().unwrap_or("*");
            let kind = row.kind.map_or("*", crate::domain::Kind::as_str);
            let mark = if added { "decision+" } else { "decision" };
            let cells = [
                row.system,
                row.authenticated_user,
                row.tool,
                row.web,
                row.model,
            ];
            let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
            say(
                format!("{mark}.{}.{form}.{kind}", row.class),
                cells.join(" "),
            );
        }
        for (at, held) in self.statements.iter().enumerate() {
            let here = held
                .layer
                .as_ref()
                .map_or_else(String::new, |layer| format!(" ({layer})"));
            say(
                format!("statement.{}", at + 1),
                format!("{}{here}", held.statement.text),
            );
        }
        say("tenants".to_owned(), self.tenants.join(", "));
        say("auto.on".to_owned(), self.file.auto.on.to_string());
        values
    }
}

/// Applies one section, refusing what loosens.
struct Tighten<'a> {
    text: &'a str,
    /// The name of what holds above.
    above: &'a str,
}

impl Tighten<'_> {
    fn apply(
        &self,
        policy: &mut Policy,
        layer: &Layer,
        section: &LayerFile,
    ) -> Result<(), PolicyError> {
        self.thresholds(&mut policy.file.thresholds, section)?;
        for (influence, some) in &section.influence {
            let demand = policy.file.influence.demand_mut(*influence);
            let Some(demand) = demand else {
                let what = format!("`{influence}` has no demand: nothing is enough for it");
                return Err(PolicyError::at(self.text, self.place_of(some), &what));
            };
            self.demand(*influence, demand, some)?;
        }
        for (key, wanted) in &section.structure {
            let Some(weight) = policy.file.structure.weight_mut(key) else {
                let what = format!("unknown key `{key}` in `structure`");
                return Err(PolicyError::at(self.text, wanted.span().start, &what));
            };
            *weight = self.at_least(key, *weight, wanted)?;
        }
        for (class, wanted) in &section.modes {
            let now = policy.mode(*class);
            let key = format!("modes.{class}");
            policy
                .file
                .modes
                .insert(*class, self.at_least(&key, now, wanted)?);
        }
        for row in &section.decision {
            self.row(policy, row)?;
        }
        for stated in &section.statement {
            let mut held = holding(self.text, stated)?;
            if held
                .layer
                .as_ref()
                .is_some_and(|at| !layer.is_visible_from(at))
            {
                let what =
                    format!("a statement of layer `{layer}` can hold for it or below it only");
                return Err(PolicyError::at(self.text, stated.span().start, &what));
            }
            held.layer.get_or_insert_with(|| layer.clone());
            policy.statements.push(held);
        }
        policy.tenants.extend(section.tenants.iter().cloned());
        if let Some(on) = &section.auto {
            if *on.get_ref() && !policy.file.auto.on {
                return Err(self.loosens(on, "auto", "false", "true"));
            }
            policy.file.auto.on = *on.get_ref();
        }
        Ok(())
    }

    fn thresholds(&self, limits: &mut Thresholds, section: &LayerFile) -> Result<(), PolicyError> {
        for (key, wanted) in &section.thresholds {
            let limit = match key.as_str() {
                "users" => &mut limits.users,
                "sessions" => &mut limits.sessions,
                "days" => &mut limits.days,
                _ => {
                    let what = format!("unknown key `{key}` in `thresholds`");
                    return Err(PolicyError::at(self.text, wanted.span().start, &what));
                }
            };
            *limit = self.at_least(key, *limit, wanted)?;
        }
        Ok(())
    }

    fn demand(
        &self,
        influence: Influence,
        demand: &mut Demand,
        some: &SomeDemand,
    ) -> Result<(), PolicyError> {
        let key = |name: &str| format!("influence.{influence}.{name}");
        if let Some(wanted) = &some.reviewers {
            demand.reviewers = self.at_least(&key("reviewers"), demand.reviewers, wanted)?;
        }
        if let Some(wanted) = &some.reason {
            demand.reason = self.at_least(&key("reason"), demand.reason, wanted)?;
        }
        if let Some(wanted) = &some.longest_life_days {
            let days = *wanted.get_ref();
            if days > demand.longest_life_days {
                return Err(self.loosens(
                    wanted,
                    &key("longest_life_days"),
                    demand.longest_life_days,
                    days,
                ));
            }
            if days < 1 {
                let at = wanted.span().start;
                return Err(PolicyError::at(
                    self.text,
                    at,
                    "`longest_life_days` must be at least 1",
                ));
            }
            demand.longest_life_days = days;
        }
        Ok(())
    }

    fn row(
        &self,
        policy: &mut Policy,
        row: &Spanned<crate::gate::table::Row>,
    ) -> Result<(), PolicyError> {
        let wanted = row.get_ref();
        if let Some(what) = wanted.problem() {
            return Err(PolicyError::at(self.text, row.span().start, what));
        }
        if let Some((trust, above, here)) = policy.table.loosened_by(wanted) {
            let key = format!("decision.{}.{trust}", wanted.class);
            return Err(self.loosens(row, &key, above, here));
        }
        policy.table.tighten(wanted.clone());
        Ok(())
    }

    /// The wanted value, which must not be below what holds above.
    fn at_least<T: Ord + Copy + Display>(
        &self,
        key: &str,
        above: T,
        wanted: &Spanned<T>,
    ) -> Result<T, PolicyError> {
        let here = *wanted.get_ref();
        if here < above {
            return Err(self.loosens(wanted, key, above, here));
        }
        Ok(here)
    }

    fn loosens<T>(
        &self,
        place: &Spanned<T>,
        key: &str,
        above: impl Display,
        here: impl Display,
    ) -> PolicyError {
        let what = format!(
            "a layer may only tighten: `{key}` is {above} in {}, and {here} would loosen it",
            self.above
        );
        PolicyError::at(self.text, place.span().start, &what)
    }

    fn place_of(&self, some: &SomeDemand) -> usize {
        let places = [
            some.reviewers.as_ref().map(|one| one.span().start),
            some.reason.as_ref().map(|one| one.span().start),
            some.longest_life_days.as_ref().map(|one| one.span().start),
        ];
        places
            .into_iter()
            .flatten()
            .min()
            .unwrap_or_else(|| self.text.find("authority").unwrap_or(0))
    }
}

impl Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Observe => "observe",
            Self::Enforce => "enforce",
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::{Influence, Layer, Scope, Trust};
    use crate::gate::cases::{facts, held};
    use crate::gate::judge::judge;
    use crate::gate::policy::{Policy, PolicyError};
    use proptest::prelude::*;

    fn with(more: &str) -> Result<Policy, PolicyError> {
        let shipped = Policy::shipped().unwrap();
        Policy::parse(&format!("{}\n{more}\n", shipped.source()))
    }

    fn layer(path: &str) -> Layer {
        Layer::parse(path).unwrap()
    }

    #[test]
    fn a_layer_inherits_and_tightens_segment_by_segment() {
        let policy = with(
            "[layer.\"acme\"]\n[layer.\"acme\".influence.style]\nlongest_life_days = 60\n\
             [layer.\"acme/emea\"]\ntenants = [\"globex\"]\n[layer.\"acme/emea\".influence.style]\nreviewers = 2\n",
        )
        .unwrap();
        let style = |path: &str| {
            let at = policy.at(&layer(path));
            (
                at.longest_life_days(Influence::Style),
                at.reviewers_needed(Influence::Style),
            )
        };
        assert_eq!(style("acme"), (60, 1));
        assert_eq!(style("acme/emea/berlin"), (60, 2));
        assert_eq!(style("acme/emeasouth"), (60, 1));
        assert_eq!(style("acmeco"), (180, 1));
        assert_eq!(policy.at(&layer("acme/emea")).hash(), policy.hash());
        let settings = policy.settings(&layer("acme/emea"));
        let from = |key: &str| {
            let found = settings.iter().find(|one| one.key == key).unwrap();
            (
                found.value.clone(),
                found.from.as_ref().map(ToString::to_string),
            )
        };
        assert_eq!(
            from("influence.style.reviewers"),
            ("2".to_owned(), Some("acme/emea".to_owned()))
        );
        assert_eq!(
            from("influence.style.longest_life_days"),
            ("60".to_owned(), Some("acme".to_owned()))
        );
        assert_eq!(from("thresholds.users"), ("3".to_owned(), None));
    }

    #[test]
    fn what_loosens_is_refused_where_it_stands_with_what_holds_above() {
        for (section, wanted) in [
            (
                "[layer.\"acme\".influence.style]\nlongest_life_days = 365",
                "`influence.style.longest_life_days` is 180 in the policy",
            ),
            (
                "[layer.\"acme\".influence.action]\nreviewers = 1",
                "is 2 in the policy",
            ),
            (
                "[layer.\"acme\".influence.plan]\nreason = false",
                "is true in the policy",
            ),
            (
                "[layer.\"acme\".influence.authority]\nreviewers = 9",
                "nothing is enough",
            ),
            (
                "[layer.\"acme\".modes]\nbypass = \"observe\"",
                "`modes.bypass` is enforce in the policy",
            ),
            (
                "[layer.\"acme\".structure]\nplan_from_page_or_model = \"info\"",
                "is quarantine in the policy",
            ),
            (
                "[layer.\"acme\".structure]\nplans = \"info\"",
                "unknown key `plans`",
            ),
            (
                "[layer.\"acme\".thresholds]\nusers = 2",
                "`users` is 3 in the policy",
            ),
            ("[layer.\"acme\"]\nauto = true", "would loosen"),
            ("[layer.\"acme\"]\nbudget = 4", "unknown field"),
            ("[layer.\"acme//x\"]\ntenants = []", "layer"),
            (
                "[layer.\"a\".influence.style]\nlongest_life_days = 9\n[layer.\"a/b\".influence.style]\nlongest_life_days = 10",
                "is 9 in layer `a`",
            ),
            (
                "[[layer.\"acme\".decision]]\nclass = \"bypass\"\nsystem = \"none\"\nauthenticated_user = \"none\"\ntool = \"none\"\nweb = \"none\"\nmodel = \"none\"",
                "`decision.bypass.",
            ),
            (
                "[[layer.\"acme\".statement]]\ntext = \"Agents do not place trades.\"\nlayer = \"globex\"",
                "below it only",
            ),
        ] {
            let error = with(section).unwrap_err();
            let PolicyError { line, column, what } = &error;
            assert!(what.contains(wanted), "{section}: {what}");
            assert!(*line > 50 && *column >= 1, "{section}: {line} {column}");
        }
    }

    proptest! {
        /// Whatever a layer says, what it judges is judged at least as severely as without it.
        #[test]
        fn a_child_never_loosens(
            text in "(ignore|all|previous|instructions|skip|the|review|approved|deploy|globex|send|agents|never|refunds| ){1,10}",
            trust in prop::sample::select(Trust::ALL), class in prop::sample::select(crate::domain::Class::ALL),
            cells in prop::collection::vec(0_usize..4, 5), days in 1_i64..400, users in 1_u32..6, weight in 0_usize..3,
        ) {
            let words = ["none", "info", "advisory", "quarantine"];
            let row: String = ["system", "authenticated_user", "tool", "web", "model"].iter().zip(&cells)
                .map(|(trust, cell)| format!("{trust} = \"{}\"\n", words[*cell])).collect();
            let section = format!(
                "[layer.\"acme\"]\ntenants = [\"globex\"]\n[layer.\"acme\".influence.style]\nlongest_life_days = {days}\n\
                 [layer.\"acme\".thresholds]\nusers = {users}\n[layer.\"acme\".structure]\nanswer_from_one_page = \"{}\"\n\
                 [[layer.\"acme\".decision]]\nclass = \"{class}\"\n{row}", words[weight + 1],
            );
            let parent = Policy::shipped().unwrap();
            // What would loosen does not load; what loads must not loosen.
            if let Ok(child) = with(&section) {
                let (sources, scope) = ([held(trust, None)], Scope::of(layer("acme/emea")));
                let facts = facts(&text, &sources, &scope);
                let (before, after) = (judge(&facts, &parent), judge(&facts, &child));
                prop_assert!(after.verdict >= before.verdict, "{:?} {:?}", before.findings, after.findings);
                prop_assert!(after.influence >= before.influence && after.expires_at <= before.expires_at);
                let elsewhere = Scope::of(layer("acmeco"));
                let outside = crate::gate::cases::facts(&text, &sources, &elsewhere);
                prop_assert_eq!(judge(&outside, &child).findings, judge(&outside, &parent).findings);
            }
        }
    }
}
