//! Processes that end early, late or not at all.

use super::*;

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

fn sentence(script: &str, seconds: f64) -> (String, f64) {
    let runner = Runner::new(&Workbook::at(Path::new("/"))).with_limit(seconds);
    let start = Instant::now();
    let result = runner.run(shell(script), &mut || false);
    match result {
        Some((Verdict::Stopped(sentence), _)) => (sentence, start.elapsed().as_secs_f64()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_process_that_writes_no_verdict_did_not_pass() {
    assert!(sentence("exit 0", 5.0).0.contains("it must return instead"));
    assert!(sentence("kill -SEGV $$", 5.0).0.contains("signal 11"));
}

#[test]
fn a_stubborn_process_and_its_children_are_ended() {
    let (sentence, seconds) = sentence("sleep 60 & trap '' TERM; sleep 60", -1.9);
    assert!(sentence.contains("did not end"), "{sentence}");
    // The sleeping child holds the pipes, so reading them to the end would take long if it were still running.
    assert!(seconds < 2.0, "{seconds}");
}

#[test]
fn an_interrupted_check_has_no_report() {
    let runner = Runner::new(&Workbook::at(Path::new("/")));
    let mut asked = 0;
    let result = runner.run(shell("sleep 60"), &mut || {
        asked += 1;
        asked > 3
    });
    assert!(result.is_none());
}

/// Hands over a verdict as a learner's process does.
const PASS: &str = r#"word=$(head -c 32); printf '%s"passed"' "$word" >&0"#;

#[test]
fn a_flood_is_cut_and_the_verdict_still_read() {
    let script = format!("{PASS}; yes | head -c 3000000");
    let runner = Runner::new(&Workbook::at(Path::new("/")));
    let (verdict, printed) = runner
        .run(shell(&script), &mut || false)
        .expect("not interrupted");
    assert_eq!(verdict, Verdict::Passed);
    assert!(printed.len() < LEARNER_OUTPUT + 100 && printed.ends_with("… and more"));
}

#[test]
fn who_does_not_know_the_word_cannot_pass() {
    for stray in [
        r#"echo '"passed"' >&0"#,
        r#"head -c 32 > /dev/null; printf '00000000000000000000000000000000"passed"' >&0"#,
        r#"echo '"passed"' > "$TRANSFORMER_TUTOR_VERDICT""#,
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let runner = Runner::new(&Workbook::at(folder.path())).with_limit(5.0);
        let result = runner.run(shell(stray), &mut || false);
        assert!(
            matches!(result, Some((Verdict::Stopped(_), _))),
            "{result:?}"
        );
    }
    assert_eq!(result_of(PASS), Verdict::Passed);
    assert_eq!(
        result_of(&format!("echo noise >&0; {PASS}")),
        Verdict::Passed
    );
}

fn result_of(script: &str) -> Verdict {
    let runner = Runner::new(&Workbook::at(Path::new("/"))).with_limit(5.0);
    let result = runner.run(shell(script), &mut || false);
    result.expect("nobody interrupts").0
}

#[test]
fn a_flood_in_place_of_a_verdict_is_cut_and_ends_in_time() {
    let (sentence, seconds) = sentence("exec cat /dev/zero >&0", -1.5);
    assert!(sentence.contains("did not end"), "{sentence}");
    assert!(seconds < 5.0, "{seconds}");
    let much = format!("{{ yes | head -c 6000000; }} >&0; {PASS}");
    assert!(matches!(result_of(&much), Verdict::Stopped(_)));
}

#[test]
fn what_a_process_leaves_behind_is_ended_though_it_passed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().join("pid");
    // The child holds none of the pipes, so nothing waits for it.
    let script = format!(
        "sleep 60 < /dev/null > /dev/null 2>&1 & echo $! > '{}'; {PASS}",
        place.display()
    );
    assert_eq!(result_of(&script), Verdict::Passed);
    let pid = std::fs::read_to_string(place).expect("the script wrote it");
    let pid = pid
        .trim()
        .parse()
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    let pid = pid.expect("a process");
    let deadline = Instant::now() + Duration::from_secs(10);
    // Its new parent may take a moment to notice that it has ended.
    while lives(pid) {
        assert!(Instant::now() < deadline, "it lives on");
        std::thread::yield_now();
    }
}

/// True if a process exists and has not ended; a zombie counts as ended.
fn lives(pid: rustix::process::Pid) -> bool {
    if Path::new("/proc/self/stat").exists() {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
        return stat.is_ok_and(|stat| !stat.contains(") Z "));
    }
    rustix::process::test_kill_process(pid).is_ok()
}

#[test]
#[cfg(target_os = "linux")]
fn the_compiler_has_a_limit_of_memory() {
    let runner = Runner::new(&Workbook::at(Path::new("/")));
    // Without a limit the loop would not end, and `late` would stop it.
    let script = "until [ \"$(ulimit -v)\" != unlimited ]; do :; done; echo \"limit $(ulimit -v)\" >&2; exit 1";
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut late = || Instant::now() > deadline;
    let built = runner.build(shell(script), "attention", &mut |_| {}, &mut late);
    let Err(Halted::Verdict(verdict)) = built else {
        panic!("{built:?}");
    };
    let Verdict::Stopped(sentence) = *verdict else {
        panic!("{verdict:?}");
    };
    let kib = sentence
        .rsplit("limit ")
        .next()
        .and_then(|kib| kib.trim().parse::<u64>().ok());
    assert!(kib.is_some_and(|kib| kib <= COMPILER >> 10), "{sentence}");
}

#[test]
fn a_compiler_that_computes_without_end_has_a_limit_that_its_sentence_names() {
    let mut runner = Runner::new(&Workbook::at(Path::new("/")));
    runner.compiling = 0.25;
    let built =
        r#"{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"transformer_tutor"}}"#;
    let script = format!("echo '{built}'; sleep 60");
    let start = Instant::now();
    let built = runner.build(shell(&script), "softmax", &mut |_| {}, &mut || false);
    let Err(Halted::Verdict(verdict)) = built else {
        panic!("{built:?}");
    };
    let stopped = matches!(*verdict, Verdict::Stopped(ref s) if s.contains("after 0.25 seconds"));
    assert!(stopped, "{verdict:?}");
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn waiting_for_another_cargo_is_told_once_and_while_it_lasts() {
    let runner = Runner::new(&Workbook::at(Path::new("/")));
    let script = "echo '    Blocking waiting for file lock on build directory' >&2; sleep 60";
    let told = std::cell::RefCell::new(Vec::new());
    let built = runner.build(
        shell(script),
        "softmax",
        &mut |phase| told.borrow_mut().push(phase),
        &mut || !told.borrow().is_empty(),
    );
    assert!(matches!(built, Err(Halted::Interrupted)), "{built:?}");
    assert_eq!(told.into_inner(), [Phase::Waiting]);
}

#[test]
fn much_output_is_told_from_a_loop_without_end() {
    let late = |script: &str| {
        let runner = Runner::new(&Workbook::at(Path::new("/"))).with_limit(0.01);
        let result = runner.run(shell(&format!("{script}; exit {LATE}")), &mut || false);
        match result.expect("nobody interrupts").0 {
            Verdict::Stopped(sentence) => sentence,
            verdict => panic!("{verdict:?}"),
        }
    };
    let (silent, loud) = (late("true"), late("seq 5000"));
    for sentence in [&silent, &loud] {
        assert!(sentence.contains("within 0.01 seconds"), "{sentence}");
    }
    assert!(
        silent.contains("loop") && !loud.contains("loop"),
        "{silent} {loud}"
    );
    assert!(loud.contains("5000 lines"), "{loud}");
    assert_eq!(sentence("sleep 60", -1.9).0, verdict::late(-1.9, Some(0)));
}

#[test]
fn the_build_joins_the_one_that_made_this_program() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let target = folder.path();
    std::fs::create_dir_all(target.join("release/.fingerprint")).expect("folders");
    assert_eq!(
        profile(&target.join("release/tutor"), *BUILT),
        ["--profile", "release"]
    );
    std::fs::write(target.join("CACHEDIR.TAG"), "").expect("a file");
    let exe = target.join("release/deps/tutor-1");
    let arguments = profile(&exe, *BUILT);
    assert_eq!(
        arguments[2..],
        ["--target-dir".into(), target.as_os_str().to_owned()]
    );
    let elsewhere = profile(&exe, target);
    assert_eq!(elsewhere, ["--profile", "release"], "it has its own folder");
    assert!(profile(Path::new("/usr/bin/tutor"), *BUILT).is_empty());
}
