//! The walkthrough on a pseudo-terminal: keys in, screen out, and the terminal given back.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

struct Tutor {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<Mutex<vt100::Parser>>,
    state: tempfile::TempDir,
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn whole(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).expect("a screen has a size")
}

impl Tutor {
    fn start(cols: u16, rows: u16, arguments: &[&str]) -> Self {
        let pty = native_pty_system().openpty(size(cols, rows)).unwrap();
        let state = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_transformer-tutor"));
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        command.env("TRANSFORMER_TUTOR_STATE", state.path());
        command.args(arguments);
        let child = pty.slave.spawn_command(command).unwrap();
        drop(pty.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(whole(rows), whole(cols), 0)));
        let (mut reader, seen) = (pty.master.try_clone_reader().unwrap(), screen.clone());
        std::thread::spawn(move || {
            let mut part = [0; 1 << 14];
            while let Ok(n @ 1..) = reader.read(&mut part) {
                seen.lock().unwrap().process(&part[..n]);
            }
        });
        let writer = pty.master.take_writer().unwrap();
        Self {
            master: pty.master,
            writer,
            child,
            screen,
            state,
        }
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Waits until the screen holds all the words.
    #[track_caller]
    fn sees(&self, words: &[&str]) {
        let end = Instant::now() + Duration::from_secs(20);
        while Instant::now() < end {
            let text = self.text();
            if words.iter().all(|word| text.contains(word)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the screen does not show {words:?}:\n{}", self.text());
    }

    /// Waits for the end; the terminal must be as it was.
    #[track_caller]
    fn ended(mut self) -> tempfile::TempDir {
        let end = Instant::now() + Duration::from_secs(20);
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{status:?}");
                std::thread::sleep(Duration::from_millis(100));
                let parser = self.screen.lock().unwrap();
                assert!(
                    !parser.screen().alternate_screen(),
                    "the alternate screen is left"
                );
                assert!(!parser.screen().hide_cursor(), "the cursor is shown");
                assert_eq!(
                    parser.screen().mouse_protocol_mode(),
                    vt100::MouseProtocolMode::None
                );
                drop(parser);
                return self.state;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it did not end:\n{}", self.text());
    }
}

#[test]
fn a_learner_edits_a_cell_takes_it_back_and_looks_at_gradients() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "multi-head"]);
    tutor.sees(&["query[0,0,0]", "1/8"]);
    let before = tutor.text();
    tutor.press("e");
    tutor.sees(&["edit"]);
    tutor.press("9.5\r");
    tutor.sees(&["query[0,0,0] = 9.5"]);
    tutor.press("u");
    let value = before.lines().find(|line| line.contains("query[0,0,0]"));
    let value = value.and_then(|line| line.split("= ").nth(1)).unwrap();
    let value = value.split_whitespace().next().unwrap();
    tutor.sees(&[&format!("query[0,0,0] = {value}")]);
    tutor.press("b");
    tutor.sees(&["gradient"]);
    tutor.press("bQ");
    tutor.ended();
}

#[test]
fn a_knob_takes_a_sentence_of_the_learners_own_and_says_what_it_cannot_take() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "subwords"]);
    tutor.sees(&["sentence the teacher sees old trains"]);
    tutor.press(":sentence=the colder sea\r");
    tutor.sees(&["sentence the colder sea", "model reads: the"]);
    tutor.press(":limit=99\r");
    tutor.sees(&["limit goes from 1 to 20"]);
    tutor.press("Q");
    tutor.ended();
}

#[test]
fn a_sentence_of_ones_own_is_translated_and_going_back_leads_to_the_lesson_as_it_was() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "attention"]);
    tutor.sees(&["04 Scaled dot-product attention"]);
    tutor.press("nn");
    tutor.sees(&["3/"]);
    tutor.press(":translate Der alte Quark schläft.\r");
    tutor.sees(&["Playground", "never seen Quark", "Der alte <unk> schläft ."]);
    tutor.press(":translate Der alte Mann schläft.\r");
    tutor.sees(&["The old man sleeps ."]);
    tutor.press(":model=no/such/folder\r");
    tutor.sees(&["holds no model"]);
    tutor.press("q");
    tutor.sees(&["04 Scaled dot-product attention", "3/"]);
    // From the lesson on decoding its sentence comes along.
    tutor.press("Q");
    tutor.ended();
    let mut tutor = Tutor::start(80, 24, &["--lesson", "decoding"]);
    tutor.sees(&["21 Decoding"]);
    tutor.press(":sentence=Der alte Mann schläft.\r");
    tutor.press("P");
    tutor.sees(&["Playground", "The old man sleeps ."]);
    tutor.press("Q");
    tutor.ended();
}

#[test]
fn a_learner_opens_a_lesson_predicts_asks_goes_down_and_quits() {
    let mut tutor = Tutor::start(120, 40, &[]);
    tutor.sees(&[
        "Understand the Transformer",
        "04 Scaled dot-product attention",
    ]);
    tutor.press("4");
    tutor.sees(&["query", "1/11"]);
    tutor.press("n");
    tutor.sees(&["Before you look", "p asks, then the page goes on"]);
    assert!(
        !tutor.text().contains("Rows ask, columns are asked"),
        "the page must not tell the answer"
    );
    tutor.press("p2");
    tutor.sees(&["No. That is the shape of the"]);
    tutor.press("1");
    tutor.sees(&["Yes. One score for each pair"]);
    tutor.press("\r");
    tutor.sees(&["scores  (30 b, 8 h, 10 t, 11 s)"]);
    tutor.press("\r");
    tutor.sees(&["sum(a * b)", "why this cell"]);
    tutor.press("\r");
    tutor.sees(&["query["]);
    tutor.press("\x7f\x7f");
    tutor.sees(&["the run", "break it:"]);
    tutor.press("1d");
    tutor.sees(&["forget to divide"]);
    tutor.press("Q");
    tutor.ended();
}

#[test]
fn what_is_possible_is_listed_and_found_by_name() {
    let mut tutor = Tutor::start(80, 24, &["--lesson", "masks"]);
    tutor.sees(&["Batches and masks"]);
    tutor.press("?");
    tutor.sees(&["goes on in the text"]);
    tutor.press("\x1b");
    tutor.sees(&["watch"]);
    tutor.press(":quiz");
    tutor.sees(&["go to", "quiz"]);
    tutor.press("\r");
    tutor.sees(&["quiz 1/"]);
    tutor.press("\x03");
    tutor.ended();
}

#[test]
fn every_size_is_survived() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "4"]);
    tutor.sees(&["Scaled dot-product"]);
    for (cols, rows) in [
        (60, 20),
        (1, 1),
        (80, 24),
        (59, 19),
        (200, 60),
        (30, 5),
        (120, 40),
    ] {
        tutor.master.resize(size(cols, rows)).unwrap();
        tutor
            .screen
            .lock()
            .unwrap()
            .screen_mut()
            .set_size(whole(rows), whole(cols));
        std::thread::sleep(Duration::from_millis(30));
        tutor.press(" ");
    }
    tutor.sees(&["Scaled dot-product", "step"]);
    tutor.press("Q");
    tutor.ended();
}

#[test]
fn a_learner_trains_pauses_steps_looks_back_forks_leaves_comes_back_and_saves() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "training"]);
    tutor.sees(&["Training a translator", "Three held-out sentences"]);
    tutor.press(":preset=small\r");
    // The pictures: training, loss, translations.
    tutor.press("VV");
    tutor.sees(&["Your own run", "Trains a small model"]);
    tutor.press("r");
    tutor.sees(&["trains", "tokens/s", "Translations at update 20"]);
    tutor.press("r");
    tutor.sees(&["paused"]);
    let update = |tutor: &Tutor| -> usize {
        let text = tutor.text();
        let after = text.split("Update ").nth(1).expect("it says its update");
        let number = after.split_whitespace().next().expect("a number");
        number.parse().expect("a whole number")
    };
    std::thread::sleep(Duration::from_millis(500));
    let paused = update(&tutor);
    tutor.press("S");
    tutor.sees(&[&format!("Update {} ", paused + 1)]);
    tutor.press("+");
    tutor.sees(&["highest rate is"]);
    tutor.press("ttt");
    tutor.sees(&["Looking back at update"]);
    tutor.press("f");
    tutor.sees(&["Forked at"]);
    tutor.press("r");
    tutor.sees(&["trains"]);
    tutor.press("L");
    tutor.sees(&["Understand the Transformer"]);
    tutor.press("4");
    tutor.sees(&["Scaled dot-product", "trains"]);
    tutor.press("/keys, while you look");
    tutor.sees(&["20 page"]);
    tutor.press("\r");
    tutor.sees(&["tokens/s", "trains", "fork at"]);
    tutor.press("Q");
    tutor.sees(&["save it and end"]);
    tutor.press("g");
    tutor.sees(&["trains"]);
    tutor.press("Q");
    tutor.sees(&["save it and end"]);
    tutor.press("s");
    let folder = tutor.state.path().join("training/small");
    let state = tutor.ended();
    let kept = std::fs::read_dir(folder).expect("it was saved").count();
    assert!(kept > 0);
    drop(state);
}

#[test]
fn without_a_screen_a_run_is_trained_saved_and_resumed_after_the_program_has_ended() {
    let state = tempfile::tempdir().unwrap();
    let said = |lines: &str| {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
            .args(["--plain", "--lesson", "training"])
            .env("TRANSFORMER_TUTOR_STATE", state.path())
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(lines.as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let first = said("set preset small\nlook training\ntrain 25\ntrain back\ntrain fork\nq\ns\n");
    for words in [
        "Not begun yet",
        "Update 25 of 2000",
        "Looking back at",
        "Forked at",
        "save and stop",
    ] {
        assert!(first.contains(words), "{words}:\n{first}");
    }
    let second = said("set preset small\nlook training\ntrain resume\ntrain 3\nq\nx\n");
    for words in [
        "A checkpoint of update 20 is kept",
        "Goes on from update 20",
        "Update 23 of 2000",
    ] {
        assert!(second.contains(words), "{words}:\n{second}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_gives_the_terminal_back() {
    let tutor = Tutor::start(80, 24, &[]);
    tutor.sees(&["Understand"]);
    let id = tutor.child.process_id().unwrap().to_string();
    std::process::Command::new("kill")
        .args(["-TERM", &id])
        .status()
        .unwrap();
    tutor.ended();
}

#[cfg(unix)]
#[test]
fn a_terminal_that_goes_away_ends_the_program() {
    let Tutor {
        master,
        writer,
        mut child,
        screen,
        ..
    } = {
        let tutor = Tutor::start(80, 24, &["--lesson", "2"]);
        tutor.sees(&["Positional encoding"]);
        tutor
    };
    drop((master, writer, screen));
    let id = child.process_id().unwrap().to_string();
    // A reader of the closed side may hold it open for a moment; the hang-up then comes by signal.
    std::process::Command::new("kill")
        .args(["-HUP", &id])
        .status()
        .unwrap();
    let end = Instant::now() + Duration::from_secs(20);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "it lives on without a terminal");
        std::thread::sleep(Duration::from_millis(20));
    }
}
