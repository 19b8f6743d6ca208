//! The house from outside: one binary, one hermetic world, the command line and the desk.
//!
//! A test here proves wiring and invariants, not judgement: what a rule says is tested beside the
//! rule. Names are sentences; those that begin with `inv` and `m` are the invariants of DESIGN
//! section 2 and the known failures of others.

#[cfg(test)]
mod contract;
#[cfg(test)]
#[cfg(unix)]
mod crash;
#[cfg(test)]
mod detector;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod evidence;
#[cfg(test)]
mod export;
#[cfg(test)]
mod exported;
#[cfg(test)]
mod forger;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod hook;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod ingest;
#[cfg(test)]
mod invariants;
#[cfg(test)]
mod known_failures;
#[cfg(test)]
mod ledger;
#[cfg(test)]
mod many;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod mcp_clients;
#[cfg(test)]
mod metrics;
#[cfg(test)]
mod plain;
#[cfg(test)]
mod policy;
#[cfg(test)]
mod policy_change;
#[cfg(test)]
mod query;
#[cfg(test)]
mod receipts;
#[cfg(test)]
mod recurrence;
#[cfg(test)]
mod renew;
#[cfg(test)]
mod reshape;
#[cfg(test)]
mod reviewers;
#[cfg(test)]
mod signed;
#[cfg(test)]
mod supersede;
#[cfg(test)]
mod trace;
#[cfg(test)]
mod transcripts;
#[cfg(test)]
mod why;
#[cfg(test)]
mod world;
