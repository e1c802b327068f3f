use super::machine::OPERATIONS;
use std::collections::BTreeMap;

use super::*;
use crate::testing::assert_contains;

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

/// The state dict of a pickle.
fn tensors(bytes: &[u8]) -> Result<BTreeMap<String, View>, String> {
    Pickle::parse(bytes)?.state_dict()
}

#[track_caller]
fn refused(bytes: &[u8], says: &str) {
    assert_contains(&tensors(bytes).expect_err("it is refused"), says);
}

#[test]
fn a_dictionary_of_tensors_is_read() {
    for (kind, numbers) in [
        ("FloatStorage", Numbers::F32),
        ("HalfStorage", Numbers::F16),
        ("BFloat16Storage", Numbers::BF16),
        ("DoubleStorage", Numbers::F64),
    ] {
        let actual = tensors(&file(&tensor(kind))).unwrap();
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
        assert_eq!(actual, BTreeMap::from([("w".to_owned(), expected)]));
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
    assert_eq!(tensors(&whole).unwrap().len(), 1);
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
        ("torch._utils", "_rebuild_qtensor"),
        ("argparse", "Namespace"),
        ("numpy.core.multiarray", "_reconstruct"),
        ("__main__", "Transformer"),
        ("torch.storage", "_load_from_bytes"),
        ("torch.serialization", "load"),
        ("collections", "defaultdict"),
        ("torch", "ComplexFloatStorage"),
    ] {
        let call = [b"(", &text("echo")[..], b"tR"].concat();
        let says =
            format!("its pickle asks for {module}.{name}, which no weights need; it is refused");
        refused(&file(&[&global(module, name)[..], &call].concat()), &says);
        // STACK_GLOBAL, as protocol 4 names a function.
        let named = [&text(module)[..], &text(name), b"\x93"].concat();
        refused(&file(&[&named[..], &call].concat()), &says);
    }
}

#[test]
fn other_ways_to_call_are_refused_by_operation() {
    let pair = [text("os"), text("system")].concat();
    refused(&file(b"(ios\nsystem\n"), "the operation INST");
    refused(
        &file(&[&b"("[..], &pair, b"o"].concat()),
        "the operation OBJ",
    );
    refused(&file(b")\x81"), "the operation NEWOBJ");
    refused(&file(b"))\x92"), "the operation NEWOBJ_EX");
    refused(&file(b"\x82\x01"), "the operation EXT");
    refused(&file(b"P0\n"), "the operation PERSID");
    refused(&file(b"S'x'\n"), "the operation 0x53");
    refused(b"\x80\x01}.", "protocol 1");
}

#[test]
fn the_known_functions_take_only_what_weights_give_them() {
    let ordered = global("collections", "OrderedDict");
    refused(
        &file(&[&ordered[..], b"(K\x01tR"].concat()),
        "gives an ordered dictionary arguments that are not pairs",
    );
    refused(
        &file(&[&ordered[..], b"](K\x01e\x85R"].concat()),
        "gives an ordered dictionary arguments that are not pairs",
    );
    let parameter = global("torch._utils", "_rebuild_parameter");
    refused(
        &file(&[&parameter[..], b"(K\x01\x88tR"].concat()),
        "builds a parameter of something that is not a tensor",
    );
    let rebuild = global("torch._utils", "_rebuild_tensor_v2");
    refused(
        &file(&[&rebuild[..], b")R"].concat()),
        "builds a tensor of something that is not a storage",
    );
    refused(
        &file(&[&text("os"), &b")R"[..]].concat()),
        "calls a text, which is not a function",
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
    refused(&file(&negative), "whose sizes are not whole numbers");
}

#[test]
fn pickles_without_a_dictionary_of_tensors_are_refused() {
    refused(
        b"\x80\x02K\x01.",
        "it holds a number, not a dictionary of tensors",
    );
    refused(b"\x80\x02.", "takes more from its stack");
    refused(b"\x80\x02}K\x01u.", "closes what it has not opened");
    refused(b"\x80\x02K\x01(u.", "into what is not a dictionary");
    refused(b"\x80\x02K\x01K\x01a.", "to what is not a list");
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
fn containers_nested_without_end_need_no_depth() {
    for nested in [&b"\x85"[..], b"](", b"}K\x01"] {
        let deep = [&b"\x80\x02)"[..], &nested.repeat(500_000), b"."].concat();
        assert!(tensors(&deep).is_err());
    }
    // A dictionary that holds itself: memoised, then put under the key model.
    let cycle = [&b"\x80\x02}q\x00"[..], &text("model"), b"h\x00s."].concat();
    refused(&cycle, "it holds no tensors by name");
    refused(
        &[&b"\x80\x02"[..], &b"(".repeat(1_000_000), b"."].concat(),
        "it holds a mark",
    );
}

/// A dictionary with these entries.
fn dict(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let entries = entries.iter();
    let entries = entries.flat_map(|(key, value)| [text(key), value.clone()].concat());
    [b"}(", &entries.collect::<Vec<u8>>()[..], b"u"].concat()
}

fn checkpoint(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    [b"\x80\x02", &dict(entries)[..], b"."].concat()
}

#[test]
fn the_state_dict_of_a_checkpoint_is_found_under_its_usual_names() {
    let weights = || dict(&[("w", tensor("FloatStorage"))]);
    let moments = || dict(&[("m", tensor("FloatStorage"))]);
    for name in ["state_dict", "model_state_dict", "model", "weights"] {
        let actual = tensors(&checkpoint(&[
            ("epoch", b"K\x03".to_vec()),
            ("rate", b"G\x3f\xf0\0\0\0\0\0\0".to_vec()),
            ("seeds", b"](K\x01K\x02e".to_vec()),
            ("optimizer", moments()),
            (name, weights()),
            ("note", text("x")),
        ]));
        let names: Vec<String> = actual.unwrap().into_keys().collect();
        assert_eq!(names, ["w"], "{name}");
    }
    let inner = dict(&[("state_dict", weights())]);
    let actual = tensors(&checkpoint(&[("model", inner)])).unwrap();
    assert!(actual.contains_key("w"));
    refused(
        &checkpoint(&[("encoder", weights()), ("decoder", weights())]),
        "it holds tensors under encoder, decoder",
    );
    refused(
        &checkpoint(&[("optimizer", moments())]),
        "no tensors by name",
    );
}

#[test]
fn parameters_are_tensors_and_buffers_of_whole_numbers_are_left_out() {
    let parameter = [
        &global("torch._utils", "_rebuild_parameter")[..],
        b"(",
        &tensor("FloatStorage"),
        b"\x88",
        &global("collections", "OrderedDict"),
        b")RtR",
    ]
    .concat();
    let actual = tensors(&checkpoint(&[
        ("w", parameter),
        ("mask", tensor("BoolStorage")),
        ("ids", tensor("LongStorage")),
    ]));
    let names: Vec<String> = actual.unwrap().into_keys().collect();
    assert_eq!(names, ["w"]);
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
    assert_contains(
        &tensors(&endless).unwrap_err(),
        "more than 8000000 operations",
    );
}
