//! Tests of the numbers in the lesson's text, and that its own loop equals the trainer's.

use transformer_tutor::train::trainer::Trainer;

use super::*;

#[test]
fn the_loop_of_the_lesson_is_the_trainers_to_the_last_bit() {
    let (recipe, ground) = (Recipe::default(), ground());
    let mut trainer = Trainer::new(recipe.config(), ground.words(), ground.train.clone(), 2);
    for _ in 0..60 {
        trainer.update().unwrap();
    }
    let seen = seen(recipe, 60);
    for (ours, theirs) in seen.now().params.iter().zip(trainer.params.iter()) {
        assert_eq!(ours, theirs);
    }
}

#[test]
fn the_three_sentences_are_held_out_known_and_different() {
    let all = sentences();
    let train = &ground().train.pairs;
    for (pair, source) in all.iter().zip(sources()) {
        assert!(train.iter().all(|(known, _)| *known != source), "{pair:?}");
    }
    assert!(all[0] != all[1] && all[1] != all[2]);
}

#[test]
fn the_run_learns_and_what_it_gets_right_rises_in_order() {
    let mut before = [0.0; 3];
    for at in [0, 100, 400] {
        let [next, placed, exact] = seen(Recipe::default(), at).shares();
        assert!(next > placed && placed >= exact, "{at}");
        assert!(next > before[0] && placed > before[1], "{at}");
        before = [next, placed, exact];
    }
    assert!(before[2] > 0.5, "{before:?}");
}

#[test]
fn a_fork_with_nothing_changed_is_the_run_itself() {
    let on = forks::fork(200, 0);
    let whole = seen(Recipe::default(), 280);
    let own: Vec<f64> = whole.snapshots[10..].iter().map(|s| s.held_out).collect();
    let forked: Vec<f64> = on.iter().map(|point| point.1).collect();
    assert_eq!(own, forked);
}

#[test]
fn the_same_switches_give_the_same_snapshot_whichever_way_the_knob_was_turned() {
    let loss = |at| seen(Recipe::default(), at).now().held_out;
    let (late, early) = (loss(120), loss(60));
    assert_eq!(early, loss(79), "a snapshot at or before");
    assert!(late < early);
    assert_eq!(loss(120), late);
}
