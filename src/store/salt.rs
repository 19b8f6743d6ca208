//! Fresh salts for what is written in bulk.

use crate::domain::Salt;
use crate::store::error::StoreError;

/// How many bytes the salt of one observation has.
pub(in crate::store) const ROW_SALT: usize = 16;

/// One salt.
pub(in crate::store) fn fresh() -> Result<Salt, StoreError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| no_randomness(&error))?;
    Ok(Salt(bytes))
}

/// So many salts of rows, in one piece.
pub(in crate::store) fn rows(count: usize) -> Result<Vec<u8>, StoreError> {
    let mut bytes = vec![0_u8; count.saturating_mul(ROW_SALT)];
    getrandom::fill(&mut bytes).map_err(|error| no_randomness(&error))?;
    Ok(bytes)
}

fn no_randomness(error: &getrandom::Error) -> StoreError {
    StoreError::Broken(format!("no random bytes to be had: {error}"))
}
