//! The German-to-English translators and the corpus that come with [transformer-tutor], as bytes.
//!
//! Weights are 8-bit safetensors, and tokenizers are JSON; the engine (`transformer-tutor-engine`) reads both. The
//! everyday translator's [`PATTERNS`] and [`NAMES`] are the sentences with blanks, and the words for the blanks, that
//! it was trained with beside its corpus. `everyday/NOTICE` credits that corpus.
//!
//! ```
//! let model = tutor_models::everyday();
//! let header = u64::from_le_bytes(model.weights[..8].try_into().unwrap()) as usize;
//! let header = std::str::from_utf8(&model.weights[8..8 + header]).unwrap();
//! assert!(header.contains("\"decoder.layers.0.self_attn.key.bias\""));
//! ```
//!
//! [transformer-tutor]: https://crates.io/crates/transformer-tutor

/// One translator's files.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Folder in the project.
    pub folder: &'static str,
    /// Contents of `model.safetensors`.
    pub weights: &'static [u8],
    /// Contents of `tokenizer.json`.
    pub tokenizer: &'static str,
}

/// Everyday sentences of any kind; a model of Marian's form.
pub fn everyday() -> Model {
    Model {
        folder: "assets/everyday",
        weights: weights(),
        tokenizer: tokenizer(),
    }
}

fn tokenizer() -> &'static str {
    #[cfg(target_family = "wasm")]
    if let Some(text) = TOKENIZER.get() {
        return text;
    }
    include_str!("everyday/tokenizer.json")
}

/// The tokenizer of [`everyday`], if the page has weights of its own.
#[cfg(target_family = "wasm")]
pub static TOKENIZER: std::sync::OnceLock<&'static str> = std::sync::OnceLock::new();

#[cfg(not(target_family = "wasm"))]
fn weights() -> &'static [u8] {
    include_bytes!("everyday/model.safetensors")
}

/// The weights of [`everyday`], which a page loads on their own and sets before it asks for anything.
#[cfg(target_family = "wasm")]
pub static WEIGHTS: std::sync::OnceLock<&'static [u8]> = std::sync::OnceLock::new();

#[cfg(target_family = "wasm")]
fn weights() -> &'static [u8] {
    WEIGHTS.get().expect("the page has set the weights")
}

/// A phrasebook of 898 German words, whose true word alignment is known.
pub const PHRASEBOOK: Model = Model {
    folder: "assets/phrasebook",
    weights: include_bytes!("phrasebook/model.safetensors"),
    tokenizer: include_str!("phrasebook/tokenizer.json"),
};

/// The German words of the phrasebook's sentences, each with the English words that translate it, one a line.
pub const WORDS: &str = include_str!("phrasebook/words.txt");

/// The phrasebook's pairs of sentences with their word alignments: for each part of the corpus its file's path in the
/// project, and the file. The engine's `text::phrasebook` says how they are written.
pub const PAIRS: [(&str, &[u8]); 5] = [
    (
        "assets/phrasebook/train.gz",
        include_bytes!("phrasebook/train.gz"),
    ),
    (
        "assets/phrasebook/valid.gz",
        include_bytes!("phrasebook/valid.gz"),
    ),
    (
        "assets/phrasebook/held-out.gz",
        include_bytes!("phrasebook/held-out.gz"),
    ),
    (
        "assets/phrasebook/hard.gz",
        include_bytes!("phrasebook/hard.gz"),
    ),
    (
        "assets/phrasebook/tour.gz",
        include_bytes!("phrasebook/tour.gz"),
    ),
];

/// Pairs of German and English sentences with blanks, one pair a line.
pub const PATTERNS: &str = include_str!("everyday/patterns.txt");

/// Words for the blanks of [`PATTERNS`], as TOML.
pub const NAMES: &str = include_str!("everyday/names.toml");

/// Sources and licences of the sentences that [`everyday`] was trained with.
pub const NOTICE: &str = include_str!("everyday/NOTICE");

/// This package's files, by path from the project's root: all that compiling it needs.
pub fn files() -> impl Iterator<Item = (String, &'static [u8])> {
    let own = [
        ("assets/Cargo.toml", include_str!("Cargo.toml")),
        ("assets/lib.rs", include_str!("lib.rs")),
        ("assets/phrasebook/words.txt", WORDS),
        ("assets/everyday/patterns.txt", PATTERNS),
        ("assets/everyday/names.toml", NAMES),
        ("assets/everyday/NOTICE", NOTICE),
    ];
    let own = own.map(|(path, text)| (path.to_owned(), text.as_bytes()));
    let models = [everyday(), PHRASEBOOK].into_iter().flat_map(|model| {
        let at = |name: &str| format!("{}/{name}", model.folder);
        [
            (at("model.safetensors"), model.weights),
            (at("tokenizer.json"), model.tokenizer.as_bytes()),
        ]
    });
    let pairs = PAIRS.map(|(path, pairs)| (path.to_owned(), pairs));
    own.into_iter().chain(models).chain(pairs)
}
