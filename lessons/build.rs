//! Makes functions of the exercises' mistakes: each is written as a change of the reference, in `mistakes.diff`.
//!
//! The functions of an exercise go into a file of its name in `OUT_DIR`, as an expression: a list of names and functions,
//! which the exercise's `Task` includes. A line that a change brings ends there with its place in `mistakes.diff`, so that
//! the compiler's errors show it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "src/lesson/exercise/changes.rs"]
#[allow(dead_code)]
mod changes;

/// Solutions of exercises whose reference has another signature.
const FUNCTIONS: &str = "src/lesson/mine/ejected/functions";

fn main() {
    println!("cargo::rerun-if-changed=.");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        quoted(&out.join("quoted")).expect("OUT_DIR can be written");
    }
    let mut wrong = Vec::new();
    for lesson in folders(Path::new(".")) {
        let more = folders(&lesson.join("more"));
        for folder in [lesson.clone()].into_iter().chain(more) {
            let path = folder.join("mistakes.diff");
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            match Exercise::of(&lesson, &folder) {
                Ok(exercise) => {
                    let file = out.join(format!("{}.rs", exercise.name));
                    let functions = exercise.mistakes(&path, &text, &mut wrong);
                    fs::write(file, functions).expect("OUT_DIR can be written");
                }
                Err(e) => wrong.push(format!("lessons/{}: {e}", folder.display())),
            }
        }
    }
    for error in &wrong {
        println!("cargo::error={error}");
    }
    if !wrong.is_empty() {
        std::process::exit(1);
    }
}

/// Writes what a page needs of the sources, which are large: those that a text names, and the files of the lessons.
fn quoted(out: &Path) -> std::io::Result<()> {
    let engine = env::var("DEP_TRANSFORMER_TUTOR_ENGINE_SOURCE").expect("the engine sets it");
    let copy = |from: &Path, to: PathBuf| {
        fs::create_dir_all(to.parent().unwrap_or(out))?;
        fs::copy(from, to).map(drop)
    };
    let mut open: Vec<PathBuf> = folders(Path::new("."));
    open.retain(|folder| !folder.ends_with("src"));
    while let Some(folder) = open.pop() {
        open.extend(folders(&folder));
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let Some(ending) = path.extension().and_then(|ending| ending.to_str()) else {
                continue;
            };
            if matches!(ending, "rs" | "diff") {
                copy(&path, out.join("lessons").join(&path))?;
            }
            let text = fs::read_to_string(&path)?;
            for (at, root) in text.match_indices("src/engine/") {
                let name = text[at + root.len()..]
                    .split_once(".rs")
                    .unwrap_or_default()
                    .0;
                let source = Path::new(&engine).join(format!("{name}.rs"));
                if source.is_file() {
                    copy(&source, out.join(format!("{root}{name}.rs")))?;
                }
            }
        }
    }
    Ok(())
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(of).into_iter().flatten().flatten();
    let mut folders: Vec<_> = entries.map(|entry| entry.path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

/// What mistakes are changes of.
struct Exercise {
    name: String,
    /// The reference.
    code: String,
    /// The expression by which the check gets the function: its name or a closure.
    function: String,
}

impl Exercise {
    fn of(lesson: &Path, folder: &Path) -> Result<Self, String> {
        let read =
            |path: &Path| fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
        let words = read(&lesson.join("lesson.toml"))?;
        let own = folder.file_name().filter(|_| folder != lesson);
        let own = own.and_then(|name| name.to_str());
        let (name, place) = solution(&words, own).ok_or("lesson.toml names no solution")?;
        let code = match read(&Path::new(FUNCTIONS).join(format!("{name}.rs"))) {
            Ok(text) => text.split_once("\n\n").unwrap_or_default().1.to_owned(),
            Err(_) => {
                let (path, anchor) = place.split_once(':').ok_or("the solution has no anchor")?;
                let path = match path.strip_prefix("src/engine/") {
                    Some(rest) => {
                        let engine = env::var("DEP_TRANSFORMER_TUTOR_ENGINE_SOURCE");
                        Path::new(&engine.map_err(|e| e.to_string())?).join(rest)
                    }
                    None => path.trim_start_matches("lessons/").into(),
                };
                println!("cargo::rerun-if-changed={}", path.display());
                anchored(&read(&path)?, anchor)
            }
        };
        let called = code.split_once("pub fn ").ok_or("no public function")?.1;
        let called = called.split(['(', '<']).next().unwrap_or_default();
        let learner = read(&folder.join("learner.rs"))?;
        let lines = learner
            .lines()
            .map(|line| line.trim().trim_end_matches(','));
        let function = lines
            .filter(|line| !line.starts_with("//"))
            .find(|l| l.contains("exercise::"));
        let function =
            function.ok_or("learner.rs hands no function of the exercise to the check")?;
        Ok(Self {
            function: function.replace(&format!("exercise::{name}"), &format!("mistake::{called}")),
            name: name.to_owned(),
            code,
        })
    }

    /// The list of names and functions. Adds to `wrong` what is wrong with the changes.
    fn mistakes(&self, path: &Path, text: &str, wrong: &mut Vec<String>) -> String {
        let mut list = String::from("transformer_tutor::lesson::exercise::Mistakes::new(&[\n");
        for change in changes::parse(text) {
            let place = |number| format!("lessons/{}:{}", path.display(), change.line + number);
            match changes::applied(&self.code, change.diff) {
                Ok(lines) => {
                    let code = changes::code(&lines, |number| format!(" // {}", place(number)));
                    let (name, function) = (change.name, &self.function);
                    let _ = write!(
                        list,
                        "({name:?}, {{\n#[allow(unused, clippy::all)]\nmod mistake {{\nuse super::*;\n{code}}}\n{function}\n}}),\n"
                    );
                }
                Err((number, why)) => {
                    wrong.push(format!("{}: {}: {why}", place(number), change.name))
                }
            }
        }
        let second = self.second();
        list + "], " + second.as_deref().unwrap_or("None") + ")\n"
    }

    /// The function that takes inputs apart for the instruments: see `src/lesson/exercise/inputs.rs`. `None` if the
    /// check gets a closure, whose inputs have other types.
    fn second(&self) -> Option<String> {
        let (_, rest) = self.code.split_once("pub fn ")?;
        let (signature, _) = rest.split_once(" {\n")?;
        let (name, rest) = signature.split_once('(')?;
        let (inputs, output) = rest.rsplit_once(") -> ")?;
        if self.function != format!("mistake::{name}") {
            return None;
        }
        // A comma inside parentheses or brackets separates no inputs.
        let mut depth = 0;
        let inputs = inputs.split(|c: char| {
            match c {
                '(' | '[' | '<' => depth += 1,
                ')' | ']' => depth -= 1,
                '>' if depth > 0 => depth -= 1,
                _ => {}
            }
            c == ',' && depth == 0
        });
        let inputs: Vec<_> = inputs
            .filter_map(|input| input.trim().split_once(": "))
            .collect();
        let each = |of: &dyn Fn(&str, &str) -> String| -> String {
            inputs
                .iter()
                .map(|(name, kind)| of(name.trim_start_matches('_'), kind))
                .collect()
        };
        let typed = each(&|name, kind| format!("{name}: {kind}, "));
        let kinds = each(&|_, kind| format!("{kind}, "));
        let taken =
            each(&|name, _| format!("Argument::values(&{name}, {name:?}, &mut taken_apart);\n"));
        let handed = each(&|name, _| {
            format!("Argument::changed({name}, &mut taken_apart, &mut Default::default()), ")
        });
        Some(format!(
            "Some({{\n#[allow(unused, clippy::all)]\nmod second {{\nuse super::*;\nuse transformer_tutor::lesson::exercise::inputs::{{Argument, called, entered}};\n\
             pub fn {name}({typed}) -> {output} {{\nlet mut taken_apart = Vec::new();\n{taken}\
             let (function, mut taken_apart) = entered::<fn({kinds}) -> {output}>(taken_apart);\n\
             called(move || function({handed}))\n}}\n}}\nsecond::{name}\n}})"
        ))
    }
}

/// Name and place of a solution in `lesson.toml`: of the exercise `own`, or of the first.
fn solution<'a>(words: &'a str, own: Option<&str>) -> Option<(&'a str, &'a str)> {
    let mut name = "";
    words.lines().find_map(|line| {
        let value = |key: &str| line.strip_prefix(key)?.strip_suffix('"');
        name = value("name = \"").unwrap_or(name);
        let solution = value("solution = \"")?;
        own.is_none_or(|own| own == name)
            .then_some((name, solution))
    })
}

/// The lines between the marks of `anchor`, without doc comments and public structs, which belong to the engine.
fn anchored(text: &str, anchor: &str) -> String {
    let start = format!("// ANCHOR: {anchor}");
    let end = format!("// ANCHOR_END: {anchor}");
    let inside = text.lines().skip_while(|line| line.trim() != start).skip(1);
    let inside = inside.take_while(|line| line.trim() != end);
    let mut in_struct = false;
    let code = inside.filter(|line| {
        in_struct |= line.starts_with("pub struct ");
        let is_code = !in_struct && !line.trim_start().starts_with("///");
        in_struct &= *line != "}";
        is_code
    });
    code.map(|line| format!("{line}\n")).collect()
}
