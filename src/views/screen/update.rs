//! State changes caused by input. Nothing here draws.

use std::task::Poll;
use std::time::Duration;

use crate::screen::key::KeyEvent;

use super::app::{App, Choice, Overlay, Pane};
use super::layout::ScreenSize;
use super::line::Typed;
use crate::command::{self, Action};
use crate::curriculum;
use crate::lesson::chart::ViewChange;
use crate::lesson::exercise::bench::Event;
use crate::lesson::mine;
use crate::lesson::picture::{Job, Progress as JobProgress};
use crate::lesson::session::Direction;
use crate::lesson::session::gradient_check::{GradientCheck, GradientCheckRequest};
use crate::lesson::{Body, Exercise};

mod answers;
mod card;
mod exercise;
mod explain;
mod find;
mod hunt;
mod keys;
mod leave;
mod list;
mod mouse;
mod run;
mod stage;

pub use card::term_card;
pub use find::{cell_of, reproduce};
pub use keys::{event_of, key_name};
pub use stage::follow_gradient_check;

use answers::judged;
use find::show_source;
use keys::{dispatch, must_wait};
use leave::{back, close, page};
use stage::{check_gradient, on_chart, on_stage, steer, turn_chart};

/// Input to `update`.
pub enum Message {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The mouse wheel scrolled.
    Wheel {
        /// Number of lines; positive is down.
        lines: isize,
        /// Column of the pointer.
        column: u16,
        /// Row of the pointer.
        row: u16,
    },
    /// The left mouse button was pressed at a column and row.
    Click(u16, u16),
    /// The screen now has this many columns and rows.
    Resize(u16, u16),
    /// This many frames of an animation have passed.
    Tick(usize),
    /// The experiment with this number sent a drawing.
    Job(usize, Box<JobProgress>),
    /// The experiment with this number panicked, which is reported elsewhere.
    JobFailed(usize),
    /// A gradient check has progressed.
    GradientCheck(Box<GradientCheck>),
    /// The gradient check panicked, which is reported elsewhere.
    GradientCheckFailed,
    /// Progress or result from the workbench of this exercise.
    Exercise(&'static Exercise, Event),
}

/// Answer of a part of the screen that is offered a key.
enum KeyReply {
    /// The part used the key, with this effect.
    Handled(Option<Effect>),
    /// The key does what it does without this part.
    NotMine,
}

/// Side effect that `update` requests.
pub enum Effect {
    /// Start an experiment.
    Start(Job),
    /// Stop the running experiment.
    Stop,
    /// Check a gradient by finite differences, replacing the previous one.
    CheckGradient(Box<GradientCheckRequest>),
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
    let from_learner = matches!(
        message,
        Message::Key(_) | Message::Paste(_) | Message::Wheel { .. } | Message::Click(..)
    );
    if from_learner {
        app.playing = None;
    }
    match message {
        Message::Tick(frames) => {
            app.playing = (app.playing.take()).and_then(|playing| playing.ticked(frames));
        }
        Message::Key(key) => return press(app, key),
        Message::Paste(text) => paste(app, &text),
        Message::Wheel { lines, column, row } => mouse::wheel(app, lines, column, row),
        Message::Click(column, row) => {
            app.notice = None;
            return mouse::click(app, column, row);
        }
        Message::Resize(width, height) => app.display.size = (width, height),
        Message::Job(number, progress) => {
            let open = app.open_lesson.as_mut()?;
            match progress.run.clone() {
                // From now on, the stage shows the run itself.
                Some(run) => {
                    open.walk.session.adopt_run(run);
                    // Where the experiment's own picture stays in view, so does its result.
                    let shown = open.walk.session.picture().map(|picture| &picture.body);
                    let stays = matches!(shown, Some(Body::Job(_)));
                    open.page.job = stays.then_some((number, *progress));
                }
                None => open.page.job = Some((number, *progress)),
            }
        }
        Message::JobFailed(_) => app.open_lesson.as_mut()?.page.job = None,
        Message::GradientCheckFailed => {
            app.overlay
                .take_if(|open| matches!(open, Overlay::GradientCheck(_)));
        }
        Message::GradientCheck(result) => {
            if let Some(Overlay::GradientCheck(card)) = &mut app.overlay
                && (card.request.as_ref()).is_ok_and(|request| request.is_of(&result))
            {
                card.result = Some(*result);
            }
        }
        Message::Exercise(exercise, event) => return exercise::on_event(app, exercise, &event),
    }
    None
}

/// Handles a key: at once, or once the run that it needs is computed.
fn press(app: &mut App, key: KeyEvent) -> Option<Effect> {
    app.notice = None;
    let name = key_name(key);
    if must_wait(app, &name) {
        // A page turned later would be one that nobody has seen.
        if matches!(command::of_key(&name), Some(Action::Page(_))) {
            let words =
                "The lesson is still opening. You can turn its pages once it is open; Esc cancels.";
            app.notice = Some(words.to_owned());
        } else {
            app.waiting.queued.push_back(key);
        }
        return None;
    }
    match name.as_str() {
        // A second Ctrl-C ends the program without asking.
        "ctrl-c" if matches!(app.overlay, Some(Overlay::Leave)) => {
            app.quit = true;
            Some(Effect::Save)
        }
        "ctrl-c" => act(app, Action::Quit),
        "ctrl-z" => act(app, Action::Suspend),
        _ => dispatch(app, &name, key),
    }
}

/// Inserts pasted text where one can type.
fn paste(app: &mut App, text: &str) {
    match &mut app.overlay {
        Some(Overlay::Sentence(typed)) => typed.insert(text),
        Some(Overlay::Explain(explain)) => explain::paste(explain, text),
        Some(Overlay::Palette(choice) | Overlay::Search(choice) | Overlay::Terms(choice)) => {
            let text = crate::typeset::sanitize::clean(text).replace('\n', " ");
            choice.typed.push_str(&text);
        }
        _ => {}
    }
}

/// Carries out an action; returns the side effect that it requests, if any.
pub fn act(app: &mut App, action: Action) -> Option<Effect> {
    match action {
        Action::Quit if app.working().is_some() => app.show(Overlay::Leave),
        Action::Quit => {
            app.quit = true;
            return Some(Effect::Save);
        }
        Action::Suspend => return Some(Effect::Suspend),
        Action::Help if !matches!(app.overlay, Some(Overlay::Help)) => {
            app.covered_overlay = app.overlay.take();
            app.help_group = None;
            app.show(Overlay::Help);
        }
        Action::Help => {}
        Action::Palette => app.show(Overlay::Palette(Choice::default())),
        Action::Search => app.show(Overlay::Search(Choice::default())),
        Action::Terms => app.show(Overlay::Terms(Choice::default())),
        Action::Mouse => {
            app.display.mouse = !app.display.mouse;
            return Some(Effect::Mouse(app.display.mouse));
        }
        Action::Back => return back(app),
        Action::Close => return close(app),
        Action::Sentence => app.show(Overlay::Sentence(Typed::default())),
        Action::Play => {
            app.play(None);
            return Some(Effect::Stop);
        }
        Action::Hunt => return hunt::open(app),
        Action::Mine => {
            let columns = app.text_columns();
            let card = mine::map_within(curriculum::exercises(), &app.progress, columns);
            app.show(Overlay::Mine(card));
        }
        Action::Core => return leave::core(app),
        action if app.open_lesson.is_some() => return in_lesson(app, action),
        action => return list::act(app, action),
    }
    None
}

/// Carries out an action in a lesson.
fn in_lesson(app: &mut App, action: Action) -> Option<Effect> {
    match action {
        Action::Map => {
            app.open_lesson = None;
            app.choose_next();
            app.overlay = None;
        }
        Action::Page(by) => return page(app, by),
        Action::FirstPage => return leave::open_end(app, false),
        Action::LastPage => return leave::open_end(app, true),
        Action::Predict => app.ask_page(),
        Action::Quiz if matches!(&app.overlay, Some(Overlay::Ask(asked)) if asked.quiz) => {
            app.notice = Some("The quiz is open already; Esc closes it.".to_owned());
        }
        Action::Quiz => app.ask_quiz(),
        Action::OwnWords => explain::open(app),
        Action::Hint => exercise::hint(app),
        Action::Tier => return exercise::change_tier(app),
        Action::Exercise => return exercise::ask(app),
        Action::Editor => return exercise::edit(app),
        Action::Source => show_source(app),
        Action::Symbol => return run::point(app),
        Action::Term => find::next_term(app),
        Action::Copy => return Some(Effect::Copy(reproduce(app))),
        Action::Movement => stage::play_movement(app),
        Action::Edit => stage::edit(app),
        Action::Steer(what) => steer(app, what),
        Action::CheckGradient => return check_gradient(app),
        Action::Chart(turn) => turn_chart(app, turn),
        Action::Run => return stage::start(app),
        Action::Pane => next_pane(app),
        Action::List => list_run(app),
        Action::Full => {
            let open = app.open_lesson.as_mut()?;
            open.full = !open.full;
            open.pane = Pane::Stage;
            app.close_overlay();
        }
        Action::Move(direction, by) => return move_by(app, direction, by),
        Action::Why if run::is_listed(app) => return run::choose(app),
        action => return on_stage(app, action),
    }
    None
}

/// Focuses the next pane. Where the text takes the whole screen, the first key leads to the picture and the next one
/// back; elsewhere the run is listed beside them, and follows the picture.
fn next_pane(app: &mut App) {
    let turns = app.turns_to_picture();
    let Some(open) = &mut app.open_lesson else {
        return;
    };
    open.full = false;
    let next = match open.pane {
        Pane::Read => Pane::Stage,
        Pane::Stage if turns => Pane::Read,
        Pane::Stage => Pane::Why,
        Pane::Why => Pane::Read,
    };
    open.page.explores = next != Pane::Read && !turns;
    app.focus(next);
}

/// Lists the run's steps, pictures, knobs and mistakes.
fn list_run(app: &mut App) {
    if let Some(open) = &mut app.open_lesson {
        open.full = false;
        open.page.explores = true;
        app.focus(Pane::Why);
    }
}

/// Moves in what has the focus: the text or its overlay, the run's list, or the stage.
fn move_by(app: &mut App, direction: Direction, by: isize) -> Option<Effect> {
    // While a gradient check is shown beside the tensor, the arrows keep moving over the tensor's cells.
    let beside = app.screen_size() >= ScreenSize::Two
        && matches!(app.overlay, Some(Overlay::GradientCheck(_)));
    let open = app.open_lesson.as_mut()?;
    let reading = (app.overlay.is_some() && !beside) || open.pane == Pane::Read;
    let listed = open.pane == Pane::Why && !open.walk.session.asks_why();
    // On a chart, up and down only show the reading line.
    let columns = match direction {
        Direction::Horizontal => by,
        Direction::Vertical => 0,
    };
    if reading && direction == Direction::Vertical {
        scroll(app, by);
    } else if !reading && listed {
        return run::go(app, direction, by);
    } else if !on_chart(open, ViewChange::Read(columns)) {
        stage::perform(open, Action::Move(direction, by));
    }
    None
}

/// Scrolls the text or its overlay, or moves the selection in a list.
fn scroll(app: &mut App, lines: isize) {
    let shown = app.last_frame.shown.get();
    // Start from the line shown, so that a text scrolled beyond its end moves back at once.
    let moved = |at: &mut usize| {
        let (from, last) = match shown.lines {
            0 => (*at, usize::MAX),
            _ => ((*at).min(shown.last()), shown.last()),
        };
        *at = match shown.card {
            Some(card) if lines > 0 => card.after,
            Some(card) => card.before,
            None => from.saturating_add_signed(lines).min(last),
        };
    };
    match (&mut app.overlay, &mut app.open_lesson) {
        (Some(Overlay::Palette(choice) | Overlay::Search(choice) | Overlay::Terms(choice)), _) => {
            choice.chosen = choice.chosen.saturating_add_signed(lines);
        }
        (Some(Overlay::Ask(asked)), _) => asked.choose(lines.signum()),
        (Some(Overlay::Exercises(_)), _) => exercise::choose(app, lines.signum()),
        (Some(_), _) => moved(&mut app.overlay_line),
        (None, Some(open)) => moved(&mut open.page.scroll),
        (None, None) => app.list.chosen = app.list.chosen.moved(lines),
    }
}

/// Takes what has been computed in the meantime (a lesson's first run, another run or a verdict) and presses the keys
/// that waited for it. Returns the effects, or `None` if there is nothing new to see.
pub fn take_computed(app: &mut App) -> Option<Vec<Effect>> {
    let judged = judged(app, Duration::ZERO);
    let look = hunt::take_look(app, Duration::ZERO);
    let opened = app.take_opened();
    let mut new = opened | judged | look.is_ready();
    if let Some(open) = &mut app.open_lesson {
        let asked = open.walk.session.asks_why();
        new |= open.walk.session.take_computed();
        if asked && !open.walk.session.asks_why() {
            leave::end_of_question(open);
        }
        if !open.walk.session.is_computing() && !open.page.keys.is_empty() {
            let keys = std::mem::take(&mut open.page.keys);
            app.notice = command::press(&mut open.walk.session, &keys).err();
            new = true;
        }
    }
    let mut effects = Vec::new();
    if let Poll::Ready(effect) = look {
        effects.extend(effect);
    }
    if opened {
        effects.push(Effect::Save);
    }
    while !app.awaits_run()
        && let Some(key) = app.waiting.queued.pop_front()
    {
        effects.extend(update(app, Message::Key(key)));
        new = true;
    }
    new.then_some(effects)
}
