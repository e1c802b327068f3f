//! The model that a command was given: by the name of one that comes with the program, or by its place.

use std::path::Path;

use crate::train::built_in::{BuiltIn, Loaded};
use crate::train::checkpoint;

/// The model that is named, read from its folder where it does not come with the program.
pub fn named(path: &Path) -> anyhow::Result<Loaded> {
    match built_in(path) {
        Some(model) => Ok(Loaded::BuiltIn(model)),
        None => Ok(Loaded::Own(Box::new(checkpoint::load(path)?))),
    }
}

/// The built-in model of this name. A folder that is called like one is named as `./everyday`.
pub fn built_in(path: &Path) -> Option<BuiltIn> {
    path.to_str().and_then(BuiltIn::named)
}
