//! Writing the folder of a Marian model.

use serde_json::{Value, json};

use super::words::LANGUAGES;
use super::{CONFIG, GENERATION, PIECES, TOKENIZER, VOCABULARIES, WEIGHTS};
use crate::data::marian;
use crate::data::safetensors::{self, NamedTensors};
use crate::data::weights::WeightsError;
use crate::text::pipeline::{Pipeline, Side};
use crate::text::published::vocab_json;
use crate::text::spelling::replacements;
use crate::train::translator::Translator;

/// Returns the files of a model, for `transformers` to load. Fails if the model does not have Marian's form, or if its
/// text is not cut by SentencePiece.
pub fn files(translator: &Translator) -> Result<Vec<(&'static str, Vec<u8>)>, WeightsError> {
    let (config, pipeline) = (&translator.model.config, &translator.pipeline);
    let parts = |side: &Side| Some((side.pieces.clone()?, vocab_json(side)?));

    let ids = [&pipeline.source, &pipeline.target].map(|side| side.ids.as_deref());
    let ([Some(ids), Some(target_ids)], Some(source), Some(target)) =
        (ids, parts(&pipeline.source), parts(&pipeline.target))
    else {
        return Err(without_pieces(translator));
    };
    let both = [ids, target_ids];
    let tensors = marian::export(config, &translator.params, both)?;
    let weights = NamedTensors {
        // transformers requires this entry.
        metadata: [("format".to_owned(), "pt".to_owned())].into(),
        tensors,
    };
    let mut files = vec![
        (CONFIG, marian::config_json(config, both).into_bytes()),
        (
            GENERATION,
            marian::generation_json(config, ids).into_bytes(),
        ),
        (VOCABULARIES[0], source.1.into_bytes()),
        (
            PIECES[0],
            source.0.for_others(|| replacements(|c| source.0.weight(c))),
        ),
        (PIECES[1], target.0.bytes().to_vec()),
        (
            TOKENIZER,
            format!("{:#}\n", tokenizer(pipeline, config.max_len)).into_bytes(),
        ),
        (WEIGHTS[0], safetensors::to_bytes(&weights)),
    ];
    if pipeline.is_separate() {
        files.insert(3, (VOCABULARIES[1], target.1.into_bytes()));
    }
    Ok(files)
}

fn without_pieces(translator: &Translator) -> WeightsError {
    let differs = marian::differences(&translator.model.config);
    let form = if differs.is_empty() {
        String::new()
    } else {
        format!(", and it has {}", differs.join("; "))
    };
    WeightsError::Form(format!(
        "this model is not of Marian's form: its text is not cut by SentencePiece{form}"
    ))
}

/// Contents of `tokenizer_config.json`.
fn tokenizer(pipeline: &Pipeline, max_len: usize) -> Value {
    let mut tokenizer = json!({
        "model_max_length": max_len,
        "separate_vocabs": pipeline.is_separate(),
        "tokenizer_class": "MarianTokenizer",
    });
    for (key, side) in LANGUAGES.iter().zip([&pipeline.source, &pipeline.target]) {
        if let Some(language) = &side.language {
            tokenizer[*key] = language.as_str().into();
        }
    }
    if let Some(ids) = &pipeline.source.ids
        && !pipeline.source.added.is_empty()
    {
        let added = pipeline.source.added.iter().map(|token| {
            let our = pipeline.source.vocabulary.id(&token.text) as u32;
            let entry = json!({
                "content": token.text, "lstrip": token.lstrip, "normalized": !token.special,
                "rstrip": token.rstrip, "single_word": false, "special": token.special,
            });
            (ids.theirs(our).to_string(), entry)
        });
        tokenizer["added_tokens_decoder"] = added.collect();
    }
    tokenizer
}
