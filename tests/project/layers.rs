//! Dependencies between modules: lower layers never import higher ones, and no files depend on each other in a cycle.
//!
//! ARCHITECTURE.md has the picture. The source is parsed, so that groups, `super::`, paths in expressions and
//! re-exports all count. Another test checks that ARCHITECTURE.md, CONTRIBUTING.md and the reference name only files,
//! functions and tests that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, Macro, UseTree, Visibility};

/// The modules of each layer, bottom to top. A module may import its own layer and those below.
const LAYERS: [&[&str]; 11] = [
    &["tensor", "expr", "testing"],
    &["params", "autograd"],
    &["ops"],
    &["nn"],
    &["transformer"],
    &["typeset", "text", "data", "train", "decode"],
    &["clock", "lesson"],
    &["curriculum", "command"],
    &["widgets"],
    &["screen"],
    &["tui", "plain", "book", "cli"],
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The path of a module from the crate's root: `["lesson", "session"]`.
type ModulePath = Vec<String>;

/// One file of the crate.
#[derive(Default)]
struct Source {
    file: PathBuf,
    /// True if the module is not `pub` in the module that declares it.
    private: bool,
    /// The paths used in it outside its tests.
    names: BTreeSet<ModulePath>,
    /// The paths that it re-exports, by their new names.
    passes_on: BTreeMap<String, ModulePath>,
    /// The modules that it declares: name, file, and whether it is private.
    declares: Vec<(String, PathBuf, bool)>,
}

/// The files of the crate, by module.
struct Sources(BTreeMap<ModulePath, Source>);

/// The sources, read once for all tests.
static SOURCES: LazyLock<Sources> = LazyLock::new(Sources::read);

/// The dependencies between the modules of [`SOURCES`].
static NEEDS: LazyLock<BTreeMap<(ModulePath, ModulePath), String>> =
    LazyLock::new(|| SOURCES.needs());

impl Sources {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut all = Self(BTreeMap::new());
        // The modules of all packages stand where the program passes them on: beside its own.
        for package in ["src/engine", "lessons/src", "src/views", "src"] {
            all.add(Vec::new(), root.join(package).join("lib.rs"), false);
        }
        all
    }

    fn add(&mut self, module: ModulePath, file: PathBuf, private: bool) {
        let text = fs::read_to_string(&file).expect("the file can be read");
        let parsed = syn::parse_file(&text).expect("it compiles");
        let mut source = Source {
            file,
            private,
            ..Source::default()
        };
        source.visit_file(&parsed);
        let declared = source.declares.clone();
        self.0.insert(module.clone(), source);
        for (name, file, private) in declared {
            let module = [&module[..], &[name]].concat();
            self.add(module, file, private);
        }
    }

    /// The module that defines the path `named` as used in the module `from`; `None` if it is not a path of this crate.
    fn resolve(&self, from: &ModulePath, named: &[String]) -> Option<ModulePath> {
        let (mut at, mut rest) = match named[0].as_str() {
            "crate" | "transformer_tutor" => (Vec::new(), &named[1..]),
            "self" => (from.clone(), &named[1..]),
            "super" => {
                let up = named.iter().take_while(|name| *name == "super").count();
                (from[..from.len() - up].to_vec(), &named[up..])
            }
            first
                if self
                    .0
                    .contains_key(&[&from[..], &[first.to_owned()]].concat()) =>
            {
                (from.clone(), named)
            }
            _ => return None,
        };
        while let Some((first, others)) = rest.split_first() {
            let inner = [&at[..], std::slice::from_ref(first)].concat();
            if self.0.contains_key(&inner) {
                (at, rest) = (inner, others);
            } else if let Some(target) = self.0[&at].passes_on.get(first) {
                let whole = [&target[..], others].concat();
                return self.resolve(&at, &whole);
            } else {
                break;
            }
        }
        Some(at)
    }

    /// Pairs of modules of which the first uses the second, each with a path that shows it.
    fn needs(&self) -> BTreeMap<(ModulePath, ModulePath), String> {
        let mut all = BTreeMap::new();
        for (module, source) in &self.0 {
            for named in &source.names {
                let target = self.resolve(module, named).filter(|other| other != module);
                if let Some(other) = target {
                    all.insert((module.clone(), other), named.join("::"));
                }
            }
        }
        all
    }

    /// True if `part` is a private descendant of `whole`: a piece of the same module in a separate file.
    fn is_part(&self, part: &ModulePath, whole: &ModulePath) -> bool {
        let between = whole.len() + 1..=part.len();
        part.starts_with(whole) && between.into_iter().all(|n| self.0[&part[..n]].private)
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let test = |a: &Attribute| {
        a.path().is_ident("cfg")
            && matches!(&a.meta, syn::Meta::List(list) if list.tokens.to_string() == "test")
    };
    attributes.iter().any(test)
}

/// Expands the groups of a `use` into names and their paths.
fn flat(tree: &UseTree, before: &ModulePath, out: &mut Vec<(String, ModulePath)>) {
    let with = |name: String| [&before[..], &[name]].concat();
    match tree {
        UseTree::Path(path) => flat(&path.tree, &with(path.ident.to_string()), out),
        UseTree::Name(name) if name.ident == "self" => {
            out.extend(before.last().map(|last| (last.clone(), before.clone())));
        }
        UseTree::Name(name) => out.push((name.ident.to_string(), with(name.ident.to_string()))),
        UseTree::Rename(name) => out.push((name.rename.to_string(), with(name.ident.to_string()))),
        UseTree::Glob(_) => out.push(("*".to_owned(), before.clone())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flat(tree, before, out)),
    }
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if is_test(&item.attrs) {
            return;
        }
        if item.content.is_some() {
            return visit::visit_item_mod(self, item);
        }
        let name = item.ident.to_string();
        let folder = self
            .file
            .parent()
            .expect("a file lies in a folder")
            .to_owned();
        let placed = item.attrs.iter().find_map(|a| match &a.meta {
            syn::Meta::NameValue(pair) if a.path().is_ident("path") => match &pair.value {
                syn::Expr::Lit(literal) => match &literal.lit {
                    syn::Lit::Str(text) => Some(folder.join(text.value())),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        });
        let stem = self.file.file_stem().expect("it has a name");
        // A file that is placed by #[path] has its submodules beside it.
        let beside = folder.join(format!("{name}.rs"));
        let within = folder.join(stem).join(format!("{name}.rs"));
        let file = placed.unwrap_or(if within.exists() { within } else { beside });
        let private = matches!(item.vis, Visibility::Inherited);
        if file.exists() {
            self.declares.push((name, file, private));
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if is_test(&item.attrs) {
            return;
        }
        let mut paths = Vec::new();
        flat(&item.tree, &Vec::new(), &mut paths);
        match item.vis {
            Visibility::Inherited => self.names.extend(paths.into_iter().map(|(_, path)| path)),
            _ => self.passes_on.extend(paths),
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let module: ModulePath = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if module.len() > 1 {
            self.names.insert(module);
        }
        visit::visit_path(self, path);
    }

    /// A macro's tokens are not parsed as Rust, so every `a::b` in them counts.
    fn visit_macro(&mut self, item: &'ast Macro) {
        let text = item.tokens.to_string().replace(" :: ", "::");
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        for word in words.filter(|word| word.contains("::")) {
            let module: ModulePath = word.split("::").map(str::to_owned).collect();
            if module.iter().all(|name| !name.is_empty()) {
                self.names.insert(module);
            }
        }
        visit::visit_macro(self, item);
    }
}

#[track_caller]
fn none(problems: &[String]) {
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn no_module_imports_a_higher_layer() {
    let (sources, needs) = (&*SOURCES, &*NEEDS);
    let mut problems = Vec::new();
    for module in sources.0.keys().filter(|module| module.len() == 1) {
        if layer(&module[0]).is_none() {
            problems.push(format!("{} stands in no layer", module[0]));
        }
    }
    for ((from, to), named) in needs {
        let (Some(from), Some(to)) = (from.first(), to.first()) else {
            continue;
        };
        if layer(to) > layer(from) {
            problems.push(format!("{from} imports {named}"));
        }
    }
    none(&problems);
    assert!(
        needs.len() > 1500,
        "only {} imports were found: the test is blind",
        needs.len()
    );
}

#[test]
fn no_two_modules_need_each_other() {
    let mut tops = BTreeMap::new();
    for ((from, to), named) in NEEDS.iter() {
        if let (Some(from), Some(to)) = (from.first(), to.first())
            && from != to
        {
            tops.insert((from.clone(), to.clone()), named.clone());
        }
    }
    none(&circles(&tops));
}

#[test]
fn no_files_need_each_other_in_a_circle() {
    let (sources, mut needs) = (&*SOURCES, NEEDS.clone());
    // A module may be split into private parts, which use what it defines. Not so the files of a lesson.
    needs.retain(|(from, to), _| {
        let lesson = from.first().is_some_and(|top| top == "curriculum");
        lesson || !sources.is_part(from, to)
    });
    let named = needs.into_iter();
    let named = named.map(|((from, to), path)| ((from.join("::"), to.join("::")), path));
    none(&circles(&named.collect()));
}

/// Every dependency that is part of a cycle.
fn circles(needs: &BTreeMap<(String, String), String>) -> Vec<String> {
    // Repeatedly remove modules without dependencies or without dependents, which are in no cycle.
    let mut left: BTreeSet<(&str, &str)> = needs.keys().map(|(a, b)| (&**a, &**b)).collect();
    loop {
        let from: BTreeSet<&str> = left.iter().map(|(from, _)| *from).collect();
        let to: BTreeSet<&str> = left.iter().map(|(_, to)| *to).collect();
        let before = left.len();
        left.retain(|(a, b)| to.contains(a) && from.contains(b));
        if left.len() == before {
            break;
        }
    }
    let leads = |from, to| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            if seen.insert(at) {
                let next = left.range((at, "")..).take_while(|(from, _)| *from == at);
                open.extend(next.map(|(_, to)| *to));
            }
        }
        false
    };
    let round = left.iter().filter(|(from, to)| leads(*to, *from));
    let told = |(from, to): &(&str, &str)| {
        let path = &needs[&((*from).to_owned(), (*to).to_owned())];
        format!("{from} needs {to} ({path})")
    };
    round.map(told).collect()
}

#[test]
fn no_lesson_imports_another_and_nothing_else_names_one() {
    let mut problems = Vec::new();
    for ((from, to), named) in NEEDS.iter() {
        let lesson = |module: &ModulePath| {
            (module.len() > 1 && module[0] == "curriculum").then(|| module[1].clone())
        };
        let (Some(other), own) = (lesson(to), lesson(from)) else {
            continue;
        };
        // The playground combines the stages of two lessons; the curriculum lists all.
        let list = from.len() == 1 && from[0] == "curriculum";
        let playground = own.as_deref() == Some("playground");
        if own.as_ref() != Some(&other) && !playground && !list {
            problems.push(format!("{} imports {named}", from.join("::")));
        }
    }
    none(&problems);
}

#[test]
fn the_engine_never_prints_and_never_reads_the_clock() {
    let mut problems = Vec::new();
    for (module, source) in &SOURCES.0 {
        let Some(top) = module.first().filter(|top| layer(top) < Some(6)) else {
            continue;
        };
        let text = fs::read_to_string(&source.file).expect("the file can be read");
        let end = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
        let lines = text[..end].lines();
        let code: Vec<&str> = lines
            .filter(|l| !l.trim_start().starts_with("//"))
            .collect();
        let code = code.join("\n");
        for word in [
            "println!",
            "print!(",
            "eprintln!",
            "dbg!",
            "Instant::now",
            "SystemTime",
        ] {
            if code.contains(word) {
                problems.push(format!("{} has {word}", source.file.display()));
            }
        }
        // The BLAS takes its choice of kernels from the environment at its first call; see the file.
        let blas = top == "tensor" && source.file.ends_with("tensor/blas.rs");
        if !blas && (code.contains("env::var") || code.contains("env::set_var")) {
            problems.push(format!("{} reads the environment", source.file.display()));
        }
    }
    none(&problems);
}

#[test]
fn circles_are_found_however_long() {
    let needs = |all: &[(&str, &str)]| {
        let pair = |(from, to): &(&str, &str)| ((from.to_string(), to.to_string()), String::new());
        circles(&all.iter().map(pair).collect()).len()
    };
    assert_eq!(needs(&[("a", "b"), ("b", "c"), ("a", "c")]), 0);
    assert_eq!(needs(&[("a", "b"), ("b", "a"), ("b", "c")]), 2);
    assert_eq!(needs(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]), 3);
}

/// Paths of the files below `folder`, relative to the project.
fn files_below(folder: &str, out: &mut Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in fs::read_dir(root.join(folder)).expect("the folder can be read") {
        let entry = entry.expect("its entries too");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files_below(&path, out)
        } else {
            out.push(path)
        }
    }
}

/// Texts in backticks outside fenced blocks.
fn code_spans(markdown: &str) -> Vec<&str> {
    let mut fenced = false;
    let mut spans = Vec::new();
    for line in markdown.lines() {
        fenced ^= line.starts_with("```");
        if !fenced {
            spans.extend(line.split('`').skip(1).step_by(2));
        }
    }
    spans
}

/// Names in a path such as `Trace::replay` or `lesson!(…)`; `None` if the text is no path.
fn identifiers(span: &str) -> Option<Vec<&str>> {
    let path = span.split(['(', '!']).next()?;
    let names: Vec<&str> = path.split("::").collect();
    let is_name = |name: &&str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    names.iter().all(is_name).then_some(names)
}

#[test]
fn documents_name_files_functions_and_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("the file can be read");
    let mut files = Vec::new();
    for folder in [
        "src", "lessons", "tests", "benches", "book", "build", "assets",
    ] {
        files_below(folder, &mut files);
    }
    let sources = files.iter().filter(|path| path.ends_with(".rs"));
    let sources: Vec<String> = sources.map(|path| read(path)).collect();
    let words = |text: &'static str| {
        text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .collect::<Vec<_>>()
    };
    let known: BTreeSet<&str> = words(sources.join("\n").leak()).into_iter().collect();

    let mut documents = ["ARCHITECTURE.md", "CONTRIBUTING.md"]
        .map(str::to_owned)
        .to_vec();
    documents.extend(
        files
            .iter()
            .filter(|path| path.starts_with("book/reference/"))
            .cloned(),
    );
    let (mut problems, mut named) = (Vec::new(), 0);
    for document in &documents {
        let text = read(document);
        let is_ours = ["ARCHITECTURE", "CONTRIBUTING", "promises", "internals"];
        let is_ours = is_ours.iter().any(|name| document.contains(name));
        for span in code_spans(&text) {
            // A learner's file exists only after the exercise was started.
            let is_file = (span.ends_with(".rs")
                || span.starts_with("tests/commands/transcripts/"))
                && !span.contains([' ', '…']);
            let is_pattern = ["NAME", "EXERCISE"].iter().any(|name| span.contains(name));
            if is_file && !span.starts_with("exercises/") && !is_pattern {
                let end = format!("/{span}");
                let exists = |path: &String| path == span || path.ends_with(&end);
                named += 1;
                if !files.iter().any(exists) {
                    problems.push(format!("{document} names the file {span}"));
                }
            } else if let Some(names) = identifiers(span).filter(|_| is_ours) {
                // A single word in lower case may be a command or a key.
                let is_type = span.starts_with(|c: char| c.is_ascii_uppercase())
                    && span.contains(|c: char| c.is_ascii_lowercase());
                let telling = names.len() > 1 || span.contains('_') || is_type;
                let missing = names.iter().find(|name| !known.contains(**name));
                named += 1;
                if let Some(name) = missing.filter(|_| telling) {
                    problems.push(format!("{document} names {span}, and there is no {name}"));
                }
            }
        }
    }
    // `name` (`file.rs`) is in that very file.
    let guides = read("ARCHITECTURE.md") + &read("CONTRIBUTING.md");
    for (before, after) in guides.split("` (`").zip(guides.split("` (`").skip(1)) {
        let name = before.rsplit(['`', ':']).next().unwrap_or_default();
        let file = after.split('`').next().unwrap_or_default();
        let end = format!("/{file}");
        let home = files
            .iter()
            .find(|path| *path == file || path.ends_with(&end));
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let Some(home) = home.filter(|_| file.ends_with(".rs") && is_name) else {
            continue;
        };
        let text = read(home);
        let code: Vec<&str> = text
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .collect();
        let kinds = ["fn", "struct", "enum", "trait", "mod", "const", "static"];
        let defined = code
            .windows(2)
            .any(|pair| kinds.contains(&pair[0]) && pair[1] == name);
        named += 1;
        if !defined {
            problems.push(format!("{home} does not define {name}"));
        }
    }
    none(&problems);
    assert!(
        named > 300,
        "only {named} names were found: the test is blind"
    );
}
