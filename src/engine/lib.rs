//! The engine of [transformer-tutor]: a Transformer of which every number can be asked where it came from.
//!
//! Operations run on a [`Tape`](autograd::Tape), which records each result with its inputs. From the recorded steps
//! come the gradients and, for any single cell, the formula and the operands that gave it:
//!
//! ```
//! use tutor_engine::{autograd::Tape, nn::attention::attention, params::Params, tensor::Tensor};
//!
//! let tape = Tape::eval(&Params::default());
//! let two_tokens = Tensor::new(&[2, 2], vec![1.0, 0.0, 0.0, 1.0]);
//! let x = tape.input("x", two_tokens, &["token", "feature"]);
//! let attended = attention(&x, &x, &x, None, 0.0);
//!
//! // Each token attends mostly to itself.
//! let weights = attended.weights.value();
//! assert!((weights.at(&[0, 0]) - 0.67).abs() < 0.001);
//!
//! // Where does its first feature come from? From both tokens, by their weights.
//! let cell = tape.trace().explain(attended.context.id(), &[0, 0]);
//! let read: Vec<&str> = cell.terms.iter().map(|term| term.tensor.as_str()).collect();
//! assert!(read.contains(&"weights") && read.contains(&"x"));
//! assert_eq!(cell.value, attended.context.value().at(&[0, 0]));
//! ```
//!
//! The model is [`transformer::Transformer`]; [`train`] trains and [`decode`] translates with it.
//! [`BuiltIn`](train::built_in::BuiltIn) holds two trained translators. Results are the same to the last bit for any
//! number of threads.
//!
//! [transformer-tutor]: https://crates.io/crates/transformer-tutor

#![warn(missing_docs)]

#[cfg(any(
    all(feature = "blis", feature = "openblas"),
    all(feature = "blis", feature = "accelerate"),
    all(feature = "openblas", feature = "accelerate")
))]
compile_error!(
    "choose one BLAS: with --no-default-features, one of the features blis, openblas and accelerate"
);

/// Reverse-mode automatic differentiation and the tape that records a run.
pub mod autograd;
/// Corpora, batches, and files of weights.
pub mod data;
/// Decoding: from the trained model's probabilities to sentences.
pub mod decode;
/// The arithmetic language in which operations explain cells and lessons make claims.
pub mod expr;
/// The layers, one file each.
pub mod nn;
/// The operations, one file each.
pub mod ops;
/// The parameters of a model: one flat, named list.
pub mod params;
/// The shared array of f32 and its kernels, the only code that calls the BLAS.
pub mod tensor;
/// Assertions for the tests of all packages.
pub mod testing;
/// Text to token ids.
pub mod text;
/// The loss and the optimizer.
pub mod train;
/// The complete model.
pub mod transformer;

/// The source of this package, which lessons quote.
pub static SOURCE: include_dir::Dir<'_> = include_dir::include_dir!("$CARGO_MANIFEST_DIR");
