//! The learner's own run of lesson 20: its speed compared with `train`, how quickly the screen answers while it trains,
//! and its memory.
//!
//! `cargo bench --bench screen -- training` measures all; add `speed`, `keys`, `lanes` or `memory` to measure less.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{TerminalOptions, Viewport};
use transformer_tutor::curriculum;
use transformer_tutor::data::corpus::Corpus;
use transformer_tutor::lesson::Body;
use transformer_tutor::lesson::picture::{Steer, Steered};
use transformer_tutor::lesson::progress::Progress;
use transformer_tutor::lesson::session::Session;
use transformer_tutor::text::phrasebook::{self, Part};
use transformer_tutor::text::pipeline::Pipeline;
use transformer_tutor::train::config::TrainConfig;
use transformer_tutor::train::run_folder::RunFolder;
use transformer_tutor::train::trainer::Trainer;
use transformer_tutor::tui::app::App;
use transformer_tutor::tui::update::{take_computed, update};
use transformer_tutor::tui::view;
use transformer_tutor::widgets::theme::Theme;

/// Measures what the words ask for, or everything if they name nothing.
pub fn measure(words: &[String]) {
    let all = ["speed", "keys", "lanes", "memory"];
    let asked = |word: &str| {
        words.iter().any(|w| w == word) || !words.iter().any(|w| all.contains(&w.as_str()))
    };
    if asked("speed") {
        speed();
    }
    if asked("keys") {
        keys();
    }
    if asked("lanes") {
        lanes();
    }
    if asked("memory") {
        memory();
    }
}

/// The learner's own run with these knob values.
fn run(knobs: &[(&str, &str)]) -> Arc<dyn Steered> {
    let mut session = Session::new(curriculum::find("training").expect("there is such a lesson"));
    for (knob, value) in knobs {
        session.set(knob, value).expect("the knob takes it");
    }
    session.show("training").expect("there is such a picture");
    match &session.picture().expect("it is looked at").body {
        Body::Live(live) => live.work.clone(),
        _ => unreachable!("the picture is a run"),
    }
}

/// The update that the leading lane has reached.
fn at(work: &dyn Steered) -> usize {
    let (says, ..) = work.shown();
    let number = says
        .split("Update ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    number.and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn until(work: &dyn Steered, update: usize) {
    while at(work) < update {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Times the same updates twice, in turn: in the lesson, which draws and keeps them, and in the command `train`, which
/// also evaluates and saves checkpoints.
fn speed() {
    const UPDATES: usize = 250;
    let config = TrainConfig::default();
    let lines = |part, n| -> (Vec<String>, Vec<String>) {
        let pairs = phrasebook::pairs(part, n);
        let lines = pairs
            .iter()
            .map(|p| (p.german.join(" "), p.english.join(" ")));
        lines.unzip()
    };
    let (train, held_out) = (lines(Part::Train, config.pairs), lines(Part::Valid, 500));
    let pipeline = Pipeline::learn(&train.0, &train.1, &config.learning());
    let corpus = |lines: &(Vec<String>, Vec<String>)| {
        Corpus::new(&lines.0, &lines.1, &pipeline, config.max_length)
    };
    let words = (
        pipeline.source.vocabulary.len(),
        pipeline.target.vocabulary.len(),
    );
    let (train, held_out) = (corpus(&train), corpus(&held_out));
    let threads = transformer_tutor::tensor::threads::machine();
    let mut trainer = Trainer::new(config, words, train, threads);
    let folder =
        std::env::temp_dir().join(format!("transformer-tutor-bench-{}", std::process::id()));
    let run_folder = RunFolder::begin(&folder).expect("the folder is new");
    let work = run(&[]);
    work.steer(Steer::Step(1));
    work.settle();
    trainer.update().expect("the loss is a number");
    for round in 1..=3 {
        let to = UPDATES * round;
        let before = trainer.state.tokens;
        let (mut lesson, mut command) = (0.0, 0.0);
        // Alternate which one comes first.
        for turn in [round % 2, (round + 1) % 2] {
            let begun = Instant::now();
            if turn == 0 {
                work.steer(Steer::Toggle);
                until(work.as_ref(), to);
                lesson = begun.elapsed().as_secs_f64();
                work.steer(Steer::Pause);
                work.settle();
            } else {
                while trainer.state.step < to {
                    trainer.update().expect("the loss is a number");
                    if trainer
                        .state
                        .step
                        .is_multiple_of(trainer.config.evaluate_every)
                    {
                        trainer.validate(&held_out).expect("the loss is a number");
                        run_folder.save(&trainer, &pipeline).expect("there is room");
                    }
                }
                command = begun.elapsed().as_secs_f64();
            }
        }
        let tokens = (trainer.state.tokens - before) as f64;
        println!(
            "training, updates to {to}: {:.0} tokens/s in the lesson, {:.0} by train: {:.1} %",
            tokens / lesson,
            tokens / command,
            100.0 * command / lesson
        );
    }
    work.steer(Steer::Cancel);
    work.settle();
    let _ = std::fs::remove_dir_all(folder);
}

/// Times the keys of a learner who reads, turns pages and looks around while the run trains, drawn at 200×60 to a sink.
fn keys() {
    let lesson = curriculum::find("training").expect("there is such a lesson");
    let mut app = App::new(None, Theme::true_dark(), Progress::default(), None);
    app.waiting.patience = Some(Duration::from_millis(10));
    app.display.size = (200, 60);
    app.open(lesson);
    let options = TerminalOptions {
        viewport: Viewport::Fixed(Rect::new(0, 0, 200, 60)),
    };
    let backend = CrosstermBackend::new(std::io::sink());
    let mut terminal = Terminal::with_options(backend, options).expect("a sink takes everything");
    let work = run(&[]);
    work.steer(Steer::Toggle);
    until(work.as_ref(), 20);
    app.live = Some(work.clone());
    let pattern = "VnN?\u{1b}jjjkkk  \r\rllhh\u{8}\u{8}vvvVVVaF}{nnNN>><<V";
    let mut times: Vec<Duration> = Vec::new();
    let begun = at(work.as_ref());
    for c in pattern.chars().cycle().take(2000) {
        let start = Instant::now();
        update(&mut app, super::pressed(c));
        terminal
            .draw(|frame| view::view(&app, frame))
            .expect("a sink takes everything");
        times.push(start.elapsed());
        // Esc pauses the run where nothing else is open.
        if work.status() == transformer_tutor::lesson::picture::Status::Paused {
            work.steer(Steer::Toggle);
        }
        std::thread::sleep(Duration::from_millis(8));
        let _ = take_computed(&mut app);
    }
    times.sort();
    let share = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "key to frame while it trains: {:.2} ms median, {:.2} ms for 99 %, {:.2} ms at most, of {} keys in {} updates",
        share(0.5),
        share(0.99),
        share(1.0),
        times.len(),
        at(work.as_ref()) - begun
    );
    work.steer(Steer::Cancel);
    work.settle();
}

/// Compares one lane with four in parallel, in total updates per second.
fn lanes() {
    for preset in ["small", "phrasebook"] {
        let work = run(&[("preset", preset)]);
        let speed = |work: &dyn Steered, lanes: usize| {
            let updates = if preset == "small" { 120 } else { 30 };
            let begun = Instant::now();
            work.steer(Steer::Race(Some(updates)));
            work.settle();
            (lanes * updates) as f64 / begun.elapsed().as_secs_f64()
        };
        work.steer(Steer::Step(5));
        work.settle();
        let mut ratios = Vec::new();
        let mut work_lanes = 1;
        let one = [0; 3].map(|_| speed(work.as_ref(), 1));
        for _ in 1..4 {
            work.steer(Steer::Fork);
            work.steer(Steer::Pause);
            work_lanes += 1;
        }
        work.settle();
        for one in one {
            ratios.push(speed(work.as_ref(), work_lanes) / one);
        }
        println!(
            "four lanes against one, {preset}: {} as many updates a second together",
            ratios
                .iter()
                .map(|r| format!("{r:.2}"))
                .collect::<Vec<_>>()
                .join(", ")
        );
        work.steer(Steer::Cancel);
        work.steer(Steer::Cancel);
        work.steer(Steer::Cancel);
        work.steer(Steer::Cancel);
        work.settle();
    }
}

/// The peak memory of the process, in MB.
fn most() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kb.unwrap_or(f64::NAN) / 1024.0
}

/// Measures memory: of a run until its snapshots fill their budget, then forked into four lanes, with the time machine
/// in use. From then on nothing grows, because a longer run spaces its snapshots further apart.
fn memory() {
    println!("memory before the run: {:.0} MB at most", most());
    let work = run(&[]);
    work.steer(Steer::Toggle);
    until(work.as_ref(), 750);
    println!(
        "memory after {} updates: {:.0} MB at most",
        at(work.as_ref()),
        most()
    );
    for _ in 0..3 {
        work.steer(Steer::Rewind(-3));
        work.steer(Steer::Fork);
        work.settle();
    }
    for _ in 0..40 {
        work.steer(Steer::Lane(1));
        std::thread::sleep(Duration::from_secs(2));
    }
    println!(
        "memory with four lanes, update {}: {:.0} MB at most",
        at(work.as_ref()),
        most()
    );
    work.steer(Steer::Pause);
    for _ in 0..4 {
        work.steer(Steer::Cancel);
    }
    work.settle();
}
