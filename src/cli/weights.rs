//! `weights`: models in files, in this program's form and in PyTorch's.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};
use serde_json::json;

use super::limit::{count, memory, usage};
use super::params::config;
use crate::data::file;
use crate::data::safetensors::{self, NamedTensors};
use crate::data::{annotated, weights};
use crate::params::Params;
use crate::transformer::{Config, Transformer};
use crate::widgets::number::grouped;

#[derive(Subcommand)]
pub enum Weights {
    /// Reads the state dict of an Annotated Transformer that PyTorch saved as safetensors, checks every
    /// tensor, and writes a model file of this program
    Import {
        /// The file from PyTorch: encoder.layers.0.self_attn.linears.0.weight, …
        file: PathBuf,
        /// Heads, which the weights do not tell
        #[arg(long, default_value_t = 8, value_parser = count!(1, 1000000))]
        heads: usize,
        /// The model file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Writes a model under the names of the Annotated Transformer, for PyTorch to load
    Export(Export),
}

#[derive(Args)]
pub struct Export {
    /// A model file of this program; without one, a fresh model is built
    file: Option<PathBuf>,
    /// The fresh model
    #[arg(
        long,
        value_name = "NAME",
        default_value = "glass",
        conflicts_with = "file"
    )]
    preset: String,
    /// Changes a size of the fresh model, as in `params`
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "file")]
    set: Vec<String>,
    /// What its weights are drawn from
    #[arg(long, default_value_t = 1, conflicts_with = "file")]
    seed: u64,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command; what it returns is printed.
pub fn run(command: &Weights) -> anyhow::Result<String> {
    match command {
        Weights::Import {
            file,
            heads,
            out,
            json,
        } => {
            let NamedTensors { tensors, metadata } = safetensors::read(file)?;
            if metadata.contains_key(weights::CONFIG) {
                bail!(
                    "{} is a model file of this program already; `weights export` turns it into PyTorch's",
                    file.display()
                );
            }
            let (model, params) = annotated::import(&tensors, *heads)
                .map_err(|e| anyhow::anyhow!("{}: {e}", file.display()))?;
            weights::save(out, &model.config, &params)?;
            report(out, &model.config, &params, *json)
        }
        Weights::Export(export) => {
            let (config, params) = match &export.file {
                Some(file) => {
                    let (model, params) = weights::load(file)
                        .map_err(|e| anyhow::anyhow!("{}: {e}", file.display()))?;
                    (model.config, params)
                }
                None => {
                    let config = config(&export.preset, &export.set)?;
                    config
                        .fits(4, "holding its weights", memory().min(file::WEIGHTS))
                        .map_err(usage)?;
                    let mut params = Params::new(export.seed);
                    Transformer::new(&mut params, &config);
                    (config, params)
                }
            };
            let tensors = annotated::export(&config, &params)?;
            let file = NamedTensors {
                metadata: Default::default(),
                tensors,
            };
            safetensors::write(&export.out, &file)?;
            report(&export.out, &config, &params, export.json)
        }
    }
}

fn report(
    out: &std::path::Path,
    config: &Config,
    params: &Params,
    as_json: bool,
) -> anyhow::Result<String> {
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
