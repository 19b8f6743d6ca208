//! # Countersign
//!
//! Memory is cheap to propose and expensive to trust. Nothing an agent noticed becomes shared
//! knowledge until a person has countersigned its exact bytes.
//!
//! Facts enter at the edge, pure rooms judge, one room writes, faces only show. Every arrow points
//! down; rooms on one floor are strangers, what they share is a word in [`domain`], and [`desk`]
//! carries facts from one to the other. `tests/floors.rs` reads the imports and holds this.
//!
//! | floor | rooms | what is absent |
//! |---|---|---|
//! | 0 words | [`domain`], [`text`], [`features`] | IO, clock, randomness, environment |
//! | 1 judgement | [`gate`], [`evidence`], [`recurrence`], [`ledger`], [`transcript`], [`compare`], [`render`], [`receipt`], [`page`] | the same; time and facts are arguments |
//! | 2 keeping | [`store`], [`keys`], [`trace`] | judgement; SQL is nowhere but in `store`, signatures nowhere but in `keys` |
//! | 3 acts | [`desk`] | screens, terminals, argument syntax |
//! | 4 faces | [`cli`], [`mcp`], [`hook`], [`console`] | business rules; they are strangers to each other but for the doors that open one from another |
//!
//! How a fact flows: a transcript, an observation or a proposal enters through `desk`; the detector
//! groups what recurs; the gate judges every candidate; a person decides in the console or at a
//! terminal; approval mints a memory; recall serves it, checked against the ledger, and logs it.
//! Every arrow that changes state is one entry in the ledger, in the same transaction.

pub mod domain;
pub mod features;
pub mod text;

pub mod compare;
pub mod evidence;
pub mod gate;
pub mod ledger;
pub mod page;
pub mod receipt;
pub mod recurrence;
pub mod render;
pub mod transcript;

pub mod keys;
pub mod store;
pub mod trace;

pub mod desk;

pub mod cli;

pub mod hook;

pub mod mcp;

pub mod console;
