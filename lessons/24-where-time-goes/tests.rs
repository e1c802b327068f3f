//! Tests of the numbers in the lesson's text.

use super::*;
use crate::decode::cache::Incremental;
use crate::lesson::Body;
use crate::tensor::random;

#[test]
fn one_word_costs_what_the_decoders_own_books_say() {
    let settings = LESSON.settings(&[("pass", "word")]).unwrap();
    let run = TimeStage.run(&settings).unwrap();
    let counted = TimeStage.fact("word_flops", &run, &settings).unwrap();
    let made = record::model(64, 2);
    let decoder = Incremental::new(&made.model, &made.params, 8);
    let ids: Vec<u32> = record::counted_batch(&settings.knobs())
        .src
        .data()
        .iter()
        .map(|&id| id as u32)
        .collect();
    let cache = decoder.begin(&[decoder.source(&ids)]);
    let before = cache.stats.flops;
    let after = decoder.step(cache, &[1]).1.stats.flops;
    assert_eq!(counted, (after - before) as f64);
}

#[test]
fn all_four_ways_multiply() {
    for sizes in [races::RACED, [3, 70, 300], [1, 1, 1]] {
        let [n, k, m] = sizes;
        let (a, b) = (
            random::normal(&[n, k], 1.0, 1, "a"),
            random::normal(&[k, m], 1.0, 1, "b"),
        );
        let mut expected = vec![0.0; n * m];
        races::WAYS[0].1(a.data(), b.data(), &mut expected, sizes);
        for (name, way) in races::WAYS {
            let mut out = vec![7.0; n * m];
            way(a.data(), b.data(), &mut out, sizes);
            let near = |(x, y): (&f32, &f32)| (x - y).abs() < 1e-3;
            assert!(out.iter().zip(&expected).all(near), "{name} {sizes:?}");
        }
    }
}

#[test]
fn both_cuts_hold_every_sentence() {
    let real = |order| {
        let counted = padding::cells(order);
        counted.all - counted.padding
    };
    assert_eq!(real(Order::Drawn), real(Order::Sorted));
}

#[test]
fn timings_run_only_as_jobs_and_stop_when_told() {
    let run = TimeStage.run(&LESSON.settings(&[]).unwrap()).unwrap();
    for name in ["clock", "race", "more-rows", "shards"] {
        let picture = run.pictures.iter().find(|p| p.name == name).unwrap();
        let Body::Job(job) = &picture.body else {
            panic!("{name} would delay the first frame");
        };
        // When told to stop, it ends after its first drawing.
        let mut drawings = 0;
        let last = (job.run)(&mut |_| {
            drawings += 1;
            std::ops::ControlFlow::Break(())
        });
        assert_eq!(drawings, 1, "{name}");
        assert!(!matches!(last.body, Body::Job(_)), "{name}");
    }
}
