//! What a verified body says. Its shape alone decides which event it is; a header that names
//! another is a contradiction, and the event is turned away.

use crate::domain::Time;
use crate::domain::receipt::{EventAction, EventState, Said};
use crate::receipt::{Raw, Refusal};
use serde_json::Value;

/// One kind of event: its name in `X-GitHub-Event`, and how its body is read. A reader gives
/// nothing where the body has another shape.
struct Shape {
    name: &'static str,
    read: fn(&Value) -> Option<Said>,
}

/// Every kind that can say something.
const SHAPES: &[Shape] = &[
    Shape {
        name: "deployment_status",
        read: deployment_status,
    },
    Shape {
        name: "pull_request_review",
        read: pull_request_review,
    },
    Shape {
        name: "countersign",
        read: own,
    },
];

/// Reads what an event says.
///
/// # Errors
/// A body that is no event we know, or that is another event than its header says.
pub fn read(raw: &Raw) -> Result<Said, Refusal> {
    let unknown = |what: &str| Refusal::Unknown(what.to_owned());
    let body: Value =
        serde_json::from_slice(&raw.body).map_err(|_| unknown("its body is not JSON"))?;
    let mut found = SHAPES
        .iter()
        .filter_map(|shape| (shape.read)(&body).map(|said| (shape.name, said)));
    let Some((name, said)) = found.next() else {
        return Err(unknown(
            "its body is none of deployment_status, pull_request_review, countersign",
        ));
    };
    if found.next().is_some() {
        return Err(unknown("its body is two events at once"));
    }
    if raw
        .header("X-GitHub-Event")
        .is_some_and(|header| header != name)
    {
        return Err(Refusal::Unknown(format!(
            "its header names another event than its body, which is a {name}"
        )));
    }
    Ok(said)
}

fn text<'a>(value: &'a Value, path: &[&str]) -> Option<&'a str> {
    let found = path
        .iter()
        .try_fold(value, |value, key| value.get(key))?
        .as_str()?;
    (!found.is_empty()).then_some(found)
}

fn moment(value: &Value, paths: &[&[&str]]) -> Option<Time> {
    paths
        .iter()
        .find_map(|path| Time::parse(text(value, path)?).ok())
}

fn deployment_status(body: &Value) -> Option<Said> {
    let state = text(body, &["deployment_status", "state"])?;
    let sha = text(body, &["deployment", "sha"])?;
    let repository = text(body, &["repository", "full_name"])?;
    let of_status = text(body, &["deployment_status", "environment"]);
    let of_deployment = text(body, &["deployment", "environment"]);
    let environment = of_status.or(of_deployment)?;
    // An event that names two environments speaks of neither.
    if of_deployment.is_some_and(|other| other != environment) {
        return None;
    }
    Some(Said {
        action: EventAction::Deployed,
        subject: format!("{repository}@{sha}"),
        environment: Some(environment.to_owned()),
        state: match state {
            "success" => EventState::Succeeded,
            "failure" | "error" | "inactive" => EventState::Withdrawn,
            _ => EventState::Underway,
        },
        said_at: moment(
            body,
            &[
                &["deployment_status", "created_at"],
                &["deployment_status", "updated_at"],
            ],
        ),
        order: body
            .pointer("/deployment_status/id")
            .and_then(Value::as_i64),
    })
}

fn pull_request_review(body: &Value) -> Option<Said> {
    let state = text(body, &["review", "state"])?;
    let number = body.pointer("/pull_request/number")?.as_u64()?;
    let repository = text(body, &["repository", "full_name"])?;
    Some(Said {
        action: EventAction::Approved,
        subject: format!("{repository}#{number}"),
        environment: None,
        state: match state.to_ascii_lowercase().as_str() {
            "approved" => EventState::Succeeded,
            "dismissed" | "changes_requested" => EventState::Withdrawn,
            _ => EventState::Underway,
        },
        said_at: moment(body, &[&["review", "submitted_at"]]),
        order: body.pointer("/review/id").and_then(Value::as_i64),
    })
}

/// Our own form, for scripts: `{"countersign":1,"action","subject","environment"?,"state","at"}`.
fn own(body: &Value) -> Option<Said> {
    if body.get("countersign")?.as_u64() != Some(1) {
        return None;
    }
    Some(Said {
        action: EventAction::parse(text(body, &["action"])?).ok()?,
        subject: text(body, &["subject"])?.to_owned(),
        environment: text(body, &["environment"]).map(str::to_owned),
        state: match text(body, &["state"])? {
            "success" => EventState::Succeeded,
            "failure" | "error" | "inactive" | "withdrawn" => EventState::Withdrawn,
            _ => EventState::Underway,
        },
        said_at: Some(moment(body, &[&["at"]])?),
        order: None,
    })
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::domain::receipt::EventState;
    use crate::receipt::tests::raw;

    fn check(headers: &[(&str, &str)], body: &str, expected: Option<(&str, EventState)>) {
        let said = read(&raw(headers, body)).ok();
        let found = said.map(|said| {
            (
                format!(
                    "{} {} {}",
                    said.action,
                    said.subject,
                    said.environment.unwrap_or_default()
                ),
                said.state,
            )
        });
        assert_eq!(
            found.as_ref().map(|(what, state)| (what.as_str(), *state)),
            expected,
            "{body}"
        );
    }

    fn deployment(state: &str, environment: &str) -> String {
        format!(
            r#"{{"deployment_status":{{"state":"{state}","environment":"{environment}"}},"deployment":{{"sha":"abc123","environment":"production"}},"repository":{{"full_name":"acme/shop"}}}}"#
        )
    }

    #[test]
    fn only_a_success_says_that_it_was_done() {
        let said = "deployed acme/shop@abc123 production";
        check(
            &[],
            &deployment("success", "production"),
            Some((said, EventState::Succeeded)),
        );
        for state in ["failure", "error", "inactive"] {
            check(
                &[],
                &deployment(state, "production"),
                Some((said, EventState::Withdrawn)),
            );
        }
        for state in ["in_progress", "queued", "pending", "Success", "successful"] {
            check(
                &[],
                &deployment(state, "production"),
                Some((said, EventState::Underway)),
            );
        }
        check(&[], &deployment("success", "staging"), None);
    }

    #[test]
    fn the_body_says_which_event_it_is_and_a_header_may_not_differ() {
        let body = deployment("success", "production");
        let said = Some((
            "deployed acme/shop@abc123 production",
            EventState::Succeeded,
        ));
        check(&[("x-github-event", "deployment_status")], &body, said);
        check(&[("X-GitHub-Event", "pull_request_review")], &body, None);
        let review = r#"{"action":"submitted","review":{"id":7,"state":"approved","submitted_at":"2026-06-03T10:00:00Z"},"pull_request":{"number":312},"repository":{"full_name":"acme/shop"}}"#;
        check(
            &[],
            review,
            Some(("approved acme/shop#312 ", EventState::Succeeded)),
        );
        check(&[("X-GitHub-Event", "deployment_status")], review, None);
        let own = r#"{"countersign":1,"action":"paid","subject":"acme/books#4711","state":"success","at":"2026-06-03T10:00:00Z"}"#;
        check(
            &[],
            own,
            Some(("paid acme/books#4711 ", EventState::Succeeded)),
        );
        for bad in [
            "",
            "[]",
            "{}",
            r#"{"countersign":1,"action":"paid","subject":"x","state":"success"}"#,
            r#"{"countersign":2,"action":"paid","subject":"x","state":"success","at":"2026-06-03T10:00:00Z"}"#,
        ] {
            check(&[], bad, None);
        }
        let both = format!(
            r#"{},"countersign":1,"action":"paid","subject":"x","state":"success","at":"2026-06-03T10:00:00Z"}}"#,
            body.trim_end_matches('}').to_owned() + "}"
        );
        check(&[], &both, None);
    }
}
