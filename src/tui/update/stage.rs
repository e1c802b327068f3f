//! Effects of keys on the stage, its charts and the work that it shows.

use super::super::app::{App, Overlay, Pane, Room, Slope};
use super::super::command::{self, Action};
use super::super::layout::Tier;
use super::Effect;
use crate::lesson::Body;
use crate::lesson::chart::Turn;
use crate::lesson::picture::{Live, Steer};

/// Changes the view of the chart shown by an experiment, or else by the picture; `false` if there is none.
pub(super) fn on_chart(room: &mut Room, turn: Turn) -> bool {
    match &room.job {
        Some((_, progress)) => room.walk.session.turn_view_of(&progress.body, turn),
        None => room.walk.session.turn_view(turn),
    }
}

pub(super) fn turn_chart(app: &mut App, turn: Turn) {
    let small = app.tier() <= Tier::One;
    let Some(room) = &mut app.room else { return };
    let before = room.walk.session.view();
    if !on_chart(room, turn) {
        app.notice = Some("This turns a chart: v looks at the lesson's pictures.".to_owned());
        return;
    }
    let after = room.walk.session.view();
    if matches!(turn, Turn::Zoom(1..)) && after.window == before.window {
        app.notice = Some("There are too few points here to look closer.".to_owned());
    }
    if small {
        room.pane = Pane::Stage;
    }
}

/// Asks for the slope with respect to the cell under the cursor, shown from this line on.
pub(super) fn ask_slope(app: &mut App, line: usize) -> Option<Effect> {
    if app.asks_first() {
        return None;
    }
    let asked = app.room.as_ref()?.walk.session.question();
    let effect = asked.clone().ok().map(Box::new).map(Effect::Slope);
    let found = None;
    app.overlay = Some(Overlay::Slope(Box::new(Slope { asked, found }), line));
    effect
}

/// Asks for the slope again if one is shown and the cell under the cursor or the run has changed, for whatever reason.
pub fn moved_slope(app: &mut App) -> Option<Effect> {
    let (Some(Overlay::Slope(slope, line)), Some(room)) = (&app.overlay, &app.room) else {
        return None;
    };
    let same = match (&slope.asked, &room.walk.session.question()) {
        (Ok(then), Ok(now)) => then.is(now),
        (then, now) => then.as_ref().err() == now.as_ref().err(),
    };
    let line = *line;
    if same { None } else { ask_slope(app, line) }
}

/// True if an action changes what the stage shows, which would go unseen while a question hides the stage.
fn changes_what_is_hidden(action: Action) -> bool {
    matches!(
        action,
        Action::Step(_)
            | Action::Why
            | Action::Break(_)
            | Action::Picture(_)
            | Action::Turn(_)
            | Action::Difference
            | Action::Lens(_)
            | Action::Multiples
    )
}

/// Opens the page's question and selects option `n`, counted from 0, if it exists; Enter then answers with it.
fn offer(app: &mut App, n: usize) -> Option<Effect> {
    app.ask(false);
    if let Some(Overlay::Ask(asked)) = &mut app.overlay {
        asked.choose_option(n);
    }
    app.notice = Some("Predict first, then the stage shows: Enter or a number answers.".to_owned());
    None
}

pub(super) fn on_stage(app: &mut App, action: Action) -> Option<Effect> {
    if app.unanswered().is_some() && changes_what_is_hidden(action) {
        if let Action::Break(n) = action {
            // The options are numbered, too: a digit pressed here is meant for them.
            return offer(app, n - 1);
        }
        app.asks_first();
        return None;
    }
    if matches!(app.overlay, Some(Overlay::Help(_))) && changes_what_is_hidden(action) {
        app.notice = Some("This is the help: Esc closes it, and then the key works.".to_owned());
        return None;
    }
    let small = app.tier() <= Tier::One;
    let room = app.room.as_mut()?;
    if matches!(action, Action::Why)
        && let Some(Body::Job(job)) = room.walk.session.picture().map(|p| &p.body)
        && room.walk.session.place_at_cursor().is_none()
    {
        // A running or finished experiment stays on the screen; only one that has not run is started.
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
    let ran = room.job.take().is_some();
    let before = (room.walk.session.focus(), room.walk.session.way().len());
    let edited = !room.walk.session.edits().is_empty();
    let asked = room.walk.session.asks_why();
    ask(room, action);
    if asked && !room.walk.session.asks_why() && room.pane == Pane::Why {
        // Otherwise Enter would choose from the list of steps instead of asking about the cell.
        room.pane = Pane::Stage;
    }
    let after = (room.walk.session.focus(), room.walk.session.way().len());
    match action {
        Action::Why => {
            app.overlay = None;
            room.pane = Pane::Why;
            if !room.walk.session.asks_why() {
                room.pane = Pane::Stage;
            }
            // On a box of a map, the action has opened a tensor, so no picture is shown any more.
            if !room.walk.session.asks_why() && room.walk.session.picture().is_some() {
                app.notice = Some(
                    "A picture's cells have no single origin; Space goes to the tensors."
                        .to_owned(),
                );
            }
        }
        Action::Up if !room.walk.session.asks_why() => room.pane = Pane::Stage,
        Action::Up | Action::Partner => {}
        // On a small screen, show what was changed.
        _ if small => room.pane = Pane::Stage,
        // Otherwise the stage is visible: the run's list covers only the text.
        _ => {}
    }
    let waits = matches!(room.walk.session.picture().map(|p| &p.body), Some(Body::Job(job)) if job.pace.is_zero());
    if ran && waits && matches!(action, Action::Break(_) | Action::Turn(_)) {
        let words = "What ran before had other settings. Enter or r runs it with these.";
        app.notice = Some(words.to_owned());
    }
    if edited
        && room.walk.session.edits().is_empty()
        && matches!(action, Action::Break(_) | Action::Turn(_))
    {
        let words =
            "Your change of a cell belonged to the run before; e makes it again in this one.";
        app.notice = Some(words.to_owned());
    }
    let forward = match action {
        Action::Step(by) => by > 0,
        action => action == Action::Why,
    };
    if forward && before != after && !app.still {
        app.play_movement();
    }
    // An experiment on one run must not continue on another.
    Some(Effect::Stop)
}

/// Performs an action on the stage; the session keeps a refusal and shows it.
pub(super) fn ask(room: &mut Room, action: Action) {
    if let Some(intent) = command::intent(action) {
        room.walk.session.act_or_refuse(&intent);
    }
}

/// The steered work of the current picture.
pub(super) fn live(app: &App) -> Option<&Live> {
    match &app.room.as_ref()?.walk.session.picture()?.body {
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
    use crate::tui::update::act;
    use crate::widgets::theme::Theme;

    #[test]
    fn enter_asks_about_a_cell_again_after_the_next_step_and_after_the_next_page() {
        let mut app = App::new(None, Theme::mono(), Progress::default(), None);
        app.open(LESSONS[3]);
        let asks = |app: &App| app.room.as_ref().unwrap().walk.session.asks_why();
        let pane = |app: &App| app.room.as_ref().unwrap().pane;
        let pages = app.room.as_ref().unwrap().walk.pages.len();
        let shows = |app: &mut App, page| {
            app.turn_to(page);
            let room = app.room.as_ref().unwrap();
            app.unanswered().is_none() && room.walk.session.step().is_some()
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
