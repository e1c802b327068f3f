//! The size limits and the parameter count of a model, computed from its [`Config`] before anything is allocated.

use super::config::{Config, Shift, Start, Tying};
use crate::nn::linear::Bias;
use crate::nn::residual::NormPlace;

/// Maximum number of layers in an encoder or a decoder.
pub const LAYERS: usize = 10_000;
/// Maximum of a model's vocabularies and widths.
pub const SIZE: usize = 1_000_000_000;
/// Maximum number of tokens in a sentence, and maximum first position. Attention memory grows with the square of the
/// length.
pub const POSITIONS: usize = 10_000;
/// Maximum parameter count: at sixteen bytes each, the total still fits into 64 bits.
pub const PARAMETERS: u128 = 1_000_000_000_000_000_000;

impl Config {
    /// Checks that the model can be built; the error explains what to change.
    pub fn check(&self) -> Result<(), String> {
        let sizes = [
            ("src_vocab", self.src_vocab),
            ("tgt_vocab", self.tgt_vocab),
            ("d_model", self.d_model),
            ("d_ff", self.d_ff),
            ("encoder_d_ff", self.encoder_d_ff()),
            ("heads", self.heads),
            ("max_len", self.max_len),
        ];
        if let Some((name, _)) = sizes.iter().find(|(_, size)| *size == 0) {
            return Err(format!("{name} is 0; it must be at least 1"));
        }
        let most = [
            ("src_vocab", self.src_vocab, SIZE),
            ("tgt_vocab", self.tgt_vocab, SIZE),
            ("d_model", self.d_model, SIZE),
            ("d_ff", self.d_ff, SIZE),
            ("encoder_d_ff", self.encoder_d_ff(), SIZE),
            ("layers", self.layers, LAYERS),
            ("encoder_layers", self.encoder_layers(), LAYERS),
            ("max_len", self.max_len, POSITIONS),
            ("first_position", self.first_position, POSITIONS),
        ];
        if let Some((name, size, most)) = most.iter().find(|(_, size, most)| size > most) {
            return Err(format!("{name} is {size}; it must be at most {most}"));
        }
        if self.parameters() > PARAMETERS {
            return Err(format!(
                "a model of {} layers, d_model {} and d_ff {} has more than {} parameters, the most that are counted",
                self.layers, self.d_model, self.d_ff, PARAMETERS
            ));
        }
        if !self.d_model.is_multiple_of(self.heads) {
            let (d_model, heads) = (self.d_model, self.heads);
            return Err(format!(
                "d_model {d_model} cannot be split among {heads} heads: choose heads that divide it"
            ));
        }
        if !self.d_model.is_multiple_of(2) {
            return Err(format!(
                "d_model {} is odd: positions need as many sines as cosines, so choose an even one",
                self.d_model
            ));
        }
        if self.start == Start::Padding && self.shift == Shift::Embeddings {
            return Err(
                "a model that shifts embeddings begins with zeros, so its start cannot be padding"
                    .to_owned(),
            );
        }
        if self.tying == Tying::All && self.src_vocab != self.tgt_vocab {
            let (src, tgt) = (self.src_vocab, self.tgt_vocab);
            return Err(format!(
                "one table cannot serve {src} source words and {tgt} target words: tie only with one \
                 vocabulary for both, src_vocab = tgt_vocab"
            ));
        }
        if !(self.epsilon > 0.0 && self.epsilon <= 1.0) {
            return Err(format!(
                "epsilon is {}; it must be above 0 and at most 1",
                self.epsilon
            ));
        }
        for dropout in [Some(self.dropout), self.inner_dropout]
            .into_iter()
            .flatten()
        {
            if !(0.0..1.0).contains(&dropout) {
                return Err(format!(
                    "dropout is {dropout}; it must be at least 0 and below 1"
                ));
            }
        }
        Ok(())
    }

    /// The number of parameters. Saturates at the largest `u128`.
    pub fn parameters(&self) -> u128 {
        let [src, tgt, layers, encoder_layers, d, f, encoder_f] = [
            self.src_vocab,
            self.tgt_vocab,
            self.layers,
            self.encoder_layers(),
            self.d_model,
            self.d_ff,
            self.encoder_d_ff(),
        ]
        .map(|size| size as u128);
        let times = |a: u128, b: u128| a.saturating_mul(b);
        let bias = |bias: Bias, width: u128| if bias == Bias::None { 0 } else { width };
        let sum = |parts: &[u128]| parts.iter().fold(0, |sum: u128, x| sum.saturating_add(*x));
        let projection = sum(&[times(d, d), bias(self.projection_bias, d)]);
        let attention = times(4, projection);
        let feed_forward = |f: u128| {
            let inner = times(2, times(d, f));
            sum(&[inner, bias(self.feed_forward_bias, f.saturating_add(d))])
        };
        let norm = times(2, d);
        let encoder_layer = sum(&[attention, feed_forward(encoder_f), times(2, norm)]);
        let decoder_layer = sum(&[times(2, attention), feed_forward(f), times(3, norm)]);
        let last_norms = match self.norm_place {
            NormPlace::Pre => times(2, norm),
            NormPlace::Post => 0,
        };
        let tables = match self.tying {
            Tying::None => sum(&[times(src, d), times(tgt, d), times(d, tgt)]),
            Tying::All => times(src, d),
        };
        let generator = bias(self.generator_bias, tgt);
        let encoder = times(encoder_layers, encoder_layer);
        let decoder = times(layers, decoder_layer);
        sum(&[encoder, decoder, last_norms, tables, generator])
    }

    /// Fails if the parameters would take more than `most` bytes at `each` bytes per parameter; the error states both
    /// figures. `whose` names what needs the bytes: "holding its weights", "training it".
    pub fn fits(&self, each: u128, whose: &str, most: u64) -> Result<(), String> {
        let parameters = self.parameters();
        let needed = parameters.saturating_mul(each);
        if needed <= u128::from(most) {
            return Ok(());
        }
        Err(format!(
            "a model of {} layers, d_model {}, d_ff {} and vocabularies of {} and {} has {} parameters: {whose} needs \
             {}, and the limit is {}; choose smaller sizes",
            self.layers,
            self.d_model,
            self.d_ff,
            self.src_vocab,
            self.tgt_vocab,
            amount(parameters),
            bytes(needed),
            bytes(u128::from(most)),
        ))
    }
}

/// Formats a number of bytes: `4.1 TB`.
pub fn bytes(count: u128) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"];
    scaled(count, &units, "bytes")
}

/// Formats a number in words: `90.3 million`.
fn amount(count: u128) -> String {
    let units = ["thousand", "million", "billion", "trillion"];
    scaled(count, &units, "").trim_end().to_owned()
}

fn scaled(count: u128, units: &[&str], one: &str) -> String {
    let mut value = count as f64;
    let mut unit = one;
    for larger in units {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    match (unit == one, value < 1e6) {
        (true, _) => format!("{count} {unit}"),
        (false, true) => format!("{value:.1} {unit}"),
        (false, false) => format!("{value:.1e} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;
    use crate::testing::{assert_contains, assert_starts_with};
    use crate::transformer::Transformer;
    use crate::transformer::presets::PRESETS;

    #[test]
    fn the_formula_counts_what_the_built_model_has() {
        let mut all: Vec<Config> = PRESETS.iter().map(|preset| (preset.config)()).collect();
        all.push(Config::annotated(7, 9).sized(0, 4, 3, 2));
        all.push(Config {
            feed_forward_bias: Bias::None,
            projection_bias: Bias::None,
            generator_bias: Bias::None,
            ..Config::annotated(7, 9).sized(3, 4, 3, 2)
        });
        all.push(Config {
            encoder_layers: Some(3),
            encoder_d_ff: Some(5),
            ..Config::marian(9).sized(2, 4, 7, 2)
        });
        for config in all {
            let mut params = Params::layout();
            Transformer::new(&mut params, &config);
            assert_eq!(config.parameters(), params.count() as u128, "{config:?}");
        }
    }

    #[test]
    fn a_model_that_is_too_large_is_refused_with_its_size_and_the_limit() {
        let large = Config::annotated(8, 8).sized(1_000_000, 256, 1024, 8);
        let message = large.fits(4, "holding its weights", 16 << 30).unwrap_err();
        assert_starts_with(&message, "a model of 1000000 layers, d_model 256");
        assert_contains(&message, "7.4 TB");
        assert_contains(&message, "the limit is 17.2 GB");
        // Sizes whose count overflows must give an error message too.
        let larger =
            Config::annotated(usize::MAX, usize::MAX).sized(usize::MAX, usize::MAX, usize::MAX, 1);
        assert!(larger.fits(16, "training it", u64::MAX).is_err());
        assert_eq!(larger.parameters(), u128::MAX);
    }

    #[test]
    fn amounts_are_short() {
        let amounts = [0, 999, 1000, 4_100_000_000_000].map(bytes);
        assert_eq!(amounts, ["0 bytes", "999 bytes", "1.0 kB", "4.1 TB"]);
        assert_eq!(amount(12), "12");
        assert_eq!(amount(90_250_544), "90.3 million");
    }
}
