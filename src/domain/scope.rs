//! Where a memory holds, and from where it can be seen.

use crate::domain::{Layer, Project, SessionId};

/// A layer, narrowed to a project or a session where it names one.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Scope {
    /// The layer.
    pub layer: Layer,
    /// The project, if it holds only there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<Project>,
    /// The session, if it holds only there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
}

impl Scope {
    /// The whole layer.
    #[must_use]
    pub const fn of(layer: Layer) -> Self {
        Self {
            layer,
            project: None,
            session: None,
        }
    }

    /// Whether what stands in this scope is visible from `viewer`: layer or below, and equal
    /// project and session where this scope names them.
    #[must_use]
    pub fn is_visible_from(&self, viewer: &Self) -> bool {
        self.layer.is_visible_from(&viewer.layer)
            && self
                .project
                .as_ref()
                .is_none_or(|named| viewer.project.as_ref() == Some(named))
            && self
                .session
                .as_ref()
                .is_none_or(|named| viewer.session.as_ref() == Some(named))
    }
}

#[cfg(test)]
mod tests {
    use super::Scope;
    use crate::domain::{Layer, Project};

    #[test]
    fn a_named_project_must_be_equal() {
        let mut memory = Scope::of(Layer::parse("acme").unwrap());
        let mut viewer = Scope::of(Layer::parse("acme/emea").unwrap());
        assert!(memory.is_visible_from(&viewer));
        memory.project = Some(Project::parse("shop").unwrap());
        assert!(!memory.is_visible_from(&viewer));
        viewer.project = Some(Project::parse("shop2").unwrap());
        assert!(!memory.is_visible_from(&viewer));
        viewer.project = memory.project.clone();
        assert!(memory.is_visible_from(&viewer));
    }
}
