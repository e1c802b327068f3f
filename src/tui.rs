//! Full-screen walkthrough: a message arrives, `update` changes the state, `view` draws it.

use std::time::Duration;

use crate::lesson::Lesson;
use crate::lesson::progress::Progress;
use crate::widgets::theme::Theme;

pub mod colours;
mod editor;
mod event_loop;
pub mod input;
mod panics;
pub mod terminal;
mod work;

/// The walkthrough without its terminal, which is a separate package.
pub use tutor_views::screen::{
    app, clock, entries, find, gallery, key, layout, line, overlay, pointer, recording, update,
    view,
};

use app::App;
use event_loop::EventLoop;

/// Longest time that a key waits for a run of the stage; a slower run is shown when it finishes.
const PATIENCE: Duration = Duration::from_millis(10);

/// Time at the start during which nothing is shown while a lesson's first run is computed; then the list appears.
const FIRST: Duration = Duration::from_millis(70);

/// Look of the screen.
pub struct Appearance<'a> {
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
    look: &Appearance<'_>,
) -> anyhow::Result<()> {
    let profile = colours::profile(&std::io::stdout());
    let mut theme = colours::theme(look.theme, profile)?;
    if look.ascii {
        theme = theme.in_ascii();
    }
    let app = started(lesson, knobs, theme, look.still);
    // From here on, the terminal is restored before a panic message is printed.
    panics::catch();
    let screen = terminal::Screen::take()?;
    let mut app = EventLoop::new(app, screen, profile).run()?;
    let saved = app.progress.save();
    if let Some(signal) = terminal::ended() {
        terminal::die(signal);
    }
    let mut trouble = panics::messages();
    trouble.extend(saved.err());
    anyhow::ensure!(trouble.is_empty(), "{}", trouble.join("\n"));
    Ok(())
}

/// The walkthrough with the learner's progress, in `lesson` with these knobs set. On the first visit, it shows a
/// sentence being translated instead of the list of lessons.
fn started(
    lesson: Option<&'static Lesson>,
    knobs: &[(&str, String)],
    theme: Theme,
    still: bool,
) -> App {
    let (progress, notice) = Progress::load();
    let mut app = App::new(None, theme, progress, notice);
    app.waiting.patience = Some(PATIENCE);
    app.display.still = still;
    // Knobs can be set only in an open lesson.
    let wait = knobs.is_empty().then_some(FIRST);
    match lesson {
        Some(lesson) => app.open_at(lesson, None, wait),
        None if app.progress.last().is_none() => app.open_step(0, wait),
        None => {}
    }
    if let Some(room) = &mut app.open_lesson {
        for (knob, value) in knobs {
            let refused = room.walk.session.set(knob, value).err();
            app.notice = refused.or(app.notice.take());
        }
    }
    app
}
