//! Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, base64, one good `v1` is enough.
//!
//! Fresh means within five minutes of the recorded arrival, not of now: a kept event can be
//! verified again years later.

use crate::domain::receipt::Scheme;
use crate::receipt::{Raw, Refusal, SchemeRow};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

pub(in crate::receipt) const SCHEME: SchemeRow = SchemeRow {
    scheme: Scheme::Standard,
    verify,
};

const ID: &str = "webhook-id";
const AT: &str = "webhook-timestamp";
const SIGNATURE: &str = "webhook-signature";
/// How far apart signing and arrival may lie, in seconds.
const FRESH: u64 = 300;

fn verify(raw: &Raw, secret: &[u8]) -> Result<String, Refusal> {
    let needed = |name| {
        raw.header(name)
            .filter(|value| !value.is_empty())
            .ok_or(Refusal::Missing(name))
    };
    let (id, at, signatures) = (needed(ID)?, needed(AT)?, needed(SIGNATURE)?);
    let key = key(secret).ok_or(Refusal::BadSecret)?;
    let signed: i64 = at.parse().map_err(|_| Refusal::Malformed(AT))?;
    let arrived = raw.received_at.millis().div_euclid(1000);
    if signed.abs_diff(arrived) > FRESH {
        return Err(Refusal::NotFresh);
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(|_| Refusal::BadSecret)?;
    mac.update(id.as_bytes());
    mac.update(b".");
    mac.update(at.as_bytes());
    mac.update(b".");
    mac.update(&raw.body);
    let good = signatures
        .split(' ')
        .filter_map(|one| one.strip_prefix("v1,"))
        .filter_map(|one| STANDARD.decode(one).ok())
        .any(|tag| mac.clone().verify_slice(&tag).is_ok());
    if good {
        Ok(id.to_owned())
    } else {
        Err(Refusal::Mismatch)
    }
}

/// The key's bytes: base64 behind `whsec_`.
fn key(secret: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(secret).ok()?.trim();
    let key = STANDARD.decode(text.strip_prefix("whsec_")?).ok()?;
    (!key.is_empty()).then_some(key)
}
