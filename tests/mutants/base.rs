//! The right functions that mutants are derived from, as modules that compile outside the crate.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use transformer_tutor::lesson::exercise::Exercise;
use transformer_tutor::lesson::source::{Embedded, Files};

/// A right solution of an exercise, as a learner's file could contain it.
pub struct Base {
    /// The exercise's name.
    pub name: &'static str,
    /// The path of the lesson's check: `transformer_tutor::curriculum::attention::check::TASK`.
    pub task: String,
    /// The argument that the learner's target passes to the check, with `exercise::` for the learner's file.
    pub handed: String,
    /// The imports.
    pub uses: String,
    /// The functions.
    pub code: String,
}

impl Base {
    /// The reference of `exercise` with the imports of its file, or the contents of `written/NAME.rs` if the reference
    /// is not a function of the exercise's type. `learner` is the text of its `learner.rs`.
    pub fn new(exercise: &'static Exercise, learner: &str) -> Result<Self, String> {
        let (task, handed) = called(learner).ok_or("its learner.rs has another form")?;
        let written = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/mutants/written")
            .join(format!("{}.rs", exercise.name));
        let (uses, code) = match fs::read_to_string(written) {
            Ok(text) => {
                let (uses, code) = text
                    .split_once("\n\n")
                    .ok_or("imports, an empty line, the function")?;
                (uses.to_owned(), code.to_owned())
            }
            Err(_) => referred(exercise)?,
        };
        Ok(Self {
            name: exercise.name,
            task,
            handed,
            uses,
            code,
        })
    }
}

/// The check that a `learner.rs` names, and the argument that it passes.
fn called(learner: &str) -> Option<(String, String)> {
    let uses = learner.lines().find(|line| line.contains("{LESSON, "))?;
    let (lesson, task) = uses.strip_prefix("use ")?.split_once("::{LESSON, ")?;
    let task = task.strip_suffix("};")?;
    let (_, handed) = learner.split_once("learner(&LESSON, &TASK, ")?;
    let handed = handed.trim_end().strip_suffix('}')?;
    let handed = handed.trim_end().strip_suffix(')')?;
    Some((format!("{lesson}::{task}"), handed.to_owned()))
}

/// The imports and the code of the reference.
fn referred(exercise: &Exercise) -> Result<(String, String), String> {
    let (code, place) = exercise.reference()?;
    let place = place.ok_or("more than one file")?;
    let whole = Embedded.read(&place.path).ok_or("its file is not there")?;
    let file = syn::parse_file(whole).map_err(|e| e.to_string())?;
    let module = module(&place.path);
    let parent = module
        .rsplit_once("::")
        .map_or("transformer_tutor", |(parent, _)| parent);

    let mut code = functions(&code, place.path.starts_with("lessons/"))?;
    let has = |code: &str, name: &str| {
        ['(', '<']
            .iter()
            .any(|end| code.contains(&format!("fn {name}{end}")))
    };
    // Add the private functions that it calls, which are not visible from outside.
    for item in &file.items {
        if let syn::Item::Fn(item) = item
            && matches!(item.vis, syn::Visibility::Inherited)
            && code.contains(&format!("{}(", item.sig.ident))
            && !has(&code, &item.sig.ident.to_string())
        {
            code = [&code, "\n", quoted(whole, item), "\n"].concat();
        }
    }
    let mut code = code.replace("pub(crate) ", "").replace("pub(super) ", "");
    if !has(&code, exercise.name) {
        let (_, rest) = code.split_once("pub fn ").ok_or("no function")?;
        let end = rest.find(['(', '<']).ok_or("no function")?;
        let head = format!("pub fn {}", &rest[..end]);
        code = code.replacen(&head, &format!("pub fn {}", exercise.name), 1);
    }

    let mut uses = BTreeSet::new();
    // Import the module's other items. A glob gives way to names defined in the mutant. Lessons' items are not visible.
    let name = module.rsplit("::").next().unwrap_or_default();
    if place.path.starts_with("src/") {
        let home = if opened(&place.path, name) {
            &module
        } else {
            parent
        };
        uses.insert(format!("use {home}::*;"));
    }
    let starter = syn::parse_file(exercise.starter).map_err(|e| e.to_string())?;
    for (items, own) in [(&file.items, true), (&starter.items, false)] {
        let mut leaves = Vec::new();
        for item in items {
            if let syn::Item::Use(item) = item {
                spread(&item.tree, String::new(), &mut leaves);
            }
        }
        for (path, name) in leaves {
            let child = |item: &syn::Item| matches!(item, syn::Item::Mod(m) if path.starts_with(&format!("{}::", m.ident)));
            let path = match path.split_once("::") {
                Some(("crate", rest)) => format!("transformer_tutor::{rest}"),
                Some(("super" | "self", _)) if place.path.starts_with("lessons/") => continue,
                Some(("super", rest)) => format!("{parent}::{rest}"),
                Some(("self", rest)) => format!("{module}::{rest}"),
                _ if own && items.iter().any(child) => format!("{module}::{path}"),
                _ => path,
            };
            // A trait may be needed without being named, so keep the imports from outside the crate.
            if code.contains(&name) || !path.starts_with("transformer_tutor") {
                uses.insert(format!("use {path};"));
            }
        }
    }
    let uses: Vec<_> = uses.into_iter().collect();
    Ok((uses.join("\n"), code))
}

/// Collects every path that a `use` names, with the name that it binds.
fn spread(tree: &syn::UseTree, way: String, leaves: &mut Vec<(String, String)>) {
    let on = |name: &dyn std::fmt::Display| match way.as_str() {
        "" => name.to_string(),
        way => format!("{way}::{name}"),
    };
    match tree {
        syn::UseTree::Path(path) => spread(&path.tree, on(&path.ident), leaves),
        syn::UseTree::Name(name) if name.ident == "self" => {
            let last = way.rsplit("::").next().unwrap_or_default().to_owned();
            leaves.push((way, last));
        }
        syn::UseTree::Name(name) => leaves.push((on(&name.ident), name.ident.to_string())),
        syn::UseTree::Rename(name) => {
            let path = format!("{} as {}", on(&name.ident), name.rename);
            leaves.push((path, name.rename.to_string()));
        }
        syn::UseTree::Glob(_) => leaves.push((on(&"*"), String::new())),
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                spread(tree, way.clone(), leaves);
            }
        }
    }
}

/// True if the module `name` at `path` is public in the module that declares it.
fn opened(path: &str, name: &str) -> bool {
    let folder = path.rsplit_once('/').map_or("src", |(folder, _)| folder);
    let parents = [
        format!("{folder}.rs"),
        "src/engine.rs".to_owned(),
        "src/lib.rs".to_owned(),
    ];
    let declared = format!("pub mod {name};");
    let mut parents = parents.iter().filter_map(|parent| Embedded.read(parent));
    parents.any(|text| text.lines().any(|line| line.trim() == declared))
}

/// The functions and constants of a text. Its types are imported from the crate, unless they are `private`, as in a
/// lesson's reference.
fn functions(code: &str, private: bool) -> Result<String, String> {
    let code = unindented(code);
    let file = syn::parse_file(&code).map_err(|e| e.to_string())?;
    let kept = file.items.iter().filter(|item| match item {
        syn::Item::Fn(_) | syn::Item::Const(_) => true,
        syn::Item::Struct(_) | syn::Item::Enum(_) | syn::Item::Impl(_) => private,
        _ => false,
    });
    let kept: Vec<_> = kept.map(|item| quoted(&code, item)).collect();
    Ok(kept.join("\n\n") + "\n")
}

fn quoted<'a>(text: &'a str, of: &impl syn::spanned::Spanned) -> &'a str {
    &text[of.span().byte_range()]
}

/// A text without the indentation that all of its lines share.
fn unindented(code: &str) -> String {
    let full = code.lines().filter(|line| !line.trim().is_empty());
    let indent = full
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<_> = code
        .lines()
        .map(|line| line.get(indent..).unwrap_or(""))
        .collect();
    lines.join("\n")
}

/// The module path of a file: `transformer_tutor::nn::attention` for `src/nn/attention.rs`.
fn module(path: &str) -> String {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs");
    format!("transformer_tutor::{}", path.replace('/', "::"))
}
