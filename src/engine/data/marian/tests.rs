use serde_json::{Value, json};

use super::*;
use crate::testing::assert_contains;

fn published() -> Value {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../../tests/fixtures/parity-marian/set-1/model/config.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_published_config_is_read_and_written_again() {
    let described = read(&published().to_string(), None).unwrap();
    let expected = Config {
        encoder_layers: Some(2),
        encoder_d_ff: Some(72),
        max_len: 128,
        dropout: 0.0,
        inner_dropout: Some(0.0),
        ..Config::marian(695).sized(3, 24, 48, 4)
    };
    assert_eq!(described.config, expected);
    assert_eq!(
        (described.words, described.pad, described.end),
        ([694; 2], 693, 0)
    );
    let ids = Ids::new(694, 693, 0, 1).unwrap();
    assert_eq!(
        read(&config_json(&described.config, [&ids; 2]), None).unwrap(),
        described
    );
}

/// Options of a `config.json` that are refused, and the reasons.
const REFUSED: &str = r#"model_type = "bert" → model_type is "bert"; of published models only "marian" is read
model_type = null → it does not say model_type
architectures = ["MarianModel"] → architectures is "MarianModel"
is_encoder_decoder = false → half a model
normalize_before = true → normalize_before is true; only models with normalize_before false are read
share_encoder_decoder_embeddings = "no" → share_encoder_decoder_embeddings is "no"; it must be true or false
tie_word_embeddings = 1 → tie_word_embeddings is 1; it must be true or false
decoder_vocab_size = 700 → vocab_size is 694 and decoder_vocab_size 700
decoder_start_token_id = 0 → decoder_start_token_id is 0 and pad_token_id 693
decoder_attention_heads = 2 → encoder_attention_heads is 4 and decoder_attention_heads 2
activation_function = "mish" → activation_function is "mish"; known are relu, gelu
encoder_layers = -1 → encoder_layers is -1; it must be a whole number
encoder_layers = 99999999 → layers is 99999999; it must be at most
vocab_size = 18446744073709551615 → vocab_size is
d_model = 25 → d_model 25 cannot be split among 4 heads
dropout = "much" → dropout is "much"; it must be a number"#;

#[test]
fn other_architectures_and_options_are_refused_by_name() {
    for row in REFUSED.lines() {
        let (option, says) = row.split_once(" → ").unwrap();
        let (name, value) = option.split_once(" = ").unwrap();
        let mut all = published();
        all[name] = serde_json::from_str(value).unwrap();
        assert_contains(
            &read(&all.to_string(), None).expect_err("it is refused"),
            says,
        );
    }
    for text in [
        "",
        "[]",
        "{\"model_type\": \"marian\"",
        "{}",
        "{\"model_type\": \"marian\"}",
    ] {
        assert!(read(text, None).is_err(), "{text}");
    }
}

#[test]
fn ids_that_the_config_lacks_are_those_of_the_generation_config() {
    let mut all = published();
    for name in ["pad_token_id", "eos_token_id", "decoder_start_token_id"] {
        all[name] = Value::Null;
    }
    let message = read(&all.to_string(), None).unwrap_err();
    assert_eq!(message, "it does not say pad_token_id");
    let generation =
        json!({"pad_token_id": 693, "eos_token_id": [0], "decoder_start_token_id": 693});
    let described = read(&all.to_string(), Some(&generation.to_string())).unwrap();
    assert_eq!((described.pad, described.end), (693, 0));
    let message = read(&all.to_string(), Some("[")).unwrap_err();
    assert!(message.starts_with("the generation_config.json beside it: it is not JSON"));
}

#[test]
fn separate_vocabularies_have_tables_of_their_own() {
    let mut all = published();
    all["share_encoder_decoder_embeddings"] = false.into();
    all["tie_word_embeddings"] = false.into();
    all["decoder_vocab_size"] = 700.into();
    let described = read(&all.to_string(), None).unwrap();
    assert_eq!(described.words, [694, 700]);
    let config = &described.config;
    assert_eq!((config.src_vocab, config.tgt_vocab), (695, 701));
    assert_eq!(config.tying, crate::transformer::config::Tying::None);
    all["decoder_vocab_size"] = 300.into();
    let message = read(&all.to_string(), None).unwrap_err();
    assert!(message.contains("with separate vocabularies it must be one of the decoder's"));
}

#[test]
fn tables_of_separate_vocabularies_go_there_and_back_in_their_own_order() {
    let config = Config {
        tying: crate::transformer::config::Tying::None,
        tgt_vocab: 6,
        ..Config::marian(8).sized(1, 4, 6, 2)
    };
    let mut params = Params::new(3);
    Transformer::new(&mut params, &config);
    let described = Described {
        config,
        words: [7, 5],
        ties: Ties {
            shared: false,
            tied: false,
        },
        pad: 4,
        end: 0,
    };
    let ids = [Ids::new(7, 4, 0, 1).unwrap(), Ids::new(5, 4, 0, 2).unwrap()];
    let ids = [&ids[0], &ids[1]];
    let exported = export(&described.config, &params, ids).unwrap();
    let shapes = exported.iter();
    let shapes = shapes.map(|(name, tensor)| (name.clone(), tensor.shape().to_vec()));
    belongs(&described, ids, &shapes.collect()).unwrap();
    assert_eq!(
        exported["model.encoder.embed_tokens.weight"].shape(),
        [7, 4]
    );
    assert_eq!(exported["lm_head.weight"].shape(), [5, 4]);
    // The names of a module in parallel begin with a prefix.
    let prefixed = exported.iter();
    let prefixed = prefixed.map(|(name, tensor)| (format!("module.{name}"), tensor.clone()));
    let (_, back) = import(&described, ids, prefixed.collect()).unwrap();
    assert_eq!(export(&described.config, &back, ids).unwrap(), exported);
}

#[test]
fn names_are_those_of_transformers() {
    for (ours, theirs) in [
        ("embed.table", "model.shared.weight"),
        ("generator.proj.bias", "final_logits_bias"),
        (
            "encoder.layers.0.self_attn.query.weight",
            "model.encoder.layers.0.self_attn.q_proj.weight",
        ),
        (
            "encoder.layers.1.sublayer.1.norm.scale",
            "model.encoder.layers.1.final_layer_norm.weight",
        ),
        (
            "decoder.layers.0.src_attn.output.bias",
            "model.decoder.layers.0.encoder_attn.out_proj.bias",
        ),
        (
            "decoder.layers.2.sublayer.1.norm.bias",
            "model.decoder.layers.2.encoder_attn_layer_norm.bias",
        ),
        (
            "decoder.layers.2.sublayer.2.norm.bias",
            "model.decoder.layers.2.final_layer_norm.bias",
        ),
        (
            "decoder.layers.2.feed_forward.w_1.weight",
            "model.decoder.layers.2.fc1.weight",
        ),
    ] {
        assert_eq!(name(ours), theirs);
    }
}

fn small() -> (Described, Ids, Params) {
    let config = Config {
        encoder_layers: Some(1),
        encoder_d_ff: Some(6),
        ..Config::marian(8).sized(2, 4, 10, 2)
    };
    let mut params = Params::new(3);
    Transformer::new(&mut params, &config);
    let described = Described {
        config,
        words: [7; 2],
        ties: Ties {
            shared: true,
            tied: true,
        },
        pad: 6,
        end: 0,
    };
    (described, Ids::new(7, 6, 0, 1).unwrap(), params)
}

#[test]
fn weights_exported_and_read_again_are_the_same_to_the_bit() {
    let (described, ids, params) = small();
    let exported = export(&described.config, &params, [&ids; 2]).unwrap();
    assert_eq!(exported[SHARED].shape(), [7, 4]);
    assert_eq!(exported[LOGITS_BIAS].shape(), [1, 7]);
    let (_, back) = import(&described, [&ids; 2], exported.clone()).unwrap();
    assert_eq!(
        export(&described.config, &back, [&ids; 2]).unwrap(),
        exported
    );
    // Everything comes back except the row of the start token, which Marian lacks.
    for (param, name, tensor) in params.iter() {
        let (one, other) = (tensor.data(), back.get(param).data());
        match name {
            "embed.table" => {
                assert_eq!((&one[..4], &one[8..]), (&other[..4], &other[8..]));
                assert_eq!(other[4..8], [0.0; 4]);
            }
            "generator.proj.bias" => assert_eq!(other[BOS], NEVER),
            _ => assert_eq!(one, other, "{name}"),
        }
    }
}

#[test]
fn copies_of_the_table_must_be_the_table_and_positions_the_computed_ones() {
    let (described, ids, params) = small();
    let exported = export(&described.config, &params, [&ids; 2]).unwrap();
    let with = |name: &str, tensor: Tensor| {
        let mut all = exported.clone();
        all.insert(name.to_owned(), tensor);
        import(&described, [&ids; 2], all)
            .err()
            .map(|e| e.to_string())
    };
    assert_eq!(with("lm_head.weight", exported[SHARED].clone()), None);
    let message = with("lm_head.weight", exported[SHARED].map(|x| x + 1.0)).unwrap();
    assert_contains(&message, "lm_head.weight differs from model.shared.weight");
    let table = described.config.position_table(described.config.max_len);
    let name = "model.encoder.embed_positions.weight";
    assert_eq!(with(name, table.clone()), None);
    let message = with(name, table.map(|x| -x)).unwrap();
    assert_contains(
        &message,
        "embed_positions.weight is not Marian's position table",
    );
    let message = with("model.pooler.weight", Tensor::zeros(&[1])).unwrap();
    assert_contains(
        &message,
        "model.pooler.weight is not a tensor of this model",
    );
    let mut nan = exported[SHARED].clone();
    nan.data_mut()[6 * 4 + 1] = f32::NAN;
    assert_contains(
        &with(SHARED, nan).unwrap(),
        "model.shared.weight holds NaN at [6, 1]",
    );
    let message = with(SHARED, Tensor::zeros(&[7, 6])).unwrap();
    assert_contains(
        &message,
        "the tensor model.shared.weight is [7, 6] and must be [7, 4]",
    );
}

#[test]
fn a_model_of_another_form_is_refused_with_the_options_that_differ() {
    let config = Config::annotated(8, 8).sized(1, 4, 6, 2);
    let mut params = Params::new(3);
    Transformer::new(&mut params, &config);
    let ids = Ids::new(7, 6, 0, 1).unwrap();
    let message = export(&config, &params, [&ids; 2]).unwrap_err().to_string();
    for option in [
        "norms before each sublayer (Marian: after each sum)",
        "ε 0.000001 (Marian: 1e-5)",
        "a start token of its own",
    ] {
        assert!(message.contains(option), "{message}");
    }
    assert_eq!(differences(&Config::marian(8)), [""; 0]);
}
