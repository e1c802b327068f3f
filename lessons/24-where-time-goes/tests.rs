//! The figures of the lesson.

use super::*;
use crate::decode::cache::Incremental;
use crate::lesson::Body;
use crate::tensor::random;

fn settings(words: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::defaults(LESSON.knobs);
    for (knob, value) in words {
        settings.set(LESSON.knobs, knob, value).unwrap();
    }
    settings
}

#[test]
fn the_count_by_hand_is_that_of_the_recorded_steps_for_every_size() {
    for words in [
        &[][..],
        &[("sentences", "1")],
        &[("order", "drawn"), ("width", "128")],
        &[("pass", "word"), ("layers", "1")],
    ] {
        let settings = settings(words);
        let run = TimeStage.run(&settings).unwrap();
        let fact = |name| TimeStage.fact(name, &run, &settings).unwrap();
        assert_eq!(fact("by_hand_flops"), fact("recorded_flops"), "{settings}");
        assert_eq!(fact("by_hand_bytes"), fact("recorded_bytes"), "{settings}");
        let count = |name: &str| f64::from(run.trace.tensor(name).unwrap().data()[0]);
        assert_eq!(
            count("count.all_flops"),
            fact("by_hand_flops"),
            "{settings}"
        );
        assert_eq!(
            count("count.all_bytes"),
            fact("by_hand_bytes"),
            "{settings}"
        );
    }
}

#[test]
fn one_word_costs_what_the_decoders_own_books_say() {
    let settings = settings(&[("pass", "word")]);
    let run = TimeStage.run(&settings).unwrap();
    let counted = TimeStage.fact("word_flops", &run, &settings).unwrap();
    let made = record::model(64, 2);
    let decoder = Incremental::new(&made.model, &made.params, 8);
    let ids: Vec<u32> = record::counted_batch(&settings)
        .src
        .data()
        .iter()
        .map(|&id| id as u32)
        .collect();
    let cache = decoder.begin(&[decoder.source(&ids)]);
    let before = cache.ledger.flops;
    let after = decoder.step(cache, &[1]).1.ledger.flops;
    assert_eq!(counted, (after - before) as f64);
}

#[test]
fn the_kinds_make_up_the_whole() {
    for form in ["steps", "fused"] {
        let trace = record::record(&settings(&[("form", form)]));
        let of = Kind::ALL.map(|kind| counts::kind(&trace, kind));
        assert_eq!(
            of.iter().map(|k| k.0).sum::<usize>(),
            counts::steps(&trace).count()
        );
        assert_eq!(
            of.iter().map(|k| k.1).sum::<u64>(),
            counts::all_flops(&trace)
        );
    }
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
    let real = |cut| {
        let found = padding::cells(cut);
        found.all - found.padding
    };
    assert_eq!(real(Cut::Drawn), real(Cut::Sorted));
}

#[test]
fn nothing_is_timed_until_it_is_asked_for() {
    let run = TimeStage.run(&settings(&[])).unwrap();
    for name in ["clock", "race", "more-rows", "shards"] {
        let picture = run.pictures.iter().find(|p| p.name == name).unwrap();
        let Body::Job(job) = &picture.body else {
            panic!("{name} would delay the first frame");
        };
        // Told to stop, it ends after its first drawing.
        let mut drawings = 0;
        let last = (job.run)(&mut |_| {
            drawings += 1;
            std::ops::ControlFlow::Break(())
        });
        assert_eq!(drawings, 1, "{name}");
        assert!(!matches!(last.body, Body::Job(_)), "{name}");
    }
}
