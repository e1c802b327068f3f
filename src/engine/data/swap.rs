//! Folders that change as one: a reader finds either all the old files or all the new ones.
//!
//! The new files are written into a folder beside the old one, and the two exchange names. Linux and macOS do this in
//! one operation. On other file systems the old folder is renamed, then the new one; a kill in between leaves both
//! beside the target as `.leaving-NAME-…` and `.writing-NAME-…`, and the next write there first puts the old one back.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::disk::{Disk, LEAVING, WRITING, entries, exists, is_folder, keep_permissions, missing};
use super::scratch::{self, Scratch, undivided};

/// Files by their paths in a folder.
pub type Contents<'a> = [(&'a str, &'a [u8])];

/// Name of the first entry in `folder` that is neither one of these files nor one of their folders, or `None`.
pub fn neighbour(folder: &Path, names: &BTreeSet<&str>) -> io::Result<Option<String>> {
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        for entry in entries(&folder.join(&below))? {
            let name = below.join(entry.file_name().unwrap_or_default());
            let shown = name.to_string_lossy().into_owned();
            let kind = fs::symlink_metadata(&entry)?;
            let above = |file: &&str| Path::new(file).starts_with(&name) && **file != shown;
            if kind.is_dir() && names.iter().any(above) {
                open.push(name);
            } else if !kind.is_file() || !names.contains(shown.as_str()) {
                return Ok(Some(shown));
            }
        }
    }
    Ok(None)
}

/// Makes `files` the contents of `folder`, which must be missing or have no [`neighbour`]. After an error the
/// folder is unchanged.
pub fn put(disk: &Disk, folder: &Path, files: &Contents) -> io::Result<()> {
    put_if(disk, folder, files, || Ok(()))
}

/// Like [`put`], for a `folder` that is missing or empty. Fails if another program has written there since the caller
/// looked, or if a set that a killed program had moved aside has been put back.
pub fn put_new(disk: &Disk, folder: &Path, files: &Contents) -> io::Result<()> {
    put_if(disk, folder, files, || match entries(folder) {
        Ok(content) if !content.is_empty() => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "files have appeared there since the command began; run it again",
        )),
        _ => Ok(()),
    })
}

fn put_if(
    disk: &Disk,
    folder: &Path,
    files: &Contents,
    may: impl Fn() -> io::Result<()>,
) -> io::Result<()> {
    let site = Site::of(disk, folder);
    disk.make_folders(site.above)?;
    site.mend(files)?;
    let (staged, held) = site.stage()?;
    let done = site
        .fill(staged.path(), files)
        .and_then(|()| may())
        .and_then(|()| undivided(|| site.exchange(staged.path(), files)));
    if done.is_err() {
        // Free the space, in case the disk is full.
        let _ = remove(disk, staged.path(), files);
    }
    drop(held);
    done
}

/// Removes what killed programs left of these files beside `folder`, and puts back a folder they had moved
/// aside.
pub fn mend(disk: &Disk, folder: &Path, files: &Contents) -> io::Result<()> {
    Site::of(disk, folder).mend(files)
}

/// The place where a folder is replaced.
struct Site<'a> {
    disk: &'a Disk,
    place: &'a Path,
    above: &'a Path,
    name: String,
}

impl<'a> Site<'a> {
    fn of(disk: &'a Disk, folder: &'a Path) -> Self {
        let above = folder.parent().filter(|above| *above != Path::new(""));
        let name = folder.file_name().unwrap_or_default();
        Self {
            disk,
            place: folder,
            above: above.unwrap_or(Path::new(".")),
            name: name.to_string_lossy().into_owned(),
        }
    }

    /// Removes what killed programs left, and puts back a folder that was being replaced.
    fn mend(&self, files: &Contents) -> io::Result<()> {
        for (path, _held) in scratch::abandoned(self.above, LEAVING, &self.name) {
            if exists(self.place) {
                remove(self.disk, &path, files)?
            } else {
                self.disk.rename(&path, self.place)?
            }
        }
        for (path, _held) in scratch::abandoned(self.above, WRITING, &self.name) {
            if is_folder(&path) {
                remove(self.disk, &path, files)?;
            }
        }
        Ok(())
    }

    /// Creates a new folder beside the target, with a lock that marks it as in use.
    fn stage(&self) -> io::Result<(Scratch, Option<File>)> {
        let begins = scratch::begins(WRITING, &self.name);
        loop {
            let staged = Scratch::folder(|| self.disk.make_temporary(self.above, &begins))?;
            // Not every system can open folders.
            let file = File::open(staged.path()).ok();
            // Before it was locked, another program may have taken it for abandoned.
            if file.as_ref().is_none_or(scratch::is_ours) && is_folder(staged.path()) {
                return Ok((staged, file));
            }
        }
    }

    fn fill(&self, staged: &Path, files: &Contents) -> io::Result<()> {
        let mut folders = BTreeSet::from([staged.to_owned()]);
        for (name, bytes) in files {
            let path = staged.join(name);
            let mut missing: Vec<&Path> = path.ancestors().skip(1).collect();
            missing.retain(|above| above.starts_with(staged) && !folders.contains(*above));
            for folder in missing.into_iter().rev() {
                // One at a time: if the staged folder has been removed, it must not be recreated.
                fs::create_dir(folder)?;
                folders.insert(folder.to_owned());
            }
            self.disk.write(&path, bytes)?;
            let old = self.place.join(name);
            if let Ok(now) = fs::metadata(&old) {
                // A rename does not check the file's own permissions, so refuse to replace a read-only file here.
                File::options().write(true).open(&old)?;
                keep_permissions(&File::open(&path)?, &now)?;
            }
        }
        if let Ok(old) = fs::metadata(self.place) {
            fs::set_permissions(staged, old.permissions())?;
        }
        folders
            .iter()
            .try_for_each(|folder| self.disk.sync_folder(folder))
    }

    fn exchange(&self, staged: &Path, files: &Contents) -> io::Result<()> {
        if !exists(self.place) {
            self.disk.rename(staged, self.place)?;
            return self.disk.sync_folder(self.above);
        }
        if self.disk.exchange(staged, self.place)? {
            self.disk.sync_folder(self.above)?;
            return self.discard(staged, files);
        }
        let name = staged.file_name().unwrap_or_default().to_string_lossy();
        let random = name.strip_prefix(WRITING).unwrap_or(&name);
        let aside = self.above.join(format!("{LEAVING}{random}"));
        self.disk.rename(self.place, &aside)?;
        self.disk.rename(staged, self.place).inspect_err(|_| {
            let _ = self.disk.rename(&aside, self.place);
        })?;
        self.disk.sync_folder(self.above)?;
        self.discard(&aside, files)
    }

    /// Removes the old files. Files added beside them at the last moment are moved to the new folder.
    fn discard(&self, old: &Path, files: &Contents) -> io::Result<()> {
        // The new files are in place, so leftovers only cost space.
        let _ = remove(self.disk, old, files);
        for path in entries(old).unwrap_or_default() {
            let home = self.place.join(path.file_name().unwrap_or_default());
            if !exists(&home) {
                let _ = self.disk.rename(&path, &home);
            }
        }
        let _ = fs::remove_dir(old);
        Ok(())
    }
}

/// Removes these files, and their folders and `folder` itself if nothing else is in them.
fn remove(disk: &Disk, folder: &Path, files: &Contents) -> io::Result<()> {
    let mut folders = BTreeSet::from([folder.to_owned()]);
    for (name, _) in files {
        let path = folder.join(name);
        disk.remove_file(&path)?;
        let inside = path.ancestors().skip(1);
        let inside = inside.take_while(|above| above.starts_with(folder));
        folders.extend(inside.map(Path::to_owned));
    }
    // In sorted order the deepest folders come last.
    for folder in folders.iter().rev() {
        match disk.remove_folder(folder) {
            Err(e) if !missing(&e) => return Err(e),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::disk::{FaultKind, Trap};
    use super::*;

    const OLD: [(&str, &[u8]); 3] = [("model", b"old"), ("deep/a", b"old"), ("words", b"old")];
    const NEW: [(&str, &[u8]); 3] = [("model", b"new"), ("deep/a", b"new"), ("words", b"new")];

    fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
        let mut all = BTreeMap::new();
        let mut open = vec![folder.to_owned()];
        while let Some(next) = open.pop() {
            for path in entries(&next).unwrap_or_default() {
                if is_folder(&path) {
                    open.push(path)
                } else {
                    let name = path.strip_prefix(folder).unwrap();
                    all.insert(name.to_str().unwrap().to_owned(), fs::read(&path).unwrap());
                }
            }
        }
        all
    }

    fn of(files: &Contents) -> BTreeMap<String, Vec<u8>> {
        let owned = |(name, bytes): &(&str, &[u8])| ((*name).to_owned(), bytes.to_vec());
        files.iter().map(owned).collect()
    }

    /// Makes every operation fail once or be the last, then writes the same files again.
    fn hurt(disk: fn(usize, FaultKind) -> Disk, may_be_aside: bool) -> usize {
        let sound = || disk(usize::MAX, FaultKind::Fail);
        let mut cases = 0;
        for kind in [FaultKind::Fail, FaultKind::Die, FaultKind::Tear] {
            for at in 0.. {
                let room = tempfile::tempdir().unwrap();
                let set = room.path().join("set");
                put(&sound(), &set, &OLD).unwrap();
                let trap = disk(at, kind);
                let done = put(&trap, &set, &NEW);
                let content = contents(&set);
                let when = format!("{kind:?} at operation {at}");
                match done {
                    Ok(()) => assert_eq!(content, of(&NEW), "{when}"),
                    Err(_) if content.is_empty() && may_be_aside && kind != FaultKind::Fail => {}
                    Err(_) => assert!(
                        content == of(&OLD) || content == of(&NEW),
                        "{when}: {content:?}"
                    ),
                }
                put(&sound(), &set, &NEW).unwrap();
                assert_eq!(contents(room.path()), {
                    let named = |(name, bytes)| (format!("set/{name}"), bytes);
                    of(&NEW).into_iter().map(named).collect()
                });
                assert_eq!(entries(room.path()).unwrap(), [set], "{when}");
                if trap.done() <= at {
                    break;
                }
                cases += 1;
            }
        }
        cases
    }

    #[test]
    fn a_set_that_was_hurt_at_any_operation_is_the_old_one_or_the_new_one() {
        assert!(hurt(Trap::disk, false) > 30);
    }

    #[test]
    fn without_an_exchange_of_names_the_next_to_write_puts_the_old_set_back() {
        assert!(hurt(Trap::plain_disk, true) > 30);
    }

    #[test]
    fn a_folder_that_another_program_is_writing_is_not_removed() {
        let room = tempfile::tempdir().unwrap();
        let set = room.path().join("set");
        let disk = Disk::default();
        let other = Site::of(&disk, &set);
        let (staged, held) = other.stage().unwrap();
        put(&disk, &set, &NEW).unwrap();
        assert!(staged.path().is_dir(), "it is still held");
        drop(held);
        put(&disk, &set, &NEW).unwrap();
        assert!(!staged.path().exists());
    }

    #[test]
    fn a_file_that_appears_beside_the_old_set_goes_to_the_new_one() {
        let room = tempfile::tempdir().unwrap();
        let set = room.path().join("set");
        let disk = Disk::default();
        put(&disk, &set, &OLD).unwrap();
        fs::write(set.join("notes"), "mine").unwrap();
        put(&disk, &set, &NEW).unwrap();
        assert_eq!(fs::read(set.join("notes")).unwrap(), b"mine");
        assert_eq!(entries(room.path()).unwrap(), [set]);
    }

    #[test]
    fn a_set_that_nobody_has_seen_is_not_replaced() {
        let room = tempfile::tempdir().unwrap();
        let set = room.path().join("set");
        let disk = Disk::default();
        fs::create_dir(&set).unwrap();
        put_new(&disk, &set, &OLD).unwrap();
        let kind = |done: io::Result<()>| done.unwrap_err().kind();
        assert_eq!(
            kind(put_new(&disk, &set, &NEW)),
            io::ErrorKind::AlreadyExists
        );
        // A killed program had moved it aside.
        let aside = room.path().join(scratch::begins(LEAVING, "set") + "abc123");
        fs::rename(&set, aside).unwrap();
        assert_eq!(
            kind(put_new(&disk, &set, &NEW)),
            io::ErrorKind::AlreadyExists
        );
        assert_eq!(contents(&set), of(&OLD));
        assert_eq!(entries(room.path()).unwrap(), [set]);
    }

    #[test]
    fn a_neighbour_is_whatever_is_not_of_the_set() {
        let room = tempfile::tempdir().unwrap();
        let names = BTreeSet::from(["model", "deep/a"]);
        let found = || neighbour(room.path(), &names).unwrap();
        fs::create_dir(room.path().join("deep")).unwrap();
        fs::write(room.path().join("deep/a"), "").unwrap();
        assert_eq!(found(), None);
        fs::write(room.path().join("deep/b"), "").unwrap();
        assert_eq!(found().unwrap(), "deep/b");
        fs::remove_file(room.path().join("deep/b")).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/", room.path().join("model")).unwrap();
            assert_eq!(found().unwrap(), "model");
        }
    }
}
