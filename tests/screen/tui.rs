//! The walkthrough on a pseudo-terminal: keys in, screen out, and the terminal restored.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::pty::{self, Tutor};

#[test]
fn a_learner_edits_a_cell_takes_it_back_and_looks_at_gradients() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "multi-head"]);
    tutor.sees(&["05 Multi-head attention  1/"]);
    tutor.turn_to("multi-head", "split-the-channels");
    tutor.sees(&["One row, split and joined"]);
    tutor.press(":look decoder.layers.1.src_attn.weights\r");
    tutor.sees(&["Last decoder layer, head 0: what each row reads"]);
    tutor.press(":scene=experiment\r");
    // Its run may take longer than a key waits.
    tutor.sees(&["untrained, random weights", "scene ◂ experiment ▸"]);
    tutor.press(":look query\r");
    tutor.sees(&["query[0,0,0]"]);
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
    tutor.sees(&["∂ query[0,0,0] / ∂ this"]);
    tutor.press("bQ");
    tutor.ended();
}

#[test]
fn a_knob_takes_a_sentence_of_the_learners_own_and_says_what_it_cannot_take() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "subwords"]);
    tutor.sees(&[" 1/"]);
    tutor.press("n");
    tutor.press("\t");
    tutor.sees(&["sentence the teacher sees old trains"]);
    tutor.press(":sentence=the colder sea\r");
    // The knob that was set is selected, so the brackets would turn it.
    tutor.sees(&["sentence ◂ the colder sea ▸", "c@@ o@@ l@@ d@@ er"]);
    tutor.press(":limit=99\r");
    tutor.sees(&["limit goes from 1 to 20"]);
    tutor.press("Q");
    tutor.ended();
}

#[test]
fn a_sentence_of_ones_own_is_translated_and_going_back_leads_to_the_lesson_as_it_was() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "attention"]);
    tutor.sees(&["03 Scaled dot-product attention", "1/"]);
    tutor.turn_to("attention", "write-it");
    tutor.sees(&["watch:"]);
    let header = tutor.text().lines().next().unwrap().to_owned();
    tutor.press(":translate Der alte Mann kauft ж.\r");
    tutor.sees(&["Playground", "know 'ж'", "it reads"]);
    tutor.press(":translate Der alte Mann schläft.\r");
    tutor.sees(&["The old man is sleeping."]);
    tutor.press(":model=no/such/folder\r");
    tutor.sees(&["there is no file or folder"]);
    tutor.press("q");
    tutor.sees(&["03 Scaled dot-product attention", &header]);
    // The lesson on decoding passes on its sentence.
    tutor.press("Q");
    tutor.ended();
    let mut tutor = Tutor::start(80, 24, &["--lesson", "decoding"]);
    tutor.sees(&["21 Decoding", "1/"]);
    tutor.press(":sentence=Der alte Mann schläft.\r");
    tutor.press("P");
    tutor.sees(&["Playground", "The old man is"]);
    tutor.press("Q");
    tutor.ended();
}

#[test]
fn a_learner_opens_a_lesson_predicts_asks_goes_down_and_quits() {
    let mut tutor = Tutor::start(120, 40, &[]);
    // A newcomer starts in the tour.
    tutor.sees(&["00 The tour"]);
    tutor.press("L");
    tutor.sees(&[
        "Understand the Transformer",
        "03 Scaled dot-product attention",
    ]);
    tutor.press("3");
    tutor.sees(&["Who fits whom?", "Scaled dot-product attention  1/"]);
    tutor.turn_to("attention", "the-papers-size");
    tutor.sees(&["Before you look", "Press p to answer"]);
    assert!(
        !tutor.text().contains("How padding is kept out"),
        "the page must not tell the answer"
    );
    tutor.press("p1");
    tutor.sees(&["No. Rows are the tokens that read"]);
    tutor.press("3");
    tutor.sees(&["Yes. The table is a box"]);
    tutor.press("\r");
    tutor.sees(&["How padding is kept out"]);
    tutor.press(":look scores\r");
    tutor.sees(&["scores  (30 b, 8 h, 10 t, 11 s)"]);
    tutor.press("\r");
    tutor.sees(&["sum(a * b)", "why this cell"]);
    tutor.press("\r");
    tutor.sees(&["query["]);
    tutor.press("\x7f\x7f\t");
    tutor.sees(&["the run"]);
    tutor.press("1d");
    tutor.sees(&["forget to divide"]);
    tutor.press("Q");
    tutor.ended();
}

#[cfg(unix)]
#[test]
fn the_editor_has_the_terminal_and_gives_it_back() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("exercises/attention.rs");
    let was_there = file.exists();
    let state = tempfile::tempdir().unwrap();
    let edited = state.path().join("edited");
    let mut command = pty::command(
        env!("CARGO_BIN_EXE_transformer-tutor"),
        state.path(),
        &["--lesson", "attention"],
    );
    // Runs `touch EDITED FILE`: the file to edit is the last argument.
    command.env("EDITOR", format!("touch {}", edited.display()));
    let mut tutor = Tutor::spawn(command, state, 120, 40);
    tutor.sees(&["03 Scaled dot-product attention"]);
    tutor.press("E");
    tutor.sees(&["exercises/attention.rs", "Every save is"]);
    assert!(edited.exists() && file.exists());
    tutor.press("Q");
    tutor.ended();
    if !was_there {
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn possible_commands_are_listed_and_found_by_name() {
    let mut tutor = Tutor::start(80, 24, &["--lesson", "masks"]);
    tutor.sees(&["Batches and masks"]);
    tutor.press("?");
    tutor.sees(&["Begin with these", "read on"]);
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
    let mut tutor = Tutor::start(120, 40, &["--lesson", "3"]);
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
        tutor.resize(cols, rows);
        std::thread::sleep(Duration::from_millis(30));
        tutor.press(" ");
    }
    tutor.sees(&["Scaled dot-product"]);
    tutor.press("Q");
    tutor.ended();
}

/// Opens the training picture of lesson 20 with the small preset. The page's pictures are training, loss, translations.
fn at_the_training(state: tempfile::TempDir) -> Tutor {
    let mut tutor = Tutor::start_in(state, 120, 40, &["--lesson", "training"]);
    tutor.sees(&["Training a translator"]);
    // A learner who returns is on the page they left.
    tutor.turn_to("training", "what-it-learns-from");
    tutor.sees(&["Three held-out sentences"]);
    tutor.press(":preset=small\r");
    tutor.sees(&["preset ◂ small ▸"]);
    tutor.press("VV");
    tutor.sees(&["Your own run", "Trains a small model"]);
    tutor
}

/// Waits for a checkpoint of a lane, whose folder is in that of the run.
#[track_caller]
fn kept(tutor: &Tutor, lane: &str) {
    let folder = tutor.state.path().join("training/small").join(lane);
    let end = Instant::now() + pty::PATIENCE;
    let step = |name: std::ffi::OsString| name.to_string_lossy().starts_with("step-");
    while !std::fs::read_dir(&folder)
        .is_ok_and(|mut all| all.any(|e| e.is_ok_and(|e| step(e.file_name()))))
    {
        assert!(
            Instant::now() < end,
            "no checkpoint in {}:\n{}",
            folder.display(),
            tutor.text()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The update that the lane in front has reached.
#[track_caller]
fn update_of(tutor: &Tutor) -> usize {
    number_after(tutor, "Update ")
}

/// The whole number that the screen shows after these words.
#[track_caller]
fn number_after(tutor: &Tutor, words: &str) -> usize {
    let text = tutor.text();
    let after = text.split(words).nth(1).expect("the screen has the words");
    let number = after.split(|c: char| !c.is_ascii_digit()).next();
    number.unwrap_or_default().parse().expect("a whole number")
}

/// Pauses the run and returns the update that it has reached.
#[track_caller]
fn paused_at(tutor: &mut Tutor) -> usize {
    tutor.press("\x1b");
    tutor.sees(&["paused"]);
    // One more update may still be under way.
    let end = Instant::now() + pty::PATIENCE;
    let mut last = update_of(tutor);
    let mut since = Instant::now();
    while since.elapsed() < Duration::from_millis(700) {
        assert!(Instant::now() < end, "it does not pause");
        std::thread::sleep(Duration::from_millis(20));
        if update_of(tutor) != last {
            (last, since) = (update_of(tutor), Instant::now());
        }
    }
    last
}

#[test]
fn a_learner_trains_pauses_steps_looks_back_races_a_fork_leaves_saves_and_resumes() {
    let mut tutor = at_the_training(tempfile::tempdir().unwrap());
    tutor.press("r");
    tutor.sees(&["trains", "tokens/s", "Translations at update 2"]);
    let paused = paused_at(&mut tutor);
    tutor.press("S");
    tutor.sees(&[&format!("Update {} ", paused + 1)]);
    tutor.press("+");
    tutor.sees(&["highest learning"]);
    tutor.press("tt");
    tutor.sees(&["Looking back at update"]);
    let earlier = number_after(&tutor, "Looking back at update ");
    tutor.press("T");
    // How far the run has come by now depends on the machine; it is kept every 20 updates.
    tutor.sees(&[&format!("Looking back at update {}", earlier + 20)]);
    tutor.press(":dropout=0.3\r");
    tutor.sees(&["dropout ◂ 0.3 ▸"]);
    tutor.press("f");
    tutor.sees(&["lane 2 of 2", "trains", "2 rate 1e-2"]);
    tutor.press("O");
    tutor.sees(&["lane 1 of 2"]);
    tutor.press("L");
    tutor.sees(&["Understand the Transformer"]);
    tutor.press("3");
    tutor.sees(&["Scaled dot-product", "trains"]);
    tutor.press("/an earlier moment, and let");
    tutor.sees(&["20 page"]);
    tutor.press("\r");
    tutor.sees(&["tokens/s", "trains", "lane 1 of 2"]);
    let first = paused_at(&mut tutor);
    tutor.press("O");
    tutor.sees(&["lane 2 of 2"]);
    let second = update_of(&tutor);
    assert!(
        first > 20 && second > 20,
        "both have trained: {first}, {second}"
    );
    tutor.press("w");
    kept(&tutor, "lane-2");
    tutor.press("A");
    tutor.sees(&["trains"]);
    tutor.press("Q");
    tutor.sees(&["save it and stop"]);
    tutor.press("g");
    tutor.sees(&["trains"]);
    let second = paused_at(&mut tutor);
    tutor.press("Q");
    tutor.sees(&["save it and stop"]);
    tutor.press("s");
    let state = tutor.ended();

    // The lesson opens at the page that was open last.
    let mut tutor = Tutor::start_in(state, 120, 40, &["--lesson", "training"]);
    tutor.sees(&["Your small translator", "Your own run"]);
    tutor.press(":preset=small\r");
    tutor.sees(&["Trains a small model", "continues"]);
    tutor.press("R");
    tutor.sees(&["lane 1 of 2", "It can continue"]);
    tutor.press("O");
    tutor.sees(&["lane 2 of 2", &format!("Update {second} of")]);
    tutor.press("S");
    tutor.sees(&[&format!("Update {} of", second + 1)]);
    tutor.press("Qx");
    tutor.ended();
}

#[cfg(unix)]
#[test]
fn a_run_survives_a_closed_terminal_up_to_its_last_checkpoint() {
    let mut tutor = at_the_training(tempfile::tempdir().unwrap());
    tutor.press("r");
    tutor.sees(&["trains", "tokens/s"]);
    let saved = paused_at(&mut tutor);
    tutor.press("w");
    kept(&tutor, "");
    tutor.press("r");
    tutor.sees(&["trains"]);
    let end = Instant::now() + pty::PATIENCE;
    while update_of(&tutor) == saved {
        assert!(Instant::now() < end, "it does not go on");
        std::thread::sleep(Duration::from_millis(20));
    }
    let Tutor {
        master,
        writer,
        mut child,
        screen,
        state,
        ..
    } = tutor;
    drop((master, writer, screen));
    let id = child.process_id().unwrap().to_string();
    // A reader may hold the closed side open for a moment, so send the hang-up as a signal.
    let _ = std::process::Command::new("kill")
        .args(["-HUP", &id])
        .status();
    let end = Instant::now() + pty::PATIENCE;
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "it lives on without a terminal");
        std::thread::sleep(Duration::from_millis(20));
    }

    let mut tutor = at_the_training(state);
    tutor.press("R");
    tutor.sees(&[&format!("Update {saved} of"), "continue from"]);
    tutor.press("Qx");
    tutor.ended();
}

#[test]
fn a_mistake_that_has_to_be_trained_does_not_hold_the_screen() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "training"]);
    tutor.sees(&["20 Training a translator"]);
    tutor.turn_to("training", "what-it-learns-from");
    tutor.sees(&["Three held-out sentences"]);
    // The run with a mistake from update 200 on is not ready yet, but keys still work.
    tutor.press(":update=200\r");
    tutor.press("4");
    tutor.press("?");
    tutor.sees(&["Begin with these", "read on"]);
    tutor.press("\x1b");
    tutor.sees(&["one line lost", "at update 200"]);
    tutor.press("Q");
    tutor.ended();
}

/// The output of plain mode for these lines of input.
fn plain(state: &std::path::Path, lines: &str) -> String {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(["--plain", "--lesson", "training"])
        .env("TRANSFORMER_TUTOR_STATE", state)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // The first page shows the built-in model, so switch to the experiment.
    input.write_all(b"set scene experiment\n").unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn says(text: &str, all: &[&str]) {
    for words in all {
        assert!(text.contains(words), "{words}:\n{text}");
    }
}

#[test]
fn without_a_screen_a_run_is_trained_forked_raced_saved_and_resumed() {
    let state = tempfile::tempdir().unwrap();
    let first = plain(
        state.path(),
        "set preset small\nlook training\ntrain 25\ntrain back\nset rate 3\ntrain fork\ntrain pause\ntrain race 3\ntrain lane\nq\ns\n",
    );
    let words = [
        "Not begun yet",
        "Update 25 of 2000",
        "Looking back at update 20",
        "Forked at update 20",
        "lane 2 of 2 (rate 3e-2)",
        "lane 1 of 2 (rate 1e-2)",
        "save and stop",
    ];
    says(&first, &words);
    let second = plain(
        state.path(),
        "set preset small\nlook training\ntrain resume\ntrain lane\nq\nx\n",
    );
    says(
        &second,
        &[
            "from which it can continue",
            "lane 1 of 2",
            "lane 2 of 2",
            "continue from",
        ],
    );
}

#[test]
fn two_files_of_ones_own_are_a_corpus_and_changed_ones_are_not_gone_on_with() {
    let state = tempfile::tempdir().unwrap();
    let (german, english) = (
        state.path().join("my own.de"),
        state.path().join("my own.en"),
    );
    let write = |path: &std::path::Path, line: &dyn Fn(usize) -> String, lines: usize| {
        let text: String = (1..=lines).map(|n| line(n) + "\n").collect();
        std::fs::write(path, text).unwrap();
    };
    write(&german, &|n| format!("das ist die Zahl {n}"), 60);
    write(
        &english,
        &|n| {
            if n == 7 {
                String::new()
            } else {
                format!("this is number {n}")
            }
        },
        60,
    );
    let set = format!(
        "set preset small\nset corpus {} {}\nlook training\n",
        german.display(),
        english.display()
    );
    let first = plain(state.path(), &format!("{set}train 3\nq\ns\n"));
    let words = [
        "on your own 59 pairs (line 7 is empty on a side and left out)",
        "Update 3 of 2000",
        "das ist die Zahl",
        "is saved in",
    ];
    says(&first, &words);
    let again = plain(state.path(), &format!("{set}train resume\ntrain 2\nq\nx\n"));
    says(&again, &["Update 5 of 2000"]);

    write(&german, &|n| format!("das ist die Zahl {}", n % 9), 60);
    let changed = plain(state.path(), &format!("{set}train resume\nq\nx\n"));
    says(&changed, &["is of a run on another text", "Put them back"]);
    write(&german, &|n| format!("das ist die Zahl {n}"), 59);
    let short = plain(state.path(), &format!("{set}q\n"));
    says(&short, &["has 59 lines", "has 60:"]);
    let missing = plain(
        state.path(),
        "set corpus no.de no.en\nset corpus no.de\nq\n",
    );
    says(
        &missing,
        &[
            "no.de cannot be read",
            "corpus is phrasebook, or two text files",
        ],
    );
    write(&german, &|n| format!("das ist die Zahl {n}"), 60);
    let back = plain(state.path(), &format!("{set}train resume\nq\nx\n"));
    says(&back, &["continue from update 3"]);
}

#[test]
fn a_gradient_is_held_against_differences_and_follows_the_cursor() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "gradients"]);
    tutor.sees(&["14 Gradients", "1/"]);
    tutor.turn_to("gradients", "in-the-translator");
    tutor.sees(&["times √d_model", "∂ log_probs", "row \"schläft\""]);
    tutor.press("b:scene=experiment\r");
    tutor.sees(&["scene ◂ experiment ▸", "d_x"]);
    tutor.press(":look loss\r");
    tutor.sees(&["loss = "]);
    // Go back from the loss to bias, and to its last cell.
    tutor.press("BBBBBBBBBll");
    tutor.sees(&["bias[2] = 0.02"]);
    tutor.press("g");
    tutor.sees(&[
        "check a gradient",
        "∂ bias[2]",
        "by the tape −5.64000",
        "Best is h = 0.01",
    ]);
    tutor.sees(&["at a kink", "rounding:"]);
    assert!(tutor.text().contains("watch:"), "the tensor stays in view");
    tutor.press("h");
    tutor.sees(&["∂ bias[1]", "is flat"]);
    tutor.press("\x1b");
    tutor.sees(&["The trained translator is about to write"]);
    tutor.press("  \x02BBg");
    tutor.sees(&["∂ product", "∂ bias[1]", "exactly 0:", "that you flipped"]);
    tutor.press("QQ");
    tutor.ended();
}

#[test]
fn a_chart_is_zoomed_read_and_followed_while_the_run_goes_on() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "training"]);
    tutor.sees(&["20 Training a translator"]);
    tutor.turn_to("training", "what-it-learns-from");
    tutor.sees(&["Three held-out sentences"]);
    tutor.press(":preset=small\r");
    tutor.press("VV");
    tutor.sees(&["Your own run", "Trains a small model"]);
    tutor.press("r");
    tutor.sees(&["trains", "tokens/s", "held out"]);
    tutor.press("T");
    tutor.sees(&["This is the newest moment", "trains"]);
    let end = Instant::now() + pty::PATIENCE;
    while update_of(&tutor) < 60 {
        assert!(Instant::now() < end, "it does not train");
        std::thread::sleep(Duration::from_millis(10));
    }
    tutor.press("ii");
    tutor.sees(&["of the axis", "follows", "at update"]);
    let reading = |tutor: &Tutor| -> usize {
        let text = tutor.text();
        let after = text.split("over update at update ").nth(1).unwrap_or("0:");
        after.split(':').next().unwrap().parse().unwrap_or(0)
    };
    let before = reading(&tutor);
    let end = Instant::now() + pty::PATIENCE;
    while reading(&tutor) <= before {
        assert!(Instant::now() < end, "the reading line does not follow");
        std::thread::sleep(Duration::from_millis(10));
    }
    tutor.press("hh");
    tutor.gone("follows");
    let held = reading(&tutor);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(reading(&tutor), held, "it holds where it was put");
    tutor.press("Y");
    tutor.sees(&[", log scale"]);
    tutor.press("G");
    tutor.sees(&["follows"]);
    tutor.press("0");
    tutor.gone("of the axis");
    tutor.press("r");
    tutor.sees(&["paused"]);
    tutor.press("Q");
    tutor.sees(&["save it and stop"]);
    tutor.press("x");
    tutor.ended();
}

#[test]
fn without_a_screen_slopes_are_checked_and_charts_are_read() {
    let state = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(["--plain", "--lesson", "gradients"])
        .env("TRANSFORMER_TUTOR_STATE", state.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = "next\n1\nset scene experiment\ng bias[2]\nlook differences\ng\nzoom -4 -2\nat -3\nlog\nzoom 9 8\nzoom\nlook pre\nzoom 1 2\nq\n";
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    for words in [
        "By the tape it is -5.64000.",
        "kinks crossed",
        "Best is h = 0.01",
        "only a tensor's cells can be nudged",
        "Shown is step, as a power of 10 -4 to -2, of -6 to 0.",
        "At step, as a power of 10 -3: W_Q ",
        "unit 0 goes from",
        ": times ",
        "down by ",
        "that range is outside the axis, which goes from -6 to 0",
        "look at a chart first",
    ] {
        assert!(printed.contains(words), "{words}:\n{printed}");
    }
}
