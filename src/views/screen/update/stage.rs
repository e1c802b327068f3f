//! Effects of keys on the stage, its charts and the work that it shows.

use super::super::app::{App, GradientCard, OpenLesson, Overlay, Pane, ViewState};
use super::Effect;
use crate::command::Action;
use crate::lesson::Body;
use crate::lesson::chart::ViewChange;
use crate::lesson::picture::{Job, Live, Steer};
use crate::lesson::session::{Focus, Session};

/// Changes the view of the chart shown by an experiment, or else by the picture; `false` if there is none.
pub(super) fn on_chart(open: &mut OpenLesson, change: ViewChange) -> bool {
    match &open.page.job {
        Some((_, progress)) => open.walk.session.turn_view_of(&progress.body, change),
        None => open.walk.session.turn_view(change),
    }
}

pub(super) fn turn_chart(app: &mut App, change: ViewChange) {
    let alone = app.shows_one_pane();
    let Some(open) = &mut app.open_lesson else {
        return;
    };
    let before = open.walk.session.view();
    if !on_chart(open, change) {
        app.notice = Some("This turns a chart: v looks at the lesson's pictures.".to_owned());
        return;
    }
    let after = open.walk.session.view();
    if matches!(change, ViewChange::Zoom(1..)) && after.window == before.window {
        app.notice = Some("There are too few points here to look closer.".to_owned());
    }
    if alone {
        open.pane = Pane::Stage;
    }
}

/// Checks the gradient with respect to the cell under the cursor.
pub(super) fn check_gradient(app: &mut App) -> Option<Effect> {
    if app.asks_first() {
        return None;
    }
    let session = &app.open_lesson.as_ref()?.walk.session;
    let request = session.gradient_check_request();
    let effect = (request.clone().ok()).map(|request| Effect::CheckGradient(Box::new(request)));
    app.show(Overlay::GradientCheck(Box::new(GradientCard {
        request,
        result: None,
    })));
    effect
}

/// Checks the gradient again if a check is shown and the cell under the cursor, or the run, has changed.
pub fn follow_gradient_check(app: &mut App) -> Option<Effect> {
    let (Some(Overlay::GradientCheck(card)), Some(open)) = (&app.overlay, &app.open_lesson) else {
        return None;
    };
    let same = match (&card.request, &open.walk.session.gradient_check_request()) {
        (Ok(then), Ok(now)) => then.is(now),
        (then, now) => then.as_ref().err() == now.as_ref().err(),
    };
    if same {
        return None;
    }
    let line = app.overlay_line;
    let effect = check_gradient(app);
    app.overlay_line = line;
    effect
}

/// Starts what the picture on the stage offers: an experiment, or work that goes on while one reads.
pub(super) fn start(app: &mut App) -> Option<Effect> {
    let picture = app.open_lesson.as_ref()?.walk.session.picture();
    match picture.map(|picture| &picture.body) {
        Some(Body::Live(_)) => {
            steer(app, Steer::Toggle);
            if app.shows_one_pane() {
                app.focus(Pane::Stage);
            }
        }
        Some(Body::Job(job)) => {
            let effect = Effect::Start(job.clone());
            if app.shows_one_pane() {
                app.focus(Pane::Stage);
            }
            return Some(effect);
        }
        _ => {
            let sentence =
                "There is nothing to run here; r works on pictures that offer an experiment.";
            app.notice = Some(sentence.to_owned());
        }
    }
    None
}

/// Plays the animation of the operation on the stage.
pub(super) fn play_movement(app: &mut App) {
    app.play_movement();
    if app.playing.is_none() {
        let sentence = "Nothing moves here: Space goes to a step whose operation has a movement.";
        app.notice = Some(sentence.to_owned());
    }
}

/// Opens the line in which a new value of the cell under the cursor is typed.
pub(super) fn edit(app: &mut App) {
    let Some(open) = &app.open_lesson else { return };
    let session = &open.walk.session;
    if session.step().is_none() || session.gradients_of().is_some() {
        let sentence =
            "Only a tensor's values can be changed: step to one, and leave the gradients with b.";
        app.notice = Some(sentence.to_owned());
    } else {
        app.show(Overlay::Edit(String::new()));
    }
}

/// Sentence for a learner who asks what a mistake changed while the stage shows a picture.
fn no_difference(session: &Session) -> &'static str {
    let broken = session.settings().mistakes().next().is_some() || !session.edits().is_empty();
    if broken {
        "This is a picture, and d compares tensors. Press Space to go to a tensor, then d to see what the switch has changed in it."
    } else {
        "Nothing is broken, so there is no difference to show. Press a switch (1 to 9), then Space to go to a tensor, then d."
    }
}

/// Opens the page's question and selects option `n`, counted from 0, if it exists; Enter then answers with it.
fn open_question(app: &mut App, n: usize) -> Option<Effect> {
    app.ask_page();
    if let Some(Overlay::Ask(asked)) = &mut app.overlay {
        asked.choose_option(n);
    }
    app.notice = Some("Predict first, then the stage shows: Enter or a number answers.".to_owned());
    None
}

pub(super) fn on_stage(app: &mut App, action: Action) -> Option<Effect> {
    let session = &app.open_lesson.as_ref()?.walk.session;
    if action == Action::Difference && session.picture().is_some() {
        app.notice = Some(no_difference(session).to_owned());
        return None;
    }
    if app.unanswered().is_some() && action.traits().changes_stage {
        if let Action::Break(n) = action {
            // The options are numbered, too: a digit pressed here is meant for them.
            return open_question(app, n - 1);
        }
        app.asks_first();
        return None;
    }
    if matches!(app.overlay, Some(Overlay::Help)) && action.traits().changes_stage {
        app.notice = Some("This is the help: Esc closes it, and then the key works.".to_owned());
        return None;
    }
    if action == Action::Why
        && let Some(job) = waiting_job(app)
    {
        return start_once(app, job);
    }
    let alone = app.shows_one_pane();
    let open = app.open_lesson.as_mut()?;
    open.page.turned |= matches!(action, Action::Turn(_) | Action::Knob(_));
    let before = Before::of(open);
    open.page.job = None;
    perform(open, action);
    let notice = before.remark(open, action);
    before.refocus(open, action, alone);
    let moved = before.has_moved(&open.walk.session);
    before.remember(open, action);
    if let Some(notice) = notice {
        app.notice = Some(notice.to_owned());
    }
    if action == Action::Why {
        app.close_overlay();
    }
    let forward = match action {
        Action::Step(by) => by > 0,
        action => action == Action::Why,
    };
    if forward && moved && !app.display.still {
        app.play_movement();
    }
    // An experiment on one run must not continue on another.
    Some(Effect::Stop)
}

/// A lesson before an action on its stage.
struct Before {
    shown: ViewState,
    /// Number of cells on the path of the explanation.
    depth: usize,
    /// Whether cells had been changed.
    edited: bool,
    /// Whether an experiment ran or had ended.
    ran: bool,
}

impl Before {
    fn of(open: &OpenLesson) -> Self {
        let session = &open.walk.session;
        Self {
            shown: ViewState {
                pane: open.pane,
                focus: session.focus(),
                cursor: session.cursor().to_vec(),
            },
            depth: session.path().len(),
            edited: !session.edits().is_empty(),
            ran: open.page.job.is_some(),
        }
    }

    /// Whether the stage shows something else, or another cell's explanation.
    fn has_moved(&self, session: &Session) -> bool {
        (session.focus(), session.path().len()) != (self.shown.focus, self.depth)
    }

    /// Sentence about an action that did nothing, or more than it says.
    fn remark(&self, open: &OpenLesson, action: Action) -> Option<&'static str> {
        let session = &open.walk.session;
        match action {
            // On a box of a map, the action has opened a tensor, so no picture is shown any more.
            Action::Why if !session.asks_why() && session.picture().is_some() => {
                Some("A picture's cells have no single origin; Space goes to the tensors.")
            }
            Action::Why if !session.asks_why() && matches!(self.shown.focus, Focus::Picture(_)) => {
                Some("This is the tensor behind the picture. Enter again asks about its cell.")
            }
            Action::Step(by) if !self.has_moved(session) => Some(if by > 0 {
                "This is the last step of the run; B goes back."
            } else {
                "This is the first step of the run; Space moves on."
            }),
            Action::Break(_) | Action::Turn(_) if self.edited && session.edits().is_empty() => {
                Some(
                    "Your change of a cell belonged to the previous run; e makes it again in this one.",
                )
            }
            Action::Break(_) | Action::Turn(_) if self.ran => {
                let body = session.picture().map(|picture| &picture.body);
                let waits = matches!(body, Some(Body::Job(job)) if job.pace.is_zero());
                waits
                    .then_some("What ran before had other settings. Enter or r runs it with these.")
            }
            _ => None,
        }
    }

    /// Focuses the pane that shows the action's effect.
    fn refocus(&self, open: &mut OpenLesson, action: Action, alone: bool) {
        let asks = open.walk.session.asks_why();
        match action {
            Action::Why if asks => open.pane = Pane::Why,
            Action::Why => open.pane = Pane::Stage,
            // Otherwise Enter would choose from the list of steps instead of asking about the cell.
            _ if self.depth > 0 && !asks && open.pane == Pane::Why => open.pane = Pane::Stage,
            Action::Up if !asks => open.pane = Pane::Stage,
            Action::Up | Action::Partner => {}
            // Where one pane is visible at a time, show what was changed.
            _ if alone => open.pane = Pane::Stage,
            // Otherwise the stage is visible: the run's list covers only the text.
            _ => {}
        }
    }

    /// Remembers where the learner asked, as long as the explanation lasts.
    fn remember(self, open: &mut OpenLesson, action: Action) {
        let asks = open.walk.session.asks_why();
        match action {
            Action::Why if self.depth > 0 => {}
            Action::Why => {
                let opened = asks || self.has_moved(&open.walk.session);
                open.page.return_to = opened.then_some(self.shown);
            }
            Action::Up | Action::Partner if asks => {}
            _ => open.page.return_to = None,
        }
    }
}

/// The experiment of the picture on the stage, if no cell of the picture is under the cursor.
fn waiting_job(app: &App) -> Option<Job> {
    let session = &app.open_lesson.as_ref()?.walk.session;
    match &session.picture()?.body {
        Body::Job(job) if session.box_at_cursor().is_none() => Some(job.clone()),
        _ => None,
    }
}

/// Starts an experiment, unless it runs or has ended already.
fn start_once(app: &mut App, job: Job) -> Option<Effect> {
    let Some((_, progress)) = &app.open_lesson.as_ref()?.page.job else {
        return Some(Effect::Start(job));
    };
    app.notice = Some(if progress.done < 1.0 {
        "It runs already; Esc stops it.".to_owned()
    } else {
        "It is done; r runs it again.".to_owned()
    });
    None
}

/// Performs an action on the stage; the session keeps a refusal and shows it.
pub(super) fn perform(open: &mut OpenLesson, action: Action) {
    if let Some(intent) = action.traits().intent {
        open.walk.session.act_or_refuse(&intent);
    }
}

/// The steered work of the current picture.
pub(super) fn live(app: &App) -> Option<&Live> {
    match &app.open_lesson.as_ref()?.walk.session.picture()?.body {
        Body::Live(live) => Some(live),
        _ => None,
    }
}

/// Steers the current picture's work.
pub(super) fn steer(app: &mut App, what: Steer) {
    let Some(live) = live(app) else {
        app.notice = Some("This steers a training run; look at one first.".to_owned());
        return;
    };
    let work = live.work.clone();
    app.notice = work.steer(what);
    app.live = Some(work);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::LESSONS;
    use crate::lesson::progress::Progress;
    use crate::screen::update::act;
    use crate::widgets::theme::Theme;

    #[test]
    fn enter_asks_about_a_cell_again_after_the_next_step_and_after_the_next_page() {
        let mut app = App::new(None, Theme::mono(), Progress::default(), None);
        app.open(LESSONS[3]);
        let asks = |app: &App| app.open_lesson.as_ref().unwrap().walk.session.asks_why();
        let pane = |app: &App| app.open_lesson.as_ref().unwrap().pane;
        let pages = app.open_lesson.as_ref().unwrap().walk.pages.len();
        let shows = |app: &mut App, page| {
            app.turn_to(page);
            let open = app.open_lesson.as_ref().unwrap();
            app.unanswered().is_none() && open.walk.session.step().is_some()
        };
        let free: Vec<usize> = (0..pages).filter(|&page| shows(&mut app, page)).collect();
        app.turn_to(free[0]);
        act(&mut app, Action::Why);
        assert!(asks(&app) && pane(&app) == Pane::Why);
        act(&mut app, Action::Step(1));
        assert!(!asks(&app) && pane(&app) == Pane::Stage);
        act(&mut app, Action::Why);
        assert!(asks(&app));
        app.turn_to(free[1]);
        assert!(!asks(&app) && pane(&app) == Pane::Read);
        act(&mut app, Action::Why);
        assert!(asks(&app));
    }
}
