//! The correct functions that mutants are made from, as modules that compile outside the crate.

use std::collections::BTreeSet;

use transformer_tutor::lesson::exercise::Exercise;
use transformer_tutor::lesson::source::{Embedded, Files};

/// A correct solution of an exercise, as a learner's file could contain it.
pub struct Base {
    /// The exercise's name.
    pub name: &'static str,
    /// Path of the lesson's check: `transformer_tutor::curriculum::attention::check::TASK`.
    pub task: String,
    /// Argument that the learner's target gives to the check, with `exercise::` for the learner's file.
    pub handed: String,
    /// The imports.
    pub uses: String,
    /// The functions.
    pub code: String,
}

impl Base {
    /// The reference of `exercise` with the imports of its file, or its solution in `ejected/functions` where the reference
    /// is no function of the exercise's type. `learner` is the text of its `learner.rs`.
    pub fn new(exercise: &'static Exercise, learner: &str) -> Result<Self, String> {
        let (task, handed) = called(learner).ok_or("its learner.rs has another form")?;
        let written = format!(
            "lessons/src/lesson/mine/ejected/functions/{}.rs",
            exercise.name
        );
        let (uses, code) = match Embedded.read(&written) {
            Some(text) => {
                let (uses, code) = text
                    .split_once("\n\n")
                    .ok_or("imports, an empty line, the function")?;
                (uses.to_owned(), code.to_owned())
            }
            None => referred(exercise)?,
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

/// The check that a `learner.rs` names, and its argument.
fn called(learner: &str) -> Option<(String, String)> {
    let (_, arguments) = learner.split_once("learner! {")?;
    let lines = arguments.lines().map(str::trim);
    let mut lines = lines.filter(|l| !l.is_empty() && !l.starts_with("//"));
    let check = lines.next()?.strip_suffix(',')?;
    let handed = lines.next()?.strip_suffix(',')?;
    let task = format!("transformer_tutor::curriculum::{check}::TASK");
    Some((task, handed.to_owned()))
}

/// Imports and code of the reference.
fn referred(exercise: &Exercise) -> Result<(String, String), String> {
    let (code, source) = exercise.reference()?;
    let source = source.ok_or("more than one file")?;
    let whole = Embedded.read(&source.path).ok_or("its file is not there")?;
    let file = syn::parse_file(whole).map_err(|e| e.to_string())?;
    let module = module(&source.path);
    let parent = module
        .rsplit_once("::")
        .map_or("transformer_tutor", |(parent, _)| parent);

    let mut code = functions(&code, source.path.starts_with("lessons/"))?;
    let has = |code: &str, name: &str| {
        ['(', '<']
            .iter()
            .any(|end| code.contains(&format!("fn {name}{end}")))
    };
    // Private functions of the same module that it calls.
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
    // A glob imports the rest of the module, so that the function's own definition takes precedence. A lesson's module
    // is private.
    let name = module.rsplit("::").next().unwrap_or_default();
    if source.path.starts_with("src/") {
        let home = if opened(&source.path, name) {
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
                Some(("super" | "self", _)) if source.path.starts_with("lessons/") => continue,
                Some(("super", rest)) => format!("{parent}::{rest}"),
                Some(("self", rest)) => format!("{module}::{rest}"),
                _ if own && items.iter().any(child) => format!("{module}::{path}"),
                _ => path,
            };
            // Traits are used without being named.
            if code.contains(&name) || !path.starts_with("transformer_tutor") {
                uses.insert(format!("use {path};"));
            }
        }
    }
    let uses: Vec<_> = uses.into_iter().collect();
    Ok((uses.join("\n"), code))
}

/// Every path that a `use` imports, with the name that it introduces.
fn spread(tree: &syn::UseTree, prefix: String, leaves: &mut Vec<(String, String)>) {
    let on = |name: &dyn std::fmt::Display| match prefix.as_str() {
        "" => name.to_string(),
        prefix => format!("{prefix}::{name}"),
    };
    match tree {
        syn::UseTree::Path(path) => spread(&path.tree, on(&path.ident), leaves),
        syn::UseTree::Name(name) if name.ident == "self" => {
            let last = prefix.rsplit("::").next().unwrap_or_default().to_owned();
            leaves.push((prefix, last));
        }
        syn::UseTree::Name(name) => leaves.push((on(&name.ident), name.ident.to_string())),
        syn::UseTree::Rename(name) => {
            let path = format!("{} as {}", on(&name.ident), name.rename);
            leaves.push((path, name.rename.to_string()));
        }
        syn::UseTree::Glob(_) => leaves.push((on(&"*"), String::new())),
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                spread(tree, prefix.clone(), leaves);
            }
        }
    }
}

/// True if the module `name` at `path` is public in the module that declares it.
fn opened(path: &str, name: &str) -> bool {
    let folder = path.rsplit_once('/').map_or("src", |(folder, _)| folder);
    let parents = [
        format!("{folder}.rs"),
        "src/engine/lib.rs".to_owned(),
        "src/lib.rs".to_owned(),
    ];
    let declared = format!("pub mod {name};");
    let mut parents = parents.iter().filter_map(|parent| Embedded.read(parent));
    parents.any(|text| text.lines().any(|line| line.trim() == declared))
}

/// The functions of a source text. Its types belong to the crate and are left out, unless they are `private`, as in a
/// lesson's reference.
fn functions(code: &str, private: bool) -> Result<String, String> {
    let code = unindented(code);
    let file = syn::parse_file(&code).map_err(|e| e.to_string())?;
    let kept = file.items.iter().filter(|item| match item {
        syn::Item::Fn(_) | syn::Item::Const(_) => true,
        syn::Item::Struct(_) | syn::Item::Enum(_) | syn::Item::Impl(_) | syn::Item::Type(_) => {
            private
        }
        _ => false,
    });
    let kept: Vec<_> = kept.map(|item| quoted(&code, item)).collect();
    Ok(kept.join("\n\n") + "\n")
}

fn quoted<'a>(text: &'a str, of: &impl syn::spanned::Spanned) -> &'a str {
    &text[of.span().byte_range()]
}

/// Removes the indentation that all lines of a text share.
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

/// The module of a file: `transformer_tutor::nn::attention` for `src/engine/nn/attention.rs`.
fn module(path: &str) -> String {
    let path = path
        .trim_start_matches("src/")
        .trim_start_matches("engine/");
    let path = path.trim_end_matches(".rs");
    format!("transformer_tutor::{}", path.replace('/', "::"))
}
