//! Which files `ingest` reads: those that were named, and of a folder those that are recognised.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The files of one argument.
#[derive(Debug, Default)]
pub(in crate::cli) struct Chosen {
    pub(in crate::cli) files: Vec<PathBuf>,
    /// How many files of the folder are of no known format.
    pub(in crate::cli) left_out: u64,
}

/// The file itself, or what is recognised in the folder and below; links to folders are not
/// followed.
pub(in crate::cli) fn choose(path: &Path, any_format: bool) -> Result<Chosen, String> {
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_dir() {
        return Ok(Chosen {
            files: vec![path.to_owned()],
            left_out: 0,
        });
    }
    let mut chosen = Chosen::default();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        // A folder that went away or may not be read holds nothing for us.
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.is_file() && (any_format || is_recognised(&path)) => {
                    chosen.files.push(path);
                }
                Ok(kind) if kind.is_file() => chosen.left_out += 1,
                _ => {}
            }
        }
    }
    chosen.files.sort();
    if chosen.files.is_empty() {
        return Err("no file in it is a transcript".to_owned());
    }
    Ok(chosen)
}

/// Plain text is anything: of a folder it is not taken for a transcript.
fn is_recognised(path: &Path) -> bool {
    let mut head = Vec::new();
    let most = crate::transcript::HEAD as u64;
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut head));
    read.is_ok() && crate::transcript::sniff(&head).name != "plain"
}

/// Opens a file, and says whether it has a name under which it can be found again: what comes
/// through a pipe is put aside first.
pub(in crate::cli) fn open(path: &Path) -> std::io::Result<(File, bool)> {
    let mut file = File::open(path)?;
    if file.metadata()?.is_file() {
        return Ok((file, true));
    }
    let mut aside = tempfile::tempfile()?;
    std::io::copy(&mut file, &mut aside)?;
    aside.rewind()?;
    Ok((aside, false))
}

/// The one name of a file, however it was written.
pub(in crate::cli) fn whole_name(path: &Path) -> String {
    let whole = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    whole.to_string_lossy().into_owned()
}

/// How each file looked when it was read last.
#[derive(Debug, Default)]
pub(in crate::cli) struct Seen(BTreeMap<PathBuf, (u64, Option<SystemTime>)>);

impl Seen {
    /// Whether the file looks other than the last time it was asked about.
    pub(in crate::cli) fn has_changed(&mut self, path: &Path) -> bool {
        let Ok(about) = std::fs::metadata(path) else {
            return false;
        };
        let now = (about.len(), about.modified().ok());
        self.0.insert(path.to_owned(), now) != Some(now)
    }
}
