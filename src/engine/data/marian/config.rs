//! Conversion from and to the `config.json` of a Marian model, and the options in which a model differs from Marian's.

use serde_json::{Value, json};

use crate::nn::activation::Activation;
use crate::nn::linear::Bias;
use crate::text::marian::Ids;
use crate::text::vocabulary::{EOS, PAD};
use crate::transformer::Config;

/// Values of `activation_function`; the first for each activation function is the one written.
const ACTIVATIONS: [(&str, Activation); 8] = [
    ("relu", Activation::Relu),
    ("gelu", Activation::Gelu),
    ("gelu_new", Activation::GeluTanh),
    ("gelu_pytorch_tanh", Activation::GeluTanh),
    ("quick_gelu", Activation::GeluSigmoid),
    ("swish", Activation::Silu),
    ("silu", Activation::Silu),
    ("gelu_python", Activation::Gelu),
];

/// Contents of a `config.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// Configuration of the model, with one token more than in Marian: `<s>`.
    pub config: Config,
    /// Size of Marian's vocabulary.
    pub words: usize,
    /// Id of padding, with which the decoder starts.
    pub pad: usize,
    /// Id of the end token.
    pub end: usize,
}

/// Reads a `config.json`. The error names the option that is wrong or not supported.
pub fn read(text: &str) -> Result<Described, String> {
    let all: Value = serde_json::from_str(text).map_err(|e| format!("it is no JSON: {e}"))?;
    if !all.is_object() {
        return Err("it is no JSON object".to_owned());
    }
    architecture(&all)?;
    let size = |name: &str| {
        let size = all.get(name).and_then(Value::as_u64);
        let size = size.and_then(|size| usize::try_from(size).ok());
        size.ok_or_else(|| match all.get(name) {
            Some(found) => format!("{name} is {found}; it must be a whole number"),
            None => format!("it does not say {name}"),
        })
    };
    // Missing options have the defaults of Hugging Face's transformers.
    let flag = |name: &str, default: bool| match all.get(name) {
        None | Some(Value::Null) => Ok(default),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(found) => Err(format!("{name} is {found}; it must be true or false")),
    };
    for (name, wanted, default) in [
        ("normalize_before", false, false),
        ("normalize_embedding", false, false),
        ("add_final_layer_norm", false, false),
        ("add_bias_logits", false, false),
        ("share_encoder_decoder_embeddings", true, true),
        ("tie_word_embeddings", true, true),
    ] {
        if flag(name, default)? != wanted {
            return Err(format!(
                "{name} is {}; only models with {name} {wanted} are read",
                !wanted
            ));
        }
    }
    let words = size("vocab_size")?;
    if all
        .get("decoder_vocab_size")
        .is_some_and(|size| !size.is_null())
        && size("decoder_vocab_size")? != words
    {
        return Err(format!(
            "vocab_size is {words} and decoder_vocab_size {}: only models with one table are read",
            size("decoder_vocab_size")?
        ));
    }
    let (pad, end, start) = (
        size("pad_token_id")?,
        size("eos_token_id")?,
        size("decoder_start_token_id")?,
    );
    if start != pad {
        return Err(format!(
            "decoder_start_token_id is {start} and pad_token_id {pad}: only models whose decoder begins with padding are \
             read"
        ));
    }
    let heads = size("encoder_attention_heads")?;
    if size("decoder_attention_heads")? != heads {
        return Err(format!(
            "encoder_attention_heads is {heads} and decoder_attention_heads {}: only models with as many are read",
            size("decoder_attention_heads")?
        ));
    }
    let word = all.get("activation_function").and_then(Value::as_str);
    let word = word.ok_or("it does not say activation_function")?;
    let known = ACTIVATIONS.iter().find(|(name, _)| *name == word);
    let (_, activation) = *known.ok_or_else(|| {
        let names: Vec<&str> = ACTIVATIONS.iter().map(|(name, _)| *name).collect();
        format!(
            "activation_function is {word:?}; known are {}",
            names.join(", ")
        )
    })?;
    let fraction = |name: &str| match all.get(name) {
        None => Ok(0.0),
        Some(found) => {
            let number = found.as_f64().map(|x| x as f32);
            number.ok_or_else(|| format!("{name} is {found}; it must be a number"))
        }
    };
    // One row more, for the start token, which is padding in Marian.
    let rows = words.checked_add(1).ok_or("vocab_size is too large")?;
    let config = Config {
        encoder_layers: other(size("encoder_layers")?, size("decoder_layers")?),
        encoder_d_ff: other(size("encoder_ffn_dim")?, size("decoder_ffn_dim")?),
        max_len: size("max_position_embeddings")?,
        scale_embeddings: flag("scale_embedding", false)?,
        dropout: fraction("dropout")?,
        inner_dropout: Some(fraction("attention_dropout")?),
        activation,
        ..Config::marian(rows).sized(
            size("decoder_layers")?,
            size("d_model")?,
            size("decoder_ffn_dim")?,
            heads,
        )
    };
    config.check()?;
    Ok(Described {
        config,
        words,
        pad,
        end,
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

/// `config.json` of a model in Marian's form.
pub fn config_json(config: &Config, ids: &Ids) -> String {
    let activation = ACTIVATIONS
        .iter()
        .find(|(_, known)| *known == config.activation);
    let (words, pad, end) = (
        ids.len() - 1,
        ids.theirs(PAD as u32),
        ids.theirs(EOS as u32),
    );
    let all = json!({
        "activation_dropout": config.inner_dropout.unwrap_or(0.0),
        "activation_function": activation.map_or("relu", |(name, _)| name),
        "architectures": ["MarianMTModel"],
        "attention_dropout": config.inner_dropout.unwrap_or(0.0),
        "bos_token_id": end,
        "d_model": config.d_model,
        "decoder_attention_heads": config.heads,
        "decoder_ffn_dim": config.d_ff,
        "decoder_layerdrop": 0.0,
        "decoder_layers": config.layers,
        "decoder_start_token_id": pad,
        "decoder_vocab_size": words,
        "dropout": config.dropout,
        "dtype": "float32",
        "encoder_attention_heads": config.heads,
        "encoder_ffn_dim": config.encoder_d_ff(),
        "encoder_layerdrop": 0.0,
        "encoder_layers": config.encoder_layers(),
        "eos_token_id": end,
        "forced_eos_token_id": end,
        "init_std": 0.02,
        "is_encoder_decoder": true,
        "max_position_embeddings": config.max_len,
        "model_type": "marian",
        "normalize_before": false,
        "normalize_embedding": false,
        "num_hidden_layers": config.encoder_layers(),
        "pad_token_id": pad,
        "scale_embedding": config.scale_embeddings,
        "share_encoder_decoder_embeddings": true,
        "static_position_embeddings": true,
        "tie_word_embeddings": true,
        "use_cache": true,
        "vocab_size": words,
    });
    format!("{all:#}\n")
}

/// `generation_config.json` of such a model: how `generate` decodes, with padding never chosen.
pub fn generation_json(config: &Config, ids: &Ids) -> String {
    let (pad, end) = (ids.theirs(PAD as u32), ids.theirs(EOS as u32));
    let all = json!({
        "bad_words_ids": [[pad]],
        "bos_token_id": end,
        "decoder_start_token_id": pad,
        "eos_token_id": end,
        "forced_eos_token_id": end,
        "max_length": config.max_len,
        "num_beams": 4,
        "pad_token_id": pad,
    });
    format!("{all:#}\n")
}

/// Options in which a model differs from Marian's form, each with what Marian has instead.
pub fn differences(config: &Config) -> Vec<String> {
    let form = Config::marian(config.src_vocab);
    let bias = |bias: Bias| bias != Bias::None;
    let mut found: Vec<String> = Vec::new();
    let mut say = |differs: bool, has: &str, wants: &str| {
        if differs {
            found.push(format!("{has} (Marian: {wants})"));
        }
    };
    say(
        config.norm_place != form.norm_place,
        "norms before each sublayer",
        "after each sum",
    );
    say(
        config.deviation != form.deviation,
        "norms by std over n − 1",
        "by the variance over n",
    );
    say(
        config.epsilon != form.epsilon,
        &format!("ε {}", config.epsilon),
        "1e-5",
    );
    say(
        !bias(config.projection_bias),
        "attention without bias",
        "a bias in each map",
    );
    say(
        !bias(config.feed_forward_bias),
        "feed-forward layers without bias",
        "a bias in each map",
    );
    say(
        !config.halves_of_the_papers_waves(),
        "other columns of positions",
        "sines, then cosines, of the paper's waves",
    );
    say(
        config.first_position != 0,
        "positions that begin later",
        "0",
    );
    say(
        config.tying != form.tying,
        "several tables of words",
        "one for source, target and output",
    );
    say(
        !bias(config.generator_bias),
        "logits without bias",
        "final_logits_bias",
    );
    say(
        config.shift != form.shift,
        "a shift of embeddings",
        "of ids",
    );
    say(
        config.start != form.start,
        "a start token of its own",
        "it begins with padding",
    );
    say(
        config.zero_padding,
        "padding of zeros",
        "padding with a vector",
    );
    found
}
