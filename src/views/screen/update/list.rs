//! The list of lessons: moving in it, and typing a lesson's number.

use super::super::app::{App, Overlay, Station};
use super::Effect;
use crate::command::Action;
use crate::curriculum::LESSONS;
use crate::lesson::session::Direction;

/// Carries out an action in the list of lessons.
pub(super) fn act(app: &mut App, action: Action) -> Option<Effect> {
    match action {
        Action::Move(Direction::Horizontal, _) => {}
        Action::Move(Direction::Vertical, by) | Action::Page(by) | Action::Step(by) => {
            app.list.chosen = app.list.chosen.moved(by);
        }
        Action::FirstPage => app.list.chosen = app.list.chosen.moved(isize::MIN),
        Action::LastPage => app.list.chosen = app.list.chosen.moved(isize::MAX),
        Action::Pane => app.list.chosen = app.list.chosen.across(),
        Action::Break(n) => number(app, n.to_string()),
        Action::Why => {
            // A term's card leads to the lesson that teaches the term.
            let taught = match &app.overlay {
                Some(Overlay::Term(card)) => LESSONS.iter().position(|l| l.number == card.lesson),
                _ => None,
            };
            app.open_station(taught.map_or(app.list.chosen, Station::Lesson));
        }
        _ => {
            app.notice = Some(
                "Enter opens the chosen line, or type a lesson's number; ? lists what is possible."
                    .to_owned(),
            );
        }
    }
    None
}

/// Handles the digits of a lesson's number typed so far. Two digits open the lesson, and so does one that no second
/// digit can follow; any other single digit selects its lesson and waits for the next key.
pub(super) fn number(app: &mut App, digits: String) {
    let last = LESSONS
        .iter()
        .map(|lesson| lesson.number)
        .max()
        .unwrap_or(0);
    let Ok(number) = digits.parse::<usize>() else {
        return;
    };
    let Some(place) = LESSONS.iter().position(|lesson| lesson.number == number) else {
        app.notice = Some(format!(
            "There is no lesson {digits}; they go from 00 to {last}."
        ));
        return;
    };
    app.list.chosen = Station::Lesson(place);
    if digits.len() > 1 || 10 * number > last {
        app.list.opened = true;
        app.open(LESSONS[place]);
        return;
    }
    app.notice = Some(match number {
        0 => "0: a second digit opens 01 to 09; Enter opens 00, the tour.".to_owned(),
        n => format!(
            "{n}: a second digit opens {n}0 to {}; Enter opens {n:02}.",
            (10 * n + 9).min(last)
        ),
    });
    app.list.digits = digits;
}
