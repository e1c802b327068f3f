//! Scripted walks through every page of every lesson, timed from each key to its frame.
//!
//! As in the program, a key waits 10 ms for a run and is then drawn without it; the run is drawn when it is done.

use std::thread::sleep;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{TerminalOptions, Viewport};
use transformer_tutor::curriculum::LESSONS;
use transformer_tutor::lesson::Lesson;
use transformer_tutor::lesson::progress::Progress;
use transformer_tutor::tui::app::App;
use transformer_tutor::tui::key::{KeyCode, KeyEvent, KeyModifiers};
use transformer_tutor::tui::update::{Message, take_computed, update};
use transformer_tutor::tui::view;
use transformer_tutor::widgets::code;
use transformer_tutor::widgets::theme::Theme;

use super::{pressed, spread};

/// How long the screen waits for a run before it draws without it.
const PATIENCE: Duration = Duration::from_millis(10);

/// How long the bench waits for a run before Esc cancels it.
const LONGEST: Duration = Duration::from_secs(20);

/// Keys that only move: the text, the cursor on the stage, its slices, steps and pictures, the pane, the zoom, the
/// whole screen.
const MOVES: [KeyCode; 26] = [
    KeyCode::Down,
    KeyCode::Down,
    KeyCode::Up,
    KeyCode::Tab,
    KeyCode::Right,
    KeyCode::Down,
    KeyCode::Right,
    KeyCode::Left,
    KeyCode::Up,
    KeyCode::Char('>'),
    KeyCode::Char('<'),
    KeyCode::Char('#'),
    KeyCode::Char('#'),
    KeyCode::Char('Z'),
    KeyCode::Right,
    KeyCode::Char('Z'),
    KeyCode::Char('i'),
    KeyCode::Right,
    KeyCode::Char('0'),
    KeyCode::Char(' '),
    KeyCode::Char('B'),
    KeyCode::Enter,
    KeyCode::Backspace,
    KeyCode::Esc,
    KeyCode::Tab,
    KeyCode::Tab,
];

/// Keys that trigger a new run: knobs, switches, gradients. A repeated or opposite key undoes the one before.
const RUNS: [char; 7] = [']', '[', '1', '1', '2', '2', 'b'];

/// The times measured at one screen size.
#[derive(Default)]
struct Times {
    moves: Vec<Duration>,
    turns: Vec<Duration>,
    runs: Vec<Duration>,
    /// From the key to the frame that shows its run, if that came after the key's own frame.
    late: Vec<Duration>,
    /// The slowest move, with its lesson.
    worst: (Duration, String),
}

/// Walks through all lessons at both sizes and prints the times.
pub fn measure() {
    // In the program, the highlighter has loaded before a learner has read a page.
    code::warm_up();
    for size in [(120, 40), (80, 24)] {
        let mut times = Times::default();
        for lesson in LESSONS {
            walk(lesson, size, &mut times);
        }
        let (w, h) = size;
        println!(
            "key to frame at {w}×{h}, a move     {}",
            spread(times.moves)
        );
        println!(
            "key to frame at {w}×{h}, a page     {}",
            spread(times.turns)
        );
        println!("key to frame at {w}×{h}, a run      {}", spread(times.runs));
        println!("key to a late run at {w}×{h}        {}", spread(times.late));
        println!("the slowest move at {w}×{h}: {}", times.worst.1);
    }
}

fn walk(lesson: &'static Lesson, size: (u16, u16), times: &mut Times) {
    let mut app = App::new(None, Theme::true_dark(), Progress::default(), None);
    app.waiting.patience = Some(PATIENCE);
    app.display.size = size;
    app.display.still = false;
    app.open(lesson);
    let viewport = Viewport::Fixed(Rect::new(0, 0, size.0, size.1));
    let backend = CrosstermBackend::new(std::io::sink());
    let mut terminal = Terminal::with_options(backend, TerminalOptions { viewport })
        .expect("a sink takes everything");
    let mut press = |app: &mut App, code: KeyCode| {
        let start = Instant::now();
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        update(app, Message::Key(key));
        let mut draw = |app: &App| {
            let drawn = terminal.draw(|frame| view::view(app, frame));
            drawn.expect("a sink takes everything");
        };
        draw(app);
        let answered = start.elapsed();
        let mut late = None;
        while app.is_computing() {
            sleep(Duration::from_micros(200));
            if take_computed(app).is_some() {
                draw(app);
                late = Some(start.elapsed());
            }
            if start.elapsed() > LONGEST {
                update(app, pressed('\u{1b}'));
            }
        }
        (answered, late)
    };
    let pages = app
        .open_lesson
        .as_ref()
        .map_or(0, |open| open.walk.pages.len());
    for page in 0..pages {
        for code in MOVES {
            let (answered, _) = press(&mut app, code);
            if answered > times.worst.0 {
                let message = format!(
                    "{:.2} ms, {code:?} on page {} of {}",
                    super::ms(answered),
                    page + 1,
                    lesson.name
                );
                times.worst = (answered, message);
            }
            times.moves.push(answered);
        }
        // In lesson 20 each of these trains for seconds.
        let runs: &[char] = if lesson.name == "training" {
            &[]
        } else {
            &RUNS
        };
        for key in runs {
            let (answered, late) = press(&mut app, KeyCode::Char(*key));
            times.runs.push(answered);
            times.late.extend(late);
        }
        press(&mut app, KeyCode::Char('b'));
        // The rest of the text, then the next page.
        for _ in 0..40 {
            let (answered, late) = press(&mut app, KeyCode::Char('n'));
            times.turns.push(answered);
            times.late.extend(late);
            let at = app.open_lesson.as_ref().map(|open| open.walk.page);
            if at != Some(page) {
                break;
            }
            // An unanswered question keeps the page from turning.
            if app.overlay.is_some() {
                press(&mut app, KeyCode::Esc);
            }
        }
        if let Some(open) = &app.open_lesson
            && open.walk.page == page
            && page + 1 < pages
        {
            app.turn_to(page + 1);
        }
    }
}
