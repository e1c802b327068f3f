//! Damaged PyTorch archives: in the pickle, in the fields of the directory, or anywhere.

use flate2::Crc;

use super::mutate::{self, Random};

const HEADER: &[u8] = b"PK\x03\x04";
const ENTRY: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";

/// A directory entry: its position and the range of its bytes.
struct Entry {
    at: usize,
    header: usize,
    start: usize,
    size: usize,
}

/// A damaged copy of `example`.
pub fn damaged(example: &[u8], random: &mut Random) -> Vec<u8> {
    let mut file = example.to_vec();
    let all = entries(&file);
    match random.below(8) {
        0..=3 => {
            let pickle = all
                .iter()
                .min_by_key(|entry| entry.start)
                .expect("it has entries");
            for _ in 0..=random.below(3) {
                let range = pickle.start..pickle.start + pickle.size;
                mutate::in_place(&mut file[range], random);
            }
            if random.below(2) == 0 {
                sum(&mut file, pickle);
            }
        }
        4 | 5 => {
            let entry = random.one(&all);
            // The fields from the flags to the offset of its header.
            let at = entry.at + 8 + 2 * random.below(19);
            mutate::in_place(&mut file[at..at + 4], random);
        }
        6 => {
            let end = file.len() - 22;
            mutate::in_place(&mut file[end + 4..], random);
        }
        _ => return mutate::bytes(example, random),
    }
    file
}

fn number(file: &[u8], at: usize, width: usize) -> usize {
    let bytes = file[at..at + width].iter().rev();
    bytes.fold(0, |number, byte| number << 8 | usize::from(*byte))
}

fn entries(file: &[u8]) -> Vec<Entry> {
    let end = file.len() - 22;
    assert!(file[end..].starts_with(END), "the example has no comment");
    let (count, mut at) = (number(file, end + 10, 2), number(file, end + 16, 4));
    let one = |_| {
        assert!(file[at..].starts_with(ENTRY));
        let header = number(file, at + 42, 4);
        assert!(file[header..].starts_with(HEADER));
        let start = header + 30 + number(file, header + 26, 2) + number(file, header + 28, 2);
        let size = number(file, at + 24, 4);
        let entry = Entry {
            at,
            header,
            start,
            size,
        };
        at += 46 + number(file, at + 28, 2) + number(file, at + 30, 2) + number(file, at + 32, 2);
        entry
    };
    (0..count).map(one).collect()
}

/// Updates an entry's checksum to match its bytes.
fn sum(file: &mut [u8], entry: &Entry) {
    let mut crc = Crc::new();
    crc.update(&file[entry.start..entry.start + entry.size]);
    let sum = crc.sum().to_le_bytes();
    file[entry.at + 16..entry.at + 20].copy_from_slice(&sum);
    file[entry.header + 14..entry.header + 18].copy_from_slice(&sum);
}
