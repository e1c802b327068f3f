//! What a newcomer does in the first hour, and what the screen must show.

use transformer_tutor::lesson::Body;
use transformer_tutor::tui::app::Overlay;
use transformer_tutor::tui::update::{Message, update};

use super::{Hands, LARGE, MEDIUM, SMALL, number};

/// Runs the job that starts on its own, and returns the screen after each of its drawings.
fn played(hands: &mut Hands) -> Vec<String> {
    let job = hands.app.begins().expect("it begins by itself");
    let mut drawings = Vec::new();
    let end = (job.run)(&mut |progress| {
        drawings.push(progress);
        std::ops::ControlFlow::Continue(())
    });
    let mut seen = Vec::new();
    for drawing in drawings.into_iter().chain([end]) {
        update(&mut hands.app, Message::Job(0, Box::new(drawing)));
        seen.push(hands.text());
    }
    seen
}

#[test]
fn a_trained_scenes_switch_breaks_the_model_and_leads_back_when_off() {
    for size in [LARGE, MEDIUM, SMALL] {
        let mut hands = Hands::at("attention", size);
        hands.read("start");
        let place = |hands: &Hands| {
            let session = hands.session();
            let cursor = session.cursor().to_vec();
            (
                hands.step().to_owned(),
                cursor,
                session.settings().to_string(),
            )
        };
        let before = place(&hands);
        assert!(before.2.contains("scene=sentence"));
        hands.press("1");
        hands.sees(&["The model without"]);
        assert_eq!(place(&hands).0, before.0);
        hands.press("1");
        assert_eq!(place(&hands), before);
        hands.press("4");
        hands.sees(&["Switch 4 breaks this lesson's own"]);
        hands.press("4");
        assert_eq!(place(&hands), before, "{size:?}");
    }
}

#[test]
fn the_tours_first_picture_keeps_its_layout_from_the_first_token_to_the_last() {
    for size in [LARGE, MEDIUM, SMALL] {
        let mut hands = Hands::at("tour", size);
        if size == SMALL {
            hands.press("tab");
        }
        let frames = played(&mut hands);
        assert_eq!(frames.len(), 10);
        let row = |text: &str, words: &str| {
            let position = text.lines().position(|line| line.contains(words));
            position.unwrap_or_else(|| panic!("'{words}' is not seen at {size:?}:\n{text}"))
        };
        let column = |text: &str, words: &str| {
            let line = text.lines().nth(row(text, words)).unwrap_or_default();
            line.find(words).map(|at| line[..at].chars().count())
        };
        let axes = |text: &str| (row(text, "reads → writes"), column(text, "schl"));
        for frame in &frames {
            assert_eq!(axes(frame), axes(&frames[0]), "{size:?}:\n{frame}");
        }
        // Every generated token has a row with its name, and stays there.
        for token in [
            "The", "little", "dog", "is", "sleeping", "in", "the", "garden",
        ] {
            let at = row(&frames[9], &format!(" {token} "));
            assert!(row(&frames[8], &format!(" {token} ")) == at, "{token}");
        }
    }
}

#[test]
fn a_sentence_is_typed_in_a_line_of_its_own_and_its_translation_is_then_written() {
    for size in [LARGE, MEDIUM, SMALL] {
        let mut hands = Hands::at("tour", size);
        hands.read("your-own-sentence");
        hands.press("m");
        hands.sees(&["translate your sentence", "Type a German sentence"]);
        hands.press("enter");
        hands.sees(&["Type a German sentence first"]);
        assert!(matches!(hands.app.overlay, Some(Overlay::Sentence(_))));
        hands.write("Heute habe ich leider keine Zeit, weil ich noch viel zu tun habe, und morgen auch nicht");
        // The end of a long line is visible, with a mark that there is more on the left.
        hands.sees(&["auch nicht", "87."]);
        hands.press("enter");
        assert!(hands.app.overlay.is_none());
        assert_eq!(hands.session().picture().unwrap().name, "live");
        let frames = played(&mut hands);
        assert!(frames.len() > 10);
        assert!(frames[2].contains("it chose"), "{}", frames[2]);
    }
    // A sentence that is too long stays in the input, to be shortened.
    let mut hands = Hands::at("tour", LARGE);
    hands.press("m");
    hands.write(&"Hund ".repeat(41));
    hands.press("enter");
    hands.sees(&["200 characters at most"]);
    hands.press("esc");
    assert!(hands.app.overlay.is_none());
}

#[test]
fn one_break_in_place_of_another_names_what_is_missing_and_what_is_back() {
    let mut hands = Hands::at("tour", LARGE);
    hands.read("break-it");
    hands.press("4 1");
    assert_eq!(
        hands.session().remark(),
        Some("Missing now: the positions (switch 1). Back again: cross-attention (switch 4).")
    );
}

#[test]
fn ones_own_sentence_stays_among_those_that_the_knob_turns_through() {
    let mut hands = Hands::at("tour", LARGE);
    hands.read("your-own-sentence");
    let sentence = |hands: &Hands| hands.session().settings().text("sentence").to_owned();
    let first = sentence(&hands);
    hands.press("m");
    hands.write("Guten Morgen.");
    hands.press("enter ]");
    assert_eq!(sentence(&hands), first);
    hands.press("[");
    assert_eq!(sentence(&hands), "Guten Morgen.");
    hands.read("what-each-token-looked-at");
    assert_eq!(sentence(&hands), "Ich habe keine Zeit.");
    hands.press("[ [ [");
    assert_eq!(sentence(&hands), "Guten Morgen.");
    hands.press(":");
    hands.write("sentence=Gut");
    hands.sees(&["sentence=Guten Morgen.", "yours"]);
}

#[test]
fn a_page_that_asks_gives_way_to_the_translation_of_ones_own_sentence() {
    let mut hands = Hands::at("tour", LARGE);
    hands.turn_to("what-each-token-looked-at");
    assert!(hands.app.unanswered().is_some());
    hands.press("m");
    hands.write("Guten Morgen.");
    hands.press("enter");
    assert!(hands.app.plays() && hands.app.unanswered().is_none());
    assert_eq!(hands.session().settings().text("sentence"), "Guten Morgen.");
    hands.press("q");
    assert_eq!(hands.page(), number("tour", "what-each-token-looked-at"));
    assert!(hands.app.unanswered().is_some());
}

#[test]
fn the_pictures_of_a_broken_model_show_what_its_note_says() {
    let mut hands = Hands::at("tour", LARGE);
    let blind = |hands: &Hands| match &hands.session().picture().unwrap().body {
        Body::Matrix { values, .. } => values.data().iter().all(|x| *x == 0.0),
        _ => panic!("looked is a heat map"),
    };
    hands.read("what-each-token-looked-at");
    assert!(!blind(&hands));
    hands.press("4");
    assert!(blind(&hands));
    hands.sees(&["without cross-attention", "takes anything from the German"]);
    hands.read("break-it");
    hands.press("3");
    let Body::Table { rows, .. } = &hands.session().picture().unwrap().body else {
        panic!("the translation is a table");
    };
    // No alternative was more probable than the token that was chosen.
    for row in rows {
        let [.., p, instead] = &row[..] else {
            panic!("{row:?} has a probability")
        };
        // The intact model may write more tokens than this one.
        let Ok(chosen) = p.parse::<f64>() else {
            continue;
        };
        let other = instead
            .split([' ', ','])
            .find_map(|word| word.parse::<f64>().ok());
        assert!(other.is_none_or(|other| other <= chosen), "{row:?}");
    }
}

#[test]
fn an_answer_is_seen_beside_the_picture_that_it_speaks_of() {
    let mut hands = Hands::at("tour", LARGE);
    hands.turn_to("what-each-token-looked-at");
    hands.sees(&["Before you look"]);
    hands.press("p");
    hands.sees(&["Before you answer, this is known:", "translated"]);
    hands.press("1");
    hands.sees(&[
        "No. The step before looked there",
        "What each token looked at",
        "keine",
    ]);
    hands.misses(&["Before you look"]);
}

#[test]
fn a_list_that_goes_on_says_so_at_home() {
    for size in [LARGE, MEDIUM, SMALL] {
        let mut hands = Hands::at("", size);
        hands.sees(&["THE CORE PATH", "↓", "more"]);
        hands.press("end");
        hands.sees(&["↑", "more", "25 Graduation"]);
        hands.misses(&["↓"]);
        hands.press("tab");
        hands.sees(&["THE CORE PATH"]);
        hands.press("tab");
        hands.sees(&["ALL LESSONS", "00 The tour"]);
    }
}

#[test]
fn the_minutes_that_are_left_fall_with_the_pages() {
    let mut hands = Hands::at("adam", LARGE);
    hands.sees(&["about 45 minutes left"]);
    let mut hands = Hands::at("tour", LARGE);
    hands.sees(&["about 20 minutes left"]);
    hands.turn_to("your-own-sentence");
    hands.sees(&["about 20 minutes left"]);
    assert!(hands.app.pass(std::time::Duration::from_secs(30)));
    hands.sees(&["about 17 minutes left"]);
}

#[test]
fn the_map_shows_the_whole_model_as_boxes_and_each_opens_its_tensor() {
    let mut hands = Hands::at("tour", LARGE);
    hands.read("the-map");
    hands.sees(&[
        "encoder, layer 2",
        "decoder, layer 1",
        "memory",
        "06 cross-attention",
        "Der kleine Hund",
        "12 generator",
    ]);
    hands.click("05 self-attention");
    hands.press("enter");
    assert_eq!(hands.step(), "encoder.layers.2.self_attn.residual");
}

#[test]
fn a_width_that_follows_from_another_knob_says_which_it_is() {
    let mut hands = Hands::at("attention", LARGE);
    hands.read("write-it");
    hands.press("tab");
    hands.sees(&["d_k auto (64)", "query_std 1"]);
    hands.press(":");
    hands.write("heads=4");
    hands.press("enter");
    hands.sees(&["d_k auto (128)"]);
    // Where there is room for the list of the run too, it writes the width in the same way.
    let mut hands = Hands::at("attention", (200, 60));
    hands.read("write-it");
    hands.press("tab");
    hands.sees(&["d_k auto (64)"]);
    hands.misses(&["d_k 0", "d_v 0"]);
}

#[test]
fn the_key_for_stepping_back_stands_beside_the_key_for_stepping_on() {
    let mut hands = Hands::at("attention", LARGE);
    hands.read("write-it");
    hands.press("tab");
    hands.sees(&["␣ B step"]);
}

#[test]
fn the_terms_of_a_page_open_on_their_cards_by_key_and_by_mouse() {
    let mut hands = Hands::at("attention", LARGE);
    hands.turn_to("start");
    hands.press("D");
    hands.sees(&["Term 1 of", "D shows the next", "teaches it"]);
    let first = hands.text();
    hands.press("D");
    hands.sees(&["Term 2 of"]);
    assert!(hands.text() != first);
    hands.press("esc");
    hands.click("dot product (a");
    hands.sees(&["teaches it"]);
}

#[test]
fn the_hunt_is_found_at_home_in_a_lesson_and_in_the_palette() {
    for lesson in ["", "attention"] {
        let mut hands = Hands::at(lesson, LARGE);
        hands.press("C");
        hands.sees(&["Case 4, level 1: 6 looks.", "What do you look at?"]);
        hands.press("esc :");
        hands.write("hunt");
        hands.press("enter");
        hands.sees(&["What do you look at?"]);
    }
    Hands::at("", LARGE).sees(&["P  the playground", "C  the hunt", "0 of 9 milestones"]);
}

#[test]
fn a_right_prediction_about_a_mistake_switches_it_on() {
    let mut hands = Hands::at("tour", (140, 90));
    hands.turn_to("break-it");
    hands.press("p 1");
    hands.sees(&["Yes. ", "without cross-attention"]);
    // The text below names the switch, which now repairs the model.
    hands.press("enter");
    hands.sees(&["(press 4, now on)"]);
    assert_eq!(hands.session().settings().mistakes().count(), 1);
    hands.press("4");
    hands.misses(&["The model without cross-attention"]);
}

#[test]
fn n_opens_the_question_of_a_page_before_it_passes_it() {
    for size in [LARGE, MEDIUM, SMALL] {
        let mut hands = Hands::at("tour", size);
        let page = number("tour", "break-it");
        hands.app.turn_to(page);
        hands.draw();
        let mut pressed = 0;
        while hands.app.overlay.is_none() {
            hands.press("n");
            pressed += 1;
            assert!(hands.page() == page && pressed < 20, "it is not passed");
        }
        hands.sees(&["Cross-attention is how", "This page asks first"]);
        // The next press leaves the page, and says how to come back.
        hands.press("n");
        assert_eq!(hands.page(), page + 1, "{size:?}");
        hands.sees(&["has a question that is still open"]);
        // After closing the question, n passes the page too; after answering it, the page goes on.
        hands.app.turn_to(page);
        hands.press("p esc");
        while hands.page() == page {
            assert!(hands.app.overlay.is_none());
            hands.press("n");
        }
        hands.app.turn_to(page);
        hands.press("p 1 n");
        assert_eq!(hands.page(), page);
        assert!(hands.app.overlay.is_none() && hands.app.unanswered().is_none());
    }
}

#[test]
fn a_lesson_is_opened_by_the_digits_of_its_number() {
    for (keys, lesson) in [
        ("1 2", "generator"),
        ("0 3", "attention"),
        ("3", "attention"),
        ("2 5", "graduation"),
        ("1 enter", "embeddings"),
        ("0 0", "tour"),
        ("0 enter", "tour"),
        // An Enter after a number that is complete asks about no cell.
        ("1 2 enter", "generator"),
        ("3 enter", "attention"),
    ] {
        let mut hands = Hands::at("", MEDIUM);
        hands.press(keys);
        assert_eq!(hands.lesson(), lesson, "{keys}");
        assert!(!hands.session().asks_why(), "{keys}");
    }
    let mut hands = Hands::at("", MEDIUM);
    hands.press("2");
    hands.sees(&["a second digit opens 20 to 25", "Enter opens 02"]);
    hands.press("9");
    hands.sees(&["There is no lesson 29"]);
    // A digit after any other key starts a new number.
    hands.press("1 down 2");
    hands.sees(&["a second digit opens 20 to 25"]);
    assert_eq!(hands.lesson(), "");
}

#[test]
fn the_glossary_is_a_list_whose_terms_open_on_cards() {
    for (lesson, size) in [
        ("", LARGE),
        ("", SMALL),
        ("attention", LARGE),
        ("attention", MEDIUM),
    ] {
        let mut hands = Hands::at(lesson, size);
        hands.press("K");
        hands.sees(&["ablation"]);
        hands.write("skip conn");
        hands.sees(&["residual connection"]);
        hands.press("enter");
        hands.sees(&["Also called: skip connection"]);
        // Closing the card leads back to the list, and closing that to where the learner was.
        hands.press("esc");
        hands.sees(&["skip conn"]);
        hands.press("esc");
        assert!(hands.app.overlay.is_none());
        hands.press(":");
        hands.write("glossary");
        hands.press("enter");
        hands.click("activation");
        hands.sees(&["Also called: nonlinearity"]);
    }
}

#[test]
fn a_symbol_of_a_formula_opens_the_card_of_its_term() {
    let mut hands = Hands::at("attention", LARGE);
    hands.read("the-mixture");
    hands.click("Q, K, V");
    hands.sees(&[
        "Q is the tensor encoder.layers.0.self_attn.query",
        "teaches it",
    ]);
    assert_eq!(hands.step(), "encoder.layers.0.self_attn.query");
    hands.press("esc");
    // With keys: the symbol is named, and D opens its card.
    while !hands.text().contains("D opens its card") {
        hands.press(";");
    }
    hands.press("D");
    hands.sees(&["teaches it"]);
}

#[test]
fn a_cell_typed_by_its_name_is_looked_at() {
    for typed in ["look generator.log_probs[0,0,1]", "log_probs[0,0,1]"] {
        let mut hands = Hands::at("model", LARGE);
        hands.read("write-it");
        hands.press(":");
        hands.write(typed);
        hands.sees(&["Enter looks at this cell"]);
        hands.press("enter");
        assert_eq!(hands.step(), "generator.log_probs");
        assert_eq!(hands.session().cursor(), [0, 0, 1]);
    }
    let mut hands = Hands::at("model", LARGE);
    hands.read("write-it");
    hands.press(":");
    hands.write("log_probs[0,0,100000]");
    hands.press("enter");
    hands.sees(&["there is no cell [0, 0, 100000]"]);
}

#[test]
fn the_tour_shows_no_list_of_steps_until_it_is_asked_for() {
    for size in [(200, 60), LARGE, MEDIUM] {
        let mut hands = Hands::at("tour", size);
        played(&mut hands);
        hands.misses(&["─ the run ─", "src_embed", "break it"]);
        hands.press("tab tab");
        hands.sees(&["pictures", "─ the run ─"]);
        hands.press("tab");
        hands.misses(&["─ the run ─"]);
    }
}

#[test]
fn the_tours_first_picture_has_its_numbers_at_80_columns_too() {
    let mut hands = Hands::at("tour", MEDIUM);
    hands.app.display.theme = transformer_tutor::widgets::theme::Theme::true_dark();
    let frames = played(&mut hands);
    let last = frames.last().unwrap();
    let row = last
        .lines()
        .find(|line| line.contains("→ sleeping "))
        .unwrap();
    let words = row.split("sleeping").nth(1).unwrap().split_whitespace();
    let weights: Vec<&str> = words.collect();
    assert_eq!(
        weights,
        ["·", "·", "·", ".80", ".05", "·", "·", ".07"],
        "{last}"
    );
}

#[test]
fn an_edit_says_how_far_it_reaches_and_marks_the_steps_that_changed() {
    let mut hands = Hands::at("attention", (200, 60));
    hands.read("write-it");
    hands.press(":");
    hands.write("scores");
    hands.press("enter e");
    hands.write("9.5");
    hands.press("enter");
    hands.sees(&[
        "This changed",
        "downstream, first in step",
        "d draws the difference",
    ]);
    hands.press("tab");
    hands.sees(&["•"]);
    hands.press("u");
    hands.misses(&["•"]);
}

#[test]
fn an_answer_that_takes_long_says_so_and_can_be_cancelled() {
    let mut hands = Hands::at("copy-task", LARGE);
    hands.app.waiting.patience = Some(std::time::Duration::ZERO);
    hands.turn_to("a-diagonal");
    hands.press("p 2");
    assert!(hands.app.judging.is_some(), "it is not known at once");
    hands.sees(&["computing the answer", "Esc cancels"]);
    hands.press("esc");
    assert!(hands.app.judging.is_none() && hands.app.unanswered().is_some());
    let open = &hands.app.overlay;
    assert!(matches!(open, Some(Overlay::Ask(_))), "the question stays");
    hands.sees(&["Cancelled"]);
}
