//! Tests of the numbers in the lesson's text.

use super::*;
use crate::lesson::Body;
use crate::lesson::race::lane::{assert_curves, write_curves};

fn run(turned: &[(&str, &str)]) -> Run {
    let settings = LESSON.settings(turned).unwrap();
    LESSON.stage().run(&settings).unwrap()
}

fn bars(turned: &[(&str, &str)]) -> Vec<f64> {
    let mut pictures = run(turned).pictures.into_iter();
    let sizes = pictures.find(|p| p.name == "sizes");
    let Body::Bars { bars, .. } = sizes.unwrap().body else {
        panic!("sizes is drawn as bars");
    };
    bars.iter().map(|bar| bar.value).collect()
}

#[test]
fn the_picture_of_sizes_shows_what_each_mistake_does() {
    let root = (D_MODEL as f64).sqrt();
    let sound = bars(&[]);
    for (mistake, word, position) in [
        ("no-scale", 1.0 / root, 1.0),
        ("times-width", root, 1.0),
        ("divided", 1.0 / (root * root), 1.0),
        ("root-of-vocabulary", 30_000_f64.sqrt() / root, 1.0),
        ("scaled-position", 1.0, root),
    ] {
        let broken = bars(&[("break", mistake)]);
        for (value, expected) in [
            (broken[0], sound[0] * word),
            (broken[1], sound[1] * position),
        ] {
            assert!(
                (value / expected - 1.0).abs() < 1e-4,
                "{mistake}: {value} is not {expected}"
            );
        }
    }
}

#[test]
fn zeroed_padding_makes_no_word_quieter() {
    assert_eq!(bars(&[("padding", "zero")]), bars(&[]));
    let run = run(&[("padding", "zero")]);
    let (sum, ids) = (run.trace.tensor("with_position"), run.trace.tensor("ids"));
    let (sum, ids) = (sum.unwrap(), ids.unwrap());
    let pe = run.trace.tensor("pe").unwrap();
    let padded = ids.indices().filter(|i| ids.at(i) == 0.0);
    let mut seen = 0;
    for i in padded {
        assert_eq!(sum.at(&[i[0], i[1], 9]), pe.at(&[i[1], 9]));
        seen += 1;
    }
    assert!(seen > 50, "{seen}");
}

/// Every race that the knobs `init` and `tied` can select.
fn lanes() -> Vec<race::Lane> {
    let inits = ["xavier", "normal", "tf"].into_iter();
    let asked = inits.flat_map(|init| ["no", "yes"].map(|tied| [("init", init), ("tied", tied)]));
    let lanes = asked.flat_map(|turned| {
        let knobs = LESSON.settings(&turned).unwrap().knobs();
        race::lanes(rules(&knobs))
    });
    lanes.collect()
}

#[test]
fn the_curves_that_come_with_the_program_are_of_these_models() {
    assert_curves(&lanes());
}

#[test]
#[ignore = "makes lessons/01-embeddings/curves.toml anew"]
fn the_curves_are_made() {
    write_curves("lessons/01-embeddings/curves.toml", &lanes());
}

#[test]
fn the_translator_differs_from_the_model_that_is_taught_as_the_table_tells() {
    use crate::nn::activation::Activation;
    use crate::nn::residual::NormPlace;
    use crate::ops::Layout;
    use crate::train::built_in::BuiltIn;
    use crate::transformer::Config;
    use crate::transformer::config::{Start, Tying};

    let taught = Config::annotated(10, 10);
    let trained = &BuiltIn::Everyday.translator().model.config;
    let norms = [taught.norm_place, trained.norm_place];
    assert_eq!(norms, [NormPlace::Pre, NormPlace::Post]);
    let positions = [taught.positions, trained.positions];
    assert_eq!(positions, [Layout::Interleaved, Layout::Halves]);
    assert_eq!([taught.start, trained.start], [Start::Own, Start::Padding]);
    assert_eq!([taught.tying, trained.tying], [Tying::None, Tying::All]);
    let activations = [taught.activation, trained.activation];
    assert_eq!(activations, [Activation::Relu; 2]);
}

#[test]
#[ignore = "a measurement, for a machine that does nothing else"]
fn the_table_behind_a_turn_of_a_knob_is_there_when_it_is_turned() {
    let stage = EmbeddingStage::default();
    let mut settings = LESSON.settings(&[]).unwrap();
    stage.run(&settings).unwrap();
    // A pause of 0.3 s between two turns, and then a key held down.
    for pause in [300, 30] {
        for (knob, value) in [
            ("seed", "6"),
            ("seed", "5"),
            ("seed", "4"),
            ("init", "normal"),
            ("init", "tf"),
            ("seed", "3"),
            ("seed", "2"),
            ("seed", "1"),
            ("init", "normal"),
            ("init", "xavier"),
            ("seed", "7"),
        ] {
            std::thread::sleep(std::time::Duration::from_millis(pause));
            settings.set(LESSON.knobs, knob, value).unwrap();
            let start = std::time::Instant::now();
            stage.run(&settings).unwrap();
            let took = start.elapsed();
            println!("{knob} to {value} after {pause} ms: {took:?}");
            // Jumping to seed 7, and a key held down, may have to wait for a table.
            assert!(
                value == "7" || pause == 30 || took.as_millis() < 16,
                "{took:?}"
            );
        }
    }
}
