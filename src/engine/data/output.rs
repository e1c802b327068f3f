//! Output files of commands. An existing file is replaced only where that is allowed, and then whole or not at all;
//! links and permissions behave as with `cp`; devices and FIFOs are written to, never replaced. Files that belong
//! together are replaced together if nothing else is in their folder (`swap.rs`).

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::disk::{Disk, is_link, keep_permissions};
use super::scratch::{self, undivided};
use super::swap;

/// Reasons why a file is not written.
#[derive(Debug, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what each variant and field is"
)]
pub enum OutputError {
    /// The file exists and may not be replaced.
    #[error("{path} exists already; --force replaces it, another name keeps it")]
    Exists { path: PathBuf },
    /// Some of the files exist and may not be replaced.
    #[error(
        "{folder} holds files that this command did not write, or that were changed since: {names}; nothing was \
         written. --force replaces these files, another --out keeps them"
    )]
    Foreign { folder: PathBuf, names: String },
    /// A set of files would be replaced in a folder that cannot be exchanged as a whole.
    #[error(
        "{folder} cannot be replaced as a whole, because {why}; nothing was written. Choose a new or empty folder"
    )]
    Shared { folder: PathBuf, why: String },
    /// The file is one that the command reads.
    #[error("{path} is read by this command, so it cannot be its output too; choose another name")]
    Input { path: PathBuf },
    /// The path is a folder, or can only mean one.
    #[error("{path} is a folder, and folders are never replaced; name a file")]
    Folder { path: PathBuf },
    /// Something other than a folder is where one is needed.
    #[error("{path} is not a folder; choose another place, or remove it yourself")]
    NoFolder { path: PathBuf },
    /// The folder of the file is missing.
    #[error("{path} cannot be written, because the folder {folder} does not exist; make it first")]
    Nowhere { path: PathBuf, folder: PathBuf },
    /// A dangling symbolic link; `cp` does not write through it either.
    #[error(
        "{path} is a symbolic link to {target}, which does not exist; name that file itself, or remove the link"
    )]
    Dangling { path: PathBuf, target: PathBuf },
    /// A block device, whose file systems would be lost.
    #[error("{path} is a block device, a whole disk perhaps; nothing is written to it")]
    Disk { path: PathBuf },
    /// A device or FIFO where a file of a set belongs.
    #[error("{path} is a device or a FIFO where a file belongs; nothing was written")]
    NoFile { path: PathBuf },
    /// The file system returned an error before anything changed at this path.
    #[error("{path} could not be written, and is as it was: {why}")]
    Unchanged { path: PathBuf, why: io::Error },
    /// Writing to a device, a FIFO or a folder failed; what was written before cannot be undone.
    #[error("{path} could not be written: {why}")]
    Io { path: PathBuf, why: io::Error },
}

/// What a command may replace.
#[derive(Clone, Copy)]
pub enum Replace<'a> {
    /// No file.
    Nothing,
    /// Files whose bytes show that the command wrote them.
    Own(&'a dyn Fn(&[u8]) -> bool),
    /// Any regular file, as with the flag `--force`.
    Files,
}

/// A file that a command may write.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    place: Place,
}

/// What exists at a path.
#[derive(Debug, PartialEq)]
enum Place {
    Free,
    /// A regular file, at its path with all links resolved.
    File(PathBuf),
    /// A device, FIFO or socket, which is written to directly.
    Stream,
}

impl Output {
    /// Checks `path` without changing anything: it must not be one of the `inputs` that the command reads, and
    /// `replace` must allow an existing file to be replaced.
    pub fn new(path: &Path, inputs: &[&Path], replace: Replace) -> Result<Self, OutputError> {
        let place = look(path)?;
        if let Place::File(file) = &place {
            let path = || path.to_owned();
            if inputs.iter().any(|input| same_file(input, file)) {
                return Err(OutputError::Input { path: path() });
            }
            let allowed = match replace {
                Replace::Nothing => false,
                Replace::Own(own) => fs::read(file).is_ok_and(|bytes| own(&bytes)),
                Replace::Files => true,
            };
            if !allowed {
                return Err(OutputError::Exists { path: path() });
            }
        }
        Ok(Self {
            path: path.to_owned(),
            place,
        })
    }

    /// Writes the file, whole or not at all; a device or FIFO gets the bytes as they come.
    pub fn write(&self, bytes: &[u8]) -> Result<(), OutputError> {
        write(&self.path, &self.place, bytes)
    }
}

/// Writes a file that belongs to the program, whether it exists or not. The caller must know that it may be replaced.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write(path, &look(path)?, bytes)
}

/// Files that belong together in one folder, by their paths in it. They are written only if all of them may be.
pub struct Files<'a> {
    folder: &'a Path,
    /// All of the files.
    all: Vec<(&'a str, &'a [u8])>,
    /// Files that are missing or differ.
    open: Vec<(&'a str, &'a [u8], Place)>,
    /// Folder with links resolved, if everything in it can change at once; otherwise the obstacle.
    alone: Result<PathBuf, String>,
}

impl<'a> Files<'a> {
    /// Checks the folder without changing anything. An existing file with exactly these bytes is no obstacle; any other
    /// must be `own` by its name and bytes, unless `force` is given.
    pub fn new(
        folder: &'a Path,
        files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
        own: &dyn Fn(&str, &[u8]) -> bool,
        force: bool,
    ) -> Result<Self, OutputError> {
        let mut foreign = Vec::new();
        let mut open = Vec::new();
        let all: Vec<(&str, &[u8])> = files.into_iter().collect();
        for &(name, bytes) in &all {
            folders_above(folder, name)?;
            let path = folder.join(name);
            let place = look_below(&path)?;
            if let Place::File(file) = &place {
                let content = fs::read(file).ok();
                if content.as_deref() == Some(bytes) {
                    continue;
                }
                if !force && !content.is_some_and(|content| own(name, &content)) {
                    foreign.push(name);
                }
            }
            open.push((name, bytes, place));
        }
        if foreign.is_empty() {
            Ok(Self {
                folder,
                alone: alone(folder, all.iter().map(|(name, _)| *name).collect()),
                all,
                open,
            })
        } else {
            Err(OutputError::Foreign {
                folder: folder.into(),
                names: listed(&foreign),
            })
        }
    }

    /// True if all files can change at once.
    pub fn is_alone(&self) -> bool {
        self.alone.is_ok()
    }

    /// Returns an error if files would be replaced one at a time: after a kill, old and new files would be mistaken for
    /// a set.
    pub fn as_one(self) -> Result<Self, OutputError> {
        let replaces = |place: &Place| *place != Place::Free;
        match &self.alone {
            Err(why) if self.open.iter().any(|(_, _, place)| replaces(place)) => {
                Err(OutputError::Shared {
                    folder: self.folder.into(),
                    why: why.clone(),
                })
            }
            _ => Ok(self),
        }
    }

    /// Writes the files: all at once if nothing else is in the folder, otherwise only those that are missing or differ,
    /// each whole or not at all.
    pub fn write(&self) -> Result<(), OutputError> {
        let folder = match &self.alone {
            Ok(folder) => folder,
            Err(_) => return self.write_singly(),
        };
        let disk = Disk::default();
        let done = if self.open.is_empty() {
            swap::mend(&disk, folder, &self.all)
        } else if self.replaces() {
            swap::put(&disk, folder, &self.all)
        } else {
            swap::put_new(&disk, folder, &self.all)
        };
        done.map_err(|why| match why.kind() {
            io::ErrorKind::CrossesDevices | io::ErrorKind::ResourceBusy => OutputError::Shared {
                folder: self.folder.into(),
                why: "its file system does not let it be renamed".to_owned(),
            },
            _ => OutputError::Unchanged {
                path: self.folder.into(),
                why,
            },
        })
    }

    /// True if any of the files exists already.
    fn replaces(&self) -> bool {
        let taken = |(_, _, place): &(&str, &[u8], Place)| *place != Place::Free;
        self.open.len() < self.all.len() || self.open.iter().any(taken)
    }

    fn write_singly(&self) -> Result<(), OutputError> {
        make_folder(self.folder)?;
        for (name, bytes, place) in &self.open {
            let path = self.folder.join(name);
            if let Some(above) = path.parent() {
                make_folder(above)?;
            }
            write(&path, place, bytes)?;
        }
        Ok(())
    }
}

/// Folder with links resolved, if it is new or contains only files with these names; otherwise the reason why it cannot
/// be exchanged.
fn alone(folder: &Path, names: BTreeSet<&str>) -> Result<PathBuf, String> {
    let place = match fs::canonicalize(folder) {
        Ok(place) => place,
        Err(_) if is_link(folder) => return Err("it is a link to nothing".to_owned()),
        Err(_) => return Ok(folder.to_owned()),
    };
    if std::env::current_dir().is_ok_and(|current| current.starts_with(&place)) {
        return Err("you are in it".to_owned());
    }
    if is_mounted(&place) {
        return Err("another file system is mounted there".to_owned());
    }
    match swap::neighbour(&place, &names) {
        Ok(None) => Ok(place),
        Ok(Some(name)) if names.contains(name.as_str()) => {
            Err(format!("its {name} is a link or not a file"))
        }
        Ok(Some(name)) => Err(format!("it also holds {name}")),
        Err(e) => Err(format!("it cannot be read: {e}")),
    }
}

/// True if a folder is the root of a file system, which cannot be renamed.
fn is_mounted(folder: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let device = |path: &Path| fs::metadata(path).map(|metadata| metadata.dev()).ok();
        folder
            .parent()
            .is_none_or(|above| device(above) != device(folder))
    }
    #[cfg(not(unix))]
    folder.parent().is_none()
}

/// Returns an error if `folder`, or a file in it, is the folder `input` that the command reads or one of its files.
pub fn not_an_input(folder: &Path, input: &Path) -> Result<(), OutputError> {
    let all = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let inside = entries.map(|entry| entry.path());
        std::iter::once(folder.to_owned()).chain(inside).collect()
    };
    let inputs = all(input);
    let is_read = |path: &PathBuf| inputs.iter().any(|input| same_file(input, path));
    match all(folder).into_iter().find(is_read) {
        Some(path) => Err(OutputError::Input { path }),
        None => Ok(()),
    }
}

/// The first five names of a list, and how many more there are.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 5;
    let shown = names[..names.len().min(MOST)].join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn make_folder(folder: &Path) -> Result<(), OutputError> {
    fs::create_dir_all(folder).map_err(|why| OutputError::Io {
        path: folder.into(),
        why,
    })
}

/// Returns an error if a file is where the path of `name` needs a folder. Nothing has been written at that point.
fn folders_above(folder: &Path, name: &str) -> Result<(), OutputError> {
    let path = folder.join(name);
    let inside = path
        .ancestors()
        .skip(1)
        .take_while(|p| p.starts_with(folder));
    for above in inside {
        match fs::metadata(above) {
            Ok(metadata) if !metadata.is_dir() => {
                return Err(OutputError::NoFolder { path: above.into() });
            }
            _ => {}
        }
    }
    Ok(())
}

/// What exists at the path of a file whose folder may not exist yet.
fn look_below(path: &Path) -> Result<Place, OutputError> {
    match look(path) {
        Ok(Place::Stream) => Err(OutputError::NoFile { path: path.into() }),
        Err(OutputError::Nowhere { .. }) => Ok(Place::Free),
        other => other,
    }
}

fn look(path: &Path) -> Result<Place, OutputError> {
    let owned = || path.to_owned();
    let failed = |why| OutputError::Unchanged { path: owned(), why };
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(OutputError::Folder { path: owned() }),
        Ok(metadata) if metadata.is_file() => {
            Ok(Place::File(fs::canonicalize(path).map_err(failed)?))
        }
        Ok(metadata) if is_disk(&metadata) => Err(OutputError::Disk { path: owned() }),
        Ok(_) => Ok(Place::Stream),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            if let Ok(target) = fs::read_link(path) {
                return Err(OutputError::Dangling {
                    path: owned(),
                    target,
                });
            }
            let means_a_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
            if means_a_folder || path.file_name().is_none() {
                return Err(OutputError::Folder { path: owned() });
            }
            let folder = folder_of(path);
            if folder.is_dir() {
                Ok(Place::Free)
            } else {
                Err(OutputError::Nowhere {
                    path: owned(),
                    folder: folder.into(),
                })
            }
        }
        Err(why) => Err(failed(why)),
    }
}

fn write(path: &Path, place: &Place, bytes: &[u8]) -> Result<(), OutputError> {
    let written = match place {
        Place::Free => put(path, None, bytes),
        Place::File(file) => fs::metadata(file).and_then(|now| put(file, Some(&now), bytes)),
        Place::Stream => {
            let through = File::options().write(true).open(path);
            return through
                .and_then(|mut file| file.write_all(bytes))
                .map_err(|why| OutputError::Io {
                    path: path.into(),
                    why,
                });
        }
    };
    written.map_err(|why| OutputError::Unchanged {
        path: path.into(),
        why,
    })
}

/// Writes a temporary file beside `path` and renames it, so that a reader finds the old file or the new one, even after
/// a power cut. `now` describes the existing file, if any.
fn put(path: &Path, now: Option<&Metadata>, bytes: &[u8]) -> io::Result<()> {
    if let Some(now) = now {
        if !now.is_file() {
            return Err(io::Error::other("it is not a regular file any more"));
        }
        // A rename needs no permission on the file itself, so check that it could be written to.
        File::options().write(true).open(path)?;
    }
    let folder = folder_of(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let file = scratch::file_in(folder, &name)?;
    file.as_file().write_all(bytes)?;
    if let Some(now) = now {
        keep_permissions(file.as_file(), now)?;
    }
    file.as_file().sync_all()?;
    undivided(|| {
        let (file, _scratch) = file.into_parts();
        match now {
            Some(_) => file.persist(path).map(drop),
            None => file.persist_noclobber(path).map(drop).or_else(|e| {
                // Some file systems support only the plain rename.
                match e.error.kind() {
                    io::ErrorKind::AlreadyExists => Err(e),
                    _ => e.file.persist(path).map(drop),
                }
            }),
        }
        .map_err(|e| e.error)
    })?;
    // The folder's entry must survive a power cut too, but not every file system can sync a folder.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Folder that contains `path`.
fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

#[cfg(unix)]
fn is_disk(metadata: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_block_device(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_disk(_: &Metadata) -> bool {
    false
}

/// True if two paths lead to the same file. On Unix, device and inode are compared, so links of both kinds count.
pub fn same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let number = |path| fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()));
        matches!((number(a), number(b)), (Ok(a), Ok(b)) if a == b)
    }
    #[cfg(not(unix))]
    {
        matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacing_a_file_leaves_no_other_file_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_appears_after_the_check_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let output = Output::new(&path, &[], Replace::Nothing).unwrap();
        fs::write(&path, "somebody's").unwrap();
        assert!(output.write(b"mine").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"somebody's");
    }

    #[test]
    fn a_set_that_is_there_already_is_rid_of_what_a_kill_has_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set");
        let files = [("a", &b"1"[..]), ("b", b"2")];
        let write = || {
            let files = Files::new(&path, files, &|_, _| false, false);
            files.unwrap().as_one().unwrap().write().unwrap();
        };
        write();
        let left = folder.path().join(".writing-set-a1B2c3");
        fs::create_dir(&left).unwrap();
        fs::write(left.join("a"), "half").unwrap();
        write();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
