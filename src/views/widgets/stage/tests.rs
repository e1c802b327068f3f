use proptest::prelude::*;
use ratatui::style::Color;

use super::*;
use crate::autograd::Tape;
use crate::lesson::exercise::{Mistakes, Task};
use crate::lesson::{
    Bar, Body, Exercise, Kind, Knob, Lesson, Mistake, Picture, Range, Run, Series, Settings, Stage,
};
use crate::params::Params;
use crate::testing::{assert_contains, assert_starts_with};
use crate::widgets::lines::text;

struct Small;

static KNOBS: [Knob; 2] = [
    Knob {
        name: "heads",
        about: "how many",
        range: Range::Whole {
            least: 1,
            most: 8,
            stops: &[1, 2, 4, 8],
        },
        default: "2",
        auto: None,
    },
    Knob {
        name: "seed",
        about: "which numbers",
        range: Range::Whole {
            least: 0,
            most: 9,
            stops: &[0, 1, 2],
        },
        default: "0",
        auto: None,
    },
];

impl Stage for Small {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        if 8 % settings.integer("heads") != 0 {
            return Err("d_model (8) must be divisible by the number of heads.".to_owned());
        }
        let tape = Tape::eval(&Params::new(0));
        let ids = Tensor::new(&[2, 4], vec![5.0, 6.0, 7.0, 2.0, 5.0, 7.0, 0.0, 0.0]);
        let mask = tape
            .ids("src", ids, &["b", "s"])
            .not_equal(0.0)
            .unsqueeze(1)
            .named("mask");
        let scores = Tensor::from_fn(&[2, 3, 4], |i| i[1] as f32 - i[2] as f32 * 0.5);
        let scores = tape.input("scores", scores, &["b", "t", "s"]);
        let factor = if settings.broken("double") { 2.0 } else { 1.0 };
        let scores = scores.scale(factor).named("scaled");
        let weights = scores
            .mask_fill(&mask, -1e9)
            .named("masked")
            .softmax()
            .named("weights");
        let value = Tensor::from_fn(&[2, 4, 6], |i| (i[1] * 6 + i[2]) as f32 / 10.0 - 1.0);
        let _ = weights
            .matmul(&tape.input("value", value, &["b", "s", "k"]))
            .named("context");
        tape.constant(
            "vector",
            Tensor::from_fn(&[40], |i| i[0] as f32 - 20.0),
            &["k"],
        );
        tape.constant("one", Tensor::scalar(0.25), &[]);
        tape.constant("empty", Tensor::zeros(&[0, 3]), &["t", "k"]);
        let strange = vec![f32::NAN, 1.0, f32::INFINITY, -2.5];
        tape.constant("strange", Tensor::new(&[2, 2], strange), &["", "k"]);
        let words = |all: &[&[&str]]| -> Vec<Vec<String>> {
            let sentence = |s: &&[&str]| s.iter().map(|&w| w.to_owned()).collect();
            all.iter().map(sentence).collect()
        };
        Ok(Run {
            trace: tape
                .trace()
                .label(
                    "s",
                    words(&[&["der", "Hund", "läuft", "."], &["der", "注意", "–", "–"]]),
                )
                .label("t", words(&[&["the", "dog", "runs"]])),
            pictures: pictures(),
            leak: Some(if factor == 1.0 { 0.0 } else { 0.41 }),
            ..Run::default()
        })
    }
}

fn pictures() -> Vec<Picture> {
    let says = "What there is to see in it, at some length, so that it wraps.";
    let picture = |name, body| Picture::new(name, format!("The {name}"), says, body);
    let bar = |label: &str, value| Bar {
        label: label.to_owned(),
        value,
        note: format!("{value}"),
    };
    let cells = |row: [&str; 2]| row.map(str::to_owned).to_vec();
    vec![
        picture(
            "gram",
            Body::matrix(
                Tensor::from_fn(&[3, 3], |i| if i[1] <= i[0] { 1.0 } else { 0.0 }),
                Nature::Mask,
                ("query", ["the", "dog", "runs"].map(str::to_owned).to_vec()),
                ("key", Vec::new()),
            )
            .noted(vec![vec!["".to_owned(), "future".to_owned()]]),
        ),
        picture(
            "bars",
            Body::Bars {
                unit: "rms".to_owned(),
                bars: vec![bar("a", 1.0), bar("b", -3.0), bar("c", f64::NAN)],
                log: true,
            },
        ),
        picture(
            "curves",
            Body::Curves {
                x: "step".to_owned(),
                y: "loss".to_owned(),
                log: false,
                apart: false,
                series: vec![
                    Series {
                        name: "one".to_owned(),
                        points: (0..50)
                            .map(|i| (f64::from(i), 1.0 / f64::from(i + 1)))
                            .collect(),
                    },
                    Series {
                        name: "two".to_owned(),
                        points: vec![(0.0, f64::INFINITY)],
                    },
                ],
            },
        ),
        picture(
            "table",
            Body::Table {
                header: cells(["layer", "n"]),
                rows: vec![cells(["norm", "1024"]); 9],
            },
        ),
    ]
}

static MISTAKES: [Mistake; 1] = [Mistake {
    name: "double",
    title: "scale twice",
    watch: "Everything doubles.",
    effect: "1",
    settings: &[],
    hint: "",
    flaw: None,
}];

static LESSON: Lesson = Lesson {
    wrong: None,
    number: 1,
    folder: "small",
    name: "small",
    title: "Small",
    minutes: 1,
    runs: "untrained, random weights",
    runs_with: &[],
    own_words: None,
    needs: &[],
    gains: "",
    lights: &[],
    reveals: &[],
    text: "",
    quiz: "",
    pictures: &[],
    trained: false,
    so_far: None,
    own_stage: || Box::new(Small),
    knobs: &KNOBS,
    mistakes: &MISTAKES,
    exercise: Some(Exercise {
        name: "small",
        lesson: "small",
        kind: Kind::Core,
        minutes: Some(5),
        task: "",
        starter: "",
        solution: "",
        forms: &[],
        hints: [""; 4],
        why: "",
        changes: &[],
        diagnoses: &[],
        function: &Task {
            reference: (),
            starter: (),
            mistakes: Mistakes::listed(&[]),
            check: |()| Ok(()),
        },
    }),
    more: &[],
};

pub(super) fn session(name: &str, cursor: &[usize]) -> Session {
    let mut session = Session::new(&LESSON);
    session.show(name).unwrap();
    session.put_cursor(cursor).unwrap();
    session
}

pub(super) fn drawn(session: &Session, width: u16, height: u16, theme: &Theme) -> String {
    let mut buf = Buffer::empty(Rect::new(0, 0, width, height));
    draw(session, buf.area, &mut buf, theme, &Detail::All);
    text(&buf)
}

#[test]
fn weights_show_numbers_words_sums_and_blocked_columns() {
    let screen = drawn(&session("weights", &[1, 2, 1]), 64, 14, &Theme::mono());
    let expected = "\
weights  (2 b, 3 t, 4 s)  batch 1
           der           注意           –             –
  the      ▓.62          ░.38            ×             ×
  dog      ▓.62          ░.38            ×             ×
▸runs      ▓.62     [    ░.38    ]       ×             ×

weights[1,2,1] = 0.3775  row \"runs\" → column \"注意\"
× blocked 6 of 24
step 7 of 13: weights  softmax (2,3,4)  ← masked (2,3,4)
… mask scores scaled masked [weights] value context vector one …
heads ◂ 2 ▸  seed 0  leak ● none";
    assert_eq!(screen, expected);
}

#[test]
fn scores_in_little_room_are_shades_and_blocked_cells_do_not_flatten_them() {
    let screen = drawn(&session("masked", &[1, 0, 0]), 17, 12, &Theme::mono());
    assert_contains(&screen, "the");
    // The range ends at the largest score, 2, so the score 2 in the row of "runs" is drawn at full strength.
    assert!(
        screen.contains("runs ██") && screen.contains('×'),
        "{screen}"
    );
    assert!(!screen.contains("1e9"), "{screen}");
}

#[test]
fn the_stage_shows_mistakes_leaks_and_refusals() {
    let mut session = session("scaled", &[0, 0, 0]);
    session.switch("double", true).unwrap();
    session.compare().unwrap();
    session.set("heads", "3").unwrap_err();
    let screen = drawn(&session, 70, 18, &Theme::mono());
    for text in [
        "Δ to the correct run",
        "broken: scale twice",
        "leak ● 0.41",
        "must be divisible",
    ] {
        assert!(screen.contains(text), "{text} is missing:\n{screen}");
    }
}

#[test]
fn in_ascii_nothing_else_is_drawn() {
    let theme = Theme::mono().in_ascii();
    for name in [
        "weights", "masked", "context", "gram", "bars", "curves", "table",
    ] {
        let mut session = Session::new(&LESSON);
        session.show(name).unwrap();
        let screen = drawn(&session, 60, 20, &theme);
        let strange: Vec<char> = screen.chars().filter(|c| !c.is_ascii()).collect();
        assert!(
            strange.iter().all(|c| "äß–注意".contains(*c)),
            "{name}: {strange:?}\n{screen}"
        );
    }
}

#[test]
fn a_cell_tells_its_terms_largest_first_and_the_way_ends_at_a_leaf() {
    let mut session = session("context", &[1, 0, 5]);
    session.ask();
    let why = |session: &Session| {
        let mut buf = Buffer::empty(Rect::new(0, 0, 60, 8));
        let _ = draw_why(session, buf.area, &mut buf, &Theme::mono());
        text(&buf)
    };
    let screen = why(&session);
    let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
    assert_eq!(
        lines[..4],
        [
            "context[1,0,5] = −0.2735  t0 \"the\"",
            "One number of what \"the\" gets: a sum of products.",
            "= sum(a * b)",
            "a is weights (2 b, 3 t, 4 s)  b is value (2 b, 4 s, 6 k)"
        ]
    );
    assert!(
        lines[4].starts_with("▸weights[…,0] 0.6225 × value[…,0,5] −0.500 = −0.3112"),
        "{screen}"
    );
    session.ask_partner();
    let leaf = why(&session);
    assert_starts_with(&leaf, "context[1,0,5] → value[1,0,5]\nvalue[1,0,5] = −0.5");
    assert!(
        leaf.replace('\n', " ").contains("The trail ends here."),
        "{leaf}"
    );
}

#[test]
fn plain_words_say_rows_of_weights_masks_and_the_way() {
    let mut session = session("weights", &[1, 2, 0]);
    let text = describe(&session);
    assert_starts_with(
        &text,
        "Step 7 of 13: weights (2 batch, 3 target, 4 source), by softmax of masked (2,3,4).",
    );
    assert_contains(
        &text,
        "row 2 \"runs\" gives 0.62 to \"der\", 0.38 to \"注意\"; 2 columns are blocked.",
    );
    assert!(text.contains("Leak: none."), "{text}");
    session.ask();
    assert_starts_with(&describe_why(&session), "weights[1,2,0] = 0.6225");
    session.show("mask").unwrap();
    assert_contains(
        &describe(&session),
        "Seen at leading index [1].\n  row 0 sees 0-1.",
    );
}

#[test]
fn the_cell_under_the_mouse_is_the_cell_that_was_drawn_there() {
    let session = session("weights", &[1, 2, 1]);
    let area = Rect::new(0, 0, 64, 14);
    let at = |x, y| index_at(&session, area, (x, y), &Theme::mono(), &Detail::All);
    assert_eq!(at(22, 3), Some(vec![1, 1, 1]));
    assert_eq!(at(2, 3), None);
}

/// Number of cells outside `area` that were written to.
fn outside(buf: &Buffer, area: Rect) -> usize {
    let mark = |x, y| buf[(x, y)].symbol() == "?";
    let all = buf.area.positions();
    all.filter(|p| !area.contains(*p) && !mark(p.x, p.y))
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_size_panics_or_writes_outside(
        place in (0u16..6, 0u16..6), size in (0u16..90, 0u16..30),
        what in 0usize..16, at in 0usize..200, theme in 0usize..5, ascii: bool,
    ) {
        let area = Rect::new(place.0, place.1, size.0, size.1);
        let mut theme = Theme::by_name(Theme::NAMES[theme]).unwrap();
        theme.ascii = ascii;
        theme.braille = at % 2 == 0;
        let mut session = Session::new(&LESSON);
        let steps = session.trace().steps().len();
        if what < steps {
            session.set_focus(crate::lesson::session::Focus::Step(what));
        } else {
            session.set_focus(crate::lesson::session::Focus::Picture((what - steps) % 4));
        }
        let shape = session.cursor_shape();
        if shape.iter().all(|n| *n > 0) {
            let index: Vec<usize> = shape.iter().map(|n| at % n).collect();
            session.put_cursor(&index).unwrap();
            if at % 3 == 0 {
                session.ask();
            }
        }
        let mut empty = ratatui::buffer::Cell::EMPTY;
        empty.set_symbol("?").set_fg(Color::Red);
        let mut buf = Buffer::filled(Rect::new(0, 0, 80, 24), empty.clone());
        draw(&session, area, &mut buf, &theme, &Detail::All);
        prop_assert_eq!(outside(&buf, area), 0);
        let mut buf = Buffer::filled(Rect::new(0, 0, 80, 24), empty);
        draw_why(&session, area, &mut buf, &theme);
        prop_assert_eq!(outside(&buf, area), 0);
        for (x, y) in [(area.x, area.y), (area.x + area.width / 2, area.y + area.height / 2)] {
            if let Some(index) = index_at(&session, area, (x, y), &theme, &Detail::All) {
                prop_assert!(session.put_cursor(&index).is_ok());
            }
        }
    }
}
