//! `parity DIR`: the engine beside tensors that PyTorch computed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;

use crate::autograd::{Tape, Var};
use crate::data::safetensors::{self, NamedTensors};
use crate::lesson::exercise::attempt;
use crate::nn::attention::attention;
use crate::nn::embeddings::scale_embeddings;
use crate::nn::masks;
use crate::nn::positional_encoding::PositionalEncoding;
use crate::ops::Layout;
use crate::params::Params;
use crate::tensor::Tensor;

/// What a case computes: from its inputs, every tensor that the file holds a right answer for.
type Case = fn(&Given) -> anyhow::Result<Computed>;
type Computed = BTreeMap<&'static str, Tensor>;

/// The cases that the program knows. A further one is a function and an entry.
const CASES: [(&str, Case); 4] = [
    ("embeddings", embeddings),
    ("positional_encoding", positional_encoding),
    ("masks", mask_case),
    ("attention", attention_case),
];

/// Forward results agree within this share of the tensor's largest entry (of 1, if that is larger).
const FORWARD: f64 = 1e-5;
/// Gradients agree within this share of the tensor's largest entry.
const GRADIENT: f64 = 1e-4;

/// What became of all files of a folder.
#[derive(Serialize)]
pub struct Report {
    /// Whether everything that was compared agrees, and nothing was damaged.
    pub passed: bool,
    /// The cases that were compared.
    pub cases: Vec<CaseReport>,
    /// Files that hold a case the program does not know.
    pub unknown: Vec<String>,
    /// Files that could not be compared, with the reason.
    pub damaged: Vec<String>,
}

/// One case.
#[derive(Serialize)]
pub struct CaseReport {
    /// Its name.
    pub case: String,
    /// The file's name.
    pub file: String,
    /// Whether every tensor agrees.
    pub passed: bool,
    /// Its tensors.
    pub tensors: Vec<TensorReport>,
}

/// One tensor of a case.
#[derive(Serialize)]
pub struct TensorReport {
    /// `out/y`, `grad/q`.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// The largest difference.
    pub max_abs: f64,
    /// The largest difference as a share of the tensor's largest entry.
    pub max_rel: f64,
    /// What was allowed, absolutely.
    pub tolerance: f64,
    /// Whether it agrees.
    pub passed: bool,
}

/// The tensors of a case's file, by name, and its sizes.
struct Given {
    tensors: BTreeMap<String, Tensor>,
    config: serde_json::Value,
}

impl Given {
    fn get(&self, name: &str) -> anyhow::Result<Tensor> {
        self.tensors
            .get(name)
            .cloned()
            .with_context(|| format!("the tensor {name} is missing"))
    }

    fn size(&self, name: &str) -> anyhow::Result<usize> {
        let size = self.config.get(name).and_then(serde_json::Value::as_u64);
        Ok(size.with_context(|| format!("the config does not say {name}"))? as usize)
    }
}

/// Compares every case file of `folder`.
pub fn run(folder: &Path) -> anyhow::Result<Report> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder {}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "safetensors"))
        .collect();
    files.sort();
    if files.is_empty() {
        bail!(
            "{} holds no .safetensors file; name a folder of parity cases",
            folder.display()
        );
    }
    let mut report = Report {
        passed: true,
        cases: Vec::new(),
        unknown: Vec::new(),
        damaged: Vec::new(),
    };
    for path in files {
        let file = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match compare_file(&path, file.clone()) {
            Ok(Some(case)) => report.cases.push(case),
            Ok(None) => report.unknown.push(file),
            Err(e) => report.damaged.push(format!("{file}: {e:#}")),
        }
    }
    report.passed = report.damaged.is_empty()
        && !report.cases.is_empty()
        && report.cases.iter().all(|case| case.passed);
    Ok(report)
}

fn compare_file(path: &Path, file: String) -> anyhow::Result<Option<CaseReport>> {
    let NamedTensors { metadata, tensors } = safetensors::read(path)?;
    let case = metadata.get("case").context("its metadata name no case")?;
    let Some((_, compute)) = CASES.iter().find(|(name, _)| name == case) else {
        return Ok(None);
    };
    let config = metadata.get("config").map_or("{}", String::as_str);
    let config = serde_json::from_str(config).context("its config is no JSON")?;
    let given = Given { tensors, config };
    // A tensor of a wrong shape stops the engine with a sentence: that is this file's damage.
    let computed =
        attempt("the case", || compute(&given)).map_err(|f| anyhow::anyhow!(f.sentence))??;
    let mut reports = Vec::new();
    for (name, expected) in &given.tensors {
        if !(name.starts_with("out/") || name.starts_with("grad/")) {
            continue;
        }
        let got = computed
            .get(name.as_str())
            .with_context(|| format!("the tensor {name} is not one that this case computes"))?;
        reports.push(compare(name, expected, got));
    }
    for name in computed.keys() {
        given.get(name)?;
    }
    let passed = reports.iter().all(|t| t.passed);
    Ok(Some(CaseReport {
        case: case.clone(),
        file,
        passed,
        tensors: reports,
    }))
}

fn compare(name: &str, expected: &Tensor, got: &Tensor) -> TensorReport {
    let shape = expected.shape().to_vec();
    let largest = expected
        .data()
        .iter()
        .fold(0.0_f64, |m, &x| m.max(f64::from(x).abs()));
    let tolerance = if name.starts_with("grad/") {
        GRADIENT * largest
    } else if expected.data().iter().all(|x| x.fract() == 0.0) {
        0.0 // ids, masks and counts
    } else {
        FORWARD * largest.max(1.0)
    };
    let max_abs = if shape == got.shape() {
        let pairs = expected.data().iter().zip(got.data());
        // f64::max drops a NaN, so a NaN must become an infinite difference.
        let far = |d: f64| if d.is_nan() { f64::INFINITY } else { d };
        pairs.fold(0.0_f64, |m, (&e, &g)| {
            m.max(far((f64::from(e) - f64::from(g)).abs()))
        })
    } else {
        f64::INFINITY
    };
    let max_rel = if max_abs == 0.0 {
        0.0
    } else {
        max_abs / largest
    };
    let passed = max_abs <= tolerance;
    TensorReport {
        name: name.to_owned(),
        shape,
        max_abs,
        max_rel,
        tolerance,
        passed,
    }
}

impl Report {
    /// A table for people.
    pub fn table(&self) -> String {
        let mut out = String::new();
        for case in &self.cases {
            let _ = writeln!(out, "{} ({})", case.case, case.file);
            for t in &case.tensors {
                let verdict = if t.passed { "agrees" } else { "DIFFERS" };
                let _ = writeln!(
                    out,
                    "  {verdict}  {:<22} {:<16} abs {:.1e}  rel {:.1e}  allowed {:.1e}",
                    t.name,
                    format!("{:?}", t.shape),
                    t.max_abs,
                    t.max_rel,
                    t.tolerance
                );
            }
        }
        for file in &self.unknown {
            let _ = writeln!(
                out,
                "{file}: a case that this program does not know; not compared"
            );
        }
        for sentence in &self.damaged {
            let _ = writeln!(out, "NOT COMPARED {sentence}");
        }
        let agreeing = self.cases.iter().filter(|c| c.passed).count();
        let _ = writeln!(out, "{agreeing} of {} cases agree", self.cases.len());
        out
    }
}

fn eval() -> Tape {
    Tape::eval(&Params::default())
}

fn grad(of: &Var, output: &Var, upstream: &Tensor) -> anyhow::Result<Tensor> {
    let grads = output.backward_from(upstream);
    grads.get(of).cloned().context("a gradient did not arrive")
}

fn embeddings(given: &Given) -> anyhow::Result<Computed> {
    let tape = eval();
    let table = tape.input("table", given.get("param/lut.weight")?, &["v", "d"]);
    let ids = tape.ids("tokens", given.get("in/tokens")?, &["b", "s"]);
    let y = scale_embeddings(&table, &ids);
    let dtable = grad(&table, &y, &given.get("in/upstream")?)?;
    Ok([("out/y", y.value()), ("grad/lut.weight", dtable)].into())
}

fn positional_encoding(given: &Given) -> anyhow::Result<Computed> {
    let tape = eval();
    let (max_len, d_model) = (given.size("max_len")?, given.size("d_model")?);
    let layout = Layout::Interleaved;
    let table = tape.sinusoid(max_len, d_model, layout).value();
    let x = tape.input("x", given.get("in/x")?, &["b", "s", "d"]);
    let y = PositionalEncoding {
        max_len,
        d_model,
        layout,
        first: 0,
    }
    .forward(&x);
    Ok([("out/pe", table), ("out/y", y.value())].into())
}

fn mask_case(given: &Given) -> anyhow::Result<Computed> {
    let tape = eval();
    let src = tape.ids("src", given.get("in/src")?, &["b", "s"]);
    let shifted = masks::shift(&given.get("in/tgt")?);
    let tgt = tape.ids("tgt", shifted.tgt.clone(), &["b", "t"]);
    let length = shifted.tgt.last();
    Ok([
        ("out/src_mask", masks::src_mask(&src).value()),
        ("out/tgt_mask", masks::tgt_mask(&tgt).value()),
        ("out/subsequent_mask", masks::subsequent_mask(length)),
        ("out/tgt", shifted.tgt),
        ("out/tgt_y", shifted.tgt_y),
        (
            "out/ntokens",
            Tensor::new(&[1], vec![shifted.ntokens as f32]),
        ),
    ]
    .into())
}

fn attention_case(given: &Given) -> anyhow::Result<Computed> {
    let tape = eval();
    let query = tape.input("query", given.get("in/q")?, &["b", "h", "t", "k"]);
    let key = tape.input("key", given.get("in/k")?, &["b", "h", "s", "k"]);
    let value = tape.input("value", given.get("in/v")?, &["b", "h", "s", "k"]);
    let mask = tape.mask("mask", given.get("in/mask")?, &["b", "", "", "s"]);
    let found = attention(&query, &key, &value, Some(&mask), 0.0);
    let upstream = given.get("in/upstream")?;
    let grads = found.context.backward_from(&upstream);
    let of = |var: &Var| grads.get(var).cloned().context("a gradient did not arrive");
    Ok([
        ("out/y", found.context.value()),
        ("out/p_attn", found.weights.value()),
        ("grad/q", of(&query)?),
        ("grad/k", of(&key)?),
        ("grad/v", of(&value)?),
    ]
    .into())
}
