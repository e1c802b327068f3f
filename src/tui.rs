//! Full-screen walkthrough: a message arrives, `update` changes the state, `view` draws it.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyEventKind, MouseButton, MouseEventKind};

use crate::curriculum::LESSONS;
use crate::lesson::Lesson;
use crate::lesson::exercise::bench::Bench;
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::picture::{Job, Progress as JobProgress};
use crate::lesson::progress::Progress;
use crate::lesson::session::differences::{Differences, Question};
use crate::tensor::threads::{Cancelled, Token};
use crate::widgets::code;

pub mod app;
pub mod clock;
pub mod colours;
pub mod command;
mod editor;
pub mod entries;
pub mod film;
pub mod find;
pub mod gallery;
pub mod input;
pub mod layout;
pub mod line;
pub mod overlay;
mod panics;
pub mod pointer;
pub mod terminal;
pub mod update;
pub mod view;

use app::App;
use clock::Clock;
use update::{Effect, Message, moved_slope, take_computed, update};

/// Wait for input while something runs in the background.
const WORKING: Duration = Duration::from_millis(60);

/// Wait for input otherwise; not endless, because other work may have finished with something to show.
const IDLE: Duration = Duration::from_millis(500);

/// Longest time that a continuous flood of keys may delay the next frame.
const FLOOD: Duration = Duration::from_millis(50);

/// Longest time that a key's frame waits for results computed on other threads.
const AT_ONCE: Duration = Duration::from_millis(12);

/// Longest time that a key waits for a run of the stage; a slower run is shown when it finishes.
const PATIENCE: Duration = Duration::from_millis(10);

/// Time at the start during which nothing is shown while a lesson's first run is computed; then the list appears.
const FIRST: Duration = Duration::from_millis(100);

/// Wait for input while a run or a verdict is being computed.
const COMPUTING: Duration = Duration::from_millis(5);

/// Look of the screen.
pub struct Look<'a> {
    /// Name of the theme, or `auto`.
    pub theme: &'a str,
    /// True if only ASCII may be drawn.
    pub ascii: bool,
    /// True to disable animations.
    pub still: bool,
}

/// Runs the walkthrough on the terminal, starting in `lesson` with these knobs set, until the learner quits.
pub fn run(
    lesson: Option<&'static Lesson>,
    knobs: &[(&str, String)],
    look: &Look<'_>,
) -> anyhow::Result<()> {
    thread::spawn(code::warm_up);
    let profile = colours::profile(&std::io::stdout());
    let mut theme = colours::theme(look.theme, profile)?;
    if look.ascii {
        theme = theme.in_ascii();
    }
    let (progress, notice) = Progress::load();
    let mut app = App::new(None, theme, progress, notice);
    app.patience = Some(PATIENCE);
    app.still = look.still;
    // On the first visit, show a sentence being translated instead of a list.
    let first = app.progress.last().is_none().then(|| &**LESSONS[0]);
    if let Some(lesson) = lesson.or(first) {
        // Knobs can be set only in an open lesson.
        app.open_at(lesson, None, knobs.is_empty().then_some(FIRST));
    }
    if let Some(room) = &mut app.room {
        for (knob, value) in knobs {
            app.notice = room
                .walk
                .session
                .set(knob, value)
                .err()
                .or(app.notice.take());
        }
    }
    // From here on, the terminal is restored before a panic message is printed.
    panics::catch();
    let mut screen = terminal::Screen::take()?;
    let (sender, messages) = mpsc::channel();
    let mut work = Work {
        sender,
        running: None,
        number: 0,
        slope: Token::default(),
        asked: false,
        bench: None,
        still: look.still,
    };
    app.size = screen.size();
    let mut highlighted = code::finished();
    let mut drawn = 0;
    // Progress of a run or an answer that was last shown.
    let mut said = None;
    let mut draw = true;
    let mut clock = Clock::start();
    while !app.quit && terminal::ended().is_none() {
        if draw {
            screen.draw(|frame| {
                view::view(&app, frame);
                app.theme.finish(frame.buffer_mut());
                colours::adapt(frame.buffer_mut(), profile);
            })?;
        }
        draw = false;
        let lives = app.working().is_some();
        let working = work.running.is_some() || work.bench.is_some() || app.waits_for_slope();
        let busy = working || highlighted == 0 || lives;
        let pause = match (app.is_computing(), busy) {
            (true, _) => COMPUTING,
            (_, true) => WORKING,
            _ => IDLE,
        };
        // An animation starts with its first frame and sets its own pace.
        let pause = match app.playing {
            Some(_) => pause.min(clock.left()),
            None => {
                clock = Clock::start();
                pause
            }
        };
        // Handle all pending input before the next frame.
        let mut next = screen.event(pause)?;
        let begun = Instant::now();
        while let Some(event) = next {
            if let Some(message) = message(event) {
                let effect = update(&mut app, message);
                perform(effect, &mut app, &mut screen, &mut work)?;
                draw = true;
            }
            next = if app.quit || begun.elapsed() > FLOOD {
                None
            } else {
                screen.event(Duration::ZERO)?
            };
        }
        // Draw the first frame of whatever a key has started.
        if draw {
            clock = Clock::start();
        }
        let frames = clock.frames();
        if app.playing.is_some() && frames > 0 {
            update(&mut app, Message::Tick(frames));
            draw = true;
        }
        if let Some(sentence) = panics::untold() {
            app.notice = Some(sentence);
            draw = true;
        }
        // Results that arrive at once are drawn in the key's own frame.
        let mut first = std::mem::take(&mut work.asked)
            .then(|| messages.recv_timeout(AT_ONCE).ok())
            .flatten();
        while let Some(message) = first.take().or_else(|| messages.try_recv().ok()) {
            // Drop messages of an experiment that was stopped.
            if matches!(&message, Message::Job(number, _) | Message::JobBroke(number) if *number != work.number)
            {
                continue;
            }
            let ends = match &message {
                Message::Job(_, progress) => progress.done >= 1.0,
                Message::JobBroke(_) => true,
                _ => false,
            };
            if ends {
                work.running = None;
            }
            let effect = update(&mut app, message);
            perform(effect, &mut app, &mut screen, &mut work)?;
            draw = true;
        }
        if let Some(effects) = take_computed(&mut app) {
            for effect in effects {
                perform(Some(effect), &mut app, &mut screen, &mut work)?;
            }
            draw = true;
        }
        if std::mem::take(&mut app.left) {
            work.stop();
        }
        if let Some(job) = app.begins() {
            work.start(job);
            draw = true;
        }
        // Once its card is closed, however that happened, the slope is no longer wanted.
        if !app.waits_for_slope() {
            work.forget_slope();
        }
        let far = app.how_far();
        if far != said {
            said = far;
            draw = true;
        }
        let moved = moved_slope(&mut app);
        draw |= moved.is_some();
        perform(moved, &mut app, &mut screen, &mut work)?;
        let version = app.live.as_ref().map_or(0, |live| live.version());
        if version != drawn {
            drawn = version;
            draw = true;
        }
        if code::finished() != highlighted {
            highlighted = code::finished();
            draw = true;
        }
    }
    work.stop();
    drop(screen);
    let saved = app.progress.save();
    if let Some(signal) = terminal::ended() {
        terminal::die(signal);
    }
    let mut trouble = panics::all();
    trouble.extend(saved.err());
    anyhow::ensure!(trouble.is_empty(), "{}", trouble.join("\n"));
    Ok(())
}

fn message(event: Event) -> Option<Message> {
    match event {
        // Some terminals report releases and repeats too.
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(Message::Key(key)),
        Event::Paste(text) => Some(Message::Paste(text)),
        Event::Resize(width, height) => Some(Message::Resize(width, height)),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::ScrollDown => Some(Message::Wheel(3, mouse.column, mouse.row)),
            MouseEventKind::ScrollUp => Some(Message::Wheel(-3, mouse.column, mouse.row)),
            MouseEventKind::Down(MouseButton::Left) => {
                Some(Message::Click(mouse.column, mouse.row))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Background work.
struct Work {
    sender: mpsc::Sender<Message>,
    /// Cancels the running experiment.
    running: Option<Token>,
    number: usize,
    /// Cancels the slope being computed.
    slope: Token,
    /// Whether a slope was requested since the last frame.
    asked: bool,
    bench: Option<Bench>,
    /// True if animated drawings show only their final state.
    still: bool,
}

impl Work {
    fn start(&mut self, job: Job) {
        self.stop();
        let wanted = Token::default();
        self.running = Some(wanted.clone());
        let (number, sender) = (self.number, self.sender.clone());
        let only_end = self.still && !job.pace.is_zero();
        thread::spawn(move || {
            let mut report = |progress: JobProgress| {
                if only_end && progress.done < 1.0 {
                    return ControlFlow::Continue(());
                }
                match sender.send(Message::Job(number, Box::new(progress))) {
                    Ok(()) => {
                        thread::sleep(job.pace);
                        ControlFlow::Continue(())
                    }
                    Err(_) => ControlFlow::Break(()),
                }
            };
            let run = || wanted.run(|| (job.run)(&mut report));
            match catch_unwind(AssertUnwindSafe(run)) {
                Ok(Ok(end)) => drop(report(end)),
                Ok(Err(Cancelled)) => {}
                // The panic was recorded by the hook and is shown from there.
                Err(_) => drop(sender.send(Message::JobBroke(number))),
            }
        });
    }

    /// Computes a slope, cancelling the previous one.
    fn slope(&mut self, question: Question) {
        /// Held while a slope is computed: as the cursor moves, they are computed one at a time, skipping to the
        /// latest.
        static ONE: Mutex<()> = Mutex::new(());
        self.forget_slope();
        let wanted = Token::default();
        self.slope = wanted.clone();
        self.asked = true;
        let sender = self.sender.clone();
        thread::spawn(move || {
            let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
            let begun = Instant::now();
            let mut tell = |found: &Differences| {
                // A list that finishes quickly is not shown growing.
                if found.done || begun.elapsed() > AT_ONCE {
                    let _ = sender.send(Message::Slope(Box::new(found.clone())));
                }
                ControlFlow::Continue(())
            };
            let run = || {
                // Being cancelled counts as being done.
                wanted.run(|| {
                    let end = question.answer(&mut tell);
                    let _ = tell(&end);
                })
            };
            if catch_unwind(AssertUnwindSafe(run)).is_err() {
                let _ = sender.send(Message::SlopeBroke);
            }
        });
    }

    fn forget_slope(&self) {
        self.slope.cancel();
    }

    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.cancel();
        }
        self.number += 1;
    }
}

fn perform(
    effect: Option<Effect>,
    app: &mut App,
    screen: &mut terminal::Screen,
    work: &mut Work,
) -> anyhow::Result<()> {
    match effect {
        None => {}
        Some(Effect::Start(job)) => work.start(job),
        Some(Effect::Stop) => work.stop(),
        Some(Effect::Slope(question)) => {
            work.stop();
            work.slope(*question);
        }
        Some(Effect::Watch) => {
            let Some(room) = &app.room else { return Ok(()) };
            let Some(exercise) = room.exercise else {
                return Ok(());
            };
            let sender = work.sender.clone();
            let tell = move |event| drop(sender.send(Message::Exercise(exercise, event)));
            // Drop the previous one first, so that two never build at once.
            work.bench = None;
            match Workbook::find().and_then(|book| Bench::start(&book, exercise, tell)) {
                Ok(bench) => work.bench = Some(bench),
                Err(sentence) => app.notice = Some(sentence),
            }
        }
        Some(Effect::Editor) => {
            let Some(room) = &app.room else { return Ok(()) };
            let Some(exercise) = room.exercise else {
                return Ok(());
            };
            let edited = Workbook::find().and_then(|book| {
                book.begin(exercise)?;
                let path = book.path(exercise);
                let said = screen.lend(|| editor::edit(&path));
                said.map_err(|e| e.to_string()).flatten()
            });
            app.size = screen.size();
            // Check the saved file at once, as happens while the tutor is in the foreground.
            perform(Some(Effect::Watch), app, screen, work)?;
            if let Err(sentence) = edited {
                app.notice = Some(sentence);
            }
        }
        Some(Effect::Unwatch) => work.bench = None,
        Some(Effect::Copy(text)) => {
            screen.copy(&text)?;
            app.notice = Some(format!("copied: {text}"));
        }
        Some(Effect::Mouse(ours)) => {
            screen.mouse(ours)?;
            let word = if ours {
                "the program"
            } else {
                "the terminal, for selecting text"
            };
            app.notice = Some(format!("The mouse now belongs to {word}; M changes it."));
        }
        Some(Effect::Suspend) => {
            let will_stop = terminal::ask_to_stop();
            if !will_stop {
                app.notice = Some("This system cannot suspend a program.".to_owned());
            }
        }
        Some(Effect::Save) => {
            if let Err(sentence) = app.progress.save() {
                app.notice = Some(sentence);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::theme::Theme;

    #[test]
    fn in_ascii_every_page_of_a_lesson_is_drawn_in_ascii_and_the_letters_of_its_words() {
        use ratatui::buffer::Buffer;
        use ratatui::layout::Rect;

        let lesson = crate::curriculum::find("attention").unwrap();
        let theme = Theme::mono().in_ascii();
        let mut app = App::new(Some(lesson), theme, Progress::default(), None);
        app.size = (120, 40);
        let pages = app.room.as_ref().map_or(0, |room| room.walk.pages.len());
        for page in 0..pages {
            app.turn_to(page);
            let mut buf = Buffer::empty(Rect::new(0, 0, 120, 40));
            view::draw(&app, buf.area, &mut buf);
            app.theme.finish(&mut buf);
            for cell in &buf.content {
                let letters = cell.symbol().chars();
                let strange: String = letters
                    .filter(|c| !c.is_ascii() && !c.is_alphabetic())
                    .collect();
                assert_eq!(strange, "", "page {page}");
            }
        }
    }
}
