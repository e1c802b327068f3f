//! Compiler messages, extracted from cargo's JSON for display.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::typeset::sanitize::clean;

mod likely;

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// True if it is an error rather than a warning.
    pub error: bool,
    /// The message, on one line.
    pub message: String,
    /// Source location, `exercises/attention.rs:12:5`, which terminals and editors open on a click.
    pub place: Option<String>,
    /// The full message as formatted by rustc, without colour.
    pub rendered: String,
}

impl Diagnostic {
    /// True if it is in the learner's own file rather than in the code that calls it.
    pub fn is_own(&self) -> bool {
        self.place.as_ref().is_some_and(|p| p.starts_with(FOLDER))
    }
}

const FOLDER: &str = "exercises/";

/// Result of building one test target.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Build {
    /// Path of the program, if it was built.
    pub executable: Option<PathBuf>,
    /// Errors in the learner's target, in order of their lines.
    pub errors: Vec<Diagnostic>,
    /// Warnings in the learner's file.
    pub warnings: Vec<Diagnostic>,
    /// Errors anywhere else, which mean that the project itself does not build.
    pub elsewhere: Vec<Diagnostic>,
}

#[derive(Deserialize)]
struct Line {
    reason: String,
    target: Option<Target>,
    message: Option<Message>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Message {
    message: String,
    level: String,
    spans: Vec<Span>,
    rendered: Option<String>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    line_start: usize,
    column_start: usize,
    is_primary: bool,
}

/// Parses what `cargo test --no-run --message-format=json` printed about the test target `name`. Lines that are not
/// from cargo are skipped.
pub fn read(name: &str, output: &str) -> Build {
    let mut build = Build::default();
    let mut errors = Vec::new();
    for line in lines(output) {
        let own = line
            .target
            .is_some_and(|target| target.name == name && target.kind.iter().any(|k| k == "test"));
        match (line.reason.as_str(), line.message) {
            ("compiler-artifact", _) if own => build.executable = line.executable,
            ("compiler-message", Some(message)) => {
                let Some((order, diagnostic)) = diagnostic(message) else {
                    continue;
                };
                match (own, diagnostic.error) {
                    (true, true) => errors.push((order, diagnostic)),
                    (true, false) if diagnostic.is_own() => build.warnings.push(diagnostic),
                    (false, true) => build.elsewhere.push(diagnostic),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    // The learner's own lines first, because an error at the check's call usually follows from one there.
    errors.sort_by_key(|(line, d)| (!d.is_own(), *line));
    build.errors = errors.into_iter().map(|(_, d)| d).collect();
    build
}

/// True if cargo says in these lines that the library `name` is compiled.
pub fn has_built(name: &str, output: &str) -> bool {
    lines(output).any(|line| {
        line.reason == "compiler-artifact" && line.target.is_some_and(|target| target.name == name)
    })
}

fn lines(output: &str) -> impl Iterator<Item = Line> {
    let lines = output.lines();
    lines.filter_map(|line| serde_json::from_str(line).ok())
}

/// A message with its line; `None` for the summaries that rustc prints at the end.
fn diagnostic(message: Message) -> Option<(usize, Diagnostic)> {
    let error = message.level.starts_with("error");
    if !error && message.level != "warning" {
        return None;
    }
    let span = message.spans.iter().find(|span| span.is_primary);
    if span.is_none() && (message.message.starts_with("aborting due to") || !error) {
        return None;
    }
    let place = span.map(|s| {
        let place = format!("{}:{}:{}", s.file_name, s.line_start, s.column_start);
        clean(&tidy(&place))
    });
    let rendered = message.rendered.unwrap_or_else(|| message.message.clone());
    let diagnostic = Diagnostic {
        error,
        message: clean(&message.message),
        place,
        rendered: clean(&tidy(&rendered)).trim_end().to_owned(),
    };
    Some((span.map_or(0, |s| s.line_start), diagnostic))
}

/// Shortens rustc's name for the learner's file,
/// `src/exercises/../../lessons/03-attention/../../exercises/attention.rs`, to `exercises/attention.rs` throughout
/// `text`.
pub fn tidy(text: &str) -> String {
    const WAY: &str = "/../../";
    const MANIFEST: &str = "src/exercises/../../";
    let text = text.replace("\\..", "/..").replace(MANIFEST, "");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(&format!("{WAY}{FOLDER}")) {
        let start = rest[..at].rfind("lessons").unwrap_or(at);
        out.push_str(&rest[..start]);
        rest = &rest[at + WAY.len()..];
        // Skip the folder's name, so that the search makes progress.
        out.push_str(&rest[..FOLDER.len()]);
        rest = &rest[FOLDER.len()..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learners_file_has_its_short_name_however_deep_its_target_lies() {
        let file = "exercises/softmax.rs:3:5";
        for path in [
            "lessons/03-attention/../..",
            "lessons/03-attention/more/softmax/../../../..",
            "src/exercises/../../lessons/03-attention/../..",
        ] {
            assert_eq!(
                tidy(&format!("at {path}/{file}, and {path}/{file}")),
                format!("at {file}, and {file}")
            );
        }
    }

    /// Output of cargo 1.95, shortened.
    const OUTPUT: &str = concat!(
        r#"{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"transformer_tutor"},"executable":null}"#,
        "\n",
        r#"{"reason":"compiler-message","target":{"kind":["test"],"name":"attention"},"message":{"rendered":"warning: unused variable: `mask`\n --> lessons/03-attention/../../exercises/attention.rs:8:5\n","level":"warning","message":"unused variable: `mask`","spans":[{"file_name":"lessons/03-attention/../../exercises/attention.rs","line_start":8,"column_start":5,"is_primary":true}]}}"#,
        "\nnot JSON\n",
        r#"{"reason":"compiler-message","target":{"kind":["test"],"name":"attention"},"message":{"rendered":"error: \u001b[31mmismatched\u001b[0m\n","level":"error","message":"mismatched types","spans":[{"file_name":"lessons/03-attention/../../exercises/attention.rs","line_start":20,"column_start":9,"is_primary":true}]}}"#,
        "\n",
        r#"{"reason":"compiler-message","target":{"kind":["test"],"name":"attention"},"message":{"rendered":"error: early\n","level":"error","message":"early","spans":[{"file_name":"lessons/03-attention/../../exercises/attention.rs","line_start":3,"column_start":1,"is_primary":true}]}}"#,
        "\n",
        r#"{"reason":"compiler-message","target":{"kind":["test"],"name":"attention"},"message":{"rendered":"error: aborting due to 2 previous errors\n","level":"error","message":"aborting due to 2 previous errors","spans":[]}}"#,
        "\n",
        r#"{"reason":"build-finished","success":false}"#,
    );

    #[test]
    fn errors_come_in_the_order_of_the_file_with_clickable_places() {
        let build = read("attention", OUTPUT);
        let places: Vec<_> = build
            .errors
            .iter()
            .filter_map(|d| d.place.as_deref())
            .collect();
        assert_eq!(
            places,
            ["exercises/attention.rs:3:1", "exercises/attention.rs:20:9"]
        );
        assert_eq!(build.warnings.len(), 1);
        assert_eq!(build.executable, None);
    }

    #[test]
    fn the_compilers_words_lose_colour_and_the_way_around() {
        let build = read("attention", OUTPUT);
        assert_eq!(build.errors[1].rendered, "error: mismatched");
        assert!(
            build.warnings[0]
                .rendered
                .ends_with("--> exercises/attention.rs:8:5")
        );
    }

    #[test]
    fn a_library_is_built_once_there_is_its_artifact() {
        assert!(has_built("transformer_tutor", OUTPUT));
        assert!(!has_built("attention", OUTPUT), "there are only messages");
    }

    #[test]
    fn an_error_elsewhere_is_not_the_learners() {
        let output = OUTPUT.replace(r#"["test"]"#, r#"["lib"]"#);
        let build = read("attention", &output);
        assert!(build.errors.is_empty());
        assert_eq!(build.elsewhere.len(), 2);
    }

    #[test]
    fn the_program_is_found() {
        let line = r#"{"reason":"compiler-artifact","target":{"kind":["test"],"name":"attention"},"executable":"/t/debug/deps/attention-1"}"#;
        assert_eq!(
            read("attention", line).executable,
            Some("/t/debug/deps/attention-1".into())
        );
    }
}
