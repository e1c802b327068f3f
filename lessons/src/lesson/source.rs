//! The project's own source, embedded at build time, and the include lines by which lessons show it.
//!
//! A lesson writes `{{#include ../../src/engine/ops/softmax.rs:forward}}`, as an mdBook chapter would. mdBook shows
//! nothing if the anchor is missing; here that is an error.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};

#[cfg(not(target_family = "wasm"))]
static LESSONS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR");

/// The embedded folders with their paths from the project's root: the packages of the engine and of the course.
#[cfg(not(target_family = "wasm"))]
pub static FOLDERS: [(&str, &Dir<'_>); 2] =
    [("src/engine", &tutor_engine::SOURCE), ("lessons", &LESSONS)];

/// What a page has of them, which the build script chooses.
#[cfg(target_family = "wasm")]
static QUOTED: Dir<'_> = include_dir!("$OUT_DIR/quoted");
#[cfg(target_family = "wasm")]
pub static FOLDERS: [(&str, &Dir<'_>); 1] = [("", &QUOTED)];

/// Names of the lessons' folders.
pub fn lesson_folders() -> impl Iterator<Item = &'static str> {
    #[cfg(not(target_family = "wasm"))]
    let lessons = Some(&LESSONS);
    #[cfg(target_family = "wasm")]
    let lessons = QUOTED.get_dir("lessons");
    let folders = lessons.into_iter().flat_map(Dir::dirs);
    folders.filter_map(|folder| folder.path().file_name()?.to_str())
}

/// Origin of shown code: path from the project's root, first and last line, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRef {
    pub path: String,
    pub first_line: usize,
    pub last_line: usize,
}

impl SourceRef {
    /// True if the two share at least one line.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.path == other.path
            && self.first_line <= other.last_line
            && other.first_line <= self.last_line
    }
}

/// `src/engine/ops/softmax.rs:18–31`, as shown above the code.
impl std::fmt::Display for SourceRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.path, self.first_line)?;
        if self.last_line > self.first_line {
            write!(f, "–{}", self.last_line)?;
        }
        Ok(())
    }
}

/// Files available to include lines, by path from the project's root.
pub trait Files {
    fn read(&self, path: &str) -> Option<&str>;
    fn paths(&self) -> Vec<String>;
}

/// The text of the engine and the course at build time.
pub struct Embedded;

impl Files for Embedded {
    fn read(&self, path: &str) -> Option<&str> {
        let content = FOLDERS
            .iter()
            .find_map(|(root, dir)| dir.get_file(path.strip_prefix(root)?.trim_start_matches('/')));
        content?.contents_utf8()
    }

    fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        for (root, dir) in FOLDERS {
            collect(root, dir, &mut paths);
        }
        paths.sort();
        paths.dedup();
        paths
    }
}

fn collect(root: &str, dir: &Dir<'_>, paths: &mut Vec<String>) {
    paths.extend(dir.files().map(|file| {
        format!(
            "{root}/{}",
            file.path().to_string_lossy().replace('\\', "/")
        )
    }));
    for dir in dir.dirs() {
        collect(root, dir, paths);
    }
}

/// Files in memory, for tests and for lessons that are being written.
impl Files for BTreeMap<String, String> {
    fn read(&self, path: &str) -> Option<&str> {
        self.get(path).map(String::as_str)
    }

    fn paths(&self) -> Vec<String> {
        self.keys().cloned().collect()
    }
}

/// Replaces the include lines of a code block with the text that they name.
///
/// Paths are relative to `folder`, the lesson's folder. The source is returned only if the block is a single include
/// and nothing else.
pub fn expand(
    files: &dyn Files,
    folder: &str,
    code: &str,
) -> Result<(String, Option<SourceRef>), String> {
    let mut out = String::new();
    let mut place = None;
    for line in code.lines() {
        match line.trim().strip_prefix("{{#") {
            None => out.push_str(line),
            Some(directive) => {
                let target = directive
                    .strip_suffix("}}")
                    .and_then(|inner| inner.strip_prefix("include "))
                    .ok_or_else(|| {
                        format!(
                            "`{}` is not an include: write {{{{#include FILE:ANCHOR}}}}",
                            line.trim()
                        )
                    })?;
                let (text, source) = include(files, folder, target.trim())?;
                out.push_str(&text);
                place = Some(source);
            }
        }
        out.push('\n');
    }
    let alone = code.trim().lines().count() == 1;
    Ok((
        out.trim_end_matches('\n').to_string(),
        place.filter(|_| alone),
    ))
}

/// The text of `FILE`, `FILE:ANCHOR` or `FILE:FIRST:LAST`, without marker lines and common indentation.
fn include(files: &dyn Files, folder: &str, target: &str) -> Result<(String, SourceRef), String> {
    let (file, part) = target.split_once(':').unwrap_or((target, ""));
    let path = join(folder, file);
    let Some(text) = files.read(&path) else {
        let paths = files.paths();
        let hint = nearest(&path, paths.iter().map(String::as_str));
        return Err(format!("{path} is not in the project{}", suggest(hint)));
    };
    let lines: Vec<&str> = text.lines().collect();
    let range = match part {
        "" => 0..lines.len(),
        part if part.starts_with(|c: char| c.is_ascii_digit() || c == ':') => {
            line_range(part, lines.len(), &path)?
        }
        anchor => anchor_range(&lines, anchor, &path)?,
    };
    let kept: Vec<usize> = range.filter(|at| marker(lines[*at]).is_none()).collect();
    // Blank lines at either end belong to the surrounding code.
    let filled = |at: &&usize| !lines[**at].trim().is_empty();
    let (Some(first), Some(last)) = (kept.iter().find(filled), kept.iter().rfind(filled)) else {
        return Err(format!("{path}:{part} has no lines"));
    };
    let shown: Vec<&str> = kept
        .iter()
        .filter(|at| (first..=last).contains(at))
        .map(|at| lines[*at])
        .collect();
    Ok((
        dedent(&shown),
        SourceRef {
            path,
            first_line: first + 1,
            last_line: last + 1,
        },
    ))
}

fn line_range(part: &str, lines: usize, path: &str) -> Result<std::ops::Range<usize>, String> {
    let (first, last) = part.split_once(':').unwrap_or((part, part));
    let number = |text: &str, default: usize| {
        if text.is_empty() {
            Some(default)
        } else {
            text.parse().ok()
        }
    };
    match (number(first, 1), number(last, lines)) {
        (Some(first), Some(last)) if 1 <= first && first <= last && last <= lines => {
            Ok(first - 1..last)
        }
        _ => Err(format!(
            "{path}:{part} is not within the file's {lines} lines"
        )),
    }
}

fn anchor_range(
    lines: &[&str],
    anchor: &str,
    path: &str,
) -> Result<std::ops::Range<usize>, String> {
    let line_of = |wanted: Marker<'_>| lines.iter().position(|line| marker(line) == Some(wanted));
    let Some(start) = line_of(Marker::Start(anchor)) else {
        let names = lines.iter().filter_map(|line| match marker(line) {
            Some(Marker::Start(name)) => Some(name),
            _ => None,
        });
        return Err(format!(
            "{path} has no `ANCHOR: {anchor}`{}",
            suggest(nearest(anchor, names))
        ));
    };
    match line_of(Marker::End(anchor)) {
        Some(end) if end > start => Ok(start + 1..end),
        _ => Err(format!(
            "{path} has no `ANCHOR_END: {anchor}` below its start in line {}",
            start + 1
        )),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Marker<'a> {
    Start(&'a str),
    End(&'a str),
}

/// Parses a comment line that is an anchor marker.
fn marker(line: &str) -> Option<Marker<'_>> {
    let mark = line
        .trim()
        .trim_start_matches(['/', '#', '<', '!', '-', ' ']);
    let name = |rest: &'static str| {
        mark.strip_prefix(rest)
            .map(|name| name.trim().trim_end_matches("-->").trim())
    };
    name("ANCHOR_END:")
        .map(Marker::End)
        .or_else(|| name("ANCHOR:").map(Marker::Start))
}

fn dedent(lines: &[&str]) -> String {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let common = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(indent)
        .min()
        .unwrap_or(0);
    lines
        .iter()
        .map(|line| line.get(common..).unwrap_or("").trim_end())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Joins `folder` and a relative path into a path from the project's root.
fn join(folder: &str, file: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(file.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn suggest(name: Option<&str>) -> String {
    name.map(|name| format!("; did you mean {name}?"))
        .unwrap_or_default()
}

/// The candidate at the smallest edit distance, if it is close enough to be a typo.
fn nearest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, name) = candidates
        .map(|name| (strsim::levenshtein(wanted, name), name))
        .min()?;
    (distance <= wanted.len().max(name.len()) / 2).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> BTreeMap<String, String> {
        let softmax = "\
//! Softmax.
impl Softmax {
    // ANCHOR: forward
    pub fn forward(x: &Tensor) -> Tensor {
        // ANCHOR: shift
        let shifted = x - x.max();

        // ANCHOR_END: shift
        shifted.exp()
    }
    // ANCHOR_END: forward
}
// ANCHOR: open
";
        BTreeMap::from([
            ("src/engine/ops/softmax.rs".to_string(), softmax.to_string()),
            (
                "lessons/03-attention/note.toml".to_string(),
                "a = 1\n".to_string(),
            ),
        ])
    }

    fn included(target: &str) -> Result<(String, Option<SourceRef>), String> {
        expand(
            &files(),
            "lessons/03-attention",
            &format!("{{{{#include {target}}}}}\n"),
        )
    }

    #[test]
    fn an_anchor_shows_its_lines_without_marks_and_indentation() {
        let (text, source) = included("../../src/engine/ops/softmax.rs:forward").unwrap();
        assert_eq!(
            text,
            "pub fn forward(x: &Tensor) -> Tensor {\n    let shifted = x - x.max();\n\n    shifted.exp()\n}"
        );
        assert_eq!(
            source.unwrap().to_string(),
            "src/engine/ops/softmax.rs:4–10"
        );
    }

    #[test]
    fn blank_lines_at_the_ends_are_left_out() {
        let (text, source) = included("../../src/engine/ops/softmax.rs:shift").unwrap();
        assert_eq!(text, "let shifted = x - x.max();");
        assert_eq!(source.unwrap().to_string(), "src/engine/ops/softmax.rs:6");
    }

    #[test]
    fn whole_files_and_line_ranges_work() {
        assert_eq!(included("note.toml").unwrap().0, "a = 1");
        assert_eq!(
            included("../../src/engine/ops/softmax.rs:1:2").unwrap().0,
            "//! Softmax.\nimpl Softmax {"
        );
        assert_eq!(
            included("../../src/engine/ops/softmax.rs:9:40").unwrap_err(),
            "src/engine/ops/softmax.rs:9:40 is not within the file's 13 lines"
        );
    }

    #[test]
    fn a_missing_file_or_anchor_is_named_with_the_nearest_name() {
        assert_eq!(
            included("../../src/engine/ops/sofmax.rs:forward").unwrap_err(),
            "src/engine/ops/sofmax.rs is not in the project; did you mean src/engine/ops/softmax.rs?"
        );
        assert_eq!(
            included("../../src/engine/ops/softmax.rs:forwards").unwrap_err(),
            "src/engine/ops/softmax.rs has no `ANCHOR: forwards`; did you mean forward?"
        );
        assert_eq!(
            included("../../src/engine/ops/softmax.rs:open").unwrap_err(),
            "src/engine/ops/softmax.rs has no `ANCHOR_END: open` below its start in line 13"
        );
    }

    #[test]
    fn code_around_an_include_stays() {
        let code = "let a = 1;\n{{#include note.toml}}\n";
        assert_eq!(
            expand(&files(), "lessons/03-attention", code).unwrap(),
            ("let a = 1;\na = 1".to_string(), None)
        );
        assert!(
            expand(&files(), "lessons", "{{#playground x.rs}}")
                .unwrap_err()
                .contains("is not an include")
        );
    }

    #[test]
    fn the_running_source_is_embedded() {
        assert!(
            Embedded
                .read("lessons/src/lesson/source.rs")
                .unwrap()
                .contains("the_running_source_is_embedded")
        );
        assert!(
            Embedded
                .paths()
                .contains(&"lessons/src/lesson/source.rs".to_string())
        );
        assert_eq!(Embedded.read("Cargo.toml"), None);
    }
}
