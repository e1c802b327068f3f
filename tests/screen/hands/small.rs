//! What fits on small screens, and what covers what.

use std::time::Duration;

use ratatui::style::Modifier;
use transformer_tutor::lesson::page::StageBlock;

use super::*;

fn pane(hands: &Hands) -> Pane {
    hands.app.open_lesson.as_ref().unwrap().pane
}

#[test]
fn a_page_without_room_for_both_is_read_across_the_screen_and_its_picture_is_behind_tab() {
    let mut hands = Hands::at("masks", MEDIUM);
    let pages = hands.app.open_lesson.as_ref().unwrap().walk.pages.len();
    let alone = (0..pages).find(|page| {
        hands.go_to(*page);
        hands.app.shows_one_pane()
    });
    let page = alone.expect("long lines of code need the whole width");
    hands.go_to(page);
    hands.sees(&["⇥ picture"]);
    hands.misses(&["watch:"]);
    hands.press("tab");
    hands.sees(&["watch:", "⇥ text"]);
    hands.press("tab");
    hands.misses(&["watch:"]);
    hands.press("1");
    hands.sees(&["watch:"]);
    hands.press("n");
    assert_eq!((hands.page(), pane(&hands)), (page, Pane::Read));
}

#[test]
fn a_text_that_hides_its_picture_says_how_to_see_it_and_tab_leads_there_and_back() {
    let mut hands = Hands::at("attention", SMALL);
    hands.turn_to("the-mixture");
    let open = hands.app.open_lesson.as_mut().unwrap();
    open.page.scroll = usize::MAX;
    hands.sees(&["Press Tab to see the picture.", "⇥ picture"]);
    hands.press("tab");
    hands.sees(&["watch:", "⇥ text"]);
    hands.misses(&["─ the run ─"]);
    hands.press("tab");
    hands.misses(&["watch:", "─ the run ─"]);
    assert_eq!(pane(&hands), Pane::Read);
    hands.press("backtab");
    hands.sees(&["─ the run ─"]);
    let mut hands = Hands::at("attention", MEDIUM);
    hands.misses(&["Press Tab to see the picture."]);
}

#[test]
fn a_break_on_a_page_without_room_for_its_picture_shows_the_picture_and_tab_the_text() {
    let mut hands = Hands::at("tour", SMALL);
    hands.read("break-it");
    hands.misses(&["watch:"]);
    hands.press("5");
    hands.sees(&["watch:", "⇥ text"]);
    assert_eq!(pane(&hands), Pane::Stage);
    hands.press("tab");
    hands.misses(&["watch:"]);
    assert_eq!(pane(&hands), Pane::Read);
}

#[test]
fn after_an_answer_the_page_goes_on_where_the_question_was_and_the_smallest_screen_shows_the_picture()
 {
    for size in [MEDIUM, SMALL] {
        let mut hands = Hands::at("tour", size);
        hands.turn_to("what-each-token-looked-at");
        hands.press("p 2 enter");
        let small = size == SMALL;
        assert_eq!(pane(&hands) == Pane::Stage, small);
        if small {
            hands.sees(&["watch:", "⇥ text"]);
            hands.press("n");
        }
        hands.sees(&["the largest weights run down"]);
        hands.misses(&["A Transformer for"]);
    }
}

#[test]
fn underlines_end_with_their_words() {
    for (lesson, keys) in [("attention", "tab"), ("masks", "n n"), ("tour", "n")] {
        let mut hands = Hands::at(lesson, LARGE);
        hands.press(keys);
        let buf = hands.draw();
        for y in 0..buf.area.height {
            let underlined = |x: u16| {
                let cell = &buf[(x, y)];
                cell.modifier.contains(Modifier::UNDERLINED)
            };
            for x in 0..buf.area.width - 1 {
                let blank = underlined(x) && buf[(x, y)].symbol() == " ";
                assert!(!blank || underlined(x + 1), "{lesson} ({x}, {y})");
            }
        }
    }
}

#[test]
fn a_question_stays_in_sight_while_the_reasons_of_its_options_scroll() {
    let mut hands = Hands::at("masks", MEDIUM);
    hands.press("z");
    while let Some(Overlay::Ask(asked)) = &hands.app.overlay {
        let ask = asked.question().ask.clone();
        let start: Vec<&str> = ask.split_whitespace().take(3).collect();
        for option in ["1", "2", "3", "4"] {
            hands.press(option);
            hands.sees(&[&start.join(" ")]);
        }
        hands.press("n");
    }
    hands.sees(&["right at the first try"]);
}

#[test]
fn a_page_without_code_is_read_beside_its_picture() {
    let mut hands = Hands::at("attention", (80, 24));
    hands.sees(&["watch:"]);
    hands.misses(&["⇥ picture"]);
}

#[test]
fn with_room_for_one_pane_the_tour_begins_with_its_picture_and_n_leads_to_the_text() {
    let mut hands = Hands::at("", (60, 20));
    hands.press("enter");
    assert_eq!((hands.lesson(), pane(&hands)), ("tour", Pane::Stage));
    hands.press("n");
    assert_eq!((hands.page(), pane(&hands)), (0, Pane::Read));
    hands.press("r");
    assert_eq!(pane(&hands), Pane::Stage, "the animation is seen");
}

#[test]
fn a_quiz_does_not_uncover_the_figure_of_a_page_that_still_asks() {
    let mut hands = Hands::at("tour", (120, 40));
    hands.turn_to("what-each-token-looked-at");
    hands.press("z");
    hands.sees(&["quiz 1/", "The figure of this page appears once you have"]);
    hands.misses(&["What each token looked at:"]);
}

#[test]
fn going_on_waits_for_an_answer_that_is_being_computed() {
    let mut hands = Hands::at("copy-task", (120, 40));
    hands.app.waiting.patience = Some(Duration::ZERO);
    hands.turn_to("a-diagonal");
    let page = hands.page();
    hands.press("p 2 n enter");
    assert!(hands.app.judging.is_some(), "the answer is still computed");
    assert!(hands.app.notice.is_none());
    assert_eq!(hands.page(), page);
}

#[test]
fn while_a_pages_figure_is_computed_no_other_pages_figure_stands_beside_its_text() {
    let mut hands = Hands::at("copy-task", (120, 40));
    hands.read("start");
    let session = &mut hands.app.open_lesson.as_mut().unwrap().walk.session;
    session.set_patience(Duration::ZERO);
    let block = StageBlock {
        set: [("seed", "305"), ("step", "240")]
            .map(|(knob, value)| (knob.to_owned(), value.to_owned()))
            .into(),
        ..StageBlock::default()
    };
    session.arrange(&block).unwrap();
    while hands.session().is_computing() {
        if hands.text().contains("The figure of this page is being") {
            return;
        }
    }
    panic!("the run was ready before the screen could say that it is computed");
}
