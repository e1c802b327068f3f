//! Tests of the numbers in the lesson's text.

use super::*;
use crate::lesson::Body;

fn settings(turned: &[(&str, &str)]) -> Settings {
    LESSON.settings(turned).unwrap()
}

#[test]
fn the_recorded_score_is_that_of_the_measure_under_every_rule() {
    for hyp in [
        "The cat is on a mat.",
        "the the the the the the the",
        "The cat.",
        "On the mat is the cat.",
        "no",
    ] {
        for tokenize in ["13a", "intl", "char", "none"] {
            for smooth in ["exp", "floor", "add-k", "none"] {
                let settings =
                    settings(&[("hyp", hyp), ("tokenize", tokenize), ("smooth", smooth)]);
                let knobs: Knobs = settings.knobs();
                let recorded = record(&knobs, None).tensor("bleu").unwrap().data()[0];
                let whole = knobs.whole(&knobs.options());
                let apart = (f64::from(recorded) - whole).abs();
                assert!(apart < 1e-3, "{settings}: {recorded} {whole}");
            }
        }
    }
}

#[test]
fn the_recorded_score_makes_the_mistakes_that_the_exercise_knows() {
    for switch in LESSON.mistakes {
        let settings = settings(&[("smooth", "none"), ("break", switch.name)]);
        let knobs: Knobs = settings.knobs();
        let recorded = record(&knobs, settings.mistake().unwrap());
        let recorded = recorded.tensor("bleu").unwrap().data()[0];
        let lines = cut(&knobs);
        let side = |n: usize| lines.iter().map(|line| &*line[n]).collect::<Vec<_>>();
        let score = check::TASK.chosen(&settings)(&side(0), &side(1));
        assert!(
            (f64::from(recorded) - score).abs() < 1e-3,
            "{settings}: {recorded} {score}"
        );
    }
}

#[test]
fn sacrebleus_figures_come_out() {
    let settings = settings(&[]);
    let run = MeasuringStage.run(&settings).unwrap();
    let fact = |name| MeasuringStage.fact(name, &run, &settings).unwrap();
    for (name, expected, within) in [
        ("golden_13a", 48.530827, 1e-6),
        ("golden_none", 49.1919566, 1e-6),
        ("golden_intl", 43.91623493, 1e-6),
        ("romanian_exp", 8.493, 1e-3),
        ("romanian_floor", 4.51688, 1e-3),
        ("romanian_add", 14.882, 1e-3),
        ("romanian_char", 40.8759, 1e-3),
    ] {
        let value = fact(name);
        assert!((value - expected).abs() < within, "{name} is {value}");
    }
}

#[test]
fn the_mean_of_the_last_weights_is_better_than_each_of_them() {
    let averaged = &*averaging::AVERAGED;
    assert_eq!(averaged.each.len(), averaging::KEPT);
    let (average, each) = (averaged.average, &averaged.each);
    assert!(
        each.iter().all(|nats| average < *nats),
        "{average} {each:?}"
    );
}

#[test]
fn training_waits_until_it_is_asked_for() {
    let run = MeasuringStage.run(&settings(&[])).unwrap();
    let picture = run.pictures.iter().find(|p| p.name == "average").unwrap();
    let Body::Job(job) = &picture.body else {
        panic!("it would delay the first frame");
    };
    let progress = (job.run)(&mut |_| std::ops::ControlFlow::Continue(()));
    assert!(matches!(progress.body, Body::Bars { bars, .. } if bars.len() == averaging::KEPT + 1));
}
