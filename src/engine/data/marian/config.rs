//! Reading the `config.json` of a Marian model; `written` writes it.

use serde_json::Value;

use super::tables::Ties;
use crate::nn::activation::Activation;
use crate::transformer::Config;
use crate::transformer::config::Tying;

/// Values of `activation_function`; the first for each activation function is the one written.
pub(super) const ACTIVATIONS: [(&str, Activation); 8] = [
    ("relu", Activation::Relu),
    ("gelu", Activation::Gelu),
    ("gelu_new", Activation::GeluTanh),
    ("gelu_pytorch_tanh", Activation::GeluTanh),
    ("quick_gelu", Activation::GeluSigmoid),
    ("swish", Activation::Silu),
    ("silu", Activation::Silu),
    ("gelu_python", Activation::Gelu),
];

/// Options that newer versions of transformers write into `generation_config.json` only.
const GENERATION: [&str; 3] = ["pad_token_id", "eos_token_id", "decoder_start_token_id"];

/// Contents of a `config.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// Configuration of the model, with one token more than in Marian: `<s>`.
    pub config: Config,
    /// Sizes of Marian's vocabularies of source and target; the same if they share one.
    pub words: [usize; 2],
    /// Which tables of words are one.
    pub ties: Ties,
    /// Id of padding, with which the decoder starts.
    pub pad: usize,
    /// Id of the end token.
    pub end: usize,
}

/// Options of a `config.json`, and of the `generation_config.json` beside it.
struct Options {
    config: Value,
    generation: Value,
}

impl Options {
    fn parse(config: &str, generation: Option<&str>) -> Result<Self, String> {
        let object = |text: &str| {
            let value: Value =
                serde_json::from_str(text).map_err(|e| format!("it is not JSON: {e}"))?;
            if value.is_object() {
                Ok(value)
            } else {
                Err("it is not a JSON object".to_owned())
            }
        };
        let generation = generation.map(|text| {
            object(text).map_err(|why| format!("the generation_config.json beside it: {why}"))
        });
        Ok(Self {
            config: object(config)?,
            generation: generation.transpose()?.unwrap_or_default(),
        })
    }

    /// Value of an option; `None` if it is missing or null.
    fn get(&self, name: &str) -> Option<&Value> {
        let is_set = |all: &'_ Value| all.get(name).is_some_and(|value| !value.is_null());
        if is_set(&self.config) {
            return self.config.get(name);
        }
        let generation = GENERATION.contains(&name) && is_set(&self.generation);
        let value = generation.then(|| &self.generation[name])?;
        // generate can end at several tokens, and then they are a list.
        match value.as_array().map(Vec::as_slice) {
            Some([one]) => Some(one),
            _ => Some(value),
        }
    }

    fn size(&self, name: &str) -> Result<usize, String> {
        let value = self
            .get(name)
            .ok_or_else(|| format!("it does not say {name}"))?;
        let size = value.as_u64().and_then(|size| usize::try_from(size).ok());
        size.ok_or_else(|| format!("{name} is {value}; it must be a whole number"))
    }

    /// Truth value of an option; those that are missing have the defaults of Hugging Face's transformers.
    fn flag(&self, name: &str, default: bool) -> Result<bool, String> {
        match self.get(name) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(value) => Err(format!("{name} is {value}; it must be true or false")),
        }
    }

    fn fraction(&self, name: &str) -> Result<f32, String> {
        let Some(value) = self.get(name) else {
            return Ok(0.0);
        };
        let number = value.as_f64().map(|x| x as f32);
        number.ok_or_else(|| format!("{name} is {value}; it must be a number"))
    }
}

/// Reads a `config.json`; `generation` is the `generation_config.json` beside it, which has the ids of special tokens
/// that the former lacks. The error names the option that is wrong or not supported.
pub fn read(config: &str, generation: Option<&str>) -> Result<Described, String> {
    let options = Options::parse(config, generation)?;
    architecture(&options.config)?;
    unsupported(&options)?;
    let ties = Ties {
        shared: options.flag("share_encoder_decoder_embeddings", true)?,
        tied: options.flag("tie_word_embeddings", true)?,
    };
    let words = words(&options, ties)?;
    let (pad, end) = specials(&options, words[1])?;
    let config = sizes(&options, words, ties)?;
    config.check()?;
    Ok(Described {
        config,
        words,
        ties,
        pad,
        end,
    })
}

/// Returns an error for an option that Marian's form does not have.
fn unsupported(options: &Options) -> Result<(), String> {
    for name in [
        "normalize_before",
        "normalize_embedding",
        "add_final_layer_norm",
        "add_bias_logits",
    ] {
        if options.flag(name, false)? {
            return Err(format!(
                "{name} is true; only models with {name} false are read"
            ));
        }
    }
    Ok(())
}

/// Sizes of the vocabularies of source and target.
fn words(options: &Options, ties: Ties) -> Result<[usize; 2], String> {
    let words = options.size("vocab_size")?;
    let target = match options.get("decoder_vocab_size") {
        Some(_) => options.size("decoder_vocab_size")?,
        None => words,
    };
    if ties.shared && target != words {
        return Err(format!(
            "vocab_size is {words} and decoder_vocab_size {target}: a table that encoder and decoder share \
             (share_encoder_decoder_embeddings) has as many rows for both"
        ));
    }
    Ok([words, target])
}

/// Ids of padding, with which the decoder starts, and of the end token.
fn specials(options: &Options, target: usize) -> Result<(usize, usize), String> {
    let (pad, end, start) = (
        options.size("pad_token_id")?,
        options.size("eos_token_id")?,
        options.size("decoder_start_token_id")?,
    );
    if start != pad {
        return Err(format!(
            "decoder_start_token_id is {start} and pad_token_id {pad}: only models whose decoder begins with padding are \
             read"
        ));
    }
    if start >= target {
        return Err(format!(
            "decoder_start_token_id is {start}, and the decoder has only {target} words (decoder_vocab_size): with \
             separate vocabularies it must be one of the decoder's"
        ));
    }
    Ok((pad, end))
}

/// Configuration of the model.
fn sizes(options: &Options, words: [usize; 2], ties: Ties) -> Result<Config, String> {
    let size = |name| options.size(name);
    let heads = size("encoder_attention_heads")?;
    if size("decoder_attention_heads")? != heads {
        return Err(format!(
            "encoder_attention_heads is {heads} and decoder_attention_heads {}: only models with as many are read",
            size("decoder_attention_heads")?
        ));
    }
    // One row more, for the start token, which is padding in Marian.
    let rows = |words: usize| words.checked_add(1).ok_or("vocab_size is too large");
    let [source, target] = words.map(rows);
    Ok(Config {
        src_vocab: source?,
        tgt_vocab: target?,
        encoder_layers: other(size("encoder_layers")?, size("decoder_layers")?),
        encoder_d_ff: other(size("encoder_ffn_dim")?, size("decoder_ffn_dim")?),
        max_len: size("max_position_embeddings")?,
        scale_embeddings: options.flag("scale_embedding", false)?,
        dropout: options.fraction("dropout")?,
        inner_dropout: Some(options.fraction("attention_dropout")?),
        activation: activation(options)?,
        tying: match ties {
            Ties {
                shared: true,
                tied: true,
            } => Tying::All,
            // Tables that are equal nevertheless are read as copies.
            _ => Tying::None,
        },
        ..Config::marian(0).sized(
            size("decoder_layers")?,
            size("d_model")?,
            size("decoder_ffn_dim")?,
            heads,
        )
    })
}

fn activation(options: &Options) -> Result<Activation, String> {
    let word = options.get("activation_function").and_then(Value::as_str);
    let word = word.ok_or("it does not say activation_function")?;
    let known = ACTIVATIONS.iter().find(|(name, _)| *name == word);
    known.map(|(_, activation)| *activation).ok_or_else(|| {
        let names: Vec<&str> = ACTIVATIONS.iter().map(|(name, _)| *name).collect();
        format!(
            "activation_function is {word:?}; known are {}",
            names.join(", ")
        )
    })
}

/// `encoder`, if it differs from `decoder`.
fn other(encoder: usize, decoder: usize) -> Option<usize> {
    (encoder != decoder).then_some(encoder)
}

/// Returns an error for any other kind of model.
fn architecture(all: &Value) -> Result<(), String> {
    match all.get("model_type").and_then(Value::as_str) {
        Some("marian") => {}
        Some(other) => {
            return Err(format!(
                "model_type is {other:?}; of published models only \"marian\" is read, the form of the opus-mt translators"
            ));
        }
        None => {
            return Err("it does not say model_type, so it is not of a published model".to_owned());
        }
    }
    if all.get("is_encoder_decoder") == Some(&Value::Bool(false))
        || all.get("is_decoder") == Some(&Value::Bool(true))
    {
        return Err(
            "it describes half a model; a translator has an encoder and a decoder".to_owned(),
        );
    }
    let named = all.get("architectures").and_then(Value::as_array);
    let Some(named) = named.filter(|named| !named.is_empty()) else {
        return Ok(());
    };
    if named.iter().any(|name| name == "MarianMTModel") {
        return Ok(());
    }
    let names: Vec<String> = named.iter().map(Value::to_string).collect();
    Err(format!(
        "architectures is {}; only \"MarianMTModel\" translates",
        names.join(", ")
    ))
}
