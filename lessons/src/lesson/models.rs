//! The models that a learner can inspect: the built-in ones, snapshots of the learner's own run, and checkpoints on
//! disk.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use super::memo::Lazy;
use super::{Settings, progress};
use crate::autograd::{Tape, Var};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::tensor::threads::lock;
use crate::text::pipeline::Pipeline;
use crate::text::remarks::{self, Answer};
use crate::text::sentence::Sentence;
use crate::train::built_in::{BuiltIn, Loaded};
use crate::train::checkpoint::{self, Translator};
use crate::transformer::{Transformer, heads};

/// Name of the model from the learner's own run.
pub const YOURS: &str = "yours";

/// Maximum number of models from disk that stay in memory.
const KEPT: usize = 8;

/// A translation model with a description and a unique key.
pub struct Model {
    /// Description for a title: `the everyday model that comes with the program`, `update 600 of your run`.
    pub about: String,
    /// Unique cache key, so that results of one model are never shown for another.
    pub key: String,
    translator: Loaded,
}

impl Model {
    /// A model of the learner's own; `key` must be unique, even across runs.
    pub fn new(about: String, key: String, translator: Translator) -> Self {
        let translator = Loaded::Own(Box::new(translator));
        Self {
            about,
            key,
            translator,
        }
    }

    fn of(model: BuiltIn) -> Self {
        Self {
            about: model.about().to_owned(),
            key: model.name().to_owned(),
            translator: Loaded::BuiltIn(model),
        }
    }

    /// The model without the attention heads listed in `off`, see [`heads::parse`]. The error explains how to write
    /// them.
    pub fn without(self: &Arc<Self>, off: &str) -> Result<Arc<Self>, String> {
        let parsed = heads::parse(off, &self.model)?;
        if parsed.is_empty() {
            return Ok(self.clone());
        }
        let translator = Translator {
            model: Transformer::new(&mut Params::layout(), &self.model.config),
            params: heads::without(&self.params, &self.model, &parsed),
            pipeline: self.pipeline.clone(),
        };
        Ok(Arc::new(Self::new(
            format!("{} without {off}", self.about),
            format!("{} without {off}", self.key),
            translator,
        )))
    }
}

impl Deref for Model {
    type Target = Translator;

    fn deref(&self) -> &Translator {
        &self.translator
    }
}

/// What a learner should know about a sentence of which a model reads at most `most` ids, and about its translation:
/// replaced characters, and what `translate` remarks. `None` if there is nothing.
pub fn remarks(
    pipeline: &Pipeline,
    sentence: &Sentence,
    most: usize,
    answer: Option<Answer<'_>>,
) -> Option<String> {
    let remarks = remarks::sentences(&pipeline.remarks(sentence, most, answer));
    let all = sentence.spelling.remark().into_iter().chain(remarks);
    all.reduce(|all, remark| format!("{all} {remark}"))
}

/// Records one sentence's `ids` on a tape as `[1, ids]`.
pub fn sentence(tape: &Tape, name: &str, ids: &[u32], axis: &'static str) -> Var {
    let cells = ids.iter().map(|&id| id as f32).collect();
    tape.ids(name, Tensor::new(&[1, ids.len()], cells), &["b", axis])
}

/// The knob that chooses a model.
pub const MODEL: &str = "model";

/// The knob that selects an earlier checkpoint of a run.
pub const BACK: &str = "back";

/// Initial knobs of the playground when it is opened from a stage with the settings `from`: their sentence and model if
/// they have both, else the learner's run if one is `working`.
pub fn carried(from: Option<&Settings>, working: bool) -> Vec<(&'static str, String)> {
    let knobs = [MODEL, BACK, "sentence"];
    let shown = from.into_iter().flat_map(Settings::iter);
    let shared: Vec<_> = shown.filter(|(knob, _)| knobs.contains(knob)).collect();
    if shared.len() == knobs.len() {
        let owned = |(knob, value): (&'static str, &str)| (knob, value.to_owned());
        return shared.into_iter().map(owned).collect();
    }
    let yours = working.then(|| (MODEL, YOURS.to_owned()));
    yours.into_iter().collect()
}

/// Snapshots of the learner's run in this program, oldest first.
static PUBLISHED: Mutex<Vec<Arc<Model>>> = Mutex::new(Vec::new());

/// Replaces the snapshots of the learner's run; `snapshots` are oldest first.
pub fn publish(snapshots: Vec<Arc<Model>>) {
    *lock(&PUBLISHED) = snapshots;
}

/// The model selected by the knobs [`MODEL`] and [`BACK`].
pub fn chosen(settings: &Settings) -> Result<Arc<Model>, String> {
    find(settings.text("model"), settings.integer("back"))
}

/// The model `name`, `back` checkpoints before its newest. The error explains what the choices are.
pub fn find(name: &str, back: usize) -> Result<Arc<Model>, String> {
    match name {
        YOURS => {
            let live = lock(&PUBLISHED);
            if live.is_empty() {
                drop(live);
                return saved(back);
            }
            live.iter().rev().nth(back).cloned().ok_or_else(|| {
                format!(
                    "Your run has {} snapshots, so back goes up to {}.",
                    live.len(),
                    live.len() - 1
                )
            })
        }
        name => match BuiltIn::named(name) {
            Some(model) => Ok(built_in(model)),
            None => read(Path::new(name), back),
        },
    }
}

/// A built-in model, loaded on first use.
pub fn built_in(model: BuiltIn) -> Arc<Model> {
    static MODELS: [Lazy<Arc<Model>>; 2] = [
        Lazy::new(|| Arc::new(Model::of(BuiltIn::ALL[0]))),
        Lazy::new(|| Arc::new(Model::of(BuiltIn::ALL[1]))),
    ];
    let index = BuiltIn::ALL.iter().position(|one| *one == model);
    MODELS[index.expect("all of them are listed")].clone()
}

/// The most recently saved run of lesson 20, used when no run is in progress.
fn saved(back: usize) -> Result<Arc<Model>, String> {
    let runs = progress::folder().map(|folder| folder.join("training"));
    let runs = runs.and_then(|runs| std::fs::read_dir(runs).ok());
    let runs = runs.into_iter().flatten().flatten().map(|run| run.path());
    let newest = |run: PathBuf| {
        let (_, folder) = checkpoint::list(&run).pop()?;
        Some((changed(&folder)?, run))
    };
    let run = runs.filter_map(newest).max();
    let Some((_, run)) = run else {
        return Err(
            "You have no run yet. Lesson 20 trains one (r on its picture); or give the folder of a run, :model=PATH."
                .to_owned(),
        );
    };
    read(&run, back)
}

fn changed(folder: &Path) -> Option<SystemTime> {
    let weights = std::fs::metadata(folder.join("model.safetensors"));
    weights.and_then(|weights| weights.modified()).ok()
}

/// The model in a folder or, if `path` is a run, in the checkpoint `back` before its newest.
fn read(path: &Path, back: usize) -> Result<Arc<Model>, String> {
    let all = checkpoint::list(path);
    let folder = match all.len() {
        0 => checkpoint::model_folder(path).map_err(|e| format!("{e}."))?,
        n if back < n => all[n - 1 - back].1.clone(),
        n => {
            return Err(format!(
                "{} holds {n} checkpoints, so back goes up to {}.",
                path.display(),
                n - 1
            ));
        }
    };
    static READ: Mutex<Vec<Arc<Model>>> = Mutex::new(Vec::new());
    let key = format!("{} {:?}", folder.display(), changed(&folder));
    if let Some(model) = lock(&READ).iter().find(|model| model.key == key) {
        return Ok(model.clone());
    }
    let translator = checkpoint::load(&folder).map_err(|e| format!("{e}."))?;
    let about = match all.len() {
        0 => format!("the model in {}", folder.display()),
        n => format!("update {} of {}", all[n - 1 - back].0, path.display()),
    };
    let model = Arc::new(Model::new(about, key, translator));
    let mut cache = lock(&READ);
    if cache.len() == KEPT {
        cache.remove(0);
    }
    cache.push(model.clone());
    Ok(model)
}
