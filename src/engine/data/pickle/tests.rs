use super::*;

/// Operation that pushes a text.
fn text(text: &str) -> Vec<u8> {
    [
        &b"X"[..],
        &(text.len() as u32).to_le_bytes(),
        text.as_bytes(),
    ]
    .concat()
}

fn global(module: &str, name: &str) -> Vec<u8> {
    format!("c{module}\n{name}\n").into_bytes()
}

/// A storage of `count` numbers under the key 0.
fn stored(kind: &str, count: u8) -> Vec<u8> {
    [
        &b"("[..],
        &text("storage"),
        &global("torch", kind),
        &text("0"),
        &text("cpu"),
        &[b'K', count, b't', b'Q'],
    ]
    .concat()
}

/// A tensor `[2, 3]` of such a storage.
fn tensor(kind: &str) -> Vec<u8> {
    let ordered = [&global("collections", "OrderedDict")[..], b")R"].concat();
    [
        &global("torch._utils", "_rebuild_tensor_v2")[..],
        b"(",
        &stored(kind, 6),
        b"K\x00K\x02K\x03\x86K\x03K\x01\x86\x89",
        &ordered,
        b"tR",
    ]
    .concat()
}

/// A pickle of a dictionary with `value` under the key `w`.
fn file(value: &[u8]) -> Vec<u8> {
    [b"\x80\x02}(", &text("w")[..], value, b"u."].concat()
}

#[track_caller]
fn refused(bytes: &[u8], says: &str) {
    let said = tensors(bytes).expect_err("it is refused");
    assert!(said.contains(says), "{said}");
}

#[test]
fn a_dictionary_of_tensors_is_read() {
    for (kind, numbers) in [
        ("FloatStorage", Numbers::F32),
        ("HalfStorage", Numbers::F16),
        ("BFloat16Storage", Numbers::BF16),
    ] {
        let found = tensors(&file(&tensor(kind))).unwrap().0;
        let expected = View {
            storage: Storage {
                key: "0".to_owned(),
                numbers,
                count: 6,
            },
            offset: 0,
            shape: vec![2, 3],
            strides: vec![3, 1],
        };
        assert_eq!(found, BTreeMap::from([("w".to_owned(), expected)]));
    }
}

#[test]
fn a_state_dict_with_metadata_is_read_without_it() {
    // OrderedDict(), its items, then its attribute _metadata.
    let ordered = [&global("collections", "OrderedDict")[..], b")R"].concat();
    let inner = [&b"}"[..], &text("version"), b"K\x01s"].concat();
    let metadata = [&ordered[..], b"(", &text(""), &inner, b"u"].concat();
    let state = [&b"}"[..], &text("_metadata"), &metadata, b"sb."].concat();
    let whole = [
        b"\x80\x02",
        &ordered[..],
        b"(",
        &text("w"),
        &tensor("FloatStorage"),
        b"u",
        &state,
    ]
    .concat();
    assert_eq!(tensors(&whole).unwrap().0.len(), 1);
}

#[test]
fn calls_of_anything_else_are_refused_by_name() {
    for (module, name) in [
        ("os", "system"),
        ("posix", "system"),
        ("builtins", "eval"),
        ("builtins", "getattr"),
        ("__builtin__", "exec"),
        ("subprocess", "Popen"),
        ("torch", "load"),
        ("torch._utils", "_rebuild_tensor"),
        ("torch._utils", "_rebuild_parameter"),
        ("torch.storage", "_load_from_bytes"),
        ("torch.serialization", "load"),
        ("collections", "defaultdict"),
        ("torch", "IntStorage"),
    ] {
        let call = [&global(module, name)[..], b"(", &text("echo"), b"tR"].concat();
        refused(
            &file(&call),
            &format!("its pickle asks for {module}.{name}, which no weights need; it is refused"),
        );
    }
}

#[test]
fn other_ways_to_call_are_refused_by_operation() {
    let pair = [text("os"), text("system")].concat();
    refused(
        &file(&[&pair[..], b"\x93"].concat()),
        "the operation STACK_GLOBAL",
    );
    refused(&file(b"(ios\nsystem\n"), "the operation INST");
    refused(
        &file(&[&b"("[..], &pair, b"o"].concat()),
        "the operation OBJ",
    );
    refused(&file(b")\x81"), "the operation NEWOBJ");
    refused(&file(b"))\x92"), "the operation NEWOBJ_EX");
    refused(&file(b"\x82\x01"), "the operation EXT");
    refused(&file(b"P0\n"), "the operation PERSID");
    refused(&file(b"]"), "the operation EMPTY_LIST");
    refused(
        &file(b"\x95\x00\x00\x00\x00\x00\x00\x00\x00"),
        "the operation 0x95",
    );
    refused(b"\x80\x04}.", "protocol 4");
}

#[test]
fn the_known_functions_take_only_what_weights_give_them() {
    let ordered = global("collections", "OrderedDict");
    refused(
        &file(&[&ordered[..], b"(K\x01tR"].concat()),
        "gives an ordered dictionary arguments",
    );
    let rebuild = global("torch._utils", "_rebuild_tensor_v2");
    refused(
        &file(&[&rebuild[..], b")R"].concat()),
        "builds a tensor of something that is no storage",
    );
    refused(
        &file(&[&text("os"), &b")R"[..]].concat()),
        "calls a text, which is no function",
    );
    refused(&file(b"K\x01K\x02R"), "without a tuple");
    refused(
        &file(&[&tensor("FloatStorage")[..], b"}b"].concat()),
        "builds an object from a dictionary",
    );
    refused(
        &file(b"(K\x01tQ"),
        "names a storage in a way that is not PyTorch's",
    );
    let negative = tensor("FloatStorage");
    let at = negative
        .windows(4)
        .position(|w| w == b"K\x02K\x03")
        .unwrap();
    let negative = [&negative[..at], b"J\xff\xff\xff\xff", &negative[at + 2..]].concat();
    refused(&file(&negative), "whose sizes are no whole numbers");
}

#[test]
fn what_is_no_dictionary_of_tensors_is_refused() {
    refused(
        b"\x80\x02K\x01.",
        "it holds a number, not a dictionary of tensors",
    );
    refused(b"\x80\x02.", "takes more from its stack");
    refused(b"\x80\x02}K\x01u.", "closes what it has not opened");
    refused(b"\x80\x02K\x01(u.", "into what is no dictionary");
    refused(b"\x80\x02}(K\x01u.", "a key without a value");
    refused(b"\x80\x02h\x05.", "recalls what it has not remembered");
    refused(b"\x80\x02q\x00.", "remembers what is not there");
    let twice = [&text("w")[..], &tensor("FloatStorage")].concat();
    refused(
        &[b"\x80\x02}(", &twice[..], &twice, b"u."].concat(),
        "the tensor w twice",
    );
}

#[test]
fn tuples_nested_without_end_are_refused() {
    let deep = [&b"\x80\x02)"[..], &b"\x85".repeat(1_000_000), b"."].concat();
    refused(&deep, "nests tuples deeper than tensors need");
    // Marks need memory, but no depth.
    refused(
        &[&b"\x80\x02"[..], &b"(".repeat(1_000_000), b"."].concat(),
        "it holds a mark",
    );
}

#[test]
fn a_pickle_cut_short_anywhere_is_refused() {
    let whole = file(&tensor("FloatStorage"));
    for cut in 0..whole.len() {
        assert!(tensors(&whole[..cut]).is_err(), "{cut}");
    }
    // With any byte changed, the pickle is either read or refused.
    for at in 0..whole.len() {
        for byte in 0..=255 {
            let mut changed = whole.clone();
            changed[at] = byte;
            let _ = tensors(&changed);
        }
    }
}

#[test]
fn a_pickle_of_too_many_operations_is_refused() {
    let endless = [&b"\x80\x02"[..], &b")".repeat(OPERATIONS)].concat();
    let said = tensors(&endless).unwrap_err();
    assert!(said.contains("more than 8000000 operations"), "{said}");
}
