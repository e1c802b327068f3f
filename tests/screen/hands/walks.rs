//! Walks that a newcomer takes through the tour and the first lessons.

use transformer_tutor::tui::update::reproduce;

use super::*;

/// Turns pages with `n`, answering no question, until the page `id` is open.
fn read_to(hands: &mut Hands, lesson: &str, id: &str) {
    let page = number(lesson, id);
    for _ in 0..200 {
        if hands.page() == page {
            return;
        }
        hands.press("n");
    }
    panic!("{id} is never reached:\n{}", hands.text());
}

#[test]
fn the_tour_ends_with_the_whole_map_after_a_number_has_been_asked_about() {
    for size in [LARGE, MEDIUM] {
        let mut hands = Hands::at("tour", size);
        read_to(&mut hands, "tour", "ask-why");
        hands.press("enter enter");
        assert!(hands.session().asks_why(), "{size:?}");
        hands.press("esc");
        read_to(&mut hands, "tour", "the-map");
        hands.misses(&["─ the run ─"]);
        if hands.app.shows_one_pane() {
            hands.press("tab");
        }
        hands.sees(&["12 generator", "01 embeddings", "04 source ids"]);
        if size == LARGE {
            hands.sees(&["encoder, layer 2", "decoder, layer 1", "memory"]);
        }
    }
}

#[test]
fn the_map_at_the_top_fills_in_page_by_page() {
    let mut hands = Hands::at("tour", LARGE);
    hands.sees(&["German ═▶ ···?··· ═▶ English"]);
    read_to(&mut hands, "tour", "your-own-sentence");
    hands.sees(&["▸ [next]"]);
    hands.press("?");
    let help = "A part is named once you have read about it";
    for _ in 0..20 {
        if hands
            .text()
            .replace(['\n', '│'], " ")
            .contains("The row at the top")
        {
            return;
        }
        hands.press("down down down");
    }
    panic!("{help} is not in the help:\n{}", hands.text());
}

#[test]
fn the_map_at_the_top_is_on_every_page_of_the_tour_or_on_none() {
    for (size, shown) in [(LARGE, true), (MEDIUM, true), (SMALL, false)] {
        let mut hands = Hands::at("tour", size);
        for page in 0..hands.app.open_lesson.as_ref().unwrap().walk.pages.len() {
            hands.go_to(page);
            let text = hands.text();
            let top = text.lines().next().unwrap_or_default();
            let map = top.contains(" ▸ ") || top.contains("···?···");
            assert_eq!(map, shown, "{size:?}: {top}");
        }
    }
}

#[test]
fn the_frame_of_the_stage_says_which_model_runs() {
    let mut hands = Hands::at("attention", LARGE);
    hands.turn_to("start");
    hands.sees(&["watch: trained translator"]);
    hands.turn_to("write-it");
    hands.sees(&["watch: untrained, random weights"]);
}

#[test]
fn a_wrong_prediction_leaves_the_mistake_off_and_the_right_answer_open() {
    let mut hands = Hands::at("tour", LARGE);
    hands.turn_to("break-it");
    hands.press("p 2");
    hands.sees(&["No. It doesn't know that"]);
    hands.misses(&["without cross-attention", "On its own, the decoder"]);
    assert_eq!(hands.session().settings().mistakes().count(), 0);
    hands.press("1");
    hands.sees(&["Yes. On its own, the decoder", "without cross-attention"]);
}

#[test]
fn no_prediction_stands_beside_an_empty_stage() {
    for lesson in ["tour", "attention", "three-uses", "residuals"] {
        let mut hands = Hands::at(lesson, LARGE);
        for page in 0..hands.app.open_lesson.as_ref().unwrap().walk.pages.len() {
            hands.app.turn_to(page);
            if hands.app.unanswered().is_none() {
                continue;
            }
            hands.sees(&["Before you look:", "Press p to answer"]);
            hands.press("p");
            let text = hands.text();
            let shown = ["Before you answer, this is known:", "Then the figure"];
            assert!(
                shown.iter().any(|words| text.contains(words)),
                "{lesson} {page}:\n{text}"
            );
            hands.press("esc");
        }
    }
}

#[test]
fn pictures_are_named_as_tabs_and_a_click_on_a_name_shows_it() {
    let mut hands = Hands::at("tour", LARGE);
    hands.turn_to("your-own-sentence");
    hands.sees(&["picture 2 of ", "[translation]"]);
    let before = hands.session().focus();
    hands.click("looked");
    assert_ne!(hands.session().focus(), before);
    hands.sees(&["[looked]", "picture 3 of "]);
}

#[test]
fn a_broken_run_is_copied_as_a_command_that_shows_it_again() {
    let mut hands = Hands::at("tour", LARGE);
    hands.turn_to("break-it");
    hands.press("p 1 enter");
    let effect = hands.press("y");
    assert!(matches!(effect, Some(Effect::Copy(_))));
    let command = reproduce(&hands.app);
    assert!(
        command.starts_with("transformer-tutor show tour "),
        "{command}"
    );
    assert!(command.contains("--break no-cross"), "{command}");
}

#[test]
fn d_draws_the_difference_then_both_runs_side_by_side_then_only_this_run() {
    for size in [LARGE, MEDIUM, SMALL] {
        let mut hands = Hands::at("attention", size);
        hands.read("write-it");
        hands.press(":");
        hands.write("scaled");
        hands.press("enter 1");
        if size == SMALL {
            hands.press("tab");
        }
        hands.press("d");
        hands.sees(&["Δ"]);
        hands.press("d");
        hands.sees(&["correct", "broken"]);
        assert!(hands.session().shows_both());
        hands.press("d");
        assert!(!hands.session().shows_both() && !hands.session().shows_difference());
    }
}
