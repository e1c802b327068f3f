//! The screen leads back to where the learner was, says why nothing happens, and never acts unseen.

use transformer_tutor::curriculum;
use transformer_tutor::lesson::progress::Progress;
use transformer_tutor::tui::app::Pane;

use super::{Hands, LARGE, MEDIUM, SMALL};

fn pane(hands: &Hands) -> Pane {
    hands.app.open_lesson.as_ref().unwrap().pane
}

#[test]
fn esc_returns_from_any_depth_to_the_cell_and_pane_where_a_number_was_asked_about() {
    for size in [LARGE, MEDIUM] {
        let mut hands = Hands::on("attention", "write-it", size);
        hands.press(":");
        hands.write("scores");
        hands.press("enter right right down");
        let (cursor, before) = (hands.session().cursor().to_vec(), pane(&hands));
        hands.press("enter enter enter");
        assert!(hands.session().path().len() > 1);
        hands.press("esc");
        assert!(!hands.session().asks_why(), "{size:?}");
        assert_eq!(hands.step(), "scores");
        assert_eq!(hands.session().cursor(), cursor);
        assert_eq!(pane(&hands), before);
    }
}

#[test]
fn esc_returns_from_a_tensor_to_the_map_that_opened_it() {
    let mut hands = Hands::at("tour", LARGE);
    hands.read("the-map");
    hands.click("05 self-attention");
    let (picture, cursor) = (hands.session().focus(), hands.session().cursor().to_vec());
    assert!(hands.session().box_at_cursor().is_some());
    hands.press("enter");
    assert!(hands.session().step().is_some(), "the box has opened");
    hands.press("esc");
    assert_eq!(hands.session().focus(), picture);
    assert_eq!(hands.session().cursor(), cursor);
}

#[test]
fn enter_on_a_drawn_idea_says_that_it_has_opened_the_tensor_behind_it() {
    let mut hands = Hands::on("attention", "the-mixture", MEDIUM);
    hands.press("enter");
    hands.sees(&[
        "This is the tensor behind the picture. Enter again asks about its",
        "cell.",
    ]);
    assert!(!hands.session().asks_why());
    hands.press("enter");
    assert!(hands.session().asks_why());
}

#[test]
fn an_id_keeps_no_decimals_beside_the_cell_that_it_chose() {
    let mut hands = Hands::on("embeddings", "word-and-place-together", LARGE);
    hands.press(":");
    hands.write("look rows[0,0,0]");
    hands.press("enter enter");
    assert!(hands.session().asks_why());
    hands.sees(&["why this cell"]);
    let text = hands.text();
    let id = text.lines().find(|line| line.contains("ids[0,0]")).unwrap();
    assert!(id.split_whitespace().any(|word| word == "4"), "{text}");
    assert!(!id.contains("4.0"), "{text}");
}

#[test]
fn a_caption_that_is_cut_is_whole_in_the_help() {
    let mut hands = Hands::on("attention", "the-mixture", SMALL);
    hands.press("backtab");
    let mut pictures = 0;
    while !hands.text().contains("… (?)") {
        hands.press("v");
        pictures += 1;
        assert!(pictures < 20, "no caption is cut:\n{}", hands.text());
    }
    let says = hands.session().picture().unwrap().says.clone();
    hands.press("?");
    let mut read = String::new();
    for _ in 0..40 {
        read += &hands.text();
        hands.press("pagedown");
    }
    for word in says.split_whitespace() {
        assert!(read.contains(word), "{word}");
    }
}

#[test]
fn a_pane_ends_above_a_notice() {
    for size in [LARGE, MEDIUM] {
        let mut hands = Hands::at("attention", size);
        hands.app.notice = Some("One line.".to_owned());
        let text = hands.text();
        let lines: Vec<&str> = text.lines().collect();
        let at = lines
            .iter()
            .position(|line| line.contains("One line."))
            .unwrap();
        assert!(
            lines[at - 1].starts_with('─') && lines[at - 1].ends_with('─'),
            "{text}"
        );
        assert_eq!(at, lines.len() - 2);
    }
}

#[test]
fn the_ends_of_the_run_and_of_a_knob_say_so() {
    let mut hands = Hands::on("positional-encoding", "the-same-for-every-sentence", LARGE);
    hands.press("[ [ [ [");
    hands.sees(&["d_model is 8: turning down ends here."]);
    let steps = hands.session().trace().steps().len();
    for _ in 0..=steps {
        hands.press("space");
    }
    hands.sees(&["This is the last step of the run"]);
}

#[test]
fn a_movement_says_that_any_key_ends_it() {
    let mut hands = Hands::on("attention", "write-it", LARGE);
    hands.app.display.still = false;
    hands.press(":");
    hands.write("scores");
    hands.press("enter W");
    assert!(hands.app.playing.is_some());
    hands.sees(&["any key shows the result"]);
    hands.press("right");
    hands.misses(&["any key"]);
}

#[test]
fn a_knob_typed_in_the_palette_offers_its_values() {
    let mut hands = Hands::at("attention", LARGE);
    hands.press(":");
    hands.write("heads=");
    hands.sees(&["heads=1", "heads=8", "heads=64"]);
    hands.write("3");
    hands.sees(&["heads=3", "heads=32"]);
    hands.press("down enter");
    assert_eq!(hands.session().settings().text("heads"), "32");
    hands.press(":");
    hands.write("text=ich");
    hands.sees(&["text=Ich "]);
}

#[test]
fn pages_are_listed_and_opened_by_number_and_title_and_by_the_keys_of_both_ends() {
    let mut hands = Hands::at("attention", LARGE);
    let pages = curriculum::find("attention").unwrap().page_count();
    hands.press(":");
    hands.write("page");
    hands.sees(&["page 1 ", "page 2 ", &format!("page {pages} ")]);
    hands.write(" 3");
    hands.press("enter");
    assert_eq!(hands.page(), 2);
    hands.press("end");
    assert_eq!(hands.page(), pages - 1);
    hands.press("home");
    assert_eq!(hands.page(), 0);
}

#[test]
fn a_name_that_the_run_has_not_brings_at_most_three_others() {
    let mut hands = Hands::on("attention", "write-it", LARGE);
    hands.press(":");
    hands.write("look score[0,0,0,0]");
    hands.press("enter");
    hands.sees(&["no tensor or picture 'score'", "did you mean 'scores'"]);
    let notice = hands.app.notice.clone().unwrap();
    assert!(notice.split(", ").count() <= 2, "{notice}");
}

#[test]
fn a_lesson_read_to_its_end_opens_at_its_first_page() {
    let lesson = curriculum::find("attention").unwrap();
    let mut progress = Progress::default();
    let ids: Vec<String> = (lesson.pages().unwrap().into_iter())
        .map(|page| page.id)
        .collect();
    let done = progress.lesson_mut("attention");
    done.pages.extend(ids.iter().cloned());
    done.stopped_at = Some(ids[3].clone());
    assert_eq!(
        Hands::with("attention", LARGE, progress).page(),
        3,
        "reading it again"
    );
    let mut progress = Progress::default();
    let done = progress.lesson_mut("attention");
    done.pages.extend(ids.iter().cloned());
    done.stopped_at = ids.last().cloned();
    assert_eq!(Hands::with("attention", LARGE, progress).page(), 0);
}

#[test]
fn gradients_that_are_all_zero_say_why() {
    let mut hands = Hands::on("attention", "write-it", LARGE);
    hands.press(":");
    hands.write("scores");
    hands.press("enter b");
    hands.press(":");
    hands.write("weights");
    hands.press("enter");
    let words = hands.session().edits_in_words();
    assert!(words.contains("was computed without weights"), "{words}");
}

#[test]
fn a_knob_with_a_long_sentence_takes_one_line() {
    let mut hands = Hands::on("attention", "start", MEDIUM);
    hands.press("tab");
    let text = hands.text();
    let line = text.lines().find(|line| line.contains("text ◂ Der kleine"));
    let line = line.unwrap_or_else(|| panic!("the knob is not seen:\n{text}"));
    assert!(line.contains(" ▸"), "{line}");
}

#[test]
fn a_break_of_the_trained_model_goes_off_when_its_scene_is_left() {
    for command in ["scene=experiment", "d_model=64"] {
        let mut hands = Hands::on("positional-encoding", "start", LARGE);
        assert!(hands.session().settings().broken("average"));
        hands.press(":");
        hands.write(command);
        hands.press("enter");
        hands.sees(&["watch: untrained, random weights"]);
        hands.misses(&["breaks another scene"]);
        let settings = hands.session().settings();
        assert_eq!(settings.text("scene"), "experiment");
        assert_eq!(settings.mistakes().count(), 0, "{command}");
    }
}
