//! `X-Hub-Signature-256`: HMAC-SHA256 over the body, in hex. No header is signed.

use crate::domain::receipt::Scheme;
use crate::receipt::{Raw, Refusal, SchemeRow};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

pub(in crate::receipt) const SCHEME: SchemeRow = SchemeRow {
    scheme: Scheme::Github,
    verify,
};

const SIGNATURE: &str = "X-Hub-Signature-256";
const DELIVERY: &str = "X-GitHub-Delivery";

fn verify(raw: &Raw, secret: &[u8]) -> Result<String, Refusal> {
    if secret.is_empty() {
        return Err(Refusal::BadSecret);
    }
    let signature = raw.header(SIGNATURE).ok_or(Refusal::Missing(SIGNATURE))?;
    let tag = signature
        .strip_prefix("sha256=")
        .and_then(from_hex)
        .ok_or(Refusal::Malformed(SIGNATURE))?;
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).map_err(|_| Refusal::BadSecret)?;
    mac.update(&raw.body);
    mac.verify_slice(&tag).map_err(|_| Refusal::Mismatch)?;
    let delivery = raw.header(DELIVERY).filter(|id| !id.is_empty());
    Ok(delivery.ok_or(Refusal::Missing(DELIVERY))?.to_owned())
}

/// Thirty-two bytes in hex, in either case.
fn from_hex(text: &str) -> Option<[u8; 32]> {
    crate::domain::Digest::parse(&text.to_ascii_lowercase())
        .ok()
        .map(|digest| digest.0)
}
