//! Putting a file in place whole: a reader sees the old bytes or the new ones, never half of either.

use std::io::Write as _;
use std::path::Path;

/// Writes a file beside the one that stands there and lets it take its place, durable first.
/// `still` is asked at the last moment: where it says no, nothing is replaced and the answer is no.
/// The mode of the file that stood there is kept; a new one gets `mode`, or is its owner's alone.
///
/// # Errors
/// The file or its folder cannot be written.
pub fn put_whole(
    path: &Path,
    text: &str,
    mode: Option<u32>,
    still: impl FnOnce() -> bool,
) -> std::io::Result<bool> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
    fresh.write_all(text.as_bytes())?;
    fresh.as_file().sync_all()?;
    match std::fs::metadata(path) {
        Ok(found) => fresh.as_file().set_permissions(found.permissions())?,
        Err(_) => set_mode(fresh.as_file(), mode)?,
    }
    if !still() {
        return Ok(false);
    }
    fresh.persist(path).map_err(|error| error.error)?;
    Ok(true)
}

/// A temporary file is its owner's alone.
fn set_mode(file: &std::fs::File, mode: Option<u32>) -> std::io::Result<()> {
    #[cfg(unix)]
    if let Some(mode) = mode {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    let _ = (file, mode);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::put_whole;

    #[test]
    fn a_file_is_put_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/file");
        assert!(put_whole(&path, "one", Some(0o644), || true).unwrap());
        assert!(!put_whole(&path, "two", None, || false).unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&path), 0o644);
            assert!(put_whole(&path, "three", Some(0o600), || true).unwrap());
            assert_eq!(mode(&path), 0o644, "the mode that stood there is kept");
            let own = folder.path().join("own");
            assert!(put_whole(&own, "four", None, || true).unwrap());
            assert_eq!(mode(&own), 0o600);
        }
        let left = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(left, 1, "no half-written file stays behind");
    }
}
