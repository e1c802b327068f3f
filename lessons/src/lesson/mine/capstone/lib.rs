//! A Transformer from an empty file: README.md says what the tests call.
