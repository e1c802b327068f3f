//! The learner's files, such as `exercises/attention.rs`, beside the project's source.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::Exercise;
use super::new_folder::new_folder;
use crate::data::{output, scratch};
use crate::lesson::Tier;
use crate::typeset::sanitize::clean;

/// Folder of the learner's files, at the package's root.
const FOLDER: &str = "exercises";
/// Package of the program, whose sources a learner's file is compiled with.
const PROGRAM: &str = "name = \"transformer-tutor\"";
/// Root of the project that this program was built from.
pub(super) static BUILT: LazyLock<&Path> = LazyLock::new(|| {
    let course = Path::new(env!("CARGO_MANIFEST_DIR"));
    course.parent().unwrap_or(course)
});
/// Maximum size of a learner's file in bytes; a solution has a few thousand.
const LARGEST: u64 = 4 << 20;

/// The package in which the learner works.
#[derive(Clone, Debug)]
pub struct Workbook {
    root: PathBuf,
}

/// Whether a file already existed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOrigin {
    /// The starter was written.
    New,
    /// The learner's file was left as it was.
    Kept,
}

impl Workbook {
    /// The package in or above the current folder, the one last laid out (see [`Workbook::lay_out`]), or the one that
    /// this program was built from. The error explains what is needed.
    pub fn find() -> Result<Self, String> {
        let here = std::env::current_dir().unwrap_or_default();
        let remembered = laid_out().and_then(|path| std::fs::read_to_string(path).ok());
        let remembered = remembered.map(|line| PathBuf::from(line.trim_end()));
        Self::nearest(&here, remembered).ok_or_else(|| {
            "Exercises are compiled together with the program's sources, and those that it was built from are not here. \
             Say where you want to work: transformer-tutor exercise workshop FOLDER"
                .to_owned()
        })
    }

    /// The learner's package for someone in the folder `here`, if `workshop` was laid out last.
    fn nearest(here: &Path, workshop: Option<PathBuf>) -> Option<Self> {
        let here = here.ancestors().map(Path::to_owned);
        let mut roots = here.chain(workshop).chain([BUILT.to_owned()]);
        let root = roots.find(|root| is_package(root) && !is_cargos(root))?;
        Some(Self { root })
    }

    /// Writes `files`, the program's sources, into a new or empty folder and remembers it. `finish` gets the folder
    /// before it has its name. The error explains what is in the way.
    pub fn lay_out(
        root: &Path,
        files: &[(PathBuf, Vec<u8>)],
        finish: impl FnOnce(&Path) -> std::io::Result<()>,
    ) -> Result<(), String> {
        new_folder(root, files, finish)?;
        let wrong = |e: std::io::Error| {
            format!(
                "{} is there, but it will not be remembered: {e}",
                root.display()
            )
        };
        if let Some(path) = laid_out() {
            let line = std::path::absolute(root).map_err(wrong)?;
            std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(wrong)?;
            std::fs::write(path, format!("{}\n", line.display())).map_err(wrong)?;
        }
        Ok(())
    }

    /// The package in `root`.
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The package's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Path of the learner's file from the root: `exercises/attention.rs`.
    pub fn name(exercise: &Exercise) -> String {
        Self::name_of(exercise.name)
    }

    fn name_of(exercise: &str) -> String {
        format!("{FOLDER}/{exercise}.rs")
    }

    /// Full path of the learner's file.
    pub fn path(&self, exercise: &Exercise) -> PathBuf {
        self.root.join(Self::name(exercise))
    }

    /// Full path of the learner's file, for display.
    pub fn place(&self, exercise: &Exercise) -> String {
        clean(&self.path(exercise).display().to_string())
    }

    /// A path as a person would type it: from the current folder if it is inside, else from the home folder as `~`,
    /// else in full.
    pub fn shown(file: &Path) -> String {
        let here = std::env::current_dir().ok();
        if let Some(inside) = here.and_then(|here| Some(file.strip_prefix(here).ok()?.to_owned())) {
            return inside.display().to_string();
        }
        let home = std::env::home_dir().filter(|home| home.components().count() > 1);
        match home.and_then(|home| Some(file.strip_prefix(home).ok()?.to_owned())) {
            Some(inside) => Path::new("~").join(inside).display().to_string(),
            None => file.display().to_string(),
        }
    }

    /// Contents of the learner's file; `None` if it is missing or not a source file.
    pub fn text(&self, exercise: &Exercise) -> Option<String> {
        self.text_of(exercise.name)
    }

    /// The same, by the exercise's name.
    pub fn text_of(&self, exercise: &str) -> Option<String> {
        let bytes = read(&self.root.join(Self::name_of(exercise)))?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// True if the learner has written anything: the file exists and is no starter.
    pub fn is_written(&self, exercise: &Exercise) -> bool {
        self.text(exercise)
            .is_some_and(|text| exercise.untouched(&text).is_none())
    }

    /// Begins the exercise at this tier: like [`Workbook::begin`], but also replaces a starter of another tier in which
    /// nothing was written.
    pub fn begin_at(&self, exercise: &Exercise, tier: Tier) -> Result<FileOrigin, String> {
        let starter = exercise.starter_at(tier);
        let is_other =
            |text: &String| exercise.untouched(text).is_some() && text.trim() != starter.trim();
        if self.text(exercise).as_ref().is_some_and(is_other) {
            return output::replace(&self.path(exercise), starter.as_bytes())
                .map(|()| FileOrigin::New)
                .map_err(|e| format!("{} could not be written: {e}", Self::name(exercise)));
        }
        self.begin(exercise, tier)
    }

    /// Writes the starter of this tier if the file is missing; never overwrites. `Err` names the file and what is
    /// wrong.
    pub fn begin(&self, exercise: &Exercise, tier: Tier) -> Result<FileOrigin, String> {
        let path = self.path(exercise);
        if path.exists() {
            return match read(&path) {
                Some(_) => Ok(FileOrigin::Kept),
                None => Err(format!(
                    "{} is not a readable source file of at most {} MB: `exercise reset {}` moves it aside",
                    Self::name(exercise),
                    LARGEST >> 20,
                    exercise.name
                )),
            };
        }
        write_new(&path, &exercise.starter_at(tier))
            .map(|()| FileOrigin::New)
            .map_err(|e| format!("{} could not be written: {e}", Self::name(exercise)))
    }

    /// Restores the starter of this tier. A previous file is renamed to `attention.rs.1`, or the next free number, and the new name
    /// returned; `None` if there was no file.
    pub fn reset(&self, exercise: &Exercise, tier: Tier) -> Result<Option<String>, String> {
        let path = self.path(exercise);
        let name = Self::name(exercise);
        if !path.exists() {
            return self.begin(exercise, tier).map(|_| None);
        }
        let free = (1..10_000).map(|n| format!("{name}.{n}"));
        let aside = free
            .into_iter()
            .find(|name| std::fs::symlink_metadata(self.root.join(name)).is_err())
            .ok_or_else(|| format!("{FOLDER} is full of files set aside: remove some"))?;
        std::fs::rename(&path, self.root.join(&aside))
            .map_err(|e| format!("{name} could not be moved to {aside}: {e}"))?;
        self.begin(exercise, tier)?;
        Ok(Some(aside))
    }
}

/// Contents of a learner's file. `None` for anything that could block the reader or fill the memory: a FIFO, a device,
/// a folder, or a file larger than [`LARGEST`].
pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    let about = std::fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > LARGEST {
        return None;
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The file that remembers where the sources were laid out.
fn laid_out() -> Option<PathBuf> {
    Some(crate::lesson::progress::folder()?.join("workshop"))
}

/// True if `root` is inside cargo's own folders, where nobody should work.
fn is_cargos(root: &Path) -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let inside = |folder: &Path| {
        let mut parts = folder.components().rev().map(|part| part.as_os_str());
        let last = parts.next();
        last.is_some_and(|name| name == ".cargo") || home.as_deref() == Some(folder)
    };
    root.ancestors().any(inside)
}

/// True if `root` contains this package.
fn is_package(root: &Path) -> bool {
    std::fs::read_to_string(root.join("Cargo.toml"))
        .is_ok_and(|text| text.lines().any(|line| line.trim() == PROGRAM))
}

/// Writes a new file atomically; fails if the file already exists.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let file = scratch::file_in(folder, &name)?;
    file.as_file().write_all(text.as_bytes())?;
    let (file, _scratch) = file.into_parts();
    file.persist_noclobber(path).map_err(|e| e.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Mistakes, Task};
    use super::*;

    const EXERCISE: Exercise = Exercise {
        name: "attention",
        lesson: "attention",
        kind: Kind::Core,
        minutes: None,
        task: "",
        starter: "// starter\n",
        solution: "",
        forms: &[],
        hints: [""; 4],
        why: "",
        changes: &[],
        diagnoses: &[],
        function: &Task {
            reference: (),
            starter: (),
            mistakes: Mistakes::listed(&[]),
            check: |()| Ok(()),
        },
    };

    fn workbook() -> (tempfile::TempDir, Workbook) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let workbook = Workbook::at(folder.path());
        (folder, workbook)
    }

    #[test]
    fn the_starter_is_written_once_and_never_over_work() {
        let (_folder, workbook) = workbook();
        assert_eq!(workbook.begin(&EXERCISE, Tier::Guided), Ok(FileOrigin::New));
        std::fs::write(workbook.path(&EXERCISE), "// work\n").expect("a file");
        assert_eq!(
            workbook.begin(&EXERCISE, Tier::Guided),
            Ok(FileOrigin::Kept)
        );
        assert_eq!(workbook.text(&EXERCISE).as_deref(), Some("// work\n"));
    }

    #[test]
    fn an_untouched_starter_gives_way_to_that_of_another_tier_and_work_does_not() {
        let (_folder, workbook) = workbook();
        assert_eq!(
            workbook.begin_at(&EXERCISE, Tier::Guided),
            Ok(FileOrigin::New)
        );
        assert_eq!(
            workbook.begin_at(&EXERCISE, Tier::Blank),
            Ok(FileOrigin::New)
        );
        assert_eq!(
            workbook.text(&EXERCISE).as_deref(),
            Some(&*EXERCISE.starter_at(Tier::Blank))
        );
        assert!(!workbook.is_written(&EXERCISE));
        std::fs::write(workbook.path(&EXERCISE), "// work\n").expect("a file");
        assert_eq!(
            workbook.begin_at(&EXERCISE, Tier::Open),
            Ok(FileOrigin::Kept)
        );
        assert_eq!(workbook.text(&EXERCISE).as_deref(), Some("// work\n"));
    }

    #[test]
    fn reset_loses_nothing() {
        let (folder, workbook) = workbook();
        assert_eq!(workbook.reset(&EXERCISE, Tier::Guided), Ok(None));
        for (n, work) in ["// first\n", "// second\n"].iter().enumerate() {
            std::fs::write(workbook.path(&EXERCISE), work).expect("a file");
            let aside = format!("exercises/attention.rs.{}", n + 1);
            assert_eq!(
                workbook.reset(&EXERCISE, Tier::Guided),
                Ok(Some(aside.clone()))
            );
            let kept = std::fs::read_to_string(folder.path().join(aside));
            assert_eq!(kept.expect("set aside"), *work);
            assert_eq!(workbook.text(&EXERCISE).as_deref(), Some("// starter\n"));
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let (folder, workbook) = workbook();
        std::fs::write(folder.path().join("exercises"), "a file").expect("a file");
        let sentence = workbook
            .begin(&EXERCISE, Tier::Guided)
            .expect_err("no folder");
        assert!(sentence.starts_with("exercises/attention.rs could not be written"));
    }

    #[test]
    #[cfg(unix)]
    fn what_is_no_source_file_is_neither_waited_for_nor_read_without_end() {
        for target in ["/dev/zero", "/dev"] {
            let (_folder, workbook) = workbook();
            let path = workbook.path(&EXERCISE);
            std::fs::create_dir(path.parent().expect("a folder")).expect("a folder");
            std::os::unix::fs::symlink(target, &path).expect("a link");
            assert_eq!(workbook.text(&EXERCISE), None, "{target}");
            let sentence = workbook.begin(&EXERCISE, Tier::Guided).expect_err(target);
            assert!(sentence.starts_with("exercises/attention.rs is not a readable source file"));
            assert!(
                workbook
                    .reset(&EXERCISE, Tier::Guided)
                    .is_ok_and(|aside| aside.is_some())
            );
            assert_eq!(
                workbook.begin(&EXERCISE, Tier::Guided),
                Ok(FileOrigin::Kept)
            );
        }
        let (folder, workbook) = workbook();
        let fifo = workbook.path(&EXERCISE);
        std::fs::create_dir(fifo.parent().expect("a folder")).expect("a folder");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        assert!(made.expect("there is mkfifo").success());
        // The FIFO has no writer, so reading it would never end.
        assert_eq!(workbook.text(&EXERCISE), None);
        assert!(workbook.begin(&EXERCISE, Tier::Guided).is_err());
        drop(folder);
    }

    #[test]
    fn the_package_in_which_the_learner_is_comes_first_then_the_workshop() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let package = |name: &str| {
            let root = folder.path().join(name);
            std::fs::create_dir_all(root.join("src/engine")).expect("a folder");
            let manifest = format!("[package]\n{PROGRAM}\n");
            std::fs::write(root.join("Cargo.toml"), manifest).expect("a file");
            root
        };
        let (copy, workshop) = (package("copy"), package("workshop"));
        let cargos = package(".cargo/git/checkouts/tutor-1/2");
        let root = |here: &Path, workshop: Option<&Path>| {
            let found = Workbook::nearest(here, workshop.map(Path::to_owned));
            found.expect("there is this package").root().to_owned()
        };
        for here in [copy.clone(), copy.join("src/engine")] {
            assert_eq!(root(&here, Some(&workshop)), copy);
        }
        assert_eq!(root(folder.path(), Some(&workshop)), workshop);
        assert_eq!(root(&cargos, Some(&workshop)), workshop);
        let gone = folder.path().join("gone");
        for workshop in [None, Some(gone.as_path())] {
            assert_eq!(root(folder.path(), workshop), *BUILT);
        }
        assert!(!is_package(Path::new("/")));
    }

    #[test]
    fn nobody_writes_where_cargo_keeps_what_it_downloaded() {
        assert!(is_cargos(Path::new(
            "/home/ada/.cargo/git/checkouts/tutor-1/2"
        )));
        assert!(!is_cargos(Path::new("/home/ada/tutor")));
    }
}
