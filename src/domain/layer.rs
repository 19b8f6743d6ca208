//! A layer: a path of segments, parsed once, compared segment by segment.
//! Never a string prefix, never a pattern: `acme/emea` has nothing to do with `acme/emea2`.

use std::fmt;

/// A path such as `acme/emea/berlin`; the first segment is the tenant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Layer(String);

/// The most segments a layer may have.
pub const MAX_DEPTH: usize = 16;
/// The most bytes a segment may have.
pub const MAX_SEGMENT: usize = 64;

/// A text that is no layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLayer {
    /// What stood there.
    pub found: String,
    /// What is wrong with it.
    pub why: &'static str,
}

impl fmt::Display for BadLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a layer: {}", self.found, self.why)
    }
}

impl std::error::Error for BadLayer {}

impl Layer {
    /// Reads a path of segments.
    ///
    /// # Errors
    /// An empty path or segment, too many or too long ones, and any character outside letters,
    /// digits, `-`, `_` and `.`.
    pub fn parse(text: &str) -> Result<Self, BadLayer> {
        let bad = |why| BadLayer {
            found: text.to_owned(),
            why,
        };
        if text.is_empty() {
            return Err(bad("it is empty; name at least a tenant, such as `acme`"));
        }
        if text.split('/').count() > MAX_DEPTH {
            return Err(bad("it has more than 16 segments"));
        }
        text.split('/')
            .find_map(segment_problem)
            .map_or_else(|| Ok(Self(text.to_owned())), |why| Err(bad(why)))
    }

    /// The whole path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The segments, tenant first.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// The first segment.
    #[must_use]
    pub fn tenant(&self) -> &str {
        self.0.split('/').next().unwrap_or(&self.0)
    }

    /// The last segment.
    #[must_use]
    pub fn leaf(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// How many segments it has.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.segments().count()
    }

    /// The layer above, if there is one.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.0
            .rsplit_once('/')
            .map(|(parent, _)| Self(parent.to_owned()))
    }

    /// This layer and every layer above it, nearest first.
    #[must_use]
    pub fn lineage(&self) -> Vec<Self> {
        std::iter::successors(Some(self.clone()), Self::parent).collect()
    }

    /// Whether what stands in this layer is visible from `viewer`: the same layer or one below.
    #[must_use]
    pub fn is_visible_from(&self, viewer: &Self) -> bool {
        let mut below = viewer.segments();
        self.segments().all(|segment| below.next() == Some(segment))
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl std::str::FromStr for Layer {
    type Err = BadLayer;
    fn from_str(text: &str) -> Result<Self, BadLayer> {
        Self::parse(text)
    }
}

impl serde::Serialize for Layer {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.0)
    }
}

fn segment_problem(segment: &str) -> Option<&'static str> {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if segment.is_empty() {
        Some("a segment is empty; write `acme/emea`, without a slash at either end or two in a row")
    } else if segment.len() > MAX_SEGMENT {
        Some("a segment is longer than 64 bytes")
    } else if segment.bytes().all(|b| b == b'.') {
        Some("a segment of dots is not allowed")
    } else if !segment.chars().all(legal) {
        Some("segments are made of letters a-z, digits, `-`, `_` and `.`")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Layer;

    #[test]
    fn illegal_layers_are_refused_when_parsed() {
        for bad in [
            "",
            "/",
            "acme/",
            "/acme",
            "acme//x",
            "../x",
            "acme/..",
            "acme/%",
            "%",
            "a b",
            "a\u{200b}",
            "ä",
            "a*",
        ] {
            assert!(Layer::parse(bad).is_err(), "{bad}");
        }
        let deep = ["a"; 17].join("/");
        assert!(Layer::parse(&deep).is_err());
        for good in ["acme", "acme/emea/berlin", "acme_x", "a.b-c/0"] {
            assert_eq!(Layer::parse(good).unwrap().as_str(), good);
        }
    }

    #[test]
    fn scope_is_exact_segments_are_compared_whole() {
        let see = |memory: &str, viewer: &str| {
            Layer::parse(memory)
                .unwrap()
                .is_visible_from(&Layer::parse(viewer).unwrap())
        };
        assert!(see("acme", "acme/emea/berlin"));
        assert!(see("acme/emea", "acme/emea"));
        assert!(!see("acme/emea", "acme/emea2"));
        assert!(!see("acme/emea", "acme"));
        assert!(!see("acme/emea/berlin", "acme/emea/munich"));
        assert!(!see("acme_x", "acme"));
        assert!(!see("globex", "acme"));
    }

    #[test]
    fn lineage_runs_from_the_layer_to_its_tenant() {
        let lineage = Layer::parse("acme/emea/berlin").unwrap().lineage();
        let names: Vec<_> = lineage.iter().map(Layer::as_str).collect();
        assert_eq!(names, ["acme/emea/berlin", "acme/emea", "acme"]);
    }
}
