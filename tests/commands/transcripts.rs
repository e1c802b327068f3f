//! Transcripts: command lines with their exit codes and what they print, in the files of `transcripts/`.
//!
//! `# A sentence.` begins a part, which runs in an empty folder with no saved progress; `fixtures` there leads to
//! `tests/fixtures`, and `~` is its path. `$ …` is a command for bash, which lines of `> …` continue. Below it come its exit code if that is
//! not 0 (`? 1`), its stdout (`| …`) and its stderr (`! …`). `[..]` stands for any text within a line, and a line that
//! is only `| ...` or `! ...` for any number of lines.
//!
//! `TRANSCRIPTS=rewrite cargo test --test commands transcripts` writes what the commands print today.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Makes a test of each transcript, so that they run at the same time and one can be chosen.
macro_rules! transcripts {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(#[test] fn $name() { checked(stringify!($name)); })*
    };
}

transcripts! { contents corpora doctor files limits models parity pieces plain scores show training translate written }

fn checked(name: &str) {
    let path = Path::new(ROOT).join(format!("tests/commands/transcripts/{name}.txt"));
    let (now, faults) = replayed(&fs::read_to_string(&path).unwrap());
    if std::env::var("TRANSCRIPTS").is_ok_and(|how| how == "rewrite") {
        fs::write(path, now).unwrap();
    } else {
        assert!(
            faults.is_empty(),
            "{}:\n{}",
            path.display(),
            faults.join("\n")
        );
    }
}

/// Runs a transcript. Returns it with the results of today where they do not match, and what does not match.
fn replayed(text: &str) -> (String, Vec<String>) {
    let (mut room, mut now, mut faults) = (sandbox(), String::new(), Vec::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        now += &format!("{line}\n");
        if line.starts_with("# ") {
            room = sandbox();
        }
        let Some(command) = line.strip_prefix("$ ") else {
            continue;
        };
        let mut command = command.to_owned();
        while let Some(line) = lines.next_if(|line| line.starts_with('>')) {
            now += &format!("{line}\n");
            command += &format!("\n{}", line.trim_start_matches("> "));
        }
        let mut expected = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with(['?', '|', '!'])) {
            expected += &format!("{line}\n");
        }
        let printed = ran(&command, room.path());
        let is_right = agree(
            &expected.lines().collect::<Vec<_>>(),
            &printed.lines().collect::<Vec<_>>(),
        );
        if !is_right {
            faults.push(format!(
                "$ {command}\nexpected:\n{expected}printed:\n{printed}"
            ));
        }
        now += if is_right { &expected } else { &printed };
    }
    (now, faults)
}

fn sandbox() -> tempfile::TempDir {
    let room = tempfile::tempdir().unwrap();
    symlink(
        Path::new(ROOT).join("tests/fixtures"),
        room.path().join("fixtures"),
    )
    .unwrap();
    room
}

/// How a command ends and what it prints, in the form of a transcript.
fn ran(command: &str, room: &Path) -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .parent()
        .unwrap();
    let setup = format!(
        "set -o pipefail; unset ${{!TRANSFORMER_TUTOR_*}} COLUMNS; export LC_ALL=C.UTF-8 PATH={}:$PATH HOME=$PWD TRANSFORMER_TUTOR_STATE=$PWD/.state",
        folder.display()
    );
    let output = Command::new("bash")
        .args(["-c", &format!("{setup}\n{command}")])
        .current_dir(room)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut printed = match output.status.code() {
        Some(0) => String::new(),
        code => format!("? {}\n", code.unwrap_or(-1)),
    };
    for (mark, bytes) in [("|", &output.stdout), ("!", &output.stderr)] {
        for line in String::from_utf8_lossy(bytes).lines() {
            let line = line.replace(&*room.to_string_lossy(), "~");
            printed += &format!("{}\n", format!("{mark} {line}").trim_end());
        }
    }
    printed
}

/// True if lines are the expected ones.
fn agree(expected: &[&str], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&any @ ("| ..." | "! ..."), rest)) => {
            let same = lines.iter().take_while(|line| line[..1] == any[..1]);
            (0..=same.count()).any(|n| agree(rest, &lines[n..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, lines)| is_like(first, line) && agree(rest, lines)),
    }
}

/// True if a line is `expected`, in which `[..]` stands for any text.
fn is_like(expected: &str, line: &str) -> bool {
    let Some((start, rest)) = expected.split_once("[..]") else {
        return expected == line;
    };
    let behind = line.strip_prefix(start);
    behind.is_some_and(|line| {
        (0..=line.len()).any(|at| line.get(at..).is_some_and(|line| is_like(rest, line)))
    })
}

#[test]
fn every_transcript_is_run_and_a_wrong_one_is_noticed() {
    let files = fs::read_dir(Path::new(ROOT).join("tests/commands/transcripts")).unwrap();
    assert_eq!(files.count(), NAMES.len());
    let right = "$ echo a; echo b >&2; exit 3\n? 3\n| a\n! b\n$ seq 9\n| ...\n| [..]\n| 9\n$ cat <<.\n> ab\n> .\n| [..]b\n";
    assert_eq!(replayed(right), (right.to_owned(), vec![]));
    for wrong in [
        "? 1\n| a\n",
        "| b\n",
        "| ...\n! a\n",
        "| a\n| ...\n| a\n",
        "| [..]b\n",
        "",
    ] {
        let (now, faults) = replayed(&format!("$ echo a\n{wrong}"));
        assert!(now == "$ echo a\n| a\n" && faults.len() == 1, "{wrong}");
    }
}
