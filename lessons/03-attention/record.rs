//! The recorded run: attention over queries, keys and values that untrained projections make from thirty real sentence
//! pairs, with the mask of their padding; or over the example that the learner chose.

use serde::Deserialize;

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::lesson::{Settings, batch, leak};
use transformer_tutor::nn::attention::AttentionFn as Attend;
use transformer_tutor::nn::masks;
use transformer_tutor::nn::multi_head_attention::split_heads;
use transformer_tutor::params::{Init, Params};
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::text::sample::{self as sentences, Language, SHORT};

use super::check::TASK;

/// Width of the model, which the heads share.
pub const D_MODEL: usize = 512;

/// One run, with what the pictures need beyond its tensors.
pub struct Recorded {
    pub trace: Trace,
    /// Measurement of the leak indicator on the short sentence.
    pub leak: Option<Leak>,
}

/// How strongly positions influence outputs, as measured by the leak indicator.
pub struct Leak {
    /// `[target, source]`.
    pub influence: Tensor,
    /// 1 where influence is allowed.
    pub allowed: Tensor,
    pub words: Words,
}

/// Words on the axes of the attention weights.
pub struct Words {
    pub rows: Vec<String>,
    pub columns: Vec<String>,
}

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    example: Example,
    heads: usize,
    d_k: usize,
    d_v: usize,
    target: usize,
    source: usize,
    query_std: f32,
    dropout: f32,
    seed: u64,
}

/// Input of the run: a target that attends to a source or to itself, two rows of six numbers, or one head with its
/// projections.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Example {
    Standard,
    #[serde(rename = "self")]
    Own,
    Worked,
    Projected,
}

impl Knobs {
    fn tape(&self, params: &Params) -> Tape {
        batch::tape(params, self.dropout, self.seed)
    }

    /// d_k and d_v, which default to `share`, a head's share of the model.
    fn widths(&self, share: usize) -> (usize, usize) {
        let or_share = |width| if width == 0 { share } else { width };
        (or_share(self.d_k), or_share(self.d_v))
    }
}

/// Runs the lesson's component under `settings`.
pub fn record(settings: &Settings) -> Result<Recorded, String> {
    let (knobs, attend): (Knobs, _) = (settings.knobs(), TASK.chosen(settings));
    let attended = match knobs.example {
        Example::Standard => Language::German,
        Example::Own => Language::English,
        Example::Worked => return Ok(worked(&knobs, attend)),
        Example::Projected => return Ok(projected(&knobs, attend)),
    };
    let Batched { trace, mask, words } = batched(&knobs, attend, attended)?;
    // Untransposed keys fit only if two sizes happen to be equal, and the leak indicator has its own sizes.
    let metered = !settings.broken("not-transposed");
    let leak = metered.then(|| leak(attend, &mask, words, knobs.seed));
    Ok(Recorded { trace, leak })
}

/// The run over 30 sentences, with what the leak indicator needs.
struct Batched {
    trace: Trace,
    mask: Tensor,
    words: Words,
}

/// Runs 30 sentences with all heads: the English target attends to the German source or to itself.
fn batched(knobs: &Knobs, attend: Attend, attended: Language) -> Result<Batched, String> {
    let (heads, target, seed) = (knobs.heads, knobs.target, knobs.seed);
    if !D_MODEL.is_multiple_of(heads) {
        return Err(format!(
            "d_model ({D_MODEL}) must be divisible by the number of heads ({heads}): every head gets the same number of the {D_MODEL} channels, and {D_MODEL} = {heads} × {} + {}. Try 8.",
            D_MODEL / heads,
            D_MODEL % heads
        ));
    }
    let (d_k, d_v) = knobs.widths(D_MODEL / heads);
    let (source, axis) = match attended {
        Language::English => (target, "t"),
        Language::German => (knobs.source, "s"),
    };
    let tape = knobs.tape(&Params::default());
    let y = batch::embedded(Language::English, (target, D_MODEL), seed);
    let x = batch::embedded(attended, (source, D_MODEL), seed);
    let query = mapped(&y, "W_Q", (heads, d_k), seed).map(|q| q * knobs.query_std);
    let query = tape.input("query", query, &["b", "h", "t", "k"]);
    let key = mapped(&x, "W_K", (heads, d_k), seed);
    let key = tape.input("key", key, &["b", "h", axis, "k"]);
    let value = mapped(&x, "W_V", (heads, d_v), seed);
    let value = tape.input("value", value, &["b", "h", axis, "k"]);
    let mask = match attended {
        Language::English => batch::tgt_mask(&tape, target),
        Language::German => batch::src_mask(&tape, source),
    };
    let mask = mask.unsqueeze(1).named("mask");
    attend(&query, &key, &value, Some(&mask), knobs.dropout);

    Ok(Batched {
        trace: batch::worded(tape.trace(), target, source),
        mask: mask.value(),
        words: Words {
            rows: sentences::words(SHORT, target, Language::English),
            columns: sentences::words(SHORT, source, attended),
        },
    })
}

/// Projects `x [batch, length, D_MODEL]` with the random matrix `name`: `[batch, heads, length, width]`, about the size
/// of `x`. Lesson 05 treats these projections; here the run begins after them.
fn mapped(x: &Tensor, name: &str, (heads, width): (usize, usize), seed: u64) -> Tensor {
    let std = (D_MODEL as f32).sqrt().recip();
    let map = random::normal(&[D_MODEL, heads * width], std, seed, name);
    let tape = Tape::eval(&Params::default());
    let x = tape.input("x", x.clone(), &["b", "t", "d"]);
    let map = tape.input("map", map, &["d", "k"]);
    split_heads(&x.matmul(&map), heads).value()
}

/// Two rows of six numbers that are query, key and value at once.
fn worked(knobs: &Knobs, attend: Attend) -> Recorded {
    let tape = knobs.tape(&Params::default());
    let x = Tensor::from_fn(&[1, 1, 2, 6], |i| (i[2] * 6 + i[3]) as f32 / 10.0);
    let query = tape.input("query", x.clone(), &["b", "h", "t", "k"]);
    let key = tape.input("key", x.clone(), &["b", "h", "s", "k"]);
    let value = tape.input("value", x, &["b", "h", "s", "k"]);
    attend(&query, &key, &value, None, knobs.dropout);
    let trace = tape.trace();
    Recorded { trace, leak: None }
}

/// One sentence and one head, with queries, keys and values from three matrices, and the scores once more, from the
/// single matrix that two of them combine to.
fn projected(knobs: &Knobs, attend: Attend) -> Recorded {
    let (target, source, seed) = (knobs.target, knobs.source, knobs.seed);
    let (d_k, d_v) = knobs.widths(64);
    let mut params = Params::new(seed);
    let mut matrix =
        |name, width| params.add(name, &[D_MODEL, width], &["d", "k"], Init::XavierUniform);
    let (w_q, w_k, w_v) = (matrix("W_Q", d_k), matrix("W_K", d_k), matrix("W_V", d_v));
    let tape = knobs.tape(&params);
    let vectors = |language, length| {
        let all = batch::embedded(language, (length, D_MODEL), seed);
        batch::sentence(&all, SHORT).reshape(&[1, 1, length, D_MODEL])
    };
    let y = vectors(Language::English, target);
    let y = tape.input("Y", y, &["b", "h", "t", "d"]);
    let x = vectors(Language::German, source);
    let x = tape.input("X", x, &["b", "h", "s", "d"]);

    let german = sentences::words(SHORT, source, Language::German);
    let all = sentences::ids(source, Language::German);
    let ids = Tensor::from_fn(&[1, source], |i| all.at(&[SHORT, i[1]]));
    let mask = masks::src_mask(&tape.ids("src", ids, &["b", "s"]));
    let mask = mask.unsqueeze(1).named("mask");

    let (w_q, w_k) = (tape.param(w_q), tape.param(w_k));
    let query = y.matmul(&w_q).named("query");
    let key = x.matmul(&w_k).named("key");
    let value = x.matmul(&tape.param(w_v)).named("value");
    attend(&query, &key, &value, Some(&mask), knobs.dropout);
    let form = w_q.matmul_t(&w_k).with_axes(&["d", "e"]).named("form");
    let asked = y.matmul(&form).named("asked");
    let _ = asked.matmul_t(&x).named("scores_by_form");

    let english = sentences::words(SHORT, target, Language::English);
    let trace = tape.trace();
    let trace = trace.label("t", vec![english]).label("s", vec![german]);
    Recorded { trace, leak: None }
}

/// Measures the leak of attention over two channels of the short sentence. A backward pass from every output would cost
/// too much at full width, and whether a mask leaks does not depend on the width.
fn leak(attend: Attend, mask: &Tensor, words: Words, seed: u64) -> Leak {
    let (target, source) = (words.rows.len(), words.columns.len());
    let tape = Tape::eval(&Params::default());
    let of_short = |i: &[usize]| mask.at(&[SHORT, 0, i[2] % mask.shape()[2], i[3]]);
    let allowed = Tensor::from_fn(&[1, 1, target, source], of_short);
    // The queries are drawn separately: only what is read can leak, not the query.
    let query = random::normal(&[1, 1, target, 2], 1.0, seed, "leak.query");
    let query = tape.input("query", query, &["b", "h", "t", "k"]);
    let source_rows = random::normal(&[1, source, 2], 1.0, seed, "leak.read");
    let source_rows = tape.input("read", source_rows, &["b", "s", "k"]);
    let rows = source_rows.unsqueeze(1);
    let rule = tape.mask("mask", allowed.clone(), &["b", "h", "t", "s"]);
    let context = attend(&query, &rows, &rows, Some(&rule), 0.0).context;
    let output = context.reshape(&[1, target, 2], &["b", "t", "k"]);
    Leak {
        influence: leak::influence(&output, &source_rows, 0),
        allowed: allowed.reshape(&[target, source]),
        words,
    }
}
