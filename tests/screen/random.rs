//! Random keys, clicks, wheel turns, pastes and sizes in every lesson, with a frame drawn after each.
//!
//! The test applies them to the walkthrough's state without a terminal, so it is quicker than
//! `tests/screen/terminal/endurance.rs`, which sends bytes to the whole program. By default it sends a few events per lesson;
//! `TRANSFORMER_TUTOR_HANDS=10000 cargo test --test screen random -- --nocapture` sends as many as it says, and
//! `TRANSFORMER_TUTOR_LESSON=attention` limits it to one lesson.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use transformer_tutor::curriculum::{self, LESSONS, PLAYGROUND};
use transformer_tutor::lesson::progress::Progress;
use transformer_tutor::lesson::{Body, Lesson};
use transformer_tutor::tensor::threads::Token;
use transformer_tutor::tui::app::App;
use transformer_tutor::tui::key::{KeyCode, KeyEvent, KeyModifiers};
use transformer_tutor::tui::update::{
    Effect, Message, follow_gradient_check, take_computed, update,
};
use transformer_tutor::tui::view;
use transformer_tutor::widgets::theme::Theme;

/// Number of events per lesson by default.
const FEW: usize = 40;

/// Maximum number of events in one walkthrough; then a new one begins without progress.
const LIFE: usize = 500;

/// How long a key waits for a run of the stage, as in the program.
const PATIENCE: Duration = Duration::from_millis(10);

const SIZES: [(u16, u16); 6] = [(120, 40), (100, 30), (80, 24), (60, 20), (200, 60), (20, 3)];

const KEYS: &str = " nNpvVdbgeuUijhklYG0123456789[]{}<>.,oszHyx/:?LPZ#;EDK=qm\t";

struct Random(ChaCha8Rng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u32() as usize) % n
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn message(&mut self, (width, height): (u16, u16)) -> Message {
        let key = |code| Message::Key(KeyEvent::new(code, KeyModifiers::NONE));
        let column = self.below(usize::from(width) + 2) as u16;
        let row = self.below(usize::from(height) + 2) as u16;
        match self.below(100) {
            0..=54 => {
                let keys: Vec<char> = KEYS.chars().collect();
                match self.of(&keys) {
                    '\t' => key(KeyCode::Tab),
                    c => key(KeyCode::Char(c)),
                }
            }
            55..=68 => key(self.of(&[
                KeyCode::Up,
                KeyCode::Down,
                KeyCode::Left,
                KeyCode::Right,
                KeyCode::PageUp,
                KeyCode::PageDown,
            ])),
            69..=78 => key(self.of(&[
                KeyCode::Enter,
                KeyCode::Enter,
                KeyCode::Esc,
                KeyCode::Backspace,
                KeyCode::F(3),
                KeyCode::Char('漢'),
            ])),
            79..=80 => {
                let letter = self.of(&['b', 'r', 'z', 'x']);
                Message::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL))
            }
            81..=91 => Message::Click(column, row),
            92..=95 => Message::Wheel {
                lines: [-3, 3][self.below(2)],
                column,
                row,
            },
            96..=97 => Message::Paste(
                self.of(&["heads=4", "Der Hund", "look a", "\n\u{301}"])
                    .to_owned(),
            ),
            _ => {
                let (width, height) = self.of(&SIZES);
                Message::Resize(width, height)
            }
        }
    }
}

/// Work on other threads, as the program starts it.
struct Work {
    sender: Sender<Message>,
    messages: Receiver<Message>,
    running: Option<Token>,
    number: usize,
}

impl Work {
    fn new() -> Self {
        let (sender, messages) = mpsc::channel();
        Self {
            sender,
            messages,
            running: None,
            number: 0,
        }
    }

    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.cancel();
        }
        self.number += 1;
    }

    fn perform(&mut self, effect: Option<Effect>) {
        match effect {
            Some(Effect::Start(job)) => {
                self.stop();
                let token = Token::default();
                self.running = Some(token.clone());
                let (sender, number) = (self.sender.clone(), self.number);
                std::thread::spawn(move || {
                    let mut report =
                        |progress| match sender.send(Message::Job(number, Box::new(progress))) {
                            Ok(()) => ControlFlow::Continue(()),
                            Err(_) => ControlFlow::Break(()),
                        };
                    if let Ok(end) = token.run(|| (job.run)(&mut report)) {
                        let _ = report(end);
                    }
                });
            }
            Some(Effect::Stop) => self.stop(),
            Some(Effect::CheckGradient(question)) => {
                let sender = self.sender.clone();
                let token = Token::default();
                self.stop();
                self.running = Some(token.clone());
                std::thread::spawn(move || {
                    let outcome = token.run(|| question.answer(&mut |_| ControlFlow::Continue(())));
                    if let Ok(outcome) = outcome {
                        let _ = sender.send(Message::GradientCheck(Box::new(outcome)));
                    }
                });
            }
            // Nothing is written, compiled, copied or suspended in this test.
            _ => {}
        }
    }
}

/// True if the picture is the learner's own training run, which would continue beside this test and write checkpoints.
/// The test of the whole program steers it instead.
fn is_live(app: &App) -> bool {
    let open = app.open_lesson.as_ref();
    let picture = open.and_then(|open| open.walk.session.picture());
    matches!(picture.map(|p| &p.body), Some(Body::Live(_)))
}

fn name(message: &Message) -> String {
    match message {
        Message::Key(key) => format!("{:?}", key.code),
        Message::Paste(text) => format!("paste {text:?}"),
        Message::Wheel { lines, column, row } => format!("wheel {lines} at {column},{row}"),
        Message::Click(x, y) => format!("click {x},{y}"),
        Message::Resize(w, h) => format!("{w}x{h}"),
        _ => String::new(),
    }
}

/// Sends random events to one walkthrough until it ends or has had `events`; returns their number.
fn live(
    lesson: &'static Lesson,
    events: usize,
    random: &mut Random,
    sent: &mut Vec<String>,
) -> usize {
    let theme = Theme::by_name(random.of(&["mono", "dark", "ansi"])).unwrap();
    let theme = if random.below(4) == 0 {
        theme.in_ascii()
    } else {
        theme
    };
    let mut app = App::new(None, theme, Progress::default(), None);
    app.waiting.patience = Some(PATIENCE);
    app.open(lesson);
    let mut work = Work::new();
    let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
    app.display.size = (120, 40);
    for event in 0..events {
        terminal.draw(|frame| view::view(&app, frame)).unwrap();
        let message = random.message(app.display.size);
        let steers = matches!(&message, Message::Click(..))
            || matches!(&message, Message::Key(key) if matches!(key.code, KeyCode::Enter));
        if is_live(&app) && steers {
            continue;
        }
        sent.push(name(&message));
        if let Message::Resize(width, height) = message {
            terminal.backend_mut().resize(width, height);
        }
        let effect = update(&mut app, message);
        work.perform(effect);
        while let Ok(message) = work.messages.try_recv() {
            let late = matches!(&message, Message::Job(number, _) if *number != work.number);
            if !late {
                let effect = update(&mut app, message);
                work.perform(effect);
            }
        }
        for effect in take_computed(&mut app).unwrap_or_default() {
            work.perform(Some(effect));
        }
        if std::mem::take(&mut app.stop_job) {
            work.stop();
        }
        if let Some(job) = app.begins() {
            work.perform(Some(Effect::Start(job)));
        }
        let moved = follow_gradient_check(&mut app);
        work.perform(moved);
        if app.quit {
            work.stop();
            return event + 1;
        }
    }
    work.stop();
    events
}

/// Sends `events` events to a lesson, over several walkthroughs. The error says what had been sent before a panic.
fn endure(lesson: &'static Lesson, events: usize, seed: u64) -> Result<(), String> {
    let mut random = Random(ChaCha8Rng::seed_from_u64(seed));
    let mut done = 0;
    while done < events {
        let mut sent = Vec::new();
        let part = LIFE.min(events - done);
        let lived = catch_unwind(AssertUnwindSafe(|| {
            live(lesson, part, &mut random, &mut sent)
        }));
        match lived {
            Ok(lived) => done += lived,
            Err(_) => {
                let last = sent.len().saturating_sub(40);
                return Err(format!("{}: after {}", lesson.name, sent[last..].join(" ")));
            }
        }
    }
    Ok(())
}

#[test]
fn no_key_click_or_size_makes_a_lesson_panic() {
    let asked = std::env::var("TRANSFORMER_TUTOR_HANDS").ok();
    let events = asked.and_then(|n| n.parse().ok()).unwrap_or(FEW);
    let lessons: Vec<&'static Lesson> = match std::env::var("TRANSFORMER_TUTOR_LESSON") {
        Ok(name) => vec![curriculum::find(&name).unwrap()],
        Err(_) => LESSONS
            .iter()
            .map(|l| &***l)
            .chain([&**PLAYGROUND])
            .collect(),
    };
    let (next, broken) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(lesson) = lessons.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begun = Instant::now();
            let seed = 2017 + lesson.number as u64;
            if let Err(sentence) = endure(lesson, events, seed) {
                broken.lock().unwrap().push(sentence);
            }
            println!(
                "{}: {events} events in {:.1} s",
                lesson.name,
                begun.elapsed().as_secs_f32()
            );
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let broken = broken.into_inner().unwrap();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
