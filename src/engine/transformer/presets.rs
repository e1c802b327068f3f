//! The named model configurations.

use super::Config;

/// A named model.
pub struct Preset {
    /// Its name on the command line.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// Its sizes and options.
    pub config: fn() -> Config,
}

/// All presets, the default first.
pub const PRESETS: [Preset; 9] = [
    Preset {
        name: "paper",
        about: "the paper's base size in the Annotated Transformer's form, two vocabularies of 30,000",
        config: || Config::annotated(30_000, 30_000),
    },
    Preset {
        name: "base",
        about: "TensorFlow's official base: one table of 33,708 words",
        config: || Config::tensorflow(33_708),
    },
    Preset {
        name: "big",
        about: "TensorFlow's official big: d_model 1024, d_ff 4096, 16 heads",
        config: || Config::tensorflow(33_708).sized(6, 1024, 4096, 16),
    },
    Preset {
        name: "tiny",
        about: "TensorFlow's official tiny: d_model 32, d_ff 256, 4 heads",
        config: || Config::tensorflow(33_708).sized(6, 32, 256, 4),
    },
    Preset {
        name: "multi30k",
        about: "the Annotated Transformer on Multi30k: 8,316 German and 6,384 English words",
        config: || Config::annotated(8_316, 6_384),
    },
    Preset {
        name: "multi30k-tiny",
        about: "the size that does best on Multi30k: 4 layers, d_model 128, d_ff 256, tied",
        config: || Config::annotated(9_700, 9_700).sized(4, 128, 256, 4).tied(),
    },
    Preset {
        name: "multi30k-small",
        about: "3 layers, d_model 256, d_ff 512, 8 heads, tied",
        config: || Config::annotated(9_700, 9_700).sized(3, 256, 512, 8).tied(),
    },
    Preset {
        name: "copy",
        about: "the Annotated Transformer's copy task: 11 words, 2 layers",
        config: || Config::annotated(11, 11).sized(2, 512, 2048, 8),
    },
    Preset {
        name: "glass",
        about: "small enough to see through: 2 layers, d_model 16, d_ff 32, 4 heads, 11 words",
        config: || Config::annotated(11, 11).sized(2, 16, 32, 4),
    },
];

/// The preset named `name`.
pub fn find(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;
    use crate::transformer::Transformer;

    fn count(config: &Config) -> usize {
        let mut params = Params::layout();
        Transformer::new(&mut params, config);
        params.count()
    }

    #[test]
    fn the_presets_have_the_published_sizes() {
        for (name, expected) in [
            ("paper", 90_250_544),
            ("base", 61_362_176),
            ("big", 210_804_736),
            ("tiny", 1_354_496),
            ("multi30k", 54_941_936),
        ] {
            let preset = find(name).expect("it is in the list");
            assert_eq!(count(&(preset.config)()), expected, "{name}");
        }
    }

    #[test]
    fn parameters_grow_by_1537_with_every_word() {
        for words in [1, 1_000, 30_000] {
            let expected = 44_140_544 + 1_537 * words;
            assert_eq!(count(&Config::annotated(words, words)), expected);
        }
        assert_eq!(count(&Config::annotated(36_343, 36_343)), 100_000_000 - 265);
        assert!(count(&Config::annotated(36_344, 36_344)) > 100_000_000);
    }

    #[test]
    fn every_preset_can_be_built() {
        for preset in &PRESETS {
            assert_eq!((preset.config)().check(), Ok(()), "{}", preset.name);
        }
    }
}
