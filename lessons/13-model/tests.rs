//! Tests of the numbers in the lesson's text.

use std::ops::ControlFlow;

use super::*;
use crate::tensor::threads::{Cancelled, Token};

#[test]
fn the_full_size_pass_ends_when_it_is_cancelled() {
    let Body::Job(job) = full::picture(7).body else {
        panic!("the full-size model takes time")
    };
    let token = Token::default();
    let end = token.run(|| {
        (job.run)(&mut |_| {
            // At this point the weights are about to be drawn, on several threads.
            token.cancel();
            ControlFlow::Continue(())
        })
    });
    assert_eq!(end.err(), Some(Cancelled));
}

#[test]
fn every_box_of_the_map_opens_a_step_in_every_form() {
    for form in ["annotated", "tensorflow", "paper"] {
        let settings = LESSON.settings(&[("form", form)]).unwrap();
        let run = ModelStage.run(&settings).unwrap();
        let Body::Map(map) = &run.pictures[0].body else {
            panic!("the map comes first")
        };
        for map_box in map.rows.iter().flatten().flatten() {
            let opens = &map_box.opens;
            assert!(run.trace.find(opens).is_some(), "{form}: {opens}");
        }
    }
}

#[test]
fn the_full_model_lights_up_and_leaves_a_run_that_can_be_opened() {
    let Body::Job(job) = full::picture(1).body else {
        panic!("it is started on demand")
    };
    let mut drawn = 0;
    let end = (job.run)(&mut |progress| {
        drawn += 1;
        assert!(matches!(progress.body, Body::Map(_)) && progress.run.is_none());
        ControlFlow::Continue(())
    });
    assert!(drawn >= 30, "{drawn} drawings");
    let run = end.run.expect("it leaves its run");
    let shape = |name: &str| run.trace.tensor(name).unwrap().shape().to_vec();
    assert_eq!(shape("decoder.layers.5.src_attn.weights"), [30, 8, 10, 11]);
    assert_eq!(shape("generator.log_probs"), [30, 10, 30_000]);
    let Body::Map(map) = &run.pictures[0].body else {
        panic!("it is a map")
    };
    assert!(map.rows.len() > 20);
    for map_box in map.rows.iter().flatten().flatten() {
        assert!(
            run.trace.find(&map_box.opens).is_some(),
            "{}",
            map_box.opens
        );
    }
}
