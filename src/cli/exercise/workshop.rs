//! Unpacks the project's sources, which the program carries, so that an installed program can compile its learner's
//! files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use include_dir::{Dir, DirEntry, include_dir};

use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::source;

static SRC: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src");
static BOOK: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/book");
static BUILD: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/build");

/// A file with its path from the package's root.
macro_rules! file {
    ($path:literal) => {
        (
            $path,
            include_bytes!(concat!("../../../", $path)).as_slice(),
        )
    };
}

/// Files outside the embedded folders that compiling the program needs.
const FILES: [(&str, &[u8]); 7] = [
    file!("Cargo.lock"),
    file!(".cargo/config.toml"),
    file!("README.md"),
    file!("LICENSE"),
    file!("tests/fixtures/parity/set-1/encoder_layer.safetensors"),
    file!("tests/fixtures/parity/set-1/layer_norm.safetensors"),
    file!("tests/fixtures/parity/set-1/label_smoothing.safetensors"),
];

const MANIFEST: &str = include_str!("../../../Cargo.toml");

/// Folder of the programs that the build of BLIS may have to run.
const STAND_INS: &str = "build/stand-ins";

/// Writes the sources into `root`, a new or empty folder: all that `cargo test --test NAME` needs to compile a
/// learner's file, without the project's own tests. Returns the number of files; the error explains what is in the way.
/// A failed attempt leaves nothing behind.
pub fn lay_out(root: &Path) -> Result<usize, String> {
    let files = files()?;
    Workbook::lay_out(root, &files, |new| runnable(&new.join(STAND_INS)))?;
    Ok(files.len())
}

/// Every file, with its path from the root.
fn files() -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut all: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    let more = [
        ("src/views", &tutor_views::SOURCE),
        ("src", &SRC),
        ("book", &BOOK),
        ("build", &BUILD),
    ];
    for (folder, dir) in source::FOLDERS.into_iter().chain(more) {
        gather(dir, Path::new(folder), &mut all);
    }
    all.extend(tutor_models::files().map(|(path, bytes)| (path.into(), bytes.to_vec())));
    all.extend(tutor_page::FILES.map(|(path, bytes)| (path.into(), bytes.to_vec())));
    all.extend(FILES.map(|(path, bytes)| (path.into(), bytes.to_vec())));
    all.push(("Cargo.toml".into(), manifest()?.into_bytes()));
    // In a checkout, `src` holds packages too.
    all.sort();
    all.dedup();
    Ok(all)
}

fn gather(dir: &Dir<'_>, folder: &Path, all: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(inner) => gather(inner, folder, all),
            DirEntry::File(file) => all.push((folder.join(file.path()), file.contents().to_vec())),
        }
    }
}

/// The project's manifest without tests, benches and page, and without the dependencies that only those need.
fn manifest() -> Result<String, String> {
    let wrong = |e: &dyn std::fmt::Display| format!("the manifest that the program carries: {e}");
    let mut manifest: toml::Table = MANIFEST.parse().map_err(|e| wrong(&e))?;
    for section in ["bench", "dev-dependencies", "test"] {
        manifest.remove(section);
    }
    let members = manifest["workspace"]
        .get_mut("members")
        .and_then(toml::Value::as_array_mut);
    if let Some(members) = members {
        members.retain(|member| member.as_str() != Some("src/web"));
    }
    toml::to_string(&manifest).map_err(|e| wrong(&e))
}

#[cfg(unix)]
fn runnable(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    for file in fs::read_dir(folder)? {
        fs::set_permissions(file?.path(), fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn runnable(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Component;

    use syn::visit::Visit;

    use super::*;
    use crate::curriculum;
    use crate::testing::{assert_contains, assert_ends_with};

    #[test]
    fn what_is_laid_out_is_the_project_and_has_all_that_its_manifest_names() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().join("deep/workshop");
        let count = lay_out(&root).expect("it can be written");
        assert!(count > 500, "{count} files");
        let paths = files().expect("the manifest is TOML").into_iter();
        let paths: std::collections::BTreeSet<_> = paths.map(|(path, _)| path).collect();
        assert_eq!(paths.len(), count);
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        for (path, bytes) in files().expect("the manifest is TOML") {
            assert_eq!(fs::read(root.join(&path)).expect("it is there"), bytes);
            if path != Path::new("Cargo.toml") {
                let text = fs::read(own.join(&path)).unwrap_or_else(|e| panic!("{path:?}: {e}"));
                assert_eq!(text, bytes, "{path:?}");
            }
        }
        let package = root.join("src/exercises");
        let manifest = fs::read_to_string(package.join("Cargo.toml")).expect("it is there");
        let manifest: toml::Table = manifest.parse().expect("it is TOML");
        let tests = manifest["test"].as_array().expect("the learner's targets");
        for test in tests {
            let path = test["path"].as_str().expect("each has a path");
            assert!(package.join(path).is_file(), "{path}");
        }
        for (_, _, exercise) in curriculum::exercises() {
            let named = |t: &toml::Value| t["name"].as_str() == Some(exercise.name);
            assert!(tests.iter().any(named), "{}", exercise.name);
        }
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = std::process::Command::new(cargo)
            .args([
                "metadata",
                "--offline",
                "--no-deps",
                "--format-version",
                "1",
            ])
            .current_dir(&root)
            .output()
            .expect("cargo starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
    }

    /// Files that a source includes, by the name in the call; tests are not compiled elsewhere.
    #[derive(Default)]
    struct Included(Vec<String>);

    impl<'a> Visit<'a> for Included {
        fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
            if module.ident != "tests" {
                syn::visit::visit_item_mod(self, module);
            }
        }

        fn visit_macro(&mut self, call: &'a syn::Macro) {
            let names = ["include_str", "include_bytes"];
            if names.iter().any(|name| call.path.is_ident(name))
                && let Ok(path) = call.parse_body::<syn::LitStr>()
            {
                self.0.push(path.value());
            }
        }
    }

    #[test]
    fn what_a_source_includes_is_laid_out_with_it() {
        let files = files().expect("the manifest is TOML");
        let paths: std::collections::BTreeSet<_> = files.iter().map(|(path, _)| path).collect();
        let mut count = 0;
        for (path, bytes) in &files {
            let text = String::from_utf8_lossy(bytes);
            let is_source = path.extension().is_some_and(|e| e == "rs");
            // Files of a learner's own crate include what stands there.
            let is_template = path.starts_with("lessons/src/lesson/mine/capstone");
            let skipped = !is_source || path.ends_with("tests.rs") || is_template;
            if skipped || !text.contains("include_") {
                continue;
            }
            let mut included = Included::default();
            let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{path:?}: {e}"));
            included.visit_file(&parsed);
            for name in included.0 {
                let mut target = path.parent().unwrap_or(path).to_owned();
                for part in Path::new(&name).components() {
                    match part {
                        Component::ParentDir => assert!(target.pop(), "{path:?}: {name}"),
                        part => target.push(part),
                    }
                }
                assert!(paths.contains(&target), "{path:?} includes {target:?}");
                count += 1;
            }
        }
        assert!(count > 30, "{count} files are included");
    }

    #[test]
    fn a_folder_with_anything_in_it_is_left_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("notes");
        fs::write(&file, "mine").expect("a file");
        let sentence = lay_out(folder.path()).expect_err("it is not empty");
        assert_ends_with(&sentence, "is not empty. Name a folder that is new.");
        assert_contains(
            &lay_out(&file).expect_err("it is a file"),
            "is not a folder",
        );
        #[cfg(unix)]
        {
            let link = tempfile::tempdir().expect("a temporary folder");
            let link = link.path().join("link");
            std::os::unix::fs::symlink(folder.path(), &link).expect("a link");
            assert_contains(
                &lay_out(&link).expect_err("it is a link"),
                "is a symbolic link",
            );
        }
        assert_contains(
            &lay_out(Path::new("/")).expect_err("it is not a place"),
            "is not empty",
        );
        let all = fs::read_dir(folder.path()).expect("it is there").count();
        assert_eq!(
            (all, fs::read_to_string(file).expect("it is there")),
            (1, "mine".into())
        );
    }
}
