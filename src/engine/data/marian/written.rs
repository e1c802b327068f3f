//! Writing the `config.json` and `generation_config.json` of a Marian model, and the options in which a model differs
//! from Marian's form.

use serde_json::json;

use super::config::ACTIVATIONS;
use crate::nn::linear::Bias;
use crate::text::marian::Ids;
use crate::text::vocabulary::{EOS, PAD};
use crate::transformer::Config;
use crate::transformer::config::Tying;

/// `config.json` of a model in Marian's form.
pub fn config_json(config: &Config, [ids, target]: [&Ids; 2]) -> String {
    let activation = ACTIVATIONS
        .iter()
        .find(|(_, known)| *known == config.activation);
    let (words, pad, end) = (
        ids.len() - 1,
        ids.theirs(PAD as u32),
        ids.theirs(EOS as u32),
    );
    let one = config.tying == Tying::All;
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
        "decoder_vocab_size": target.len() - 1,
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
        "share_encoder_decoder_embeddings": one,
        "static_position_embeddings": true,
        "tie_word_embeddings": one,
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
    let mut lines: Vec<String> = Vec::new();
    let mut say = |differs: bool, has: &str, wants: &str| {
        if differs {
            lines.push(format!("{has} (Marian: {wants})"));
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
    lines
}
