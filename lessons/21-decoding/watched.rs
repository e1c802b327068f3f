//! Decoding with the real cache, compared with decoding from scratch at every step, and three ways to break a cache.

use transformer_tutor::autograd::Tape;
use transformer_tutor::decode::beam::NextTokens;
use transformer_tutor::decode::cache::{Cache, CacheStats, Incremental};
use transformer_tutor::decode::next_tokens::log_softmax;
use transformer_tutor::decode::stepwise::encode;
use transformer_tutor::lesson::largest;
use transformer_tutor::lesson::models::Model;
use transformer_tutor::tensor::Tensor;

/// Maximum length of a sentence that the stage decodes.
pub const POSITIONS: usize = 64;

/// Prepares a model to decode one token at a time.
pub fn decoder(t: &Model) -> Incremental<'_> {
    Incremental::new(&t.model, &t.params, POSITIONS + 2)
}

/// A way to misuse the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Each step sees a sentence of one token, and takes it for the first.
    Position,
    /// The cache still holds the memory of the previous sentence.
    Stale,
    /// Hypotheses change places, but their cached rows do not.
    Forgotten,
}

impl Fault {
    /// Every fault, by the name of its switch.
    pub const ALL: [(&str, Self); 3] = [
        ("position", Self::Position),
        ("stale-memory", Self::Stale),
        ("forgotten-rows", Self::Forgotten),
    ];
}

/// The sentence whose memory is in a stale cache.
pub const BEFORE: &str = "Der Arzt lernt im Park .";

/// One step compared with and without the cache.
pub struct Lamp {
    /// Largest difference of a probability, over the vocabulary and the hypotheses.
    pub apart: f32,
    /// Likeliest token after the first hypothesis, with the cache and without.
    pub words: (u32, u32),
    /// Statistics of the cache after the step.
    pub stats: CacheStats,
}

/// A cache that is compared at every step; its results are used, right or wrong.
pub struct Watched<'a> {
    model: &'a Model,
    decoder: &'a Incremental<'a>,
    cache: Option<Cache>,
    fault: Option<Fault>,
    src: Vec<u32>,
    memory: Tensor,
    read: Vec<Vec<u32>>,
    /// One lamp per step.
    pub lamps: Vec<Lamp>,
}

impl<'a> Watched<'a> {
    /// Creates it with nothing read yet.
    pub fn new(
        t: &'a Model,
        decoder: &'a Incremental<'a>,
        src: &[u32],
        fault: Option<Fault>,
    ) -> Self {
        let source = match fault {
            Some(Fault::Stale) => decoder.source(&t.pipeline.source_ids(BEFORE)),
            _ => decoder.source(src),
        };
        Self {
            model: t,
            decoder,
            cache: Some(decoder.begin(&[source])),
            fault,
            src: src.to_vec(),
            memory: encode(&t.model, &t.params, src),
            read: vec![vec![]],
            lamps: vec![],
        }
    }

    fn cached(&mut self, parents: &[usize], words: &[u32]) -> (Tensor, CacheStats) {
        let mut cache = self.cache.take().expect("every step puts a cache back");
        let forgets = self.fault == Some(Fault::Forgotten) && parents.len() == cache.rows();
        if !forgets {
            cache = cache.select(parents);
        }
        if self.fault == Some(Fault::Position) {
            cache.position = 0;
        }
        let (logits, cache) = self.decoder.step(cache, words);
        let stats = cache.stats;
        self.cache = Some(cache);
        (log_softmax(logits), stats)
    }

    /// Decodes every hypothesis from its beginning in one batch, since they are equally long.
    fn anew(&self) -> Tensor {
        let t = self.model;
        let tape = Tape::eval(&t.params).fused();
        let rows = self.read.len();
        let ids = |name: &str, all: Vec<f32>, axis| {
            let shape = [rows, all.len() / rows];
            tape.ids(name, Tensor::new(&shape, all), &["b", axis])
        };
        let src = self.src.iter().map(|id| *id as f32);
        let src: Vec<f32> = (0..rows).flat_map(|_| src.clone()).collect();
        let src = ids("src", src, "s");
        let prefix = self.read.iter().flatten().map(|id| *id as f32).collect();
        let tgt = ids("tgt", prefix, "t");
        let memory = self.memory.data().repeat(rows);
        let shape = [rows, self.src.len(), self.memory.last()];
        let memory = tape.constant("memory", Tensor::new(&shape, memory), &["b", "s", "d"]);
        let (src_mask, tgt_mask) = (t.model.src_mask(&src), t.model.future_mask(&tgt));
        let hidden = t.model.decode(&memory, &src_mask, &tgt, &tgt_mask);
        let logits = t.model.generator.logits(&hidden.last_position()).value();
        log_softmax(logits.reshape(&[rows, logits.last()]))
    }
}

impl NextTokens for Watched<'_> {
    fn next(&mut self, parents: &[usize], words: &[u32]) -> Tensor {
        let longer = parents.iter().zip(words);
        let longer = longer.map(|(&p, &word)| [&self.read[p][..], &[word]].concat());
        self.read = longer.collect();
        let (cached, stats) = self.cached(parents, words);
        let anew = self.anew();
        let both = cached.data().iter().zip(anew.data());
        let apart = both.fold(0.0, |most: f32, (a, b)| most.max((a.exp() - b.exp()).abs()));
        let first = |t: &Tensor| largest(&t.data()[..t.last()]) as u32;
        self.lamps.push(Lamp {
            apart,
            words: (first(&cached), first(&anew)),
            stats,
        });
        cached
    }
}
