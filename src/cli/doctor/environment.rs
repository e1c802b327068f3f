//! The program's environment as `doctor` reports it: terminal, processor, memory, and where state is kept.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use termprofile::TermProfile;

use crate::cli::memory::{self, Bound};
use crate::tui;
use crate::typeset::sanitize::clean;

/// Memory needed by the full-size model of lesson 13 and the trace of its run.
const FULL_SIZE: u64 = 1 << 30;

/// Shown for a value that the system does not tell.
pub const UNKNOWN: &str = "unknown";

#[derive(Serialize)]
pub struct Terminal {
    pub term: Option<String>,
    pub stdin_is_terminal: bool,
    pub stdout_is_terminal: bool,
    pub colours: String,
    pub columns: Option<u16>,
    pub rows: Option<u16>,
    pub locale: Option<String>,
    pub unicode: bool,
}

#[derive(Serialize)]
pub struct Cpu {
    pub name: Option<String>,
    pub features: Vec<&'static str>,
}

#[derive(Serialize)]
pub struct Memory {
    pub total: Option<u64>,
    pub available: Option<u64>,
    /// Memory that models and training may use, in bytes; `bound` tells what sets this limit.
    pub limit: u64,
    pub bound: Bound,
}

#[derive(Serialize)]
pub struct State {
    pub folder: Option<String>,
    pub exists: bool,
    pub writable: bool,
}

/// Value of an environment variable, without control sequences.
fn variable(name: &str) -> Option<String> {
    let value = env::var(name).ok().filter(|value| !value.is_empty())?;
    Some(clean(&value))
}

impl Terminal {
    pub fn detect(notes: &mut Vec<String>) -> Self {
        let (stdin, stdout) = (io::stdin().is_terminal(), io::stdout().is_terminal());
        let size = stdout.then(|| crossterm::terminal::size().ok()).flatten();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(variable);
        let unicode = cfg!(windows)
            || locale.as_deref().is_some_and(|locale| {
                let locale = locale.to_lowercase();
                locale.contains("utf-8") || locale.contains("utf8")
            });
        let term = variable("TERM");
        if stdout && !unicode {
            notes.push(
                "The locale does not say UTF-8. Where signs are drawn wrongly, use --ascii, or set LANG=C.UTF-8."
                    .to_owned(),
            );
        }
        if term.as_deref() == Some("dumb") {
            notes.push(
                "TERM=dumb: the walkthrough opens as text and prompts, as with --plain.".to_owned(),
            );
        }
        if let Some((columns, rows)) = size.filter(|(columns, rows)| *columns < 80 || *rows < 24) {
            notes.push(format!(
                "The terminal has {columns}×{rows} cells. Below 80×24 one pane is shown at a time; Tab goes to the next."
            ));
        }
        let profile = tui::colours::profile(&io::stdout());
        Self {
            term,
            stdin_is_terminal: stdin,
            stdout_is_terminal: stdout,
            colours: match profile {
                TermProfile::NoTty => "unknown without a terminal",
                TermProfile::NoColor => "none",
                TermProfile::Ansi16 => "16",
                TermProfile::Ansi256 => "256",
                TermProfile::TrueColor => "16 million",
            }
            .to_owned(),
            columns: size.map(|size| size.0),
            rows: size.map(|size| size.1),
            locale,
            unicode,
        }
    }
}

impl fmt::Display for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is = |is: bool| if is { "is" } else { "is not" };
        let size = self.columns.zip(self.rows);
        let size = size.map(|(columns, rows)| format!("{columns}×{rows}"));
        write!(
            f,
            "TERM={}; stdin {} a terminal, stdout {} a terminal; size {}; colours {}; locale {} ({})",
            self.term.as_deref().unwrap_or(UNKNOWN),
            is(self.stdin_is_terminal),
            is(self.stdout_is_terminal),
            size.as_deref().unwrap_or(UNKNOWN),
            self.colours,
            self.locale.as_deref().unwrap_or(UNKNOWN),
            if self.unicode {
                "Unicode"
            } else {
                "not Unicode"
            }
        )
    }
}

impl Cpu {
    pub fn detect() -> Self {
        let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let name = about.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == "model name").then(|| clean(value.trim()))
        });
        Self {
            name,
            features: features(),
        }
    }
}

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_deref().unwrap_or(UNKNOWN);
        write!(f, "{name}; features {}", self.features.join(" "))
    }
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let all = [
        ("avx", is_x86_feature_detected!("avx")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512dq", is_x86_feature_detected!("avx512dq")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ("avx512vl", is_x86_feature_detected!("avx512vl")),
        ("sse4a", is_x86_feature_detected!("sse4a")),
    ];
    all.into_iter().filter(|f| f.1).map(|f| f.0).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    Vec::new()
}

impl Memory {
    pub fn detect(notes: &mut Vec<String>) -> Self {
        let about = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let limit = memory::limit();
        let detected = Self {
            total: memory::bytes(&about, "MemTotal:"),
            available: memory::bytes(&about, "MemAvailable:"),
            limit: limit.bytes,
            bound: limit.bound,
        };
        if detected.available.is_some_and(|bytes| bytes < FULL_SIZE) || detected.limit < FULL_SIZE {
            notes.push(
                "Less than 1 GB of memory is available: don't run the full-size model of lesson 13."
                    .to_owned(),
            );
        }
        detected
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gb = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
        let or_unknown = |bytes: Option<u64>| bytes.map_or(UNKNOWN.to_owned(), gb);
        write!(
            f,
            "{}, {} available; the program may take {}, {}",
            or_unknown(self.total),
            or_unknown(self.available),
            gb(self.limit),
            self.bound.about()
        )
    }
}

impl State {
    pub fn detect(folder: Option<PathBuf>, problems: &mut Vec<String>) -> Self {
        let Some(folder) = folder else {
            problems.push(
                "There is no home folder, so your progress can't be kept. Set TRANSFORMER_TUTOR_STATE to a folder that \
                 you can write."
                    .to_owned(),
            );
            return Self {
                folder: None,
                exists: false,
                writable: false,
            };
        };
        let tried = try_to_write(&folder);
        if let Err(error) = &tried {
            problems.push(format!(
                "{} cannot be written ({error}), so your progress can't be kept. Make it writable, or set \
                 TRANSFORMER_TUTOR_STATE to a folder that you can write.",
                with_tilde(&folder)
            ));
        }
        Self {
            exists: folder.is_dir(),
            writable: tried.is_ok(),
            folder: Some(with_tilde(&folder)),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}, {}",
            self.folder.as_deref().unwrap_or(UNKNOWN),
            if self.exists {
                "exists"
            } else {
                "not made yet"
            },
            if self.writable {
                "can be written"
            } else {
                "CANNOT be written"
            }
        )
    }
}

/// Writes an unnamed file, which leaves nothing behind, into the folder or, if it does not exist yet, into its nearest
/// existing ancestor.
fn try_to_write(folder: &Path) -> io::Result<()> {
    let folder = std::path::absolute(folder)?;
    let existing = folder
        .ancestors()
        .find(|folder| folder.symlink_metadata().is_ok());
    let mut file = tempfile::tempfile_in(existing.unwrap_or(&folder))?;
    file.write_all(b"doctor")
}

/// Path with the home folder shown as `~`.
fn with_tilde(path: &Path) -> String {
    let home = etcetera::home_dir().ok();
    let below = home.and_then(|home| Some(Path::new("~").join(path.strip_prefix(home).ok()?)));
    let path = below.unwrap_or_else(|| path.to_owned());
    clean(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_is_shown_as_a_tilde() {
        let home = etcetera::home_dir().unwrap();
        assert_eq!(with_tilde(&home.join("a/b")), "~/a/b");
        assert_eq!(with_tilde(Path::new("/somewhere/else")), "/somewhere/else");
    }
}
