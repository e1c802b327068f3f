//! `tools weights`: model files in this program's form and in PyTorch's.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use super::limit::{count, memory, usage};
use super::model::{built_in, named};
use super::params::config;
use super::product::{self, Force, Product};
use crate::data::file;
use crate::data::output::{self, Files};
use crate::data::safetensors::{self, NamedTensors};
use crate::data::state_dict::{self, Opened};
use crate::data::{annotated, marian, weights};
use crate::params::Params;
use crate::train::checkpoint::{self, MODEL};
use crate::train::marian_folder;
use crate::train::run_folder::recognise;
use crate::transformer::config::Tying;
use crate::transformer::{Config, Transformer};
use crate::typeset::number::grouped;

#[derive(Subcommand)]
pub enum Weights {
    /// Read the state dict of an Annotated Transformer that PyTorch saved, with torch.save or as safetensors, check
    /// every tensor, and write a model file of this program
    Import {
        /// The file from PyTorch, a state dict or a checkpoint with one: encoder.layers.0.self_attn.linears.0.weight, …
        file: PathBuf,
        /// The number of heads, which the weights do not contain
        #[arg(long, default_value_t = 8, value_parser = count!(1, 1000000))]
        heads: usize,
        /// The model file to write; - is stdout
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        #[command(flatten)]
        force: Force,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Pack a model's folder into a quarter of its size: every row of a matrix as 8-bit numbers and a scale
    Pack {
        /// The folder of a run or model of this program; the built-in models are already packed
        model: PathBuf,
        /// The folder to write: new, empty, or with --force one that holds only a model of this program
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        #[command(flatten)]
        force: Force,
    },
    /// Write a model under the names of the Annotated Transformer, for PyTorch to load; or as a folder of Marian's form,
    /// for Hugging Face's transformers
    Export(Export),
}

#[derive(Args)]
pub struct Export {
    /// A model file of this program, or a model's folder for --to marian; everyday or phrasebook, which come with the
    /// program; if omitted, a fresh model is built
    file: Option<PathBuf>,
    /// The form to write
    #[arg(long, default_value = "annotated", value_name = "FORM")]
    to: Form,
    /// The fresh model
    #[arg(
        long,
        value_name = "NAME",
        default_value = "glass",
        conflicts_with = "file"
    )]
    preset: String,
    /// Changes a size of the fresh model, as in `tools params`
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "file")]
    set: Vec<String>,
    /// The random seed of its weights
    #[arg(long, default_value_t = 1, conflicts_with = "file")]
    seed: u64,
    /// The file to write, - for stdout; for marian the folder
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// A form that weights are written in.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One file of tensors in PyTorch's names
    Annotated,
    /// The folder of a published translator: config.json, words, SentencePiece, weights
    Marian,
}

/// Runs the command.
pub fn run(command: &Weights, stdout: &mut dyn Write) -> anyhow::Result<()> {
    match command {
        Weights::Import {
            file,
            heads,
            out,
            force,
            json,
        } => {
            let (config, params) = imported(file, *heads)?;
            let product = Product::forced(out, &[file], force)?;
            let bytes = safetensors::to_bytes(&weights::file(&config, &params));
            product.write_bytes(&bytes, stdout)?;
            product.report(&report(out, &config, &params, *json)?, stdout)
        }
        Weights::Pack { model, out, force } => pack(model, out, force, stdout),
        Weights::Export(export) if export.to == Form::Marian => to_marian(export, stdout),
        Weights::Export(export) => {
            let (config, params) = loaded(export)?;
            let inputs: Vec<&Path> = export.file.iter().map(PathBuf::as_path).collect();
            let product = Product::forced(&export.out, &inputs, &export.force)?;
            let tensors = annotated::export(&config, &params)?;
            let file = NamedTensors {
                metadata: Default::default(),
                tensors,
            };
            product.write_bytes(&safetensors::to_bytes(&file), stdout)?;
            product.report(&report(&export.out, &config, &params, export.json)?, stdout)
        }
    }
}

/// Reads the model of a state dict from PyTorch.
fn imported(file: &Path, heads: usize) -> anyhow::Result<(Config, Params)> {
    let opened = state_dict::open(file, file::WEIGHTS)?;
    if let Opened::Safetensors(opened) = &opened
        && opened.metadata().contains_key(weights::CONFIG)
    {
        bail!(
            "{} is a model file of this program already; `tools weights export` turns it into PyTorch's",
            file.display()
        );
    }
    let unfit = |e| anyhow::anyhow!("{}: {e}", file.display());
    annotated::described(&opened.shapes(), heads).map_err(unfit)?;
    let (model, params) = annotated::import(&opened.read()?, heads).map_err(unfit)?;
    Ok((model.config, params))
}

/// Returns the model to export without its vocabulary: the one in the file, or a fresh one.
fn loaded(export: &Export) -> anyhow::Result<(Config, Params)> {
    if let Some(model) = export.file.as_deref().and_then(built_in) {
        let t = model.translator();
        return Ok((t.model.config.clone(), t.params.clone()));
    }
    if let Some(file) = &export.file {
        let (model, params) = weights::load(file)?;
        return Ok((model.config, params));
    }
    let config = config(&export.preset, &export.set)?;
    config
        .fits(4, "holding its weights", memory().min(file::WEIGHTS))
        .map_err(usage)?;
    let mut params = Params::new(export.seed);
    Transformer::new(&mut params, &config);
    Ok((config, params))
}

/// Writes a model's folder with its matrices in 8 bits.
fn pack(model: &Path, out: &Path, force: &Force, stdout: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(model) = built_in(model) {
        return Err(usage(format!(
            "{} comes with the program and is packed already; name the folder of a run or model",
            model.name()
        )));
    }
    let out = product::folder(out)?;
    let folder = checkpoint::model_folder(model)?;
    output::not_an_input(&out, &folder)?;
    recognise::may_hold_a_model(&out)?;
    let mut t = checkpoint::load(&folder)?;
    ensure!(
        !marian_folder::is_one(&folder),
        "{} is a published model; only models of this program are packed",
        folder.display()
    );
    if t.pipeline.source.ids.is_some() {
        marian::without_start(&mut t.params);
    }
    let tokenizer = t.pipeline.to_json();
    let weights = weights::packed(&t.model.config, &t.params, &tokenizer);
    let size = weights.len();
    let config = file::text(&folder.join(MODEL[2]), file::WORDS)
        .with_context(|| format!("{} cannot be read", folder.join(MODEL[2]).display()))?;
    let contents = [weights, tokenizer.into_bytes(), config.into_bytes()];
    let files = MODEL.into_iter().zip(contents.iter().map(Vec::as_slice));
    Files::new(&out, files, &|_, _| false, force.force)?
        .as_one()?
        .write()?;
    writeln!(
        stdout,
        "{}: {}; {} parameters in {} bytes",
        out.display(),
        MODEL.join(", "),
        grouped(t.params.count() as u64),
        grouped(size as u64)
    )?;
    Ok(())
}

/// Writes a folder in Marian's form.
fn to_marian(export: &Export, stdout: &mut dyn Write) -> anyhow::Result<()> {
    let out = product::folder(&export.out)?;
    let with_words = |path: &&Path| built_in(path).is_some() || path.is_dir();
    let Some(model) = export.file.as_deref().filter(with_words) else {
        let (config, _) = loaded(export)?;
        let differs = marian::differences(&config);
        ensure!(
            differs.is_empty(),
            "this model is not of Marian's form: it has {}",
            differs.join("; ")
        );
        bail!("weights alone have no words; name the folder of a published Marian model");
    };
    if built_in(model).is_none() {
        output::not_an_input(&out, &checkpoint::model_folder(model)?)?;
    }
    let t = named(model)?;
    let files = marian_folder::files(&t)?;
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    recognise::may_hold(&out, &names, marian_folder::is_one)?;
    let contents = files.iter().map(|(name, bytes)| (*name, &bytes[..]));
    Files::new(&out, contents, &|_, _| false, export.force.force)?
        .as_one()?
        .write()?;
    // Leave out the start token, which has a row here but not in Marian's form.
    let config = &t.model.config;
    let tables = match config.tying {
        Tying::None => 3,
        Tying::All => 1,
    };
    let (parameters, words) = (
        t.params.count() - tables * config.d_model - 1,
        config.src_vocab - 1,
    );
    if export.json {
        let report = json!({
            "folder": out, "files": names, "parameters": parameters, "words": words, "config": t.model.config,
        });
        writeln!(stdout, "{report:#}")?;
        return Ok(());
    }
    writeln!(
        stdout,
        "{}: {}; {} parameters, {} words",
        out.display(),
        names.join(", "),
        grouped(parameters as u64),
        grouped(words as u64)
    )?;
    Ok(())
}

fn report(out: &Path, config: &Config, params: &Params, as_json: bool) -> anyhow::Result<String> {
    if as_json {
        let report = json!({
            "file": out, "tensors": params.len(), "parameters": params.count(), "config": config,
        });
        return Ok(serde_json::to_string_pretty(&report)? + "\n");
    }
    Ok(format!(
        "{}: {} tensors, {} parameters; layers {}, d_model {}, d_ff {}, heads {}, vocabularies {} and {}\n",
        out.display(),
        params.len(),
        grouped(params.count() as u64),
        config.layers,
        config.d_model,
        config.d_ff,
        config.heads,
        config.src_vocab,
        config.tgt_vocab
    ))
}
