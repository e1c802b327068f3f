//! Escape sequences in arguments, file names, file headers and lines of text never reach the terminal.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::support::program;

/// Sequences that set a title and a colour and clear the screen, an 8-bit sequence, and a word that must remain.
const EVIL: &str = "\u{1b}]0;title\u{7}\u{1b}[31mred\u{1b}[2J\u{9b}2Jword";

/// The output of a command on a terminal and its exit code; its stdin is the file `input`.
fn on_terminal(arguments: &[&str], input: &Path) -> (String, u32) {
    let pty = native_pty_system().openpty(PtySize::default()).unwrap();
    // Its stdin is not the terminal, which would echo the input.
    let mut command = CommandBuilder::new("bash");
    command.args(["-c", "exec \"$@\" < \"$INPUT\"", "bash"]);
    command.arg(env!("CARGO_BIN_EXE_transformer-tutor"));
    command.args(arguments);
    let state = tempfile::tempdir().unwrap();
    command.env("TERM", "xterm-256color");
    command.env("TRANSFORMER_TUTOR_STATE", state.path());
    command.env("INPUT", input);
    let mut child = pty.slave.spawn_command(command).unwrap();
    drop(pty.slave);
    let mut reader = pty.master.try_clone_reader().unwrap();
    let seen = std::thread::spawn(move || {
        let mut all = Vec::new();
        let mut part = [0; 4096];
        // Reading from a terminal whose program has ended fails.
        while let Ok(n @ 1..) = reader.read(&mut part) {
            all.extend_from_slice(&part[..n]);
        }
        String::from_utf8_lossy(&all).into_owned()
    });
    let status = child.wait().unwrap();
    drop(pty.master);
    (seen.join().unwrap(), status.exit_code())
}

fn nothing() -> &'static Path {
    Path::new("/dev/null")
}

/// Asserts that nothing in [`EVIL`] takes effect and that its word is shown.
#[track_caller]
fn tame(output: &str) {
    assert!(
        !output.contains(['\u{1b}', '\u{7}', '\u{9b}']),
        "{output:?}"
    );
    assert!(output.contains("redword"), "{output:?}");
}

#[track_caller]
fn tame_error(arguments: &[&str]) {
    let (output, code) = on_terminal(arguments, nothing());
    assert_ne!(code, 0, "{arguments:?}");
    tame(&output);
}

#[test]
fn arguments_do_not_act() {
    // Some are refused by clap, the others by the program.
    tame_error(&[EVIL]);
    tame_error(&["show", "4", "--size", EVIL]);
    tame_error(&["tools", "weights", "export", "--seed", EVIL, "--out", "x"]);
    tame_error(&["show", EVIL]);
    tame_error(&["show", "4", "--set", EVIL]);
    tame_error(&["train", "--preset", EVIL, "--out", "x"]);
    tame_error(&["exercise", "check", EVIL]);
}

#[test]
fn file_names_and_headers_do_not_act() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    tame_error(&[
        "tools",
        "weights",
        "import",
        &path(EVIL),
        "--out",
        &path("x"),
    ]);
    tame_error(&["tools", "bpe", "learn", &path(EVIL), "--out", &path("x")]);
    tame_error(&[
        "train",
        "--out",
        &path("run"),
        "--src",
        &path(EVIL),
        "--tgt",
        &path(EVIL),
    ]);
    for (name, dtype) in [(EVIL, "F32"), ("more", EVIL)] {
        let file = path("model.safetensors");
        let export = [
            "tools", "weights", "export", "--preset", "glass", "--force", "--out",
        ];
        let (output, code) = on_terminal(&[&export[..], &[&file]].concat(), nothing());
        assert_eq!(code, 0, "{output}");
        add_tensor(Path::new(&file), name, dtype);
        let import = ["tools", "weights", "import", &file, "--heads", "4", "--out"];
        tame_error(&[&import[..], &[&path("x")]].concat());
    }
    // The report of a success.
    let out = path(EVIL);
    let export = [
        "tools", "weights", "export", "--preset", "glass", "--out", &out,
    ];
    let (output, code) = on_terminal(&export, nothing());
    assert_eq!(code, 0, "{output}");
    tame(&output);
}

/// Adds a tensor of one number to a safetensors file.
fn add_tensor(path: &Path, name: &str, dtype: &str) {
    let bytes = fs::read(path).unwrap();
    let (length, rest) = bytes.split_first_chunk().unwrap();
    let (header, data) = rest.split_at(u64::from_le_bytes(*length) as usize);
    let mut header: serde_json::Value = serde_json::from_slice(header).unwrap();
    header[name] = serde_json::json!({
        "dtype": dtype, "shape": [1], "data_offsets": [data.len(), data.len() + 4],
    });
    let header = header.to_string();
    let length = (header.len() as u64).to_le_bytes();
    fs::write(
        path,
        [&length[..], header.as_bytes(), data, &[0; 4]].concat(),
    )
    .unwrap();
}

/// Stdout of a command that is not on a terminal and must succeed.
fn in_pipe(arguments: &[&str], input: &str) -> String {
    let state = tempfile::tempdir().unwrap();
    let mut child = program(arguments)
        .env("TRANSFORMER_TUTOR_STATE", state.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn descriptions_are_tame_in_a_pipe_too_and_json_has_escapes() {
    let knob = format!("sentence={EVIL}");
    tame(&in_pipe(
        &["show", "tour", "--set", &knob, "--view", "translation"],
        "",
    ));
    let said = format!("{EVIL}\u{202e}\u{7f}");
    for arguments in [
        &["translate", "--json", "--model", "phrasebook", &said][..],
        &[
            "show",
            "tour",
            "--json",
            "--set",
            &format!("sentence={said}"),
        ],
    ] {
        let output = in_pipe(arguments, "");
        let acts = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!output.contains(acts), "{output:?}");
        let json: serde_json::Value = serde_json::from_str(&output).unwrap();
        let value = json.get("source").unwrap_or(&json["knobs"]["sentence"]);
        assert_eq!(*value, serde_json::json!(said));
    }
}

#[test]
fn lines_of_text_do_not_act_on_a_terminal_and_stay_as_they_are_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let line = folder.path().join("line");
    fs::write(&line, format!("{EVIL}\n")).unwrap();
    tame(&on_terminal(&["tools", "bpe", "join"], &line).0);
    let learned = folder.path().join("text");
    fs::write(&learned, format!("{EVIL} {EVIL}\n").repeat(3)).unwrap();
    // Learned merges are output, not messages, but on a terminal they are cleaned too.
    let learn = [
        "tools",
        "bpe",
        "learn",
        learned.to_str().unwrap(),
        "--merges",
        "60",
        "--out",
        "-",
    ];
    let (output, _) = on_terminal(&learn, nothing());
    assert!(
        output.contains("#version") && !output.contains(['\u{1b}', '\u{7}', '\u{9b}']),
        "{output:?}"
    );
    let line = fs::read_to_string(&line).unwrap();
    assert_eq!(in_pipe(&["tools", "bpe", "join"], &line), line);
    assert!(in_pipe(&learn, "").contains('\u{1b}'));
}
