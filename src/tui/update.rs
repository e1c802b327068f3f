//! What a key does. Nothing here draws.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::app::{App, Ask, Choice, Judging, Overlay, Pane, Room, Slope};
use super::command::{self, Action, Command};
use crate::curriculum::LESSONS;
use crate::lesson::exercise::bench::Event;
use crate::lesson::exercise::report::Card;
use crate::lesson::live::{Live, Status, Steer};
use crate::lesson::picture::{Job, Progress as JobProgress};
use crate::lesson::session::differences::{Differences, Question};
use crate::lesson::{Body, page, source};
use crate::tensor::threads::Token;
use crate::widgets::curves::view::Turn;

/// What comes in.
pub enum Message {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The wheel was turned, by lines.
    Wheel(isize),
    /// The button was pressed at a column and a row.
    Click(u16, u16),
    /// The screen has another size.
    Resize(u16, u16),
    /// The experiment with this number sent a drawing.
    Job(usize, Box<JobProgress>),
    /// The experiment with this number ended by a bug, which is told elsewhere.
    JobBroke(usize),
    /// A slope is worked out further.
    Slope(Box<Differences>),
    /// It ended by a bug, which is told elsewhere.
    SlopeBroke,
    /// The exercise's workbench told how far it is, or what came of a check.
    Exercise(Event),
}

/// What `update` cannot do itself.
pub enum Effect {
    /// Start an experiment.
    Start(Job),
    /// Stop it.
    Stop,
    /// Work out a slope by differences, in the place of the one before.
    Slope(Box<Question>),
    /// Check and watch the exercise of the open lesson.
    Watch,
    /// No longer.
    Unwatch,
    /// Put this on the clipboard.
    Copy(String),
    /// Give or take the mouse.
    Mouse(bool),
    /// Write the progress down.
    Save,
    /// Stop until the shell lets the program go on.
    Suspend,
}

/// The name of a key, as the command table spells it.
pub fn key_name(key: KeyEvent) -> String {
    match key.code {
        KeyCode::Char(' ') if key.modifiers.contains(KeyModifiers::SHIFT) => {
            "shift-space".to_owned()
        }
        KeyCode::Char(' ') => "space".to_owned(),
        KeyCode::Char(c) if key.modifiers.contains(KeyModifiers::CONTROL) => format!("ctrl-{c}"),
        KeyCode::Char(c) => c.to_string(),
        KeyCode::Enter => "enter".to_owned(),
        KeyCode::Esc => "esc".to_owned(),
        KeyCode::Tab => "tab".to_owned(),
        KeyCode::Backspace => "backspace".to_owned(),
        KeyCode::Up => "up".to_owned(),
        KeyCode::Down => "down".to_owned(),
        KeyCode::Left => "left".to_owned(),
        KeyCode::Right => "right".to_owned(),
        KeyCode::PageUp => "pageup".to_owned(),
        KeyCode::PageDown => "pagedown".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// Changes the state as the message asks.
pub fn update(app: &mut App, message: Message) -> Option<Effect> {
    match message {
        Message::Key(key) => {
            app.notice = None;
            let name = key_name(key);
            if waits(app, &name) {
                app.queued.push_back(key);
                return None;
            }
            // Pressed twice it ends without asking.
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
            if let Some(Overlay::Palette(c) | Overlay::Search(c)) = &mut app.overlay {
                c.typed
                    .push_str(&crate::widgets::sanitize::clean(&text).replace('\n', " "));
            }
            None
        }
        Message::Wheel(lines) => {
            scroll(app, lines);
            None
        }
        Message::Click(column, row) => {
            click(app, column, row);
            None
        }
        Message::Resize(width, height) => {
            app.size = (width, height);
            None
        }
        Message::Job(number, progress) => {
            if let Some(room) = &mut app.room {
                match progress.run.clone() {
                    // From now on the run itself is looked at.
                    Some(run) => {
                        room.session.adopt_run(run);
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
        Message::Exercise(event) => {
            let lesson = app.room.as_ref()?.session.lesson();
            if let Some(Overlay::Exercise(card, _)) = &mut app.overlay {
                card.tell(lesson, &event);
            }
            let Event::Checked(report) = event else {
                return None;
            };
            report.enter(app.progress.lesson_mut(lesson.name));
            Some(Effect::Save)
        }
    }
}

/// Whether a key must wait for the run that is being computed: what it does depends on it, or on a key that waits
/// already. What turns knobs, leafs, helps or ends does not.
fn waits(app: &App, name: &str) -> bool {
    if matches!(name, "esc" | "ctrl-c" | "ctrl-z") {
        return false;
    }
    let computing = (app.room.as_ref()).is_some_and(|room| room.session.is_computing());
    let reads = (app.room.as_ref()).is_some_and(|room| room.pane == Pane::Read);
    let free = match command::of_key(name) {
        _ if app.overlay.is_some() => true,
        Some(Action::Move(..)) => reads,
        Some(
            Action::Turn(_)
            | Action::Knob(_)
            | Action::Break(_)
            | Action::Page(_)
            | Action::Pane
            | Action::Help
            | Action::Palette
            | Action::Search
            | Action::Map
            | Action::Mouse
            | Action::Back
            | Action::Quit
            | Action::Predict
            | Action::Quiz
            | Action::Exercise
            | Action::Hint,
        ) => true,
        _ => false,
    };
    computing && (!app.queued.is_empty() || !free)
}

fn typed(app: &mut App, name: &str, key: KeyEvent) -> Option<Effect> {
    if name == "esc" {
        return act(app, Action::Back);
    }
    match &mut app.overlay {
        Some(Overlay::Palette(choice) | Overlay::Search(choice)) => match key.code {
            KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
                choice.typed.push(c);
                choice.chosen = 0;
                return None;
            }
            KeyCode::Backspace => {
                choice.typed.pop();
                choice.chosen = 0;
                return None;
            }
            KeyCode::Up | KeyCode::Down => {
                let by = if key.code == KeyCode::Down { 1 } else { -1 };
                choice.chosen = choice.chosen.saturating_add_signed(by);
                return None;
            }
            KeyCode::Enter => return choose(app),
            _ => {}
        },
        Some(Overlay::Edit(typed)) => {
            match key.code {
                KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => typed.push(c),
                KeyCode::Backspace => drop(typed.pop()),
                KeyCode::Enter => {
                    let typed = std::mem::take(typed);
                    app.overlay = None;
                    if let Some(Err(sentence)) =
                        app.room.as_mut().map(|r| r.session.edit_text(&typed))
                    {
                        app.notice = Some(sentence);
                    }
                }
                _ => {}
            }
            return None;
        }
        Some(Overlay::Leave) => return leave(app, name),
        Some(Overlay::Ask(_)) => {
            let option = match key.code {
                KeyCode::Char(c @ '1'..='9') => Some(c as usize - '1' as usize),
                KeyCode::Char(c @ 'a'..='e') => Some(c as usize - 'a' as usize),
                _ => None,
            };
            if let Some(option) = option {
                return answer(app, option);
            }
            if matches!(name, "enter" | "n" | "space") {
                return next_question(app);
            }
        }
        _ => {}
    }
    match command::of_key(name) {
        Some(action) => act(app, action),
        None => {
            app.notice = Some(format!(
                "{name} does nothing here; ? lists what is possible"
            ));
            None
        }
    }
}

/// Does what a command asks.
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
                .is_some_and(|room| room.session.picture().is_some()) =>
        {
            app.notice = Some(
                "d draws a tensor's difference to the sound run: Space goes to the tensors. Without the switch the picture itself is sound."
                    .to_owned(),
            );
        }
        Action::Suspend => return Some(Effect::Suspend),
        Action::Help => app.overlay = Some(Overlay::Help(0)),
        Action::Palette => app.overlay = Some(Overlay::Palette(Choice::default())),
        Action::Search => app.overlay = Some(Overlay::Search(Choice::default())),
        Action::Mouse => {
            app.mouse = !app.mouse;
            return Some(Effect::Mouse(app.mouse));
        }
        Action::Back => return back(app),
        Action::Play => {
            app.play(None);
            return Some(Effect::Stop);
        }
        _ if app.room.is_none() => return in_list(app, action),
        Action::Map => {
            app.room = None;
            app.overlay = None;
            return Some(Effect::Unwatch);
        }
        Action::Page(by) => {
            let room = app.room.as_ref().expect("a lesson is open");
            let (page, last) = (room.page as isize + by, room.pages.len() as isize - 1);
            app.overlay = None;
            if page > last {
                app.notice = Some("This was the last page: z asks the quiz, x opens the exercise, L lists the lessons.".to_owned());
            } else {
                app.turn_to(page.max(0) as usize);
            }
            return Some(Effect::Save);
        }
        Action::Predict => app.ask(false),
        Action::Quiz => app.ask(true),
        Action::Hint => hint(app),
        Action::Exercise => {
            if let Err(sentence) = app.room.as_ref()?.session.lesson().exercise() {
                app.notice = Some(sentence);
                return None;
            }
            app.overlay = Some(Overlay::Exercise(Card::default(), 0));
            return Some(Effect::Watch);
        }
        Action::Source => show_source(app),
        Action::Copy => return Some(Effect::Copy(reproduce(app))),
        Action::Edit => {
            let session = &app.room.as_ref()?.session;
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
            let session = &app.room.as_ref()?.session;
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
            let three = app.size.0 >= 120 && app.size.1 >= 34;
            let room = app.room.as_mut()?;
            let why = three || room.session.why().is_some();
            room.pane = match room.pane {
                Pane::Read => Pane::Stage,
                Pane::Stage if why => Pane::Why,
                _ => Pane::Read,
            };
        }
        Action::Move(columns, rows) => {
            let three = app.size.0 >= 80 && app.size.1 >= 24;
            let room = app.room.as_mut()?;
            // While a slope is shown beside the tensor, the arrows may go on walking over its cells.
            let beside = three && matches!(app.overlay, Some(Overlay::Slope(..)));
            let reading = (app.overlay.is_some() && !beside) || room.pane == Pane::Read;
            if reading && columns == 0 {
                scroll(app, rows);
            } else if !on_chart(room, Turn::Read(columns)) {
                command::apply(&mut app.room.as_mut()?.session, action);
            }
        }
        action => return on_stage(app, action),
    }
    None
}

/// Turns the view of the chart that is shown: of an experiment's drawing, or of the picture; `false` where
/// there is none.
fn on_chart(room: &mut Room, turn: Turn) -> bool {
    match &room.job {
        Some((_, progress)) => room.session.turn_view_of(&progress.body, turn),
        None => room.session.turn_view(turn),
    }
}

fn turn_chart(app: &mut App, turn: Turn) {
    let small = app.size.0 < 80 || app.size.1 < 24;
    let Some(room) = &mut app.room else { return };
    let before = room.session.view();
    if !on_chart(room, turn) {
        app.notice = Some("This turns a chart: v looks at the lesson's pictures.".to_owned());
        return;
    }
    let after = room.session.view();
    if matches!(turn, Turn::Zoom(1..)) && after.window == before.window {
        app.notice = Some("There are too few points here to look closer.".to_owned());
    }
    if small {
        room.pane = Pane::Stage;
    }
}

/// Asks for the slope by the cell under the cursor, shown from this line on.
fn ask_slope(app: &mut App, line: usize) -> Option<Effect> {
    if !app.unanswered().is_empty() {
        app.notice = Some("Predict first: p asks, then the stage shows.".to_owned());
        return None;
    }
    let asked = app.room.as_ref()?.session.question();
    let effect = asked.clone().ok().map(Box::new).map(Effect::Slope);
    let found = None;
    app.overlay = Some(Overlay::Slope(Box::new(Slope { asked, found }), line));
    effect
}

/// Asks again where a slope is shown and the cursor has gone to another cell, or the run is another: whatever
/// brought that about.
pub fn moved_slope(app: &mut App) -> Option<Effect> {
    let (Some(Overlay::Slope(slope, line)), Some(room)) = (&app.overlay, &app.room) else {
        return None;
    };
    let same = match (&slope.asked, &room.session.question()) {
        (Ok(then), Ok(now)) => then.is(now),
        (then, now) => then.as_ref().err() == now.as_ref().err(),
    };
    let line = *line;
    if same { None } else { ask_slope(app, line) }
}

fn on_stage(app: &mut App, action: Action) -> Option<Effect> {
    if !app.unanswered().is_empty() && matches!(action, Action::Step(_) | Action::Why) {
        app.notice = Some("Predict first: p asks, then the stage shows.".to_owned());
        return None;
    }
    let small = app.size.0 < 80 || app.size.1 < 24;
    let room = app.room.as_mut()?;
    if matches!(action, Action::Why)
        && let Some(Body::Job(job)) = room.session.picture().map(|p| &p.body)
        && room.session.place_at_cursor().is_none()
    {
        // What runs or is done stays on the screen: only what waits is started.
        let job = job.clone();
        return match &room.job {
            None => Some(Effect::Start(job)),
            Some((_, progress)) => {
                let running = progress.done < 1.0;
                app.notice = Some(match running {
                    true => "It runs already; Esc stops it.".to_owned(),
                    false => "It is done; r runs it again.".to_owned(),
                });
                None
            }
        };
    }
    room.job = None;
    command::apply(&mut room.session, action);
    match action {
        Action::Why => {
            app.overlay = None;
            room.pane = Pane::Why;
            if room.session.why().is_none() {
                room.pane = Pane::Stage;
                app.notice = Some(
                    "A picture's cells have no single origin; Space goes to the tensors."
                        .to_owned(),
                );
            }
        }
        Action::Up if room.session.why().is_none() => room.pane = Pane::Stage,
        Action::Up | Action::Partner => {}
        // On a small screen what was changed must be seen.
        _ if small => room.pane = Pane::Stage,
        _ => {}
    }
    // Work on one run must not go on for another.
    Some(Effect::Stop)
}

/// The work that is looked at.
fn live(app: &App) -> Option<&Live> {
    match &app.room.as_ref()?.session.picture()?.body {
        Body::Live(live) => Some(live),
        _ => None,
    }
}

/// Passes on what is asked of the work that is looked at.
fn steer(app: &mut App, what: Steer) {
    let Some(live) = live(app) else {
        app.notice = Some("This steers a training run; look at one first.".to_owned());
        return;
    };
    let work = live.work.clone();
    app.notice = work.steer(what);
    app.live = Some(work);
}

/// The answer to the question whether the program may end while work goes on.
fn leave(app: &mut App, key: &str) -> Option<Effect> {
    match key {
        "s" => {
            let work = app.live.clone()?;
            work.steer(Steer::Pause);
            work.steer(Steer::SaveAll);
            work.settle();
            app.quit = true;
        }
        "x" => app.quit = true,
        "g" | "enter" => app.overlay = None,
        _ => {
            app.notice = Some("s saves and ends, x ends, g goes on.".to_owned());
            return None;
        }
    }
    Some(Effect::Save)
}

fn back(app: &mut App) -> Option<Effect> {
    app.judging = None;
    app.queued.clear();
    if app.overlay.take().is_some() {
        return Some(Effect::Unwatch);
    }
    if app.room.is_none() {
        return act(app, Action::Quit);
    }
    if app.room.as_mut()?.session.stop_computing() {
        app.notice = Some("Cancelled; the run before stays.".to_owned());
        return None;
    }
    let working = live(app).is_some_and(|live| live.work.status() == Status::Working);
    if working {
        steer(app, Steer::Pause);
        return None;
    }
    let room = app.room.as_mut()?;
    if room.session.back() {
        if room.session.why().is_none() {
            room.pane = Pane::Stage;
        }
        return None;
    }
    if room.job.take().is_some() {
        return Some(Effect::Stop);
    }
    app.room = room.behind.take().map(|behind| *behind);
    Some(Effect::Save)
}

fn in_list(app: &mut App, action: Action) -> Option<Effect> {
    let last = LESSONS.len() - 1;
    match action {
        Action::Move(_, rows) => app.chosen = app.chosen.saturating_add_signed(rows).min(last),
        Action::Page(by) | Action::Step(by) => {
            app.chosen = app.chosen.saturating_add_signed(by).min(last)
        }
        Action::Break(n) if n <= last + 1 => {
            app.chosen = n - 1;
            app.open(LESSONS[n - 1]);
        }
        Action::Why => app.open(LESSONS[app.chosen]),
        _ => app.notice = Some("Enter opens the lesson; ? lists what is possible.".to_owned()),
    }
    None
}

fn scroll(app: &mut App, lines: isize) {
    match (&mut app.overlay, &mut app.room) {
        (
            Some(
                Overlay::Help(at)
                | Overlay::Words(_, _, at)
                | Overlay::Exercise(_, at)
                | Overlay::Slope(_, at),
            ),
            _,
        ) => {
            *at = at.saturating_add_signed(lines);
        }
        (Some(_), _) => {}
        (None, Some(room)) => room.scroll = room.scroll.saturating_add_signed(lines),
        (None, None) => {
            app.chosen = app
                .chosen
                .saturating_add_signed(lines)
                .min(LESSONS.len() - 1)
        }
    }
}

fn click(app: &mut App, column: u16, row: u16) {
    if app.room.is_none() && app.overlay.is_none() {
        if let Some(lesson) = super::view::lesson_at(app, row) {
            app.open(LESSONS[lesson]);
        }
    } else if let Some(pane) = super::view::pane_at(app, column, row)
        && let Some(room) = &mut app.room
    {
        room.pane = pane;
    }
}

fn answer(app: &mut App, option: usize) -> Option<Effect> {
    let (Some(Overlay::Ask(ask)), Some(room)) = (&mut app.overlay, &app.room) else {
        return None;
    };
    let question = &ask.questions[ask.at];
    let settled = ask.tried.iter().any(|(_, right)| *right);
    let chosen = question.options.get(option)?;
    if settled || app.judging.is_some() || ask.tried.iter().any(|(o, _)| *o == option) {
        return None;
    }
    let (send, found) = mpsc::channel();
    let token = Token::default();
    match room.session.judge(question, chosen) {
        Ok(judge) => {
            let wanted = token.clone();
            std::thread::spawn(move || {
                if let Ok(verdict) = wanted.run(judge) {
                    // Nobody may be waiting any more.
                    let _ = send.send(verdict);
                }
            });
        }
        Err(e) => {
            app.notice = Some(e);
            return None;
        }
    }
    app.judging = Some(Judging {
        id: question.id.clone(),
        option,
        found,
        token,
    });
    judged(app, app.patience.unwrap_or(Duration::MAX));
    Some(Effect::Save)
}

/// Takes the verdict on the answer that is being judged, if it comes within `patience`.
fn judged(app: &mut App, patience: Duration) -> bool {
    let Some(judging) = &app.judging else {
        return false;
    };
    let verdict = match judging.found.recv_timeout(patience) {
        Ok(verdict) => verdict,
        Err(RecvTimeoutError::Timeout) => return false,
        Err(RecvTimeoutError::Disconnected) => Err("the stage stopped without a word".to_owned()),
    };
    let (asked, option) = (judging.id.clone(), judging.option);
    app.judging = None;
    let (Some(Overlay::Ask(ask)), Some(room)) = (&mut app.overlay, &app.room) else {
        return true;
    };
    let question = &ask.questions[ask.at];
    if question.id != asked {
        return true;
    }
    match verdict {
        Ok(right) => {
            if ask.tried.is_empty() {
                ask.right += usize::from(right);
                let done = app.progress.lesson_mut(room.session.lesson().name);
                done.answers.entry(asked).or_insert(right);
            }
            ask.tried.push((option, right));
        }
        Err(e) => app.notice = Some(e),
    }
    true
}

/// Takes what has been computed meanwhile, a run or a verdict, and presses the keys that waited for it. `None` if
/// there is nothing new to see.
pub fn take_computed(app: &mut App) -> Option<Vec<Effect>> {
    let judged = judged(app, Duration::ZERO);
    let mut new = judged;
    if let Some(room) = &mut app.room {
        new |= room.session.take_computed();
        if !room.session.is_computing() && !room.keys.is_empty() {
            let keys = std::mem::take(&mut room.keys);
            app.notice = command::press(&mut room.session, &keys).err();
            new = true;
        }
    }
    let computing = |app: &App| (app.room.as_ref()).is_some_and(|room| room.session.is_computing());
    let mut effects = Vec::new();
    while !computing(app)
        && let Some(key) = app.queued.pop_front()
    {
        effects.extend(update(app, Message::Key(key)));
        new = true;
    }
    new.then_some(effects)
}

fn next_question(app: &mut App) -> Option<Effect> {
    let Some(Overlay::Ask(ask)) = &mut app.overlay else {
        return None;
    };
    if !ask.tried.iter().any(|(_, right)| *right) {
        return None;
    }
    if ask.at + 1 < ask.questions.len() {
        (ask.at, ask.tried) = (ask.at + 1, Vec::new());
        return None;
    }
    let Ask {
        right,
        questions,
        quiz,
        ..
    } = ask;
    if *quiz {
        app.notice = Some(format!(
            "{right} of {} right at the first try.",
            questions.len()
        ));
    }
    app.overlay = None;
    None
}

fn hint(app: &mut App) {
    let Some(room) = &app.room else { return };
    let lesson = room.session.lesson();
    let exercise = match lesson.exercise() {
        Ok(exercise) => exercise,
        Err(sentence) => {
            app.notice = Some(sentence);
            return;
        }
    };
    let done = app.progress.lesson_mut(lesson.name);
    done.hints = done.hints.saturating_add(1).min(exercise.hints.len());
    let given = &exercise.hints[..done.hints];
    let words = given
        .iter()
        .enumerate()
        .map(|(i, h)| format!("{}. {h}\n", i + 1))
        .collect::<Vec<_>>()
        .join("\n");
    let more = if done.hints < 4 {
        "\nH gives a plainer one."
    } else {
        ""
    };
    app.overlay = Some(Overlay::Words("Hints".to_owned(), words + more, 0));
}

fn show_source(app: &mut App) {
    let Some(step) = app.room.as_ref().and_then(|r| r.session.step()) else {
        return;
    };
    let include = format!("{{{{#include ../../src/ops/{}.rs:forward}}}}", step.op());
    let found = source::expand(&source::Embedded, "lessons/00-none", &include);
    let (title, text) = match found {
        Ok((text, Some(place))) if step.computed().is_some() => (place.to_string(), text),
        _ => (
            "no operation".to_owned(),
            format!("{} is {}: nothing computed it.", step.name, step.op()),
        ),
    };
    app.overlay = Some(Overlay::Words(title, text, 0));
}

/// The command that shows this stage.
pub fn reproduce(app: &App) -> String {
    let Some(room) = &app.room else {
        return "transformer-tutor lessons".to_owned();
    };
    let session = &room.session;
    let mut command = format!("transformer-tutor show {}", session.lesson().name);
    for knob in session.lesson().knobs {
        let value = session.settings().text(knob.name);
        if value != knob.default {
            command += &format!(" --set {}={value}", knob.name);
        }
    }
    for mistake in session.settings().mistakes() {
        command += &format!(" --break {mistake}");
    }
    match (session.step(), session.picture()) {
        (Some(step), _) => {
            let index: Vec<String> = session.cursor().iter().map(usize::to_string).collect();
            command += &format!(" --cell '{}[{}]'", step.name, index.join(","));
        }
        (None, Some(picture)) => command += &format!(" --view {}", picture.name),
        (None, None) => {}
    }
    command
}

/// The commands whose names or descriptions hold all letters typed, in their order.
pub fn fitting(typed: &str) -> Vec<&'static Command> {
    let holds = |text: &str| {
        let mut letters = text.chars();
        typed
            .to_lowercase()
            .chars()
            .all(|c| letters.any(|l| l == c))
    };
    let mut found: Vec<&Command> = command::all()
        .filter(|c| holds(&format!("{} {}", c.name, c.about).to_lowercase()))
        .collect();
    found.sort_by_key(|c| !c.name.starts_with(typed));
    found
}

/// Pages whose words hold what was typed: (lesson, page, its title).
pub fn pages_with(typed: &str) -> Vec<(usize, usize, String)> {
    if typed.trim().is_empty() {
        return Vec::new();
    }
    let typed = typed.trim().to_lowercase();
    let mut found = Vec::new();
    for (number, lesson) in LESSONS.iter().enumerate() {
        let path = format!("lessons/{}/lesson.md", lesson.folder());
        for (n, p) in page::parse(&path, lesson.text)
            .unwrap_or_default()
            .iter()
            .enumerate()
        {
            let words = crate::widgets::prose::plain(&p.blocks, 200).to_lowercase();
            if p.title.to_lowercase().contains(&typed) || words.contains(&typed) {
                found.push((number, n, p.title.clone()));
            }
        }
    }
    found
}

fn choose(app: &mut App) -> Option<Effect> {
    match app.overlay.take() {
        Some(Overlay::Palette(choice)) => {
            if let Some(sentence) = choice.typed.trim().strip_prefix("translate ") {
                // `:translate Der Hund schläft .`
                app.play(Some(sentence.trim()));
                return Some(Effect::Stop);
            }
            if let (Some(room), Some((knob, value))) = (&mut app.room, choice.typed.split_once('='))
            {
                // A value of the learner's own: `:sentence=the colder sea`, `:heads=3`.
                // What was set is what [ and ] turn on from there.
                app.notice = room.session.set(knob.trim(), value.trim()).err();
                room.session.choose(knob.trim());
                room.job = None;
                return Some(Effect::Stop);
            }
            if let (Some(room), Some(name)) =
                (&mut app.room, choice.typed.trim().strip_prefix("look "))
            {
                // `:look scores`: a long run has hundreds of steps.
                app.notice = room.session.show(name.trim()).err();
                (room.job, room.pane) = (None, Pane::Stage);
                return Some(Effect::Stop);
            }
            let found = fitting(&choice.typed);
            let command = found.get(choice.chosen.min(found.len().saturating_sub(1)))?;
            act(app, command.action)
        }
        Some(Overlay::Search(choice)) => {
            let found = pages_with(&choice.typed);
            let (lesson, page, _) = found.get(choice.chosen.min(found.len().saturating_sub(1)))?;
            app.open(LESSONS[*lesson]);
            app.turn_to(*page);
            Some(Effect::Save)
        }
        other => {
            app.overlay = other;
            None
        }
    }
}
