//! Every page of every lesson, and the screens beside them, drawn: nothing is cut, broken, drawn over or empty.
//!
//! [`faults`] lists what is checked. By default the tests check every page of all lessons except [`SLOW`], and home,
//! help and glossary, at 120×40 and at 80×24; the ignored tests check that lesson too, and other sizes.
//! `TRANSFORMER_TUTOR_PAGES=attention cargo test --test screen pages -- --nocapture` checks only one lesson, and prints the
//! screens with faults.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use transformer_tutor::command::Action;
use transformer_tutor::curriculum::{self, LESSONS};
use transformer_tutor::lesson::Lesson;
use transformer_tutor::lesson::page::Block;
use transformer_tutor::lesson::progress::Progress;
use transformer_tutor::tui::app::{App, Pane, Target};
use transformer_tutor::tui::gallery::{Gallery, Screen, Size};
use transformer_tutor::tui::update::act;
use transformer_tutor::tui::view;
use transformer_tutor::widgets::audit::{Loss, losses};
use transformer_tutor::widgets::lines::{self, clip, put, put_over, text, wrap};
use transformer_tutor::widgets::prose;
use transformer_tutor::widgets::theme::Theme;

/// Minimum number of rows of a stage that are not blank.
const LEAST_ROWS: usize = 3;

/// The lesson whose pages train a translator for 400 updates, with and without mistakes. It takes as long as all others
/// together.
pub const SLOW: &str = "training";

/// All faults of a screen, one sentence each.
fn faults(screen: &Screen<'_>) -> Vec<String> {
    let mut messages: Vec<String> = screen.lost.iter().map(lost).collect();
    let panes = panes(screen.app);
    for (rect, pane) in panes {
        messages.extend(frame(&screen.buf, rect));
        if pane == Pane::Stage {
            messages.extend(emptiness(&screen.buf, rect));
        }
    }
    messages.extend(prose_faults(screen.app));
    messages
}

/// Describes a loss that was recorded while drawing.
fn lost(loss: &Loss) -> String {
    match loss {
        Loss::Cut(text) => format!("cut, and nothing shows the rest: {text}"),
        Loss::Beyond(text, columns) => format!("runs out of its {columns} columns: {text}"),
        Loss::Broken(word, columns) => format!("broken in {columns} columns: {word}"),
        Loss::Over(text, under) => format!("'{text}' is drawn over '{under}'"),
    }
}

/// The panes of the last frame, including their rules.
fn panes(app: &App) -> Vec<(Rect, Pane)> {
    let targets = app.last_frame.targets.borrow();
    let panes = targets.iter().filter_map(|(rect, target)| match target {
        Target::Pane(pane) => Some((*rect, *pane)),
        _ => None,
    });
    panes.collect()
}

/// Reports a pane whose rule or margin was drawn over.
fn frame(buf: &Buffer, rect: Rect) -> Option<String> {
    let at = |x: u16, y: u16| buf[(x, y)].symbol();
    let left = if rect.x > 0 { "│" } else { " " };
    (rect.y + 1..rect.bottom())
        .find(|&y| at(rect.x, y) != left || at(rect.right() - 1, y) != " ")
        .map(|y| format!("row {y} of the pane at {rect} runs over its border"))
}

/// Reports a stage that is nearly blank.
fn emptiness(buf: &Buffer, rect: Rect) -> Option<String> {
    let inside = |y: u16| (rect.x + 1..rect.right() - 1).any(|x| buf[(x, y)].symbol() != " ");
    let rows = (rect.y + 1..rect.bottom()).filter(|&y| inside(y)).count();
    (rows < LEAST_ROWS).then(|| format!("the stage has {rows} rows of anything"))
}

/// Reports lines of the page's text that are wider than its pane, and numbers that are broken across two lines.
fn prose_faults(app: &App) -> Vec<String> {
    let Some(open) = &app.open_lesson else {
        return Vec::new();
    };
    let wrapped = open.wrapped.borrow();
    let Some(page) = wrapped.as_ref() else {
        return Vec::new();
    };
    let lines: Vec<String> = page
        .lines
        .iter()
        .map(|(line, _)| line.to_string())
        .collect();
    let whole = unbroken(&open.walk.blocks(&app.progress), app);
    beyond(&lines, usize::from(page.key.width))
        .chain(broken_numbers(&lines, &whole))
        .collect()
}

fn beyond(all: &[String], width: usize) -> impl Iterator<Item = String> {
    let wide = all.iter().filter(move |line| lines::width(line) > width);
    wide.map(move |line| format!("wider than {width} columns: {line}"))
}

/// The text of a page before it is wrapped.
fn unbroken(blocks: &[Block], app: &App) -> String {
    let lines = prose::lines(blocks, 2000, &app.prose());
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// Reports numbers that continue on the next line although `whole` has them in one piece.
fn broken_numbers<'a>(lines: &'a [String], whole: &'a str) -> impl Iterator<Item = String> + 'a {
    let ends_where_it_should = |line: &str| whole.lines().any(|unbroken| unbroken == line);
    lines.windows(2).filter_map(move |pair| {
        if ends_where_it_should(&pair[0]) {
            return None;
        }
        let before = pair[0].split_whitespace().next_back()?;
        let after = pair[1].trim_start_matches([' ', '│', '|', '>']);
        let after = after.split_whitespace().next()?;
        let joined = format!("{before}{after}");
        let of_a_number = |c: char| c.is_ascii_digit() || "−-.,×/e".contains(c);
        let broken = before.ends_with(of_a_number)
            && before.contains(|c: char| c.is_ascii_digit())
            && after.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && whole.split_whitespace().any(|word| word == joined);
        broken.then(|| format!("the number {joined} is broken across two lines"))
    })
}

/// Checks lessons and the screens beside them on two threads; returns every fault with the screens that have it.
fn look(lessons: &[&'static Lesson], sizes: &[Size]) -> BTreeMap<String, Vec<String>> {
    let only = std::env::var("TRANSFORMER_TUTOR_PAGES").ok();
    let screens_of: Mutex<BTreeMap<String, Vec<String>>> = Mutex::default();
    let (next, seen) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let enter = |screen: Screen<'_>| {
        seen.fetch_add(1, Ordering::Relaxed);
        let faults = faults(&screen);
        if !faults.is_empty() && std::env::var_os("TRANSFORMER_TUTOR_PAGES").is_some() {
            println!("{}\n{}", screen.name, text(&screen.buf));
        }
        let (w, h) = screen.size;
        for fault in faults {
            let mut screens_of = screens_of.lock().unwrap();
            let screens = screens_of.entry(fault).or_default();
            screens.push(format!("{} at {w}×{h}", screen.name));
        }
    };
    let work = || {
        let gallery = Gallery {
            sizes,
            theme: Theme::by_name("mono").unwrap(),
        };
        if let Some(only) = &only {
            if next.fetch_add(1, Ordering::Relaxed) == 0 {
                gallery.lesson(curriculum::find(only).unwrap(), &mut |screen| enter(screen));
            }
            return;
        }
        loop {
            match next.fetch_add(1, Ordering::Relaxed) {
                n if n < lessons.len() => {
                    let begun = Instant::now();
                    gallery.lesson(lessons[n], &mut |screen| enter(screen));
                    println!(
                        "{}: {:.1} s",
                        lessons[n].name,
                        begun.elapsed().as_secs_f32()
                    );
                }
                n if n == lessons.len() => gallery.beside(&mut |screen| enter(screen)),
                _ => return,
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    println!("{} screens", seen.into_inner());
    screens_of.into_inner().unwrap()
}

#[track_caller]
fn whole(lessons: &[&'static Lesson], sizes: &[Size]) {
    let faults = look(lessons, sizes);
    let lines: Vec<String> = faults
        .iter()
        .map(|(fault, screens)| {
            let more = screens.len() - 1;
            format!("{fault}\n    {} and {more} more", screens[0])
        })
        .collect();
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        lines.join("\n")
    );
}

/// All lessons, the slowest first, so that neither thread waits long for the other.
fn all() -> Vec<&'static Lesson> {
    let mut all: Vec<&Lesson> = LESSONS.iter().map(|lesson| &***lesson).collect();
    let slow = [SLOW, "decoding", "looking-inside"];
    all.sort_by_key(|lesson| {
        slow.iter()
            .position(|name| *name == lesson.name)
            .unwrap_or(9)
    });
    all
}

#[test]
fn every_page_of_all_lessons_but_one_is_whole_at_120_by_40_and_at_80_by_24() {
    let mut quick = all();
    quick.retain(|lesson| lesson.name != SLOW);
    assert_eq!(quick.len() + 1, LESSONS.len());
    whole(&quick, &[(120, 40), (80, 24)]);
}

#[test]
#[ignore = "one lesson's pages train for a quarter of a minute"]
fn every_page_is_whole_at_120_by_40_and_at_80_by_24() {
    whole(&all(), &[(120, 40), (80, 24)]);
}

#[test]
#[ignore = "the other sizes: for a change of the layout"]
fn every_page_is_whole_at_60_by_20_and_at_200_by_60() {
    whole(&all(), &[(60, 20), (200, 60)]);
}

/// Sizes just below and above those at which the layout changes, and sizes that no display has.
const ODD: [Size; 14] = [
    (1, 1),
    (59, 19),
    (61, 21),
    (79, 23),
    (81, 25),
    (119, 33),
    (121, 35),
    (161, 51),
    (60, 400),
    (1000, 20),
    (1000, 400),
    (1395, 24),
    (1561, 34),
    (5000, 20),
];

#[test]
fn every_lesson_is_drawn_within_its_panes_at_odd_and_huge_sizes() {
    let quick = all().into_iter().filter(|lesson| lesson.name != SLOW);
    let theme = Theme::by_name("dark").unwrap();
    for lesson in quick {
        let mut app = App::new(None, theme.clone(), Progress::default(), None);
        app.open(lesson);
        let opened = [
            None,
            Some(Action::Why),
            Some(Action::Full),
            Some(Action::Help),
            Some(Action::Quiz),
            Some(Action::Palette),
        ];
        for action in opened {
            if let Some(action) = action {
                app.turn_to(2);
                act(&mut app, action);
                // Clear the notice, which covers the lowest lines.
                app.notice = None;
            }
            for size in ODD {
                app.display.size = size;
                let area = Rect::new(0, 0, size.0, size.1);
                let mut buf = Buffer::empty(area);
                view::draw(&app, area, &mut buf);
                app.display.theme.finish(&mut buf);
                for (rect, _) in panes(&app) {
                    let fault = frame(&buf, rect);
                    let name = lesson.name;
                    assert_eq!(fault, None, "{name} with {action:?} at {size:?}");
                }
            }
            act(&mut app, Action::Close);
        }
    }
}

/// Draws the second page of a lesson; returns the app, the buffer and the recorded losses.
fn drawn(size: Size, draw: impl FnOnce(&App, &mut Buffer)) -> (App, Buffer, Vec<Loss>) {
    let theme = Theme::by_name("mono").unwrap();
    let mut app = App::new(None, theme, Progress::default(), None);
    app.open(curriculum::find("masks").unwrap());
    app.display.size = size;
    app.turn_to(1);
    let area = Rect::new(0, 0, size.0, size.1);
    let mut buf = Buffer::empty(area);
    let lost = losses(|| {
        view::draw(&app, area, &mut buf);
        draw(&app, &mut buf);
    });
    (app, buf, lost)
}

#[test]
fn each_check_finds_a_fault_that_is_planted() {
    let size = (120, 40);
    let faults_of = |draw: &dyn Fn(&App, &mut Buffer)| {
        let (app, buf, lost) = drawn(size, draw);
        let name = String::new();
        faults(&Screen {
            name,
            size,
            app: &app,
            buf,
            lost,
        })
    };
    #[track_caller]
    fn says(faults: &[String], words: &str) {
        assert!(
            faults.iter().any(|fault| fault.contains(words)),
            "{words}: {faults:?}"
        );
    }
    assert_eq!(
        faults_of(&|_, _| ()),
        [] as [String; 0],
        "the page itself is whole"
    );
    let (plain, pane) = (Style::new(), |app: &App| panes(app)[0].0);
    let over = faults_of(&|app, buf| {
        put(buf, pane(app), 3, 1, "text over text", plain);
    });
    says(&over, "is drawn over");
    let border = faults_of(&|app, buf| {
        put_over(buf, pane(app), 0, 7, "runs over", plain);
    });
    says(&border, "runs over its border");
    let wide = faults_of(&|app, buf| {
        let pane = pane(app);
        put(
            buf,
            pane,
            usize::from(pane.width) - 4,
            5,
            "too long a text",
            plain,
        );
    });
    says(&wide, "runs out of its 4 columns");
    says(
        &faults_of(&|_, _| {
            clip("a word that is cut", 9, "…");
        }),
        "cut, and nothing",
    );
    says(
        &faults_of(&|_, _| {
            wrap("1,050,624", 5);
        }),
        "broken in 5 columns",
    );
    let empty = faults_of(&|app, buf| {
        let stage = panes(app)
            .into_iter()
            .find(|(_, pane)| *pane == Pane::Stage);
        let (rect, _) = stage.unwrap();
        for y in rect.y + 2..rect.bottom() {
            for x in rect.x + 1..rect.right() - 1 {
                buf[(x, y)].set_symbol(" ");
            }
        }
    });
    says(&empty, "the stage has");
    let lines = ["it has 1,050,", "624 numbers"].map(str::to_owned);
    let broken = |whole: &str| broken_numbers(&lines, whole).count();
    assert_eq!(broken("it has 1,050,624 numbers"), 1);
    assert_eq!(broken("it has 1,050, 624 numbers"), 0);
    assert_eq!(beyond(&lines, 12).count(), 1);
    assert_eq!(beyond(&lines, 13).count(), 0);
}
