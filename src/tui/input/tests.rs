use std::io::Write;

use crossterm::event::KeyEventKind;
use proptest::prelude::*;

use super::*;

/// Sequences as terminals send them.
const WELL_FORMED: &[&str] = &[
    "a",
    "Q",
    "?",
    " ",
    "ä",
    "Ä",
    "ß",
    "漢",
    "🦀",
    "\r",
    "\t",
    "\x7f",
    "\0",
    "\x01",
    "\x03",
    "\x08",
    "\n",
    "\x1a",
    "\x1c",
    "\x1f",
    "\x1ba",
    "\x1bA",
    "\x1b\r",
    "\x1bä",
    "\x1b\x7f",
    "\x1b\x02",
    // Cursor keys and those beside them, as CSI and as SS3.
    "\x1b[A",
    "\x1b[B",
    "\x1b[C",
    "\x1b[D",
    "\x1b[H",
    "\x1b[F",
    "\x1bOA",
    "\x1bOB",
    "\x1bOC",
    "\x1bOD",
    "\x1bOH",
    "\x1bOF",
    "\x1b[1~",
    "\x1b[2~",
    "\x1b[3~",
    "\x1b[4~",
    "\x1b[5~",
    "\x1b[6~",
    "\x1b[7~",
    "\x1b[8~",
    "\x1b[Z",
    // Function keys: of xterm, the VT220, the Linux console.
    "\x1bOP",
    "\x1bOQ",
    "\x1bOR",
    "\x1bOS",
    "\x1b[P",
    "\x1b[Q",
    "\x1b[S",
    "\x1b[11~",
    "\x1b[12~",
    "\x1b[13~",
    "\x1b[14~",
    "\x1b[15~",
    "\x1b[17~",
    "\x1b[18~",
    "\x1b[19~",
    "\x1b[20~",
    "\x1b[21~",
    "\x1b[23~",
    "\x1b[24~",
    "\x1b[25~",
    "\x1b[26~",
    "\x1b[28~",
    "\x1b[29~",
    "\x1b[31~",
    "\x1b[34~",
    "\x1b[[A",
    "\x1b[[C",
    "\x1b[[E",
    // Keys with modifiers.
    "\x1b[1;2A",
    "\x1b[1;3B",
    "\x1b[1;4C",
    "\x1b[1;5D",
    "\x1b[1;6H",
    "\x1b[1;7F",
    "\x1b[1;8P",
    "\x1b[1;2Q",
    "\x1b[1;5S",
    "\x1b[3;5~",
    "\x1b[5;2~",
    "\x1b[15;6~",
    "\x1b[1;5:1A",
    "\x1b[1;5:2A",
    "\x1b[1;5:3A",
    "\x1b[1;9A",
    "\x1b[2A",
    // Keys given by the numbers of their characters.
    "\x1b[97u",
    "\x1b[97;5u",
    "\x1b[27u",
    "\x1b[13;2u",
    "\x1b[9;2u",
    "\x1b[9u",
    "\x1b[127;5u",
    "\x1b[97;5:3u",
    "\x1b[228;3u",
    // The mouse: SGR, urxvt's and the oldest.
    "\x1b[<0;1;1M",
    "\x1b[<0;20;10M",
    "\x1b[<0;20;10m",
    "\x1b[<1;20;10M",
    "\x1b[<2;20;10m",
    "\x1b[<4;3;4M",
    "\x1b[<8;3;4M",
    "\x1b[<16;3;4M",
    "\x1b[<32;3;4M",
    "\x1b[<33;3;4M",
    "\x1b[<35;3;4M",
    "\x1b[<64;3;4M",
    "\x1b[<65;3;4M",
    "\x1b[<66;3;4M",
    "\x1b[<67;3;4M",
    "\x1b[<80;3;4M",
    "\x1b[<0;500;300M",
    "\x1b[32;30;40M",
    "\x1b[64;30;40M",
    "\x1b[96;30;40M",
    "\x1b[M !!",
    "\x1b[M#AB",
    "\x1b[M`CD",
    "\x1b[MC~z",
    // Focus and pastes.
    "\x1b[I",
    "\x1b[O",
    "\x1b[200~\x1b[201~",
    "\x1b[200~Der alte\nMann\x1b[A ä\x1b[201~",
];

/// Sequence that ends the comparison.
const LAST: &str = "\x1b[34;8~";

/// Records the events that crossterm reads, for the next test.
#[test]
#[ignore = "is started by the test of well-formed sequences, on a terminal"]
fn crossterm_reads() {
    let path = std::env::var_os("EVENTS").expect("the test says where to write");
    let mut file = std::fs::File::create(path).unwrap();
    crossterm::terminal::enable_raw_mode().unwrap();
    writeln!(file, "ready").unwrap();
    loop {
        let event = crossterm::event::read().unwrap();
        writeln!(file, "{event:?}").unwrap();
        if event
            == Event::Key(KeyEvent::new(
                KeyCode::F(17),
                KeyModifiers::from_bits_truncate(7),
            ))
        {
            return;
        }
    }
}

#[cfg(unix)]
#[test]
fn well_formed_sequences_are_what_crossterm_takes_them_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events");
    let pty = portable_pty::native_pty_system()
        .openpty(portable_pty::PtySize::default())
        .unwrap();
    let mut command = portable_pty::CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", "tui::input::tests::crossterm_reads", "--ignored"]);
    command.env("EVENTS", &path);
    let mut child = pty.slave.spawn_command(command).unwrap();
    drop(pty.slave);
    let mut reader = pty.master.try_clone_reader().unwrap();
    std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
    let mut writer = pty.master.take_writer().unwrap();
    let written = || std::fs::read_to_string(&path).unwrap_or_default();
    let end = Instant::now() + Duration::from_secs(60);
    while !written().starts_with("ready\n") {
        assert!(Instant::now() < end, "the other reader does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    for sequence in WELL_FORMED.iter().chain(&[LAST]) {
        writer.write_all(sequence.as_bytes()).unwrap();
        writer.flush().unwrap();
    }
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("the other reader does not end: {}", written());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let theirs: Vec<String> = written().lines().skip(1).map(str::to_owned).collect();
    let ours = events(&[&(WELL_FORMED.concat() + LAST)], false);
    let ours: Vec<String> = ours.iter().map(|event| format!("{event:?}")).collect();
    for (n, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(ours, theirs, "event {n}, of {:?}", WELL_FORMED.get(n));
    }
    assert_eq!(ours.len(), theirs.len());
}

/// Events of these parts; with `wait`, nothing comes after them.
fn events<T: AsRef<[u8]>>(parts: &[T], wait: bool) -> Vec<Event> {
    let mut decoder = Decoder::default();
    let mut events = Vec::new();
    let now = Instant::now();
    for part in parts {
        decoder.feed(part.as_ref(), now, &mut |event| events.push(event));
    }
    if wait {
        decoder.give_up(&mut |event| events.push(event));
        assert_eq!(decoder.due(), None);
    }
    events
}

fn key(code: KeyCode) -> Event {
    Event::Key(code.into())
}

#[test]
fn an_unfinished_escape_sequence_delays_no_key() {
    let help = key(KeyCode::Char('?'));
    for begun in [
        "\x1b[",
        "\x1b[<0;5",
        "\x1b[<0;5;",
        "\x1b[M",
        "\x1b[M !",
        "\x1b[1;",
        "\x1b[[",
        "\x1b]11;rgb",
        "\x1bP1$r",
    ] {
        let mut decoder = Decoder::default();
        let mut events = Vec::new();
        let now = Instant::now();
        decoder.feed(begun.as_bytes(), now, &mut |event| events.push(event));
        assert_eq!(decoder.due(), Some(now + SEQUENCE), "{begun:?}");
        decoder.give_up(&mut |event| events.push(event));
        events.retain(
            |event| !matches!(event, Event::Key(key) if key.modifiers == KeyModifiers::ALT),
        );
        decoder.feed(b"?", now, &mut |event| events.push(event));
        assert_eq!(events, std::slice::from_ref(&help), "{begun:?}");
    }
    assert_eq!(events(&[b"\xc3"], true), []);
    assert_eq!(events(&[&b"\xc3"[..], b"?"], false), [help]);
}

#[test]
fn a_lone_escape_is_the_key_and_with_a_letter_it_is_alt() {
    assert_eq!(events(&["\x1b"], true), [key(KeyCode::Esc)]);
    assert_eq!(
        events(&["\x1b\x1b"], true),
        [key(KeyCode::Esc), key(KeyCode::Esc)]
    );
    assert_eq!(events(&["\x1b", "[A"], false), [key(KeyCode::Up)]);
    let alt = |c| Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::ALT));
    assert_eq!(events(&["\x1b["], true), [alt('[')]);
    assert_eq!(events(&["\x1bq"], false), [alt('q')]);
}

#[test]
fn an_open_paste_ends_when_nothing_more_comes() {
    let pasted = |text: &str| Event::Paste(text.to_owned());
    assert_eq!(events(&["\x1b[200~Der al"], true), [pasted("Der al")]);
    assert_eq!(events(&["\x1b[200~Der\x1b[2"], true), [pasted("Der\x1b[2")]);
    let parts = ["\x1b[200~Der \x1b", "[20", "1~?"];
    assert_eq!(
        events(&parts, false),
        [pasted("Der "), key(KeyCode::Char('?'))]
    );
}

#[test]
fn a_place_of_0_is_no_place() {
    for report in [
        "\x1b[<0;0;5M",
        "\x1b[<0;5;0M",
        "\x1b[<0;0;0m",
        "\x1b[0;0R",
        "\x1b[M   ",
        "\x1b[M  !",
        "\x1b[32;0;5M",
        "\x1b[0;5;5M",
        "\x1b[<0;99999;5M",
        "\x1b[<999;5;5M",
        "\x1b[<;;M",
        "\x1b[<M",
        "\x1b[;R",
    ] {
        let decoded = events(&[report, "?"], false);
        assert_eq!(decoded, [key(KeyCode::Char('?'))], "{report:?}");
    }
}

#[test]
fn noise_before_a_sequence_does_not_take_it_along() {
    for noise in ["\x1b[<0;5", "\x1b[1;1", "\x1bO", "\x1b]0;title", "\x1b[12$"] {
        assert_eq!(
            events(&[noise, "\x1b[A"], false),
            [key(KeyCode::Up)],
            "{noise:?}"
        );
    }
    let answers = [
        "\x1b]11;rgb:0000/0000/0000\x07",
        "\x1bP1$r0m\x1b\\",
        "\x1b[?62;4c",
        "\x1b[3;7R",
        "\x1b[?1u",
        "q",
    ];
    assert_eq!(events(&answers, false), [key(KeyCode::Char('q'))]);
}

#[test]
fn an_endless_sequence_takes_bounded_memory() {
    let mut decoder = Decoder::default();
    for begun in ["\x1b[", "\x1b]", "\x1b[200~"] {
        decoder.feed(begun.as_bytes(), Instant::now(), &mut |_| {});
        for _ in 0..400 {
            decoder.feed(&[b'1'; LONGEST], Instant::now(), &mut |_| {});
        }
        assert!(decoder.rest.len() <= LONGEST);
        assert!(
            decoder
                .paste
                .as_ref()
                .is_none_or(|paste| paste.len() <= LONGEST_PASTE)
        );
        decoder.give_up(&mut |_| {});
    }
}

/// Bytes from a badly behaved terminal: noise, keys, and truncated sequences.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let sequence = (0..WELL_FORMED.len()).prop_map(|n| WELL_FORMED[n].as_bytes().to_vec());
    let cut = (0..WELL_FORMED.len(), 0_usize..8).prop_map(|(n, at)| {
        let all = WELL_FORMED[n].as_bytes();
        all[..at.min(all.len())].to_vec()
    });
    let noise = proptest::collection::vec(any::<u8>(), 0..6);
    let some = prop_oneof![sequence, cut, noise];
    proptest::collection::vec(some, 0..12).prop_map(|all| all.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn where_bytes_are_cut_does_not_matter(bytes in bytes(), cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        at.extend([0, bytes.len()]);
        at.sort_unstable();
        let parts: Vec<&[u8]> = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        prop_assert_eq!(events(&parts, true), events(&[&bytes], true));
    }

    #[test]
    fn after_anything_and_a_moment_the_next_key_is_understood(bytes in bytes()) {
        let mut decoder = Decoder::default();
        let mut last = None;
        decoder.feed(&bytes, Instant::now(), &mut |_| {});
        if decoder.due().is_some() {
            decoder.give_up(&mut |_| {});
        }
        decoder.feed(b"\x1b[A", Instant::now(), &mut |event| last = Some(event));
        prop_assert_eq!(last, Some(key(KeyCode::Up)));
    }

    #[test]
    fn well_formed_sequences_in_a_row_are_each_understood(which in proptest::collection::vec(0..WELL_FORMED.len(), 0..20)) {
        let all: Vec<&str> = which.iter().map(|&n| WELL_FORMED[n]).collect();
        let each: Vec<Event> = all.iter().flat_map(|one| events(&[one], false)).collect();
        prop_assert_eq!(events(&[all.concat()], false), each);
    }
}

#[test]
fn a_key_that_is_let_go_is_told_apart() {
    let Some(Event::Key(key)) = events(&["\x1b[1;1:3A"], false).pop() else {
        panic!("a key");
    };
    assert_eq!((key.code, key.kind), (KeyCode::Up, KeyEventKind::Release));
}
