//! The classic mistakes in a whole forward pass, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::{Pass, Transformer};

/// The signature of the forward pass.
pub type PassFn = fn(&Transformer, &Var, &Var) -> Pass;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, PassFn); 5] = [
    ("no-future-mask", no_future_mask),
    ("languages-exchanged", languages_exchanged),
    ("no-source-mask", no_source_mask),
    ("logits-out", logits_out),
    ("memory-out", memory_out),
];

/// A pass whose log-probabilities are computed by `say` from memory and hidden vectors.
fn saying(model: &Transformer, src: &Var, tgt: &Var, say: impl FnOnce(&Var, &Var) -> Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = say(&memory, &hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}

/// A pass whose decoder reads this memory, with these masks.
fn decoded(model: &Transformer, memory: Var, src_mask: &Var, tgt: &Var, tgt_mask: &Var) -> Pass {
    let hidden = model.decode(&memory, src_mask, tgt, tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}

/// Masks only the padding of the target.
pub fn no_future_mask(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    model.masked(src, tgt, &model.src_mask(src), &model.src_mask(tgt))
}

/// Encodes the target and decodes the source.
pub fn languages_exchanged(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    transformer_tutor::transformer::pass(model, tgt, src)
}

/// The source's padding is not masked.
pub fn no_source_mask(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let all = Tensor::ones(&[src.shape()[0], 1, src.shape()[1]]);
    let all = src.tape().mask("all", all, &["b", "", "s"]);
    model.masked(src, tgt, &all, &model.tgt_mask(tgt))
}

/// Returns logits instead of log-probabilities.
pub fn logits_out(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    saying(model, src, tgt, |_, hidden| {
        let tape = src.tape();
        tape.scoped("generator", || model.generator.logits(hidden))
    })
}

/// Feeds the memory to the generator instead of the decoder's output.
pub fn memory_out(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    saying(model, src, tgt, |memory, _| model.generator.forward(memory))
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, PassFn); 16] = [
    (
        "Your target mask hides only the future. It must hide the target's padding too: use model.tgt_mask.",
        |model, src, tgt| model.masked(src, tgt, &model.src_mask(src), &model.future_mask(tgt)),
    ),
    (
        "Your encoder hides the future of the source. The whole source is known from the start, so give the encoder src_mask.",
        |model, src, tgt| {
            let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
            let memory = model.encode(src, &model.tgt_mask(src));
            decoded(model, memory, &src_mask, tgt, &tgt_mask)
        },
    ),
    (
        "You pass the decoder its masks in the wrong order. The source's mask goes with the memory, and the target's mask with the target.",
        |model, src, tgt| {
            let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
            let memory = model.encode(src, &src_mask);
            decoded(model, memory, &tgt_mask, tgt, &src_mask)
        },
    ),
    (
        "Your decoder hides the target's padding in the memory. The memory's positions are those of the source, so give it the source's mask.",
        |model, src, tgt| {
            let memory = model.encode(src, &model.src_mask(src));
            let (padding, tgt_mask) = (model.src_mask(tgt), model.tgt_mask(tgt));
            decoded(model, memory, &padding, tgt, &tgt_mask)
        },
    ),
    (
        "Your decoder reads the source sentence. It should read the target; it gets the source through the memory.",
        |model, src, _| transformer_tutor::transformer::pass(model, src, src),
    ),
    (
        "Your encoder reads the target sentence. It should read the source.",
        |model, _, tgt| transformer_tutor::transformer::pass(model, tgt, tgt),
    ),
    (
        "You turn the generator's log-probabilities into probabilities. Return them as they are.",
        |model, src, tgt| {
            saying(model, src, tgt, |_, hidden| {
                model.generator.forward(hidden).exp()
            })
        },
    ),
    (
        "You predict only from the last target position, as when writing a sentence. Every position predicts its next token.",
        |model, src, tgt| {
            saying(model, src, tgt, |_, hidden| {
                model.generator.forward(&hidden.last_position())
            })
        },
    ),
    (
        "You swapped memory and hidden in your result. memory comes from the encoder, hidden from the decoder.",
        |model, src, tgt| {
            let pass = transformer_tutor::transformer::pass(model, src, tgt);
            Pass {
                memory: pass.hidden,
                hidden: pass.memory,
                log_probs: pass.log_probs,
            }
        },
    ),
    (
        "You take the logarithm of the generator's result, which is a logarithm already. Return it as it is.",
        |model, src, tgt| {
            saying(model, src, tgt, |_, hidden| {
                model.generator.forward(hidden).log()
            })
        },
    ),
    (
        "You shift the target once more, so the decoder reads it without its last token. Read tgt as it is: it is shifted already.",
        |model, src, tgt| {
            let ids = tgt.value();
            let shorter = Tensor::from_fn(&[ids.shape()[0], ids.last() - 1], |i| ids.at(i));
            let shorter = tgt.tape().ids("tgt", shorter, &["b", "t"]);
            transformer_tutor::transformer::pass(model, src, &shorter)
        },
    ),
    (
        "Your encoder reads the bare embeddings, so the source has no positions. Use model.encode, which adds them.",
        |model, src, tgt| {
            let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
            let memory = model
                .encoder
                .forward(&model.src_embed.forward(src), &src_mask);
            decoded(model, memory, &src_mask, tgt, &tgt_mask)
        },
    ),
    (
        "Your decoder reads the bare embeddings, so the target has no positions. Use model.decode, which adds them.",
        |model, src, tgt| {
            let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
            let memory = model.encode(src, &src_mask);
            let x = model.tgt_embed.forward(tgt);
            let hidden = model.decoder.forward(&x, &memory, &src_mask, &tgt_mask);
            let log_probs = model.generator.forward(&hidden);
            Pass {
                memory,
                hidden,
                log_probs,
            }
        },
    ),
    (
        "You skip the encoder: the memory is the embedded source. The memory is what model.encode returns.",
        |model, src, tgt| {
            let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
            decoded(
                model,
                model.src_embed.forward(src),
                &src_mask,
                tgt,
                &tgt_mask,
            )
        },
    ),
    (
        "Attention to the memory uses the target's mask. It reads source tokens, so give the decoder src_mask for the memory.",
        |model, src, tgt| {
            let tgt_mask = model.tgt_mask(tgt);
            let memory = model.encode(src, &model.src_mask(src));
            decoded(model, memory, &tgt_mask, tgt, &tgt_mask)
        },
    ),
    (
        "Your decoder gets src, with the target's mask. It should read tgt; the source reaches it through the memory.",
        |model, src, tgt| {
            let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
            let memory = model.encode(src, &src_mask);
            decoded(model, memory, &src_mask, src, &tgt_mask)
        },
    ),
];
