//! The decision table: what a form of words weighs, by class, form, kind and trust.
//!
//! INVARIANT: in every row a lower trust never weighs less, and a lookup picks the most specific
//! row, so that lower trust never loosens a verdict. Both are checked when the policy is read.

use crate::domain::{Class, Kind, Severity, Trust};

/// One row: class, then optionally form and kind, then one cell for each trust.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    /// The class it speaks about.
    pub(crate) class: Class,
    /// The form of words, as a pack rule names it; any form where none is given.
    pub(crate) form: Option<String>,
    /// The kind of claim; any kind where none is given.
    pub(crate) kind: Option<Kind>,
    /// Weight from the system.
    pub(crate) system: Cell,
    /// Weight in a person's own words.
    pub(crate) authenticated_user: Cell,
    /// Weight out of a tool.
    pub(crate) tool: Cell,
    /// Weight out of a page.
    pub(crate) web: Cell,
    /// Weight in a model's words.
    pub(crate) model: Cell,
    /// Weight where a receipt asserts it and trust is `tool` or better.
    pub(crate) with_receipt: Option<Cell>,
}

/// The weight one cell gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cell {
    /// No objection.
    None,
    /// Worth knowing.
    Info,
    /// Worth a second look.
    Advisory,
    /// Holds the candidate back.
    Quarantine,
}

/// Where a form of words stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// Its class.
    pub(crate) class: Class,
    /// Its form.
    pub(crate) form: &'a str,
    /// The kind of the claim.
    pub(crate) kind: Kind,
    /// The trust of the claim.
    pub(crate) trust: Trust,
    /// Whether a receipt asserts it.
    pub(crate) receipt: bool,
}

/// All rows of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
    /// What layers add: every row of these that fits speaks, and the heaviest is heard.
    tighter: Vec<Row>,
}

impl Table {
    /// Keeps the rows; they were checked one by one with [`Row::problem`].
    #[must_use]
    pub(crate) const fn new(rows: Vec<Row>) -> Self {
        Self {
            rows,
            tighter: Vec::new(),
        }
    }

    /// The same with one more row, which can only add weight.
    pub(crate) fn tighten(&mut self, row: Row) {
        self.tighter.push(row);
    }

    /// Every row with whether a layer added it.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (&Row, bool)> {
        let own = self.rows.iter().map(|row| (row, false));
        own.chain(self.tighter.iter().map(|row| (row, true)))
    }

    /// Where a layer's row would weigh less than this table does: for which trust, and the weight here.
    pub(crate) fn loosened_by(&self, row: &Row) -> Option<(Trust, Cell, Cell)> {
        let kinds = row.kind.map_or(Kind::ALL.to_vec(), |kind| vec![kind]);
        let mut receipts = vec![false];
        receipts.extend(row.with_receipt.map(|_| true));
        for receipt in receipts {
            for trust in Trust::ALL {
                let place = |kind| Place {
                    class: row.class,
                    form: row.form.as_deref().unwrap_or_default(),
                    kind,
                    trust: *trust,
                    receipt,
                };
                let here = kinds.iter().map(|kind| self.weigh(place(*kind))).min();
                let (Some(here), Some(kind)) = (here.map(Cell::of), kinds.first()) else {
                    continue;
                };
                let wanted = row.cell(place(*kind));
                if wanted < here {
                    return Some((*trust, here, wanted));
                }
            }
        }
        None
    }

    /// The weight of a form of words; what no row speaks about is quarantined.
    #[must_use]
    pub(crate) fn weigh(&self, place: Place<'_>) -> Option<Severity> {
        let row = self
            .rows
            .iter()
            .filter_map(|row| row.fits(place).map(|rank| (rank, row)));
        let base = row
            .max_by_key(|(rank, _)| *rank)
            .map_or(Some(Severity::Quarantine), |(_, row)| {
                row.cell(place).severity()
            });
        // INVARIANT: a layer's rows only add weight.
        self.tighter
            .iter()
            .filter(|row| row.fits(place).is_some())
            .map(|row| row.cell(place).severity())
            .fold(base, Ord::max)
    }

    /// The first pair of rows that speak about the same place.
    #[must_use]
    pub(crate) fn twice(&self) -> Option<&Row> {
        let same = |a: &Row, b: &Row| (a.class, &a.form, a.kind) == (b.class, &b.form, b.kind);
        let later = |(at, row): (usize, &Row)| self.rows.iter().take(at).any(|r| same(r, row));
        self.rows
            .iter()
            .enumerate()
            .find(|found| later(*found))
            .map(|(_, row)| row)
    }
}

impl Row {
    /// What is wrong with this row, if anything.
    #[must_use]
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let cells = [
            self.system,
            self.authenticated_user,
            self.tool,
            self.web,
            self.model,
        ];
        let loosens = !cells.is_sorted();
        let receipt = self.with_receipt.is_some_and(|cell| cell > self.tool);
        match (loosens, receipt) {
            (true, _) => Some(
                "a lower trust must not weigh less: system, authenticated_user, tool, web, model must not go down",
            ),
            (_, true) => {
                Some("a receipt must not weigh more than none: `with_receipt` is above `tool`")
            }
            _ => None,
        }
    }

    /// How specifically this row speaks about the place; none where it does not.
    fn fits(&self, place: Place<'_>) -> Option<u8> {
        let form = self.form.as_deref().map(|form| form == place.form);
        let kind = self.kind.map(|kind| kind == place.kind);
        (self.class == place.class && form != Some(false) && kind != Some(false))
            .then(|| 2 * u8::from(form.is_some()) + u8::from(kind.is_some()))
    }

    fn cell(&self, place: Place<'_>) -> Cell {
        match (place.trust, self.with_receipt) {
            (trust, Some(cell)) if place.receipt && trust >= Trust::Tool => cell,
            (Trust::System, _) => self.system,
            (Trust::AuthenticatedUser, _) => self.authenticated_user,
            (Trust::Tool, _) => self.tool,
            (Trust::Web, _) => self.web,
            (Trust::Model, _) => self.model,
        }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.severity().map_or("none", Severity::as_str))
    }
}

impl Cell {
    const fn of(severity: Option<Severity>) -> Self {
        match severity {
            None => Self::None,
            Some(Severity::Info) => Self::Info,
            Some(Severity::Advisory) => Self::Advisory,
            Some(Severity::Quarantine) => Self::Quarantine,
        }
    }

    const fn severity(self) -> Option<Severity> {
        match self {
            Self::None => None,
            Self::Info => Some(Severity::Info),
            Self::Advisory => Some(Severity::Advisory),
            Self::Quarantine => Some(Severity::Quarantine),
        }
    }
}
