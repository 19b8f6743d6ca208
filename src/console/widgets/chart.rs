//! Numbers as strokes: a bar for a share, a spark for a row of days, columns for a histogram. Each
//! stands beside its number; none says anything by its colour.

/// From nothing to a full cell, from below.
const RISING: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// From nothing to a full cell, from the left.
const GROWING: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// A share of so many columns; more than nothing is always seen.
pub(crate) fn bar(part: u64, whole: u64, columns: usize) -> String {
    if part == 0 || whole == 0 || columns == 0 {
        return String::new();
    }
    let eighths = part.min(whole).saturating_mul(columns as u64 * 8) / whole;
    let eighths = usize::try_from(eighths).unwrap_or(usize::MAX).max(1);
    let mut out = "█".repeat(eighths / 8);
    if let Some(rest) = (eighths % 8)
        .checked_sub(1)
        .and_then(|rest| GROWING.get(rest))
    {
        out.push(*rest);
    }
    out
}

/// One stroke a value, the highest full; nothing is a dot. Too many values share columns.
pub(crate) fn spark(values: &[u64], columns: usize) -> String {
    let values = gathered(values, columns);
    let most = values.iter().copied().max().unwrap_or(0).max(1);
    let stroke = |n: &u64| match n {
        0 => '·',
        n => {
            let at = n.saturating_mul(RISING.len() as u64 - 1).div_ceil(most);
            RISING
                .get(usize::try_from(at).unwrap_or(7))
                .copied()
                .unwrap_or('█')
        }
    };
    values.iter().map(stroke).collect()
}

/// Neighbours added up until there are no more than so many.
fn gathered(values: &[u64], columns: usize) -> Vec<u64> {
    let each = values.len().div_ceil(columns.max(1)).max(1);
    values.chunks(each).map(|some| some.iter().sum()).collect()
}

/// A histogram so many rows high, the top row first; `wide` columns a bar.
pub(crate) fn columns(values: &[u64], rows: usize, wide: usize) -> Vec<String> {
    let most = values.iter().copied().max().unwrap_or(0).max(1);
    let height = |n: u64| {
        let eighths = n.saturating_mul(rows as u64 * 8).div_ceil(most);
        usize::try_from(eighths).unwrap_or(usize::MAX)
    };
    let cell = |n: u64, row: usize| {
        let below = (rows - 1 - row) * 8;
        match height(n).saturating_sub(below) {
            0 => ' ',
            part => RISING.get(part.min(8) - 1).copied().unwrap_or('█'),
        }
    };
    let line = |row| {
        let bars: Vec<String> = values
            .iter()
            .map(|n| cell(*n, row).to_string().repeat(wide.saturating_sub(1)))
            .collect();
        bars.join(" ")
    };
    (0..rows).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{bar, columns, spark};

    #[test]
    fn what_is_there_is_always_seen() {
        assert_eq!(bar(0, 100, 10), "");
        assert_eq!(bar(1, 1_000_000, 10), "▏");
        assert_eq!(bar(50, 100, 10), "█████");
        assert_eq!(bar(93, 100, 10), "█████████▎");
        assert_eq!(bar(100, 100, 10), "██████████");
        assert_eq!(bar(7, 0, 10), "");
        assert_eq!(spark(&[0, 1, 4, 8], 10), "·▂▅█");
        assert_eq!(spark(&[1, 1, 2, 2, 0, 0], 3), "▅█·");
        assert_eq!(spark(&[], 3), "");
    }

    #[test]
    fn a_histogram_stands_on_its_lowest_row() {
        assert_eq!(columns(&[8, 1, 0], 2, 3), ["██      ", "██ ▂▂   "]);
        assert_eq!(columns(&[0, 0], 1, 2), ["   "]);
    }
}
