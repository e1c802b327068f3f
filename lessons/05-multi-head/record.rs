//! The recorded runs: the standard batch, the worked example, the numbered cells.

use transformer_tutor::autograd::{Tape, Trace, Var};
use transformer_tutor::lesson::Settings;
use transformer_tutor::nn::attention::{Attention, attention};
use transformer_tutor::nn::linear::{Bias, Linear};
use transformer_tutor::nn::masks;
use transformer_tutor::nn::multi_head_attention::{
    MultiHeadAttention, combine_heads, multi_head_attention, split_heads,
};
use transformer_tutor::params::{Param, Params};
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::text::sample::{self, BATCH, Language};

use super::mistakes::{self, Combine, MultiHeadFn, Split};

/// Channels of the model, which the heads share.
pub const D_MODEL: usize = 512;

/// Target and source positions of the standard batch.
pub const LENGTHS: (usize, usize) = (10, 11);

/// Runs the lesson's component under `settings`.
pub fn record(settings: &Settings) -> Result<Trace, String> {
    match settings.text("example") {
        "worked" => Ok(worked(settings)),
        "origin" => Ok(origin(settings)),
        _ => standard(settings),
    }
}

/// The four maps, with each head reading only its own block of channels if they are `grouped`.
pub fn maps(params: &mut Params, heads: usize, grouped: bool) -> MultiHeadAttention {
    let maps = MultiHeadAttention::new(params, heads, D_MODEL, Bias::Uniform, 0.0);
    if grouped {
        for map in [&maps.query, &maps.key, &maps.value] {
            keep_blocks(params, map, heads);
        }
    }
    maps
}

/// Sets to zero what leads from the channels of one head to another's.
fn keep_blocks(params: &mut Params, map: &Linear, heads: usize) {
    let weight: Param = map.weight;
    let block = D_MODEL / heads;
    let full = params.get(weight).clone();
    let kept = Tensor::from_fn(full.shape(), |i| {
        if i[0] / block == i[1] / block {
            full.at(i)
        } else {
            0.0
        }
    });
    params.set(weight, kept);
}

fn standard(settings: &Settings) -> Result<Trace, String> {
    let (heads, seed) = (settings.whole("heads"), settings.whole("seed") as u64);
    if !D_MODEL.is_multiple_of(heads) {
        return Err(format!(
            "Hidden size ({D_MODEL}) must be divisible by the number of heads ({heads}). Every head gets an equal share of the channels, and {D_MODEL} = {heads} · {} + {}.",
            D_MODEL / heads,
            D_MODEL % heads
        ));
    }
    let off = settings.whole("off");
    if off > heads {
        return Err(format!(
            "there are {heads} heads, so head {off} cannot be switched off: choose 1 to {heads}, or 0 for none"
        ));
    }
    let (target, source) = LENGTHS;
    let mut params = Params::new(seed);
    let mut maps = maps(
        &mut params,
        heads,
        settings.text("projections") == "grouped",
    );
    if off > 0 {
        silence(&mut params, &maps, off - 1);
    }
    maps.dropout = 0.0;
    let tape = Tape::eval(&params);
    let draw = |name: &str, length| random::normal(&[BATCH, length, D_MODEL], 1.0, seed, name);
    let x = tape.input("x", draw("x", target), &["b", "t", "d"]);
    let memory = tape.input("memory", draw("memory", source), &["b", "s", "d"]);
    let src = tape.ids("src", sample::ids(source, Language::German), &["b", "s"]);
    let mask = masks::src_mask(&src);
    implementation(settings)(&maps, &x, &memory, &memory, Some(&mask));
    Ok(tape
        .trace()
        .label("t", sample::all_words(target, Language::English))
        .label("s", sample::all_words(source, Language::German)))
}

/// Switches a head off: its values, weights and bias, become zero, so that it has nothing to say.
fn silence(params: &mut Params, maps: &MultiHeadAttention, head: usize) {
    let block = D_MODEL / maps.heads;
    let inside = move |row: usize| row / block == head;
    let mut quiet = |param: Param| {
        let full = params.get(param).clone();
        let cell = |i: &[usize]| if inside(i[0]) { 0.0 } else { full.at(i) };
        params.set(param, Tensor::from_fn(full.shape(), cell));
    };
    quiet(maps.value.weight);
    if let Some(bias) = maps.value.bias {
        quiet(bias);
    }
}

/// The sound function, or the first mistake that is on.
fn implementation(settings: &Settings) -> MultiHeadFn {
    let on = mistakes::ALL
        .into_iter()
        .find(|(name, _)| settings.broken(name));
    on.map_or(multi_head_attention, |(_, mistake)| mistake)
}

/// How the mistake that is on deals the channels out, and puts them side by side again.
fn ways(settings: &Settings) -> (Split, Combine) {
    let split: Split = if settings.broken("view-only") {
        mistakes::view
    } else if settings.broken("dealt-in-turn") {
        mistakes::deal
    } else if settings.broken("one-head") {
        |x: &Var, _: usize| split_heads(x, 1)
    } else {
        split_heads
    };
    let back = settings.broken("view-only") || settings.broken("no-return");
    (
        split,
        if back {
            mistakes::view_back
        } else {
            combine_heads
        },
    )
}

/// Two rows of six numbers that are query, key and value at once, two heads, and no maps.
fn worked(settings: &Settings) -> Trace {
    let tape = Tape::eval(&Params::default());
    let x = Tensor::from_fn(&[1, 2, 6], |i| (i[1] * 6 + i[2]) as f32 / 10.0);
    let query = tape.input("query", x.clone(), &["b", "t", "d"]);
    let key = tape.input("key", x, &["b", "s", "d"]);
    let (split, combine) = ways(settings);
    let q = split(&query, 2).named("query_heads");
    let k = split(&key, 2).named("key_heads");
    let Attention { context, .. } = attention(&q, &k, &k, None, 0.0);
    combine(&context);
    tape.trace()
}

/// Three words of four channels, two heads. Every cell is its own number in the row-major order, so
/// that it tells wherever it goes where it came from.
fn origin(settings: &Settings) -> Trace {
    let tape = Tape::eval(&Params::default());
    let x = Tensor::from_fn(&[1, 3, 4], |i| (i[1] * 4 + i[2]) as f32);
    let query = tape.input("query", x, &["b", "t", "d"]);
    let (split, combine) = ways(settings);
    let heads = split(&query, 2).named("query_heads");
    combine(&heads);
    tape.trace()
}
