//! Decoding one token at a time with a key-value cache: keys and values of earlier tokens are not recomputed.
//!
//! A query is needed only at its own position, but keys and values at every later one, so K and V are cached and Q is
//! not. Those of self-attention grow by one row per step; those of the memory are computed once per sentence.

use std::sync::Arc;

use super::encode::Encoder;
use super::kernel::{Packed, PackedAttention, PackedFeedForward, Seen};
use crate::params::{Param, Params};
use crate::tensor::Tensor;
use crate::text::vocabulary::{BOS, PAD};
use crate::transformer::config::{Shift, Start};
use crate::transformer::{Config, Transformer};

/// A model prepared for decoding one token at a time. It holds no state of any sentence.
pub struct Incremental<'a> {
    model: &'a Transformer,
    params: &'a Params,
    weights: Arc<PackedWeights>,
    /// Position vectors, `[positions, d_model]`.
    positions: Tensor,
}

/// The linear maps of a model, packed for few rows. They are a copy of its weights, so they are packed once rather than
/// for every sentence.
pub struct PackedWeights {
    encoder: Encoder,
    layers: Vec<PackedDecoderLayer>,
    generator: Packed,
}

/// Linear maps of a decoder layer, packed for few rows.
struct PackedDecoderLayer {
    self_attention: PackedAttention,
    cross_attention: PackedAttention,
    feed_forward: PackedFeedForward,
}

/// A source sentence as the decoder sees it: keys and values of the memory in every layer, computed once. Padding has
/// no rows.
pub struct Source {
    /// Keys and values of every layer, `[source, d_model]`.
    layers: Vec<Rows>,
    row_ids: Vec<u32>,
}

/// Keys and values, one row per position.
#[derive(Clone, Default)]
struct Rows {
    keys: Vec<f32>,
    values: Vec<f32>,
}

/// The key-value cache. A step takes it and returns it with one more row per hypothesis.
#[derive(Clone)]
pub struct Cache {
    /// Number of tokens read so far, the same for every hypothesis, and so the position of the next one.
    pub position: usize,
    /// Statistics of cost and savings.
    pub stats: CacheStats,
    /// Keys and values of self-attention in every layer. Reordering beams moves no rows: hypotheses share the rows of
    /// the tokens that they have in common.
    layers: Vec<Rows>,
    /// Rows of each hypothesis, one per position.
    row_ids: Vec<Vec<u32>>,
    /// Source sentence of each hypothesis.
    sources: Vec<Arc<Source>>,
    width: usize,
}

/// Statistics of a cache. Rows are counted for one matrix, such as W_K of one layer; the others have as many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Number of rows multiplied by the matrix.
    pub projected: u64,
    /// Number of rows read again instead. Without a cache, these would be projected again.
    pub reused: u64,
    /// Number of rows dropped with discarded hypotheses.
    pub discarded: u64,
    /// Number of source rows projected, once each, for cross-attention.
    pub source: u64,
    /// Size in bytes of all keys and values that live hypotheses refer to, including those of sources.
    pub bytes: u64,
    /// Number of floating-point operations in all steps.
    pub flops: u64,
}

impl Cache {
    /// Number of live hypotheses.
    pub fn rows(&self) -> usize {
        self.row_ids.len()
    }

    /// Returns the cache of the hypotheses `parents`, in that order. One that appears twice continues twice; one that
    /// does not appear is discarded. Panics if a hypothesis does not exist.
    #[track_caller]
    pub fn select(mut self, parents: &[usize]) -> Self {
        let same = parents.len() == self.rows() && parents.iter().enumerate().all(|(i, p)| i == *p);
        if same {
            return self;
        }
        let written = self.written();
        let before = live(&self.row_ids, written).iter().filter(|x| **x).count();
        self.row_ids = parents.iter().map(|&p| self.row_ids[p].clone()).collect();
        self.sources = parents.iter().map(|&p| self.sources[p].clone()).collect();
        let live = live(&self.row_ids, written);
        let after = live.iter().filter(|x| **x).count();
        self.stats.discarded += (before - after) as u64;
        if after * 2 < written {
            self.compact(&live);
        }
        self.stats.bytes = self.bytes(after);
        self
    }

    /// Number of rows that each matrix holds, including those of discarded hypotheses.
    fn written(&self) -> usize {
        self.layers
            .first()
            .map_or(0, |rows| rows.keys.len() / self.width)
    }

    fn bytes(&self, live: usize) -> u64 {
        let mut sources: Vec<_> = self.sources.iter().collect();
        sources.dedup_by(|a, b| Arc::ptr_eq(a, b));
        let source: usize = sources.iter().map(|source| source.row_ids.len()).sum();
        (8 * self.width * self.layers.len() * (live + source)) as u64
    }

    /// Drops the rows that no hypothesis refers to.
    fn compact(&mut self, live: &[bool]) {
        let mut moved = vec![0; live.len()];
        let kept = moved.iter_mut().zip(live).filter(|(_, live)| **live);
        for (to, (from, _)) in kept.enumerate() {
            *from = to as u32;
        }
        for row in self.row_ids.iter_mut().flatten() {
            *row = moved[*row as usize];
        }
        let width = self.width;
        let kept = |rows: &[f32]| {
            let rows = rows.chunks(width).zip(live).filter(|(_, live)| **live);
            rows.flat_map(|(row, _)| row.iter().copied()).collect()
        };
        for rows in &mut self.layers {
            (rows.keys, rows.values) = (kept(&rows.keys), kept(&rows.values));
        }
    }
}

/// Returns the vectors of a model's first `positions` positions.
fn table(config: &Config, positions: usize) -> Tensor {
    config.position_table(config.first_position + positions)
}

/// Appends a row to `x`: an embedding times `factor`, plus the vector of its position.
fn append_sum(x: &mut Vec<f32>, embedding: &[f32], factor: f32, position: &[f32]) {
    let cells = embedding.iter().zip(position);
    x.extend(cells.map(|(e, p)| e * factor + p));
}

/// Returns, for each of `written` rows, whether a hypothesis refers to it.
fn live(row_ids: &[Vec<u32>], written: usize) -> Vec<bool> {
    let mut live = vec![false; written];
    for &row in row_ids.iter().flatten() {
        live[row as usize] = true;
    }
    live
}

impl PackedWeights {
    /// Packs the linear maps of `model`.
    pub fn new(model: &Transformer, params: &Params) -> Self {
        let layers = model.decoder.layers.iter().map(|layer| PackedDecoderLayer {
            self_attention: PackedAttention::new(&layer.self_attn, params),
            cross_attention: PackedAttention::new(&layer.src_attn, params),
            feed_forward: PackedFeedForward::new(&layer.feed_forward, params),
        });
        let generator = &model.generator;
        let bias = generator.bias.map(|bias| params.get(bias));
        Self {
            encoder: Encoder::new(model, params),
            layers: layers.collect(),
            generator: Packed::new(params.get(generator.weight), bias),
        }
    }
}

impl<'a> Incremental<'a> {
    /// Packs the model's linear maps and computes the vectors of `positions` positions.
    pub fn new(model: &'a Transformer, params: &'a Params, positions: usize) -> Self {
        Self::with(
            model,
            params,
            Arc::new(PackedWeights::new(model, params)),
            positions,
        )
    }

    /// Like [`Incremental::new`], but with weights that are already packed.
    pub fn with(
        model: &'a Transformer,
        params: &'a Params,
        weights: Arc<PackedWeights>,
        positions: usize,
    ) -> Self {
        Self {
            weights,
            positions: table(&model.config, positions),
            model,
            params,
        }
    }

    /// Configuration of the model.
    pub fn config(&self) -> &Config {
        &self.model.config
    }

    /// Like [`Incremental::sources`], for one sentence.
    #[track_caller]
    pub fn source(&self, src: &[u32]) -> Arc<Source> {
        self.sources(&[src]).remove(0)
    }

    /// Encodes sentences independently of each other and computes the keys and values of their memories, without
    /// padding.
    #[track_caller]
    pub fn sources(&self, sentences: &[&[u32]]) -> Vec<Arc<Source>> {
        let longest = sentences.iter().map(|src| src.len()).max().unwrap_or(0);
        let longer = (self.positions.shape()[0] < self.model.config.first_position + longest)
            .then(|| table(&self.model.config, longest));
        let positions = longer.as_ref().unwrap_or(&self.positions);
        let mut x = Vec::new();
        let mut row_ids: Vec<Vec<u32>> = Vec::with_capacity(sentences.len());
        let mut rows = 0;
        for src in sentences {
            let real = src.iter().enumerate().filter(|(_, id)| **id != PAD as u32);
            let first = rows;
            for (position, &id) in real {
                let embedding = self.embedding(self.model.src_embed.table, id as usize);
                let position = self.position(positions, position);
                append_sum(&mut x, embedding, self.scale(), position);
                rows += 1;
            }
            row_ids.push((first..rows).collect());
        }
        let encoder = &self.weights.encoder;
        let memory = encoder.forward(self.model, self.params, x, &row_ids);
        let width = self.model.config.d_model;
        let keys_and_values = |layer: &PackedDecoderLayer| {
            let PackedAttention { key, value, .. } = &layer.cross_attention;
            [key, value].map(|map| map.forward(&memory))
        };
        let layers: Vec<[Vec<f32>; 2]> = self.weights.layers.iter().map(keys_and_values).collect();
        let source = |row_ids: &Vec<u32>| {
            let first = row_ids.first().map_or(0, |&row| row as usize);
            let of = |rows: &[f32]| rows[first * width..(first + row_ids.len()) * width].to_vec();
            let rows = |[keys, values]: &[Vec<f32>; 2]| Rows {
                keys: of(keys),
                values: of(values),
            };
            Arc::new(Source {
                layers: layers.iter().map(rows).collect(),
                row_ids: (0..row_ids.len() as u32).collect(),
            })
        };
        row_ids.iter().map(source).collect()
    }

    /// Returns a cache that has read no tokens yet, with one hypothesis per source.
    pub fn begin(&self, sources: &[Arc<Source>]) -> Cache {
        let layers = vec![Rows::default(); self.weights.layers.len()];
        let mut cache = Cache {
            position: 0,
            stats: CacheStats::default(),
            layers,
            row_ids: vec![vec![]; sources.len()],
            sources: sources.to_vec(),
            width: self.model.config.d_model,
        };
        cache.stats.bytes = cache.bytes(0);
        let rows: usize = sources.iter().map(|source| source.row_ids.len()).sum();
        cache.stats.source = rows as u64;
        let one = |layer: &PackedDecoderLayer| {
            layer.cross_attention.key.flops() + layer.cross_attention.value.flops()
        };
        cache.stats.flops = rows as u64 * self.weights.layers.iter().map(one).sum::<u64>();
        cache
    }

    // ANCHOR: step
    /// Reads one more token of every hypothesis; returns the next logits, `[rows, vocabulary]`, and
    /// the longer cache. A model that shifts embeddings first reads zeros, whatever the ids.
    #[track_caller]
    pub fn step(&self, mut cache: Cache, ids: &[u32]) -> (Tensor, Cache) {
        let rows = cache.rows();
        assert!(
            ids.len() == rows,
            "cache: {} words were given for {rows} hypotheses",
            ids.len()
        );
        let mut x = self.embed(ids, cache.position);
        let first = cache.written() as u32;
        for (n, row_ids) in cache.row_ids.iter_mut().enumerate() {
            row_ids.push(first + n as u32);
        }
        for (n, layer) in self.weights.layers.iter().enumerate() {
            let parts = &self.model.decoder.layers[n];
            let (row_ids, sources) = (&cache.row_ids, &cache.sources);
            let Rows { keys, values } = &mut cache.layers[n];
            x = parts.sublayer[0].rows(self.params, x, |x| {
                keys.extend(layer.self_attention.key.forward(x));
                values.extend(layer.self_attention.value.forward(x));
                layer.self_attention.forward(x, |row| Seen {
                    keys,
                    values,
                    row_ids: &row_ids[row],
                })
            });
            x = parts.sublayer[1].rows(self.params, x, |x| {
                layer.cross_attention.forward(x, |row| Seen {
                    keys: &sources[row].layers[n].keys,
                    values: &sources[row].layers[n].values,
                    row_ids: &sources[row].row_ids,
                })
            });
            x = parts.sublayer[2].rows(self.params, x, |x| layer.feed_forward.forward(x));
        }
        if let Some(norm) = &self.model.decoder.norm {
            norm.rows(self.params, &mut x);
        }
        self.account(&mut cache);
        cache.position += 1;
        let logits = self.weights.generator.forward(&x);
        (
            Tensor::new(&[rows, logits.len() / rows.max(1)], logits),
            cache,
        )
    }
    // ANCHOR_END: step

    fn embed(&self, ids: &[u32], position: usize) -> Vec<f32> {
        let config = &self.model.config;
        let vector = self.position(&self.positions, position);
        let mut x = Vec::with_capacity(ids.len() * config.d_model);
        for &id in ids {
            let row = match config.start {
                Start::Padding if id == BOS as u32 => PAD,
                _ => id as usize,
            };
            let nothing = (position == 0 && config.shift == Shift::Embeddings)
                || (config.zero_padding && row == PAD);
            let factor = if nothing { 0.0 } else { self.scale() };
            let embedding = self.embedding(self.model.tgt_embed.table, row);
            append_sum(&mut x, embedding, factor, vector);
        }
        x
    }

    /// Factor by which embeddings are multiplied.
    fn scale(&self) -> f32 {
        if self.model.config.scale_embeddings {
            (self.model.config.d_model as f32).sqrt()
        } else {
            1.0
        }
    }

    /// Row `id` of an embedding matrix.
    fn embedding(&self, table: Param, id: usize) -> &[f32] {
        let d = self.model.config.d_model;
        &self.params.get(table).data()[id * d..][..d]
    }

    /// Vector of a sentence's position, from the table `positions`.
    #[track_caller]
    fn position<'t>(&self, positions: &'t Tensor, position: usize) -> &'t [f32] {
        let (d, first) = (self.model.config.d_model, self.model.config.first_position);
        let offset = (first + position) * d;
        assert!(
            offset + d <= positions.len(),
            "cache: there is no position {position} in a table for {}",
            positions.shape()[0] - first
        );
        &positions.data()[offset..offset + d]
    }

    fn account(&self, cache: &mut Cache) {
        let rows = cache.rows() as u64;
        let seen: usize = cache.row_ids.iter().map(Vec::len).sum();
        let sources: usize = cache
            .sources
            .iter()
            .map(|source| source.row_ids.len())
            .sum();
        let matrix_flops = |layer: &PackedDecoderLayer| {
            // W_K and W_V of cross-attention are applied once per sentence, in `begin`.
            let maps = [
                &layer.self_attention.query,
                &layer.self_attention.key,
                &layer.self_attention.value,
                &layer.self_attention.output,
                &layer.cross_attention.query,
                &layer.cross_attention.output,
                &layer.feed_forward.w_1,
                &layer.feed_forward.w_2,
            ];
            maps.map(Packed::flops).iter().sum::<u64>()
        };
        let packed = &self.weights;
        let fixed = packed.layers.iter().map(matrix_flops).sum::<u64>() + packed.generator.flops();
        // Scores and weighted sums each take two operations per element.
        let mixing = 4 * (packed.layers.len() * (seen + sources) * cache.width) as u64;
        cache.stats.projected += rows;
        cache.stats.reused += seen as u64 - rows;
        cache.stats.flops += rows * fixed + mixing;
        let live = live(&cache.row_ids, cache.written());
        cache.stats.bytes = cache.bytes(live.iter().filter(|x| **x).count());
    }
}
