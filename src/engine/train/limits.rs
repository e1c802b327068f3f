//! Limits on a run's settings and saved state, and the minimum memory that a run needs, checked before any is
//! allocated.

use super::config::TrainConfig;
use super::trainer::State;
use crate::tensor::Tensor;
use crate::text::phrasebook::Part;
use crate::transformer::count::TRAINING_BYTES;
use crate::transformer::size::{LAYERS, POSITIONS, SIZE, bytes};

/// Maximum number of updates in a run, because Adam counts its steps in 32 bits.
pub const STEPS: usize = 1_000_000_000;
/// Number of pairs that the phrasebook has for training.
pub const PAIRS: usize = Part::Train.size();
/// Maximum number of tokens in all batches of one update, which are held in memory together.
const UPDATE: usize = 10_000_000;

impl TrainConfig {
    /// Checks every number in the settings. The error states the number and its limits.
    pub fn within_limits(&self) -> Result<(), String> {
        for (name, count, least, most) in [
            ("layers", self.layers, 1, LAYERS),
            ("encoder_layers", self.encoder_layers, 0, LAYERS),
            ("d_model", self.d_model, 1, SIZE),
            ("d_ff", self.d_ff, 1, SIZE),
            ("heads", self.heads, 1, SIZE),
            ("pairs", self.pairs, 1, PAIRS),
            ("merges", self.merges, 0, 1_000_000),
            ("pieces", self.pieces, 0, 1_000_000),
            ("min_count", self.min_count, 0, SIZE),
            // The model has 64 more positions, for translations longer than any training sentence.
            ("max_length", self.max_length, 1, POSITIONS - 64),
            ("batch_tokens", self.batch_tokens, 1, 1_000_000),
            ("accumulate", self.accumulate, 1, 1000),
            ("steps", self.steps, 0, STEPS),
            ("warmup", self.warmup, 0, STEPS),
            ("cooldown", self.cooldown, 0, STEPS),
            ("evaluate_every", self.evaluate_every, 1, STEPS),
            ("keep", self.keep, 1, 100_000),
            ("patience", self.patience, 0, STEPS),
            ("shards", self.shards, 1, 1024),
        ] {
            if !(least..=most).contains(&count) {
                return Err(format!(
                    "{name} is {count}; it must be from {least} to {most}"
                ));
            }
        }
        for (name, number, least, most) in [
            ("rate", self.rate, 1e-12, 1e30),
            ("epsilon", self.epsilon.into(), 1e-30, 1.0),
            ("decay", self.decay.into(), 0.0, 1000.0),
            ("clip", self.clip, 0.0, 1e30),
        ] {
            // NaN is outside any range, so it is refused too.
            if !(least..=most).contains(&number) {
                return Err(format!(
                    "{name} is {number}; it must be from {least:?} to {most:?}"
                ));
            }
        }
        for (name, share) in [
            ("dropout", self.dropout),
            ("inner_dropout", self.inner_dropout),
            ("smoothing", self.smoothing),
            ("sampling", self.sampling),
            ("typing", self.typing),
            ("names", self.names),
            ("beta1", self.beta1),
            ("beta2", self.beta2),
        ] {
            if !(0.0..1.0).contains(&share) {
                return Err(format!(
                    "{name} is {share}; it must be at least 0 and below 1"
                ));
            }
        }
        for (name, share) in [
            ("patterns", self.patterns),
            ("phrases", self.phrases),
            ("words", self.words),
            ("fade", self.fade),
        ] {
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("{name} is {share}; it must be from 0 to 1"));
            }
        }
        let update = self.batch_tokens * self.accumulate;
        if update > UPDATE {
            return Err(format!(
                "batch_tokens {} times accumulate {} is {update} tokens for one update; it must be at most {UPDATE}",
                self.batch_tokens, self.accumulate
            ));
        }
        Ok(())
    }

    /// Refuses a run that needs more than `most` bytes for its weights, their gradients and moments, and what the
    /// forward pass of a batch keeps. `tokens` is the number of tokens on the longer side of the corpus. The estimate
    /// is a lower bound, so that no run that would fit is refused.
    pub fn affordable(
        &self,
        (src_vocab, tgt_vocab): (usize, usize),
        tokens: usize,
        most: u64,
    ) -> Result<(), String> {
        let model = self.model(src_vocab, tgt_vocab);
        model.check()?;
        model.fits(TRAINING_BYTES as u128, "training it", most)?;
        let [layers, d_model, d_ff] =
            [self.layers, self.d_model, self.d_ff].map(|size| size as u128);
        // At least the inputs and outputs of each layer's linear maps are kept. Only half of the batch is counted,
        // because an encoder layer has one attention to a decoder layer's two, and because shards that wait for a
        // thread hold nothing yet.
        let cells = layers * (16 * d_model + 2 * d_ff) / 2;
        let tokens = self.batch_tokens.min(tokens) as u128;
        let needed = 4 * cells * tokens + TRAINING_BYTES as u128 * model.parameters();
        if needed > u128::from(most) {
            return Err(format!(
                "a batch of {tokens} tokens through this model needs at least {}, and the limit is {}; choose smaller \
                 batch_tokens, or a smaller model",
                bytes(needed),
                bytes(u128::from(most))
            ));
        }
        Ok(())
    }
}

impl State {
    /// Checks that a run whose optimizer has done `steps` steps can resume from this state.
    pub(super) fn check(&self, steps: i64) -> Result<(), String> {
        for (name, count, most) in [
            ("step", self.step as u64, STEPS as u64),
            ("epoch", self.epoch, 1 << 53),
            ("batch", self.batch as u64, 1 << 53),
            ("tokens", self.tokens, 1 << 53),
            ("since_best", self.since_best as u64, STEPS as u64),
        ] {
            if count > most {
                return Err(format!(
                    "{name} is {count}, more than the {most} that a run can have"
                ));
            }
        }
        if steps != self.step as i64 {
            return Err(format!(
                "it says update {}, but the optimizer has done {steps} steps",
                self.step
            ));
        }
        match self.best {
            Some((nats, step)) if !nats.is_finite() || step > self.step => Err(format!(
                "its best held-out loss is {nats} at update {step} of {}",
                self.step
            )),
            _ => Ok(()),
        }
    }
}

/// Checks the moments of the parameter `name`: both must be finite, and `square` must not be negative, because the
/// optimizer takes its root.
pub(super) fn moments(name: &str, mean: &Tensor, square: &Tensor) -> Result<(), String> {
    let wrong = |what: &str, tensor: &Tensor, sound: fn(f32) -> bool| {
        let invalid = tensor.data().iter().find(|x| !sound(**x));
        invalid.map(|x| format!("{what}.{name} holds {x}, which no optimizer has"))
    };
    wrong("mean", mean, f32::is_finite)
        .or_else(|| wrong("square", square, |x| x.is_finite() && x >= 0.0))
        .map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_contains, assert_starts_with};

    fn refused(key: &str, value: &str) -> String {
        let mut config = TrainConfig::default();
        let set = config.set(key, value);
        set.and_then(|()| config.check())
            .expect_err(&format!("{key}={value} is refused"))
    }

    #[test]
    fn every_number_has_limits_and_the_sentence_says_them() {
        for (key, value, says) in [
            (
                "layers",
                "1000000",
                "layers is 1000000; it must be from 1 to 10000",
            ),
            ("d_model", "9223372036854775807", "from 1 to 1000000000"),
            ("heads", "0", "heads is 0; it must be from 1 to"),
            ("batch_tokens", "10000000", "from 1 to 1000000"),
            ("accumulate", "1001", "from 1 to 1000"),
            ("shards", "100000", "from 1 to 1024"),
            ("max_length", "1000000", "from 1 to 9936"),
            ("steps", "9223372036854775807", "from 0 to 1000000000"),
            ("epsilon", "nan", "epsilon is NaN; it must be from"),
            (
                "decay",
                "inf",
                "decay is inf; it must be from 0.0 to 1000.0",
            ),
            ("clip", "nan", "clip is NaN; it must be from 0.0 to 1e30"),
            ("rate", "-1", "rate is -1; it must be from 1e-12"),
            (
                "dropout",
                "nan",
                "dropout is NaN; it must be at least 0 and below 1",
            ),
            ("beta2", "1.0", "below 1"),
        ] {
            assert_contains(&refused(key, value), says);
        }
        for key in TrainConfig::keys() {
            for value in ["-1", "1e308", "18446744073709551615"] {
                // Only the seed may be any number, and TOML refuses those above 2^63 - 1.
                let message = refused(&key, value);
                assert!(!message.is_empty());
            }
        }
    }

    #[test]
    fn a_run_that_no_memory_holds_is_refused_with_what_it_needs() {
        let large = TrainConfig {
            layers: 10_000,
            d_model: 4096,
            ..TrainConfig::default()
        };
        let message = large.affordable((500, 500), 1000, 64 << 30).unwrap_err();
        assert_contains(&message, "training it needs 32.9");
        assert_contains(&message, "TB, and the limit is 68.7 GB");
        let wide = TrainConfig {
            layers: 100,
            batch_tokens: 1_000_000,
            ..TrainConfig::default()
        };
        let message = wide
            .affordable((500, 500), 10_000_000, 64 << 30)
            .unwrap_err();
        assert_starts_with(&message, "a batch of 1000000 tokens");
        // On a small corpus the same settings never make such a large batch.
        assert_eq!(wide.affordable((500, 500), 1000, 64 << 30), Ok(()));
    }

    #[test]
    fn a_state_that_no_run_was_in_is_refused() {
        let sound = State {
            step: 7,
            best: Some((1.5, 6)),
            ..State::default()
        };
        assert_eq!(sound.check(7), Ok(()));
        let damaged = [
            State {
                tokens: u64::MAX,
                ..sound.clone()
            },
            State {
                step: usize::MAX,
                ..sound.clone()
            },
            State {
                best: Some((f64::NAN, 6)),
                ..sound.clone()
            },
            State {
                best: Some((1.5, 8)),
                ..sound.clone()
            },
        ];
        for state in damaged {
            assert!(state.check(7).is_err(), "{state:?}");
        }
        for steps in [-1, 8] {
            assert_contains(
                &sound.check(steps).unwrap_err(),
                &format!("has done {steps} steps"),
            );
        }
    }

    #[test]
    fn moments_are_finite_and_squares_not_negative() {
        let of = |x| Tensor::new(&[2], vec![0.5, x]);
        assert_eq!(moments("w", &of(-1.0), &of(0.0)), Ok(()));
        for (mean, square, says) in [
            (f32::NAN, 1.0, "mean.w holds NaN"),
            (f32::INFINITY, 1.0, "mean.w holds inf"),
            (1.0, -1e-9, "square.w holds -0.000000001"),
            (1.0, f32::NAN, "square.w holds NaN"),
        ] {
            assert_starts_with(&moments("w", &of(mean), &of(square)).unwrap_err(), says);
        }
    }
}
