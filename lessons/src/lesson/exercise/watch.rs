//! Waits until a file is saved with new contents.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::workbook;
use crate::clock::Instant;

/// One save causes several events (write, rename, attributes), so the file is read once they have stopped for this
/// long.
const QUIET: Duration = Duration::from_millis(30);
/// Maximum delay for a file that is written without pause.
const PATIENCE: Duration = Duration::from_millis(300);
/// Polling interval, for when the system reports nothing: network folders, containers, a recreated folder.
const LOOK: Duration = Duration::from_millis(500);

/// A watched file. Its contents decide and events only wake us up, so reading it, touching it or saving it unchanged
/// does not count.
pub struct Watch {
    path: PathBuf,
    seen: Option<u64>,
    looked: Instant,
    woken: Receiver<()>,
    /// Keeps `woken` open if there is no watcher.
    _wake: Sender<()>,
    /// Kept alive for its events; `None` if the system provides none.
    _watcher: Option<RecommendedWatcher>,
}

impl Watch {
    /// Watches `path` for changes to its present contents.
    pub fn new(path: &Path) -> Self {
        let (wake, woken) = mpsc::channel();
        let kept = wake.clone();
        let name = path.file_name().map(ToOwned::to_owned);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            // Every read causes an access event, both ours and cargo's.
            let change = !matches!(event.kind, EventKind::Access(_));
            if change && event.paths.iter().any(|p| p.file_name() == name.as_deref()) {
                let _ = wake.send(());
            }
        });
        // Watch the folder, because editors save by replacing the file with a new one.
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

    /// Waits up to `wait` for new contents; true if there are any. A missing file is waited for.
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
            if self.poll() {
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

    fn poll(&mut self) -> bool {
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
