//! The model given to a command: the name of a built-in one, or a path.

use std::path::Path;

use crate::train::built_in::{BuiltIn, Loaded};
use crate::train::checkpoint;

/// Returns the named model, read from its folder unless it is built in.
pub fn named(path: &Path) -> anyhow::Result<Loaded> {
    match built_in(path) {
        Some(model) => Ok(Loaded::BuiltIn(model)),
        None => Ok(Loaded::Own(Box::new(checkpoint::load(path)?))),
    }
}

/// Returns the built-in model of this name. A folder of the same name can be given as `./everyday`.
pub fn built_in(path: &Path) -> Option<BuiltIn> {
    path.to_str().and_then(BuiltIn::named)
}
