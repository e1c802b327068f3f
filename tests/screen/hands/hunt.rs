//! The hunt on the screen.

use transformer_tutor::tui::app::Hunting;
use transformer_tutor::tui::update::Effect;

use super::{Hands, LARGE, MEDIUM};

/// Moves to the entry of this name in the open list and chooses it.
fn take(hands: &mut Hands, name: &str) -> Option<Effect> {
    let Some(Hunting::Ready(board)) = &mut hands.app.hunting else {
        panic!("no case is open");
    };
    let entries = board.entries();
    let at = entries.iter().position(|entry| entry.name == name);
    board.choose(at.unwrap_or_else(|| panic!("{name} is not in {entries:?}")));
    hands.press("enter")
}

#[test]
fn a_case_is_opened_looked_at_and_solved() {
    for size in [LARGE, MEDIUM, (60, 20)] {
        let mut hands = Hands::at("", size);
        hands.press("C");
        // The first case needs little: W_O of an attention is transposed.
        hands.sees(&["case 4, level 1: 6 left", "What do you look at?"]);
        hands.sees(&["The tour and lessons 01", "The report: The code was"]);
        take(&mut hands, "translate");
        take(&mut hands, "the usual sentence");
        hands.sees(&["5 left", "watch: translate"]);
        take(&mut hands, "compare");
        hands.sees(&["4 left", "watch: compare"]);
        take(&mut hands, "name it");
        take(&mut hands, "no-positions");
        hands.sees(&["That is not the fault.", "3 left"]);
        let Some(Hunting::Ready(board)) = &hands.app.hunting else {
            panic!("no case is open");
        };
        let hidden = board.hunt().case.defect.clone();
        take(&mut hands, "name it");
        take(&mut hands, &hidden.kind.to_string());
        let effect = take(&mut hands, &hidden.place);
        assert!(matches!(effect, Some(Effect::Save)));
        assert_eq!(hands.app.progress.moves("case-4-level-1"), None);
        hands.sees(&[&format!("Right: {hidden}."), "closed"]);
        take(&mut hands, "next case");
        hands.sees(&["level 1: 6 left"]);
    }
}

#[test]
fn a_case_waits_where_it_was_left() {
    let mut hands = Hands::at("", LARGE);
    hands.press("C");
    let effect = take(&mut hands, "loss");
    assert!(matches!(effect, Some(Effect::Save)), "it is kept at once");
    hands.press("q");
    hands.misses(&["What do you look at?"]);
    hands.press("C");
    hands.sees(&["5 left", "watch: loss"]);
    take(&mut hands, "name it");
    hands.sees(&["Which fault is it?"]);
    hands.press("esc");
    hands.sees(&["What do you look at?"]);
    hands.press("esc");
    hands.misses(&["What do you look at?"]);
}

#[test]
fn entries_are_chosen_by_a_click() {
    let mut hands = Hands::at("", LARGE);
    hands.press("C");
    hands.click("padding");
    hands.sees(&["padding: where?"]);
}
