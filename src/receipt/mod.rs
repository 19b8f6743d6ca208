//! Whether bytes are a signed workflow event, and what it says. Pure: secret, headers, body and the
//! moment of arrival are arguments.
//!
//! Verifies over the raw bytes before anything is parsed, in constant time. What an event may say
//! is read from the body alone: in the GitHub scheme no header is signed. Knows no store, no file
//! and no memory.

mod asserts;
mod github;
mod read;
mod standard;
mod standing;

pub use asserts::asserts;
pub use read::read;
pub use standing::{Arrived, Standing, standing};

use crate::domain::Time;
use crate::domain::receipt::{EventSource, Said, Scheme};
use std::fmt;

/// An event as it came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raw {
    /// Its headers, names in any case.
    pub headers: Vec<(String, String)>,
    /// Its body, byte for byte.
    pub body: Vec<u8>,
    /// When it was received.
    pub received_at: Time,
}

impl Raw {
    /// A header's value, its name in any case.
    pub(in crate::receipt) fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    }
}

/// Why an event is turned away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A header that the scheme needs is not there.
    Missing(&'static str),
    /// A header cannot be read as what it must be.
    Malformed(&'static str),
    /// The signature is not one of this body by this secret.
    Mismatch,
    /// It was signed too long before or after it arrived.
    NotFresh,
    /// The secret cannot be used.
    BadSecret,
    /// The body is no event that is known.
    Unknown(String),
    /// It speaks of what its source may not speak of.
    Outside(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "the header `{name}` is missing"),
            Self::Malformed(name) => write!(f, "the header `{name}` cannot be read"),
            Self::Mismatch => {
                f.write_str("the signature is not one of these bytes by this source's secret")
            }
            Self::NotFresh => {
                f.write_str("it was signed more than 5 minutes away from its arrival")
            }
            Self::BadSecret => {
                f.write_str("the source's secret cannot be read as its scheme needs it")
            }
            Self::Unknown(what) | Self::Outside(what) => f.write_str(what),
        }
    }
}

/// One way of signing.
struct SchemeRow {
    scheme: Scheme,
    /// Verifies, and gives the sender's id of the delivery.
    verify: fn(&Raw, &[u8]) -> Result<String, Refusal>,
}

/// Every way of signing.
const SCHEMES: &[&SchemeRow] = &[&github::SCHEME, &standard::SCHEME];

/// Verifies an event with its source's secret. Gives the sender's own id of the delivery.
///
/// # Errors
/// Why it is turned away.
pub fn verify(scheme: Scheme, raw: &Raw, secret: &[u8]) -> Result<String, Refusal> {
    let row = SCHEMES.iter().find(|row| row.scheme == scheme);
    row.map_or(Err(Refusal::BadSecret), |row| (row.verify)(raw, secret))
}

/// Whether what an event says lies inside what its source may speak of.
///
/// # Errors
/// What lies outside.
pub fn check_source(said: &Said, source: &EventSource) -> Result<(), Refusal> {
    let of_repository = |rest: &str| rest.is_empty() || rest.starts_with(['@', '#']);
    let inside = said
        .subject
        .strip_prefix(&source.repository)
        .is_some_and(of_repository);
    if !inside {
        return Err(Refusal::Outside(format!(
            "it speaks of `{}`, and this source only of `{}`",
            crate::text::line_within(&said.subject, 80),
            source.repository
        )));
    }
    if said.environment != source.environment {
        let named = |environment: &Option<String>| match environment {
            Some(name) => format!("`{}`", crate::text::line_within(name, 60)),
            None => "no environment".to_owned(),
        };
        return Err(Refusal::Outside(format!(
            "it speaks of {}, and this source only of {}",
            named(&said.environment),
            named(&source.environment)
        )));
    }
    Ok(())
}

#[cfg(test)]
pub(in crate::receipt) mod tests {
    use super::{Raw, Refusal, Scheme, verify};
    use crate::domain::Time;

    pub(in crate::receipt) fn raw(headers: &[(&str, &str)], body: &str) -> Raw {
        Raw {
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            body: body.as_bytes().to_vec(),
            received_at: Time::from_millis(1_649_367_553_000),
        }
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "a table of cases is read in one line each"
    )]
    fn check(
        scheme: Scheme,
        headers: &[(&str, &str)],
        body: &str,
        secret: &str,
        expected: Result<&str, Refusal>,
    ) {
        let found = verify(scheme, &raw(headers, body), secret.as_bytes());
        assert_eq!(
            found.as_deref().map_err(Clone::clone),
            expected,
            "{headers:?}"
        );
    }

    const HUB: &str = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const SECRET: &str = "It's a Secret to Everybody";

    #[test]
    fn the_published_vector_of_github_holds() {
        let delivery = ("x-github-delivery", "d-1");
        let good = &[("X-Hub-Signature-256", HUB), delivery];
        check(Scheme::Github, good, "Hello, World!", SECRET, Ok("d-1"));
        check(
            Scheme::Github,
            &[("x-hub-signature-256", HUB), delivery],
            "Hello, World!",
            SECRET,
            Ok("d-1"),
        );
    }

    #[test]
    fn nothing_near_the_vector_of_github_holds() {
        let delivery = ("x-github-delivery", "d-1");
        let good = &[("X-Hub-Signature-256", HUB), delivery];
        check(
            Scheme::Github,
            good,
            "Hello, World?",
            SECRET,
            Err(Refusal::Mismatch),
        );
        check(
            Scheme::Github,
            good,
            "Hello, World!\n",
            SECRET,
            Err(Refusal::Mismatch),
        );
        check(
            Scheme::Github,
            good,
            "Hello, World!",
            "another",
            Err(Refusal::Mismatch),
        );
        let malformed = || Err(Refusal::Malformed("X-Hub-Signature-256"));
        check(
            Scheme::Github,
            &[
                ("X-Hub-Signature-256", HUB.trim_start_matches("sha256=")),
                delivery,
            ],
            "Hello, World!",
            SECRET,
            malformed(),
        );
        check(
            Scheme::Github,
            &[
                ("X-Hub-Signature-256", HUB.trim_end_matches("e17")),
                delivery,
            ],
            "Hello, World!",
            SECRET,
            malformed(),
        );
        check(
            Scheme::Github,
            &[delivery],
            "Hello, World!",
            SECRET,
            Err(Refusal::Missing("X-Hub-Signature-256")),
        );
        check(
            Scheme::Github,
            &[("X-Hub-Signature-256", HUB)],
            "Hello, World!",
            SECRET,
            Err(Refusal::Missing("X-GitHub-Delivery")),
        );
        check(
            Scheme::Github,
            good,
            "Hello, World!",
            "",
            Err(Refusal::BadSecret),
        );
    }

    const WHSEC: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    const BODY: &str = r#"{"email":"test@example.com","username":"test_user"}"#;
    const V1: &str = "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=";

    #[test]
    fn the_published_vector_of_standard_webhooks_holds() {
        let id = "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk";
        let with = |id: &'static str, at: &'static str, signature: &'static str| {
            [
                ("webhook-id", id),
                ("webhook-timestamp", at),
                ("webhook-signature", signature),
            ]
        };
        check(
            Scheme::Standard,
            &with(id, "1649367553", V1),
            BODY,
            WHSEC,
            Ok(id),
        );
        check(
            Scheme::Standard,
            &with(
                id,
                "1649367553",
                "v1,AAAA v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=",
            ),
            BODY,
            WHSEC,
            Ok(id),
        );
    }

    #[test]
    fn nothing_near_the_vector_of_standard_webhooks_holds() {
        let id = "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk";
        let with = |id: &'static str, at: &'static str, signature: &'static str| {
            [
                ("webhook-id", id),
                ("webhook-timestamp", at),
                ("webhook-signature", signature),
            ]
        };
        check(
            Scheme::Standard,
            &with(
                id,
                "1649367553",
                "v1a,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=",
            ),
            BODY,
            WHSEC,
            Err(Refusal::Mismatch),
        );
        check(
            Scheme::Standard,
            &with("msg_other", "1649367553", V1),
            BODY,
            WHSEC,
            Err(Refusal::Mismatch),
        );
        check(
            Scheme::Standard,
            &with(id, "1649367554", V1),
            BODY,
            WHSEC,
            Err(Refusal::Mismatch),
        );
    }

    #[test]
    fn a_standard_webhook_is_fresh_and_whole() {
        let id = "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk";
        let with = |id: &'static str, at: &'static str, signature: &'static str| {
            [
                ("webhook-id", id),
                ("webhook-timestamp", at),
                ("webhook-signature", signature),
            ]
        };
        check(
            Scheme::Standard,
            &with(id, "1649367252", V1),
            BODY,
            WHSEC,
            Err(Refusal::NotFresh),
        );
        check(
            Scheme::Standard,
            &with(id, "1649367854", V1),
            BODY,
            WHSEC,
            Err(Refusal::NotFresh),
        );
        check(
            Scheme::Standard,
            &with(id, "-9223372036854775808", V1),
            BODY,
            WHSEC,
            Err(Refusal::NotFresh),
        );
        check(
            Scheme::Standard,
            &with(id, "now", V1),
            BODY,
            WHSEC,
            Err(Refusal::Malformed("webhook-timestamp")),
        );
        check(
            Scheme::Standard,
            &with(id, "1649367553", V1),
            BODY,
            "whsec_***",
            Err(Refusal::BadSecret),
        );
        check(
            Scheme::Standard,
            &with("", "1649367553", V1),
            BODY,
            WHSEC,
            Err(Refusal::Missing("webhook-id")),
        );
    }
}
