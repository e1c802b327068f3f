use super::*;
use crate::tensor::random;
use crate::testing::assert_contains;

fn file() -> NamedTensors {
    let mut tensors = BTreeMap::new();
    tensors.insert("w".to_owned(), random::normal(&[5, 3], 0.3, 1, "w"));
    tensors.insert("b".to_owned(), random::normal(&[4], 0.3, 1, "b"));
    NamedTensors {
        metadata: HashMap::from([("a".to_owned(), "b".to_owned())]),
        tensors,
    }
}

fn refused(bytes: &[u8]) -> String {
    parse(Path::new("FILE"), bytes).unwrap_err().to_string()
}

#[test]
fn a_file_is_what_the_crate_writes() {
    use ::safetensors::tensor::TensorView;
    let file = file();
    let bytes: Vec<(&str, Vec<usize>, Vec<u8>)> = file
        .tensors
        .iter()
        .map(|(name, x)| {
            let bytes = x.data().iter().flat_map(|x| x.to_le_bytes()).collect();
            (name.as_str(), x.shape().to_vec(), bytes)
        })
        .collect();
    let views = bytes.iter().map(|(name, shape, bytes)| {
        let view = TensorView::new(Dtype::F32, shape.clone(), bytes);
        (*name, view.unwrap())
    });
    let theirs = ::safetensors::serialize(views, Some(file.metadata.clone())).unwrap();
    assert_eq!(to_bytes(&file), theirs);
}

#[test]
fn weights_are_read_past_masks_and_counters() {
    use ::safetensors::tensor::TensorView;
    let tensors: [(&str, Dtype, &[u8]); 5] = [
        ("a", Dtype::I64, &[7; 8]),
        ("b", Dtype::F32, &[0, 0, 128, 63]),
        ("c", Dtype::F32, &[0, 0, 0, 64]),
        ("d", Dtype::U8, &[3]),
        ("e", Dtype::BOOL, &[1]),
    ];
    let views = tensors.map(|(name, kind, bytes)| {
        let view = TensorView::new(kind, vec![1], bytes);
        (name, view.unwrap())
    });
    let bytes = ::safetensors::serialize(views, None).unwrap();
    let opened = Opened::new(Path::new("FILE"), &bytes[..], Some(bytes.len() as u64)).unwrap();
    let tensors = opened.without_whole_numbers().read().unwrap().tensors;
    let cells: Vec<(&str, &[f32])> = tensors
        .iter()
        .map(|(name, x)| (&**name, x.data()))
        .collect();
    assert_eq!(cells, [("b", &[1.0][..]), ("c", &[2.0])]);
}

#[test]
fn many_words_of_metadata_make_the_same_bytes_every_time() {
    let with = |numbers: &mut dyn Iterator<Item = usize>| {
        let mut file = file();
        file.metadata = numbers.map(|n| (n.to_string(), n.to_string())).collect();
        to_bytes(&file)
    };
    assert_eq!(with(&mut (0..40)), with(&mut (0..40).rev()));
}

#[test]
fn any_flipped_bit_of_a_sealed_file_is_noticed() {
    let sound = to_bytes(&file().sealed());
    let parsed = parse(Path::new("FILE"), &sound).unwrap();
    assert_eq!(parsed.tensors, file().tensors);
    let key = sound
        .windows(seal::KEY.len())
        .position(|part| part == seal::KEY.as_bytes())
        .unwrap();
    for at in 0..sound.len() {
        let mut hurt = sound.clone();
        hurt[at] ^= 1 << (at % 8);
        // A changed key leaves no checksum to compare, and the flipped bit is not used for anything else.
        let harmless = (key..key + seal::KEY.len()).contains(&at);
        match parse(Path::new("FILE"), &hurt) {
            Ok(parsed) => assert!(harmless && parsed.tensors == file().tensors, "byte {at}"),
            Err(e) => assert!(e.to_string().starts_with("FILE is damaged: "), "{e}"),
        }
    }
}

#[test]
fn a_file_that_is_cut_short_or_goes_on_is_refused_with_its_sizes() {
    let sound = to_bytes(&file());
    let n = sound.len();
    let message = refused(&sound[..n - 3]);
    assert_contains(
        &message,
        &format!("it has {} bytes but should have {n}", n - 3),
    );
    let longer = [&sound[..], b"x"].concat();
    assert!(refused(&longer).contains(&format!("it has {} bytes", n + 1)));
    assert!(refused(b"").contains("it has 0 bytes, too few"));
    assert!(refused(&sound[..20]).contains("its header would have"));
    // A pipe has no size to compare with.
    let opened = |bytes| Opened::new(Path::new("FILE"), bytes, None).unwrap();
    assert_contains(
        &opened(&sound[..n - 3]).read().unwrap_err(),
        "it ends within the tensor w",
    );
    assert_contains(
        &opened(&longer).read().unwrap_err(),
        "it continues after its tensors",
    );
}

#[test]
fn the_description_tells_the_shapes_before_any_number_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse");
    let size: u64 = 3 << 30;
    let header =
        format!("{{\"w\":{{\"dtype\":\"I8\",\"shape\":[{size}],\"data_offsets\":[0,{size}]}}}}");
    let start = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
    std::fs::write(&path, &start).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(start.len() as u64 + size).unwrap();
    let opened = open(&path).unwrap();
    assert_eq!(opened.shapes()["w"], [size as usize]);
}
