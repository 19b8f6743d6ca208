//! Settings that other programs keep as JSON: one thing put in or taken out, every other byte kept.
//!
//! The text is edited where the change is, never written anew: comments are refused, since what
//! cannot be read cannot be kept.

use serde_json::Value;
use std::ops::Range;

/// Settings that cannot be edited safely.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSettings {
    /// The text is not plain JSON.
    #[error("it is not plain JSON ({0}); comments and trailing commas cannot be kept")]
    NotJson(String),
    /// Something of another kind stands where an object or a list is needed.
    #[error("`{0}` is not what it must be there")]
    Unexpected(String),
}

/// Puts an element at the end of the list at `path`, which is made where it is missing.
///
/// # Errors
/// The text is not plain JSON, or something else stands at the path.
pub fn put_element(text: &str, path: &[&str], element: &Value) -> Result<String, BadSettings> {
    let (root, text) = rooted(text)?;
    let (node, missing) = descend(&root, path);
    if let [first, rest @ ..] = missing {
        let value = rest
            .iter()
            .rev()
            .fold(Value::Array(vec![element.clone()]), |inner, key| {
                wrap(key, inner)
            });
        return insert_member(&text, node, first, &value, path);
    }
    let Kind::List(items) = &node.kind else {
        return Err(BadSettings::Unexpected(path.join(".")));
    };
    let last = items.last().map(|item| item.span.clone());
    Ok(insert(&text, node, last, &|depth| pretty(element, depth)))
}

/// Takes every element out of the list at `path` that is one of ours, and the list with it where
/// nothing is left.
///
/// # Errors
/// The text is not plain JSON.
pub fn take_elements(
    text: &str,
    path: &[&str],
    ours: &dyn Fn(&Value) -> bool,
) -> Result<String, BadSettings> {
    let (root, mut text) = rooted(text)?;
    let mut root = root;
    loop {
        let (node, missing) = descend(&root, path);
        let Kind::List(items) = (if missing.is_empty() {
            &node.kind
        } else {
            &Kind::Other
        }) else {
            return Ok(text);
        };
        let value = |item: &Node| {
            serde_json::from_str::<Value>(slice(&text, &item.span)).unwrap_or(Value::Null)
        };
        let Some(place) = items.iter().position(|item| ours(&value(item))) else {
            return Ok(text);
        };
        let spans: Vec<Range<usize>> = items.iter().map(|item| item.span.clone()).collect();
        text = if spans.len() == 1 {
            take_empty(&text, &root, path)
        } else {
            cut(&text, &spans, place)
        };
        root = parse(&text)?;
    }
}

/// Sets a member of the object at `path`, which is made where it is missing.
///
/// # Errors
/// The text is not plain JSON, or something else stands at the path.
pub fn put_member(
    text: &str,
    path: &[&str],
    key: &str,
    value: &Value,
) -> Result<String, BadSettings> {
    let (root, text) = rooted(text)?;
    let whole: Vec<&str> = path.iter().copied().chain([key]).collect();
    let (node, missing) = descend(&root, &whole);
    if missing.is_empty() {
        let depth = depth_of(&text, node.span.start);
        let mut new = text;
        new.replace_range(node.span.clone(), &pretty(value, depth));
        return Ok(new);
    }
    let [first, rest @ ..] = missing else {
        return Ok(text);
    };
    let value = rest
        .iter()
        .rev()
        .fold(value.clone(), |inner, key| wrap(key, inner));
    insert_member(&text, node, first, &value, path)
}

/// Takes a member out of the object at `path`, and the object with it where nothing is left.
///
/// # Errors
/// The text is not plain JSON.
pub fn take_member(text: &str, path: &[&str], key: &str) -> Result<String, BadSettings> {
    let (root, text) = rooted(text)?;
    let whole: Vec<&str> = path.iter().copied().chain([key]).collect();
    Ok(if descend(&root, &whole).1.is_empty() {
        take_empty(&text, &root, &whole)
    } else {
        text
    })
}

/// The value at a path, if there is one.
#[must_use]
pub fn value_at(text: &str, path: &[&str]) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    path.iter()
        .try_fold(&value, |value, key| value.get(key))
        .cloned()
}

/// A value and where it stands.
#[derive(Debug, Clone)]
struct Node {
    span: Range<usize>,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// Members: name, bytes from the name's quote to the value's end, value.
    Object(Vec<(String, Range<usize>, Node)>),
    List(Vec<Node>),
    Other,
}

/// The tree of a text; nothing at all is an empty object.
fn rooted(text: &str) -> Result<(Node, String), BadSettings> {
    let text = if text.trim().is_empty() {
        "{}\n".to_owned()
    } else {
        text.to_owned()
    };
    Ok((parse(&text)?, text))
}

fn parse(text: &str) -> Result<Node, BadSettings> {
    // Whatever passes here is plain JSON, so that the scanner below need not object to anything.
    let value: Value =
        serde_json::from_str(text).map_err(|error| BadSettings::NotJson(error.to_string()))?;
    if !value.is_object() {
        return Err(BadSettings::Unexpected("the whole file".to_owned()));
    }
    let mut scanner = Scanner {
        text,
        at: text.len() - text.trim_start_matches('\u{feff}').len(),
    };
    Ok(scanner.value())
}

/// As far down a path as it goes, and what is missing behind.
fn descend<'n, 'p>(root: &'n Node, path: &'p [&'p str]) -> (&'n Node, &'p [&'p str]) {
    let mut node = root;
    for (place, key) in path.iter().enumerate() {
        let Kind::Object(members) = &node.kind else {
            return (node, path.get(place..).unwrap_or_default());
        };
        // The last of two members of one name is the one that counts.
        match members.iter().rev().find(|(name, _, _)| name == key) {
            Some((_, _, value)) => node = value,
            None => return (node, path.get(place..).unwrap_or_default()),
        }
    }
    (node, &[])
}

fn insert_member(
    text: &str,
    node: &Node,
    key: &str,
    value: &Value,
    path: &[&str],
) -> Result<String, BadSettings> {
    let Kind::Object(members) = &node.kind else {
        return Err(BadSettings::Unexpected(path.join(".")));
    };
    let last = members.last().map(|(_, span, _)| span.clone());
    let name = Value::String(key.to_owned()).to_string();
    Ok(insert(text, node, last, &|depth| {
        format!("{name}: {}", pretty(value, depth))
    }))
}

/// Puts something behind the last thing in a container, on a line of its own.
fn insert(
    text: &str,
    container: &Node,
    last: Option<Range<usize>>,
    what: &dyn Fn(usize) -> String,
) -> String {
    let outer = depth_of(text, container.span.start);
    let mut new = text.to_owned();
    match last {
        Some(last) => {
            let own_line = slice(text, &(container.span.start..last.start)).contains('\n');
            let depth = if own_line {
                depth_of(text, last.start)
            } else {
                outer + 2
            };
            let gap = if own_line {
                format!(",\n{}", " ".repeat(depth))
            } else {
                ", ".to_owned()
            };
            new.insert_str(last.end, &format!("{gap}{}", what(depth)));
        }
        None => {
            let inside = container.span.start + 1..container.span.end - 1;
            let depth = outer + 2;
            let lines = format!(
                "\n{}{}\n{}",
                " ".repeat(depth),
                what(depth),
                " ".repeat(outer)
            );
            new.replace_range(inside, &lines);
        }
    }
    new
}

/// Takes out the member at a path, and each object above it that it leaves empty.
fn take_empty(text: &str, root: &Node, path: &[&str]) -> String {
    let mut path = path;
    while let Some((key, above)) = path.split_last() {
        let (node, _) = descend(root, above);
        let Kind::Object(members) = &node.kind else {
            break;
        };
        if members.len() > 1 || above.is_empty() {
            let spans: Vec<Range<usize>> =
                members.iter().map(|(_, span, _)| span.clone()).collect();
            let place = members.iter().rposition(|(name, _, _)| name == key);
            return match place {
                Some(_) if spans.len() == 1 => {
                    let mut new = text.to_owned();
                    new.replace_range(node.span.start + 1..node.span.end - 1, "");
                    new
                }
                Some(place) => cut(text, &spans, place),
                None => text.to_owned(),
            };
        }
        path = above;
    }
    text.to_owned()
}

/// Cuts one of several out, with the comma that parted it from its neighbour.
fn cut(text: &str, spans: &[Range<usize>], place: usize) -> String {
    let here = spans.get(place).cloned().unwrap_or_default();
    let range = match (
        place.checked_sub(1).and_then(|before| spans.get(before)),
        spans.get(place + 1),
    ) {
        (Some(before), _) => before.end..here.end,
        (None, Some(after)) => here.start..after.start,
        (None, None) => here,
    };
    let mut new = text.to_owned();
    new.replace_range(range, "");
    new
}

fn wrap(key: &str, inner: Value) -> Value {
    Value::Object([(key.to_owned(), inner)].into_iter().collect())
}

/// A value over several lines, its lines after the first indented this far.
fn pretty(value: &Value, depth: usize) -> String {
    let lines = serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string());
    lines.replace('\n', &format!("\n{}", " ".repeat(depth)))
}

/// How far the line is indented on which a byte stands.
fn depth_of(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().take_while(|c| matches!(c, ' ' | '\t')).count()
}

fn slice<'t>(text: &'t str, span: &Range<usize>) -> &'t str {
    text.get(span.clone()).unwrap_or_default()
}

/// Walks a text that is known to be plain JSON.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl Scanner<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while self.byte().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Node {
        self.space();
        let start = self.at;
        let kind = match self.byte() {
            Some(b'{') => self.object(),
            Some(b'[') => self.list(),
            Some(b'"') => {
                self.string();
                Kind::Other
            }
            _ => {
                while self.byte().is_some_and(|byte| {
                    !matches!(byte, b',' | b'}' | b']') && !byte.is_ascii_whitespace()
                }) {
                    self.at += 1;
                }
                Kind::Other
            }
        };
        Node {
            span: start..self.at,
            kind,
        }
    }

    fn string(&mut self) -> Range<usize> {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.byte() {
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => self.at += 1,
                _ => {}
            }
        }
        start..self.at
    }

    /// Past a comma or the end of a container; whether it was the end.
    fn past(&mut self, end: u8) -> bool {
        self.space();
        let found = self.byte();
        self.at += 1;
        found.is_none_or(|byte| byte == end)
    }

    fn object(&mut self) -> Kind {
        self.at += 1;
        let mut members = Vec::new();
        self.space();
        if self.byte() == Some(b'}') {
            self.at += 1;
            return Kind::Object(members);
        }
        loop {
            self.space();
            let name = self.string();
            let key = serde_json::from_str(slice(self.text, &name)).unwrap_or_default();
            self.space();
            self.at += 1;
            let value = self.value();
            members.push((key, name.start..value.span.end, value));
            if self.past(b'}') {
                return Kind::Object(members);
            }
        }
    }

    fn list(&mut self) -> Kind {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.byte() == Some(b']') {
            self.at += 1;
            return Kind::List(items);
        }
        loop {
            items.push(self.value());
            if self.past(b']') {
                return Kind::List(items);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{put_element, put_member, take_elements, take_member, value_at};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn ours(value: &Value) -> bool {
        value["command"] == "countersign"
    }

    /// Puts an element and a member in, and takes them out again: the bytes must be the old ones.
    fn check(before: &str, expected: &str) {
        let element = json!({ "command": "countersign" });
        let with = put_element(before, &["hooks", "Start"], &element).unwrap();
        let both = put_member(&with, &["servers"], "countersign", &json!({ "a": 1 })).unwrap();
        assert_eq!(both, expected);
        assert_eq!(
            value_at(&both, &["servers", "countersign", "a"]),
            Some(json!(1))
        );
        let without = take_member(&both, &["servers"], "countersign").unwrap();
        assert_eq!(
            take_elements(&without, &["hooks", "Start"], &ours).unwrap(),
            before
        );
    }

    #[test]
    fn what_was_put_in_is_taken_out_to_the_byte() {
        check(
            "{\n  \"model\" : \"x\"\n}\n",
            "{\n  \"model\" : \"x\",\n  \"hooks\": {\n    \"Start\": [\n      {\n        \"command\": \"countersign\"\n      }\n    ]\n  },\n  \"servers\": {\n    \"countersign\": {\n      \"a\": 1\n    }\n  }\n}\n",
        );
        check(
            "{ \"hooks\": {\"Start\": [ {\"command\": \"other\"} ], \"End\": []},\r\n \"z\": [1,2] }",
            "{ \"hooks\": {\"Start\": [ {\"command\": \"other\"}, {\n    \"command\": \"countersign\"\n  } ], \"End\": []},\r\n \"z\": [1,2],\n \"servers\": {\n   \"countersign\": {\n     \"a\": 1\n   }\n } }",
        );
    }

    #[test]
    fn nothing_at_all_becomes_an_object_and_ends_as_one() {
        let with = put_member("", &["servers"], "countersign", &json!(1)).unwrap();
        assert_eq!(
            with,
            "{\n  \"servers\": {\n    \"countersign\": 1\n  }\n}\n"
        );
        assert_eq!(
            take_member(&with, &["servers"], "countersign").unwrap(),
            "{}\n"
        );
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        for bad in [
            "{ // a comment\n}",
            "{\"a\": 1,}",
            "[1]",
            "{\"hooks\": 3}",
            "{\"hooks\": {\"Start\": 3}}",
            "nonsense",
        ] {
            assert!(
                put_element(bad, &["hooks", "Start"], &json!(1)).is_err(),
                "{bad}"
            );
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from)
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((".{0,6}", inner), 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_other_value_stays(members in prop::collection::vec((".{0,6}", values()), 0..5), spread in any::<bool>()) {
            let before: Value = Value::Object(members.into_iter().collect());
            let text = if spread { serde_json::to_string_pretty(&before).unwrap() } else { before.to_string() };
            let Ok(with) = put_member(&text, &["mcpServers"], "countersign", &json!({ "command": "x" })) else { return Ok(()) };
            let mut expected = before.clone();
            expected["mcpServers"]["countersign"] = json!({ "command": "x" });
            prop_assert_eq!(serde_json::from_str::<Value>(&with).unwrap(), expected);
            let without = take_member(&with, &["mcpServers"], "countersign").unwrap();
            let had = before.get("mcpServers").is_some();
            if !had {
                prop_assert_eq!(serde_json::from_str::<Value>(&without).unwrap(), before);
            }
        }
    }
}
