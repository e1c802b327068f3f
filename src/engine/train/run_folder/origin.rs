//! `corpus.json`: the text that a run learns from, recorded so that the run can be resumed.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::data::bitext::Languages;
use crate::data::{file, seal};

/// The text that a run learns from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// Files with source and target for training. If this and `pairs` are `None`, the text is the phrasebook.
    pub train: Option<(PathBuf, PathBuf)>,
    /// File with both source and target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<PathBuf>,
    /// Dictionary used in addition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dictionary: Option<PathBuf>,
    /// Files with held-out source and target.
    pub valid: Option<(PathBuf, PathBuf)>,
    /// Languages that were chosen in files with both.
    #[serde(default, skip_serializing_if = "is_default")]
    pub languages: Languages,
    /// Fingerprint of all lines, which must match when the run is resumed.
    pub fingerprint: u64,
}

fn is_default(languages: &Languages) -> bool {
    *languages == Languages::default()
}

/// Contents of `corpus.json`.
#[derive(Serialize, Deserialize)]
struct Sealed {
    #[serde(flatten)]
    origin: Origin,
    /// SHA-256 of the other fields, so that damage is not mistaken for another text. Older versions stored none.
    #[serde(default)]
    sha256: Option<String>,
}

impl Origin {
    /// Contents of its file. Fails if a path is not Unicode, which JSON cannot hold.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let sealed = Sealed {
            sha256: Some(self.sum()?),
            origin: self.clone(),
        };
        serde_json::to_string_pretty(&sealed)
    }

    fn sum(&self) -> Result<String, serde_json::Error> {
        Ok(seal::sha256(&serde_json::to_vec(self)?))
    }

    /// Reads the file. The error completes a sentence that begins with the path.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = file::text(path, file::WORDS).map_err(|e| match e.kind() {
            ErrorKind::NotFound => "is missing".to_owned(),
            _ => format!("cannot be read: {e}"),
        })?;
        let sealed: Sealed = serde_json::from_str(&text).map_err(|e| format!("is damaged: {e}"))?;
        let sum = sealed
            .origin
            .sum()
            .map_err(|e| format!("is damaged: {e}"))?;
        if sealed.sha256.is_some_and(|recorded| recorded != sum) {
            return Err(
                "is damaged: it has changed since it was written, because its SHA-256 differs"
                    .to_owned(),
            );
        }
        Ok(sealed.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_path_that_is_not_unicode_is_refused() {
        use std::os::unix::ffi::OsStringExt;
        let path = PathBuf::from(std::ffi::OsString::from_vec(vec![b'/', 0xff]));
        let origin = Origin {
            pairs: Some(path),
            ..Origin::default()
        };
        assert!(origin.to_json().is_err());
        assert!(Origin::default().to_json().is_ok());
    }
}
