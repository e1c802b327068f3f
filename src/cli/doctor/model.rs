//! `doctor MODEL`: what kind of model a folder or file is, what it has, and what can be done with it. Reading it decides
//! what it is, so a problem is the one that every command would report.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use super::super::model::built_in;
use super::super::sentence::{presentable, quoted, sentence};
use crate::data::state_dict::{self, Opened};
use crate::data::{annotated, file, weights};
use crate::text::marian::is_language_code;
use crate::text::pipeline::Side;
use crate::text::sentencepiece::{Cut, SentencePiece};
use crate::train::checkpoint::{self, Translator};
use crate::train::marian_folder;
use crate::train::run_folder::recognise;
use crate::transformer::Config;
use crate::transformer::config::Tying;
use crate::typeset::number::grouped;

/// What a file or folder is.
#[derive(Default, Serialize)]
struct Report {
    path: String,
    /// What it is, in a few words.
    is: String,
    /// Facts about it.
    has: Vec<String>,
    /// What keeps it from being used, and what to do.
    problem: Option<String>,
    /// Commands that it can be used with.
    uses: Vec<String>,
}

/// Reports on a file or folder. The exit code is 1 if it cannot be used.
pub fn run(path: &Path, json: bool, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let report = Report::of(path);
    if json {
        super::super::json(out, &report)?;
    } else {
        report.write(out)?;
    }
    out.flush()?;
    Ok(if report.uses.is_empty() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

impl Report {
    fn of(path: &Path) -> Self {
        let mut report = Self {
            path: presentable(&path.display().to_string()),
            ..Self::default()
        };
        if let Some(model) = built_in(path) {
            report.is = model.about().to_owned();
            report.translator(path, model.translator());
        } else if path.is_dir() {
            report.folder(path);
        } else if path.exists() {
            report.file(path);
        } else {
            report.is = "nothing".to_owned();
            report.problem = Some("there is no such file or folder".to_owned());
        }
        report
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut line = |name: &str, says: &str| writeln!(out, "{name:<10}{says}");
        line("path", &self.path)?;
        line("is", &self.is)?;
        for (n, fact) in self.has.iter().enumerate() {
            line(if n == 0 { "has" } else { "" }, fact)?;
        }
        if let Some(problem) = &self.problem {
            line("problem", problem)?;
        }
        for (n, command) in self.uses.iter().enumerate() {
            line(if n == 0 { "use" } else { "" }, command)?;
        }
        Ok(())
    }

    fn folder(&mut self, folder: &Path) {
        let is_run = recognise::is_run(folder);
        if is_run {
            self.run(folder);
        }
        let model = checkpoint::load(folder);
        self.is = match &model {
            _ if is_run => "a run of this program",
            Ok(t) if t.pipeline.source.ids.is_some() && marian_folder::is_one(folder) => {
                "a published Marian model, as Hugging Face's transformers store it"
            }
            Ok(_) => "a model of this program",
            Err(_) => "a folder without a model that can be used",
        }
        .to_owned();
        match model {
            Ok(t) => self.translator(folder, &t),
            Err(e) => self.problem = Some(sentence(&e.into())),
        }
    }

    /// Facts about a run, whose model may still be missing.
    fn run(&mut self, folder: &Path) {
        let checkpoints = checkpoint::list(folder);
        self.has.push(match checkpoints.last() {
            Some((step, _)) => format!(
                "{} checkpoints, the newest of update {step}",
                checkpoints.len()
            ),
            None => "no checkpoint yet".to_owned(),
        });
        if checkpoint::newest(folder).is_some() {
            self.uses
                .push(format!("train --out {} --resume", quoted(folder)));
        }
    }

    /// Facts about a translator, and what can be done with it.
    fn translator(&mut self, path: &Path, t: &Translator) {
        self.has.push(sizes(&t.model.config, t.params.count()));
        for (name, side) in [
            ("source", &t.pipeline.source),
            ("target", &t.pipeline.target),
        ] {
            self.has.push(format!("{name}: {}", segmentation(side)));
        }
        if t.pipeline.source.pieces.is_some() {
            self.has.push(if t.pipeline.is_separate() {
                "separate vocabularies of source and target".to_owned()
            } else {
                "one vocabulary for source and target".to_owned()
            });
        }
        let codes = t.pipeline.source.vocabulary.words().iter();
        let codes: Vec<&str> = codes
            .map(String::as_str)
            .filter(|word| is_language_code(word))
            .collect();
        if let [first, ..] = codes[..] {
            self.has.push(format!(
                "{} target languages: begin each line with one of their codes, such as {first}",
                codes.len()
            ));
        }
        let path = quoted(path);
        self.uses.extend([
            format!("translate --model {path} 'TEXT'"),
            format!("evaluate --model {path} --src FILE --ref FILE"),
        ]);
        if t.pipeline.source.ids.is_some() {
            self.uses
                .push(format!("tools weights export {path} --to marian --out DIR"));
        }
    }

    /// Facts about a file of weights.
    fn file(&mut self, path: &Path) {
        let quoted = quoted(path);
        let opened = state_dict::open(path, file::WEIGHTS);
        let is_own = matches!(&opened, Ok(Opened::Safetensors(opened)) if opened.metadata().contains_key(weights::CONFIG));
        if path.parent().is_some_and(marian_folder::is_one) {
            self.is = "a file of a published model".to_owned();
            self.problem = Some("it is only one of the model's files; name its folder".to_owned());
        } else if is_own {
            self.is = "a model file of this program".to_owned();
            match weights::load(path) {
                Ok((model, params)) => {
                    self.has.push(sizes(&model.config, params.count()));
                    self.uses
                        .push(format!("tools weights export {quoted} --out FILE"));
                }
                Err(e) => self.problem = Some(sentence(&e.into())),
            }
        } else {
            match opened.map(|opened| annotated::described(&opened.shapes(), 1)) {
                Ok(Ok(config)) => {
                    self.is = "a state dict of an Annotated Transformer".to_owned();
                    self.has.push(format!(
                        "layers {}, d_model {}, d_ff {}; the number of heads is not in the file",
                        config.layers, config.d_model, config.d_ff
                    ));
                    self.uses.push(format!(
                        "tools weights import {quoted} --heads HEADS --out MODEL"
                    ));
                }
                Ok(Err(e)) => {
                    self.is = "a state dict of another model".to_owned();
                    self.problem = Some(format!("it is not an Annotated Transformer's: {e}"));
                }
                Err(e) => {
                    self.is = "a file that is not a model".to_owned();
                    self.problem = Some(sentence(&e.into()));
                }
            }
        }
    }
}

/// Sizes of a model.
fn sizes(config: &Config, parameters: usize) -> String {
    let tables = match config.tying {
        Tying::None => "three tables of words",
        Tying::All => "one table of words",
    };
    format!(
        "{} parameters; layers {} and {}, d_model {}, heads {}, {tables}",
        grouped(parameters as u64),
        config.encoder_layers(),
        config.layers,
        config.d_model,
        config.heads
    )
}

/// Describes how a side cuts its text.
fn segmentation(side: &Side) -> String {
    let language = side.language.as_deref().unwrap_or("language not named");
    let count = grouped(side.vocabulary.len() as u64);
    let cut = match (&side.pieces, &side.bpe) {
        (Some(pieces), _) => kind(pieces),
        (None, Some(_)) => "subwords of byte-pair encoding".to_owned(),
        (None, None) => "whole words".to_owned(),
    };
    let added = match side.added.len() {
        0 => String::new(),
        n => format!(", {n} of them added later"),
    };
    format!("{language}, {count} tokens{added}, {cut}")
}

fn kind(pieces: &SentencePiece) -> String {
    let cut = match pieces.cut() {
        Cut::Unigram => "unigram pieces",
        Cut::Bpe => "byte-pair pieces",
    };
    let bytes = if pieces.spells_bytes() {
        " with byte fallback"
    } else {
        ""
    };
    format!("{cut} of SentencePiece{bytes}")
}
