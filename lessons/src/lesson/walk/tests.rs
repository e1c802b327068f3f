//! Walks through lessons and along the core path.

use super::*;
use crate::curriculum;

fn walk(progress: &Progress) -> Walk {
    Walk::new(
        curriculum::find("attention").unwrap(),
        progress,
        FrontEnd::Screen,
        None,
    )
    .unwrap()
}

/// Opens a page and reads it.
fn read(walk: &mut Walk, page: usize, progress: &mut Progress) {
    walk.turn_to(page, progress).unwrap();
    assert!(walk.pass(walk.moment(), progress));
}

#[test]
fn the_minutes_left_are_those_of_the_main_road_and_optional_pages_are_counted_apart() {
    let mut progress = Progress::default();
    let mut walk = walk(&progress);
    let optional = walk.pages.iter().filter(|page| page.is_optional()).count();
    let main = walk.pages.len() - optional;
    assert!(optional > 0 && main > 2);
    let minutes = walk.lesson().minutes as usize;
    for page in (0..main).chain(0..main) {
        walk.turn_to(page, &mut progress).unwrap();
        assert_eq!(walk.left(&progress), (minutes, optional), "turned at once");
    }
    for page in 0..main {
        assert!(!walk.pages[page].is_optional(), "they stand at the end");
        read(&mut walk, page, &mut progress);
        let left = minutes * (main - page - 1) / main;
        assert_eq!(walk.left(&progress), (left, optional));
    }
    read(&mut walk, main, &mut progress);
    assert_eq!(walk.left(&progress), (0, optional - 1));
}

/// The walk as it goes on at `step` of the core path.
fn at_step(step: usize, progress: &mut Progress) -> Walk {
    let core = curriculum::core_path();
    let step = &core.steps[step];
    let mut walk = Walk::at(step.lesson, Some(&step.page), FrontEnd::Screen, None).unwrap();
    walk.core = Some(core);
    walk.turn_to(step.page_number(), progress).unwrap();
    walk
}

#[test]
fn the_next_page_of_the_core_path_is_the_next_one_of_the_list_in_whatever_lesson() {
    let (core, mut progress) = (curriculum::core_path(), Progress::default());
    for (at, step) in core.steps.iter().enumerate() {
        let walk = at_step(at, &mut progress);
        assert_eq!(progress.core_page(), Some((step.lesson.name, &*step.page)));
        let part = core.part_of(at);
        let (title, page, pages) = walk.place(&progress);
        assert_eq!((&title, pages), (&part.title, part.steps.len()));
        assert_eq!(page, at - part.steps.start + 1);
        let ends = at + 1 == part.steps.end;
        let next = if ends { Turn::End } else { Turn::Step(at + 1) };
        assert_eq!(walk.turn(1, &progress), next, "{title}, page {page}");
        let before = at.checked_sub(1).map_or(Turn::Start, Turn::Step);
        assert_eq!(walk.turn(-1, &progress), before, "{title}, page {page}");
    }
    assert!(!core.is_read(&progress), "nobody reads so fast");
}

#[test]
fn whoever_leaves_the_core_path_for_a_page_or_a_lesson_comes_back_to_where_they_were() {
    let (core, mut progress) = (curriculum::core_path(), Progress::default());
    let left = (core.steps.iter()).position(|step| step.lesson.name == "masks");
    let left = left.unwrap() + 1;
    let mut walk = at_step(left, &mut progress);
    let beside = |page: &Page| core.find(walk.lesson(), &page.id).is_none();
    let beside = walk.pages.iter().position(beside).unwrap();
    walk.turn_to(beside, &mut progress).unwrap();
    assert_eq!(walk.place(&progress).0, "04 Batches and masks");
    for by in [1, -1] {
        assert_eq!(walk.turn(by, &progress), Turn::Step(left));
    }
    // A lesson that is opened as such shows its pages in their order, and leads back at its end.
    let adam = curriculum::find("adam").unwrap();
    let mut other = Walk::new(adam, &progress, FrontEnd::Screen, None).unwrap();
    for page in 0..other.pages.len() {
        other.turn_to(page, &mut progress).unwrap();
        let last = page + 1 == other.pages.len();
        let next = if last {
            Turn::End
        } else {
            Turn::Page(page + 1)
        };
        assert_eq!(other.turn(1, &progress), next);
    }
    let back = curriculum::next(&other, &progress);
    assert!(matches!(back, Some(curriculum::Next::Step(step)) if step == left));
    progress.leave_core();
    let onward = curriculum::next(&other, &progress);
    assert!(matches!(onward, Some(curriculum::Next::Lesson(next)) if next.name == "copy-task"));
}

#[test]
fn the_minutes_left_on_the_core_path_are_those_of_the_part() {
    let (core, mut progress) = (curriculum::core_path(), Progress::default());
    let part = &core.parts[1];
    let minutes: usize = core
        .pages(part)
        .iter()
        .map(|step| step.minutes as usize)
        .sum();
    let mut left = minutes;
    for step in part.steps.clone() {
        let mut walk = at_step(step, &mut progress);
        assert_eq!(walk.left(&progress).0, left);
        walk.pass(walk.moment(), &mut progress);
        left -= core.steps[step].minutes as usize;
        assert_eq!(walk.left(&progress).0, left);
    }
}

#[test]
fn a_page_is_read_after_a_moment_and_is_where_the_learner_goes_on() {
    let mut progress = Progress::default();
    let mut first = walk(&progress);
    assert_eq!(first.page, 0);
    first.turn_to(2, &mut progress).unwrap();
    let almost = first.moment() - Duration::from_millis(1);
    assert!(!first.pass(almost, &mut progress));
    first.turn_to(1000, &mut progress).unwrap();
    assert!(!first.pass(Duration::from_millis(1), &mut progress));
    assert!(progress.lesson("attention").pages.is_empty());
    assert!(first.pass(first.moment(), &mut progress));
    assert_eq!(progress.lesson("attention").pages.len(), 1);
    let again = walk(&progress);
    assert_eq!(
        (again.page, again.page + 1),
        (first.page, again.pages.len())
    );
    progress.lesson_mut("attention").stopped_at = Some("gone".to_owned());
    assert_eq!(walk(&progress).page, 0, "the lesson has lost that page");
}

#[test]
fn a_leak_is_named_from_the_page_on_that_explains_it() {
    let mut progress = Progress::default();
    let mut walk = walk(&progress);
    let named: Vec<bool> = (0..walk.pages.len())
        .map(|page| {
            walk.turn_to(page, &mut progress).unwrap();
            walk.session.set("scene", "experiment").unwrap();
            walk.session.leak().is_some()
        })
        .collect();
    let explained = walk.lesson().page_number("blocked-keys-get-nothing");
    assert_eq!(named.iter().position(|named| *named), explained);
    assert!(curriculum::find("masks").unwrap().knows_leaks(0));
}

#[test]
fn a_lesson_that_begins_with_the_trained_model_opens_with_its_run() {
    let progress = Progress::default();
    let shown = walk(&progress).session.settings().text("scene").to_owned();
    assert_eq!(shown, "sentence", "the first page shows the trained model");
}

#[test]
fn the_brackets_turn_the_knob_that_the_page_speaks_of() {
    let mut progress = Progress::default();
    let lesson = curriculum::find("subwords").unwrap();
    let mut walk = Walk::new(lesson, &progress, FrontEnd::Screen, None).unwrap();
    let speaks = |page: &Page| page.words().contains("Turn limit");
    let page = walk.pages.iter().position(speaks).unwrap();
    walk.turn_to(page, &mut progress).unwrap();
    let chosen = |walk: &Walk| walk.lesson().knobs[walk.session.knob()].name;
    assert_eq!(chosen(&walk), "limit");
    // The first page shows the running sentence, where only the text has an effect.
    walk.turn_to(0, &mut progress).unwrap();
    assert_eq!(chosen(&walk), "text");
    walk.session.set("scene", "experiment").unwrap();
    assert_eq!(chosen(&walk), lesson.knobs[0].name);
    // The tour explains how to choose its knob, and begins with the sentence.
    let mut tour = Walk::new(
        curriculum::find("tour").unwrap(),
        &progress,
        FrontEnd::Screen,
        None,
    )
    .unwrap();
    tour.turn_to(1, &mut progress).unwrap();
    assert!(tour.page().words().contains("knob step"));
    assert_eq!(chosen(&tour), tour.lesson().knobs[0].name);
}

#[test]
fn the_questions_of_a_page_open_at_the_first_one_without_an_answer() {
    let mut progress = Progress::default();
    let lesson = curriculum::find("training").unwrap();
    let mut walk = Walk::new(lesson, &progress, FrontEnd::Screen, None).unwrap();
    let asks_twice = |page: &Page| page.predictions().count() > 1;
    walk.page = walk.pages.iter().position(asks_twice).unwrap();
    let ids: Vec<String> = walk.page().predictions().map(|q| q.id.clone()).collect();
    let opens = |progress: &Progress| walk.open_predictions(progress).question().id.clone();
    assert_eq!(opens(&progress), ids[0]);
    let answers = &mut progress.lesson_mut("training").answers;
    answers.insert(ids[0].clone(), false);
    assert_eq!(opens(&progress), ids[1]);
}

#[test]
fn text_after_a_question_appears_once_it_is_answered() {
    let mut progress = Progress::default();
    let mut walk = walk(&progress);
    let asks = |page: &Page| page.predictions().next().is_some();
    let page = walk.pages.iter().position(asks).unwrap();
    walk.turn_to(page, &mut progress).unwrap();
    let before = walk.blocks_shown(&progress);
    assert!(!walk.pass(Duration::ZERO, &mut progress));
    assert!(walk.unanswered(&progress).is_some() && before < walk.page().blocks.len());
    let mut questions = walk.predictions();
    let right = Attempt {
        option: 0,
        right: true,
        day: 20_000,
    };
    loop {
        questions.enter(right, "attention", &mut progress);
        if !questions.go_on() {
            break;
        }
    }
    assert!(walk.unanswered(&progress).is_none());
    assert!(walk.pass(Duration::ZERO, &mut progress), "answered is read");
    assert_eq!(walk.blocks_shown(&progress), walk.page().blocks.len());
}
