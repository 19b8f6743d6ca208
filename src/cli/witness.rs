//! Each reviewer remembers, in their own configuration, the last entry of a ledger they saw, and
//! is told when a store has not grown out of it. One small file a store.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::places;
use crate::desk::{Desk, Sight};
use crate::domain::{Digest, EntrySeq};
use std::path::PathBuf;

/// Why this store is not the one the caller saw, if it is not. Nothing remembered, no objection.
pub(in crate::cli) fn objection(
    desk: &Desk,
    context: &Context<'_>,
) -> Result<Option<String>, Failure> {
    let Some((file, seen)) = remembered(desk, context)? else {
        return Ok(None);
    };
    let objection = desk.contradicts(&seen)?;
    let shown = crate::text::line(&file.display().to_string());
    Ok(objection.map(|why| format!("{why} (remembered in {shown})")))
}

/// Remembers what there is to be seen now. A witness that cannot write only says so.
pub(in crate::cli) fn remember(desk: &Desk, context: &mut Context<'_>) -> Result<(), Failure> {
    let Some(sight) = desk.sight()? else {
        return Ok(());
    };
    let Some(file) = place(context, &sight.store) else {
        return Ok(());
    };
    let text = format!("{} {}\n", sight.entry, sight.hash);
    let written = file
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| write_whole(&file, &text));
    if let Err(error) = written {
        let shown = crate::text::line(&file.display().to_string());
        context.note(&format!(
            "what you saw of the ledger cannot be remembered in {shown}: {error}"
        ));
    }
    Ok(())
}

fn remembered(desk: &Desk, context: &Context<'_>) -> Result<Option<(PathBuf, Sight)>, Failure> {
    let Some(now) = desk.sight()? else {
        return Ok(None);
    };
    let Some(file) = place(context, &now.store) else {
        return Ok(None);
    };
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let parts = text.trim().split_once(' ');
    let seen = parts.and_then(|(entry, hash)| {
        let (entry, hash) = (EntrySeq::parse(entry).ok()?, Digest::parse(hash).ok()?);
        Some(Sight {
            store: now.store,
            entry,
            hash,
        })
    });
    Ok(seen.map(|seen| (file, seen)))
}

fn place(context: &Context<'_>, store: &str) -> Option<PathBuf> {
    let plain = store.chars().all(|c| c.is_ascii_alphanumeric());
    places::config_folder(&context.around.environment)
        .filter(|_| plain)
        .map(|folder| folder.join("seen").join(store))
}

/// The new file takes the old one's place in one step.
fn write_whole(file: &std::path::Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let folder = file.parent().unwrap_or_else(|| std::path::Path::new("."));
    let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
    fresh.write_all(text.as_bytes())?;
    fresh.persist(file).map(|_| ()).map_err(|error| error.error)
}
