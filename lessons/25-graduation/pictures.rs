//! The pictures: the race, the counts, and the names in PyTorch.

use transformer_tutor::data::annotated;
use transformer_tutor::lesson::copying::Race;
use transformer_tutor::lesson::{Body, Fact, Facts, Picture};
use transformer_tutor::params::{Param, Params};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::{Config, Transformer};

use super::attending::SOUND;
use super::model::{BASE, Choice, Modern, SMALL, Sizes, Stack};
use super::training::{self, LANES};

/// Number of parameters of a choice.
pub fn count(choice: Choice, sizes: Sizes) -> usize {
    let mut params = Params::layout();
    Modern::new(&mut params, choice, sizes, SOUND);
    params.count()
}

/// Numbers that the decoder caches per token it has written: keys and values of self-attention, in all layers.
pub fn cached(choice: Choice, sizes: Sizes) -> usize {
    let layers = sizes.layers * if choice.stack == Stack::One { 2 } else { 1 };
    let groups = choice.groups_of(sizes.heads);
    layers * 2 * groups * sizes.d_model / sizes.heads
}

/// Costs of each choice at both sizes.
pub fn costs() -> Facts {
    // A year on its own would be aligned as a number.
    let names = LANES.iter().map(|(name, ..)| match *name {
        "2017" => "as in 2017",
        name => name,
    });
    let of = |cost: &dyn Fn(Choice) -> usize| {
        Fact::numbers(LANES.iter().map(|(.., choice)| cost(*choice)))
    };
    Facts::default()
        .with("lanes", Fact::words(names))
        .with("small_counts", of(&|choice| count(choice, SMALL)))
        .with("base_counts", of(&|choice| count(choice, BASE)))
        .with("base_caches", of(&|choice| cached(choice, BASE)))
        .with("base_new", count(training::NEW, BASE))
        .with("base_old", count(training::OLD, BASE))
        .with("tensors", exported().len())
}

/// A small model in the form of the Annotated Transformer.
fn exported() -> Params {
    let mut params = Params::layout();
    Transformer::new(&mut params, &Config::annotated(11, 11).sized(2, 32, 64, 4));
    params
}

/// Names here and in PyTorch, and their number.
pub fn names() -> (Body, usize) {
    let params = exported();
    let row = |(param, ours, _): (Param, &str, &Tensor)| {
        let shape = params.shape(param).iter().map(ToString::to_string);
        let shape = shape.collect::<Vec<_>>().join("×");
        vec![ours.to_owned(), annotated::name(ours), shape]
    };
    let all: Vec<_> = params.iter().map(row).collect();
    let shown = |line: &&Vec<String>| {
        ["src_embed", "encoder.layers.0", "encoder.norm", "generator"]
            .iter()
            .any(|part| line[0].starts_with(part))
            && !line[0].ends_with("bias")
    };
    // Show only the part of the PyTorch name that differs: the whole would leave no room.
    let short = |line: &Vec<String>| -> Vec<String> {
        let plain = |word: &String| word.replace("encoder.layers.0.", "").replace(".weight", "");
        let [ours, theirs] = [plain(&line[0]), plain(&line[1])];
        let alike = ours.split_inclusive('.').zip(theirs.split_inclusive('.'));
        let alike: usize = alike
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len())
            .sum();
        let theirs = if ours == theirs {
            "same".to_owned()
        } else {
            format!("…{}", &theirs[alike..])
        };
        vec![ours.clone(), theirs, line[2].clone()]
    };
    let rows: Vec<_> = all.iter().filter(shown).map(short).collect();
    let shown = rows.len();
    (Body::table(&["here", "in PyTorch", "shape"], rows), shown)
}

/// The race of all six lanes.
pub fn race(seed: u64) -> Picture {
    let lanes = LANES.iter().enumerate();
    let race = Race {
        title: "Six models learn to copy, one seed".to_owned(),
        says: "The same batches for all. Each model changes one part, the last one all four.",
        many: "six",
        lanes: lanes
            .map(|(n, (name, ..))| (*name, training::lane(n, seed)))
            .collect(),
        each: 5,
        before: "All six start near the loss of a uniform guess, log 10 = 2.303.".to_owned(),
    };
    race.picture()
}
