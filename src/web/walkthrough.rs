//! The walkthrough on a page: what the event loop of the terminal does, for one question at a time.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tutor_views::clock::Instant;
use tutor_views::curriculum;
use tutor_views::lesson::picture::{Job, Progress as Drawing};
use tutor_views::lesson::progress::Progress;
use tutor_views::screen::app::App;
use tutor_views::screen::clock::{Clock, FRAME, Lap};
use tutor_views::screen::key::{KeyCode, KeyEvent, KeyModifiers};
use tutor_views::screen::layout::drawn_size;
use tutor_views::screen::update::{Effect, Message, follow_gradient_check, take_computed, update};
use tutor_views::screen::view;
use tutor_views::widgets::lines::text;
use tutor_views::widgets::svg::svg;
use tutor_views::widgets::theme::Theme;

use super::{Ask, Reply, page};

/// How often a long computation shows how far it is.
const SHOWN_EVERY: Duration = Duration::from_millis(100);

/// The course on a page.
pub struct Walkthrough {
    app: App,
    clock: Clock,
    /// The time that the page is open.
    lap: Lap,
    /// Drawings of an experiment that has run, which are still to be shown, and its number.
    drawings: (usize, VecDeque<Drawing>),
    /// The progress that the page keeps.
    kept: String,
}

impl Walkthrough {
    /// The course in a lesson and on a page of it, or at the beginning. `Err` says what there is not.
    pub fn begin(
        lesson: Option<&str>,
        page: Option<usize>,
        size: (u16, u16),
        dark: bool,
        progress: &str,
    ) -> Result<Self, String> {
        let theme = Theme::by_name(if dark { "dark" } else { "light" });
        let theme = theme.ok_or("there is no such theme")?;
        let lesson = lesson.map(curriculum::find).transpose()?;
        let known = Progress::from_text(progress);
        let begins = lesson.is_none() && known.last().is_none();
        let mut app = App::new(lesson, theme, known, None);
        if begins {
            app.open_step(0, None);
        }
        app.display.size = drawn_size(size);
        app.display.still = false;
        if let Some(page) = page {
            app.turn_to(page.saturating_sub(1));
            // Whoever comes back to the page of the core path that was open last follows that.
            app.follow_core();
        }
        app.begin_with_picture();
        Ok(Self {
            app,
            clock: Clock::start(),
            lap: Lap::start(),
            drawings: Default::default(),
            kept: progress.to_owned(),
        })
    }

    /// Answers everything but [`Ask::Begin`] and [`Ask::Figure`].
    pub fn answer(&mut self, ask: Ask) -> Reply {
        let message = match ask {
            Ask::Begin { .. } | Ask::Figure { .. } => return self.settle(),
            Ask::Text => {
                return Reply {
                    text: Some(text(&self.drawn())),
                    ..self.reply()
                };
            }
            Ask::Tick => {
                self.next_drawing();
                Some(Message::Tick(self.clock.frames().max(1)))
            }
            Ask::Key {
                key,
                shift,
                control,
            } => pressed(&key, KeyModifiers::new(shift, control)).map(Message::Key),
            Ask::Paste(text) => Some(Message::Paste(text)),
            Ask::Click(column, row) => Some(Message::Click(column, row)),
            Ask::Wheel { lines, column, row } => Some(Message::Wheel { lines, column, row }),
            Ask::Resize(columns, rows) => {
                let (columns, rows) = drawn_size((columns, rows));
                Some(Message::Resize(columns, rows))
            }
        };
        self.app.pass(self.lap.passed());
        let mut reply = Reply::default();
        if let Some(message) = message {
            let effect = update(&mut self.app, message);
            self.perform(effect, &mut reply);
        }
        self.settled(reply)
    }

    /// The screen after everything that is computed at once.
    pub fn settle(&mut self) -> Reply {
        self.settled(Reply::default())
    }

    fn settled(&mut self, mut reply: Reply) -> Reply {
        while let Some(effects) = take_computed(&mut self.app) {
            for effect in effects {
                self.perform(Some(effect), &mut reply);
            }
        }
        if std::mem::take(&mut self.app.stop_job) {
            self.drawings.1.clear();
        }
        if let Some(job) = self.app.begins() {
            self.run(&job);
        }
        let moved = follow_gradient_check(&mut self.app);
        self.perform(moved, &mut reply);
        // A page can be closed at any time, so what has changed is kept at once.
        let progress = self.app.progress.text().ok();
        reply.progress = progress.filter(|text| *text != self.kept);
        if let Some(text) = &reply.progress {
            self.kept.clone_from(text);
        }
        let shown = self.reply();
        Reply {
            copy: reply.copy,
            progress: reply.progress,
            ..shown
        }
    }

    fn perform(&mut self, effect: Option<Effect>, reply: &mut Reply) {
        let needs_the_program =
            |what: &str, command: &str| Some(format!("{what} needs the program: {command}"));
        match effect {
            None | Some(Effect::Mouse(_) | Effect::Unwatch | Effect::Suspend | Effect::Save) => {}
            Some(Effect::Start(job)) => self.run(&job),
            Some(Effect::Stop) => self.drawings.1.clear(),
            Some(Effect::CheckGradient(request)) => {
                let end = request.answer(&mut |_| ControlFlow::Continue(()));
                let effect = update(&mut self.app, Message::GradientCheck(Box::new(end)));
                self.perform(effect, reply);
            }
            Some(Effect::Watch | Effect::Editor) => {
                let open = self.app.open_lesson.as_ref();
                let name = open.and_then(|open| Some(open.exercise?.name));
                let command = format!("cargo run -- exercise start {}", name.unwrap_or_default());
                self.app.notice = needs_the_program("An exercise", &command);
            }
            Some(Effect::Copy(text)) => {
                self.app.notice = Some(format!("copied: {text}"));
                reply.copy = Some(text);
            }
        }
    }

    /// Runs an experiment. One that moves by itself is shown drawing by drawing afterwards; another shows how far it is
    /// while it runs.
    fn run(&mut self, job: &Job) {
        let number = self.drawings.0 + 1;
        self.drawings = (number, Default::default());
        if !job.pace.is_zero() {
            let drawings = &mut self.drawings.1;
            let end = (job.run)(&mut |drawing| {
                drawings.push_back(drawing);
                ControlFlow::Continue(())
            });
            drawings.push_back(end);
            return self.next_drawing();
        }
        let mut shown = Instant::now();
        let end = (job.run)(&mut |drawing| {
            update(&mut self.app, Message::Job(number, Box::new(drawing)));
            if shown.elapsed() > SHOWN_EVERY {
                page::show(&self.reply());
                shown = Instant::now();
            }
            ControlFlow::Continue(())
        });
        update(&mut self.app, Message::Job(number, Box::new(end)));
    }

    fn next_drawing(&mut self) {
        if let Some(drawing) = self.drawings.1.pop_front() {
            update(
                &mut self.app,
                Message::Job(self.drawings.0, Box::new(drawing)),
            );
        }
    }

    fn drawn(&self) -> Buffer {
        let (width, height) = self.app.display.size;
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        view::draw(&self.app, area, &mut buf);
        self.app.display.theme.finish(&mut buf);
        buf
    }

    fn reply(&self) -> Reply {
        let open = self.app.open_lesson.as_ref();
        let title = open.map_or("transformer-tutor", |open| open.walk.lesson().title);
        let moves = self.app.playing.is_some() || !self.drawings.1.is_empty();
        Reply {
            svg: Some(svg(
                &self.drawn(),
                title,
                "",
                self.app.display.theme.is_dark(),
            )),
            title: title.to_owned(),
            place: open.map(|open| (open.walk.lesson().name, open.walk.page + 1)),
            tick: moves.then_some(FRAME.as_millis() as u64),
            ..Reply::default()
        }
    }
}

/// The key that browsers call `name`; `None` if the course does not know it.
fn pressed(name: &str, modifiers: KeyModifiers) -> Option<KeyEvent> {
    let mut letters = name.chars();
    let code = match (name, letters.next(), letters.next()) {
        ("Enter", ..) => KeyCode::Enter,
        ("Escape", ..) => KeyCode::Esc,
        ("Tab", ..) if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        ("Tab", ..) => KeyCode::Tab,
        ("Backspace", ..) => KeyCode::Backspace,
        ("Delete", ..) => KeyCode::Delete,
        ("ArrowLeft", ..) => KeyCode::Left,
        ("ArrowRight", ..) => KeyCode::Right,
        ("ArrowUp", ..) => KeyCode::Up,
        ("ArrowDown", ..) => KeyCode::Down,
        ("Home", ..) => KeyCode::Home,
        ("End", ..) => KeyCode::End,
        ("PageUp", ..) => KeyCode::PageUp,
        ("PageDown", ..) => KeyCode::PageDown,
        (_, Some(letter), None) => KeyCode::Char(letter),
        _ => return None,
    };
    Some(KeyEvent::new(code, modifiers))
}
