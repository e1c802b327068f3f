//! `doctor FILE` for files of text: sentences in one or two languages, merges, and the small files of a published model.

use std::path::Path;

use super::{Report, name_of, quoted, sentence};
use crate::data::bitext::Languages;
use crate::data::corpus::{self, Side};
use crate::data::state_dict::INDEX;
use crate::data::stored::Stored;
use crate::data::{file, pairs};
use crate::text::bpe::Bpe;
use crate::train::marian_folder::{CONFIG, VOCABULARIES};
use crate::typeset::number::grouped;

impl Report {
    /// Describes a file of text. Returns false if it is none.
    pub(super) fn text(&mut self, path: &Path) -> bool {
        if is_part(path) {
            self.is = "a part of a published model".to_owned();
            self.problem =
                Some("it is only one of a model's files; give the name of their folder".to_owned());
            return true;
        }
        if Stored::read(path).is_err() {
            return false;
        }
        if !(self.merges(path) || self.both_languages(path)) {
            self.one_language(path);
        }
        true
    }

    fn merges(&mut self, path: &Path) -> bool {
        let text = file::text(path, file::WORDS).unwrap_or_default();
        if !text.starts_with("#version:") {
            return false;
        }
        self.is = "merges of byte-pair encoding, as subword-nmt writes them".to_owned();
        match Bpe::parse(&text) {
            Ok(bpe) => {
                let count = grouped(bpe.merges().len() as u64);
                self.has.push(format!("{count} merges"));
                let path = quoted(path);
                self.uses
                    .push(format!("tools bpe apply --merges {path} < FILE"));
            }
            Err(e) => self.problem = Some(e.to_string()),
        }
        true
    }

    fn both_languages(&mut self, path: &Path) -> bool {
        let Ok(pairs) = pairs::read(path, &Languages::default()) else {
            return false;
        };
        self.is = "text in two languages".to_owned();
        let count = grouped(pairs.text.len() as u64);
        self.has.push(format!("{count} different pairs"));
        self.has.extend(pairs.remarks);
        let path = quoted(path);
        self.uses.push(format!("train --pairs {path} --out RUN"));
        true
    }

    fn one_language(&mut self, path: &Path) {
        match corpus::sentences(path, Side::Source, &Languages::default()) {
            Ok(lines) => {
                self.is = "text with one sentence per line".to_owned();
                let count = grouped(lines.text.len() as u64);
                self.has.push(format!("{count} lines"));
                self.has.extend(lines.remarks);
                let path = quoted(path);
                self.uses.extend([
                    format!("train --src {path} --tgt TRANSLATION --out RUN"),
                    format!("translate < {path}"),
                ]);
            }
            Err(e) => {
                self.is = "a file that cannot be used".to_owned();
                self.problem = Some(sentence(&e.into()));
            }
        }
    }
}

/// True for the names of the JSON files that belong to a published model.
fn is_part(path: &Path) -> bool {
    let name = name_of(path);
    let known = [CONFIG, "generation_config.json", "tokenizer_config.json"];
    let mut known = known.iter().chain(&VOCABULARIES).chain(&INDEX);
    known.any(|known| *known == name)
}
