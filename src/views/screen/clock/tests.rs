use std::collections::BTreeSet;

use crate::screen::key::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::*;
use crate::curriculum::find;
use crate::lesson::page::Page;
use crate::lesson::progress::Progress;
use crate::lesson::session::Focus;
use crate::screen::app::{App, Pane};
use crate::screen::update::{Message, update};
use crate::screen::view;
use crate::typeset::number::short;
use crate::widgets::lines::text;
use crate::widgets::theme::Theme;

/// A walkthrough with animations, in `lesson`, on a page without a question, whose stage shows the lesson's own
/// experiment.
fn walkthrough(lesson: &str, size: (u16, u16)) -> App {
    let mut app = App::new(
        Some(find(lesson).unwrap()),
        Theme::mono(),
        Progress::default(),
        None,
    );
    (app.display.size, app.display.still) = (size, false);
    let pages = find(lesson).unwrap().pages().unwrap();
    let free = |page: &Page| page.predictions().next().is_none() && page.stage().is_some();
    app.turn_to(pages.iter().position(free).unwrap());
    if let Some(open) = app
        .open_lesson
        .as_mut()
        .filter(|open| open.walk.lesson().trained)
    {
        open.walk.session.set("scene", "experiment").unwrap();
    }
    app
}

fn press(app: &mut App, key: KeyCode) {
    update(app, Message::Key(KeyEvent::new(key, KeyModifiers::NONE)));
}

fn session(app: &mut App) -> &mut Session {
    &mut app.open_lesson.as_mut().unwrap().walk.session
}

fn drawn(app: &App) -> String {
    let area = Rect::new(0, 0, app.display.size.0, app.display.size.1);
    let mut buf = Buffer::empty(area);
    view::draw(app, area, &mut buf);
    app.display.theme.finish(&mut buf);
    text(&buf)
}

/// Shows the step before the one called `name`, then steps forward.
fn step_to(app: &mut App, name: &str) {
    session(app).show(name).unwrap();
    let Focus::Step(n) = session(app).focus() else {
        panic!("{name} is not a step");
    };
    session(app).set_focus(Focus::Step(n - 1));
    press(app, KeyCode::Char(' '));
    assert_eq!(session(app).focus(), Focus::Step(n));
}

#[test]
fn a_clock_counts_whole_frames_and_keeps_the_rest() {
    let mut clock = Clock(Instant::now() - FRAME * 3 - FRAME / 2);
    assert_eq!(clock.frames(), 3);
    assert_eq!(clock.frames(), 0);
    assert!(clock.left() <= FRAME / 2);
}

#[test]
fn a_step_plays_its_movement_and_then_the_ordinary_view_stands() {
    let mut app = walkthrough("attention", (120, 40));
    step_to(&mut app, "scores");
    let frames = app.playing.as_ref().unwrap().moving.frames();
    let mut seen = BTreeSet::new();
    for _ in 0..frames {
        assert!(app.playing.is_some());
        let screen = drawn(&app);
        assert!(screen.contains("64 products, their sum is"), "{screen}");
        seen.insert(screen);
        update(&mut app, Message::Tick(1));
    }
    assert!(seen.len() > frames / 2, "{} frames differ", seen.len());
    assert!(app.playing.is_none());
    let mut still = walkthrough("attention", (120, 40));
    still.display.still = true;
    step_to(&mut still, "scores");
    assert!(still.playing.is_none());
    assert_eq!(drawn(&app), drawn(&still));
}

#[test]
fn any_key_ends_a_movement_and_does_what_it_does() {
    let mut app = walkthrough("attention", (80, 24));
    step_to(&mut app, "scores");
    let before = session(&mut app).cursor().to_vec();
    app.open_lesson.as_mut().unwrap().pane = Pane::Stage;
    assert!(app.playing.is_some());
    press(&mut app, KeyCode::Right);
    assert!(app.playing.is_none());
    assert_ne!(session(&mut app).cursor(), before);
    press(&mut app, KeyCode::Char('W'));
    assert!(app.playing.is_some(), "W plays it again, at the cursor");
    update(
        &mut app,
        Message::Wheel {
            lines: 1,
            column: 1,
            row: 1,
        },
    );
    assert!(app.playing.is_none());
}

#[test]
fn asking_why_plays_how_the_cell_came_about_all_the_way_down() {
    let mut app = walkthrough("attention", (120, 40));
    session(&mut app).show("weights").unwrap();
    let mut captions = Vec::new();
    for _ in 0..3 {
        press(&mut app, KeyCode::Enter);
        captions.extend(app.playing.as_ref().map(|playing| playing.moving.caption()));
    }
    // Scaling is not animated: it repeats one number.
    assert_eq!(captions.len(), 2, "{captions:?}");
    for caption in captions {
        assert!(caption.chars().any(|c| c.is_ascii_digit()), "{caption}");
    }
    let session = session(&mut app);
    let steps = session.trace().steps();
    let ops: Vec<&str> = session
        .path()
        .iter()
        .map(|at| steps[at.step].op())
        .collect();
    assert_eq!(ops[0], "softmax");
    assert_eq!(ops.len(), 3);
}

#[test]
fn a_movement_ends_where_its_run_does() {
    let mut app = walkthrough("attention", (120, 40));
    step_to(&mut app, "scores");
    session(&mut app).set("seed", "8").unwrap();
    // No key was pressed: the run came from elsewhere.
    let screen = drawn(&app);
    assert!(!screen.contains("products, their sum"), "{screen}");
}

#[test]
fn every_movement_draws_at_every_size_in_any_characters() {
    let lessons = [
        "embeddings",
        "masks",
        "attention",
        "multi-head",
        "layer-norm",
        "residuals",
        "teacher-forcing",
    ];
    let mut ops = BTreeSet::new();
    for lesson in lessons {
        let mut app = walkthrough(lesson, (120, 40));
        if lesson == "teacher-forcing" {
            session(&mut app).set("form", "embeddings").unwrap();
        }
        let mut here = BTreeSet::new();
        for step in 0..session(&mut app).trace().steps().len() {
            session(&mut app).set_focus(Focus::Step(step));
            let op = session(&mut app).step().unwrap().op();
            let rank = session(&mut app).cursor().len();
            if !here.insert((op, rank)) {
                continue;
            }
            let Some(first) = Moving::of(session(&mut app)) else {
                continue;
            };
            ops.insert(op);
            let caption = first.caption();
            let frames = first.frames();
            let mut times = 0;
            let shown = [
                (70, 26, Theme::true_dark()),
                (38, 20, Theme::ansi()),
                (56, 16, Theme::mono().in_ascii()),
                (120, 50, Theme::mono()),
                (30, 8, Theme::true_light()),
            ];
            for (wide, high, theme) in shown {
                for frame in (0..=frames).step_by(4) {
                    let area = Rect::new(0, 0, wide, high);
                    let mut buf = Buffer::empty(area);
                    let progress = frame as f32 / frames as f32;
                    let session = &app.open_lesson.as_ref().unwrap().walk.session;
                    let is_drawn = first.draw(session, progress, area, &mut buf, &theme);
                    times += usize::from(is_drawn);
                    theme.finish(&mut buf);
                    // Letters of a sentence's words may be non-ASCII.
                    let drawn = text(&buf);
                    let plain = |c: char| c.is_ascii() || c.is_alphabetic();
                    assert!(!theme.ascii || drawn.chars().all(plain), "{op}: {drawn}");
                }
            }
            assert!(
                4 * times > 2 * frames,
                "{lesson} {op} is hardly ever drawn: {caption}"
            );
        }
    }
    for op in [
        "embedding",
        "matmul",
        "matmul_t",
        "softmax",
        "mask_fill",
        "reshape",
        "permute",
        "add",
        "mul",
        "normalize",
        "shift_right",
    ] {
        assert!(ops.contains(op), "{op} never moves in {lessons:?}: {ops:?}");
    }
}

#[test]
fn a_caption_says_the_numbers_of_the_run() {
    let mut app = walkthrough("attention", (120, 40));
    session(&mut app).show("scores").unwrap();
    session(&mut app).put_cursor(&[1, 2, 3, 4]).unwrap();
    let value = session(&mut app).step().unwrap().value.at(&[1, 2, 3, 4]);
    let caption = Moving::of(session(&mut app)).unwrap().caption();
    assert!(
        caption.ends_with(&format!("scores[1,2,3,4] = {}.", short(value, 8))),
        "{caption}"
    );
    assert!(caption.starts_with("query row 3"), "{caption}");
    let word = session(&mut app)
        .trace()
        .word("s", 1, 4)
        .unwrap()
        .to_owned();
    assert!(
        caption.contains(&format!("key row 4 \"{word}\"")),
        "{caption}"
    );
}

#[test]
fn a_stage_hidden_by_a_prediction_is_not_animated() {
    let mut app = walkthrough("attention", (120, 40));
    let page = (0..).find(|page| {
        app.turn_to(*page);
        app.unanswered().is_some()
    });
    assert!(page.is_some());
    press(&mut app, KeyCode::Char(' '));
    press(&mut app, KeyCode::Char('W'));
    assert!(app.playing.is_none());
}
