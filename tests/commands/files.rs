//! What commands write, and what they leave alone: only their own is replaced, whole or not at all, and never an input,
//! a folder or a device.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::{argv, program as command, tutor};

const SOMEBODYS: &str = "somebody's work\n";

#[track_caller]
fn works(arguments: &[&str]) -> Output {
    let output = tutor(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    output
}

#[track_caller]
fn refuses(arguments: &[&str], words: &[&str]) {
    let output = tutor(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
    for word in words {
        assert!(
            stderr.contains(word),
            "{arguments:?}: no '{word}' in: {stderr}"
        );
    }
}

/// A folder with what the commands read.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::write(place.path("text"), "low lower lowest low\n").unwrap();
        works(&[
            "tools",
            "weights",
            "export",
            "--preset",
            "glass",
            "--out",
            &place.at("pytorch"),
        ]);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn at(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    /// Every command that writes one file, as it writes `out`.
    fn commands(&self, out: &str) -> Vec<Vec<String>> {
        let (text, pytorch) = (self.at("text"), self.at("pytorch"));
        let all: [&[&str]; 6] = [
            &[
                "tools", "weights", "export", "--preset", "glass", "--seed", "2", "--out", out,
            ],
            &[
                "tools", "weights", "import", &pytorch, "--heads", "4", "--out", out,
            ],
            &[
                "tools", "bpe", "learn", &text, "--merges", "3", "--out", out,
            ],
            &["show", "masks", "--svg", out],
            &["evaluate", "--pairs", "2", "--beam", "1", "--write", out],
            &["play", "--html", out],
        ];
        all.iter()
            .map(|words| words.iter().map(|word| word.to_string()).collect())
            .collect()
    }

    /// The names in the folder.
    fn names(&self) -> Vec<String> {
        names(self.folder.path())
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn somebodys_file_stays_until_it_is_forced_and_then_keeps_its_mode_and_its_links() {
    let place = Place::new();
    let (file, link) = (place.path("file"), place.path("link"));
    symlink("file", &link).unwrap();
    for words in place.commands(&place.at("link")) {
        fs::write(&file, SOMEBODYS).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        let before = place.names();
        let mut words = borrowed(&words);
        refuses(&words, &["link exists already", "--force"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), SOMEBODYS, "{words:?}");
        words.push("--force");
        works(&words);
        assert_ne!(fs::read(&file).unwrap(), SOMEBODYS.as_bytes(), "{words:?}");
        assert_eq!(mode(&file), 0o640, "{words:?}");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(place.names(), before, "{words:?} left something behind");
    }
}

#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    let place = Place::new();
    fs::write(place.path("any"), "").unwrap();
    for (n, words) in place.commands(&place.at("OUT")).iter().enumerate() {
        let out = place.at(&format!("new-{n}"));
        let words: Vec<String> = words
            .iter()
            .map(|word| word.replace(&place.at("OUT"), &out))
            .collect();
        works(&borrowed(&words));
        assert_eq!(mode(Path::new(&out)), mode(&place.path("any")), "{words:?}");
    }
}

#[test]
fn folders_and_links_that_lead_nowhere_are_refused_even_with_force() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    fs::write(place.path("folder/a"), SOMEBODYS).unwrap();
    symlink("missing", place.path("dangling")).unwrap();
    let before = place.names();
    for (out, says) in [
        ("folder", "is a folder"),
        ("folder/..", "is a folder"),
        ("new/", "is a folder"),
        ("dangling", "which does not exist"),
        ("missing/a", "does not exist; make it first"),
    ] {
        for words in place.commands(&place.at(out)) {
            let mut words = borrowed(&words);
            words.push("--force");
            refuses(&words, &[says]);
        }
    }
    assert_eq!(place.names(), before);
    assert_eq!(names(&place.path("folder")), ["a"]);
}

#[test]
fn an_input_is_never_the_output_by_whatever_name() {
    let place = Place::new();
    works(&[
        "tools",
        "weights",
        "import",
        &place.at("pytorch"),
        "--heads",
        "4",
        "--out",
        &place.at("model"),
    ]);
    fs::create_dir(place.path("sub")).unwrap();
    for input in ["text", "pytorch", "model"] {
        let before = fs::read(place.path(input)).unwrap();
        symlink(place.path(input), place.path("symbolic")).unwrap();
        fs::hard_link(place.path(input), place.path("hard")).unwrap();
        let round = format!("sub/../{input}");
        for out in [input, "symbolic", "hard", &round] {
            let (from, out) = (place.at(input), place.at(out));
            let words: &[&str] = match input {
                "text" => &["tools", "bpe", "learn", &from, "--out", &out],
                "pytorch" => &[
                    "tools", "weights", "import", &from, "--heads", "4", "--out", &out,
                ],
                _ => &["tools", "weights", "export", &from, "--out", &out],
            };
            refuses(words, &["is read by this command"]);
            refuses(
                &[words, &["--force"]].concat(),
                &["is read by this command"],
            );
        }
        assert_eq!(fs::read(place.path(input)).unwrap(), before);
        fs::remove_file(place.path("symbolic")).unwrap();
        fs::remove_file(place.path("hard")).unwrap();
    }
    let text = place.at("text");
    refuses(
        &[
            "evaluate", "--src", &text, "--ref", &text, "--write", &text, "--force",
        ],
        &["is read by this command"],
    );
}

#[test]
fn a_fifo_is_written_to_and_stays_one() {
    let place = Place::new();
    let fifo = place.path("fifo");
    assert!(
        Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    for words in place.commands(&place.at("fifo")) {
        let from = fifo.clone();
        let reader = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            fs::File::open(from)
                .unwrap()
                .read_to_end(&mut bytes)
                .unwrap();
            bytes
        });
        works(&borrowed(&words));
        assert!(!reader.join().unwrap().is_empty(), "{words:?}");
        assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo());
    }
}

/// A device on which every write fails: one of our own, so that a mistake of the program costs the machine nothing. The
/// machine's where the program could not replace it; `None` where neither is possible.
fn full_device(place: &Place) -> Option<PathBuf> {
    let own = place.path("full");
    let made = Command::new("mknod")
        .arg(&own)
        .args(["c", "1", "7"])
        .stderr(Stdio::null())
        .status();
    let writable = |path: &Path| fs::File::options().write(true).open(path).is_ok();
    if made.is_ok_and(|status| status.success()) && writable(&own) {
        return Some(own);
    }
    let machines = PathBuf::from("/dev/full");
    let root = fs::metadata(place.folder.path()).unwrap().uid() == 0;
    (!root && writable(&machines)).then_some(machines)
}

#[test]
fn a_device_stays_a_device_and_a_full_one_is_said() {
    let place = Place::new();
    let Some(device) = full_device(&place) else {
        return;
    };
    for words in place.commands(&device.to_string_lossy()) {
        let words = borrowed(&words);
        refuses(&words, &["could not be written", "No space left"]);
        refuses(&[&words[..], &["--force"]].concat(), &["No space left"]);
        let metadata = fs::symlink_metadata(&device).unwrap();
        assert!(metadata.file_type().is_char_device(), "{words:?}");
    }
}

#[test]
fn a_write_that_breaks_off_leaves_the_old_file_and_nothing_else() {
    let place = Place::new();
    let file = place.path("file");
    for words in place.commands(&place.at("file")) {
        fs::write(&file, SOMEBODYS).unwrap();
        let before = place.names();
        // A limit of no bytes on the size of files stands for a full disk.
        let output = Command::new("bash")
            .args([
                "-c",
                "ulimit -f 0; trap '' XFSZ; exec \"$@\" --force",
                "bash",
            ])
            .arg(env!("CARGO_BIN_EXE_transformer-tutor"))
            .args(&words)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {stderr}");
        assert!(stderr.contains("is as it was: File too large"), "{stderr}");
        assert_eq!(fs::read_to_string(&file).unwrap(), SOMEBODYS, "{words:?}");
        assert_eq!(place.names(), before, "{words:?}");
    }
}

#[test]
fn a_dash_is_stdout_and_the_report_goes_to_stderr() {
    let place = Place::new();
    for out in ["-", "/dev/stdout"] {
        for words in place.commands(out) {
            let words = borrowed(&words);
            let output = works(&words);
            let report = String::from_utf8_lossy(&output.stderr).into_owned();
            let (begins, says): (&[u8], &str) = match words[..] {
                ["tools", "weights", ..] => (&output.stdout[..8], "parameters"),
                ["tools", "bpe", ..] => (b"#version", "3 merges"),
                ["show", ..] => (b"<svg", ""),
                ["play", ..] => (b"<!doctype html>", ""),
                _ => (&output.stdout[..1], "exact match"),
            };
            assert!(output.stdout.starts_with(begins), "{words:?}");
            assert!(report.contains(says), "{words:?}: {report}");
            assert!(!says.is_empty() || report.is_empty(), "{words:?}: {report}");
            let product = String::from_utf8_lossy(&output.stdout);
            assert!(says.is_empty() || !product.contains(says), "{words:?}");
        }
    }
    assert!(!place.names().contains(&"-".to_owned()));
    // What goes to stdout is what goes into a file.
    works(&[
        "tools",
        "weights",
        "export",
        "--preset",
        "glass",
        "--out",
        &place.at("file"),
    ]);
    let piped = works(&[
        "tools", "weights", "export", "--preset", "glass", "--out", "-",
    ]);
    assert_eq!(fs::read(place.path("file")).unwrap(), piped.stdout);
    refuses(
        &["tools", "corpus", "phrasebook", "--out", "-"],
        &["name a folder"],
    );
}

#[test]
fn a_picture_is_drawn_anew_over_itself_until_somebody_edits_it() {
    let place = Place::new();
    let svg = place.at("a.svg");
    works(&["show", "masks", "--svg", &svg]);
    let first = fs::read_to_string(&svg).unwrap();
    works(&["show", "masks", "--svg", &svg, "--size", "60x20"]);
    assert_ne!(fs::read_to_string(&svg).unwrap(), first);
    let edited = first.replacen("<title", "<!-- mine --><title", 1);
    fs::write(&svg, &edited).unwrap();
    refuses(&["show", "masks", "--svg", &svg], &["exists already"]);
    assert_eq!(fs::read_to_string(&svg).unwrap(), edited);
}

#[test]
fn the_readmes_picture_may_be_drawn_anew() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/screen.svg");
    let picture = fs::read(path).unwrap();
    assert!(transformer_tutor::widgets::svg::is_as_drawn(&picture));
}

/// The arguments of the command with `--moving` that the README names for its moving picture.
fn moving_command(readme: &str) -> Vec<String> {
    let line = readme
        .lines()
        .find(|line| line.contains("--moving"))
        .unwrap();
    let command = line
        .split('`')
        .find(|part| part.contains("--moving"))
        .unwrap();
    let arguments = command.split_once("cargo run -- ").unwrap().1;
    // Every second part stood in quotes.
    let parts = arguments.split('\'').enumerate();
    let words = parts.flat_map(|(n, part)| match n % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
fn the_readmes_animation_is_what_its_command_makes_and_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let mut arguments = moving_command(&readme);
    let out = arguments.iter().position(|word| word == "--svg").unwrap() + 1;
    let committed = fs::read(root.join(&arguments[out])).unwrap();
    assert!(
        readme.contains(&format!("]({})", arguments[out])),
        "it is shown"
    );
    assert!(transformer_tutor::widgets::svg::is_as_drawn(&committed));
    assert!(committed.len() <= 300_000, "{} bytes", committed.len());
    arguments[out] = "-".to_owned();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let drawn = works(&words).stdout;
    assert!(drawn == committed, "draw it anew: {arguments:?}");
}

#[test]
fn a_phrasebook_is_written_whole_again_or_not_over_other_lines() {
    let place = Place::new();
    let out = place.at("lines");
    let pairs = |part| {
        [
            "tools",
            "corpus",
            "phrasebook",
            "--pairs",
            "5",
            "--out",
            &out,
            "--part",
            part,
        ]
    };
    works(&pairs("train"));
    let all = ["source.de", "target.en", "alignment.txt"];
    let contents = || all.map(|name| fs::read_to_string(place.path("lines").join(name)).unwrap());
    let first = contents();
    works(&pairs("train"));
    // One file of the three is enough to refuse all.
    fs::remove_file(place.path("lines/alignment.txt")).unwrap();
    fs::remove_file(place.path("lines/source.de")).unwrap();
    refuses(
        &pairs("valid"),
        &["target.en", "nothing was written", "--force"],
    );
    assert_eq!(names(&place.path("lines")), ["target.en"]);
    assert_eq!(
        fs::read_to_string(place.path("lines/target.en")).unwrap(),
        first[1]
    );
    works(&[&pairs("valid")[..], &["--force"]].concat());
    assert!(contents().iter().zip(&first).all(|(new, old)| new != old));
}

#[test]
fn a_set_is_not_replaced_file_by_file_beside_somebodys() {
    let place = Place::new();
    let out = place.at("lines");
    let pairs = [
        "tools",
        "corpus",
        "phrasebook",
        "--pairs",
        "5",
        "--out",
        &out,
        "--part",
    ];
    fs::create_dir(place.path("lines")).unwrap();
    fs::write(place.path("lines/merges"), SOMEBODYS).unwrap();
    // Nothing has been replaced yet.
    works(&[&pairs[..], &["train"]].concat());
    let source = place.path("lines/source.de");
    let before = fs::read(&source).unwrap();
    let says = ["cannot be replaced as a whole, because it also holds merges"];
    refuses(&[&pairs[..], &["valid", "--force"]].concat(), &says);
    assert_eq!(fs::read(&source).unwrap(), before);
    fs::remove_file(place.path("lines/merges")).unwrap();
    fs::set_permissions(&source, fs::Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(place.path("lines"), fs::Permissions::from_mode(0o750)).unwrap();
    works(&[&pairs[..], &["valid", "--force"]].concat());
    assert_ne!(fs::read(&source).unwrap(), before);
    assert_eq!((mode(&source), mode(&place.path("lines"))), (0o600, 0o750));
    let mut inside = command(&argv("tools corpus phrasebook --pairs 5 --out . --force"));
    let output = inside.current_dir(place.path("lines")).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("because you are in it"), "{stderr}");
}

/// A command that writes 30 MB to `out`, or many files.
fn writing(place: &Place, out: &str) -> Command {
    let out = place.at(out);
    let large = [
        "--set",
        "d_model=512",
        "--set",
        "d_ff=2048",
        "--set",
        "layers=1",
    ];
    let mut command = if out.ends_with("pages") {
        command(&[
            "tools", "pages", "masks", "--size", "40x10", "--out", &out, "--force",
        ])
    } else {
        command(&[
            "tools", "weights", "export", "--preset", "glass", "--out", &out, "--force",
        ])
    };
    if out.ends_with("file") {
        command.args(large);
    }
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Starts a write, sends a signal as soon as a half-written file appears, and returns the exit status.
fn interrupted(place: &Place, out: &str, signal: &str) -> std::process::ExitStatus {
    let mut child = writing(place, out).spawn().unwrap();
    let half = || {
        place
            .names()
            .iter()
            .any(|name| name.starts_with(".writing-"))
    };
    while child.try_wait().unwrap().is_none() && !half() {}
    let id = child.id().to_string();
    let _ = Command::new("kill").args(["-s", signal, &id]).status();
    child.wait().unwrap()
}

#[test]
fn a_signal_leaves_nothing_half_written_and_a_kill_nothing_after_the_next_time() {
    use std::os::unix::process::ExitStatusExt;
    let place = Place::new();
    let before = place.names();
    for out in ["file", "pages"] {
        for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1), ("KILL", 9)] {
            let mut tries = 0;
            // On a fast disk the command may finish before the signal arrives.
            while interrupted(&place, out, name).signal() != Some(number) {
                tries += 1;
                assert!(tries < 20, "{out}: it ends before {name} is there");
            }
            if name != "KILL" {
                let mut now = place.names();
                now.retain(|name| !["file", "another", "pages"].contains(&name.as_str()));
                assert_eq!(now, before, "{out}, {name}");
            }
        }
        // What is left of a file goes with the next file in the folder, whatever its name.
        let next = if out == "file" { "another" } else { out };
        assert!(writing(&place, next).status().unwrap().success());
    }
    let mut now = place.names();
    now.retain(|name| !["file", "another", "pages"].contains(&name.as_str()));
    assert_eq!(now, before);
}

#[test]
fn a_program_that_is_to_ignore_a_hangup_does() {
    let place = Place::new();
    let mut nohup = Command::new("nohup");
    let command = writing(&place, "file");
    nohup.arg(command.get_program()).args(command.get_args());
    nohup
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = nohup.spawn().unwrap();
    let half = || {
        place
            .names()
            .iter()
            .any(|name| name.starts_with(".writing-"))
    };
    while child.try_wait().unwrap().is_none() && !half() {}
    let id = child.id().to_string();
    let _ = Command::new("kill").args(["-s", "HUP", &id]).status();
    assert!(child.wait().unwrap().success());
    assert!(place.path("file").is_file());
}

#[test]
fn somebodys_book_is_not_written_over() {
    let place = Place::new();
    fs::create_dir_all(place.path("book/src")).unwrap();
    for name in ["book.toml", "src/SUMMARY.md"] {
        fs::write(place.path("book").join(name), SOMEBODYS).unwrap();
    }
    let says = "book.toml, src/SUMMARY.md; nothing was written. --force";
    refuses(&["book", "--html", "--out", &place.at("book")], &[says]);
    assert_eq!(names(&place.path("book")), ["book.toml", "src"]);
    assert_eq!(names(&place.path("book/src")), ["SUMMARY.md"]);
    refuses(
        &["book", "--force", "--out", &place.at("text")],
        &["is not a folder"],
    );
}

#[test]
fn pages_are_drawn_anew_over_themselves_and_not_over_somebodys() {
    let place = Place::new();
    let pages = |more: &[&'static str]| -> Vec<String> {
        let out = place.at("pages");
        let words = [
            "tools",
            "pages",
            "label-smoothing",
            "--size",
            "60x20",
            "--out",
            &out,
        ];
        let words = words.iter().chain(more);
        words.map(ToString::to_string).collect()
    };
    works(&borrowed(&pages(&[])));
    let folder = place.path("pages/60x20/16-label-smoothing");
    let (picture, text) = (folder.join("page-01.svg"), folder.join("page-01.txt"));
    assert!(
        fs::read_to_string(&text)
            .unwrap()
            .contains("label smoothing")
    );
    let drawn = fs::read(&picture).unwrap();
    assert!(transformer_tutor::widgets::svg::is_as_drawn(&drawn));
    works(&borrowed(&pages(&[])));
    fs::write(&text, SOMEBODYS).unwrap();
    fs::remove_file(&picture).unwrap();
    refuses(
        &borrowed(&pages(&["--ascii"])),
        &["page-01.txt", "nothing was written", "--force"],
    );
    assert!(!picture.exists(), "all of them are written, or none");
    works(&borrowed(&pages(&["--force"])));
    assert_eq!(fs::read(&picture).unwrap(), drawn);
}

#[test]
fn programs_that_keep_progress_at_once_keep_all_of_it() {
    let state = tempfile::tempdir().unwrap();
    let lessons = [
        "embeddings",
        "masks",
        "attention",
        "encoder",
        "decoder",
        "adam",
    ];
    for _ in 0..3 {
        let started = lessons.map(|lesson| {
            command(&["exercise", "hint", lesson])
                .env("TRANSFORMER_TUTOR_STATE", state.path())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        });
        for child in started {
            let output = child.wait_with_output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        }
    }
    let kept = fs::read_to_string(state.path().join("progress.toml")).unwrap();
    for lesson in lessons {
        let (_, done) = kept.split_once(&format!("[lessons.{lesson}]\n")).unwrap();
        assert!(
            done.split("\n[").next().unwrap().contains("hints = 3"),
            "{kept}"
        );
    }
}
