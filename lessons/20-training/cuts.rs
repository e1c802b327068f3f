//! Cutting the training pairs into batches.

use transformer_tutor::data::batches;
use transformer_tutor::lesson::{Bar, Body, Picture};

use transformer_tutor::lesson::short_run::Recipe as _;
use transformer_tutor::lesson::short_run::ground::ground;

use super::recipe::Recipe;

/// Batches of the first epoch, cut according to the recipe.
fn cut(recipe: Recipe) -> Vec<Vec<usize>> {
    let config = recipe.config();
    let corpus = &ground().train;
    batches::epoch_by(corpus, config.batch_tokens, config.seed, 0, recipe.cutter())
}

/// Number of sentences, longest side, and tokens of both sides of a batch.
fn measured(batch: &[usize]) -> (usize, usize, usize) {
    let pairs = &ground().train.pairs;
    let sides = |&i: &usize| (pairs[i].0.len(), pairs[i].1.len() - 1);
    let longest = batch.iter().map(|i| sides(i).0.max(sides(i).1)).max();
    let words = batch.iter().map(|i| sides(i).0 + sides(i).1).sum();
    (batch.len(), longest.unwrap_or(0), words)
}

/// Cells of the largest batch: its longest side times its sentences.
fn largest(batches: &[Vec<usize>]) -> usize {
    let cells = batches.iter().map(|batch| {
        let (sentences, longest, _) = measured(batch);
        sentences * longest
    });
    cells.max().unwrap_or(0)
}

/// Proportion of padding in all cells, if every side is padded to its batch's longest.
fn padding(batches: &[Vec<usize>]) -> f64 {
    let (mut cells, mut words) = (0, 0);
    for batch in batches {
        let (sentences, longest, own) = measured(batch);
        cells += 2 * sentences * longest;
        words += own;
    }
    1.0 - words as f64 / cells.max(1) as f64
}

/// Sentences in their original order, in batches of the mean size of the sorted ones.
fn unsorted() -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..ground().train.pairs.len()).collect();
    let many = all.len() / cut(Recipe::default()).len();
    all.chunks(many).map(<[usize]>::to_vec).collect()
}

/// Facts about the cut that the text states.
pub fn fact(name: &str, recipe: Recipe) -> Option<f64> {
    match name {
        "largest_batch" => Some(largest(&cut(recipe)) as f64),
        "sentences_learned" => Some(cut(recipe).iter().map(Vec::len).sum::<usize>() as f64),
        "batches" => Some(cut(recipe).len() as f64),
        "padding" => Some(padding(&cut(recipe))),
        "padding_unsorted" => Some(padding(&unsorted())),
        _ => None,
    }
}

/// Batches of the first epoch, in training order.
pub fn picture(recipe: Recipe) -> Picture {
    let all = cut(recipe);
    let bars = all.iter().enumerate().map(|(n, batch)| {
        let (sentences, longest, _) = measured(batch);
        Bar::new(
            format!("batch {}", n + 1),
            (sentences * longest) as f64,
            format!("{sentences} × {longest}"),
        )
    });
    let kept: usize = all.iter().map(Vec::len).sum();
    Picture::new(
        "batches",
        "Batches of the first epoch: sentences × longest side",
        format!(
            "{} batches with {kept} of {} sentences; the largest has {} cells, {} are allowed. {:.1} % of the cells are padding.",
            all.len(),
            ground().train.pairs.len(),
            largest(&all),
            recipe.config().batch_tokens,
            padding(&all) * 100.0
        ),
        Body::bars("cells", bars),
    )
}
