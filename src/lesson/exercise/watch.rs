//! Waits for a file to be saved with another content.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::workbook;

/// A save is several events (write, rename, attributes); the file is read when they have ceased this long.
const QUIET: Duration = Duration::from_millis(30);
/// A file that is written without pause is read all the same after this long.
const PATIENCE: Duration = Duration::from_millis(300);
/// How often the file is looked at when the system says nothing: network folders, containers, a folder made anew.
const LOOK: Duration = Duration::from_millis(500);

/// A file that is watched. The content decides, the system's events only wake: reading, touching and saving the same
/// again change nothing.
pub struct Watch {
    path: PathBuf,
    seen: Option<u64>,
    looked: Instant,
    woken: Receiver<()>,
    /// Keeps `woken` open where there is no watcher.
    _wake: Sender<()>,
    /// Kept for its events; `None` where the system has none to give.
    _watcher: Option<RecommendedWatcher>,
}

impl Watch {
    /// Watches `path` from its present content on.
    pub fn new(path: &Path) -> Self {
        let (wake, woken) = mpsc::channel();
        let kept = wake.clone();
        let name = path.file_name().map(ToOwned::to_owned);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            // Access comes with every reading, ours and cargo's.
            let change = !matches!(event.kind, EventKind::Access(_));
            if change && event.paths.iter().any(|p| p.file_name() == name.as_deref()) {
                let _ = wake.send(());
            }
        });
        // The folder, not the file: editors save by putting a new file in the old one's place.
        let folder = path.parent().unwrap_or(Path::new("."));
        let watcher = watcher
            .and_then(|mut watcher| {
                watcher.watch(folder, RecursiveMode::NonRecursive)?;
                Ok(watcher)
            })
            .ok();
        Self {
            path: path.to_owned(),
            seen: content(path),
            looked: Instant::now(),
            woken,
            _wake: kept,
            _watcher: watcher,
        }
    }

    /// Waits up to `wait` for another content; whether it came. A file that is away is waited for.
    pub fn changed(&mut self, wait: Duration) -> bool {
        let end = Instant::now() + wait;
        loop {
            let look = self.looked + LOOK;
            let pause = end.min(look).saturating_duration_since(Instant::now());
            if self.woken.recv_timeout(pause).is_ok() {
                self.settle();
            } else if Instant::now() < look {
                return false;
            }
            if self.look() {
                return true;
            }
            if Instant::now() >= end {
                return false;
            }
        }
    }

    fn settle(&self) {
        let start = Instant::now();
        while start.elapsed() < PATIENCE && self.woken.recv_timeout(QUIET).is_ok() {}
    }

    fn look(&mut self) -> bool {
        self.looked = Instant::now();
        let content = content(&self.path);
        let changed = content.is_some() && content != self.seen;
        if changed {
            self.seen = content;
        }
        changed
    }
}

fn content(path: &Path) -> Option<u64> {
    let bytes = workbook::read(path)?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const LONG: Duration = Duration::from_secs(5);
    const SHORT: Duration = Duration::from_millis(150);

    fn watched() -> (tempfile::TempDir, PathBuf, Watch) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("attention.rs");
        fs::write(&path, "one").expect("a file");
        let watch = Watch::new(&path);
        (folder, path, watch)
    }

    #[test]
    fn a_save_is_one_change() {
        let (_folder, path, mut watch) = watched();
        fs::write(&path, "two").expect("a file");
        assert!(watch.changed(LONG));
        assert!(!watch.changed(SHORT));
    }

    #[test]
    fn reading_touching_and_saving_the_same_are_no_change() {
        let (_folder, path, mut watch) = watched();
        fs::read(&path).expect("a file");
        fs::write(&path, "one").expect("a file");
        assert!(!watch.changed(SHORT));
    }

    #[test]
    fn a_file_put_in_the_place_of_the_old_is_a_change() {
        let (folder, path, mut watch) = watched();
        let other = folder.path().join("attention.rs~");
        fs::write(&other, "two").expect("a file");
        fs::rename(&other, &path).expect("renamed");
        assert!(watch.changed(LONG));
    }

    #[test]
    fn a_folder_made_anew_is_found_again() {
        let (folder, path, mut watch) = watched();
        fs::remove_dir_all(folder.path()).expect("removed");
        assert!(!watch.changed(SHORT));
        fs::create_dir(folder.path()).expect("a folder");
        fs::write(&path, "two").expect("a file");
        assert!(watch.changed(LONG));
    }

    #[test]
    fn without_events_the_file_is_looked_at() {
        let (_folder, path, mut watch) = watched();
        watch._watcher = None;
        assert!(!watch.changed(SHORT));
        fs::write(&path, "two").expect("a file");
        assert!(watch.changed(LONG));
    }
}
