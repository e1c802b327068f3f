//! The usual mistake behind the compiler's commonest errors.

use super::Diagnostic;

/// Error codes, or none for warnings, with words of the message that tell the causes apart, and what to do. An empty code
/// is that of an error without one. The first row that fits is the cause.
const LIKELY: &[(&[&str], &[&str], &str)] = &[
    (
        &["E0382", "E0505"],
        &[],
        "An earlier line took this value, so it is gone. Hand `&x` to that line instead, or `x.clone()`, which is cheap \
         for a Var.",
    ),
    (
        &["E0507", "E0508"],
        &[],
        "You take a value out of a list or out of something borrowed. Borrow it, `&list[n]`, or take a copy of it with \
         `.clone()`.",
    ),
    (
        &["E0277", "E0369"],
        &["]: cannot ", "Var`"],
        "A Var has no operators. A number times a Var is `x.scale(0.9)`; two Vars are `a.add(&b)`, `a.sub(&b)`, `a.mul(&b)` \
         or `a.div(&b)`.",
    ),
    (
        &["E0308"],
        &["expected `&Var`, found `f32`"],
        "A number is not a Var. Multiply by it with `x.scale(n)`; to add it, put it on the tape: \
         `x.tape().constant(\"n\", Tensor::scalar(n), &[])`.",
    ),
    (
        &["E0308"],
        &["expected `&Var`, found `&Tensor`"],
        "A Tensor is not on the tape. Put it there: `x.tape().constant(\"name\", tensor, &[\"axis\", …])`.",
    ),
    (
        &["E0277"],
        &["`f32: Ord`"],
        "An f32 has no order, because of NaN. Fold instead: `.fold(f32::NEG_INFINITY, f32::max)`.",
    ),
    (
        &["E0070"],
        &[],
        "The cells of a tensor are read with `at`, and cannot be set. Make a new one with `Tensor::from_fn`.",
    ),
    (
        &["E0599"],
        &["field, not a method"],
        "A layer is not called like a function: `maps.w_1.forward(&x)`.",
    ),
    (
        &["E0599"],
        &["`matmul` found for", "`Tensor`"],
        "A Tensor has no matmul, a Var has. `exercise operations` lists the methods of both.",
    ),
    (
        &["E0308"],
        &["found `MultiHead`"],
        "Multi-head attention returns its weights too. Take the result alone: `.output`.",
    ),
    (
        &["E0308"],
        &["found `Option<"],
        "There may be nothing in it. Take it apart first: `match mask { Some(mask) => …, None => … }`.",
    ),
    (
        &[""],
        &["negative integers cannot be used to index"],
        "An index counts from the front. The last one is `shape[shape.len() - 1]`.",
    ),
    (
        &["E0614"],
        &["cannot be dereferenced"],
        "`**` is no power here. Write `x.powi(2)`.",
    ),
    (
        &["E0604", "E0606", "E0308"],
        &["`bool`"],
        "A condition is not a number. Write one for each answer: `if id == PAD { 0.0 } else { 1.0 }`.",
    ),
    (
        &["E0277"],
        &["{float}", "usize"],
        "Whole numbers and floating-point numbers don't mix. Convert the whole one: `n as f32`.",
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
        &["E0689"],
        &["ambiguous numeric type"],
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
        &["similar name"],
        "The name is not known here, and the compiler knows one like it. Take that if it is what you meant.",
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
        &["E0282", "E0283"],
        &[],
        "The compiler can't tell the type. Write it: `|x: f32|` or `.sum::<f32>()`.",
    ),
    (
        &["E0373"],
        &[],
        "The closure lives longer than what it borrows. Let it own that: `move |x| …`.",
    ),
    (
        &["E0594", "E0596"],
        &[],
        "You change something that was borrowed only to be read, or that is not `mut`. Write `let mut`, `&mut`, \
         `iter_mut()` or `last_mut()`; a closure that changes a variable is itself `let mut`.",
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
            let code = |code: &&str| match *code {
                "" => text.starts_with("error: "),
                code => text.starts_with(&format!("error[{code}]")),
            };
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
        let given = "pub struct Tensor; pub struct Map; pub struct Maps { pub w_1: Map } \
                     pub struct MultiHead { pub output: Var } pub fn heads() -> MultiHead { MultiHead { output: Var } } \
                     pub fn fill(_: &Var) -> Var { Var } #[derive(Clone)] pub struct Var; impl Var { \
                     #[must_use] pub fn scale(&self, _: f32) -> Var { Var } pub fn add(&self, _: &Var) -> Var { Var } \
                     pub fn shape(&self) -> Vec<usize> { vec![] } } \
                     pub fn zeros(_: &[usize]) -> Var { Var } pub fn take(_: Var) {}";
        let text = format!(
            "{given}\npub fn f(x: Var, n: usize, p: f64, maps: Maps, mask: Option<&Var>, all: &[Var], t: Tensor) -> Var {{ {body} }}\n"
        );
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
        let is_message = |part: &&str| part.starts_with("error") || part.contains("must be used");
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
            ("let y = 2.0.sqrt(); x.scale(y)", "2.0_f32"),
            ("zeros(&[n, p as f32])", "belongs here"),
            ("p * x", "no operators"),
            ("x / x.clone()", "no operators"),
            ("maps.w_1(&x)", "not called like a function"),
            ("t.matmul(&t); x", "has no matmul"),
            ("heads()", "`.output`"),
            ("fill(mask)", "Take it apart"),
            ("x.scale(x.shape()[-1] as f32)", "counts from the front"),
            ("let y = p ** 2; x.scale(y)", "powi"),
            ("x.scale((n == 2) as f32)", "not a number"),
            ("x.scale(n == 2)", "not a number"),
            ("x.scale(1.0 / n)", "don't mix"),
            ("all[0]", "out of a list"),
            ("fill(2.0f32)", "is not a Var"),
            ("fill(&t)", "on the tape"),
            ("let y = [1.0f32].into_iter().max(); x", "no order"),
            ("x.shape().len() = 1; x", "cannot be set"),
            ("let y = [n]; y[0] = 2; x", "let mut"),
            ("x.scale(pp as f32)", "like it"),
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
