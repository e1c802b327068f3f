//! The test targets of the exercises, one for each file in `exercises/`. Cargo wants a library or a program in every
//! package, so this one is empty.
