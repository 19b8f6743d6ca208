//! Layers and search text into SQL. Layers are compared in Rust; what a person types is always a
//! bound value or a quoted term, never part of a statement.

use crate::domain::Layer;
use crate::store::error::StoreError;
use crate::store::rows;
use rusqlite::Connection;

/// The numbers of a layer and all layers below it.
pub(in crate::store) fn descendants(
    db: &Connection,
    layer: &Layer,
) -> Result<Vec<i64>, StoreError> {
    Ok(layers(db)?
        .into_iter()
        .filter(|(_, below)| layer.is_visible_from(below))
        .map(|(id, _)| id)
        .collect())
}

/// Every layer with its number.
pub(in crate::store) fn layers(db: &Connection) -> Result<Vec<(i64, Layer)>, StoreError> {
    let mut statement = db.prepare_cached("SELECT id, path FROM layer ORDER BY path")?;
    let mut found = statement.query([])?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        list.push((row.get(0)?, rows::layer(&row.get::<_, String>(1)?)?));
    }
    Ok(list)
}

/// Numbers for an `IN (..)`; they are our own, so they may stand in the statement.
pub(in crate::store) fn id_list(ids: &[i64]) -> String {
    ids.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

/// The token under which a layer's texts are indexed.
pub(in crate::store) fn layer_token(layer: i64) -> String {
    format!("zl{layer}")
}

/// A search inside some layers for any of the words of `query`; none where it has no words.
///
/// INVARIANT: every word a person typed stands between quotes with its own quotes doubled, so
/// that it cannot leave its column or its layers.
pub(in crate::store) fn match_text(query: &str, layers: &[i64]) -> Option<String> {
    let words: Vec<String> = query
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(32)
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect();
    let tokens: Vec<String> = layers.iter().map(|id| layer_token(*id)).collect();
    (!words.is_empty() && !tokens.is_empty()).then(|| {
        format!(
            "ltok:({}) AND body:({})",
            tokens.join(" OR "),
            words.join(" OR ")
        )
    })
}

/// A search in every layer for all of the words of `query`; none where it has no words.
///
/// INVARIANT: words are quoted as in [`match_text`].
pub(in crate::store) fn match_all(query: &str) -> Option<String> {
    let words: Vec<String> = query
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(32)
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect();
    (!words.is_empty()).then(|| format!("body:({})", words.join(" AND ")))
}

#[cfg(test)]
mod tests {
    use super::{match_all, match_text};

    #[test]
    fn a_query_cannot_leave_its_layers() {
        for hostile in [
            "deploy) OR (ltok:zl9",
            "\" OR ltok:zl9 OR \"",
            "ltok:zl9",
            "NEAR(a b)",
            "body: x*",
            "-a",
        ] {
            let built = match_text(hostile, &[1, 2]).unwrap();
            let (scope, words) = built.split_once(" AND body:(").unwrap();
            assert_eq!(scope, "ltok:(zl1 OR zl2)");
            let inside = words.strip_suffix(')').unwrap();
            for word in inside.split(" OR ") {
                let bare = word
                    .strip_prefix('"')
                    .and_then(|w| w.strip_suffix('"'))
                    .unwrap();
                assert!(bare.chars().all(char::is_alphanumeric), "{bare}");
            }
        }
        assert_eq!(match_text("?!", &[1]), None);
        let all = match_all("a) OR (ltok:zl9 \"x").unwrap();
        assert_eq!(all, r#"body:("a" AND "OR" AND "ltok" AND "zl9" AND "x")"#);
        assert_eq!(match_text("late fee", &[]), None);
    }
}
