//! State changes caused by input. Nothing here draws.

use std::time::Duration;

use crossterm::event::KeyEvent;

use super::app::{App, Choice, Overlay, Pane, TermCard};
use super::command::{self, Action};
use super::layout::Tier;
use super::line::Typed;
use crate::curriculum::{self, LESSONS};
use crate::lesson::chart::Turn;
use crate::lesson::exercise::bench::Event;
use crate::lesson::mine;
use crate::lesson::picture::Steer;
use crate::lesson::picture::{Job, Progress as JobProgress};
use crate::lesson::session::differences::{Differences, Question};
use crate::lesson::{Body, Exercise};

mod answers;
mod card;
mod exercise;
mod explain;
mod find;
mod keys;
mod leave;
mod list;
mod mouse;
mod run;
mod stage;

pub use card::term_card;
pub use find::{cell_of, reproduce};
pub use keys::{event_of, key_name};
pub use stage::moved_slope;

use answers::judged;
use find::show_source;
use keys::{typed, waits};
use leave::{back, close, page};
use stage::{ask_slope, on_chart, on_stage, steer, turn_chart};

/// Input to `update`.
pub enum Message {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The mouse wheel scrolled by this many lines, at a column and row.
    Wheel(isize, u16, u16),
    /// The left mouse button was pressed at a column and row.
    Click(u16, u16),
    /// The screen now has this many columns and rows.
    Resize(u16, u16),
    /// This many frames of an animation have passed.
    Tick(usize),
    /// The experiment with this number sent a drawing.
    Job(usize, Box<JobProgress>),
    /// The experiment with this number panicked, which is reported elsewhere.
    JobBroke(usize),
    /// A slope's computation has progressed.
    Slope(Box<Differences>),
    /// The slope's computation panicked, which is reported elsewhere.
    SlopeBroke,
    /// Progress or result from the workbench of this exercise.
    Exercise(&'static Exercise, Event),
}

/// Side effect that `update` requests.
pub enum Effect {
    /// Start an experiment.
    Start(Job),
    /// Stop the running experiment.
    Stop,
    /// Compute a slope by finite differences, replacing the previous one.
    Slope(Box<Question>),
    /// Check and watch the exercise of the open lesson, replacing the previous one.
    Watch,
    /// Stop checking and watching any exercise.
    Unwatch,
    /// Put this on the clipboard.
    Copy(String),
    /// Capture the mouse (`true`) or leave it to the terminal.
    Mouse(bool),
    /// Save the learner's progress.
    Save,
    /// Suspend the program until the shell continues it.
    Suspend,
    /// Open the exercise of the open lesson in the learner's editor, and wait until it exits.
    Editor,
}

/// Applies a message to the state; returns the side effect that it requests, if any.
pub fn update(app: &mut App, message: Message) -> Option<Effect> {
    // Any input from the learner ends an animation, and is then handled as usual.
    let hands = matches!(
        message,
        Message::Key(_) | Message::Paste(_) | Message::Wheel(..) | Message::Click(..)
    );
    if hands {
        app.playing = None;
    }
    match message {
        Message::Tick(frames) => {
            app.playing = (app.playing.take()).and_then(|playing| playing.ticked(frames));
            None
        }
        Message::Key(key) => {
            app.notice = None;
            let name = key_name(key);
            if waits(app, &name) {
                app.queued.push_back(key);
                return None;
            }
            // A second Ctrl-C ends the program without asking.
            if name == "ctrl-c" && matches!(app.overlay, Some(Overlay::Leave)) {
                app.quit = true;
                return Some(Effect::Save);
            }
            if name == "ctrl-c" {
                return act(app, Action::Quit);
            }
            if name == "ctrl-z" {
                return act(app, Action::Suspend);
            }
            typed(app, &name, key)
        }
        Message::Paste(text) => {
            match &mut app.overlay {
                Some(Overlay::Sentence(typed)) => typed.insert(&text),
                Some(Overlay::Explain(explain)) => explain::paste(explain, &text),
                _ => {}
            }
            if let Some(Overlay::Palette(c) | Overlay::Search(c) | Overlay::Terms(c)) =
                &mut app.overlay
            {
                c.typed
                    .push_str(&crate::typeset::sanitize::clean(&text).replace('\n', " "));
            }
            None
        }
        Message::Wheel(lines, column, row) => {
            mouse::wheel(app, lines, column, row);
            None
        }
        Message::Click(column, row) => {
            app.notice = None;
            mouse::click(app, column, row)
        }
        Message::Resize(width, height) => {
            app.size = (width, height);
            None
        }
        Message::Job(number, progress) => {
            if let Some(room) = &mut app.room {
                match progress.run.clone() {
                    // From now on, the stage shows the run itself.
                    Some(run) => {
                        room.walk.session.adopt_run(run);
                        room.job = None;
                    }
                    None => room.job = Some((number, *progress)),
                }
            }
            None
        }
        Message::JobBroke(_) => {
            if let Some(room) = &mut app.room {
                room.job = None;
            }
            None
        }
        Message::SlopeBroke => {
            if matches!(app.overlay, Some(Overlay::Slope(..))) {
                app.overlay = None;
            }
            None
        }
        Message::Slope(found) => {
            if let Some(Overlay::Slope(slope, _)) = &mut app.overlay
                && slope.asked.as_ref().is_ok_and(|asked| asked.is_of(&found))
            {
                slope.found = Some(*found);
            }
            None
        }
        Message::Exercise(exercise, event) => exercise::told(app, exercise, &event),
    }
}

/// Carries out an action; returns the side effect that it requests, if any.
pub fn act(app: &mut App, action: Action) -> Option<Effect> {
    match action {
        Action::Quit if app.working().is_some() => app.overlay = Some(Overlay::Leave),
        Action::Quit => {
            app.quit = true;
            return Some(Effect::Save);
        }
        Action::Difference
            if app
                .room
                .as_ref()
                .is_some_and(|room| room.walk.session.picture().is_some()) =>
        {
            let broken = app.room.as_ref().is_some_and(|room| {
                let session = &room.walk.session;
                session.settings().mistakes().next().is_some() || !session.edits().is_empty()
            });
            let sentence = match broken {
                true => {
                    "This is a picture, and d compares tensors. Press Space to go to a tensor, then d to see what the switch has changed in it."
                }
                false => {
                    "Nothing is broken, so there is no difference to show. Press a switch (1 to 9), then Space to go to a tensor, then d."
                }
            };
            app.notice = Some(sentence.to_owned());
        }
        Action::Suspend => return Some(Effect::Suspend),
        Action::Help => app.overlay = Some(Overlay::Help(0)),
        Action::Palette => app.overlay = Some(Overlay::Palette(Choice::default())),
        Action::Search => app.overlay = Some(Overlay::Search(Choice::default())),
        Action::Terms => app.overlay = Some(Overlay::Terms(Choice::default())),
        Action::Mouse => {
            app.mouse = !app.mouse;
            return Some(Effect::Mouse(app.mouse));
        }
        Action::Back => return back(app),
        Action::Close => return close(app),
        Action::Sentence => {
            app.overlay = Some(Overlay::Sentence(Typed::default()));
        }
        Action::Play => {
            app.play(None);
            return Some(Effect::Stop);
        }
        Action::Hunt => app.overlay = Some(find::hunt_card()),
        Action::Mine => {
            let columns = app.text_columns();
            let card = mine::map_within(curriculum::exercises(), &app.progress, columns);
            app.overlay = Some(Overlay::Mine(card, 0));
        }
        Action::Core => return leave::core(app),
        _ if app.room.is_none() => return list::act(app, action),
        Action::Map => {
            app.room = None;
            app.choose_next();
            app.overlay = None;
        }
        Action::Page(by) => return page(app, by),
        Action::Predict => app.ask(false),
        Action::Quiz if matches!(&app.overlay, Some(Overlay::Ask(asked)) if asked.quiz) => {
            app.notice = Some("The quiz is open already; Esc closes it.".to_owned());
        }
        Action::Quiz => app.ask(true),
        Action::OwnWords => explain::open(app),
        Action::Hint => exercise::hint(app),
        Action::Exercise => return exercise::ask(app),
        Action::Editor => return exercise::edit(app),
        Action::Source => show_source(app),
        Action::Symbol => return run::point(app),
        Action::Term => find::next_term(app),
        Action::Copy => return Some(Effect::Copy(reproduce(app))),
        Action::Movement => {
            app.play_movement();
            if app.playing.is_none() {
                let words =
                    "Nothing moves here: Space goes to a step whose operation has a movement.";
                app.notice = Some(words.to_owned());
            }
        }
        Action::Edit => {
            let session = &app.room.as_ref()?.walk.session;
            if session.step().is_none() || session.lens().is_some() {
                app.notice = Some("Only a tensor's values can be changed: step to one, and leave the gradients with b.".to_owned());
            } else {
                app.overlay = Some(Overlay::Edit(String::new()));
            }
        }
        Action::Steer(what) => steer(app, what),
        Action::Differences => return ask_slope(app, 0),
        Action::Chart(turn) => turn_chart(app, turn),
        Action::Run => {
            let session = &app.room.as_ref()?.walk.session;
            if let Some(Body::Live(_)) = session.picture().map(|p| &p.body) {
                steer(app, Steer::Toggle);
                return None;
            }
            if let Some(Body::Job(job)) = session.picture().map(|p| &p.body) {
                return Some(Effect::Start(job.clone()));
            }
            app.notice = Some("This picture takes no time; r starts those that say so.".to_owned());
        }
        Action::Pane => {
            let next = match app.room.as_ref()?.pane {
                Pane::Read => Pane::Stage,
                Pane::Stage => Pane::Why,
                Pane::Why => Pane::Read,
            };
            app.room.as_mut()?.full = false;
            app.focus(next);
        }
        Action::Full => {
            let room = app.room.as_mut()?;
            room.full = !room.full;
            room.pane = Pane::Stage;
            app.overlay = None;
        }
        Action::Move(columns, rows) => {
            // While a slope is shown beside the tensor, the arrows keep moving over the tensor's cells.
            let beside = app.tier() >= Tier::Two && matches!(app.overlay, Some(Overlay::Slope(..)));
            let room = app.room.as_ref()?;
            let reading = (app.overlay.is_some() && !beside) || room.pane == Pane::Read;
            let listed = room.pane == Pane::Why && !room.walk.session.asks_why();
            if reading && columns == 0 {
                scroll(app, rows);
            } else if !reading && listed {
                return run::go(app, columns, rows);
            } else if !on_chart(app.room.as_mut()?, Turn::Read(columns)) {
                stage::ask(app.room.as_mut()?, action);
            }
        }
        Action::Why if run::is_listed(app) => return run::choose(app),
        action => return on_stage(app, action),
    }
    None
}

/// Scrolls the text or its overlay, or moves the selection in a list.
fn scroll(app: &mut App, lines: isize) {
    let shown = app.shown.get();
    // Start from the line shown, so that a text scrolled beyond its end moves back at once.
    let moved = |at: &mut usize| {
        let (from, last) = match shown.lines {
            0 => (*at, usize::MAX),
            _ => ((*at).min(shown.last()), shown.last()),
        };
        *at = from.saturating_add_signed(lines).min(last);
    };
    match (&mut app.overlay, &mut app.room) {
        (
            Some(
                Overlay::Help(at)
                | Overlay::Words(_, _, at)
                | Overlay::Term(TermCard { at, .. })
                | Overlay::End(_, at)
                | Overlay::Exercise(_, at)
                | Overlay::Mine(_, at)
                | Overlay::Slope(_, at),
            ),
            _,
        ) => moved(at),
        (Some(Overlay::Palette(choice) | Overlay::Search(choice) | Overlay::Terms(choice)), _) => {
            choice.chosen = choice.chosen.saturating_add_signed(lines);
        }
        (Some(Overlay::Ask(asked)), _) => asked.choose(lines.signum()),
        (Some(Overlay::Exercises(_)), _) => exercise::choose(app, lines.signum()),
        (Some(_), _) => {}
        (None, Some(room)) => moved(&mut room.scroll),
        (None, None) => {
            app.chosen = app
                .chosen
                .saturating_add_signed(lines)
                .min(LESSONS.len() - 1)
        }
    }
}

/// Takes what has been computed in the meantime (a lesson's first run, another run or a verdict) and presses the keys
/// that waited for it. Returns the effects, or `None` if there is nothing new to see.
pub fn take_computed(app: &mut App) -> Option<Vec<Effect>> {
    let judged = judged(app, Duration::ZERO);
    let opened = app.take_opened();
    let mut new = opened | judged;
    if let Some(room) = &mut app.room {
        new |= room.walk.session.take_computed();
        if !room.walk.session.is_computing() && !room.keys.is_empty() {
            let keys = std::mem::take(&mut room.keys);
            app.notice = command::press(&mut room.walk.session, &keys).err();
            new = true;
        }
    }
    let mut effects = Vec::new();
    if opened {
        effects.push(Effect::Save);
    }
    while !app.awaits_run()
        && let Some(key) = app.queued.pop_front()
    {
        effects.extend(update(app, Message::Key(key)));
        new = true;
    }
    new.then_some(effects)
}
