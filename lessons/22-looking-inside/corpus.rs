//! Results over many held-out pairs: error rates of every layer and head, and how often the explanations agree.

use std::sync::Arc;

use transformer_tutor::decode::align::{Links, alignment, error_rate};
use transformer_tutor::lesson::largest;
use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::models::Model;
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::{Body, Picture};
use transformer_tutor::text::phrasebook::Pair;
use transformer_tutor::text::pipeline::Side;
use transformer_tutor::text::vocabulary::UNK;
use transformer_tutor::transformer::heads::AttentionKind;

use super::check::TASK;
use super::seen::{self, Analysis, PAIRS, one_head, rank_correlation, row};

/// Alignment error rates over all pairs.
pub struct Errors {
    /// For each layer, the rate of the mean head, then of each head.
    pub layers: Vec<Vec<f64>>,
    /// Rate of linking every token to the source token at the same position.
    pub diagonal: f64,
    /// Rate of the mean head per layer, if each token takes the row that reads it.
    pub late: Vec<f64>,
}

impl Errors {
    /// The layer whose mean head has the lowest rate, from 0.
    pub fn best_layer(&self) -> usize {
        let mean = |layer: &usize| self.layers[*layer][0];
        let all = 0..self.layers.len();
        all.min_by(|a, b| mean(a).total_cmp(&mean(b))).unwrap_or(0)
    }
}

type Pairs = Vec<(Vec<(usize, usize)>, Vec<(usize, usize)>)>;

/// Pairs in which every word is one token of the model, so that their true links are links between tokens.
fn known(t: &Model) -> impl Iterator<Item = &'static Pair> {
    let (source, target) = (&t.pipeline.source, &t.pipeline.target);
    let words = |side: &Side, words: &[String]| {
        let ids = side.ids(&words.join(" "));
        ids.len() == words.len() && !ids.contains(&(UNK as u32))
    };
    PAIRS
        .iter()
        .filter(move |pair| words(source, &pair.german) && words(target, &pair.english))
}

transformer_tutor::weigh!(Errors: layers, late);

transformer_tutor::weigh!(Agreement);

/// Error rates of a model, measured once.
pub fn errors(t: &Model) -> Arc<Errors> {
    static MEMO: Memo<Errors> = Memo::new("looking inside: errors");
    MEMO.get(&t.key, || measure_errors(t))
}

fn measure_errors(t: &Model) -> Errors {
    let row_that_reads = TASK.with(Some("row-that-reads"));
    let (layers, heads) = (t.model.config.layers, t.model.config.heads);
    let mut predicted: Vec<Vec<Pairs>> = vec![vec![vec![]; heads + 1]; layers];
    let (mut diagonal, mut late): (Pairs, Vec<Pairs>) = (vec![], vec![vec![]; layers]);
    for pair in known(t) {
        let truth = &pair.alignment;
        let src = t.pipeline.source_ids(&pair.german.join(" "));
        let tgt = t.pipeline.target.ids(&pair.english.join(" "));
        let trace = seen::record(t, &t.params, &src, &tgt, false);
        for layer in 0..layers {
            let heads_of = seen::weights(&trace, AttentionKind::Cross, layer);
            let weights = heads_of.reshape(&heads_of.shape()[1..]);
            let linked = |links: (Links, f64)| (links.0, truth.clone());
            predicted[layer][0].push(linked(alignment(&weights, truth)));
            late[layer].push(linked(row_that_reads(&weights, truth)));
            for head in 0..heads {
                let one = one_head(heads_of, head);
                predicted[layer][head + 1].push(linked(alignment(&one, truth)));
            }
        }
        let last = pair.german.len() - 1;
        let same = (0..tgt.len()).map(|t| (t.min(last), t)).collect();
        diagonal.push((same, truth.clone()));
    }
    let rates = |all: &Vec<Pairs>| all.iter().map(|pairs| error_rate(pairs)).collect();
    Errors {
        layers: predicted.iter().map(rates).collect(),
        diagonal: error_rate(&diagonal),
        late: rates(&late),
    }
}

/// How attention and gradient agree with leaving tokens out.
pub struct Agreement {
    /// Mean rank correlation with leaving out, for attention in the best layer and for gradient × input.
    pub attention: f64,
    pub gradient: f64,
    /// Proportion of tokens whose most attended source token is not the one whose removal costs most.
    pub attention_differs: f64,
    /// The same proportion for gradient × input.
    pub gradient_differs: f64,
    /// Number of tokens compared.
    pub words: usize,
}

/// Number of pairs compared; every token of each is left out once.
const COMPARED: usize = 15;

/// Agreement on a model, measured once.
pub fn agreement(t: &Arc<Model>) -> Arc<Agreement> {
    static MEMO: Memo<Agreement> = Memo::new("looking inside: agreement");
    MEMO.get(&t.key, || measure_agreement(t))
}

fn measure_agreement(t: &Arc<Model>) -> Agreement {
    let layer = errors(t).best_layer();
    let mut sums = [0.0; 4];
    let mut words = 0;
    for pair in known(t).take(COMPARED) {
        let seen = Analysis::new(t.clone(), &pair.german.join(" "), &[]);
        for t in 0..seen.tgt.len() {
            let left_out = row(&seen.left_out, t);
            let (attention, gradient) = (row(&seen.attention[layer], t), row(&seen.gradient, t));
            sums[0] += rank_correlation(attention, left_out);
            sums[1] += rank_correlation(gradient, left_out);
            sums[2] += f64::from(largest(attention) != largest(left_out));
            sums[3] += f64::from(largest(gradient) != largest(left_out));
            words += 1;
        }
    }
    let [attention, gradient, attention_differs, gradient_differs] =
        sums.map(|sum| sum / f64::from(words.max(1)));
    Agreement {
        attention,
        gradient,
        attention_differs,
        gradient_differs,
        words: words as usize,
    }
}

/// Both measurements as a picture that the learner starts.
pub fn picture(model: &Arc<Model>) -> Picture {
    let t = model.clone();
    Picture::drawn("errors", Body::job(move |_| measured(&t)))
}

fn measured(t: &Arc<Model>) -> Progress {
    let pairs = known(t).count();
    let drawing = |says, rows| {
        Progress::new(
            1.0,
            says,
            Body::table(&["links from", "alignment error"], rows),
        )
    };
    if pairs == 0 {
        let says = format!(
            "The true alignment is known only for the phrasebook's words, and {} has other tokens.",
            t.about
        );
        return drawing(says, vec![]);
    }
    let (errors, agreement) = (errors(t), agreement(t));
    let row = |what: String, error: f64| vec![what, format!("{error:.3}")];
    let mut rows = vec![row(
        "the word at the same position".to_owned(),
        errors.diagonal,
    )];
    for (layer, (all, late)) in errors.layers.iter().zip(&errors.late).enumerate() {
        rows.push(row(format!("cross.{layer}, mean of its heads"), all[0]));
        let heads = all[1..].iter().enumerate();
        rows.extend(heads.map(|(head, error)| row(format!("  cross.{layer}.{head}"), *error)));
        rows.push(row(format!("  cross.{layer}, one row too late"), *late));
    }
    let says = format!(
        "{pairs} held-out sentences. Over {} words, the most attended source word differs from the one that matters most when left out in {:.0} %; for gradient × input in {:.0} %.",
        agreement.words,
        100.0 * agreement.attention_differs,
        100.0 * agreement.gradient_differs
    );
    drawing(says, rows)
}
