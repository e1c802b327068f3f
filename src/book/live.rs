//! The translator in the page: a box in which readers type a sentence, the scripts that translate it, and the weights
//! as a script, because a page that is opened as a file can load nothing else.

use std::fmt::Write as _;

use anyhow::{anyhow, ensure};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Pages, SCRIPTS, STYLE, formulas};
use crate::curriculum::LESSONS;
use crate::data::{marian, weights};
use crate::nn::activation::Activation;
use crate::text::pipeline::Side;
use crate::text::placeholder;
use crate::text::remarks::frequent;
use crate::text::tokenize::{Language, abbreviations};
use crate::train::built_in::BuiltIn;
use crate::train::checkpoint::Translator;
use crate::widgets::svg::escape;

const TEXT: &str = include_str!("../../book/theme/text.js");
const ENGINE: &str = include_str!("../../book/theme/live.js");
const PLAYGROUND: &str = include_str!("../../book/theme/playground.js");
const MOTION: &str = include_str!("../../book/theme/motion.js");
const MAP: &str = include_str!("../../book/theme/map.js");
const COURSE: [(&str, &str); 3] = [
    (
        "src/course.html",
        include_str!("../../book/theme/course.html"),
    ),
    (
        "src/course.css",
        include_str!("../../book/theme/course.css"),
    ),
    (
        "src/live/course.js",
        include_str!("../../book/theme/course.js"),
    ),
];
const CHAPTER: &str = include_str!("../../book/playground.md");

/// German sentences to begin with.
const EXAMPLES: [&str; 4] = [
    "Der kleine Hund schläft im Garten.",
    "Ich habe keine Zeit.",
    "Weil es regnet, bleiben wir zu Hause.",
    "Wo ist der Bahnhof?",
];

/// The scripts, by their paths in the book's folder. mdBook copies them as they are, so that their names stay known.
pub fn files() -> Pages {
    let translator = BuiltIn::Everyday.translator();
    let model = script(translator, BuiltIn::Everyday.files().weights);
    let module = format!("courseModule = \"{}\";\n", base64(tutor_page::MODULE));
    let course = COURSE.map(|(name, text)| (name, text.to_owned()));
    let scripts = [
        ("src/live/course-module.js", module),
        ("src/live/text.js", TEXT.to_owned()),
        ("src/live/live.js", ENGINE.to_owned()),
        ("src/live/playground.js", PLAYGROUND.to_owned()),
        ("src/live/motion.js", MOTION.to_owned()),
        ("src/live/map.js", MAP.to_owned()),
        ("src/live/everyday.js", model),
    ];
    let all = course.into_iter().chain(scripts);
    all.map(|(name, text)| (name.to_owned(), text.into_bytes()))
        .collect()
}

/// A script that defines `tutorModel`: the pieces with their scores, the abbreviations and frequent words of the source
/// language (`null` unless texts in it are split into sentences), and the bytes of the 8-bit weights in base64.
fn script(translator: &Translator, weights: &[u8]) -> String {
    let source = &translator.pipeline.source;
    let pieces = source.pieces.as_ref().map(|pieces| pieces.scored());
    let language = language(source).filter(|language| *language == Language::German);
    let abbreviations = language.map(|language| abbreviations(language).collect::<Vec<_>>());
    let placeholders = translator
        .pipeline
        .source
        .hides()
        .then(placeholder::pattern);
    let frequent = language.map(|reads| {
        let ([own, other, either], seems) = (frequent(reads), Language::English.name());
        json!({ "reads": reads.name(), "seems": seems, "own": own, "other": other, "either": either })
    });
    format!(
        "globalThis.tutorModel = {{\"abbreviations\":{},\"placeholders\":{},\"frequent\":{},\"pieces\":{},\"weights\":\"{}\"}};\n",
        inline(&abbreviations),
        inline(&placeholders),
        inline(&frequent),
        inline(&pieces),
        base64(weights)
    )
}

fn language(side: &Side) -> Option<Language> {
    side.language.as_deref().and_then(Language::of_code)
}

/// JSON that can be part of a page: no text in it ends a script. It is plain ASCII, because browsers read a script of
/// several megabytes in half the time if all of it is.
fn inline(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("plain data");
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() && c != '<' {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

/// Base64 (RFC 4648, section 4) of `bytes`.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |n: usize| u32::from(group.get(n).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let six = bits >> (18 - 6 * digit) & 63;
            out.push(if digit <= group.len() {
                DIGITS[six as usize].into()
            } else {
                '='
            });
        }
    }
    out
}

/// The box in a chapter, which its script fills; without JavaScript it tells how to translate with the program.
pub fn html() -> String {
    let without = "<p class=\"tt-static\">This page translates while JavaScript is on. The program does it too: \
                   <code>transformer-tutor translate 'Wo ist der Bahnhof?'</code></p>";
    let german = Some(Language::German);
    format!(
        "{}\n<script src=\"live/text.js\" defer></script><script src=\"live/live.js\" defer></script><script src=\"live/playground.js\" defer></script>\n",
        of_language(without, german, None)
    )
}

/// A box with `content`, for a model that reads `language`, with the sentence to begin with if one is given.
fn of_language(content: &str, language: Option<Language>, sentence: Option<&str>) -> String {
    let mistakes = LESSONS[0].mistakes.iter();
    let mistakes = mistakes.map(|mistake| json!({ "name": mistake.name, "title": mistake.title }));
    let (label, code) = match language {
        Some(Language::German) => ("A German sentence", Some("de")),
        Some(Language::English) => ("An English sentence", Some("en")),
        None => ("A sentence", None),
    };
    let examples: &[&str] = match language {
        Some(Language::German) => &EXAMPLES,
        _ => &[],
    };
    let language_json = json!({
        "mistakes": Value::from_iter(mistakes),
        "label": label,
        "language": code,
        "examples": examples,
        "sentence": sentence,
    });
    format!(
        "<div class=\"tt tt-live\">{content}<script type=\"application/json\" class=\"tt-given\">{}</script></div>",
        inline(&language_json)
    )
}

/// The playground chapter.
pub fn chapter() -> anyhow::Result<String> {
    let text = CHAPTER.replace("{{live}}", &html());
    formulas::as_mathml(&text).map_err(|e| anyhow!("book/playground.md: {e}"))
}

/// A page on which a model, described by `about`, translates: one file that loads nothing. Its weights are rounded to
/// 8 bits. Returns an error if the page's engine cannot run the model.
pub fn page(
    translator: &Translator,
    about: &str,
    sentence: Option<&str>,
) -> anyhow::Result<String> {
    can_run(translator)?;
    let tokenizer = translator.pipeline.to_json();
    let weights = weights::packed(&translator.model.config, &translator.params, &tokenizer);
    // The font of formulas is a file of the book.
    let style = STYLE.lines().filter(|line| !line.starts_with("@font-face"));
    let style = style.collect::<Vec<_>>().join("\n");
    let without = "<noscript>This page translates while JavaScript is on.</noscript>";
    let language = language(&translator.pipeline.source);
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Translate with {about}</title>\n\
         <style>\n{style}\n\
         body {{ margin: 0 auto; padding: 0 1em; max-width: 60em; font-family: system-ui, sans-serif; line-height: 1.5; \
         background: var(--tt-paper); color: var(--tt-ink); }}\n</style>\n</head>\n<body>\n<main>\n\
         <h1>Translate with {about}</h1>\n{}\n</main>\n<script>\n{}{figures}{TEXT}{ENGINE}{PLAYGROUND}</script>\n</body>\n</html>\n",
        of_language(without, language, sentence),
        script(translator, &weights),
        about = escape(about),
        figures = SCRIPTS.map(|(_, script)| script).concat(),
    ))
}

/// Returns an error that says why the page's engine cannot run a model, if it cannot.
fn can_run(translator: &Translator) -> anyhow::Result<()> {
    let config = &translator.model.config;
    let mut reasons = marian::differences(config);
    if !matches!(config.activation, Activation::Relu | Activation::Silu) {
        reasons.push("an activation function other than ReLU and SiLU".to_owned());
    }
    let (source, target) = (&translator.pipeline.source, &translator.pipeline.target);
    let bytes = |side: &Side| side.pieces.as_ref().map(|pieces| pieces.bytes().to_vec());
    match &source.pieces {
        None => reasons.push("tokens that are not pieces of a unigram model".to_owned()),
        Some(pieces) if pieces.changes() => {
            reasons.push("pieces that come with a normalisation of their own".to_owned());
        }
        Some(_) if bytes(source) != bytes(target) => {
            reasons.push("different pieces for source and target".to_owned());
        }
        Some(_) => {}
    }
    ensure!(
        reasons.is_empty(),
        "a page can run models that were trained as the preset everyday does, and this one has {}",
        reasons.join(", ")
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let examples = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let coded = examples.map(|text| base64(text.as_bytes()));
        assert_eq!(
            coded,
            [
                "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"
            ]
        );
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }

    #[test]
    fn a_page_is_one_file_and_a_model_that_it_cannot_run_is_refused() {
        let everyday = BuiltIn::Everyday.translator();
        let page = page(everyday, "a <model>", Some("</script>")).unwrap();
        assert!(page.contains("<h1>Translate with a &lt;model&gt;</h1>"));
        assert!(page.contains("\"sentence\":\"\\u003c/script>\""));
        for loads in ["src=", "href=", "url(", "@import"] {
            assert!(
                !page.split("<script>").next().unwrap().contains(loads),
                "{loads}"
            );
        }
        assert_eq!(page.matches("</script>").count(), 2);
        let refused = super::page(BuiltIn::Phrasebook.translator(), "", None).unwrap_err();
        assert!(
            refused
                .to_string()
                .contains("tokens that are not pieces of a unigram model"),
            "{refused}"
        );
    }
}
