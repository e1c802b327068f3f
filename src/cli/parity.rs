//! `tools parity DIR`: compares the engine with tensors computed by PyTorch, and a published model with the results of
//! `transformers`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use serde::Serialize;

use super::sentence::sentence;
use crate::data::safetensors::{self, NamedTensors};
use crate::lesson::exercise::attempt;
use crate::tensor::Tensor;
use crate::train::schedule::noam_rate;

mod layers;
mod marian;
mod models;
mod parts;

/// Function that computes a case: from its inputs, every tensor whose expected values the file holds.
type Case = fn(&CaseInput) -> anyhow::Result<Computed>;
type Computed = BTreeMap<String, Tensor>;

/// Known cases. A new one needs a function and an entry here.
const CASES: [(&str, Case); 13] = [
    ("embeddings", parts::embeddings),
    ("positional_encoding", parts::positional_encoding),
    ("masks", parts::masks),
    ("attention", parts::attention),
    ("multi_headed_attention", layers::multi_headed_attention),
    ("feed_forward", layers::feed_forward),
    ("layer_norm", layers::layer_norm),
    ("encoder_layer", layers::encoder_layer),
    ("decoder_layer", layers::decoder_layer),
    ("label_smoothing", parts::label_smoothing),
    ("noam_rate", parts::noam_rate),
    ("encoder_decoder", models::encoder_decoder),
    ("shared_weights_variant", models::shared_weights_variant),
];

/// Tolerance of forward results, relative to the tensor's largest entry, or to 1 if that is larger.
const FORWARD: f64 = 1e-5;
/// Tolerance of gradients, relative to the tensor's largest entry.
const GRADIENT: f64 = 1e-4;

/// Largest size allowed in a case's config.
const LARGEST: u64 = 16_384;

/// Results for all files of a folder.
#[derive(Serialize)]
pub struct Report {
    /// True if all comparisons agree and no file is damaged.
    pub passed: bool,
    /// Results of the compared cases.
    pub cases: Vec<CaseReport>,
    /// Files with an unknown case.
    pub unknown: Vec<String>,
    /// Files that could not be compared, with the reasons.
    pub damaged: Vec<String>,
}

/// Result of one case.
#[derive(Serialize)]
pub struct CaseReport {
    /// Name of the case.
    pub case: String,
    /// Name of the file.
    pub file: String,
    /// True if every tensor agrees.
    pub passed: bool,
    /// Results of its tensors.
    pub tensors: Vec<TensorReport>,
}

/// Result for one tensor of a case.
#[derive(Serialize)]
pub struct TensorReport {
    /// Name, such as `out/y` or `grad/q`.
    pub name: String,
    /// Shape of the tensor.
    pub shape: Vec<usize>,
    /// Largest absolute difference.
    pub max_abs: f64,
    /// Largest difference relative to the tensor's largest entry.
    pub max_rel: f64,
    /// Tolerance as an absolute difference.
    pub tolerance: f64,
    /// True if the tensor agrees.
    pub passed: bool,
}

/// Tensors of a case's file, by name, and its sizes.
struct CaseInput {
    tensors: BTreeMap<String, Tensor>,
    config: serde_json::Value,
}

impl CaseInput {
    fn get(&self, name: &str) -> anyhow::Result<Tensor> {
        self.tensors
            .get(name)
            .cloned()
            .with_context(|| format!("the tensor {name} is missing"))
    }

    fn size(&self, name: &str) -> anyhow::Result<usize> {
        let size = self.config.get(name).and_then(serde_json::Value::as_u64);
        let size = size.with_context(|| format!("the config does not say {name}"))?;
        // Tables of these sizes are allocated before any tensor's shape could contradict them.
        ensure!(
            size <= LARGEST,
            "the config says {name} {size}; a case has at most {LARGEST}"
        );
        Ok(size as usize)
    }

    fn number(&self, name: &str) -> anyhow::Result<f64> {
        let number = self.config.get(name).and_then(serde_json::Value::as_f64);
        number.with_context(|| format!("the config does not say {name}"))
    }

    /// Returns the tensors whose names begin with `prefix`, keyed by the rest of their names.
    fn under(&self, prefix: &str) -> BTreeMap<String, Tensor> {
        let rest = |(name, tensor): (&String, &Tensor)| {
            Some((name.strip_prefix(prefix)?.to_owned(), tensor.clone()))
        };
        self.tensors.iter().filter_map(rest).collect()
    }
}

/// Compares every case file of `folder`, or the published model in it with the results of `transformers`.
pub fn run(folder: &Path) -> anyhow::Result<Report> {
    if marian::is_set(folder) {
        return marian::run(folder);
    }
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
            Err(e) => report.damaged.push(format!("{file}: {}", sentence(&e))),
        }
    }
    report.passed = report.damaged.is_empty()
        && !report.cases.is_empty()
        && report.cases.iter().all(|case| case.passed);
    Ok(report)
}

fn compare_file(path: &Path, file: String) -> anyhow::Result<Option<CaseReport>> {
    let opened = safetensors::open(path)?;
    case_of(opened.metadata())?;
    compare_case(opened.read()?, file)
}

/// Compares a case file given by its name and bytes.
pub(super) fn compare_bytes(file: &str, bytes: &[u8]) -> anyhow::Result<Option<CaseReport>> {
    compare_case(safetensors::parse(Path::new(file), bytes)?, file.to_owned())
}

/// Name of the case, from the file's metadata.
fn case_of(metadata: &HashMap<String, String>) -> anyhow::Result<&String> {
    metadata.get("case").context("its metadata names no case")
}

/// Compares a case; `None` if it is unknown.
fn compare_case(input: NamedTensors, file: String) -> anyhow::Result<Option<CaseReport>> {
    let NamedTensors { metadata, tensors } = input;
    let case = case_of(&metadata)?;
    let Some((_, compute)) = CASES.iter().find(|(name, _)| name == case) else {
        return Ok(None);
    };
    let config = metadata.get("config").map_or("{}", String::as_str);
    let config = serde_json::from_str(config).context("its config is not JSON")?;
    let input = CaseInput { tensors, config };
    // The engine panics with a message on a tensor of the wrong shape; report that as damage to the file.
    let computed =
        attempt("the case", || compute(&input)).map_err(|f| anyhow::anyhow!(f.sentence))??;
    let noise = Noise::of(&input);
    let mut reports = Vec::new();
    for (name, expected) in &input.tensors {
        if !(["out/", "grad/", "after5/"]
            .iter()
            .any(|kind| name.starts_with(kind)))
        {
            continue;
        }
        let got = computed
            .get(name.as_str())
            .with_context(|| format!("the tensor {name} is not one that this case computes"))?;
        reports.push(compare(name, expected, got, &noise));
    }
    for name in computed.keys() {
        input.get(name)?;
    }
    let passed = reports.iter().all(|t| t.passed);
    Ok(Some(CaseReport {
        case: case.clone(),
        file,
        passed,
        tensors: reports,
    }))
}

/// Rounding noise in gradients that are zero in exact arithmetic, such as that of the key bias (softmax ignores a
/// constant added to a whole row). There, PyTorch's file and this engine hold different noise.
struct Noise {
    /// Difference that noise explains: a few roundings of the case's largest gradient.
    gradient: f64,
    /// Parameters whose entire gradient is no larger than that.
    parameters: BTreeSet<String>,
    /// Furthest that five steps of Adam can move two such parameters apart.
    travel: f64,
}

impl Noise {
    /// Relative rounding error allowed in a sum as large as the largest gradient: eight times 2⁻²³, the epsilon of f32.
    const ROUNDINGS: f64 = 8.0 / 8_388_608.0;

    /// Noise of a case without gradients.
    fn none() -> Self {
        Self {
            gradient: 0.0,
            parameters: BTreeSet::new(),
            travel: 0.0,
        }
    }

    fn of(case: &CaseInput) -> Self {
        let largest = |t: &Tensor| {
            t.data()
                .iter()
                .fold(0.0_f64, |m, x| m.max(f64::from(*x).abs()))
        };
        let grads = case.under("grad/");
        let gradient = Self::ROUNDINGS * grads.values().map(largest).fold(0.0, f64::max);
        let small = grads.iter().filter(|(_, grad)| largest(grad) <= gradient);
        let rates = case.size("warmup").and_then(|warmup| {
            let d_model = case.size("d_model")?;
            Ok((0..5)
                .map(|step| noam_rate(step, d_model, 1.0, warmup))
                .sum::<f64>())
        });
        Self {
            gradient,
            parameters: small.map(|(name, _)| name.clone()).collect(),
            travel: 2.0 * rates.unwrap_or(0.0),
        }
    }
}

fn compare(name: &str, expected: &Tensor, got: &Tensor, noise: &Noise) -> TensorReport {
    let shape = expected.shape().to_vec();
    let largest = expected
        .data()
        .iter()
        .fold(0.0_f64, |m, &x| m.max(f64::from(x).abs()));
    let tolerance = if name.starts_with("grad/") {
        (GRADIENT * largest).max(noise.gradient)
    } else if let Some(rest) = name.strip_prefix("after5/") {
        // Adam takes a step of full size however small the gradient is.
        let noisy = noise.parameters.contains(rest);
        FORWARD * largest.max(1.0) + if noisy { noise.travel } else { 0.0 }
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
    /// Formats the report as a table.
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
        let all = self.cases.len() + self.damaged.len();
        let rest = match self.damaged.len() {
            0 => String::new(),
            n => format!("; {n} could not be compared"),
        };
        let _ = writeln!(out, "{agreeing} of {all} cases agree{rest}");
        out
    }
}
