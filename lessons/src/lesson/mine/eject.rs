//! The learner's model as a crate that needs nothing of this project: their functions where they passed their checks,
//! the references elsewhere, and the code between them, which is in `ejected/`.

mod function;
pub(super) mod model;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::parts::Parts;
use super::status::{State, Status};
use crate::lesson::exercise::new_folder;
use crate::lesson::exercise::report::Card;
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::source::{Embedded, Files};
use crate::lesson::started::program;

/// An exercise beyond [`Parts::NAMES`] that has a place in the crate.
const MORE: &str = "softmax";

/// Exercises among [`Parts::NAMES`] that the crate has no place for, each with the file that does this in its own way.
const LEFT: [(&str, &str); 7] = [
    ("linear", "src/ops.rs"),
    ("layer_norm_backward", "src/ops.rs"),
    ("tiny_tape", "src/autograd.rs"),
    ("cross_entropy", "src/train.rs"),
    ("cut_batches", "src/train.rs"),
    ("training_step", "src/train.rs"),
    ("training_loop", "src/train.rs"),
];

/// The file that does what an exercise without a place in the crate asks for.
fn instead_of(name: &str) -> Option<&'static str> {
    let left = LEFT.iter().find(|(left, _)| *left == name);
    left.map(|(_, file)| *file)
}

/// Folder of the code between the functions.
const TEMPLATE: &str = "lessons/src/lesson/mine/ejected";

/// Files of the template other than Rust, with their paths in the crate.
const TEXTS: [(&str, &str); 3] = [
    ("manifest.toml", "Cargo.toml"),
    ("lock.txt", "Cargo.lock"),
    ("licence.txt", "LICENSE"),
];

/// Files in the order in which they are read, after the functions.
const ORDER: [&str; 12] = [
    "src/nn.rs",
    "src/transformer.rs",
    "src/text.rs",
    "src/params.rs",
    "src/decode.rs",
    "src/data.rs",
    "src/train.rs",
    "src/main.rs",
    "src/tensor.rs",
    "src/autograd.rs",
    "src/ops.rs",
    "src/random.rs",
];

/// A crate that is ready to be written.
pub struct Crate {
    files: Vec<(PathBuf, Vec<u8>)>,
    own: Vec<&'static str>,
    borrowed: Vec<&'static str>,
    /// The learner's functions that have not passed their checks, among the borrowed ones.
    open: Vec<&'static str>,
    /// The learner's functions that the crate has no place for.
    left: Vec<&'static str>,
}

impl Crate {
    /// The crate with the functions of `workbook` that have passed, as `statuses` say.
    pub fn new(statuses: &[Status], workbook: Option<&Workbook>) -> Result<Self, String> {
        let mut made = Self {
            files: vec![],
            own: vec![],
            borrowed: vec![],
            open: vec![],
            left: vec![],
        };
        let in_crate = |status: &&Status| {
            let name = status.exercise.name;
            name == MORE || (Parts::NAMES.contains(&name) && instead_of(name).is_none())
        };
        let taken: Vec<&Status> = statuses.iter().filter(in_crate).collect();
        let names: Vec<&str> = taken.iter().map(|status| status.exercise.name).collect();
        for status in taken {
            let (exercise, name) = (status.exercise, status.exercise.name);
            let written = workbook.filter(|_| status.state == State::Passing);
            let text = match written.and_then(|book| book.text(exercise)) {
                Some(text) => {
                    made.own.push(name);
                    function::own(exercise, &text)
                }
                None => {
                    made.borrowed.push(name);
                    if status.is_own() {
                        made.open.push(name);
                    }
                    function::borrowed(status, &names)?
                }
            };
            made.add(&format!("src/functions/{name}.rs"), text);
        }
        let left = statuses.iter().filter(|status| status.is_own());
        let left = left.map(|status| status.exercise.name);
        made.left = left.filter(|name| instead_of(name).is_some()).collect();
        made.add("src/functions/mod.rs", function::module(&names));
        made.add_template()?;
        Ok(made)
    }

    fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.push((path.into(), bytes.into()));
    }

    fn add_template(&mut self) -> Result<(), String> {
        let content = |path: &str| {
            Embedded
                .read(path)
                .ok_or_else(|| format!("{path} is missing"))
        };
        for path in Embedded.paths() {
            let inside = path
                .strip_prefix(TEMPLATE)
                .and_then(|name| name.strip_prefix('/'));
            let folders = ["src/", "tests/"];
            if let Some(name) = inside.filter(|name| folders.iter().any(|f| name.starts_with(f))) {
                self.add(name, content(&path)?);
            }
        }
        for (name, path) in TEXTS {
            self.add(path, content(&format!("{TEMPLATE}/{name}"))?);
        }
        let readme = content(&format!("{TEMPLATE}/readme.md"))?;
        self.add("README.md", readme.replace("{functions}", &self.whose()));
        self.add(".gitignore", "/target\n");
        self.files.extend(model::files()?);
        Ok(())
    }

    /// The functions and the code between them, with their paths, in the order in which they are read.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        let functions = self
            .files
            .iter()
            .filter(|(path, _)| path.starts_with("src/functions") && !path.ends_with("mod.rs"));
        let of = |name: &&str| self.files.iter().find(|(path, _)| path == Path::new(name));
        let all = functions.chain(ORDER.iter().filter_map(of));
        all.filter_map(|(path, bytes)| Some((path.to_str()?, std::str::from_utf8(bytes).ok()?)))
    }

    /// Paragraphs that say which functions are the learner's.
    fn whose(&self) -> String {
        let list = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        let mut out = String::new();
        if !self.own.is_empty() {
            let _ = write!(out, "Yours: {}.", list(&self.own));
        }
        if !self.borrowed.is_empty() {
            let gap = if out.is_empty() { "" } else { "\n\n" };
            let _ = write!(
                out,
                "{gap}Borrowed from the tutor: {}.",
                list(&self.borrowed)
            );
        }
        if let Some(sentence) = self.without_a_place() {
            let _ = write!(out, "\n\n{sentence}");
        }
        out
    }

    /// Sentence that names the learner's functions without a place in the crate, and the files in their stead.
    fn without_a_place(&self) -> Option<String> {
        let one = |name: &&str| format!("{name} ({})", instead_of(name).unwrap_or_default());
        let all: Vec<String> = self.left.iter().map(one).collect();
        (!all.is_empty()).then(|| {
            format!(
                "Not in the crate, which does this in its own way: {}.",
                all.join(", ")
            )
        })
    }

    /// Writes the crate into `folder`, which must be new or empty.
    pub fn write(&self, folder: &Path) -> Result<(), String> {
        new_folder(folder, &self.files, |_| Ok(()))
    }

    /// What was written, whose functions it has, and what to run next.
    pub fn card(&self, folder: &Path) -> Card {
        let mut card = Card::default();
        let all = self.own.len() + self.borrowed.len();
        card.title(format!(
            "{} is a crate now: {} of its {all} functions are yours",
            folder.display(),
            self.own.len()
        ));
        card.gap();
        for (title, names) in [("Yours", &self.own), ("Borrowed", &self.borrowed)] {
            if !names.is_empty() {
                card.text(format!("{title}: {}.", names.join(", ")));
            }
        }
        if !self.open.is_empty() {
            card.text(format!(
                "You have written {}, but the current file has not passed its check, so the reference is in its place. \
                 These commands put yours in, in a new folder:",
                self.open.join(", ")
            ));
            let program = program();
            card.code(format!(
                "{program} exercise check --all\n{program} mine eject {}-2",
                folder.display()
            ));
        }
        if let Some(sentence) = self.without_a_place() {
            card.text(sentence);
        }
        card.gap();
        card.text("Its weights are those of everyday, so it may write something else than mine translate. Next, in that folder:");
        card.code("cargo run -- translate 'Der Hund schläft im Garten.'\ncargo run -- train");
        card
    }
}

#[cfg(test)]
mod tests {
    use super::super::statuses;
    use super::*;
    use crate::curriculum::exercises;
    use crate::lesson::Tier;
    use crate::lesson::exercise::Exercise;
    use crate::lesson::progress::{Progress, sum};
    use crate::testing::assert_contains;

    fn exercise(name: &str) -> (&'static str, &'static Exercise) {
        let entry = exercises().find(|(_, _, exercise)| exercise.name == name);
        let (_, lesson, exercise) = entry.unwrap_or_else(|| panic!("there is no {name}"));
        (lesson, exercise)
    }

    /// Text of a file of the crate.
    fn text<'a>(made: &'a Crate, path: &str) -> &'a str {
        let file = made.files.iter().find(|(at, _)| at == Path::new(path));
        let (_, bytes) = file.unwrap_or_else(|| panic!("{path} is not in the crate"));
        std::str::from_utf8(bytes).expect("it is text")
    }

    #[test]
    fn a_function_that_passed_its_check_is_in_the_crate_in_the_learners_words() {
        const SHIFT: &str = "use transformer_tutor::tensor::Tensor;\n\npub fn shift() {} // mine\n";
        const MASK: &str = "pub fn subsequent_mask() {} // mine too\n";
        let folder = tempfile::tempdir().expect("a temporary folder");
        let workbook = Workbook::at(folder.path());
        let mut progress = Progress::default();
        for (name, text) in [
            ("shift", SHIFT),
            ("subsequent_mask", MASK),
            ("linear", "pub fn linear() {} // mine\n"),
        ] {
            let (_, exercise) = exercise(name);
            workbook
                .begin(exercise, Tier::Guided)
                .expect("the folder can be written");
            std::fs::write(workbook.path(exercise), text).expect("the exercise's file");
        }
        let (lesson, _) = exercise("shift");
        progress.lesson_mut(lesson).checked = Some(sum(SHIFT));
        let all = statuses(exercises(), Some(&workbook), &progress);
        let made = Crate::new(&all, Some(&workbook)).expect("it can be made");

        let shift = text(&made, "src/functions/shift.rs");
        assert_eq!(
            shift,
            "// Yours, from exercises/shift.rs.\n\nuse crate::tensor::Tensor;\n\npub fn shift() {} // mine\n"
        );
        assert!(!text(&made, "src/functions/subsequent_mask.rs").contains("mine too"));
        assert!(text(&made, "README.md").contains("Yours: `shift`."));
        let card = made.card(Path::new("here")).plain();
        assert!(card.contains("1 of its 22 functions are yours"), "{card}");
        assert!(card.contains("You have written subsequent_mask,"), "{card}");
        assert_contains(&card, "in its own way: linear (src/ops.rs).");
    }

    #[test]
    fn a_borrowed_function_has_its_name_and_imports_what_it_uses() {
        let all = statuses(exercises(), None, &Progress::default());
        let made = Crate::new(&all, None).expect("it can be made");
        let copy_batch = text(&made, "src/functions/copy_batch.rs");
        for line in [
            "// The reference of lesson 18.",
            "use crate::data::copy::{CopyBatch, START};",
            "use crate::functions::shift;",
            "use crate::nn::masks::PAD;",
            "pub fn copy_batch(words: &Tensor) -> CopyBatch {",
        ] {
            assert!(
                copy_batch.lines().any(|found| found == line),
                "{copy_batch}"
            );
        }
        let positions = text(&made, "src/functions/positional_encoding.rs");
        assert!(positions.contains("pub fn positional_encoding("));
        for (path, bytes) in &made.files {
            let of_ours = String::from_utf8_lossy(bytes).contains("transformer_tutor::");
            assert!(!of_ours, "{}", path.display());
        }
    }
}
