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
fn training_waits_until_it_is_asked_for() {
    let run = MeasuringStage.run(&settings(&[])).unwrap();
    let picture = run.pictures.iter().find(|p| p.name == "average").unwrap();
    let Body::Job(job) = &picture.body else {
        panic!("it would delay the first frame");
    };
    let progress = (job.run)(&mut |_| std::ops::ControlFlow::Continue(()));
    assert!(matches!(progress.body, Body::Bars { bars, .. } if bars.len() == averaging::KEPT + 1));
}
