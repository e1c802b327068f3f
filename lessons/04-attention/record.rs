//! The recorded run: attention over random queries, keys and values, with the mask of real padded
//! sentences; or over what the learner chose as the example.

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::lesson::{Settings, leak};
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::masks;
use transformer_tutor::params::{Init, Params};
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::text::sample::{self as sentences, BATCH, Language, SHORT};

use super::mistakes::{self, Attend};

/// Channels of the model, which the heads share.
pub const D_MODEL: usize = 512;

/// One run, with what the pictures need beyond its tensors.
pub struct Recorded {
    pub trace: Trace,
    /// How much each position that is read moves each output, and which may; of the short sentence.
    pub leak: Option<Leak>,
}

/// The leak meter's reading.
pub struct Leak {
    /// `[target, source]`.
    pub influence: Tensor,
    /// 1 where there may be any.
    pub allowed: Tensor,
    /// The words of the rows, and of the columns.
    pub words: (Vec<String>, Vec<String>),
}

/// The sound function, or the first mistake that is on.
fn attend(settings: &Settings) -> Attend {
    let broken = mistakes::ALL.into_iter();
    let on = broken.into_iter().find(|(name, _)| settings.broken(name));
    on.map_or(attention, |(_, mistake)| mistake)
}

/// Runs the lesson's component under `settings`.
pub fn record(settings: &Settings) -> Result<Recorded, String> {
    match settings.text("example") {
        "worked" => Ok(worked(settings)),
        "projected" => Ok(projected(settings)),
        example => batch(settings, example == "self"),
    }
}

fn tape(settings: &Settings, params: &Params) -> Tape {
    if settings.real("dropout") > 0.0 {
        Tape::train(params, settings.whole("seed") as u64)
    } else {
        Tape::eval(params)
    }
}

/// The widths of a query and of a value, where a head's share of the model is `share`.
fn widths(settings: &Settings, share: usize) -> (usize, usize) {
    let or_share = |name| match settings.whole(name) {
        0 => share,
        width => width,
    };
    (or_share("d_k"), or_share("d_v"))
}

/// 30 sentences and all heads: target words read source words, or (`own`) one another.
fn batch(settings: &Settings, own: bool) -> Result<Recorded, String> {
    let (heads, seed) = (settings.whole("heads"), settings.whole("seed") as u64);
    if !D_MODEL.is_multiple_of(heads) {
        return Err(format!(
            "Hidden size ({D_MODEL}) must be divisible by the number of heads ({heads}): every head gets an equal share of the {D_MODEL} channels, and {D_MODEL} = {heads} × {} + {}. Try 8.",
            D_MODEL / heads,
            D_MODEL % heads
        ));
    }
    let (d_k, d_v) = widths(settings, D_MODEL / heads);
    let target = settings.whole("target");
    let (source, read) = if own {
        (target, "t")
    } else {
        (settings.whole("source"), "s")
    };
    let tape = tape(settings, &Params::default());
    let spread = settings.real("spread") as f32;
    let draw = |name: &str, length: usize, width: usize, std: f32| {
        random::normal(&[BATCH, heads, length, width], std, seed, name)
    };
    let query = draw("query", target, d_k, spread);
    let query = tape.input("query", query, &["b", "h", "t", "k"]);
    let key = draw("key", source, d_k, 1.0);
    let key = tape.input("key", key, &["b", "h", read, "k"]);
    let value = draw("value", source, d_v, 1.0);
    let value = tape.input("value", value, &["b", "h", read, "k"]);
    let mask = if own {
        let tgt = sentences::ids(target, Language::English);
        masks::tgt_mask(&tape.ids("tgt", tgt, &["b", "t"]))
    } else {
        let src = sentences::ids(source, Language::German);
        masks::src_mask(&tape.ids("src", src, &["b", "s"]))
    };
    let mask = mask.unsqueeze(1).named("mask");
    let attend = attend(settings);
    attend(&query, &key, &value, Some(&mask), dropout(settings));

    let rows = sentences::words(SHORT, target, Language::English);
    let columns = match own {
        true => rows.clone(),
        false => sentences::words(SHORT, source, Language::German),
    };
    // Keys that are not transposed fit by luck at one width only, and the meter has its own.
    let fits = !settings.broken("not-transposed");
    let leak = fits.then(|| leak(attend, &mask.value(), (rows, columns), seed));
    let trace = tape
        .trace()
        .label("t", sentences::all_words(target, Language::English))
        .label("s", sentences::all_words(source, Language::German));
    Ok(Recorded { trace, leak })
}

fn dropout(settings: &Settings) -> f32 {
    settings.real("dropout") as f32
}

/// Two rows of six numbers that are query, key and value at once.
fn worked(settings: &Settings) -> Recorded {
    let tape = tape(settings, &Params::default());
    let x = Tensor::from_fn(&[1, 1, 2, 6], |i| (i[2] * 6 + i[3]) as f32 / 10.0);
    let query = tape.input("query", x.clone(), &["b", "h", "t", "k"]);
    let key = tape.input("key", x.clone(), &["b", "h", "s", "k"]);
    let value = tape.input("value", x, &["b", "h", "s", "k"]);
    attend(settings)(&query, &key, &value, None, dropout(settings));
    let trace = tape.trace();
    Recorded { trace, leak: None }
}

/// One sentence and one head, whose queries, keys and values are made by three matrices; and the
/// scores once more, by the one matrix that two of them are together.
fn projected(settings: &Settings) -> Recorded {
    let (target, source) = (settings.whole("target"), settings.whole("source"));
    let seed = settings.whole("seed") as u64;
    let (d_k, d_v) = widths(settings, 64);
    let mut params = Params::new(seed);
    let mut matrix =
        |name, width| params.add(name, &[D_MODEL, width], &["d", "k"], Init::XavierUniform);
    let (w_q, w_k, w_v) = (matrix("W_Q", d_k), matrix("W_K", d_k), matrix("W_V", d_v));
    let tape = tape(settings, &params);
    let draw = |name: &str, length| random::normal(&[1, 1, length, D_MODEL], 1.0, seed, name);
    let y = tape.input("Y", draw("Y", target), &["b", "h", "t", "d"]);
    let x = tape.input("X", draw("X", source), &["b", "h", "s", "d"]);

    let german = sentences::words(SHORT, source, Language::German);
    let all = sentences::ids(source, Language::German);
    let ids = Tensor::from_fn(&[1, source], |i| all.at(&[SHORT, i[1]]));
    let mask = masks::src_mask(&tape.ids("src", ids, &["b", "s"]));
    let mask = mask.unsqueeze(1).named("mask");

    let (w_q, w_k) = (tape.param(w_q), tape.param(w_k));
    let query = y.matmul(&w_q).named("query");
    let key = x.matmul(&w_k).named("key");
    let value = x.matmul(&tape.param(w_v)).named("value");
    attend(settings)(&query, &key, &value, Some(&mask), dropout(settings));
    let form = w_q.matmul_t(&w_k).with_axes(&["d", "e"]).named("form");
    let asked = y.matmul(&form).named("asked");
    let _ = asked.matmul_t(&x).named("scores_by_form");

    let english = sentences::words(SHORT, target, Language::English);
    let trace = tape.trace();
    let trace = trace.label("t", vec![english]).label("s", vec![german]);
    Recorded { trace, leak: None }
}

/// Attention once more, over two channels of the short sentence alone: walking back from every
/// output costs too much at the full width, and a mask leaks at any width or at none.
fn leak(attend: Attend, mask: &Tensor, words: (Vec<String>, Vec<String>), seed: u64) -> Leak {
    let (target, source) = (words.0.len(), words.1.len());
    let tape = Tape::eval(&Params::default());
    let of_short = |i: &[usize]| mask.at(&[SHORT, 0, i[2] % mask.shape()[2], i[3]]);
    let allowed = Tensor::from_fn(&[1, 1, target, source], of_short);
    // Queries of their own: what is asked with is no leak, only what is read.
    let query = random::normal(&[1, 1, target, 2], 1.0, seed, "leak.query");
    let query = tape.input("query", query, &["b", "h", "t", "k"]);
    let read = random::normal(&[1, source, 2], 1.0, seed, "leak.read");
    let read = tape.input("read", read, &["b", "s", "k"]);
    let rows = read.unsqueeze(1);
    let rule = tape.mask("mask", allowed.clone(), &["b", "h", "t", "s"]);
    let context = attend(&query, &rows, &rows, Some(&rule), 0.0).context;
    let output = context.reshape(&[1, target, 2], &["b", "t", "k"]);
    Leak {
        influence: leak::influence(&output, &read, 0),
        allowed: allowed.reshape(&[target, source]),
        words,
    }
}
