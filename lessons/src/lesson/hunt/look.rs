//! A look: one use of an instrument, as the learner types it, and its finding.

use std::fmt;

use super::fault::{Kind, Subject};
use super::finding::Finding;
use super::instruments as model;
use super::suspect::{Suspect, everyday};
use super::training::Record;
use super::training_instruments as training;
use super::{files, formulas};
use crate::transformer::heads::{self, AttentionKind};

/// An instrument: its row in the table, which the order of the list decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instrument(usize);

/// What is known of an instrument.
struct Row {
    name: &'static str,
    takes: Takes,
    /// How many faults may show in its reading: 0 if it answers a single question, more if it is broad.
    breadth: u8,
    about: &'static str,
    finding: Examine,
}

/// Examines a model at the look's argument, or a training run.
pub(super) enum Examine {
    Model(fn(&Suspect, &str) -> Finding),
    Training(fn(&Record) -> Finding),
}
use Examine::{Model, Training};

/// Argument that an instrument takes after its name.
#[derive(Clone, Copy)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// A sentence; the usual one if omitted.
    Sentence,
    /// One of these, which have a name in common.
    One(&'static str, fn() -> Vec<String>),
    /// An integer from 1 to 20; 4 if omitted.
    Count,
}
use Takes::{Count, Nothing, One, Sentence};

/// Maximum number of padding tokens.
pub const MOST_PADDING: usize = 20;

/// The instrument that is offered only at level 1, because it gives away the place.
const COMPARE: &str = "compare";

const fn row(
    name: &'static str,
    takes: Takes,
    breadth: u8,
    finding: Examine,
    about: &'static str,
) -> Row {
    Row {
        name,
        takes,
        breadth,
        about,
        finding,
    }
}

/// The instruments, in the order in which they are listed.
#[rustfmt::skip]
static ROWS: [Row; 23] = [
    row("translate", Sentence, 3, Model(model::translate),
        "what the model writes, beside the sound model"),
    row("ids", Sentence, 0, Model(model::ids),
        "the tokens of a sentence, their ids, and the model's tokens with these ids"),
    row("stats", One("PART", parts), 2, Model(model::stats),
        "mean and RMS of each step of a part, beside the sound model's range over eight sentences"),
    row("attention", One("HEAD", every_head), 2, Model(model::attention),
        "the attention weights of one head"),
    row("formula", One("SUBLAYER", || Kind::NoResidual.places()), 1, Model(formulas::formulas),
        "the steps of a sublayer, computed again by their formulas"),
    row("heads", One("KIND", || AttentionKind::ALL.map(|kind| kind.name().to_owned()).to_vec()), 0, Model(model::joined),
        "which channels each head writes, in every attention of a kind"),
    row("leak", Nothing, 1, Model(model::leaks),
        "which target tokens change the prediction at each position"),
    row("padding", Count, 0, Model(model::padding),
        "whether N tokens of padding change the predictions"),
    row("order", Nothing, 0, Model(model::order),
        "what the encoder does when two source tokens are swapped"),
    row("positions", Nothing, 0, Model(model::positions),
        "which position each token was given"),
    row("source", Nothing, 0, Model(model::source),
        "whether other source tokens change the predictions"),
    row("twice", Nothing, 0, Model(model::twice),
        "the same input twice"),
    row("loss", Nothing, 3, Model(model::loss),
        "the mean loss of eight known translations, beside the sound model"),
    row("weights", One("PART", parts), 1, Model(files::weights),
        "the weights of a part, beside those in the file"),
    row(COMPARE, Nothing, 1, Model(model::compare),
        "the first step that differs from the sound model's"),
    row("curve", Nothing, 3, Training(training::curve),
        "the loss by step, beside a sound run"),
    row("batch", Nothing, 0, Training(training::batch),
        "the first sentence of a batch: what is read, what is to be said, what counts"),
    row("updates", Nothing, 0, Training(training::updates),
        "how far the weights of each part have moved"),
    row("gradients", Nothing, 0, Training(training::gradients),
        "the norm of each part's gradient that the optimizer was given, at three steps"),
    row("slopes", Nothing, 0, Training(training::slopes),
        "the gradient that the optimizer was given, beside finite differences of the loss"),
    row("rate", Nothing, 0, Training(training::rates),
        "the learning rate by step"),
    row("moments", Nothing, 0, Training(training::moments),
        "Adam's first updates and its moments, beside the definition"),
    row("write", Nothing, 0, Training(training::write),
        "what the trained model writes for sentences that it has not seen"),
];

fn parts() -> Vec<String> {
    let config = &everyday().model.config;
    let of = |stack: &'static str, layers| (0..layers).map(move |n| format!("{stack}.{n}"));
    let embeddings = ["src_embed", "tgt_embed"].map(str::to_owned).into_iter();
    let layers = of("encoder", config.encoder_layers()).chain(of("decoder", config.layers));
    let all = embeddings.chain(layers);
    all.chain(["generator".to_owned()]).collect()
}

fn every_head() -> Vec<String> {
    let heads = heads::every(&everyday().model);
    heads.iter().map(ToString::to_string).collect()
}

impl Instrument {
    /// Instruments for a subject at a level.
    pub fn of(subject: Subject, level: u8) -> Vec<Self> {
        let offered = |row: &Row| {
            let of = match row.finding {
                Model(_) => Subject::Model,
                Training(_) => Subject::Training,
            };
            of == subject && (row.name != COMPARE || level == 1)
        };
        let all = ROWS.iter().enumerate();
        all.filter(|(_, row)| offered(row))
            .map(|(n, _)| Self(n))
            .collect()
    }

    /// Kind of argument that it takes.
    pub fn takes(self) -> Takes {
        ROWS[self.0].takes
    }

    /// One-line description.
    pub fn about(self) -> &'static str {
        ROWS[self.0].about
    }

    /// How it examines its subject.
    pub(super) fn examine(self) -> &'static Examine {
        &ROWS[self.0].finding
    }
}

impl fmt::Display for Instrument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ROWS[self.0].name)
    }
}

/// One use of an instrument.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Look {
    /// The instrument used.
    pub instrument: Instrument,
    /// The instrument's argument; empty if it takes none.
    pub at: String,
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at.is_empty() {
            write!(f, "{}", self.instrument)
        } else {
            write!(f, "{} {}", self.instrument, self.at)
        }
    }
}

impl Look {
    /// A look with an instrument and its argument. The error explains which arguments are possible.
    pub fn new(instrument: Instrument, at: &str) -> Result<Self, String> {
        let at = at.trim();
        match instrument.takes() {
            Nothing if !at.is_empty() => {
                return Err(format!("'{instrument}' takes nothing after its name."));
            }
            One(what, arguments) => {
                let arguments = arguments();
                if !arguments.iter().any(|one| one == at) {
                    return Err(format!(
                        "'{instrument}' needs a {what}: {}. For example: {instrument} {}",
                        listed(&arguments),
                        arguments[0]
                    ));
                }
            }
            Count if !at.is_empty() => {
                let count = at.parse().ok().filter(|n| (1..=MOST_PADDING).contains(n));
                if count.is_none() {
                    return Err(format!(
                        "'{instrument}' takes a whole number from 1 to {MOST_PADDING}. For example: {instrument} 4"
                    ));
                }
            }
            _ => {}
        }
        let at = at.to_owned();
        Ok(Self { instrument, at })
    }

    /// How many faults may show in its reading. Of several shortest paths, the one with the narrowest looks is shown.
    pub fn breadth(&self) -> u8 {
        ROWS[self.instrument.0].breadth
    }

    /// The looks considered for a shortest path: every instrument of a subject and level with each of its arguments, or
    /// with the usual sentence.
    pub fn every(subject: Subject, level: u8) -> Vec<Self> {
        let each = |instrument: Instrument| {
            let at = match instrument.takes() {
                One(_, arguments) => arguments(),
                _ => vec![String::new()],
            };
            at.into_iter().map(move |at| Self { instrument, at })
        };
        Instrument::of(subject, level)
            .into_iter()
            .flat_map(each)
            .collect()
    }
}

/// Lists the arguments; a long list, such as that of all heads, is shortened to its first and last.
fn listed(arguments: &[String]) -> String {
    match arguments {
        [first, .., last] if arguments.len() > 12 => format!("{first} to {last}"),
        all => all.join(", "),
    }
}
