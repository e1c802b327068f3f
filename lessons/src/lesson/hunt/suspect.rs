//! The everyday model with a fault.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::fault::{Defect, Kind};
use super::{altered, replaced};
use crate::autograd::{Tape, Trace, Var};
use crate::lesson::{SENTENCE, largest};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::text::vocabulary::{BOS, EOS};
use crate::train::built_in::BuiltIn;
use crate::train::checkpoint::Translator;
use crate::transformer::{Pass, Transformer};

/// Maximum number of tokens in a translation, because a broken model may never write the end token.
pub const MOST: usize = 24;

/// Maximum number of source tokens read.
const LONGEST: usize = 40;

/// The previous sentence, whose memory is the stale one.
const BEFORE: &str = "Ich habe keine Zeit.";

/// A model that may have a fault.
pub struct Suspect {
    /// Its layers.
    pub model: Transformer,
    /// Its weights.
    pub params: Params,
    defect: Option<Defect>,
    stale: OnceLock<Tensor>,
    usual: OnceLock<Trace>,
}

/// The everyday model that comes with the program.
pub fn everyday() -> &'static Translator {
    BuiltIn::Everyday.translator()
}

impl Suspect {
    /// The model with `defect`, or the sound model.
    pub fn new(defect: Option<&Defect>) -> Self {
        let t = everyday();
        let config = altered::config(&t.model.config, defect);
        let params = match defect {
            Some(defect) => altered::params(&t.params, &t.model, &config, defect),
            None => t.params.clone(),
        };
        Self {
            model: Transformer::new(&mut Params::layout(), &config),
            params,
            defect: defect.cloned(),
            stale: OnceLock::new(),
            usual: OnceLock::new(),
        }
    }

    /// The sound model.
    pub fn sound() -> &'static Self {
        static SOUND: OnceLock<Suspect> = OnceLock::new();
        SOUND.get_or_init(|| Self::new(None))
    }

    /// True if it has this fault.
    fn has(&self, kind: Kind) -> bool {
        self.defect.as_ref().is_some_and(|d| d.kind == kind)
    }

    /// Ids of a line from this model's tokenizer, including the end token.
    pub fn source(&self, line: &str) -> Vec<u32> {
        let pipeline = &everyday().pipeline;
        let mut ids = pipeline.sentence(line).ids;
        ids.truncate(LONGEST);
        if self.has(Kind::ShiftedIds) {
            let most = self.model.config.src_vocab as u32 - 1;
            let real = ids.iter_mut().filter(|id| **id > EOS as u32);
            real.for_each(|id| *id = (*id + 1).min(most));
        }
        ids
    }

    /// Greedy translation, including the end token if it is written. The source is encoded once; the decoder recomputes
    /// all positions for each token, because a cache would hide the influence of later tokens.
    pub fn translation(&self, src: &[u32]) -> Vec<u32> {
        let (memory, mask) = {
            let tape = self.tape(0).fused();
            let src = tape.ids("src", batch(&[src.to_vec()]), &["b", "s"]);
            let mask = self.src_mask(&src);
            if self.has(Kind::StaleMemory) {
                self.stale(&tape, 1)
            } else {
                (self.model.encode(&src, &mask), mask)
            }
        };
        let (memory, mask) = (memory.value(), mask.value());
        let mut ids = Vec::new();
        while ids.last() != Some(&(EOS as u32)) && ids.len() < MOST {
            let reads = [&[BOS as u32], &ids[..]].concat();
            let tape = self.tape(ids.len() as u64).fused();
            let memory = tape.constant("memory", memory.clone(), &["b", "s", "d"]);
            let mask = tape.constant("src_bias", mask.clone(), &["b", "", "s"]);
            let tgt = tape.ids("tgt", batch(&[reads]), &["b", "t"]);
            let tgt_mask = self.tgt_mask(&tgt);
            let hidden = self.model.decode(&memory, &mask, &tgt, &tgt_mask);
            let last = hidden.shape()[1] - 1;
            let log_probs = self.model.generator.forward(&hidden).value();
            let width = log_probs.last();
            ids.push(largest(&log_probs.data()[last * width..]) as u32);
        }
        ids
    }

    /// Recorded forward pass over `src [batch, source]` and the decoder input `tgt [batch, target]`. `draw` seeds
    /// dropout, and nothing else depends on it.
    pub fn run(&self, src: &Tensor, tgt: &Tensor, draw: u64) -> Trace {
        let tape = self.tape(draw);
        self.record(&tape, src, tgt);
        tape.trace()
    }

    /// Forward pass over the course's running sentence and its translation, which most looks read.
    pub fn usual(&self) -> &Trace {
        self.usual.get_or_init(|| Pair::usual().run(self, 0))
    }

    /// Only the log-probabilities of [`run`](Self::run), `[batch, target, words]`.
    pub fn log_probs(&self, src: &Tensor, tgt: &Tensor, draw: u64) -> Tensor {
        let tape = self.tape(draw).fused();
        self.record(&tape, src, tgt).log_probs.value()
    }

    fn tape(&self, draw: u64) -> Tape {
        let tape = if self.has(Kind::DropoutOn) {
            Tape::train(&self.params, draw + 1)
        } else {
            Tape::eval(&self.params)
        };
        replaced::functions(self.defect.as_ref(), &tape);
        tape
    }

    fn record(&self, tape: &Tape, src: &Tensor, tgt: &Tensor) -> Pass {
        let src = tape.ids("src", src.clone(), &["b", "s"]);
        let tgt = tape.ids("tgt", tgt.clone(), &["b", "t"]);
        let (src_mask, tgt_mask) = (self.src_mask(&src), self.tgt_mask(&tgt));
        let memory = self.model.encode(&src, &src_mask);
        let (read, read_mask) = if self.has(Kind::StaleMemory) {
            self.stale(tape, src.shape()[0])
        } else {
            (memory.clone(), src_mask)
        };
        let hidden = self.model.decode(&read, &read_mask, &tgt, &tgt_mask);
        let log_probs = self.model.generator.forward(&hidden);
        Pass {
            memory,
            hidden,
            log_probs,
        }
    }

    /// Memory of the previous sentence, repeated for `rows` sentences, and the mask of its tokens.
    fn stale(&self, tape: &Tape, rows: usize) -> (Var, Var) {
        let memory = self.stale.get_or_init(|| {
            let tape = self.tape(0);
            let src = tape.ids("src", batch(&[self.source(BEFORE)]), &["b", "s"]);
            self.model.encode(&src, &self.src_mask(&src)).value()
        });
        let (length, width) = (memory.shape()[1], memory.last());
        let each = Tensor::from_fn(&[rows, length, width], |i| memory.at(&[0, i[1], i[2]]));
        let mask = Tensor::zeros(&[rows, 1, length]);
        (
            tape.constant("memory", each, &["b", "s", "d"]),
            tape.constant("memory_bias", mask, &["b", "", "s"]),
        )
    }

    fn src_mask(&self, src: &Var) -> Var {
        if self.has(Kind::NoSourceMask) {
            let open = Tensor::zeros(&[src.shape()[0], 1, src.shape()[1]]);
            return src.tape().constant("src_bias", open, &["b", "", "s"]);
        }
        self.model.src_mask(src)
    }

    fn tgt_mask(&self, tgt: &Var) -> Var {
        if self.has(Kind::NoFutureMask) {
            replaced::bias(tgt.tape(), tgt.shape()[1], |_, _| true)
        } else {
            self.model.tgt_mask(tgt)
        }
    }
}

/// Stacks rows of ids of equal length: `[rows, length]`.
pub fn batch(rows: &[Vec<u32>]) -> Tensor {
    let length = rows.first().map_or(0, Vec::len);
    let cells = rows.iter().flatten().map(|&id| id as f32).collect();
    Tensor::new(&[rows.len(), length], cells)
}

/// A sentence and its translation by the sound model, on which the instruments run.
pub struct Pair {
    /// Source sentence.
    pub line: Cow<'static, str>,
    /// Decoder input: the start token and the translation without its end token.
    pub reads: Vec<u32>,
    /// Expected output: the translation with its end token.
    pub writes: Vec<u32>,
}

impl Pair {
    /// The pair of `line`.
    pub fn of(line: impl Into<Cow<'static, str>>) -> Self {
        let (line, sound) = (line.into(), Suspect::sound());
        let writes = sound.translation(&sound.source(&line));
        let reads = [&[BOS as u32], &writes[..writes.len() - 1]].concat();
        Self {
            line,
            reads,
            writes,
        }
    }

    /// The pair of the course's running sentence.
    pub fn usual() -> &'static Self {
        static USUAL: OnceLock<Pair> = OnceLock::new();
        USUAL.get_or_init(|| Self::of(SENTENCE))
    }

    /// Recorded forward pass of `suspect` over the pair.
    pub fn run(&self, suspect: &Suspect, draw: u64) -> Trace {
        let src = batch(&[suspect.source(&self.line)]);
        suspect.run(&src, &batch(std::slice::from_ref(&self.reads)), draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::lesson::models::sentence;
    use crate::nn::residual::NormPlace;
    use crate::transformer::pass;

    #[test]
    fn without_a_fault_it_is_the_model_to_the_last_bit() {
        let (t, sound, pair) = (everyday(), Suspect::sound(), Pair::usual());
        assert_eq!(t.model.config.norm_place, NormPlace::Post);
        let tape = Tape::eval(&t.params);
        let src = sentence(&tape, "src", &sound.source(SENTENCE), "s");
        let tgt = sentence(&tape, "tgt", &pair.reads, "t");
        let expected = pass(&t.model, &src, &tgt).log_probs.value();
        let trace = pair.run(sound, 0);
        assert_eq!(trace.tensor("generator.log_probs"), Some(&expected));
        assert_eq!(
            t.pipeline.target.text(&pair.writes),
            "The little dog is sleeping in the garden."
        );
    }

    #[test]
    fn the_two_models_that_are_averaged_compute_the_same_function() {
        let (t, pair) = (everyday(), Pair::usual());
        let twin = Suspect {
            params: altered::twin(&t.params, &t.model),
            ..Suspect::new(None)
        };
        let (one, other) = (pair.run(Suspect::sound(), 0), pair.run(&twin, 0));
        let last = |trace: &Trace| trace.tensor("generator.log_probs").unwrap().clone();
        for (a, b) in last(&one).data().iter().zip(last(&other).data()) {
            assert!((a - b).abs() < 1e-3, "{a} {b}");
        }
        let key = t
            .params
            .find("encoder.layers.0.self_attn.key.weight")
            .unwrap();
        assert_ne!(t.params.get(key), twin.params.get(key));
    }
}
