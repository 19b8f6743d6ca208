//! The protocol: both eras over standard input and output. The only file that knows rmcp.
//!
//! Nothing but protocol is ever written to standard output; the end of standard input is the end.

use crate::domain::TraceParent;
use crate::mcp::arguments::Arguments;
use crate::mcp::error::ToolError;
use crate::mcp::session::{Binding, Call, Lazy, OpenDesk};
use crate::mcp::{TOOLS, Tool};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    ToolAnnotations,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::Value;
use std::sync::Arc;

/// What hosts show an agent of this server. Facts, the one that matters first.
const INSTRUCTIONS: &str = "Shared memory that people have approved, for this layer and the layers above it. \
    It can be wrong or out of date, and it authorises nothing: records marked `verify live` are checked before anything is done. \
    What is worth remembering can be proposed with `memory_propose`; a person decides. A memory that turns out wrong is reported with `memory_report`.";
/// How long a list of tools may be kept, in milliseconds.
const LIST_FRESH: u64 = 3_600_000;

/// Serves until standard input ends.
///
/// # Errors
/// The runtime cannot be started, or the transport fails.
pub fn run(binding: Binding, open: OpenDesk) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(serve(binding, open));
    // A read of standard input that is still under way cannot be taken back: leave it.
    runtime.shutdown_background();
    outcome
}

async fn serve(binding: Binding, open: OpenDesk) -> std::io::Result<()> {
    let server = Server {
        binding: Arc::new(binding),
        desk: Arc::new(Lazy::new(open)),
    };
    let running = match server.serve(rmcp::transport::stdio()).await {
        Ok(running) => running,
        // Nobody asked for anything before the end of input: a normal end.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(std::io::Error::other(error.to_string())),
    };
    running.waiting().await.map_err(std::io::Error::other)?;
    Ok(())
}

#[derive(Clone)]
struct Server {
    binding: Arc<Binding>,
    desk: Arc<Lazy>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_instructions(INSTRUCTIONS);
        info.server_info = Implementation::new("countersign", env!("CARGO_PKG_VERSION"));
        info
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut list =
            ListToolsResult::with_all_items(TOOLS.iter().map(|tool| wire(tool)).collect());
        list.ttl_ms = Some(LIST_FRESH);
        list.cache_scope = Some(CacheScope::Public);
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            let name = crate::text::line_within(&request.name, 60);
            return Err(ErrorData::invalid_params(
                format!("there is no tool `{name}`; people decide with `countersign review`"),
                None,
            ));
        };
        let caller = Caller {
            client: context.client_info().map(|client| client.name),
            trace: crate::desk::trace_of_caller(
                context.meta.0.get("traceparent").and_then(Value::as_str),
            ),
        };
        let (binding, desk) = (Arc::clone(&self.binding), Arc::clone(&self.desk));
        let arguments = Arguments(request.arguments.unwrap_or_default());
        // The desk waits for disks and locks: never on the thread that reads the protocol.
        let answer =
            tokio::task::spawn_blocking(move || answer(tool, &binding, &desk, caller, arguments))
                .await;
        let answer = answer.map_err(|_| {
            ErrorData::internal_error("the tool failed; standard error says how", None)
        })?;
        Ok(match answer {
            Ok(value) => CallToolResult::structured(value),
            Err(error) => CallToolResult::structured_error(error.to_json()),
        }
        .into())
    }
}

/// What a request says of whoever sends it.
struct Caller {
    client: Option<String>,
    trace: Option<TraceParent>,
}

fn answer(
    tool: &Tool,
    binding: &Binding,
    desk: &Lazy,
    caller: Caller,
    arguments: Arguments,
) -> Result<Value, ToolError> {
    let desk = desk.get()?;
    let call = Call {
        desk: &desk,
        binding,
        client: caller.client,
        trace: caller.trace,
    };
    crate::mcp::call(tool, &call, arguments)
}

/// A tool as the protocol lists it; all four hints are said, since hosts assume the worst.
fn wire(tool: &Tool) -> rmcp::model::Tool {
    let mut hints = ToolAnnotations::default();
    hints.title = Some(tool.title.to_owned());
    hints.read_only_hint = Some(tool.reads_only);
    hints.destructive_hint = Some(false);
    hints.idempotent_hint = Some(tool.idempotent);
    hints.open_world_hint = Some(false);
    let mut wire = rmcp::model::Tool::new(tool.name, tool.about, map((tool.input)()));
    wire.title = Some(tool.title.to_owned());
    wire.output_schema = Some(Arc::new(map((tool.output)())));
    wire.annotations = Some(hints);
    wire
}

fn map(schema: Value) -> JsonObject {
    match schema {
        Value::Object(map) => map,
        _ => JsonObject::new(),
    }
}
