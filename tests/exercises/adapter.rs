//! The ejected crate behind the interface of the capstone.

use std::path::Path;

use crate::autograd::Tape;
use crate::functions::greedy_decode;
use crate::params::{self, Params, Source};
use crate::tensor::Tensor;
use crate::train::Training;
use crate::transformer::{Config, Transformer};

const VOCABULARY: usize = 4028;

pub struct Translator {
    model: Transformer,
    params: Params,
}

fn row(ids: &[usize]) -> Tensor {
    Tensor::new(&[1, ids.len()], ids.iter().map(|&id| id as f32).collect())
}

impl Translator {
    pub fn read(folder: &Path) -> Self {
        let tensors = params::read(folder).expect("the weights are there");
        let (model, params) =
            Transformer::new(&Config::translator(VOCABULARY), Source::Read(tensors));
        Self { model, params }
    }

    pub fn log_probs(&self, src: &[usize], tgt: &[usize]) -> Vec<f32> {
        let tape = Tape::eval(&self.params);
        let src = tape.ids("src", row(src), &["b", "s"]);
        let tgt = tape.ids("tgt", row(tgt), &["b", "t"]);
        self.model
            .forward(&src, &tgt)
            .log_probs
            .value()
            .data()
            .to_vec()
    }

    pub fn translate(&self, src: &[usize], limit: usize) -> Vec<usize> {
        let next = |tgt: &[usize]| {
            self.log_probs(src, tgt)
                .split_off((tgt.len() - 1) * VOCABULARY)
        };
        greedy_decode(&next, limit)
    }
}

pub struct Copying(Training);

impl Copying {
    pub fn new(seed: u64) -> Self {
        Self(Training::new(seed))
    }

    pub fn step(&mut self, sentences: &[Vec<usize>]) -> f32 {
        let cells = sentences.concat().into_iter().map(|id| id as f32).collect();
        let words = Tensor::new(&[sentences.len(), sentences[0].len()], cells);
        self.0.step_on(&words).expect("all numbers are finite")
    }

    pub fn copy(&self, sentence: &[usize]) -> Vec<usize> {
        let written = self.0.copy(&row(sentence));
        written.data().iter().map(|&id| id as usize).collect()
    }
}
