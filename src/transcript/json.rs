//! JSON as it stands in the bytes: texts are borrowed, opaque values are passed over, nothing is
//! looked up in a table.
//!
//! Knows nothing of any one format. Where a name stands twice in an object, the last one counts.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::domain::Digest;
use crate::domain::digest::Hasher;

/// A value, its texts borrowed where they hold no escapes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Json<'a> {
    #[default]
    Null,
    Bool(bool),
    Number(f64),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    Object(Fields<'a>),
}

/// The fields of an object, in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Fields<'a>(Vec<(Cow<'a, str>, Json<'a>)>);

/// Names whose values say nothing to a reader: encrypted, signed, or a copy of what stands elsewhere.
const OPAQUE: &[&str] = &["signature", "encrypted_content"];
/// The name of a value of which only its shape matters, with the one part that is read.
const SHAPE: (&str, &str) = ("toolUseResult", "plan");

impl<'a> Json<'a> {
    /// Reads a whole value.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let mut source = serde_json::Deserializer::from_str(text);
        let value = Seed::Whole.deserialize(&mut source).ok()?;
        source.end().ok()?;
        Some(value)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        self.fields()?.get(name)
    }

    pub(crate) fn fields(&self) -> Option<&Fields<'a>> {
        match self {
            Self::Object(fields) => Some(fields),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(crate) const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// The text of this field.
    pub(crate) fn text_of(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    /// Whether a flag is set, in whatever way it was written.
    pub(crate) fn is_set(&self) -> bool {
        !matches!(self, Self::Null | Self::Bool(false))
    }

    /// The same whatever the order of names and the space between them.
    pub(crate) fn hash(&self) -> Digest {
        let mut hasher = Hasher::default();
        self.add(&mut hasher);
        hasher.finish()
    }

    fn add(&self, hasher: &mut Hasher) {
        match self {
            Self::Null => hasher.bytes(b"n"),
            Self::Bool(yes) => hasher.bytes(if *yes { b"t" } else { b"f" }),
            Self::Number(number) => {
                hasher.bytes(b"#");
                hasher.bytes(&number.to_bits().to_be_bytes());
            }
            Self::Text(text) => {
                hasher.bytes(b"s");
                hasher.part(text.as_bytes());
            }
            Self::List(items) => {
                hasher.bytes(b"[");
                hasher.bytes(&(items.len() as u64).to_be_bytes());
                items.iter().for_each(|item| item.add(hasher));
            }
            Self::Object(Fields(fields)) => {
                hasher.bytes(b"{");
                hasher.bytes(&(fields.len() as u64).to_be_bytes());
                let mut sorted: Vec<_> = fields.iter().collect();
                sorted.sort_by(|(one, _), (other, _)| one.cmp(other));
                for (name, field) in sorted {
                    hasher.part(name.as_bytes());
                    field.add(hasher);
                }
            }
        }
    }
}

impl<'a> Fields<'a> {
    pub(crate) fn get(&self, name: &str) -> Option<&Json<'a>> {
        self.0
            .iter()
            .rfind(|(own, _)| own == name)
            .map(|(_, value)| value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_ref())
    }

    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.get(name).is_some_and(Json::is_set)
    }
}

/// How much of a value is read.
#[derive(Clone, Copy)]
enum Seed {
    Whole,
    /// The names of an object, and one of its values.
    Shape,
}

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Json<'de>, D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(yes))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json<'de>, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json<'de>, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json<'de>, E> {
        Ok(Json::Number(number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some(name) = map.next_key_seed(Name)? {
            let whole = match self {
                Self::Whole => !OPAQUE.contains(&name.as_ref()),
                Self::Shape => name == SHAPE.1,
            };
            let value = if !whole {
                map.next_value::<IgnoredAny>()?;
                Json::Null
            } else if name == SHAPE.0 {
                map.next_value_seed(Self::Shape)?
            } else {
                map.next_value_seed(Self::Whole)?
            };
            fields.push((name, value));
        }
        Ok(Json::Object(Fields(fields)))
    }
}

/// A name, borrowed where it can be.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Cow<'de, str>, D::Error> {
        source.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn copies_hash_the_same_and_others_do_not() {
        let hash = |text: &str| Json::parse(text).map(|json| json.hash());
        assert_eq!(
            hash("{\"a\":1,\"b\":[\"x\"]}"),
            hash(" {\"b\" : [\"\\u0078\"], \"a\":1}")
        );
        assert_ne!(hash("[\"ab\",\"c\"]"), hash("[\"a\",\"bc\"]"));
        assert_ne!(hash("[1]"), hash("[\"1\"]"));
        assert_eq!(hash("{\"a\":1} x"), None);
        assert_eq!(hash(&"[".repeat(100_000)), None);
    }

    #[test]
    fn what_is_opaque_is_never_read() {
        let json = Json::parse(
            "{\"encrypted_content\":\"zz\",\"toolUseResult\":{\"plan\":\"p\",\"stdout\":\"zz\"},\"a\":1,\"a\":2}",
        )
        .unwrap();
        assert!(!format!("{json:?}").contains("zz"));
        let shape = json.get("toolUseResult").unwrap();
        assert_eq!(shape.text_of("plan"), Some("p"));
        assert!(shape.fields().unwrap().has("stdout"));
        assert_eq!(json.get("a").and_then(Json::number), Some(2.0));
    }
}
