//! The recorded runs: the standard batch, the worked example, and the example with numbered cells.

use serde::Deserialize;

use transformer_tutor::autograd::{Tape, Trace, Var};
use transformer_tutor::lesson::{Settings, batch};
use transformer_tutor::nn::attention::{Attention, attention};
use transformer_tutor::nn::linear::{Bias, Linear};
use transformer_tutor::nn::multi_head_attention::{MultiHeadAttention, combine_heads, split_heads};
use transformer_tutor::params::{Param, Params};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::sample::Language;

use super::check::TASK;

/// Width of the model, which the heads share.
pub const D_MODEL: usize = 512;

/// Target and source lengths of the standard batch.
pub const LENGTHS: (usize, usize) = (10, 11);

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knobs {
    pub example: Example,
    heads: usize,
    off: String,
    projections: Projections,
    seed: u64,
}

/// Input of the run.
#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Example {
    Standard,
    Worked,
    Origin,
}

/// Whether each head reads all channels, or only its own block.
#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Projections {
    Full,
    Grouped,
}

/// Runs the lesson's component.
pub fn record(knobs: &Knobs, settings: &Settings) -> Result<Trace, String> {
    match knobs.example {
        Example::Standard => standard(knobs, settings),
        Example::Worked => Ok(worked(ways(settings))),
        Example::Origin => Ok(origin(ways(settings))),
    }
}

/// The four maps. If they are `grouped`, each head reads only its own block of channels.
pub fn maps(params: &mut Params, heads: usize, grouped: bool) -> MultiHeadAttention {
    let maps = MultiHeadAttention::new(params, heads, D_MODEL, Bias::Uniform, 0.0);
    if grouped {
        for map in [&maps.query, &maps.key, &maps.value] {
            keep_blocks(params, map, heads);
        }
    }
    maps
}

/// Sets to zero the weights that lead from the channels of one head to another.
fn keep_blocks(params: &mut Params, map: &Linear, heads: usize) {
    let block = D_MODEL / heads;
    let full = params.get(map.weight).clone();
    let kept = Tensor::from_fn(full.shape(), |i| {
        if i[0] / block == i[1] / block {
            full.at(i)
        } else {
            0.0
        }
    });
    params.set(map.weight, kept);
}

fn standard(knobs: &Knobs, settings: &Settings) -> Result<Trace, String> {
    let (heads, seed) = (knobs.heads, knobs.seed);
    if !D_MODEL.is_multiple_of(heads) {
        return Err(format!(
            "d_model ({D_MODEL}) must be divisible by the number of heads ({heads}). Every head gets the same number of channels, and {D_MODEL} = {heads} · {} + {}.",
            D_MODEL / heads,
            D_MODEL % heads
        ));
    }
    let off = switched_off(&knobs.off, heads)?;
    let (target, source) = LENGTHS;
    let mut params = Params::new(seed);
    let grouped = knobs.projections == Projections::Grouped;
    let maps = maps(&mut params, heads, grouped);
    if let Some(head) = off {
        silence(&mut params, &maps, head);
    }
    let tape = Tape::eval(&params);
    let x = batch::vectors(&tape, ("x", Language::English), (target, D_MODEL), seed);
    let memory = batch::vectors(&tape, ("memory", Language::German), (source, D_MODEL), seed);
    let mask = batch::src_mask(&tape, source);
    TASK.chosen(settings)(&maps, &x, &memory, &memory, Some(&mask));
    Ok(batch::worded(tape.trace(), target, source))
}

/// The head named by the knob `off`, if it is not `none`.
fn switched_off(asked: &str, heads: usize) -> Result<Option<usize>, String> {
    match asked.parse::<usize>() {
        _ if asked == "none" => Ok(None),
        Ok(head) if head < heads => Ok(Some(head)),
        _ => Err(format!(
            "there are {heads} heads, counted from 0: off can be 0 to {}, or none, not {asked}",
            heads - 1
        )),
    }
}

/// Switches a head off by setting the weights and bias of its values to zero.
fn silence(params: &mut Params, maps: &MultiHeadAttention, head: usize) {
    let block = D_MODEL / maps.heads;
    let mut quiet = |param: Param| {
        let full = params.get(param).clone();
        let cell = |i: &[usize]| {
            if i[0] / block == head {
                0.0
            } else {
                full.at(i)
            }
        };
        params.set(param, Tensor::from_fn(full.shape(), cell));
    };
    quiet(maps.value.weight);
    if let Some(bias) = maps.value.bias {
        quiet(bias);
    }
}

/// How the channels are split into heads.
type Split = fn(&Var, usize) -> Var;
/// How the heads are combined again.
type Combine = fn(&Var) -> Var;

/// How the mistakes about splitting and combining do so, by the names of their switches.
static WAYS: [(&str, (Split, Combine)); 4] = [
    ("view-only", (view, view_back)),
    ("no-return", (split_heads, view_back)),
    ("dealt-in-turn", (deal, combine_heads)),
    ("one-head", (whole, combine_heads)),
];

/// Reshapes `[b, t, d]` directly to `[b, h, t, k]`: the same numbers in the same order, but assigned to other heads.
fn view(x: &Var, heads: usize) -> Var {
    let (s, axes) = (x.shape(), x.axes());
    let shape = [s[0], heads, s[1], s[2] / heads];
    x.reshape(&shape, &[axes[0], "h", axes[1], "k"])
}

/// Reshapes `[b, h, t, k]` directly to `[b, t, d]`.
fn view_back(x: &Var) -> Var {
    let (s, axes) = (x.shape(), x.axes());
    let combined = x.reshape(&[s[0], s[2], s[1] * s[3]], &[axes[0], axes[2], "d"]);
    combined.named("combined")
}

/// Deals channel 0 to head 0, channel 1 to head 1, … and round again.
fn deal(x: &Var, heads: usize) -> Var {
    let (s, axes) = (x.shape(), x.axes());
    let shape = [s[0], s[1], s[2] / heads, heads];
    let dealt = x.reshape(&shape, &[axes[0], axes[1], "k", "h"]);
    dealt.permute(&[0, 3, 1, 2])
}

/// Gives all channels to one head.
fn whole(x: &Var, _: usize) -> Var {
    split_heads(x, 1)
}

/// How the mistake that is switched on splits the channels and combines the heads.
fn ways(settings: &Settings) -> (Split, Combine) {
    let on = WAYS.iter().find(|(name, _)| settings.broken(name));
    on.map_or((split_heads, combine_heads), |(_, ways)| *ways)
}

/// Two rows of six numbers that are query, key and value at once, with two heads and no projections.
fn worked((split, combine): (Split, Combine)) -> Trace {
    let tape = Tape::eval(&Params::default());
    let x = Tensor::from_fn(&[1, 2, 6], |i| (i[1] * 6 + i[2]) as f32 / 10.0);
    let query = tape.input("query", x.clone(), &["b", "t", "d"]);
    let key = tape.input("key", x, &["b", "s", "d"]);
    let q = split(&query, 2).named("query_heads");
    let k = split(&key, 2).named("key_heads");
    let Attention { context, .. } = attention(&q, &k, &k, None, 0.0);
    combine(&context);
    tape.trace()
}

/// Three tokens of four channels, with two heads. Every cell holds its own row-major index, which shows where it came
/// from wherever it goes.
fn origin((split, combine): (Split, Combine)) -> Trace {
    let tape = Tape::eval(&Params::default());
    let x = Tensor::from_fn(&[1, 3, 4], |i| (i[1] * 4 + i[2]) as f32);
    let query = tape.input("query", x, &["b", "t", "d"]);
    let heads = split(&query, 2).named("query_heads");
    combine(&heads);
    tape.trace()
}
