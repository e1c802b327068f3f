//! The course of [transformer-tutor](https://crates.io/crates/transformer-tutor) as a WebAssembly module. `src/web` is its
//! source, and `build/web` compiles it.

/// The module, compressed with gzip.
pub const MODULE: &[u8] = include_bytes!("course.wasm.gz");

/// SHA-256 of the sources that it was compiled from.
pub const SOURCES: &str = include_str!("sources.sha256");
