//! Every command without a terminal: what it prints, what it refuses, and the error messages.

use std::io::{BufRead, Write};
use std::process::{Command, Output, Stdio};

use crate::support::{self, argv, out, program, refuses, tutor};

fn with_input(arguments: &[&str], input: &str) -> Output {
    let state = tempfile::tempdir().unwrap();
    let mut child = program(arguments)
        .env("TRANSFORMER_TUTOR_STATE", state.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input may end before all of it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn without_a_terminal_the_contents_and_how_to_go_on_are_printed() {
    let output = tutor(&[]);
    assert!(output.status.success());
    assert!(out(&output).contains("Positional encoding") && out(&output).contains("--plain"));
}

/// Commands of `tools`.
const TOOLS: [&str; 11] = [
    "average", "bench", "bleu", "bpe", "chrf", "corpus", "pages", "params", "parity", "score",
    "weights",
];

#[test]
fn the_help_lists_the_commands_in_groups_and_the_tools_have_a_list_of_their_own() {
    let (help, tools) = (tutor(&["--help"]), tutor(&["tools", "--help"]));
    let (help, tools) = (out(&help), out(&tools));
    let is_heading = |line: &&str| line.ends_with(':') && !line.starts_with(' ');
    let headings: Vec<&str> = help.lines().filter(is_heading).collect();
    let groups = ["Learn:", "Exercise:", "Train and translate:", "Tools:"];
    assert_eq!(headings, [&groups[..], &["Options:", "Examples:"]].concat());
    for tool in TOOLS {
        let line = format!("\n  {tool} ");
        assert!(tools.contains(&line) && !help.contains(&line), "{tool}");
    }
}

#[test]
fn a_tool_without_its_group_is_answered_with_it() {
    refuses(&["params", "--list"], &["write 'tools params'"]);
}

#[test]
fn unknown_names_and_impossible_values_get_a_suggestion() {
    refuses(&["show", "atention"], &["'attention'"]);
    refuses(&["show", "3", "--set", "head=8"], &["did you mean 'heads'"]);
    refuses(
        &["show", "3", "--set", "heads=7"],
        &["d_model (512) must be divisible by the number of heads (7)"],
    );
    refuses(
        &["show", "2", "--set", "d_model=127"],
        &["64 cosines do not fit into 63 columns"],
    );
    refuses(&["show", "3", "--set", "heads=9999"], &["from 1 to 512"]);
    refuses(
        &["show", "3", "--cell", "weigths[0,0,0,0]"],
        &["did you mean 'weights'"],
    );
    refuses(
        &["show", "3", "--cell", "weights[0,0,0,11]"],
        &["weights[0, 0, 0, 10]"],
    );
    refuses(&["show", "3", "--cell", "weights"], &["NAME[I,J"]);
    refuses(
        &["show", "3", "--press", "spcae"],
        &["did you mean 'space'"],
    );
    refuses(
        &["show", "3", "--break", "no-scal"],
        &["did you mean 'no-scale'"],
    );
}

#[test]
fn the_listing_of_a_run_has_the_promised_form() {
    let output = tutor(&["show", "attention", "--json"]);
    let listing: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(listing["lesson"], "attention");
    assert_eq!(listing["knobs"]["heads"], 8);
    let steps = listing["steps"].as_array().unwrap();
    let scores = steps.iter().find(|s| s["name"] == "scores").unwrap();
    assert_eq!(scores["shape"], serde_json::json!([30, 8, 10, 11]));
    assert_eq!(scores["axes"], serde_json::json!(["b", "h", "t", "s"]));
    assert_eq!(scores["inputs"], serde_json::json!(["query", "key"]));
    assert_eq!(scores["op"], "matmul_t");
}

#[test]
fn a_cell_can_be_recomputed_from_what_is_printed() {
    for cell in ["weights[0,2,4,7]", "scores[3,1,0,2]", "context[29,7,9,63]"] {
        let output = tutor(&["show", "attention", "--json", "--cell", cell]);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let terms = json["terms"].as_array().unwrap();
        let pairs: Vec<(&str, f32)> = terms
            .iter()
            .map(|t| {
                (
                    t["role"].as_str().unwrap(),
                    t["value"].as_f64().unwrap() as f32,
                )
            })
            .collect();
        let value =
            transformer_tutor::autograd::recompute(json["formula"].as_str().unwrap(), &pairs)
                .unwrap();
        assert!(
            (value - json["value"].as_f64().unwrap()).abs() < 1e-5,
            "{json:#}"
        );
    }
}

#[test]
fn a_tensor_is_printed_with_its_shape_and_all_its_values() {
    let output = tutor(&argv(
        "show attention --set example=worked --json --tensor weights",
    ));
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["shape"], serde_json::json!([1, 1, 2, 2]));
    assert_eq!(printed["values"].as_array().unwrap().len(), 4);
}

#[test]
fn a_stage_is_drawn_into_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stage.svg");
    assert!(
        tutor(&["show", "masks", "--svg", file.to_str().unwrap()])
            .status
            .success()
    );
    let picture = std::fs::read_to_string(&file).unwrap();
    assert!(
        picture.starts_with("<svg")
            && picture.trim_end().ends_with("</svg>")
            && picture.contains("<desc")
    );
}

#[test]
fn a_negative_number_is_the_value_of_an_option() {
    let output = tutor(&["translate", "--alpha", "-0.5", "Hallo!"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn an_option_means_the_same_before_a_command_as_behind_it() {
    let drawn = |words: &[&str]| {
        let output = tutor(words);
        assert!(output.status.success(), "{words:?}");
        out(&output)
    };
    let plain = drawn(&["show", "masks", "--svg", "-"]);
    for option in [&["--theme", "dark"][..], &["--theme=dark"], &["--ascii"]] {
        let before = drawn(&[option, &["show", "masks", "--svg", "-"]].concat());
        let behind = drawn(&[&["show", "masks", "--svg", "-"], option].concat());
        assert!(before == behind && before != plain, "{option:?}");
    }
    refuses(
        &["--theme", "dark", "tools", "params"],
        &["--theme", "'params'"],
    );
    refuses(&["--lesson", "4", "lessons"], &["--lesson", "'lessons'"]);
    refuses(&["--theme", "sepia"], &["'sepia'"]);
    refuses(&["--theme", "sepia", "play", "Er"], &["'sepia'"]);
}

/// Every option and positional argument of a command that takes a model.
fn takers(command: &clap::Command, path: &str, all: &mut Vec<String>) {
    for below in command.get_subcommands() {
        takers(below, format!("{path} {}", below.get_name()).trim(), all);
    }
    let is_model = |arg: &&clap::Arg| {
        let name = arg.get_value_names().and_then(|names| names.first());
        arg.get_id() == "model" || name.is_some_and(|name| name.as_str() == "MODEL")
    };
    all.extend(
        command
            .get_arguments()
            .filter(is_model)
            .map(|_| path.to_owned()),
    );
}

#[test]
fn every_command_that_takes_a_model_knows_those_that_come_with_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    std::fs::write(path("a.de"), "Der Hund schläft.\n").unwrap();
    std::fs::write(path("a.en"), "The dog is sleeping.\n").unwrap();
    let (de, en, new) = (path("a.de"), path("a.en"), path("new"));
    let mut all = Vec::new();
    takers(&transformer_tutor::cli::command(), "", &mut all);
    all.extend(["tools weights export", "tools weights export --to marian"].map(str::to_owned));
    for command in &all {
        for model in ["everyday", "phrasebook"] {
            let out = format!("{new}-{}", command.replace(' ', "-"));
            let begun = format!("{out}-{model}");
            let words = match &**command {
                "play" => vec!["--model", model, "Der Hund schläft."],
                "translate" => vec!["--model", model, "Der Hund schläft."],
                "tools score" => vec!["--model", model, "--src", &de, "--tgt", &en],
                "evaluate" => vec!["--model", model, "--src", &de, "--ref", &en],
                "tools average" => vec!["--model", model, "--out", &out],
                "doctor" => vec![model],
                "tools weights pack" | "tools weights export" => {
                    vec![model, "--out", &out, "--force"]
                }
                "tools weights export --to marian" => vec![model, "--out", &out, "--force"],
                "train" => vec![
                    "--from",
                    model,
                    "--preset",
                    model,
                    "--src",
                    &de,
                    "--tgt",
                    &en,
                    "--valid-src",
                    &de,
                    "--valid-tgt",
                    &en,
                    "--steps",
                    "0",
                    "--out",
                    &begun,
                ],
                // It builds a program first; `tests/exercises/mine.rs` covers it.
                "mine translate" => continue,
                other => panic!("{other} takes a model: say here how"),
            };
            let words: Vec<&str> = command.split(' ').chain(words).collect();
            let output = tutor(&words);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            let has_no_use = ["tools average", "tools weights pack"].contains(&&**command);
            // The phrasebook model has no SentencePiece, and the everyday one is in Marian's format.
            let is_of_another_form = command.starts_with("tools weights export");
            if output.status.success() {
                assert!(!has_no_use, "{words:?}")
            } else {
                assert!(has_no_use || is_of_another_form, "{words:?}: {message}")
            }
            assert!(!message.contains("No such file"), "{words:?}: {message}");
        }
    }
    let exported = |model: &str, form: &str| {
        let out = path(&format!("out-{model}-{form}"));
        let output = tutor(&[
            "tools", "weights", "export", model, "--to", form, "--out", &out,
        ]);
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(exported("everyday", "marian"), (true, String::new()));
    for (form, says) in [("annotated", "Annotated Transformer"), ("marian", "Marian")] {
        let (done, message) = exported("phrasebook", form);
        assert!(!done && message.contains(says), "{message}");
    }
    let translated = tutor(&[
        "translate",
        "--model",
        &path("out-everyday-marian"),
        "Der Hund schläft.",
    ]);
    assert_eq!(
        out(&translated),
        out(&tutor(&["translate", "Der Hund schläft."]))
    );
}

#[test]
fn a_lesson_can_be_walked_through_with_prompts() {
    let input = "3\nnext\nnext\nnext\nnext\nnext\npredict\n1\n4\nlook scores\nat 0,2,4,7\nwhy\nwhy 1\nup\nup\nset heads 7\nset heads 4\nbreak 1\ndifference\nquit\n";
    let output = with_input(&["--plain"], input);
    let printed = out(&output);
    assert!(output.status.success(), "{printed}");
    for words in [
        "page 1 of ",
        "No. The queries have this shape.",
        "Yes. One score per query–key pair",
        "cell (why) for its 64 products",
        "scores[0,2,4,7] = ",
        "sum(a * b)",
        "query[0,2,4,",
        "d_model (512) must be divisible",
        "heads 4",
        "forget to divide",
    ] {
        assert!(printed.contains(words), "{words} is missing:\n{printed}");
    }
    assert!(
        !printed.contains(['│', '─', '┌', '█', '⠿']),
        "no drawing characters"
    );
}

#[test]
fn a_question_asked_with_prompts_can_be_left_and_a_number_after_why_is_a_term() {
    let input = "3\nnext\nnext\nnext\nnext\nnext\npredict\n\npredict\n4\nlook scores\nat 0,2,4,7\nwhy\n1\nset\nd_v\n32\nquit\n";
    let output = with_input(&["--plain"], input);
    let printed = out(&output);
    assert!(output.status.success(), "{printed}");
    for words in [
        "The question stays open.",
        "Yes. One score per query–key pair",
        "A term's number or a word",
        "query[0,2,4,",
        "d_v 32",
    ] {
        assert!(printed.contains(words), "{words} is missing:\n{printed}");
    }
}

#[test]
fn an_unknown_lesson_is_refused_in_one_line_and_columns_show_number_and_word_apart() {
    let output = with_input(&["--plain"], "n\nembeddings\nlook ids\nquit\n");
    let printed = out(&output);
    let refused = "There is no lesson \"n\". Type a lesson's number, 0 to 25, or q.";
    assert!(printed.contains(refused), "{printed}");
    let header = printed.lines().find(|line| line.contains("0:"));
    assert!(header.is_some_and(|line| line.contains(" 1:")), "{printed}");
}

#[test]
fn prompts_end_with_their_input() {
    let output = with_input(&["--plain"], "3\nnext\n");
    assert!(output.status.success());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(["show", "attention", "--json", "--tensor", "query"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_papers_base_is_counted_with_its_tree_and_memory() {
    let output = tutor(&["tools", "params"]);
    let printed = out(&output);
    for words in [
        "90,250,544 parameters",
        "3,152,384",
        "44,140,544 + 1,537 · V",
        "1.44 GB",
    ] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    let json = tutor(&argv("tools params --set layers=2 --set tied=true --json"));
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(
        json["total"],
        15_360_000 + 2 * (3_152_384 + 4_204_032) + 2 * 1024
    );
    refuses(
        &["tools", "params", "--set", "heads=7"],
        &["cannot be split among 7 heads"],
    );
    refuses(
        &["tools", "params", "--set", "layer=7"],
        &["did you mean 'layers'"],
    );
    refuses(&["tools", "params", "--preset", "bse"], &["'base'"]);
    refuses(
        &argv("tools params --set src_vocab=7 --set tied=true"),
        &["one table cannot serve 7"],
    );
}

#[test]
fn weights_go_to_pytorchs_names_and_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (first, model, second) = (
        path("a.safetensors"),
        path("m.safetensors"),
        path("b.safetensors"),
    );
    assert!(
        tutor(&[
            "tools", "weights", "export", "--preset", "glass", "--seed", "5", "--out", &first
        ])
        .status
        .success()
    );
    assert!(
        tutor(&[
            "tools", "weights", "import", &first, "--heads", "4", "--out", &model
        ])
        .status
        .success()
    );
    assert!(
        tutor(&["tools", "weights", "export", &model, "--out", &second])
            .status
            .success()
    );
    let bytes = |path: &str| std::fs::read(path).unwrap();
    assert_eq!(bytes(&first), bytes(&second));
    std::fs::write(path("cut.safetensors"), &bytes(&first)[..1000]).unwrap();
    refuses(
        &[
            "tools",
            "weights",
            "import",
            &path("cut.safetensors"),
            "--out",
            &model,
        ],
        &["cut.safetensors is damaged"],
    );
    refuses(
        &["tools", "weights", "import", &model, "--out", &second],
        &["model file of this program already"],
    );
    refuses(
        &["tools", "weights", "export", &first, "--out", &second],
        &["does not say what model it holds"],
    );
    refuses(
        &[
            "tools", "weights", "import", &first, "--heads", "3", "--out", &model,
        ],
        &["cannot be split among 3 heads"],
    );
}

#[test]
fn the_doctor_says_what_is_here_and_that_nothing_is_wrong() {
    let output = tutor(&["doctor"]);
    let printed = out(&output);
    assert!(output.status.success(), "{printed}");
    for word in [
        "program",
        "terminal",
        "TERM=",
        "processor",
        "BLAS",
        "kernels",
        "threads",
        "memory",
        "can be written",
        "GFLOP/s",
        "encoder_layer agrees",
        "layer_norm agrees",
        "Nothing is wrong",
        "bug report",
    ] {
        assert!(printed.contains(word), "{word}: {printed}");
    }
    assert!(!printed.contains('\u{1b}'));
    let output = tutor(&["doctor", "--json"]);
    assert!(output.status.success());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["problems"], serde_json::json!([]));
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(report["terminal"]["stdout_is_terminal"], false);
    assert!(report["product"]["gflops_one_thread"].as_f64().unwrap() > 0.0);
    assert!(report["threads"]["machine"].as_u64().unwrap() > 0);
    assert!(
        report["parity"]
            .as_array()
            .unwrap()
            .iter()
            .all(|case| case["passed"] == true)
    );
}

#[test]
fn the_doctor_explains_unwritable_progress_and_shortens_the_home_folder() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("a file");
    std::fs::write(&file, "the learner's own").unwrap();
    let with_state = |state: &std::path::Path| {
        Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
            .arg("doctor")
            .env("HOME", home.path())
            .env("TRANSFORMER_TUTOR_STATE", state)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    let output = with_state(&file.join("state"));
    let printed = out(&output);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(
        printed.contains("~/a file/state cannot be written"),
        "{printed}"
    );
    assert!(
        printed.contains("set TRANSFORMER_TUTOR_STATE to a folder that you can write"),
        "{printed}"
    );
    assert!(
        !printed.contains(&*home.path().to_string_lossy()),
        "{printed}"
    );
    let output = with_state(&home.path().join("new/state"));
    let printed = out(&output);
    assert!(
        output.status.success() && printed.contains("~/new/state: not made yet, can be written"),
        "{printed}"
    );
    assert!(!home.path().join("new").exists(), "nothing is left behind");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "the learner's own");
}

#[test]
fn the_threads_that_are_said_are_those_that_compute() {
    let begun = |threads: &str, shards: &str| {
        let run = tempfile::tempdir().unwrap();
        let folder = run.path().join("run");
        let shards = format!("shards={shards}");
        let small = [
            "steps=1",
            "layers=1",
            "d_model=16",
            "d_ff=16",
            "heads=2",
            "pairs=200",
            &shards,
        ];
        let mut arguments = vec![
            "train",
            "--out",
            folder.to_str().unwrap(),
            "--threads",
            threads,
        ];
        arguments.extend(small.iter().flat_map(|set| ["--set", set]));
        let output = tutor(&arguments);
        let printed = out(&output) + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{printed}");
        printed
    };
    let printed = begun("16", "4");
    assert!(
        printed.contains("4 threads (16 were asked for, but the batch has 4 shards)"),
        "{printed}"
    );
    assert!(begun("3", "4").contains("; 3 threads\n"));
    assert!(begun("4", "4").contains("; 4 threads (the batch has 4 shards)\n"));
    assert!(begun("1", "4").contains("; 1 thread\n"));
    let output = tutor(&argv(
        "tools bench --threads 1 --only tiny --steps 1 --short",
    ));
    assert!(out(&output).starts_with("1 thread; "), "{}", out(&output));
    let output = tutor(&["translate", "--threads", "3", "der hund schläft ."]);
    assert!(output.status.success());
    assert_eq!(
        out(&output),
        out(&tutor(&[
            "translate",
            "--threads",
            "1",
            "der hund schläft ."
        ]))
    );
}

/// Checks that a command that filters lines answers each one while its input is still open.
#[track_caller]
fn answers_while_the_input_is_open(arguments: &[&str], lines: &[&str]) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (sender, answers) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let lines = std::io::BufReader::new(stdout).lines();
        lines
            .map_while(Result::ok)
            .try_for_each(|line| sender.send(line))
    });
    for line in lines {
        writeln!(stdin, "{line}").unwrap();
        let answer = answers.recv_timeout(std::time::Duration::from_secs(120));
        if answer.is_err() {
            let _ = child.kill();
        }
        answer.unwrap_or_else(|e| panic!("{arguments:?} does not answer {line:?}: {e}"));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    let _ = reader.join();
}

#[test]
fn filters_answer_line_by_line_where_the_input_is_slow() {
    let folder = tempfile::tempdir().unwrap();
    let merges = folder.path().join("merges");
    std::fs::write(&merges, "#version: 0.2\nd e\n").unwrap();
    let lines = ["Hallo!", "Wo ist der Hund?"];
    answers_while_the_input_is_open(&["translate"], &lines);
    let merges = merges.to_string_lossy();
    answers_while_the_input_is_open(&["tools", "bpe", "apply", "--merges", &merges], &lines);
    answers_while_the_input_is_open(&["tools", "bpe", "join"], &lines);
}

#[test]
fn remarks_name_the_line_of_a_stream_and_json_has_them() {
    // More lines than one batch; lines of marks are copied.
    let lines = "…\n".repeat(300) + "Das ist ж.\n";
    let output = with_input(&["translate"], &lines);
    assert!(out(&output).starts_with(&"…\n".repeat(300)));
    let err = String::from_utf8_lossy(&output.stderr);
    let told: Vec<&str> = err.lines().collect();
    assert!(
        told.contains(&"line 301: the model does not know 'ж'"),
        "{err}"
    );
    assert!(
        told.iter().all(|line| line.starts_with("line 301: ")),
        "{err}"
    );
    let one = tutor(&["translate", "Das ist ж."]);
    assert!(String::from_utf8_lossy(&one.stderr).starts_with("the model does not know 'ж'"));
    let json = with_input(&["translate", "--json"], &lines);
    assert!(json.stderr.is_empty());
    let last = out(&json).lines().last().map(str::to_owned).unwrap();
    let last: serde_json::Value = serde_json::from_str(&last).unwrap();
    assert_eq!((&last["line"], &last["unknown"]), (&300.into(), &1.into()));
    assert_eq!(last["remarks"][0], "the model does not know 'ж'");
    for field in ["unsure", "numbers_differ", "copies_differ"] {
        assert!(last[field].is_boolean(), "{field}: {last}");
    }
}

#[test]
fn lines_before_a_damaged_one_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in");
    std::fs::write(&path, b"a@@ b\nsch\xF6n\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(["tools", "bpe", "join"])
        .stdin(std::fs::File::open(&path).unwrap())
        .output()
        .unwrap();
    assert_eq!(out(&output), "ab\n");
    support::refused(&["tools", "bpe", "join"], &output, &["line 2 is not UTF-8"]);
}

#[test]
fn bleu_of_text_in_another_form_than_its_tokenizer_expects_is_doubted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (hyp, reference) = (path("hyp"), path("ref"));
    let bleu = |hyps: &str, refs: &str, tokenize: &str| {
        std::fs::write(&hyp, hyps).unwrap();
        std::fs::write(&reference, refs).unwrap();
        let files = ["tools", "bleu", "--hyp", &hyp, "--ref", &reference];
        let output = tutor(&[&files[..], &["--tokenize", tokenize]].concat());
        assert!(output.status.success());
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        (out(&output), err)
    };
    let (_, doubt) = bleu("He sleeps .\n", "He sleeps.\n", "13a");
    assert!(
        doubt.contains("1 of 1 lines of the translations end in"),
        "{doubt}"
    );
}

#[test]
fn systems_are_compared_and_the_baseline_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let reference = file("ref", "a b c d\ne f g h\ni j k l\n");
    let base = file("base", "a b c x\ne f h g\ni j k l\n");
    let better = file("better", "a b c d\ne f g h\ni j k x\n");
    let files = ["--hyp", &base, "--hyp", &better, "--ref", &reference];
    let compared = [
        &["tools", "compare", "--metric", "bleu", "--metric", "chrf++"],
        &files[..],
    ]
    .concat();
    let lines = out(&tutor(&compared));
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], "BLEU (μ ± 95 % CI)");
    assert!(lines[1].ends_with(&base), "{lines:?}");
    assert!(
        lines[2].contains("(p = 0.") && lines[2].ends_with(&better),
        "{lines:?}"
    );
    assert!(lines[3].starts_with("nrefs:1|case:mixed|"), "{lines:?}");
    assert_eq!(lines[4], "1000 samples, seed 1");
    assert_eq!(lines[5], "chrF2++ (μ ± 95 % CI)");
    let one = ["tools", "compare", "--hyp", &base, "--ref", &reference];
    refuses(&one, &["two systems or more", "--hyp"]);
    let japanese = [
        "tools",
        "bleu",
        "--hyp",
        &base,
        "--ref",
        &reference,
        "--tokenize",
        "ja-mecab",
    ];
    refuses(&japanese, &["ja-mecab is sacreBLEU's", "choose char"]);
}

#[test]
fn codes_of_older_models_are_applied_with_another_separator() {
    let folder = tempfile::tempdir().unwrap();
    for (n, codes) in ["H u\nHu n\nHun d</w>\n", "#version: 0.1\nH u\nHu n\nn d\n"]
        .into_iter()
        .enumerate()
    {
        let merges = folder.path().join(format!("codes{n}"));
        std::fs::write(&merges, codes).unwrap();
        let merges = merges.to_string_lossy().into_owned();
        let apply = ["tools", "bpe", "apply", "--merges", &merges];
        let applied =
            |more: &[&str]| out(&with_input(&[&apply[..], more].concat(), "Hund Hunde\n"));
        assert_eq!(applied(&[]), "Hun@@ d Hun@@ d@@ e\n");
        assert_eq!(applied(&["--separator", "￭"]), "Hun￭ d Hun￭ d￭ e\n");
        assert_eq!(
            applied(&["--dropout", "1"]),
            "H@@ u@@ n@@ d H@@ u@@ n@@ d@@ e\n"
        );
    }
    let joined = with_input(&["tools", "bpe", "join", "--separator", "￭"], "Hun￭ d￭ e\n");
    assert_eq!(out(&joined), "Hunde\n");
}
