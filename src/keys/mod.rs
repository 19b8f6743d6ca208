//! Keys: signing a decision, checking a signature, and the list of reviewers that entries add up to.
//!
//! A signature is an SSHSIG, so that plain `ssh-keygen -Y verify` can check it. This room asks
//! nobody for a passphrase and writes nothing down: both are the business of others. It knows no SQL.

mod allowed;
mod error;
mod list;
mod proof;
mod signer;

pub use allowed::{allowed_signers, principal, stamp};
pub use error::KeyError;
pub use list::{Listed, Listing, Member, Reviewers};
pub use proof::{Proof, check, fingerprint, public_key};
pub use signer::Signer;

/// What a signature on a decision is for.
pub const DECISION: &str = "countersign-decision";
/// What a signature on a change of the reviewers' list is for.
pub const REVIEWERS: &str = "countersign-reviewers";

/// The namespace in which an act is signed.
#[must_use]
pub const fn namespace(act: crate::domain::Act) -> &'static str {
    match act {
        crate::domain::Act::Reviewer => REVIEWERS,
        _ => DECISION,
    }
}
