//! The learner's files: where they are, and how they begin.

use std::fs;
use std::path::{Path, PathBuf};

use super::Exercise;
use crate::lesson::progress::set_aside;

/// The folder of the package: where it was built, or where the program was called.
pub fn root() -> Result<PathBuf, String> {
    let here = std::env::current_dir().unwrap_or_default();
    let holds = |folder: &Path| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml"));
        manifest.is_ok_and(|text| text.contains("name = \"transformer-tutor\""))
    };
    let built = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    [here, built].into_iter().find(|folder| holds(folder)).ok_or_else(|| {
        "exercises are built with cargo from the project's own folder; call the program from there".to_owned()
    })
}

/// The learner's file, written from the starter if it is missing; never overwritten.
pub fn file(exercise: &Exercise) -> Result<PathBuf, String> {
    let path = root()?
        .join("exercises")
        .join(format!("{}.rs", exercise.name));
    if !path.exists() {
        write(&path, exercise.starter)?;
    }
    Ok(path)
}

/// Begins anew; what was there is kept under another name, which is returned.
pub fn reset(exercise: &Exercise) -> Result<Option<PathBuf>, String> {
    let path = root()?
        .join("exercises")
        .join(format!("{}.rs", exercise.name));
    let kept = match path.exists() {
        true => Some(
            set_aside(&path)
                .map_err(|e| format!("{} cannot be moved aside: {e}", path.display()))?,
        ),
        false => None,
    };
    write(&path, exercise.starter)?;
    Ok(kept)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|e| format!("cannot write {}: {e}", path.display()))
}
