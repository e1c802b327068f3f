//! Syntax highlighting in a few named roles rather than colours, so that any theme can style them.
//!
//! Compiling the grammar's expressions takes tenths of a second, and highlighting a hundred lines tens of milliseconds:
//! too long for a frame. [`warm_up`] compiles them on a thread at start; [`try_highlight`] never waits.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

use crate::tensor::threads::{AVAILABLE, lock};

/// Role of a piece of code. There are few enough for 16 colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    Plain,
    Keyword,
    Type,
    Function,
    Macro,
    String,
    Number,
    Comment,
    Attribute,
}

/// Highlighted lines, each a list of pieces that join to the line.
pub type Highlighted = Vec<Vec<(Role, String)>>;

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);
static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);
static WORKER: LazyLock<Mutex<Sender<Key>>> = LazyLock::new(|| Mutex::new(start_worker()));
static FINISHED: AtomicUsize = AtomicUsize::new(0);

/// Text and language. Roles don't depend on the theme, so changing it keeps the cache.
type Key = (String, String);

#[derive(Default)]
struct Cache {
    done: HashMap<Key, Arc<Highlighted>>,
    asked: HashSet<Key>,
}

/// Compiles the grammars of Rust and TOML. Call it on its own thread at start.
pub fn warm_up() {
    let rust = "//! Doc.\n#[derive(Debug)]\npub fn f<T: Into<f32>>(x: &[T]) -> f32 { let y = 1.0; println!(\"{y}\"); y }\n";
    highlight(rust, "rust");
    highlight("# a\n[b]\nc = \"d\"\n", "toml");
}

/// Returns the highlighted text if it is ready. Otherwise a thread starts on it, and [`finished`] grows when it is
/// done.
pub fn try_highlight(text: &str, lang: &str) -> Option<Arc<Highlighted>> {
    if !AVAILABLE {
        return Some(highlight(text, lang));
    }
    let key = (text.to_string(), lang.to_string());
    let mut cache = cache();
    if let Some(done) = cache.done.get(&key) {
        return Some(done.clone());
    }
    if cache.asked.insert(key.clone()) {
        drop(cache);
        // The worker lives as long as the process; if it died, code stays plain.
        let _ = WORKER
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .send(key);
    }
    None
}

/// Number of texts highlighted so far. Callers that keep plain code redraw it when the number grows.
pub fn finished() -> usize {
    FINISHED.load(Ordering::Acquire)
}

/// Highlights the text now, unless it is cached. The first call can take a second in a development build.
pub fn highlight(text: &str, lang: &str) -> Arc<Highlighted> {
    let key = (text.to_string(), lang.to_string());
    if let Some(done) = cache().done.get(&key) {
        return done.clone();
    }
    let done = Arc::new(match syntax(lang) {
        Some(syntax) => run(text, syntax).unwrap_or_else(|| plain(text)),
        None => plain(text),
    });
    cache().done.insert(key, done.clone());
    FINISHED.fetch_add(1, Ordering::Release);
    done
}

/// The text as lines without roles.
pub fn plain(text: &str) -> Highlighted {
    text.lines()
        .map(|line| vec![(Role::Plain, line.to_string())])
        .collect()
}

fn cache() -> std::sync::MutexGuard<'static, Cache> {
    lock(&CACHE)
}

fn start_worker() -> Sender<Key> {
    let (sender, receiver) = mpsc::channel::<Key>();
    std::thread::spawn(move || {
        for (text, lang) in receiver {
            highlight(&text, &lang);
        }
    });
    sender
}

fn syntax(lang: &str) -> Option<&'static SyntaxReference> {
    // bat's set has no grammar for shell sessions.
    let lang = if lang == "console" { "sh" } else { lang };
    SYNTAXES.find_syntax_by_token(lang)
}

/// Highlights the text; `None` if the grammar fails on it.
fn run(text: &str, syntax: &SyntaxReference) -> Option<Highlighted> {
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        // The grammars of this set expect a newline at the end.
        let with_end = format!("{line}\n");
        let mut pieces: Vec<(Role, String)> = Vec::new();
        let mut from = 0;
        for (at, op) in state.parse_line(&with_end, &SYNTAXES).ok()? {
            push(
                &mut pieces,
                role(&stack),
                line.get(from..at.min(line.len())).unwrap_or(""),
            );
            from = at.min(line.len());
            stack.apply(&op).ok()?;
        }
        push(&mut pieces, role(&stack), &line[from..]);
        lines.push(pieces);
    }
    Some(lines)
}

fn push(pieces: &mut Vec<(Role, String)>, role: Role, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        // White space takes its neighbour's role, which makes fewer pieces and looks the same.
        Some((last, words)) if *last == role || text.trim().is_empty() => words.push_str(text),
        _ => pieces.push((role, text.to_string())),
    }
}

/// Role of the innermost scope that has one.
fn role(stack: &ScopeStack) -> Role {
    for scope in stack.as_slice().iter().rev() {
        let name = scope.build_string();
        if let Some((_, role)) = ROLES.iter().find(|(prefix, _)| name.starts_with(prefix)) {
            return *role;
        }
    }
    Role::Plain
}

/// Prefixes of scope names, more specific ones first.
const ROLES: &[(&str, Role)] = &[
    ("comment", Role::Comment),
    ("punctuation.definition.comment", Role::Comment),
    ("string", Role::String),
    ("punctuation.definition.string", Role::String),
    ("constant.character", Role::String),
    ("constant", Role::Number),
    ("entity.name.function", Role::Function),
    ("variable.function", Role::Function),
    ("support.function", Role::Function),
    ("support.macro", Role::Macro),
    ("entity.name.macro", Role::Macro),
    ("variable.annotation", Role::Attribute),
    ("meta.annotation", Role::Attribute),
    ("meta.attribute", Role::Attribute),
    ("entity.name.tag", Role::Keyword),
    ("entity.name", Role::Type),
    ("support.type", Role::Type),
    ("support.class", Role::Type),
    ("storage.type.numeric", Role::Type),
    ("storage", Role::Keyword),
    ("keyword.operator", Role::Plain),
    ("keyword", Role::Keyword),
    ("variable.language", Role::Keyword),
    ("markup.inserted", Role::String),
    ("markup.deleted", Role::Comment),
];

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "/// Doc.\n#[inline]\npub fn scores(q: &Tensor) -> f32 {\n    let x = 1.5; // why\n    println!(\"{x}\");\n    q.sum(x)\n}";

    fn roles_of(line: usize) -> Vec<(Role, String)> {
        highlight(CODE, "rust")[line]
            .iter()
            .map(|(role, text)| (*role, text.trim().to_string()))
            .collect()
    }

    #[test]
    fn rust_gets_its_roles() {
        assert_eq!(roles_of(0), [(Role::Comment, "/// Doc.".to_string())]);
        assert_eq!(roles_of(1), [(Role::Attribute, "#[inline]".to_string())]);
        let line = roles_of(2);
        assert!(
            line.contains(&(Role::Keyword, "pub fn".to_string())),
            "{line:?}"
        );
        assert!(
            line.contains(&(Role::Function, "scores".to_string())),
            "{line:?}"
        );
        let line = roles_of(3);
        assert!(
            line.contains(&(Role::Number, "1.5".to_string())),
            "{line:?}"
        );
        assert!(
            line.contains(&(Role::Comment, "// why".to_string())),
            "{line:?}"
        );
        assert!(
            roles_of(4).contains(&(Role::Macro, "println!".to_string())),
            "{:?}",
            roles_of(4)
        );
    }

    #[test]
    fn no_letter_is_lost() {
        for (lang, text) in [
            ("rust", CODE),
            ("toml", "a = 1\n\n[b] # c"),
            ("nonsense", "学 x\n  y"),
            ("rust", "let s = \"never ends"),
        ] {
            let joined: Vec<String> = highlight(text, lang)
                .iter()
                .map(|line| line.iter().map(|(_, text)| text.as_str()).collect())
                .collect();
            assert_eq!(joined.join("\n"), text);
        }
    }

    #[test]
    fn highlighting_runs_on_another_thread_until_it_is_ready() {
        let text = "let only_this_test_asks = 1;";
        assert_eq!(try_highlight(text, "rust"), None);
        let start = std::time::Instant::now();
        while try_highlight(text, "rust").is_none() {
            assert!(start.elapsed().as_secs() < 60, "the worker never finished");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(finished() > 0);
    }
}
