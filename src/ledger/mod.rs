//! The ledger as pure data: canonical bytes, hashes, the chain, and what a replay adds up to.
//!
//! Entries come in as bytes and go out as bytes; where they are kept is `store`'s business.
//! This room never sees a text: entries hold salted commitments only.

pub mod canonical;
pub mod chain;
pub mod contents;
pub mod export;
pub mod note;
pub mod proof;
pub mod replay;
pub mod scan;
pub mod statement;
pub mod tree;
pub mod verify;
