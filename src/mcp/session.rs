//! What a call stands on: the layer the server is bound to, who calls, and a desk opened when the
//! first call needs one.

use crate::desk::{Desk, DeskError};
use crate::domain::{Layer, Project, Proposer, Scope, SessionId, TraceParent, UserId};
use crate::mcp::arguments::Arguments;
use crate::mcp::error::{Code, ToolError};
use std::sync::{Arc, Mutex, PoisonError};

/// What a server is bound to for as long as it runs.
#[derive(Debug, Clone)]
pub struct Binding {
    /// The layer; calls may go below it, never beside or above.
    pub layer: Layer,
    /// The person the agent works for, where the host knows.
    pub user: Option<UserId>,
    /// The session, where the host says.
    pub session: Option<SessionId>,
}

/// Opens the desk.
pub type OpenDesk = Box<dyn Fn() -> Result<Desk, DeskError> + Send + Sync>;

/// The desk, opened by the first call that needs it and kept from then on.
pub(in crate::mcp) struct Lazy {
    open: OpenDesk,
    desk: Mutex<Option<Arc<Desk>>>,
}

impl Lazy {
    pub(in crate::mcp) fn new(open: OpenDesk) -> Self {
        Self {
            open,
            desk: Mutex::new(None),
        }
    }

    pub(in crate::mcp) fn get(&self) -> Result<Arc<Desk>, ToolError> {
        let mut kept = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(desk) = kept.as_ref() {
            return Ok(Arc::clone(desk));
        }
        let desk = Arc::new((self.open)()?);
        *kept = Some(Arc::clone(&desk));
        Ok(desk)
    }
}

/// One call, before its arguments.
pub(in crate::mcp) struct Call<'a> {
    /// The desk.
    pub(in crate::mcp) desk: &'a Desk,
    /// What the server is bound to.
    pub(in crate::mcp) binding: &'a Binding,
    /// The client's name, as it gave it.
    pub(in crate::mcp) client: Option<String>,
    /// The trace the call is part of, as the request says.
    pub(in crate::mcp) trace: Option<TraceParent>,
}

impl Call<'_> {
    /// Takes layer, project and session from the arguments; a layer outside is an error, not a
    /// narrowing.
    pub(in crate::mcp) fn scope(&self, arguments: &mut Arguments) -> Result<Scope, ToolError> {
        let layer = arguments
            .parsed("layer", Layer::parse)?
            .unwrap_or_else(|| self.binding.layer.clone());
        self.inside(&layer)?;
        Ok(Scope {
            layer,
            project: arguments.parsed("project", Project::parse)?,
            session: arguments
                .parsed("session", SessionId::parse)?
                .or_else(|| self.binding.session.clone()),
        })
    }

    /// Insists that a layer is the bound one or lies below it.
    pub(in crate::mcp) fn inside(&self, layer: &Layer) -> Result<(), ToolError> {
        // A memory of the bound layer is seen from exactly the layers at or below it.
        if self.binding.layer.is_visible_from(layer) {
            return Ok(());
        }
        Err(ToolError::new(
            Code::OutsideLayer,
            format!(
                "`{}` is not at or below `{}`, which this server is bound to",
                crate::text::line_within(layer.as_str(), 120),
                self.binding.layer
            ),
        ))
    }

    /// Who proposes, recalls or reports, in a word.
    pub(in crate::mcp) fn actor(&self) -> String {
        let client = self.client.as_deref().unwrap_or("unnamed client");
        format!("mcp {}", crate::text::line_within(client, 80))
    }

    /// The same as a proposer's name.
    pub(in crate::mcp) fn proposer(&self) -> Result<Proposer, ToolError> {
        Proposer::parse(&self.actor())
            .map_err(|error| ToolError::new(Code::BadArgument, error.to_string()))
    }
}
