//! The parameter counts of a model as a tree of parts, each counted from the actual parameters and
//! explained by an equation.

use serde::Serialize;

use super::config::{Config, Tying};
use super::{Transformer, config};
use crate::nn::linear::Bias;
use crate::nn::residual::NormPlace;
use crate::params::Params;

/// One part of a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// Its name: `encoder`, `layer`, `self_attn`.
    pub name: String,
    /// The number of times it occurs, each time with its own parameters.
    pub times: usize,
    /// The parameter count of one occurrence.
    pub count: usize,
    /// The calculation of the count, in the language of [`crate::expr`]: `4 * (512 * 512 + 512)`.
    pub equation: String,
    /// The parts of which it consists; empty for a single map or table.
    pub parts: Vec<Part>,
}

impl Part {
    /// The part at a path through the tree, such as `["encoder", "layer"]`.
    pub fn find(&self, path: &[&str]) -> Option<&Part> {
        path.iter()
            .try_fold(self, |at, name| at.parts.iter().find(|p| p.name == *name))
    }
}

/// Bytes per parameter in training with Adam in f32: its value, its gradient, and two moments.
pub const TRAINING_BYTES: usize = 16;

/// The tree of the model that `config` describes. No values are drawn, so any size is possible.
///
/// Panics with the message of [`Config::check`] if the model can't be built.
#[track_caller]
pub fn tree(config: &Config) -> Part {
    let mut params = Params::layout();
    Transformer::new(&mut params, config);
    Counter { config, params }.model()
}

struct Counter<'a> {
    config: &'a Config,
    params: Params,
}

impl Counter<'_> {
    /// Number of parameters at or below the path `prefix`; all parameters if it is empty.
    fn count(&self, prefix: &str) -> usize {
        let inside = |name: &str| {
            let rest = name.strip_prefix(prefix);
            rest.is_some_and(|r| prefix.is_empty() || r.is_empty() || r.starts_with('.'))
        };
        let all = self.params.iter().filter(|(_, name, _)| inside(name));
        all.map(|(param, ..)| self.params.shape(param).iter().product::<usize>())
            .sum()
    }

    fn leaf(&self, name: &str, path: &str, equation: String) -> Part {
        let count = self.count(path);
        Part {
            name: name.to_owned(),
            times: 1,
            count,
            equation,
            parts: Vec::new(),
        }
    }

    /// A part whose equation is the sum of its parts.
    fn sum(&self, name: &str, path: &str, parts: Vec<Part>) -> Part {
        let term = |p: &Part| match p.times {
            1 => p.count.to_string(),
            times => format!("{times} * {}", p.count),
        };
        let terms: Vec<String> = parts.iter().map(term).collect();
        let equation = if terms.is_empty() {
            "0".to_owned()
        } else {
            terms.join(" + ")
        };
        Part {
            parts,
            ..self.leaf(name, path, equation)
        }
    }

    fn model(&self) -> Part {
        let c = self.config;
        let table = |name, words| {
            let equation = format!("{words} * {}", c.d_model);
            self.leaf(name, name, equation)
        };
        let mut parts = match c.tying {
            Tying::None => {
                vec![
                    table("src_embed", c.src_vocab),
                    table("tgt_embed", c.tgt_vocab),
                ]
            }
            Tying::All => vec![table("embed", c.src_vocab)],
        };
        let encoder = (c.encoder_layers(), c.encoder_d_ff());
        parts.push(self.stack("encoder", &["self_attn"], encoder));
        let decoder = (c.layers, c.d_ff);
        parts.push(self.stack("decoder", &["self_attn", "src_attn"], decoder));
        parts.push(self.generator());
        parts.retain(|part| part.count > 0);
        self.sum("model", "", parts)
    }

    fn stack(&self, name: &str, attentions: &[&str], (layers, d_ff): (usize, usize)) -> Part {
        let c = self.config;
        let mut parts = Vec::new();
        if layers > 0 {
            let first = format!("{name}.layers.0");
            let mut inner: Vec<Part> = attentions
                .iter()
                .map(|attention| self.attention(attention, &format!("{first}.{attention}")))
                .collect();
            inner.push(self.feed_forward(&format!("{first}.feed_forward"), d_ff));
            let mut norm = self.norm("norm", &format!("{first}.sublayer.0.norm"));
            norm.times = attentions.len() + 1;
            inner.push(norm);
            let mut layer = self.sum("layer", &first, inner);
            layer.times = layers;
            parts.push(layer);
        }
        if c.norm_place == NormPlace::Pre {
            parts.push(self.norm("last norm", &format!("{name}.norm")));
        }
        self.sum(name, name, parts)
    }

    fn attention(&self, name: &str, path: &str) -> Part {
        let d = self.config.d_model;
        let one = with_bias(format!("{d} * {d}"), d, self.config.projection_bias);
        self.leaf(name, path, format!("4 * ({one})"))
    }

    fn feed_forward(&self, path: &str, f: usize) -> Part {
        let (d, bias) = (self.config.d_model, self.config.feed_forward_bias);
        let up = with_bias(format!("{d} * {f}"), f, bias);
        let down = with_bias(format!("{f} * {d}"), d, bias);
        self.leaf("feed_forward", path, format!("{up} + {down}"))
    }

    fn norm(&self, name: &str, path: &str) -> Part {
        self.leaf(name, path, format!("2 * {}", self.config.d_model))
    }

    fn generator(&self) -> Part {
        let c = self.config;
        let table = match c.tying {
            config::Tying::None => format!("{} * {}", c.d_model, c.tgt_vocab),
            config::Tying::All => "0".to_owned(),
        };
        self.leaf(
            "generator",
            "generator",
            with_bias(table, c.tgt_vocab, c.generator_bias),
        )
    }
}

fn with_bias(equation: String, width: usize, bias: Bias) -> String {
    if bias == Bias::None {
        equation
    } else {
        format!("{equation} + {width}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::recompute;
    use crate::transformer::presets::PRESETS;

    /// Checks that the part's equation gives its count and that its parts add up to it.
    fn holds(part: &Part) {
        let value = recompute(&part.equation, &[]).expect("the equation can be evaluated");
        assert_eq!(value, part.count as f64, "{}: {}", part.name, part.equation);
        if !part.parts.is_empty() {
            let sum: usize = part.parts.iter().map(|p| p.times * p.count).sum();
            assert_eq!(sum, part.count, "{}", part.name);
        }
        part.parts.iter().for_each(holds);
    }

    #[test]
    fn every_equation_of_every_preset_gives_the_counted_number() {
        for preset in &PRESETS {
            holds(&tree(&(preset.config)()));
        }
        let post = Config {
            norm_place: NormPlace::Post,
            ..Config::annotated(7, 9).sized(0, 4, 3, 2)
        };
        holds(&tree(&post));
        let uneven = Config {
            encoder_layers: Some(3),
            encoder_d_ff: Some(5),
            ..Config::marian(9).sized(2, 4, 7, 2)
        };
        holds(&tree(&uneven));
    }

    #[test]
    fn the_papers_base_has_the_figures_of_the_annotated_walk() {
        let model = tree(&Config::annotated(30_000, 30_000));
        for (path, expected) in [
            (&["encoder", "layer", "self_attn"][..], 1_050_624),
            (&["encoder", "layer", "feed_forward"], 2_099_712),
            (&["encoder", "layer"], 3_152_384),
            (&["encoder"], 18_915_328),
            (&["decoder", "layer"], 4_204_032),
            (&["decoder"], 25_225_216),
            (&["generator"], 15_390_000),
            (&[], 90_250_544),
        ] {
            assert_eq!(
                model.find(path).map(|p| p.count),
                Some(expected),
                "{path:?}"
            );
        }
    }
}
