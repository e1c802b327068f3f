//! The operations that learners write with: methods of the engine's types, read from its source.

use std::sync::LazyLock;

use serde::Deserialize;

use super::starter::{first_sentence, unlinked};
use crate::lesson::source::{Embedded, Files};

/// A type of the engine and its methods for learners.
#[derive(Deserialize)]
pub struct Type {
    /// Name of the type.
    pub name: String,
    /// What it is.
    pub about: String,
    /// Its module.
    pub module: String,
    /// Names of the methods, in the order shown. Those that do an exercise's whole work are left out.
    methods: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "type")]
    types: Vec<Type>,
}

/// The types of `operations.toml`, the most used first.
pub static TYPES: LazyLock<Vec<Type>> = LazyLock::new(|| {
    let file: Result<File, _> = toml::from_str(include_str!("operations.toml"));
    file.unwrap_or_else(|e| panic!("operations.toml: {e}"))
        .types
});

/// A method as learners call it.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// `.add(other: &Var) -> Var`
    pub call: String,
    /// The first sentence of its documentation.
    pub about: String,
}

impl Type {
    /// The methods for learners.
    pub fn operations(&self) -> impl Iterator<Item = Operation> {
        self.methods
            .iter()
            .filter_map(|method| self.operation(method))
    }

    /// The public method `name`; `None` if the type has none.
    fn operation(&self, name: &str) -> Option<Operation> {
        let paths = Embedded.paths().into_iter();
        let mut paths = paths.filter(|path| path.starts_with("src/engine/"));
        paths.find_map(|path| self.operation_in(Embedded.read(&path)?, name))
    }

    fn operation_in(&self, source: &str, name: &str) -> Option<Operation> {
        let head = format!("\nimpl {} {{\n", self.name);
        let blocks = source.split(&head).skip(1);
        let mut blocks = blocks.map(|block| block.split("\n}\n").next().unwrap_or(block));
        blocks.find_map(|block| {
            let (before, rest) = block.split_once(&format!("    pub fn {name}("))?;
            let signature = rest.split(" {\n").next()?;
            let signature: Vec<&str> = signature.split_whitespace().collect();
            Some(Operation {
                call: self.call(name, &signature.join(" ")),
                about: documentation(before),
            })
        })
    }

    /// The call of a method from its signature after the opening parenthesis.
    fn call(&self, name: &str, signature: &str) -> String {
        // A list over several lines ends with a comma; whether a parameter is mutable concerns only the body.
        let signature = signature.replace(", )", ")").replace(" mut ", " ");
        let signature = signature.trim_start().replace("Self", &self.name);
        let receivers = ["&mut self", "&self", "self"];
        let after = receivers.iter().find_map(|r| signature.strip_prefix(r));
        match after {
            Some(rest) => format!(".{name}({}", rest.trim_start_matches(", ")),
            None => format!("{}::{name}({signature}", self.name),
        }
    }
}

/// First sentence of the doc comment at the end of `source`.
fn documentation(source: &str) -> String {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let above = lines.iter().rev();
    let above = above.skip_while(|line| line.starts_with("#["));
    let comment = above.map_while(|line| line.strip_prefix("///"));
    let mut comment: Vec<&str> = comment.map(str::trim).collect();
    comment.reverse();
    let paragraph = comment.split(|line| line.is_empty()).next();
    let text = paragraph.unwrap_or_default().join(" ");
    unlinked(first_sentence(&text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::exercises;

    fn operation(of: &str, name: &str) -> Option<Operation> {
        TYPES.iter().find(|t| t.name == of)?.operation(name)
    }

    #[test]
    fn an_operation_is_shown_as_it_is_called_with_its_first_sentence() {
        let shown = |call: &str, about: &str| {
            Some(Operation {
                call: call.to_owned(),
                about: about.to_owned(),
            })
        };
        assert_eq!(
            operation("Var", "exp"),
            shown(".exp() -> Var", "e to the power of every cell.")
        );
        assert_eq!(
            operation("Tensor", "full"),
            shown(
                "Tensor::full(shape: &[usize], value: f32) -> Tensor",
                "A tensor whose cells are all `value`."
            )
        );
        assert_eq!(
            operation("Tape", "ids"),
            shown(
                ".ids(name: &str, value: Tensor, axes: &[&'static str]) -> Var",
                "Records token ids, as whole numbers."
            )
        );
        let from_fn = operation("Tensor", "from_fn").expect("there is one");
        assert_eq!(
            from_fn.call,
            "Tensor::from_fn(shape: &[usize], cell: impl FnMut(&[usize]) -> f32) -> Tensor"
        );
        assert_eq!(operation("Var", "gather"), None);
    }

    #[test]
    fn every_listed_method_exists_and_is_documented() {
        for of in &*TYPES {
            for name in &of.methods {
                let operation = of.operation(name);
                let operation = operation.unwrap_or_else(|| panic!("{}::{name}", of.name));
                assert!(operation.about.ends_with('.'), "{operation:?}");
            }
        }
    }

    #[test]
    fn every_method_that_the_guidance_of_an_exercise_names_is_listed() {
        for (_, _, exercise) in exercises() {
            let guidance = exercise.guidance();
            let called = guidance.split(['.', ':']).filter_map(|rest| {
                let (name, _) = rest.split_once('(')?;
                let identifier = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
                (identifier && !name.is_empty()).then_some(name)
            });
            for name in called {
                let of: Vec<&Type> = TYPES
                    .iter()
                    .filter(|of| of.operation(name).is_some())
                    .collect();
                let listed = of
                    .iter()
                    .any(|of| of.methods.iter().any(|method| method == name));
                assert!(of.is_empty() || listed, "{}: {name}", exercise.name);
            }
        }
    }
}
