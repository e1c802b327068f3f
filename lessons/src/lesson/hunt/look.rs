//! A look: one use of an instrument, as the learner types it, and its finding.

use std::fmt;

use super::fault::{Kind, Subject};
use super::suspect::everyday;
use crate::lesson::Body;
use crate::transformer::heads::{self, AttentionKind};

/// The instruments of the hunt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Instrument {
    Translate,
    Ids,
    Stats,
    Attention,
    Formula,
    Heads,
    Leak,
    Padding,
    Order,
    Positions,
    Source,
    Twice,
    Loss,
    Weights,
    Compare,
    Curve,
    Batch,
    Updates,
    Gradients,
    Slopes,
    Rate,
    Moments,
    Write,
}

/// Argument that an instrument takes after its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// A sentence; the usual one if omitted.
    Sentence,
    /// One of [`Instrument::arguments`].
    One(&'static str),
    /// An integer from 1 to 20; 4 if omitted.
    Count,
}

/// Maximum number of padding tokens.
pub const MOST_PADDING: usize = 20;

impl Instrument {
    /// All instruments, in the order in which they are listed.
    pub const ALL: [Self; 23] = [
        Self::Translate,
        Self::Ids,
        Self::Stats,
        Self::Attention,
        Self::Formula,
        Self::Heads,
        Self::Leak,
        Self::Padding,
        Self::Order,
        Self::Positions,
        Self::Source,
        Self::Twice,
        Self::Loss,
        Self::Weights,
        Self::Compare,
        Self::Curve,
        Self::Batch,
        Self::Updates,
        Self::Gradients,
        Self::Slopes,
        Self::Rate,
        Self::Moments,
        Self::Write,
    ];

    /// Instruments for a subject at a level.
    pub fn of(subject: Subject, level: u8) -> Vec<Self> {
        let offered = |i: &Self| i.subject() == subject && (*i != Self::Compare || level == 1);
        Self::ALL.into_iter().filter(offered).collect()
    }

    fn subject(self) -> Subject {
        match self {
            Self::Curve
            | Self::Batch
            | Self::Updates
            | Self::Gradients
            | Self::Slopes
            | Self::Rate
            | Self::Moments
            | Self::Write => Subject::Training,
            _ => Subject::Model,
        }
    }

    /// Kind of argument that it takes.
    pub fn takes(self) -> Takes {
        match self {
            Self::Translate | Self::Ids => Takes::Sentence,
            Self::Stats | Self::Weights => Takes::One("PART"),
            Self::Attention => Takes::One("HEAD"),
            Self::Heads => Takes::One("KIND"),
            Self::Formula => Takes::One("SUBLAYER"),
            Self::Padding => Takes::Count,
            _ => Takes::Nothing,
        }
    }

    /// One-line description.
    pub fn about(self) -> &'static str {
        match self {
            Self::Translate => "what the model writes, beside the sound model",
            Self::Ids => {
                "the tokens of a sentence, their ids, and the model's tokens with these ids"
            }
            Self::Stats => {
                "mean and RMS of each step of a part, beside the sound model's range over eight sentences"
            }
            Self::Attention => "the attention weights of one head",
            Self::Formula => "the steps of a sublayer, computed again by their formulas",
            Self::Heads => "which channels each head writes, in every attention of a kind",
            Self::Leak => "which target tokens change the prediction at each position",
            Self::Padding => "whether N tokens of padding change the predictions",
            Self::Order => "what the encoder does when two source tokens are swapped",
            Self::Positions => "which position each token was given",
            Self::Source => "whether other source tokens change the predictions",
            Self::Twice => "the same input twice",
            Self::Loss => "the mean loss of eight known translations, beside the sound model",
            Self::Weights => "the weights of a part, beside those in the file",
            Self::Compare => "the first step that differs from the sound model's",
            Self::Curve => "the loss by step, beside a sound run",
            Self::Batch => {
                "the first sentence of a batch: what is read, what is to be said, what counts"
            }
            Self::Updates => "how far the weights of each part have moved",
            Self::Gradients => {
                "the norm of each part's gradient that the optimizer was given, at three steps"
            }
            Self::Slopes => {
                "the gradient that the optimizer was given, beside finite differences of the loss"
            }
            Self::Rate => "the learning rate by step",
            Self::Moments => "Adam's first updates and its moments, beside the definition",
            Self::Write => "what the trained model writes for sentences that it has not seen",
        }
    }

    /// Possible arguments, for [`Takes::One`]; empty for others.
    pub fn arguments(self) -> Vec<String> {
        let model = &everyday().model;
        match self {
            Self::Stats | Self::Weights => {
                let of =
                    |stack: &'static str, layers| (0..layers).map(move |n| format!("{stack}.{n}"));
                let embeddings = ["src_embed", "tgt_embed"].map(str::to_owned).into_iter();
                let encoder = of("encoder", model.config.encoder_layers());
                let decoder = of("decoder", model.config.layers);
                let all = embeddings.chain(encoder).chain(decoder);
                all.chain(["generator".to_owned()]).collect()
            }
            Self::Attention => heads::every(model)
                .iter()
                .map(ToString::to_string)
                .collect(),
            Self::Formula => Kind::NoResidual.places(),
            Self::Heads => AttentionKind::ALL
                .map(|kind| kind.name().to_owned())
                .to_vec(),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Instrument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
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
        let arguments = instrument.arguments();
        match instrument.takes() {
            Takes::Nothing if !at.is_empty() => {
                return Err(format!("'{instrument}' takes nothing after its name."));
            }
            Takes::One(what) if !arguments.iter().any(|one| one == at) => {
                return Err(format!(
                    "'{instrument}' needs a {what}: {}. For example: {instrument} {}",
                    listed(&arguments),
                    arguments[0]
                ));
            }
            Takes::Count if !at.is_empty() => {
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

    /// How many faults may show in its reading: 0 if it answers a single question, more if it is broad. Of several
    /// shortest paths, the one with the narrowest looks is shown.
    pub fn breadth(&self) -> u8 {
        match self.instrument {
            Instrument::Stats | Instrument::Attention => 2,
            Instrument::Translate | Instrument::Loss | Instrument::Curve => 3,
            Instrument::Leak | Instrument::Weights | Instrument::Formula | Instrument::Compare => 1,
            _ => 0,
        }
    }

    /// The looks considered for a shortest path: every instrument of a subject and level with each of its arguments, or
    /// with the usual sentence.
    pub fn every(subject: Subject, level: u8) -> Vec<Self> {
        let each = |instrument: Instrument| {
            let at = match instrument.takes() {
                Takes::One(_) => instrument.arguments(),
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

/// Result of a look.
#[derive(Clone)]
pub struct Finding {
    /// Full output.
    pub text: String,
    /// What is unusual, in a few words that a learner can read off the text; [`ORDINARY`] if nothing is. Looks
    /// distinguish two faults by differing readings.
    pub reading: String,
    /// The numbers of the text as a drawing, if they can be drawn.
    pub drawing: Option<Body>,
}

/// Reading of a look that shows nothing unusual.
pub const ORDINARY: &str = "as in the sound one";

impl Finding {
    /// A finding; nothing is unusual if `reading` is `None`.
    pub fn new(text: String, reading: Option<String>) -> Self {
        let reading = reading.unwrap_or_else(|| ORDINARY.to_owned());
        Self {
            text,
            reading,
            drawing: None,
        }
    }

    /// The same finding with a drawing of its numbers.
    #[must_use]
    pub fn drawn(self, drawing: Body) -> Self {
        Self {
            drawing: Some(drawing),
            ..self
        }
    }
}
