//! The stand-ins for python and perl in `build/`, which do what BLIS's build asks of the real ones.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(tool: &str, folder: &Path, arguments: &[&str]) -> Output {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("build/stand-ins")
        .join(tool);
    Command::new(tool)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn python_flattens_headers_as_the_script_of_blis_does() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "top/root.h",
        "#include \"a.h\" // dropped\n  #include <stdio.h>\n#  include \"a.h\"\nint end;\n",
    );
    write(
        "one/a.h",
        "#include \"root.h\"\nint a;\t\"\\n\" 100% & done\n",
    );
    write("two/a.h", "int found_too_late;\n");
    let arguments = [
        "x/flatten-headers.py",
        "-l",
        "-v1",
        "top/root.h",
        "out.h",
        "tmp",
        "missing one two",
    ];
    assert!(run("python3", folder.path(), &arguments).status.success());
    // Output of BLIS 1.0's build/flatten-headers.py for the same arguments.
    let expected = "// begin a.h\n#line 1 \"one/a.h\"\n\n// skipped #include \"root.h\" \nint a;\t\"\\n\" 100% & done\n\
                    // end a.h\n#line 2 \"top/root.h\"\n\n#include <stdio.h> // skipped\n#  include \"a.h\"\nint end;\n";
    assert_eq!(
        fs::read_to_string(folder.path().join("out.h")).unwrap(),
        expected
    );
}

#[test]
fn python_says_so_when_asked_for_more() {
    let output = run("python3", Path::new("."), &["setup.py"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("install python 3.4 or later"));
}

#[test]
fn perl_fills_in_a_template() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in"), "@one@ and @two@\n@other@ @one@\n").unwrap();
    let arguments = [
        "-p",
        "-e",
        r"s/\@one\@/#define X\n#define Y\n/g;",
        "-e",
        r"s/\@two\@//g;",
        "in",
    ];
    let output = run("perl", folder.path(), &arguments);
    let expected = "#define X\n#define Y\n and \n@other@ #define X\n#define Y\n\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}
