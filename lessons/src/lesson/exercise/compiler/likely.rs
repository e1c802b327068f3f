//! The usual mistake behind the compiler's commonest errors.

use super::Diagnostic;

/// Error codes, or none for warnings, with words of the message that tell the causes apart, and what to do. The first row
/// that fits is the cause.
const LIKELY: [(&[&str], &[&str], &str); 19] = [
    (
        &["E0382", "E0507", "E0505"],
        &[],
        "An earlier line took this value, so it is gone. Hand `&x` to that line instead, or `x.clone()`, which is cheap \
         for a Var.",
    ),
    (
        &["E0308", "E0277"],
        &["`f32`", "`f64`"],
        "Rust never mixes f32 and f64. Convert one of the two: `x as f32` or `x as f64`.",
    ),
    (
        &["E0308", "E0277", "E0600"],
        &["`usize`", "negat"],
        "A usize has no sign. Convert it first, `n as f32` or `n as i32`, or turn the difference round.",
    ),
    (
        &["E0600"],
        &["`usize`"],
        "A usize has no sign. Convert it first, `n as f32` or `n as i32`, or turn the difference round.",
    ),
    (
        &["E0599"],
        &["method named", "for type `usize`"],
        "A whole number has no root, power or logarithm. Convert it first: `(n as f32).sqrt()`.",
    ),
    (
        &["E0599"],
        &["method named", "ambiguous numeric type"],
        "Write the type behind the number: `2.0_f32.sqrt()`.",
    ),
    (
        &["E0308"],
        &["expected `usize`, found `f32`"],
        "A whole number belongs here, and yours is an f32. Leave `as f32` out, or write `as usize` behind it.",
    ),
    (
        &["E0308"],
        &["expected `usize`, found `f64`"],
        "A whole number belongs here, and yours is an f64. Leave `as f64` out, or write `as usize` behind it.",
    ),
    (
        &["E0308", "E0277"],
        &["`usize`", "`f32`"],
        "Whole numbers and floating-point numbers don't mix. Convert the whole one: `n as f32`.",
    ),
    (
        &["E0308", "E0277"],
        &["`usize`", "`f64`"],
        "Whole numbers and floating-point numbers don't mix. Convert the whole one: `n as f64`.",
    ),
    (
        &["E0609"],
        &["no field `0`"],
        "A shape is a list, not a tuple: `shape[0]`, not `shape.0`.",
    ),
    (
        &["E0308"],
        &["found `()`"],
        "The function returns nothing, because its last line ends with a semicolon or is missing. Its last line is the \
         result, without a semicolon.",
    ),
    (
        &["E0308"],
        &["expected", "usize", "found `("],
        "A shape is a list, not a tuple: write `&[a, b]`, and read `shape[0]`.",
    ),
    (
        &["E0308"],
        &["consider borrowing here"],
        "An `&` is missing: the function takes a reference, `&x`.",
    ),
    (
        &["E0308"],
        &["because of return type"],
        "The last line has another type than the signature promises. Compare it with what stands behind `->`.",
    ),
    (
        &["E0425", "E0433", "E0412", "E0432", "E0422"],
        &[],
        "The name is not known here. Is it spelt as in the task, and is its `use` line still at the top of the file?",
    ),
    (
        &["E0061", "E0107"],
        &[],
        "The call has too many or too few arguments. `exercise operations` lists each call with its arguments.",
    ),
    (
        &["E0282", "E0283", "E0373", "E0596"],
        &[],
        "The compiler can't tell the type or the owner. Write the type, `|x: f32|` or `.sum::<f32>()`; a closure that \
         changes a variable is itself `let mut`.",
    ),
    (
        &[],
        &["unused", "must be used"],
        "Operations change nothing: they return a new tensor. Keep it: `let y = x.scale(2.0);`.",
    ),
];

impl Diagnostic {
    /// The usual mistake behind the message, if it is one of the commonest.
    pub fn likely(&self) -> Option<&'static str> {
        let text = &self.rendered;
        let row = LIKELY.iter().find(|(codes, words, _)| {
            let code = |code: &&str| text.starts_with(&format!("error[{code}]"));
            let fits = if codes.is_empty() {
                !self.error
            } else {
                codes.iter().any(code)
            };
            fits && words.iter().all(|word| text.contains(word))
        });
        row.map(|(_, _, says)| *says)
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// What the compiler says of a function's body.
    fn refused(body: &str) -> Diagnostic {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("learner.rs");
        let given = "#[derive(Clone)] pub struct Var; impl Var { \
                     #[must_use] pub fn scale(&self, _: f32) -> Var { Var } pub fn add(&self, _: &Var) -> Var { Var } \
                     pub fn shape(&self) -> Vec<usize> { vec![] } } \
                     pub fn zeros(_: &[usize]) -> Var { Var } pub fn take(_: Var) {}";
        let text = format!("{given}\npub fn f(x: Var, n: usize, p: f64) -> Var {{ {body} }}\n");
        std::fs::write(&file, text).expect("a file");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(rustc)
            .args([
                "--edition",
                "2024",
                "--crate-type",
                "lib",
                "--emit",
                "metadata",
            ])
            .arg("--out-dir")
            .arg(folder.path())
            .arg(&file)
            .output()
            .expect("the compiler starts");
        let text = String::from_utf8_lossy(&output.stderr);
        let is_message = |part: &&str| part.starts_with("error[") || part.contains("must be used");
        let first = text.split("\n\n").find(is_message);
        let rendered = first.unwrap_or_else(|| panic!("{body}: {text}")).to_owned();
        Diagnostic {
            error: rendered.starts_with("error"),
            message: String::new(),
            place: None,
            rendered,
        }
    }

    #[test]
    fn the_commonest_errors_have_their_likely_cause() {
        for (body, words) in [
            ("take(x); x.scale(1.0)", "took this value"),
            ("let y = x.scale(1.0); x.add(y)", "An `&` is missing"),
            ("x.scale(p)", "never mixes"),
            ("let y = 2.0f32 * p; x.scale(y)", "never mixes"),
            ("let y = -n; x.scale(y as f32)", "no sign"),
            ("let y = n * 0.5f32; x.scale(y)", "don't mix"),
            ("x.scale(n.sqrt())", "has no root"),
            ("x.scale(2.0.sqrt())", "2.0_f32"),
            ("zeros(&[2.5f32, p as f32])", "belongs here"),
            ("x.scale(1.0);", "without a semicolon"),
            ("n", "promises"),
            ("x.scale(1.0); x", "return a new tensor"),
            ("x.scale(root(n))", "not known here"),
            ("x.scale()", "too many or too few"),
            ("zeros((n, n))", "not a tuple"),
            ("let n = x.shape().0; x.scale(n)", "not a tuple"),
            ("let f = |a| a; x", "can't tell the type"),
        ] {
            let diagnostic = refused(body);
            let likely = diagnostic.likely().unwrap_or_default();
            assert!(
                likely.contains(words),
                "{body}: {likely}\n{}",
                diagnostic.rendered
            );
        }
    }
}
