//! The training loop: the state that a checkpoint keeps, and the update that changes it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::adam::Adam;
use super::config::{Form, TrainConfig};
use super::step::{self, Batch, Gradients, Measured, StepJob};
use super::translator::Translator;
use crate::data::batches;
use crate::data::corpus::Corpus;
use crate::data::marian;
use crate::data::variation::Variation;
use crate::params::Params;
use crate::tensor::on_threads;
use crate::transformer::Transformer;

/// Progress of a run. Together with weights and moments, it is all that the next update depends on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Number of updates done.
    pub step: usize,
    /// Number of finished epochs.
    pub epoch: u64,
    /// Number of batches done in the current epoch.
    pub batch: usize,
    /// Number of target tokens seen in total.
    pub tokens: u64,
    /// Best held-out loss, in nats per token without smoothing, and its step.
    pub best: Option<(f64, usize)>,
    /// Number of measurements since the best.
    pub since_best: usize,
    /// Fingerprint of the ids that the run learns from, which depends on text and vocabulary ([`Corpus::fingerprint`]).
    /// `None` in checkpoints written before it was recorded.
    #[serde(default)]
    pub data: Option<u64>,
}

/// A training run.
pub struct Trainer {
    /// Settings of the run.
    pub config: TrainConfig,
    /// The model.
    pub model: Transformer,
    /// Its weights.
    pub params: Params,
    /// The optimizer with its moments.
    pub adam: Adam,
    /// Progress of the run.
    pub state: State,
    /// Number of threads to use, if the caller has that many left. It changes no bit of the result.
    pub threads: usize,
    train: Arc<Corpus>,
    /// How the corpus varies from epoch to epoch, if it does.
    variation: Option<Arc<Variation>>,
    /// Remaining batches of this epoch, as numbers of sentence pairs.
    queue: VecDeque<Vec<usize>>,
}

/// Report of one update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// Number of the update, from 1.
    pub step: usize,
    /// Loss of its batches.
    pub measured: Measured,
    /// Learning rate.
    pub rate: f64,
    /// Norm of the gradient before clipping.
    pub norm: f64,
}

/// Reasons for which training stops early.
#[derive(Debug, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what each variant and field is"
)]
pub enum TrainError {
    /// The loss or the gradient of an update is NaN or infinite. The weights are those from before it.
    #[error(
        "the loss became NaN or infinite at update {step}, first in {tensor}; the weights are those of the update \
         before. A lower rate, a longer warmup or clip may help"
    )]
    NotFinite { step: usize, tensor: String },
    /// A weight, a moment or the held-out loss is NaN or infinite. The state is that from before the measurement.
    #[error(
        "after update {step} {what} is NaN or infinite, so it is not kept. A lower rate, a longer warmup or clip may \
         help"
    )]
    Diverged { step: usize, what: String },
}

impl Trainer {
    /// Creates a new run. `vocabularies` are the sizes of the source and target vocabularies.
    pub fn new(
        config: TrainConfig,
        vocabularies: (usize, usize),
        train: impl Into<Arc<Corpus>>,
        threads: usize,
    ) -> Self {
        let train = train.into();
        let mut params = Params::new(config.seed);
        let model = Transformer::new(&mut params, &config.model(vocabularies.0, vocabularies.1));
        if config.form == Form::Marian {
            marian::zero_start_rows(&mut params);
        }
        let adam = Adam {
            beta1: config.beta1,
            beta2: config.beta2,
            epsilon: config.epsilon,
            decay: config.decay,
            ..Adam::new(&params)
        };
        Self {
            config,
            model,
            params,
            adam,
            state: State {
                data: Some(train.fingerprint()),
                ..State::default()
            },
            threads,
            train,
            variation: None,
            queue: VecDeque::new(),
        }
    }

    /// Begins with the weights of a trained model of the same form, whose activation function may be another. Its
    /// vocabularies must be the first part of this run's; further words keep their random weights. The error names the
    /// first difference.
    pub fn begin_with(&mut self, trained: &Translator) -> Result<(), String> {
        if let Some(difference) = self.model.config.other_form(&trained.model.config) {
            return Err(difference);
        }
        let [ours, theirs] = [&self.params, &trained.params].map(|params| {
            params
                .iter()
                .map(|(_, name, tensor)| (name.to_owned(), tensor.shape().to_vec()))
                .collect::<BTreeMap<_, _>>()
        });
        let grows = |ours: &[usize], theirs: &[usize]| {
            ours.len() == theirs.len() && ours[1..] == theirs[1..] && theirs[0] <= ours[0]
        };
        for name in ours.keys().chain(theirs.keys()) {
            match (ours.get(name), theirs.get(name)) {
                (Some(ours), Some(theirs)) if grows(ours, theirs) => {}
                (ours, theirs) => {
                    let [here, there] = [ours, theirs].map(|shape| match shape {
                        Some(shape) => format!("{shape:?}"),
                        None => "missing".to_owned(),
                    });
                    return Err(format!(
                        "{name} is {there} in the model and {here} with these settings"
                    ));
                }
            }
        }
        for (_, name, theirs) in trained.params.iter() {
            let param = self.params.find(name).expect("both have the same names");
            self.params.get_mut(param).data_mut()[..theirs.len()].copy_from_slice(theirs.data());
        }
        if self.config.form == Form::Marian {
            marian::with_start(&mut self.params);
        }
        Ok(())
    }

    /// Makes the sentences vary from epoch to epoch. The corpus that the run was created with still identifies it.
    ///
    /// Each epoch is assumed to be as large a part of training as the first. Must be called before
    /// [`restore`](Self::restore).
    #[must_use]
    pub fn varied(mut self, variation: Option<Variation>) -> Self {
        let Some(mut variation) = variation else {
            return self;
        };
        self.train = Arc::new(on_threads(self.threads, || variation.epoch(0)));
        variation.share = self.updates_per_epoch() as f64 / self.config.steps.max(1) as f64;
        self.variation = Some(Arc::new(variation));
        self
    }

    /// Resumes from saved weights, moments and state.
    pub fn restore(&mut self, params: Params, moments: Adam, state: State) {
        self.params = params;
        self.adam.moments = moments.moments;
        self.adam.steps = moments.steps;
        self.state = State {
            data: self.state.data,
            ..state
        };
        self.queue = on_threads(self.threads, || self.epoch_batches());
        self.queue.drain(..self.state.batch.min(self.queue.len()));
    }

    /// The sentences of an epoch, which are drawn anew if they vary.
    pub fn sentences(&self, epoch: u64) -> Arc<Corpus> {
        match &self.variation {
            Some(variation) => Arc::new(variation.epoch(epoch)),
            None => self.train.clone(),
        }
    }

    /// Draws the sentences of the current epoch and returns its batches.
    fn epoch_batches(&mut self) -> VecDeque<Vec<usize>> {
        self.train = self.sentences(self.state.epoch);
        let (tokens, seed) = (self.config.batch_tokens, self.config.seed);
        batches::epoch(&self.train, tokens, seed, self.state.epoch).into()
    }

    fn next_batch(&mut self) -> Batch {
        if self.queue.is_empty() {
            if self.state.batch > 0 {
                self.state.epoch += 1;
                self.state.batch = 0;
            }
            self.queue = self.epoch_batches();
        }
        let numbers = self.queue.pop_front().expect("a corpus has a batch");
        self.state.batch += 1;
        batches::batch(&self.train, &numbers)
    }

    /// Number of updates in the current epoch.
    pub fn updates_per_epoch(&mut self) -> usize {
        if self.queue.is_empty() && self.state.batch == 0 {
            self.queue = self.epoch_batches();
        }
        (self.queue.len() + self.state.batch).div_ceil(self.config.accumulate)
    }

    /// True if all updates are done or patience has run out.
    pub fn is_done(&self) -> bool {
        let patience = self.config.patience;
        self.state.step >= self.config.steps || (patience > 0 && self.state.since_best >= patience)
    }

    /// Performs one update. An error leaves everything unchanged except the position in the corpus.
    pub fn update(&mut self) -> Result<Update, TrainError> {
        on_threads(self.threads, || self.update_on_these_threads())
    }

    fn update_on_these_threads(&mut self) -> Result<Update, TrainError> {
        let number = self.state.step + 1;
        let all: Vec<Batch> = (0..self.config.accumulate)
            .map(|_| self.next_batch())
            .collect();
        let tokens: usize = all.iter().map(Batch::target_tokens).sum();
        let mut grads = Gradients::new();
        let jobs = self.jobs(&all, number, tokens);
        let measured = Measured::mean(jobs.map(|job| job.gradients(&mut grads)));
        let norm = step::norm(&grads);
        if !measured.loss.is_finite() || !norm.is_finite() {
            let tensor = self.first_not_finite(&all, number, tokens, &grads);
            return Err(TrainError::NotFinite {
                step: number,
                tensor,
            });
        }
        let rate = self.config.schedule().rate(number);
        let clip = self.config.clip;
        let scale = if clip > 0.0 && norm > clip {
            clip / norm
        } else {
            1.0
        };
        self.adam
            .apply(&mut self.params, &grads, rate as f32, scale as f32);
        if self.config.form == Form::Marian {
            marian::zero_start_rows(&mut self.params);
        }
        self.state.step = number;
        self.state.tokens = self.state.tokens.saturating_add(tokens as u64);
        Ok(Update {
            step: number,
            measured,
            rate,
            norm,
        })
    }

    /// The work of update `number`, one job per batch.
    fn jobs<'a>(
        &'a self,
        all: &'a [Batch],
        number: usize,
        tokens: usize,
    ) -> impl Iterator<Item = StepJob<'a>> {
        let seed = step::derive_seed(self.config.seed, number as u64);
        all.iter().enumerate().map(move |(n, batch)| StepJob {
            model: &self.model,
            params: &self.params,
            batch,
            tokens,
            seed: step::derive_seed(seed, n as u64),
            options: self.config.step(),
        })
    }

    /// Repeats the update to find the name of its first tensor that is NaN or infinite.
    fn first_not_finite(
        &self,
        all: &[Batch],
        number: usize,
        tokens: usize,
        grads: &Gradients,
    ) -> String {
        if let Some((_, name, _)) = self.params.iter().find(|(_, _, x)| !x.is_finite()) {
            return format!("the weights {name}");
        }
        let mut jobs = self.jobs(all, number, tokens);
        let found = jobs.find_map(|job| job.first_not_finite());
        if let Some(tensor) = found {
            return tensor;
        }
        let mut grads = self.params.iter().zip(grads);
        let param = grads.find(|(_, grad)| grad.as_ref().is_some_and(|x| !x.is_finite()));
        param.map_or("the sum of the loss".to_owned(), |((_, name, _), _)| {
            format!("the sum of the gradients of {name}")
        })
    }

    /// Measures the held-out loss, without dropout, and records it if it is a new best. Fails, changing nothing, if a
    /// weight, a moment or the loss is NaN or infinite.
    pub fn validate(&mut self, held_out: &Corpus) -> Result<Measured, TrainError> {
        let step = self.state.step;
        if let Some(what) = self.not_finite() {
            return Err(TrainError::Diverged { step, what });
        }
        let measured = on_threads(self.threads, || {
            measure(&self.model, &self.params, held_out, &self.config)
        });
        if !measured.nats.is_finite() {
            let what = "the held-out loss".to_owned();
            return Err(TrainError::Diverged { step, what });
        }
        if self.state.best.is_none_or(|(best, _)| measured.nats < best) {
            self.state.best = Some((measured.nats, step));
            self.state.since_best = 0;
        } else {
            self.state.since_best += 1;
        }
        Ok(measured)
    }

    /// Names the first weights or moments in a checkpoint, or the best loss, that are NaN or infinite.
    pub fn not_finite(&self) -> Option<String> {
        for ((_, name, weights), (mean, square)) in self.params.iter().zip(&self.adam.moments) {
            let parts = [
                ("", weights),
                ("Adam's mean of ", mean),
                ("Adam's mean square of ", square),
            ];
            if let Some((part, _)) = parts.into_iter().find(|(_, x)| !x.is_finite()) {
                return Some(format!("{part}{name}"));
            }
        }
        let best = self.state.best.filter(|(nats, _)| !nats.is_finite());
        best.map(|_| "the best loss".to_owned())
    }
}

/// Measures the loss of a model on `corpus`, without dropout.
pub fn measure(
    model: &Transformer,
    params: &Params,
    corpus: &Corpus,
    config: &TrainConfig,
) -> Measured {
    let options = config.step();
    let all = batches::in_order(corpus, config.batch_tokens).into_iter();
    Measured::mean(all.map(|numbers| {
        let batch = batches::batch(corpus, &numbers);
        step::evaluate(model, params, &batch, &options)
    }))
}

#[cfg(test)]
mod tests;
