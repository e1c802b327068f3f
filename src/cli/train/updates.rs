//! Training loop of a run: its updates, progress reports, checkpoints, and when it stops.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::json;

use super::{Options, ProgressLost, say, stop, tell};
use crate::cli::sentence::quoted;
use crate::data::corpus::Corpus;
use crate::text::pipeline::Pipeline;
use crate::train::checkpoint;
use crate::train::run_folder::RunFolder;
use crate::train::trainer::{TrainError, Trainer, Update};

/// Training loop of a run.
pub struct Loop<'a> {
    pub options: &'a Options,
    pub trainer: Trainer,
    pub pipeline: Pipeline,
    pub held_out: Corpus,
    pub folder: RunFolder,
    /// Update after which the model was last measured.
    pub measured_at: Option<usize>,
    pub begun: Instant,
    /// Time of the last progress line.
    pub shown: Instant,
    /// Training since the last progress line or measurement.
    pub pace: Pace,
}

/// How fast the run trains.
pub struct Pace {
    /// Number of target tokens trained on.
    tokens: usize,
    since: Instant,
}

impl Pace {
    /// Starts to count.
    pub fn start() -> Self {
        Self {
            tokens: 0,
            since: Instant::now(),
        }
    }

    fn tokens_per_second(&self) -> f64 {
        self.tokens as f64 / self.since.elapsed().as_secs_f64().max(1e-9)
    }
}

impl Loop<'_> {
    /// Trains until all updates are done or a stop is requested, and leaves a run that can be resumed.
    pub fn run(mut self, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
        let done = self.train(out);
        // Whatever happened, the trainer is between two updates here.
        match done {
            Err(e) if e.is::<ProgressLost>() => {
                self.folder.pause(&self.trainer, &self.pipeline)?;
                bail!("{e}; {}. {}", self.achievement(), self.next_command())
            }
            Err(e) if e.is::<TrainError>() => bail!("{e}. {}", self.advice()),
            done => done,
        }
    }

    /// Trains to the end, or until a stop is requested.
    fn train(&mut self, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
        let signals = stop::Signals::listen();
        let limit = self
            .options
            .minutes
            .map(|m| Duration::from_secs_f64(m.max(0.0) * 60.0));
        let mut caught = None;
        while !self.trainer.is_done() {
            caught = signals.caught();
            let late = limit.is_some_and(|limit| self.begun.elapsed() >= limit);
            if late || caught.is_some() {
                // No measurement here: it would make the run differ from one that was never stopped.
                self.folder.pause(&self.trainer, &self.pipeline)?;
                break;
            }
            let update = self.trainer.update()?;
            self.pace.tokens += update.measured.tokens;
            self.progress(&update, out)?;
            if self
                .trainer
                .state
                .step
                .is_multiple_of(self.trainer.config.evaluate_every)
            {
                self.measure(out)?;
            }
        }
        let step = self.trainer.state.step;
        if self.trainer.is_done() && self.measured_at != Some(step) {
            self.measure(out)?;
        }
        let state = &self.trainer.state;
        let best = state.best.map_or("no best yet".to_owned(), |(nats, step)| {
            format!(
                "best held-out loss {nats:.4} (perplexity {:.3}) at update {step}",
                nats.exp()
            )
        });
        let minutes = self.begun.elapsed().as_secs_f64() / 60.0;
        let sentence = format!(
            "{}; {} target tokens in all, {minutes:.1} minutes now; {best}. {}",
            self.achievement(),
            state.tokens,
            self.next_command()
        );
        say(self.options, out, &sentence)?;
        Ok(caught.map_or(ExitCode::SUCCESS, |signal| ExitCode::from(128 + signal)))
    }

    /// True if the run is complete and its model measured.
    fn is_complete(&self) -> bool {
        self.trainer.is_done() && self.measured_at == Some(self.trainer.state.step)
    }

    /// Describes how far the run has got.
    fn achievement(&self) -> String {
        match self.trainer.state.step {
            step if self.is_complete() => format!("done after {step} updates"),
            0 => "nothing is trained yet".to_owned(),
            step => format!("stopped after update {step}, which is saved"),
        }
    }

    /// The command with which to go on; empty if there is nothing to go on from.
    fn next_command(&self) -> String {
        let folder = quoted(&self.options.out);
        if self.is_complete() {
            format!("Try: transformer-tutor translate --model {folder}")
        } else if self.trainer.state.step == 0 {
            String::new()
        } else {
            format!("Go on with: transformer-tutor train --resume --out {folder}")
        }
    }

    /// Advice for a run that diverged.
    fn advice(&self) -> String {
        let (folder, rate) = (quoted(&self.options.out), self.trainer.config.rate / 3.0);
        match checkpoint::newest(&self.options.out) {
            Some((step, _)) => format!(
                "Update {step} is kept whole. Go on from it with: transformer-tutor train --resume --out {folder} --set rate={rate:.1e}"
            ),
            None => format!(
                "No checkpoint is kept yet. Begin again with the same command and --set rate={rate:.1e}"
            ),
        }
    }

    fn progress(&mut self, update: &Update, out: &mut dyn Write) -> Result<(), ProgressLost> {
        let live = !self.options.json && std::io::stdout().is_terminal();
        let pause = Duration::from_millis(if live { 200 } else { 10_000 });
        let last = update.step == self.trainer.config.steps;
        if !(self.options.json || last || self.shown.elapsed() >= pause || update.step == 1) {
            return Ok(());
        }
        let speed = self.pace.tokens_per_second();
        let steps = self.trainer.config.steps;
        if self.options.json {
            let line = json!({
                "step": update.step, "loss": update.measured.loss, "nats": update.measured.nats, "rate": update.rate,
                "norm": update.norm, "tokens": self.trainer.state.tokens, "tokens_per_second": speed,
                "seconds": self.begun.elapsed().as_secs_f64(),
            });
            tell(out, &format!("{line}\n"))?;
        } else {
            let left = (steps - update.step) as f64 * update.measured.tokens as f64 / speed / 60.0;
            let text = format!(
                "update {}/{steps}  loss {:.3}  rate {:.2e}  gradient {:.2}  {speed:.0} tokens/s  {left:.1} min left",
                update.step, update.measured.loss, update.rate, update.norm
            );
            if live {
                tell(out, &format!("\r\x1b[K{text}"))?;
            } else {
                tell(out, &format!("{text}\n"))?;
            }
        }
        (self.shown, self.pace) = (Instant::now(), Pace::start());
        Ok(())
    }

    /// Measures on the held-out pairs and keeps a checkpoint.
    fn measure(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let nats = self.trainer.validate(&self.held_out)?.nats;
        let step = self.trainer.state.step;
        let best = self.trainer.state.best.is_some_and(|(_, at)| at == step);
        let line = json!({ "step": step, "held_out": nats, "best": best }).to_string();
        self.folder
            .record(&self.trainer, &self.pipeline, &line)
            .with_context(|| match checkpoint::newest(&self.options.out) {
                Some((kept, _)) => {
                    format!("update {step} is not saved as it should be; --resume goes on from update {kept}")
                }
                None => format!("update {step} is not saved"),
            })?;
        self.measured_at = Some(step);
        if self.options.json {
            tell(out, &format!("{line}\n"))?;
        } else {
            let live = std::io::stdout().is_terminal();
            let clear = if live { "\r\x1b[K" } else { "" };
            let mark = if best { "  best so far" } else { "" };
            tell(
                out,
                &format!(
                    "{clear}update {step}: held-out loss {nats:.4}, perplexity {:.3}{mark}\n",
                    nats.exp()
                ),
            )?;
        }
        for leftover in self.folder.leftovers() {
            say(self.options, out, &leftover.to_string())?;
        }
        // Time spent measuring must not count in tokens/s.
        self.pace = Pace::start();
        Ok(())
    }
}
