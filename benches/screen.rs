//! Response times of the walkthrough: the first frame, every knob, every key, every frame of an animation.
//!
//! `cargo bench --bench screen` measures the release build, `cargo bench --profile dev --bench screen`
//! the build that `cargo run` makes. `-- walks` and `-- training` measure only those.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{TerminalOptions, Viewport};
use transformer_tutor::curriculum::LESSONS;
use transformer_tutor::lesson::progress::Progress;
use transformer_tutor::lesson::session::Session;
use transformer_tutor::tui::app::App;
use transformer_tutor::tui::key::{KeyCode, KeyEvent, KeyModifiers};
use transformer_tutor::tui::update::{Message, update};
use transformer_tutor::tui::view;
use transformer_tutor::widgets::theme::Theme;

#[path = "screen/training.rs"]
mod training;
#[path = "screen/walks.rs"]
mod walks;

fn main() {
    // Must come first, while there is only one thread.
    transformer_tutor::tensor::blas::prepare();
    // `cargo test --benches` only checks that it runs.
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "training") {
        // Keep checkpoints apart from the learner's own.
        if std::env::var_os("TRANSFORMER_TUTOR_STATE").is_none() {
            let state =
                std::env::temp_dir().join(format!("transformer-tutor-{}", std::process::id()));
            let program = std::env::current_exe().expect("it was started");
            let mut again = std::process::Command::new(program);
            again.args(&words).env("TRANSFORMER_TUTOR_STATE", &state);
            again.status().expect("it starts once more");
            let _ = std::fs::remove_dir_all(state);
            return;
        }
        return training::measure(&words);
    }
    walks::measure();
    if words.iter().any(|word| word == "walks") {
        return;
    }
    println!("first frame of the list      {:>8.1} ms", first_frame(None));
    for lesson in LESSONS {
        println!(
            "first frame of lesson {:02}     {:>8.1} ms",
            lesson.number,
            first_frame(Some(lesson.name))
        );
    }
    for lesson in LESSONS {
        let (worst, knob) = knobs(lesson);
        println!(
            "slowest knob or switch, {:02}   {:>8.1} ms  {knob}",
            lesson.number,
            ms(worst)
        );
    }
    for lesson in LESSONS {
        let (keys, moves) = keys(lesson);
        println!(
            "key to frame, lesson {:02}      {} keys at 200×60",
            lesson.number,
            spread(keys)
        );
        println!(
            "frame of a movement, {:02}      {} frames",
            lesson.number,
            spread(moves)
        );
    }
}

/// The median, the 99th percentile, the maximum and the number of measurements, as text.
fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: f64| {
        let index = (times.len().saturating_sub(1) as f64 * share) as usize;
        times.get(index).copied().map_or(0.0, ms)
    };
    format!(
        "{:>8.2} ms median, {:.2} ms for 99 %, {:.2} ms at most, of {}",
        at(0.5),
        at(0.99),
        at(1.0),
        times.len()
    )
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Milliseconds from the start of the process to its first frame on a pseudo-terminal: the median of five.
fn first_frame(lesson: Option<&str>) -> f64 {
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let size = PtySize {
                rows: 60,
                cols: 200,
                pixel_width: 0,
                pixel_height: 0,
            };
            let pty = native_pty_system()
                .openpty(size)
                .expect("a pseudo-terminal");
            let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_transformer-tutor"));
            command.env("TERM", "xterm-256color");
            command.env(
                "TRANSFORMER_TUTOR_STATE",
                std::env::temp_dir().join("transformer-tutor-bench"),
            );
            if let Some(lesson) = lesson {
                command.args(["--lesson", lesson]);
            }
            let start = Instant::now();
            let mut child = pty
                .slave
                .spawn_command(command)
                .expect("the program starts");
            let mut reader = pty
                .master
                .try_clone_reader()
                .expect("the terminal can be read");
            let mut seen = Vec::new();
            let mut part = [0; 1 << 16];
            // The footer is the last thing on the screen.
            while !String::from_utf8_lossy(&seen).contains("help") {
                let n = reader.read(&mut part).expect("the program writes");
                seen.extend_from_slice(&part[..n]);
            }
            let time = ms(start.elapsed());
            let _ = pty.master.take_writer().map(|mut w| w.write_all(b"Q"));
            let _ = child.kill();
            let _ = child.wait();
            time
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[2]
}

/// The slowest change of a setting, with its name: a knob turned from its default to a stop, or a mistake switched on.
fn knobs(lesson: &'static transformer_tutor::lesson::Lesson) -> (Duration, String) {
    let mut session = Session::new(lesson);
    let defaults = session.settings().clone();
    let mut worst = (Duration::ZERO, String::new());
    for knob in session.lesson().knobs {
        for stop in knob.stops() {
            let start = Instant::now();
            let _ = session.set(knob.name, &stop);
            let time = start.elapsed();
            if time > worst.0 {
                worst = (time, format!("{}={stop}", knob.name));
            }
            session
                .configure(defaults.clone())
                .expect("the defaults ran");
        }
    }
    for mistake in lesson.mistakes {
        let start = Instant::now();
        let _ = session.switch(mistake.name, true);
        let time = start.elapsed();
        if time > worst.0 {
            worst = (time, mistake.name.to_owned());
        }
        session
            .configure(defaults.clone())
            .expect("the defaults ran");
    }
    worst
}

/// The key press that sends this character.
fn pressed(c: char) -> Message {
    let code = match c {
        '\r' => KeyCode::Enter,
        '\u{8}' => KeyCode::Backspace,
        '\u{1b}' => KeyCode::Esc,
        c => KeyCode::Char(c),
    };
    Message::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

/// The number of frames measured for each animation that a key starts.
const FRAMES: usize = 6;

/// Times of two thousand keys, as a learner presses them, that trigger no new run, and of frames of the animations that
/// they start. Each is drawn at 200×60 into a sink.
fn keys(lesson: &'static transformer_tutor::lesson::Lesson) -> (Vec<Duration>, Vec<Duration>) {
    let mut app = App::new(Some(lesson), Theme::true_dark(), Progress::default(), None);
    app.display.size = (200, 60);
    app.display.still = false;
    let area = Rect::new(0, 0, 200, 60);
    let backend = CrosstermBackend::new(std::io::sink());
    let options = TerminalOptions {
        viewport: Viewport::Fixed(area),
    };
    let mut terminal = Terminal::with_options(backend, options).expect("a sink takes everything");
    let pattern = "   \r lllljjjj\r\u{8}hhkk>>>n}{nd?vvv<?\u{1b}:st\u{1b}N ";
    let keys = pattern.chars().cycle().take(2000);
    let mut timed = |app: &mut App, message: Message| {
        let start = Instant::now();
        update(app, message);
        terminal
            .draw(|frame| view::view(app, frame))
            .expect("a sink takes everything");
        start.elapsed()
    };
    let (mut answers, mut moves) = (Vec::new(), Vec::new());
    for c in keys {
        answers.push(timed(&mut app, pressed(c)));
        // A sample of its frames, from beginning to end.
        for _ in 0..FRAMES {
            let Some(playing) = &app.playing else { break };
            let frames = playing.moving.frames() / FRAMES;
            moves.push(timed(&mut app, Message::Tick(frames)));
        }
    }
    (answers, moves)
}
