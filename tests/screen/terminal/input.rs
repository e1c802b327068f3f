//! Incomplete and invalid escape sequences.

use std::time::Duration;

use crate::pty::Tutor;

/// Incomplete sequences.
const BEGUN: [&[u8]; 12] = [
    b"\xc3",
    b"\xf0\x9f",
    b"\x1b[",
    b"\x1b[<0;5",
    b"\x1b[<0;5;",
    b"\x1b[M",
    b"\x1b[M !",
    b"\x1b[1;",
    b"\x1bO",
    b"\x1b",
    b"\x1b]11;rgb:",
    b"\x1b[200~Der alte",
];

/// Sequences that look like a report but are invalid.
const WRONG: [&[u8]; 6] = [
    b"\x1b[<0;0;5M",
    b"\x1b[<0;5;0m",
    b"\x1b[0;0R",
    b"\x1b[M   ",
    b"\x1b[32;0;0M",
    b"\x1b[<999;99999;1M",
];

#[test]
fn half_a_sequence_holds_nothing_up_and_a_wrong_one_ends_nothing() {
    let mut tutor = Tutor::start(80, 24, &["--lesson", "masks"]);
    tutor.sees(&["Batches and masks"]);
    for bytes in BEGUN.iter().chain(&WRONG) {
        tutor.send(bytes);
        // Long enough, even on a busy machine, for the program to notice that nothing more comes.
        let pasting = bytes.starts_with(b"\x1b[200~");
        let moment = if pasting { 1_000 } else { 500 };
        std::thread::sleep(Duration::from_millis(moment));
        tutor.press("?");
        tutor.sees(&["Begin with these"]);
        tutor.press("q");
        tutor.gone("Begin with these");
    }
    tutor.press("Q");
    tutor.ended();
}

#[test]
fn a_signal_gives_the_terminal_back_in_the_middle_of_a_sequence() {
    std::thread::scope(|scope| {
        for (n, bytes) in BEGUN.iter().enumerate() {
            let test = move || {
                let mut tutor = Tutor::start(80, 24, &["--lesson", "masks"]);
                tutor.sees(&["Batches and masks"]);
                tutor.send(bytes);
                let signal = ["TERM", "HUP"][n % 2];
                tutor.signal(signal);
                let status = tutor.end();
                assert!(status.signal().is_some(), "{bytes:?}: {status:?}");
                tutor.restored();
            };
            scope.spawn(test);
        }
    });
}

#[test]
fn a_flood_of_bytes_is_lived_through() {
    let mut tutor = Tutor::start(80, 24, &["--lesson", "masks"]);
    tutor.sees(&["Batches and masks"]);
    let noise: Vec<u8> = (0..40_000_u32)
        .map(|n| [b'\x1b', b'[', b'<', 0xc3, b'M', b'5'][(n * n % 7 % 6) as usize])
        .collect();
    tutor.send(&noise);
    std::thread::sleep(Duration::from_millis(300));
    tutor.press("\x1b");
    std::thread::sleep(Duration::from_millis(300));
    tutor.press("?");
    tutor.sees(&["Begin with these"]);
    tutor.press("Q");
    tutor.ended();
}
