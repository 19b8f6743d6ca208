//! Each reviewer remembers, in their own configuration, what they saw of a ledger: the last entry,
//! and a checkpoint of everything up to it, signed with their own key. They are told when a store
//! has not grown out of it. The checkpoint is a file that can be handed to others as it is.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{anchor, places};
use crate::desk::put_whole;
use crate::desk::{Desk, Sight};
use crate::domain::{Digest, EntrySeq};
use crate::ledger::note::SignedCheckpoint;
use std::path::{Path, PathBuf};

/// Why this store is not the one the caller saw, if it is not. Nothing remembered, no objection.
pub(in crate::cli) fn objection(
    desk: &Desk,
    context: &Context<'_>,
) -> Result<Option<String>, Failure> {
    if let Some((file, seen)) = remembered(desk, context)?
        && let Some(why) = desk.contradicts(&seen)?
    {
        return Ok(Some(with_place(&why, &file)));
    }
    if let Some(why) = anchored_elsewhere(desk, context)? {
        return Ok(Some(why));
    }
    let Some((file, seen)) = checkpoint(desk, context)? else {
        return Ok(None);
    };
    let Ok(seen) = SignedCheckpoint::parse(&seen) else {
        return Ok(Some(with_place(
            "the checkpoint you saw cannot be read",
            &file,
        )));
    };
    if !seen.is_signed_by(&anchor::key(desk, context)?.verifier()) {
        return Ok(Some(with_place(
            "the checkpoint you saw is not signed by your key",
            &file,
        )));
    }
    let agreement = desk.agrees(&seen.checkpoint)?;
    let why = agreement.objection(&seen.checkpoint);
    Ok(why.map(|why| with_place(&why, &file)))
}

/// The newest checkpoint that the caller saw of this ledger, with its place.
pub(in crate::cli) fn checkpoint(
    desk: &Desk,
    context: &Context<'_>,
) -> Result<Option<(PathBuf, String)>, Failure> {
    let Some(now) = desk.sight()? else {
        return Ok(None);
    };
    let file = place(context, &format!("{}.checkpoint", now.store));
    Ok(file.and_then(|file| {
        let text = std::fs::read_to_string(&file).ok()?;
        Some((file, text))
    }))
}

/// Remembers what there is to be seen now. A witness that cannot write only says so.
pub(in crate::cli) fn remember(desk: &Desk, context: &mut Context<'_>) -> Result<(), Failure> {
    let Some(sight) = desk.sight()? else {
        return Ok(());
    };
    let Some(file) = place(context, &sight.store) else {
        return Ok(());
    };
    let seen = desk.checkpoint()?;
    let written = match anchor::key(desk, context) {
        Err(failure) => Err(failure.what()),
        Ok(key) => {
            let text = format!("{} {}\n", sight.entry, sight.hash);
            let mut note = file.as_os_str().to_owned();
            note.push(".checkpoint");
            put_whole(&file, &text, None, || true)
                .and_then(|_| put_whole(Path::new(&note), &seen.signed(&key), None, || true))
                .map(|_| ())
                .map_err(|error| error.to_string())
        }
    };
    if let Err(error) = written {
        let shown = crate::text::line(&file.display().to_string());
        context.note(&format!(
            "what you saw of the ledger cannot be remembered in {shown}: {}",
            crate::text::line(&error)
        ));
    }
    Ok(())
}

/// The places that the configuration sends checkpoints to hold what was seen as well.
fn anchored_elsewhere(desk: &Desk, context: &Context<'_>) -> Result<Option<String>, Failure> {
    let origin = desk.origin()?;
    for place in anchor::configured(context)? {
        let file = place.file(&origin);
        let seen = std::fs::read_to_string(&file).ok();
        // What stands there and is no checkpoint is somebody else's file: writing one says so.
        let Some(seen) = seen.and_then(|text| SignedCheckpoint::parse(&text).ok()) else {
            continue;
        };
        if seen.checkpoint.origin != origin {
            continue; // one configuration may serve several stores
        }
        let agreement = desk.agrees(&seen.checkpoint)?;
        if let Some(why) = agreement.objection(&seen.checkpoint) {
            return Ok(Some(with_place(&why, &file)));
        }
    }
    Ok(None)
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

fn with_place(why: &str, file: &Path) -> String {
    let shown = crate::text::line(&file.display().to_string());
    format!("{why} (remembered in {shown})")
}

fn place(context: &Context<'_>, store: &str) -> Option<PathBuf> {
    let plain = store.trim_end_matches(".checkpoint");
    let plain = plain.chars().all(|c| c.is_ascii_alphanumeric());
    places::config_folder(&context.around.environment)
        .filter(|_| plain)
        .map(|folder| folder.join("seen").join(store))
}
