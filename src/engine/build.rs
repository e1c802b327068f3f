//! Tells the build script of the program where the engine's source is, which lessons quote.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let source = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::metadata=source={source}");
}
