//! The course of [transformer-tutor](https://crates.io/crates/transformer-tutor) as a WebAssembly module. `src/web` is its
//! source, and `build/web` compiles it.

/// The module, compressed with gzip.
pub const MODULE: &[u8] = include_bytes!("course.wasm.gz");

/// SHA-256 of the sources that it was compiled from.
pub const SOURCES: &str = include_str!("sources.sha256");

/// This package's files, by path from the project's root.
pub const FILES: [(&str, &[u8]); 4] = [
    ("assets/page/Cargo.toml", include_bytes!("Cargo.toml")),
    ("assets/page/lib.rs", include_bytes!("lib.rs")),
    ("assets/page/course.wasm.gz", MODULE),
    ("assets/page/sources.sha256", SOURCES.as_bytes()),
];
