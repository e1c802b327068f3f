//! The pictures: the race, the counts, and the names in PyTorch.

use transformer_tutor::data::annotated;
use transformer_tutor::lesson::Picture;
use transformer_tutor::lesson::copying::Race;
use transformer_tutor::params::{Param, Params};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::{Config, Transformer};
use transformer_tutor::typeset::number::grouped;

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
pub fn counts() -> Picture {
    let rows = LANES.iter().map(|(name, _, choice)| {
        let numbers = [
            count(*choice, SMALL),
            count(*choice, BASE),
            cached(*choice, BASE),
        ];
        let numbers = numbers.map(|n| grouped(n as u64));
        // A year on its own would be aligned as a number.
        let name = match *name {
            "2017" => "as in 2017",
            name => name,
        };
        [&[name.to_owned()], &numbers[..]].concat()
    });
    Picture::table(
        "counts",
        "What each change saves",
        format!(
            "Each row changes one part of the model of 2017, the last one all four: together they save {:.1} % of the base model's parameters. Cache: numbers that the base model caches for each token.",
            100.0 * (1.0 - count(training::NEW, BASE) as f64 / count(training::OLD, BASE) as f64)
        ),
        &["", "small", "base", "cache"],
        rows.collect(),
    )
}

/// A small model in the form of the Annotated Transformer.
fn exported() -> Params {
    let mut params = Params::layout();
    Transformer::new(&mut params, &Config::annotated(11, 11).sized(2, 32, 64, 4));
    params
}

/// Number of tensors in this model.
pub fn tensors() -> usize {
    exported().len()
}

/// Names here and in PyTorch.
pub fn names() -> Picture {
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
    Picture::table(
        "names",
        "The same tensors under two names",
        format!(
            "{} of {} tensors, without the prefix encoder.layers.0 and the suffix weight; of the name in PyTorch only the part that differs. Biases and the other layers follow the same pattern. Shapes and layouts are the same.",
            all.iter().filter(shown).count(),
            all.len()
        ),
        &["here", "in PyTorch", "shape"],
        all.iter().filter(shown).map(short).collect(),
    )
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
