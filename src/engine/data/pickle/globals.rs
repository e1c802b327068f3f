//! The functions and constants that a pickle may name, and what they do here.

use std::rc::Rc;

use super::{Heap, Numbers, Storage, Value, View};

/// Maximum number of axes of a tensor.
const AXES: usize = 8;
/// Maximum length of a storage's key in bytes; PyTorch's keys are short numbers.
const KEY: usize = 100;

/// Names of PyTorch's data types, which checkpoints may mention.
const TYPES: [&str; 12] = [
    "float64", "float32", "float16", "bfloat16", "double", "float", "half", "int64", "int32",
    "int16", "uint8", "bool",
];

/// A function that a pickle may call.
#[derive(Clone, Copy)]
pub(super) enum Function {
    RebuildTensor,
    RebuildParameter,
    OrderedDict,
    /// `torch.Size`, a tuple of sizes.
    Size,
    /// A constructor of plain data, by the name of what it makes.
    Other(&'static str),
}

/// Value of a name. Fails for every name that weights do not need, with that name.
pub(super) fn global(module: &str, name: &str) -> Result<Value, String> {
    let storage = |numbers| Ok(Value::Kind(numbers));
    let function = |function| Ok(Value::Function(function));
    match (module, name) {
        ("torch._utils", "_rebuild_tensor" | "_rebuild_tensor_v2") => {
            function(Function::RebuildTensor)
        }
        ("torch._utils", "_rebuild_parameter" | "_rebuild_parameter_with_state") => {
            function(Function::RebuildParameter)
        }
        ("collections", "OrderedDict") => function(Function::OrderedDict),
        ("torch", "Size") => function(Function::Size),
        ("torch", "device") => function(Function::Other("a device")),
        ("builtins" | "__builtin__", "set" | "frozenset") => function(Function::Other("a set")),
        // The milestones of a learning-rate schedule.
        ("collections", "Counter") => function(Function::Other("a counter")),
        // How protocol 2 writes bytes.
        ("_codecs", "encode") => function(Function::Other("bytes")),
        ("torch", "DoubleStorage") => storage(Numbers::F64),
        ("torch", "FloatStorage") => storage(Numbers::F32),
        ("torch", "HalfStorage") => storage(Numbers::F16),
        ("torch", "BFloat16Storage") => storage(Numbers::BF16),
        ("torch", "LongStorage") => storage(Numbers::Whole(8)),
        ("torch", "IntStorage") => storage(Numbers::Whole(4)),
        ("torch", "ShortStorage") => storage(Numbers::Whole(2)),
        ("torch", "CharStorage" | "ByteStorage" | "BoolStorage") => storage(Numbers::Whole(1)),
        ("torch", name) if TYPES.contains(&name) => Ok(Value::Other("a data type")),
        _ => Err(format!(
            "its pickle asks for {module}.{name}, which no weights need; it is refused. Save a state dict of nothing but \
             tensors instead: torch.save(model.state_dict(), FILE)"
        )),
    }
}

/// Parses `('storage', kind, key, device, count)`. Before version 1.6, PyTorch added a view, which was always `None`.
pub(super) fn storage(value: &Value, heap: &Heap) -> Result<Storage, String> {
    let wrong = || "its pickle names a storage in a way that is not PyTorch's".to_owned();
    let Value::Tuple(parts) = value else {
        return Err(wrong());
    };
    let [
        Value::Text(word),
        Value::Kind(numbers),
        Value::Text(key),
        Value::Text(_),
        count,
    ] = &heap.sequences[*parts][..]
    else {
        return Err(wrong());
    };
    if &**word != "storage" || key.len() > KEY {
        return Err(wrong());
    }
    Ok(Storage {
        key: key.to_string(),
        numbers: *numbers,
        count: count.size().ok_or_else(wrong)?,
    })
}

/// Performs a call of one of the known functions.
pub(super) fn call(function: &Value, arguments: &Value, heap: &mut Heap) -> Result<Value, String> {
    let Value::Tuple(arguments_of_storage) = arguments else {
        return Err("its pickle calls a function without a tuple of arguments".to_owned());
    };
    let Value::Function(function) = function else {
        return Err(format!(
            "its pickle calls {}, which is not a function",
            function.what()
        ));
    };
    let arguments = &heap.sequences[*arguments_of_storage];
    match (function, &arguments[..]) {
        (Function::OrderedDict, []) => Ok(heap.dict(Vec::new())),
        (Function::OrderedDict, [Value::List(pairs)]) => {
            let pairs = pairs_of(*pairs, heap)?;
            Ok(heap.dict(pairs))
        }
        (Function::OrderedDict, _) => Err(
            "its pickle gives an ordered dictionary arguments that are not pairs, which is refused"
                .to_owned(),
        ),
        (Function::RebuildTensor, [Value::Storage(storage), offset, shape, strides, ..]) => {
            let wrong = || "its pickle has a tensor whose sizes are not whole numbers".to_owned();
            let view = View {
                storage: (**storage).clone(),
                offset: offset.size().ok_or_else(wrong)?,
                shape: sizes(shape, heap).ok_or_else(wrong)?,
                strides: sizes(strides, heap).ok_or_else(wrong)?,
            };
            Ok(Value::Tensor(Rc::new(view)))
        }
        (Function::RebuildTensor, _) => {
            Err("its pickle builds a tensor of something that is not a storage".to_owned())
        }
        (Function::RebuildParameter, [Value::Tensor(view), ..]) => Ok(Value::Tensor(view.clone())),
        (Function::RebuildParameter, _) => {
            Err("its pickle builds a parameter of something that is not a tensor".to_owned())
        }
        (Function::Size, [Value::Tuple(sizes) | Value::List(sizes)]) => Ok(Value::Tuple(*sizes)),
        (Function::Size, _) => Ok(Value::Tuple(*arguments_of_storage)),
        (Function::Other(what), _) => Ok(Value::Other(what)),
    }
}

/// Sizes of a tuple or of a `torch.Size`.
fn sizes(value: &Value, heap: &Heap) -> Option<Vec<usize>> {
    match value {
        Value::Tuple(parts) => {
            let parts = &heap.sequences[*parts];
            let few = parts.len() <= AXES;
            few.then(|| parts.iter().map(Value::size).collect())?
        }
        _ => None,
    }
}

/// Pairs of a list, as Python 2 gave them to an ordered dictionary.
fn pairs_of(list: usize, heap: &Heap) -> Result<Vec<(Value, Value)>, String> {
    let pair = |value: &Value| match value {
        Value::Tuple(pair) | Value::List(pair) => match &heap.sequences[*pair][..] {
            [key, value] => Some((key.clone(), value.clone())),
            _ => None,
        },
        _ => None,
    };
    let pairs: Option<Vec<_>> = heap.sequences[list].iter().map(pair).collect();
    pairs.ok_or_else(|| {
        "its pickle gives an ordered dictionary arguments that are not pairs, which is refused"
            .to_owned()
    })
}
