//! The parts of README.md in their order, most of them with inputs that the reference recorded. `mine capstone` puts
//! this file back before it runs it.

#![allow(dead_code)]

mod compare;

use std::ops::Range;
use std::path::Path;
use std::{fs, iter};

use compare::*;
#[allow(unused_imports)]
use stand_ins::{Copying, Translator};

const PAD: usize = 0;
const BOS: usize = 1;
const EOS: usize = 2;

/// Takes the place of what is not written yet: a type's own method comes before a trait's.
#[rustfmt::skip]
trait StandIn: Sized {
    fn read(_: &Path) -> Self { unwritten() }
    fn tensor(&self, _: &str) -> Vec<f32> { unwritten() }
    fn embedding(&self, _: &[usize]) -> Vec<f32> { unwritten() }
    fn positional_encoding(&self, _: usize) -> Vec<f32> { unwritten() }
    fn linear(&self, _: &str, _: &[f32]) -> Vec<f32> { unwritten() }
    fn attention(&self, _: &[f32], _: &[f32], _: &[f32], _: bool) -> Vec<f32> { unwritten() }
    fn multi_head_attention(&self, _: &str, _: &[f32], _: &[f32], _: bool) -> Vec<f32> { unwritten() }
    fn layer_norm(&self, _: &str, _: &[f32]) -> Vec<f32> { unwritten() }
    fn feed_forward(&self, _: &str, _: &[f32]) -> Vec<f32> { unwritten() }
    fn encoder_layer(&self, _: usize, _: &[f32]) -> Vec<f32> { unwritten() }
    fn encoder(&self, _: &[usize]) -> Vec<f32> { unwritten() }
    fn decoder_layer(&self, _: usize, _: &[f32], _: &[f32]) -> Vec<f32> { unwritten() }
    fn decoder(&self, _: &[usize], _: &[f32]) -> Vec<f32> { unwritten() }
    fn generator(&self, _: &[f32]) -> Vec<f32> { unwritten() }
    fn log_probs(&self, _: &[usize], _: &[usize]) -> Vec<f32> { unwritten() }
    fn translate(&self, _: &[usize], _: usize) -> Vec<usize> { unwritten() }
    fn new(_: u64) -> Self { unwritten() }
    fn loss(&self, _: &[Vec<usize>]) -> f32 { unwritten() }
    fn parameters(&self) -> Vec<(String, Vec<f32>)> { unwritten() }
    fn set(&mut self, _: &str, _: &[f32]) { unwritten() }
    fn gradients(&self, _: &[Vec<usize>]) -> Vec<(String, Vec<f32>)> { unwritten() }
    fn step(&mut self, _: &[Vec<usize>]) -> f32 { unwritten() }
    fn copy(&self, _: &[usize]) -> Vec<usize> { unwritten() }
}
impl<T> StandIn for T {}

mod stand_ins {
    pub struct Translator;
    pub struct Copying;
}

#[test]
fn the_parts_in_their_order() {
    // In here, what the crate has comes before the stand-ins.
    #[allow(unused_imports)]
    use my_transformer::*;

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("model");
    let t = || Translator::read(&folder);
    let (rows, words) = (|name: &str| recorded(name).1, vocabulary());
    let (src, tgt) = (ids("src 0"), ids("tgt 0"));
    let [x, y, memory] = ["x", "y", "encoder"].map(rows);
    let [enc, dec] = ["encoder.layers.0", "decoder.layers.0"];
    let new = || Copying::new(7);
    let batch = || sentences(8, 1..11, &mut 3);
    let fresh = |loss: f32| {
        is((1.0..6.0).contains(&loss), || {
            format!(
                "The loss of new weights is {loss}. Knowing nothing costs ln 10 = 2.3: 1 to 6 will do."
            )
        })
    };
    let mut parts = Parts::default();

    parts.add("read", || {
        t();
        Ok(())
    });
    parts.add("tensor", || {
        let query = format!("{enc}.self_attn.query.bias");
        same("query.bias", t().tensor(&query))?;
        let (table, width) = (t().tensor("embed.table"), x.len() / src.len());
        is(table.len() == words * width, || {
            format!(
                "embed.table: {} numbers, not {words} rows of {width}.",
                table.len()
            )
        })?;
        same("row", table[src[0] * width..][..width].to_vec())
    });
    parts.same("embedding", || t().embedding(&src));
    parts.same("positional_encoding", || t().positional_encoding(src.len()));
    parts.same("linear", || {
        t().linear(&format!("{enc}.self_attn.query"), &x)
    });
    parts.add("attention", || {
        let [query, key, value] = ["query", "key", "value"].map(rows);
        same("attention", t().attention(&query, &key, &value, false))?;
        same(
            "causal attention",
            t().attention(&query, &key, &value, true),
        )
    });
    parts.add("multi_head_attention", || {
        for (layer, of, x, memory, causal) in [
            (enc, "self_attn", &x, &x, false),
            (dec, "self_attn", &y, &y, true),
            (dec, "src_attn", &rows("z"), &memory, false),
        ] {
            let name = format!("{layer}.{of}");
            let own = t().multi_head_attention(&name, x, memory, causal);
            same(&name, own)?;
        }
        Ok(())
    });
    parts.same("layer_norm", || {
        t().layer_norm(&format!("{enc}.sublayer.0.norm"), &rows("sum"))
    });
    parts.same("feed_forward", || {
        t().feed_forward(&format!("{enc}.feed_forward"), &rows("layer_norm"))
    });
    parts.same("encoder_layer", || t().encoder_layer(0, &x));
    parts.same("encoder", || t().encoder(&src));
    parts.same("decoder_layer", || t().decoder_layer(0, &y, &memory));
    parts.same("decoder", || t().decoder(&tgt, &memory));
    parts.same("generator", || {
        let (width, hidden) = recorded("decoder");
        t().generator(&hidden[hidden.len() - width..])
    });
    parts.add("log_probs", || {
        let t = t();
        for n in 0..sentences_recorded() {
            let (src, tgt) = (ids(&format!("src {n}")), ids(&format!("tgt {n}")));
            let own = t.log_probs(&src, &tgt);
            is(own.len() == tgt.len() * words, || {
                format!(
                    "{} numbers for {} tokens, not {words} each.",
                    own.len(),
                    tgt.len()
                )
            })?;
            let next = tgt[1..].iter().chain([&EOS]);
            let sum: f32 = own.chunks(words).zip(next).map(|(row, &id)| row[id]).sum();
            let expected = rows(&format!("log_prob {n}"))[0];
            is((sum - expected).abs() < 1e-2, || {
                format!("The log-probability of {tgt:?} for {src:?} is {sum}; expected {expected}.")
            })?;
        }
        let first = |last| t.log_probs(&src, &[BOS, 40, last])[..2 * words].to_vec();
        is(first(50) == first(60), || {
            "The token at position 2 changes the rows of positions 0 and 1.".to_owned()
        })?;
        // In a table with other rows for PAD and BOS, BOS must read what PAD has: here the row of token 40.
        let changed = Translator::read(&with_rows(&folder, &[(PAD, 40), (BOS, 50)]));
        let (own, expected) = (changed.log_probs(&src, &[BOS]), t.log_probs(&src, &[40]));
        let near = (4..words).all(|c| (own[c] - own[4] - expected[c] + expected[4]).abs() < 1e-2);
        is(near, || {
            "With a table whose row 0 isn't zeros, the decoder doesn't read it in place of BOS."
                .to_owned()
        })
    });
    parts.add("translate", || {
        let t = t();
        (0..sentences_recorded()).try_for_each(|n| {
            let src = ids(&format!("src {n}"));
            let (own, expected) = (t.translate(&src, 40), ids(&format!("tgt {n}")).split_off(1));
            is(own == expected, || {
                format!("Of {src:?} you wrote {own:?}; expected {expected:?}.")
            })
        })
    });

    parts.add("new", || {
        new();
        Ok(())
    });
    parts.add("loss", || fresh(new().loss(&batch())));
    parts.add("parameters", || {
        is(new().parameters().len() > 1, || {
            "There are none.".to_owned()
        })
    });
    parts.add("set", || {
        let mut model = new();
        let (name, mut cells) = model.parameters().pop().unwrap_or_default();
        cells.fill(0.25);
        model.set(&name, &cells);
        let now = model.parameters().pop().map(|(_, cells)| cells);
        is(now == Some(cells), || {
            format!("{name} has not the cells that it was given.")
        })
    });
    parts.add("gradients", || {
        let mut model = new();
        let (all, grads) = (model.parameters(), model.gradients(&batch()));
        for (n, (name, cells)) in all.iter().rev().enumerate() {
            let own = grads.iter().find(|(of, own)| of == name && own.len() == cells.len());
            let own = own.map_or(vec![0.0; cells.len()], |(_, own)| own.clone());
            // How fast the loss rises if these cells move, each in the direction of its gradient.
            let mut slope = |which: Range<usize>, step: f32| {
                let mut loss = |step: f32| {
                    let mut moved = cells.clone();
                    which.clone().for_each(|i| moved[i] += step.copysign(own[i] * step));
                    model.set(name, &moved);
                    model.loss(&batch())
                };
                let slope = (loss(step) - loss(-step)) / (2.0 * step);
                model.set(name, cells);
                slope
            };
            let (mine, measured) = (own.iter().map(|x| x.abs()).sum::<f32>(), slope(0..own.len(), 1e-3));
            if (mine - measured).abs() > 0.03 * measured.abs() + 2e-3 {
                let one = |i: usize| {
                    let measured = own[i].signum() * slope(i..i + 1, 1e-2);
                    format!("\n    cell {i}: yours {:.5}, measured {measured:.5}", own[i])
                };
                let cells: String = (0..own.len().min(4)).map(one).collect();
                return Err(format!(
                    "{n} of {} parameters are right, from the last on. The next is {name}: moved along its gradient, the \
                     loss rises by {measured:.4} per unit; your numbers say {mine:.4}.{cells}",
                    all.len()
                ));
            }
        }
        Ok(())
    });
    parts.add("step", || {
        let (mut model, batch) = (new(), batch());
        let losses: Vec<f32> = (0..20).map(|_| model.step(&batch)).collect();
        fresh(losses[0])?;
        is(losses[19] < 0.95 * losses[0], || {
            format!(
                "20 updates on one batch took its loss from {} to {}.",
                losses[0], losses[19]
            )
        })?;
        is(Copying::new(8).step(&batch) != losses[0], || {
            "Two seeds give the same loss.".to_owned()
        })
    });
    parts.add("copy", || {
        let trained = |updates: usize, ids: Range<usize>| {
            let (mut model, mut seed) = (new(), 1);
            for _ in 0..updates {
                model.step(&sentences(16, ids.clone(), &mut seed));
            }
            model
        };
        let copies = |model: &Copying, ids: Range<usize>, least: usize, most: usize| {
            let mut right = 0;
            for sentence in sentences(20, ids.clone(), &mut 99) {
                let copy = model.copy(&sentence);
                is(copy.len() == 10 && copy[0] == 1, || {
                    format!("{copy:?} are not ten ids, of which the first is 1.")
                })?;
                right += (1..10).filter(|&i| copy[i] == sentence[i]).count();
            }
            is((least..=most).contains(&right), || {
                format!("{right} of 180 tokens from {ids:?} are right, not {least} to {most}.")
            })
        };
        copies(&new(), 1..11, 0, 90).map_err(|e| e + " No weights are trained yet.")?;
        let mut model = trained(60, 1..6);
        let mut loss = |ids| model.step(&sentences(16, ids, &mut 5));
        let (seen, unseen) = (loss(1..6), loss(6..11));
        is(unseen > seen + 0.3, || {
            format!(
                "Trained on the ids 1 to 5, its loss on those is {seen}, and on 6 to 10 {unseen}."
            )
        })?;
        copies(&model, 6..11, 0, 90).map_err(|e| e + " It was trained on the ids 1 to 5.")?;
        copies(&trained(240, 1..11), 1..11, 144, 180)
    });
    parts.report();
}

/// A folder with the weights of `folder`, but in the table each row of the pairs has the numbers of the other.
fn with_rows(folder: &Path, rows: &[(usize, usize)]) -> std::path::PathBuf {
    let new = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model");
    let read = |name: &str| fs::read(folder.join(name)).expect("it is there");
    let (list, mut cells) = (read("tensors.txt"), read("tensors.bin"));
    let mut at = 0;
    for line in String::from_utf8_lossy(&list).lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let sizes: Vec<usize> = words[2..]
            .iter()
            .map(|size| size.parse().expect("a size"))
            .collect();
        let width = if words[1] == "I8" { 1 } else { 4 } * sizes[1..].iter().product::<usize>();
        if words[0].starts_with("embed.table") {
            for &(row, from) in rows {
                let from = at + from * width;
                cells.copy_within(from..from + width, at + row * width);
            }
        }
        at += width * sizes[0];
    }
    fs::create_dir_all(&new).expect("a folder");
    fs::copy(folder.join("pieces.txt"), new.join("pieces.txt")).expect("it is there");
    fs::write(new.join("tensors.txt"), list).expect("a file");
    fs::write(new.join("tensors.bin"), cells).expect("a file");
    new
}

/// Sentences of ten of the `ids`, but the first is 1.
fn sentences(count: usize, ids: Range<usize>, state: &mut u64) -> Vec<Vec<usize>> {
    let mut id = || {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ids.start + (*state >> 33) as usize % ids.len()
    };
    let mut sentence = || {
        iter::once(1)
            .chain(iter::repeat_with(&mut id).take(9))
            .collect()
    };
    (0..count).map(|_| sentence()).collect()
}
