//! What surrounds the program: environment variables, a state folder that cannot be written, and little memory.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::stderr_of;

/// Runs the program in `folder`, which is also its home.
fn at_home(folder: &Path, words: &[&str], variables: &[(&str, &str)], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"));
    command.args(words).current_dir(folder).env("HOME", folder);
    command.env_remove("XDG_STATE_HOME");
    command.envs(variables.iter().copied());
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes.stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn an_empty_variable_is_an_unset_one() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["STATE", "THEME", "SECONDS", "LESSONS", "VERDICT", "ORDER"] {
        let variable = format!("TRANSFORMER_TUTOR_{name}");
        let variables = [(variable.as_str(), "")];
        // `--plain` keeps progress, and `--theme` is read from the environment.
        for words in [&["--plain"][..], &["show", "masks", "--svg", "-"]] {
            let output = at_home(folder.path(), words, &variables, "masks\nq\n");
            assert!(output.status.success(), "{name}: {}", stderr_of(&output));
        }
    }
    assert_eq!(names(folder.path()), [".local"], "the usual place");
    // Without a home there is no place to keep anything, and the current folder is none.
    let nowhere = tempfile::tempdir().unwrap();
    let output = at_home(nowhere.path(), &["--plain"], &[("HOME", "")], "masks\nq\n");
    assert!(output.status.success(), "{}", stderr_of(&output));
    assert_eq!(names(nowhere.path()), Vec::<String>::new());
}

#[test]
fn a_variable_with_a_wrong_value_is_refused_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let lessons = folder.path().join("lessons");
    fs::create_dir_all(lessons.join("04-masks")).unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(
        lessons.join("04-masks/lesson.toml"),
        "title = '\u{1b}[31mMasks'\ncolour = 1\n",
    )
    .unwrap();
    for (variable, value, says) in [
        ("TRANSFORMER_TUTOR_SECONDS", "abc", "from 0.001 to 1000000"),
        ("TRANSFORMER_TUTOR_SECONDS", "-1", "from 0.001 to 1000000"),
        (
            "TRANSFORMER_TUTOR_LESSONS",
            "/nonexistent",
            "no lesson.md or lesson.toml",
        ),
        (
            "TRANSFORMER_TUTOR_LESSONS",
            "empty",
            "no lesson.md or lesson.toml",
        ),
        (
            "TRANSFORMER_TUTOR_LESSONS",
            "lessons",
            "04-masks/lesson.toml",
        ),
        ("TRANSFORMER_TUTOR_THEME", "neon", "neon"),
    ] {
        let output = at_home(
            folder.path(),
            &["show", "attention", "--svg", "-"],
            &[(variable, value)],
            "",
        );
        let message = stderr_of(&output);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{variable}={value}: {message}"
        );
        assert!(message.contains(says), "{variable}={value}: {message}");
        assert!(
            !message.contains("panicked") && !message.contains('\u{1b}'),
            "{message}"
        );
    }
    // A page that cannot be parsed is named too.
    fs::remove_file(lessons.join("04-masks/lesson.toml")).unwrap();
    fs::write(
        lessons.join("04-masks/lesson.md"),
        "# Masks\n\n```stage\nshow = 3\n```\n",
    )
    .unwrap();
    let variables = [("TRANSFORMER_TUTOR_LESSONS", "lessons")];
    let output = at_home(folder.path(), &["lessons"], &variables, "");
    assert!(
        stderr_of(&output).contains("04-masks/lesson.md"),
        "{}",
        stderr_of(&output)
    );
}

#[cfg(unix)]
#[test]
fn prompts_whose_progress_cannot_be_kept_end_with_an_error() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    fs::create_dir(&state).unwrap();
    // Writing through this link fails, for whoever tests, as on a full disk.
    symlink("nowhere/progress.toml", state.join("progress.toml")).unwrap();
    let variables = [("TRANSFORMER_TUTOR_STATE", state.to_str().unwrap())];
    for input in [
        "masks\nnext\nq\n",
        "masks\nnext\nlessons\nq\n",
        "masks\nnext\n",
    ] {
        let output = at_home(folder.path(), &["--plain"], &variables, input);
        let message = stderr_of(&output);
        assert_eq!(output.status.code(), Some(1), "{input:?}: {message}");
        assert!(message.contains("could not be saved"), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn prompts_refuse_a_line_without_end() {
    for command in [&["--plain"][..], &["hunt", "--case", "1", "--level", "1"]] {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\" < /dev/zero"])
            .arg(env!("CARGO_BIN_EXE_transformer-tutor"))
            .args(command)
            .env("TRANSFORMER_TUTOR_STATE", folder.path())
            .output()
            .unwrap();
        let message = stderr_of(&output);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {message}");
        assert!(message.contains("stdin"), "{command:?}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn text_beyond_memory_is_refused_before_it_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: String| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let many = file("many", "a\n".repeat(5_000_000));
    let long = file("long", "ab ".repeat(10_000_000));
    let words: String = (0..3_000_000_u64)
        .map(|n| format!("{:x} ", n * n))
        .collect();
    let words = file("words", words.replace("0 ", "0\n"));
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let learn = |text| vec!["tools", "bpe", "learn", text, "--out", out];
    let mut all = vec![learn(&many), learn(&words)];
    for text in [&many, &long] {
        for tool in ["bleu", "chrf"] {
            all.push(vec!["tools", tool, "--hyp", text, "--ref", text]);
        }
        all.push(vec![
            "tools", "compare", "--hyp", text, "--hyp", text, "--ref", text,
        ]);
        all.push(vec![
            "evaluate",
            "--model",
            "phrasebook",
            "--src",
            text,
            "--ref",
            text,
        ]);
    }
    all.push(vec![
        "tools",
        "score",
        "--model",
        "phrasebook",
        "--src",
        &many,
        "--tgt",
        &many,
    ]);
    for words in all {
        let output = super::within(600_000, &words);
        let message = stderr_of(&output);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {message}");
        assert!(message.contains("of memory"), "{words:?}: {message}");
    }
}
