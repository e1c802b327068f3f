//! What the instruments tell without a list of mistakes.

use transformer_tutor::curriculum::exercises;
use transformer_tutor::lesson::exercise::only_measured;

/// `cargo test --test mutants measured -- --ignored --nocapture` lists what they say of every known mistake.
#[test]
#[ignore = "runs hundreds of functions with many inputs: some minutes"]
fn the_instruments_name_many_known_mistakes_by_measuring() {
    let (mut all, mut named) = (0, 0);
    let only = std::env::var("TRANSFORMER_TUTOR_EXERCISE").ok();
    for (_, lesson, exercise) in exercises() {
        if only.as_ref().is_some_and(|only| only != exercise.name) {
            continue;
        }
        for name in exercise.function.mistakes() {
            let outcome = only_measured(|| exercise.function.mistaken(name));
            let failure = outcome.expect("it is known").expect_err(name);
            all += 1;
            // A check may know the name by its own means.
            if failure.mistakes.is_empty() {
                named += usize::from(failure.likely.is_some());
                let says = failure.likely.or(failure.relation).unwrap_or_default();
                println!("{lesson} {}: {name}: {says}", exercise.name);
            }
        }
    }
    println!("{named} of {all}");
    assert!(only.is_some() || 5 * named > all, "{named} of {all}");
}
