//! The loop of the walkthrough: waits until something happens, changes the state, draws.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use termprofile::TermProfile;

use super::app::App;
use super::clock::{Clock, Lap};
use super::key::{KeyCode, KeyEvent, KeyModifiers};
use super::terminal::{self, Screen};
use super::update::{Effect, Message, follow_gradient_check, take_computed, update};
use super::work::{AT_ONCE, Work};
use super::{colours, editor, panics, view};
use crate::lesson::exercise::bench::Bench;
use crate::lesson::exercise::workbook::Workbook;
use crate::widgets::code;

/// Wait for input while something runs in the background.
const WORKING: Duration = Duration::from_millis(60);

/// Wait for input otherwise; not endless, because other work may have finished with something to show.
const IDLE: Duration = Duration::from_millis(500);

/// Wait for input while a run or a verdict is being computed.
const COMPUTING: Duration = Duration::from_millis(5);

/// Longest time that a continuous flood of keys may delay the next frame.
const FLOOD: Duration = Duration::from_millis(50);

/// The walkthrough on a terminal.
pub(super) struct EventLoop {
    app: App,
    screen: Screen,
    profile: TermProfile,
    work: Work,
    /// Messages of other threads.
    messages: mpsc::Receiver<Message>,
    clock: Clock,
    /// The time that the page is open.
    lap: Lap,
    /// State of other threads at the last frame.
    drawn: BackgroundState,
    /// True if something has changed since the last frame.
    changed: bool,
}

/// What the screen shows of other threads, which change it without a message.
#[derive(PartialEq)]
struct BackgroundState {
    /// Progress of a run or an answer.
    progress: Option<String>,
    /// Version of the training run.
    version: u64,
    /// Number of sources with coloured code.
    highlighted: usize,
}

impl BackgroundState {
    fn of(app: &App) -> Self {
        Self {
            progress: app.how_far(),
            version: app.live.as_ref().map_or(0, |live| live.version()),
            highlighted: code::finished(),
        }
    }
}

impl EventLoop {
    /// Takes the walkthrough to a terminal with these colours.
    pub(super) fn new(mut app: App, screen: Screen, profile: TermProfile) -> Self {
        let (sender, messages) = mpsc::channel();
        app.display.size = screen.size();
        app.begin_with_picture();
        Self {
            work: Work::new(sender, app.display.still),
            drawn: BackgroundState::of(&app),
            app,
            screen,
            profile,
            messages,
            clock: Clock::start(),
            lap: Lap::start(),
            changed: true,
        }
    }

    /// Runs until the learner quits or a signal ends the program; gives the terminal back.
    pub(super) fn run(mut self) -> anyhow::Result<App> {
        self.draw()?;
        self.changed = false;
        // Compiling the grammars earlier would compete with the first run for the processor.
        thread::spawn(code::warm_up);
        while !self.app.quit && terminal::ended().is_none() {
            self.count();
            if std::mem::take(&mut self.changed) {
                self.draw()?;
            }
            self.handle_input()?;
            self.tick();
            self.take_messages()?;
            self.take_results()?;
            self.changed |= self.drawn != BackgroundState::of(&self.app);
        }
        self.work.stop();
        Ok(self.app)
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let (app, profile) = (&self.app, self.profile);
        self.drawn = BackgroundState::of(app);
        self.screen.draw(|frame| {
            view::view(app, frame);
            app.display.theme.finish(frame.buffer_mut());
            colours::adapt(frame.buffer_mut(), profile);
        })?;
        Ok(())
    }

    /// Time to wait for input.
    fn pause(&mut self) -> Duration {
        let works = self.work.is_busy() || self.app.is_checking_gradient();
        let pause = if self.app.is_computing() {
            COMPUTING
        } else if works || self.app.working().is_some() || self.drawn.highlighted == 0 {
            WORKING
        } else {
            IDLE
        };
        // An animation starts with its first frame and sets its own pace.
        if self.app.playing.is_some() {
            return pause.min(self.clock.left());
        }
        self.clock = Clock::start();
        pause
    }

    /// Handles all pending input before the next frame.
    fn handle_input(&mut self) -> anyhow::Result<()> {
        let pause = self.pause();
        let mut next = self.screen.event(pause)?;
        let begun = Instant::now();
        while let Some(event) = next {
            if let Some(message) = message(event) {
                self.update(message)?;
            }
            next = if self.app.quit || begun.elapsed() > FLOOD {
                None
            } else {
                self.screen.event(Duration::ZERO)?
            };
        }
        Ok(())
    }

    fn update(&mut self, message: Message) -> anyhow::Result<()> {
        self.count();
        self.changed = true;
        let effect = update(&mut self.app, message);
        self.perform(effect)
    }

    /// Counts the time for which the page has been open.
    fn count(&mut self) {
        self.changed |= self.app.pass(self.lap.passed());
    }

    /// Advances the animation.
    fn tick(&mut self) {
        // Draw the first frame of whatever a key has started.
        if self.changed {
            self.clock = Clock::start();
        }
        let frames = self.clock.frames();
        if self.app.playing.is_some() && frames > 0 {
            update(&mut self.app, Message::Tick(frames));
            self.changed = true;
        }
    }

    /// Handles the messages of other threads. Those that arrive at once are drawn in the key's own frame.
    fn take_messages(&mut self) -> anyhow::Result<()> {
        if let Some(sentence) = panics::next_unshown() {
            self.app.notice = Some(sentence);
            self.changed = true;
        }
        let mut first = (self.work.take_request())
            .then(|| self.messages.recv_timeout(AT_ONCE).ok())
            .flatten();
        while let Some(message) = first.take().or_else(|| self.messages.try_recv().ok()) {
            if self.work.is_current(&message) {
                self.update(message)?;
            }
        }
        Ok(())
    }

    /// Takes what other threads have computed, and starts and stops their work as the new state needs it.
    fn take_results(&mut self) -> anyhow::Result<()> {
        if let Some(effects) = take_computed(&mut self.app) {
            for effect in effects {
                self.perform(Some(effect))?;
            }
            self.changed = true;
        }
        if std::mem::take(&mut self.app.stop_job) {
            self.work.stop();
        }
        if let Some(job) = self.app.begins() {
            self.work.start(job);
            self.changed = true;
        }
        // Once its card is closed, however that happened, the check is no longer wanted.
        if !self.app.is_checking_gradient() {
            self.work.stop_gradient_check();
        }
        let moved = follow_gradient_check(&mut self.app);
        self.changed |= moved.is_some();
        self.perform(moved)
    }

    fn perform(&mut self, effect: Option<Effect>) -> anyhow::Result<()> {
        match effect {
            None => {}
            Some(Effect::Start(job)) => self.work.start(job),
            Some(Effect::Stop) => self.work.stop(),
            Some(Effect::CheckGradient(request)) => {
                self.work.stop();
                self.work.check_gradient(*request);
            }
            Some(Effect::Watch) => self.watch(),
            Some(Effect::Editor) => self.edit(),
            Some(Effect::Unwatch) => self.work.bench = None,
            Some(Effect::Copy(text)) => {
                self.screen.copy(&text)?;
                self.app.notice = Some(format!("copied: {text}"));
            }
            Some(Effect::Mouse(ours)) => {
                self.screen.mouse(ours)?;
                let owner = if ours {
                    "the program"
                } else {
                    "the terminal, for selecting text"
                };
                self.app.notice = Some(format!("The mouse now belongs to {owner}; M changes it."));
            }
            Some(Effect::Suspend) => {
                let will_stop = terminal::ask_to_stop();
                if !will_stop {
                    self.app.notice = Some("This system cannot suspend a program.".to_owned());
                }
            }
            Some(Effect::Save) => {
                if let Err(sentence) = self.app.progress.save() {
                    self.app.notice = Some(sentence);
                }
            }
        }
        Ok(())
    }

    /// Checks the open exercise, now and after every save.
    fn watch(&mut self) {
        let Some(exercise) = self.app.open_lesson.as_ref().and_then(|open| open.exercise) else {
            return;
        };
        let sender = self.work.sender();
        let tell = move |event| drop(sender.send(Message::Exercise(exercise, event)));
        // Drop the previous one first, so that two never build at once.
        self.work.bench = None;
        let tier = exercise.tier(&self.app.progress);
        match Workbook::find().and_then(|book| Bench::start(&book, exercise, tier, tell)) {
            Ok(bench) => self.work.bench = Some(bench),
            Err(sentence) => self.app.notice = Some(sentence),
        }
    }

    /// Lends the terminal to the learner's editor, with the file of the open exercise.
    fn edit(&mut self) {
        let Some(exercise) = self.app.open_lesson.as_ref().and_then(|open| open.exercise) else {
            return;
        };
        let edited = Workbook::find().and_then(|book| {
            book.begin(exercise, exercise.tier(&self.app.progress))?;
            let path = book.path(exercise);
            let result = self.screen.lend(|| editor::edit(&path));
            result.map_err(|e| e.to_string()).flatten()
        });
        self.app.display.size = self.screen.size();
        // Check the saved file at once, as happens while the tutor is in the foreground.
        self.watch();
        if let Err(sentence) = edited {
            self.app.notice = Some(sentence);
        }
    }
}

/// Lines that one step of the mouse wheel scrolls.
const WHEEL_LINES: isize = 3;

fn message(event: Event) -> Option<Message> {
    let wheel = |mouse: MouseEvent, lines| Message::Wheel {
        lines,
        column: mouse.column,
        row: mouse.row,
    };
    match event {
        // Some terminals report releases and repeats too.
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(Message::Key(pressed(key)?)),
        Event::Paste(text) => Some(Message::Paste(text)),
        Event::Resize(width, height) => Some(Message::Resize(width, height)),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::ScrollDown => Some(wheel(mouse, WHEEL_LINES)),
            MouseEventKind::ScrollUp => Some(wheel(mouse, -WHEEL_LINES)),
            MouseEventKind::Down(MouseButton::Left) => {
                Some(Message::Click(mouse.column, mouse.row))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The key as `update` gets it; `None` for keys that it does not know.
fn pressed(key: crossterm::event::KeyEvent) -> Option<KeyEvent> {
    use crossterm::event::{KeyCode as Terminal, KeyModifiers as Held};
    // As in a shell, Alt and Backspace delete a word.
    if key.code == Terminal::Backspace && key.modifiers.contains(Held::ALT) {
        return Some(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL));
    }
    let code = match key.code {
        Terminal::Backspace => KeyCode::Backspace,
        Terminal::Enter => KeyCode::Enter,
        Terminal::Left => KeyCode::Left,
        Terminal::Right => KeyCode::Right,
        Terminal::Up => KeyCode::Up,
        Terminal::Down => KeyCode::Down,
        Terminal::Home => KeyCode::Home,
        Terminal::End => KeyCode::End,
        Terminal::PageUp => KeyCode::PageUp,
        Terminal::PageDown => KeyCode::PageDown,
        Terminal::Tab => KeyCode::Tab,
        Terminal::BackTab => KeyCode::BackTab,
        Terminal::Delete => KeyCode::Delete,
        Terminal::Insert => KeyCode::Insert,
        Terminal::Esc => KeyCode::Esc,
        Terminal::F(number) => KeyCode::F(number),
        Terminal::Char(letter) => KeyCode::Char(letter),
        _ => return None,
    };
    let held = |modifier| key.modifiers.contains(modifier);
    let modifiers = KeyModifiers::new(held(Held::SHIFT), held(Held::CONTROL));
    Some(KeyEvent::new(code, modifiers))
}
