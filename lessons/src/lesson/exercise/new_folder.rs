//! A folder of files that appears complete or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::data::disk::is_link;
use crate::data::scratch;

/// Writes `files` into `root`, a new or empty folder, which appears complete or not at all. `finish` gets the folder
/// before it has its name. `Err` says what is in the way.
pub fn new_folder(
    root: &Path,
    files: &[(PathBuf, Vec<u8>)],
    finish: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<(), String> {
    let says = |what: &str| format!("{} {what}", root.display());
    if root.as_os_str().is_empty() {
        return Err("The folder has no name. Name a folder that is new.".to_owned());
    }
    if is_link(root) {
        return Err(says("is a symbolic link. Name a folder that is new."));
    }
    match fs::read_dir(root).map(|mut entries| entries.next().is_some()) {
        Ok(true) => return Err(says("is not empty. Name a folder that is new.")),
        Err(_) if root.exists() => return Err(says("is not a folder. Name a folder that is new.")),
        _ => {}
    }
    let root = std::path::absolute(root).map_err(|e| says(&format!("cannot be used: {e}")))?;
    if std::env::current_dir().is_ok_and(|current| current.starts_with(&root)) {
        return Err(says(
            "is the folder that you are in. Name a folder that is new.",
        ));
    }
    let parent = root
        .parent()
        .ok_or_else(|| says("is not a folder to work in."))?;
    let wrong = |e: io::Error| says(&format!("cannot be written: {e}"));
    fs::create_dir_all(parent).map_err(wrong)?;
    // Write to a sibling folder first, so that `root` appears complete or not at all.
    let new = scratch::folder_in(parent).map_err(wrong)?;
    for (path, bytes) in files {
        let path = new.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(new.path())).map_err(wrong)?;
        fs::write(path, bytes).map_err(wrong)?;
    }
    finish(new.path()).map_err(wrong)?;
    readable(new.path()).map_err(wrong)?;
    if root.exists() {
        fs::remove_dir(&root).map_err(wrong)?;
    }
    let (new, _scratch) = new.into_parts();
    let new = new.keep();
    scratch::undivided(|| fs::rename(&new, &root)).map_err(|e| {
        let _ = fs::remove_dir_all(&new);
        wrong(e)
    })
}

/// Makes a temporary folder, which only its owner can read, as readable as any other.
#[cfg(unix)]
fn readable(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn readable(_: &Path) -> io::Result<()> {
    Ok(())
}
