use super::*;
use crate::testing::{assert_contains, assert_starts_with};

/// An entry of an archive, and what the directory claims about it.
struct Entry<'a> {
    name: &'a str,
    bytes: Vec<u8>,
    method: u16,
    flags: u16,
    crc: u32,
}

fn entry(name: &str, bytes: Vec<u8>) -> Entry<'_> {
    let crc = crc32fast::hash(&bytes);
    Entry {
        name,
        bytes,
        method: 0,
        flags: 0,
        crc,
    }
}

/// A zip file as PyTorch writes it.
fn archive(entries: &[Entry<'_>]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for e in entries {
        let (size, start) = (
            (e.bytes.len() as u32).to_le_bytes(),
            (out.len() as u32).to_le_bytes(),
        );
        let length = (e.name.len() as u16).to_le_bytes();
        let common = [
            &e.flags.to_le_bytes()[..],
            &e.method.to_le_bytes(),
            &[0; 4],
            &e.crc.to_le_bytes(),
            &size,
            &size,
            &length,
        ]
        .concat();
        out.extend(
            [
                &b"PK\x03\x04\x00\x00"[..],
                &common,
                &[0; 2],
                e.name.as_bytes(),
                &e.bytes,
            ]
            .concat(),
        );
        directory.extend(
            [
                &b"PK\x01\x02\x00\x00\x00\x00"[..],
                &common,
                &[0; 12],
                &start,
                e.name.as_bytes(),
            ]
            .concat(),
        );
    }
    let (count, start) = (
        (entries.len() as u16).to_le_bytes(),
        (out.len() as u32).to_le_bytes(),
    );
    let size = (directory.len() as u32).to_le_bytes();
    let end = [
        &b"PK\x05\x06\x00\x00\x00\x00"[..],
        &count,
        &count,
        &size,
        &start,
        &[0; 2],
    ]
    .concat();
    [out, directory, end].concat()
}

/// A pickle of one tensor `w` with these sizes and strides, in a storage that claims to have `count` numbers.
fn pickle(kind: &str, count: u32, offset: u8, sizes: &str, strides: &str) -> Vec<u8> {
    let tuple = |text: &str| -> Vec<u8> {
        let number = |n: &str| [&b"J"[..], &n.parse::<i32>().unwrap().to_le_bytes()].concat();
        let numbers: Vec<u8> = text.split_whitespace().flat_map(number).collect();
        [b"(", &numbers[..], b"t"].concat()
    };
    let text = |text: &str| {
        [
            &b"X"[..],
            &(text.len() as u32).to_le_bytes(),
            text.as_bytes(),
        ]
        .concat()
    };
    [
        b"\x80\x02}(",
        &text("w")[..],
        b"ctorch._utils\n_rebuild_tensor_v2\n((",
        &text("storage"),
        format!("ctorch\n{kind}\n").as_bytes(),
        &text("0"),
        &text("cpu"),
        b"J",
        &count.to_le_bytes(),
        &[b't', b'Q', b'K', offset],
        &tuple(sizes),
        &tuple(strides),
        b"\x89ccollections\nOrderedDict\n)RtRu.",
    ]
    .concat()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn file(pickle: Vec<u8>, data: Vec<u8>) -> Vec<u8> {
    archive(&[
        entry("m/data.pkl", pickle),
        entry("m/byteorder", b"little".to_vec()),
        entry("m/data/0", data),
    ])
}

const SIX: [f32; 6] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];

fn tensors(bytes: &[u8]) -> Result<BTreeMap<String, Tensor>, ReadError> {
    parse(Path::new("file"), bytes)
}

#[track_caller]
fn refused(bytes: &[u8], says: &str) {
    let message = parse(Path::new("DIR/pytorch_model.bin"), bytes)
        .expect_err("it is refused")
        .to_string();
    assert_starts_with(&message, "DIR/pytorch_model.bin cannot be used: ");
    assert_contains(&message, says);
}

#[test]
fn tensors_are_views_of_storages() {
    let tensor_of = |offset, sizes, strides| {
        let bytes = file(
            pickle("FloatStorage", 6, offset, sizes, strides),
            floats(&SIX),
        );
        tensors(&bytes).unwrap().remove("w").unwrap()
    };
    assert_eq!(
        tensor_of(0, "2 3", "3 1"),
        Tensor::new(&[2, 3], SIX.to_vec())
    );
    assert_eq!(
        tensor_of(0, "3 2", "1 3"),
        Tensor::new(&[3, 2], vec![0.0, 3.0, 1.0, 4.0, 2.0, 5.0])
    );
    assert_eq!(
        tensor_of(2, "3", "1"),
        Tensor::new(&[3], vec![2.0, 3.0, 4.0])
    );
    assert_eq!(tensor_of(5, "", ""), Tensor::new(&[], vec![5.0]));
    assert_eq!(tensor_of(0, "0 3", "3 1"), Tensor::new(&[0, 3], vec![]));
    // As `expand` leaves it.
    assert_eq!(
        tensor_of(1, "2 2", "0 3"),
        Tensor::new(&[2, 2], vec![1.0, 4.0, 1.0, 4.0])
    );
}

#[test]
fn halves_and_doubles_become_f32() {
    let bytes = |numbers: [u16; 2]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    let doubles = [1.0_f64, -2.0].iter().flat_map(|x| x.to_le_bytes());
    for (kind, data) in [
        ("HalfStorage", bytes([0x3C00, 0xC000])),
        ("BFloat16Storage", bytes([0x3F80, 0xC000])),
        ("DoubleStorage", doubles.collect::<Vec<u8>>()),
    ] {
        let file = file(pickle(kind, 2, 0, "2", "1"), data);
        assert_eq!(
            tensors(&file).unwrap()["w"],
            Tensor::new(&[2], vec![1.0, -2.0])
        );
    }
}

#[test]
fn sizes_that_the_data_has_not_are_refused_before_memory_is_taken() {
    let shape = |count, offset, sizes: &str, strides: &str| {
        file(
            pickle("FloatStorage", count, offset, sizes, strides),
            floats(&SIX),
        )
    };
    refused(
        &shape(7, 0, "7", "1"),
        "the tensor w needs 7 numbers, and its data has 24 bytes",
    );
    refused(&shape(6, 1, "2 3", "3 1"), "ends behind the 6 numbers");
    refused(&shape(6, 0, "2 3", "4 1"), "ends behind the 6 numbers");
    refused(
        &shape(6, 0, "2000000000 2000000000", "0 0"),
        "far more than the 6 numbers of its data",
    );
    refused(
        &shape(6, 0, "0 2000000000 2000000000 2000000000", "0 0 0 0"),
        "far more than the 6 numbers",
    );
    refused(&shape(6, 0, "2 3", "1"), "with 1 strides");
}

#[test]
fn archives_that_are_not_pytorchs_are_refused() {
    let one = || pickle("FloatStorage", 6, 0, "6", "1");
    let data = || entry("m/data/0", floats(&SIX));
    let with = |change: &dyn Fn(&mut Entry<'_>)| {
        let mut changed = data();
        change(&mut changed);
        archive(&[entry("m/data.pkl", one()), changed])
    };
    refused(
        &with(&|e| e.method = 8),
        "its entry \"m/data/0\" is compressed",
    );
    refused(&with(&|e| e.flags = 1), "is encrypted");
    refused(
        &with(&|e| e.name = "/etc/passwd"),
        "its entry \"/etc/passwd\" has a path that leads out of the archive",
    );
    refused(
        &with(&|e| e.name = "m/../../data"),
        "has a path that leads out",
    );
    refused(&with(&|e| e.name = "m\\data"), "has a path that leads out");
    refused(
        &with(&|e| e.crc ^= 1),
        "the tensor w: the entry m/data/0 is damaged: its checksum differs",
    );
    refused(
        &with(&|e| e.name = "m/data/1"),
        "the tensor w: the entry m/data/0 is missing",
    );
    refused(
        &with(&|e| e.name = "m/data.pkl"),
        "it has the entry m/data.pkl twice",
    );
    refused(&archive(&[data()]), "it holds no data.pkl");
    let big = [
        entry("m/data.pkl", one()),
        entry("m/byteorder", b"big".to_vec()),
        data(),
    ];
    refused(&archive(&big), "byteorder");
    refused(b"\x80\x02}.", "it was not written by torch.save");
    refused(
        &[SERIES, b"\x80\x02M\xe9\x03."].concat(),
        "torch.save(torch.load(FILE, weights_only=True), FILE)",
    );
    refused(
        &archive(&[entry("m/data.pkl", b"\x80\x02}.".to_vec())]),
        "it holds no tensors by name",
    );
}

#[test]
fn entries_that_share_their_bytes_are_refused() {
    // The directory lists one entry of 300 bytes three times, under different names.
    let whole = archive(&[
        entry("a", vec![0; 300]),
        entry("b", vec![]),
        entry("c", vec![]),
    ]);
    let directory = whole.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let mut bytes = whole.clone();
    for n in 1..3 {
        let at = directory + n * 47;
        bytes.copy_within(directory..directory + 46, at);
    }
    refused(&bytes, "so they overlap");
}

#[test]
fn a_file_cut_short_or_changed_anywhere_is_refused_or_read() {
    let whole = file(pickle("FloatStorage", 6, 0, "2 3", "3 1"), floats(&SIX));
    for cut in 0..whole.len() {
        assert!(tensors(&whole[..cut]).is_err(), "{cut}");
    }
    let right = tensors(&whole).unwrap();
    for at in 0..whole.len() {
        for byte in [0, 1, 0x7F, 0xFF, whole[at] ^ 1] {
            let mut changed = whole.clone();
            changed[at] = byte;
            // Everything that is read has a checksum.
            if let Ok(actual) = tensors(&changed) {
                assert_eq!(actual, right, "{at} {byte}");
            }
        }
    }
}

#[test]
fn small_files_do_not_fill_the_memory() {
    // Every one of these views repeats the same six numbers, as many times as one tensor may.
    let text = |text: &str| {
        let length = (text.len() as u32).to_le_bytes();
        [&b"X"[..], &length, text.as_bytes()].concat()
    };
    let one = pickle("FloatStorage", 6, 0, "250000", "0");
    let entry_of =
        |name: &str| [&text(name)[..], &one[4 + text("w").len()..one.len() - 2]].concat();
    let entries: Vec<u8> = (0..3).flat_map(|n| entry_of(&format!("w{n}"))).collect();
    let views = [&b"\x80\x02}("[..], &entries, b"u."].concat();
    assert!(tensors(&file(one, floats(&SIX))).is_ok());
    // Views of equal places share one tensor; these are equal.
    assert!(tensors(&file(views.clone(), floats(&SIX))).is_ok());
    let mut different = views;
    let offset = different.windows(3).rposition(|w| w == b"QK\0").unwrap();
    different[offset + 2] = 1;
    refused(
        &file(different, floats(&SIX)),
        "need more than 16 times the file's size",
    );
}
