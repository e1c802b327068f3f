//! Comparison of a published Marian model with Hugging Face's `transformers`: ids, every layer's output,
//! cross-attention, log-probabilities, and decoding.
//!
//! A set is a folder with `model/`, `expected.json` and `expected.safetensors`. Ids are compared as the model's own
//! files give them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, ensure};
use serde::Deserialize;

use super::{CaseReport, Noise, Report, compare};
use crate::autograd::Tape;
use crate::data::{file, safetensors};
use crate::decode::beam::Hypothesis;
use crate::decode::greedy::greedy;
use crate::decode::options::{DecodeOptions, Penalty, Rule};
use crate::decode::translate;
use crate::tensor::Tensor;
use crate::text::marian::Ids;
use crate::text::pipeline::Side;
use crate::text::vocabulary::{BOS, EOS, PAD};
use crate::train::checkpoint::Translator;
use crate::train::marian_folder;

const MODEL: &str = "model";
const EXPECTED: &str = "expected.json";
const TENSORS: &str = "expected.safetensors";

/// Maximum number of generated tokens: 24 in `transformers`, which counts the start token.
const LIMIT: usize = 23;
/// Number of sentences in the padded batch.
const BATCH: usize = 6;

#[derive(Deserialize)]
struct Expected {
    sentences: Vec<Sentence>,
    batched_greedy_ids_of_the_first_six: Vec<Vec<u32>>,
}

#[derive(Deserialize)]
struct Sentence {
    source: String,
    target: String,
    source_ids: Vec<u32>,
    target_ids: Vec<u32>,
    target_log_probs: Vec<f32>,
    greedy_ids: Vec<u32>,
    greedy_text: String,
    beam4_ids: Vec<u32>,
    beam4_score: f32,
}

/// True if `folder` holds such a set.
pub(super) fn is_set(folder: &Path) -> bool {
    folder.join(EXPECTED).is_file() && folder.join(MODEL).is_dir()
}

/// Expected and computed tensors of a case, by name.
type Pairs = BTreeMap<String, (Tensor, Tensor)>;

pub(super) fn run(folder: &Path) -> anyhow::Result<Report> {
    let t = marian_folder::read(&folder.join(MODEL))?;
    let path = folder.join(EXPECTED);
    let text = file::text(&path, file::WORDS).with_context(|| path.display().to_string())?;
    let expected: Expected =
        serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display()))?;
    let ids = |side: &Side| side.ids.clone().context("a published model has ids");
    let (source, ids) = (ids(&t.pipeline.source)?, ids(&t.pipeline.target)?);
    let set = Set {
        t: &t,
        source: &source,
        ids: &ids,
        expected: &expected,
    };
    let tensors = safetensors::read(&folder.join(TENSORS))?.tensors;
    let cases = [
        ("marian_ids", EXPECTED, set.text()),
        ("marian_layers", TENSORS, set.layers(&tensors)?),
        ("marian_log_probs", EXPECTED, set.log_probs()?),
        ("marian_greedy", EXPECTED, set.greedy()),
        ("marian_batch", EXPECTED, set.batch()?),
        ("marian_beam", EXPECTED, set.beam()),
    ];
    let cases = cases.map(|(case, file, pairs)| report(case, file, &pairs));
    Ok(Report {
        passed: cases.iter().all(|case| case.passed),
        cases: cases.into(),
        unknown: Vec::new(),
        damaged: Vec::new(),
    })
}

fn report(case: &str, file: &str, pairs: &Pairs) -> CaseReport {
    let noise = Noise::none();
    let tensors = pairs
        .iter()
        .map(|(name, (expected, got))| compare(name, expected, got, &noise));
    let tensors: Vec<_> = tensors.collect();
    CaseReport {
        case: case.to_owned(),
        file: file.to_owned(),
        passed: !tensors.is_empty() && tensors.iter().all(|t| t.passed),
        tensors,
    }
}

fn row(ids: &[u32]) -> Tensor {
    Tensor::new(&[ids.len()], ids.iter().map(|&id| id as f32).collect())
}

/// Code points of a text as a tensor, so that text is compared as tensors are.
fn code_points(text: &str) -> Tensor {
    let letters: Vec<u32> = text.chars().map(u32::from).collect();
    row(&letters)
}

/// Converts this program's ids to the model's own.
fn theirs(of: &Ids, ids: &[u32]) -> Vec<u32> {
    ids.iter().map(|&id| of.theirs(id)).collect()
}

/// Converts the model's own ids to this program's.
fn ours(of: &Ids, ids: &[u32]) -> anyhow::Result<Vec<u32>> {
    let one = |id: &u32| {
        of.ours(*id)
            .with_context(|| format!("the model has no id {id}"))
    };
    ids.iter().map(one).collect()
}

struct Set<'a> {
    t: &'a Translator,
    /// Ids of the source's words.
    source: &'a Ids,
    /// Ids of the target's words; the same if there is one vocabulary.
    ids: &'a Ids,
    expected: &'a Expected,
}

impl Set<'_> {
    /// Start token, `words` and end token in the model's ids, as `generate` returns them.
    fn generated(&self, words: &[u32]) -> Vec<u32> {
        theirs(self.ids, &[&[BOS as u32], words, &[EOS as u32]].concat())
    }

    fn each(&self) -> impl Iterator<Item = (String, &Sentence)> {
        let all = self.expected.sentences.iter().enumerate();
        all.map(|(n, sentence)| (format!("{n:02}"), sentence))
    }

    fn sources(&self) -> Vec<Vec<u32>> {
        let all = self.expected.sentences.iter();
        all.map(|s| self.t.pipeline.source_ids(&s.source)).collect()
    }

    /// Compares the ids of the sentences.
    fn text(&self) -> Pairs {
        let mut pairs = Pairs::new();
        for (n, s) in self.each() {
            let source = theirs(self.source, &self.t.pipeline.source_ids(&s.source));
            let target = self.t.pipeline.target_ids(&s.target);
            let target = theirs(self.ids, &target[1..]);
            let mut add = |name, expected: &[u32], got: &[u32]| {
                pairs.insert(format!("{n}/{name}"), (row(expected), row(got)));
            };
            add("source_ids", &s.source_ids, &source);
            add("target_ids", &s.target_ids, &target);
        }
        pairs
    }

    /// Compares every layer's output, cross-attention and logits for the sentences whose tensors are given.
    fn layers(&self, tensors: &BTreeMap<String, Tensor>) -> anyhow::Result<Pairs> {
        let mut pairs = Pairs::new();
        let with = |n: usize| tensors.contains_key(&format!("{n}/logits"));
        for (n, s) in self
            .expected
            .sentences
            .iter()
            .enumerate()
            .filter(|(n, _)| with(*n))
        {
            let end = s.target_ids.len().saturating_sub(1);
            let prefix = [&[BOS as u32], &ours(self.ids, &s.target_ids[..end])?[..]].concat();
            let computed = self.pass(&ours(self.source, &s.source_ids)?, &prefix)?;
            for (name, got) in computed {
                let name = format!("{n}/{name}");
                let expected = tensors
                    .get(&name)
                    .with_context(|| format!("the tensor {name} is missing"))?;
                pairs.insert(name, (expected.clone(), got));
            }
        }
        let unknown = tensors.keys().find(|name| !pairs.contains_key(*name));
        ensure!(
            unknown.is_none(),
            "the tensor {} is not one that this model computes",
            unknown.map_or("", String::as_str)
        );
        Ok(pairs)
    }

    /// Tensors of one pass, under the set's names.
    fn pass(&self, src: &[u32], prefix: &[u32]) -> anyhow::Result<BTreeMap<String, Tensor>> {
        let (model, config) = (&self.t.model, &self.t.model.config);
        let tape = Tape::eval(&self.t.params);
        let ids =
            |name: &str, ids: &[u32], axes| tape.ids(name, row(ids).reshape(&[1, ids.len()]), axes);
        let (src, tgt) = (
            ids("src", src, &["b", "s"]),
            ids("tgt", prefix, &["b", "t"]),
        );
        let (src_mask, tgt_mask) = (model.src_mask(&src), model.tgt_mask(&tgt));
        let memory = model.encode(&src, &src_mask);
        let hidden = model.decode(&memory, &src_mask, &tgt, &tgt_mask);
        let logits = model.generator.logits(&hidden).value();
        let trace = tape.trace();
        let find = |name: String| {
            trace
                .tensor(&name)
                .cloned()
                .with_context(|| format!("the run has no step {name}"))
        };
        let mut tensors = BTreeMap::new();
        let mut add = |name: &str, n: usize, step: String| {
            tensors.insert(format!("{name}/{n}"), find(step)?);
            anyhow::Ok(())
        };
        add("encoder", 0, "src_embed.with_position".to_owned())?;
        add("decoder", 0, "tgt_embed.with_position".to_owned())?;
        for n in 0..config.encoder_layers() {
            add(
                "encoder",
                n + 1,
                format!("encoder.layers.{n}.feed_forward.norm"),
            )?;
        }
        for n in 0..config.layers {
            add(
                "decoder",
                n + 1,
                format!("decoder.layers.{n}.feed_forward.norm"),
            )?;
            add("cross", n, format!("decoder.layers.{n}.src_attn.weights"))?;
        }
        let words = self.ids.len() - 1;
        let logits = Tensor::from_fn(&[1, prefix.len(), words], |i| {
            let ours = self.ids.ours(i[2] as u32).unwrap_or_default();
            logits.at(&[0, i[1], ours as usize])
        });
        tensors.insert("logits".to_owned(), logits);
        Ok(tensors)
    }

    fn log_probs(&self) -> anyhow::Result<Pairs> {
        let mut pairs = Pairs::new();
        for (n, s) in self.each() {
            let target = ours(
                self.ids,
                &s.target_ids[..s.target_ids.len().saturating_sub(1)],
            )?;
            let found = translate::score(
                &self.t.model,
                &self.t.params,
                &ours(self.source, &s.source_ids)?,
                &target,
            );
            let found: Vec<f32> = found.into_iter().map(|x| x as f32).collect();
            let expected = Tensor::new(&[s.target_log_probs.len()], s.target_log_probs.clone());
            pairs.insert(
                format!("{n}/target_log_probs"),
                (expected, Tensor::new(&[found.len()], found)),
            );
        }
        Ok(pairs)
    }

    /// Hypotheses of all sentences from a search with this beam and the rules of `transformers`.
    fn translated(&self, beam: usize) -> Vec<Vec<Hypothesis>> {
        let options = DecodeOptions {
            beam,
            penalty: Penalty::Length,
            alpha: 1.0,
            rule: Rule::Transformers,
            max_len: Some(LIMIT),
            ..DecodeOptions::default()
        };
        translate::translate(&self.t.model, &self.t.params, &self.sources(), &options)
    }

    fn greedy(&self) -> Pairs {
        let all = self.translated(1);
        let mut pairs = Pairs::new();
        for ((n, s), translation) in self.each().zip(all) {
            let words = &translation[0].ids;
            let ids = (row(&s.greedy_ids), row(&self.generated(words)));
            pairs.insert(format!("{n}/greedy_ids"), ids);
            let text = self.t.pipeline.target.text(words);
            let text = (code_points(&s.greedy_text), code_points(&text));
            pairs.insert(format!("{n}/greedy_text"), text);
        }
        pairs
    }

    /// Compares the first sentences as one padded batch, decoded without a cache.
    fn batch(&self) -> anyhow::Result<Pairs> {
        let expected = &self.expected.batched_greedy_ids_of_the_first_six;
        let sources: Vec<Vec<u32>> = self.sources().into_iter().take(BATCH).collect();
        let longest = sources
            .iter()
            .map(Vec::len)
            .max()
            .context("there is no sentence")?;
        let src = Tensor::from_fn(&[sources.len(), longest], |i| {
            sources[i[0]].get(i[1]).map_or(PAD as f32, |&id| id as f32)
        });
        let mut params = self.t.params.clone();
        if let Some(bias) = self.t.model.generator.bias {
            // Padding must never be chosen.
            params.get_mut(bias).data_mut()[PAD] = f32::MIN / 2.0;
        }
        // One token below the limit: the last is always the end token, which `generated` adds.
        let words = greedy(&self.t.model, &params, &src, BOS as f32, LIMIT - 1);
        let rows = words.data().chunks(words.last()).map(|row| {
            let row: Vec<u32> = row.iter().map(|&id| id as u32).collect();
            let end = row.iter().position(|&id| id == EOS as u32);
            self.generated(&row[..end.unwrap_or(row.len())])
        });
        let rows: Vec<Vec<u32>> = rows.collect();
        Ok(Pairs::from([(
            "greedy_ids".to_owned(),
            (self.table(expected), self.table(&rows)),
        )]))
    }

    /// Tensor of rows padded to equal length.
    fn table(&self, rows: &[Vec<u32>]) -> Tensor {
        let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
        let pad = self.ids.theirs(PAD as u32);
        Tensor::from_fn(&[rows.len(), longest], |i| {
            *rows[i[0]].get(i[1]).unwrap_or(&pad) as f32
        })
    }

    fn beam(&self) -> Pairs {
        let all = self.translated(4);
        let mut pairs = Pairs::new();
        for ((n, s), hypotheses) in self.each().zip(all) {
            let best = &hypotheses[0];
            let ids = (row(&s.beam4_ids), row(&self.generated(&best.ids)));
            pairs.insert(format!("{n}/beam4_ids"), ids);
            let scores = [s.beam4_score, best.score as f32];
            let scores = scores.map(|score| Tensor::new(&[1], vec![score]));
            pairs.insert(format!("{n}/beam4_score"), scores.into());
        }
        pairs
    }
}
