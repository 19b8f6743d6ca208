//! Files of lines: whole lines only, one write each, rotated by size, read by their owner only.
//!
//! Several processes append to one file. A lock beside it keeps a rotation from meeting a write;
//! where the lock cannot be had soon, nothing is written and the caller tries again later.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A file of this size becomes the first of the old ones.
const LARGEST: u64 = 64 * 1024 * 1024;
/// How many old files are kept.
const OLD: u32 = 4;
/// How long the lock is waited for.
const PATIENCE: Duration = Duration::from_secs(1);

/// Where a store's acts are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file of spans.
    pub spans: PathBuf,
    /// The file of events, if they are wanted.
    pub events: Option<PathBuf>,
    /// Whether the texts that were handed over are in it.
    pub texts: bool,
}

/// Appends whole lines, each with its end, to the file at `path`.
///
/// # Errors
/// The file or its folder cannot be written, or another process holds it.
pub fn append(path: &Path, lines: &str) -> std::io::Result<()> {
    append_within(path, lines, LARGEST)
}

fn append_within(path: &Path, lines: &str, largest: u64) -> std::io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let _alone = lock(&beside(path, "lock"))?;
    if std::fs::metadata(path).is_ok_and(|found| found.len() >= largest) {
        rotate(path)?;
    }
    let mut file = open(
        OpenOptions::new().create(true).append(true).read(true),
        path,
    )?;
    // A line that a full disk cut in two is ended before the next begins.
    let torn = file.metadata()?.len() > 0 && {
        let mut last = [0_u8; 1];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        last != [b'\n']
    };
    if torn {
        return file.write_all(format!("\n{lines}").as_bytes());
    }
    file.write_all(lines.as_bytes())
}

fn rotate(path: &Path) -> std::io::Result<()> {
    for old in (1..OLD).rev() {
        let from = beside(path, &old.to_string());
        if from.exists() {
            std::fs::rename(from, beside(path, &(old + 1).to_string()))?;
        }
    }
    std::fs::rename(path, beside(path, "1"))
}

/// The right to write, for as long as it is held. Where the file system knows no locks, appending
/// whole lines must do.
fn lock(path: &Path) -> std::io::Result<File> {
    let file = open(
        OpenOptions::new().create(true).truncate(false).write(true),
        path,
    )?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
            Err(TryLockError::WouldBlock) if begun.elapsed() > PATIENCE => {
                return Err(Error::new(
                    ErrorKind::WouldBlock,
                    "another process writes it",
                ));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn open(options: &mut OpenOptions, path: &Path) -> std::io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{what}"));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::{append, append_within, beside};

    #[test]
    fn lines_stay_whole_and_old_files_are_kept_a_while() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.jsonl");
        for number in 0..12 {
            append_within(&path, &format!("{{\"n\":{number}}}\n"), 16).unwrap();
        }
        let read = |name: &std::path::Path| std::fs::read_to_string(name).unwrap();
        assert_eq!(read(&path), "{\"n\":10}\n{\"n\":11}\n");
        assert_eq!(read(&beside(&path, "1")), "{\"n\":8}\n{\"n\":9}\n");
        assert_eq!(read(&beside(&path, "4")), "{\"n\":2}\n{\"n\":3}\n");
        assert!(!beside(&path, "5").exists());
    }

    #[test]
    fn a_line_that_was_cut_in_two_spoils_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.jsonl");
        std::fs::write(&path, "{\"cut").unwrap();
        append(&path, "{}\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"cut\n{}\n");
        assert!(append(folder.path(), "{}\n").is_err());
    }
}
