//# The target's mask hides only padding, not the future.
//= no-future-mask
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.src_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The target's mask hides only the future, not padding.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let src_mask = model.src_mask(src);
    let tgt_mask = model.future_mask(tgt);
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The encoder hides the future of the source too.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &model.tgt_mask(src));
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The generator reads the memory instead of the decoder's result.
//= memory-out
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&memory);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The decoder gets the two masks swapped.
//= classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &tgt_mask, tgt, &src_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The decoder hides memory positions that are padding in the target instead of the source.
//= classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &model.src_mask(tgt), tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The decoder reads the source sentence instead of the target.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let src_mask = model.src_mask(src);
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, src, &model.tgt_mask(src));
    let log_probs = model.generator.forward(&hidden);
    let _ = tgt;
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The encoder reads the target sentence instead of the source.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let _ = src;
    let (src_mask, tgt_mask) = (model.src_mask(tgt), model.tgt_mask(tgt));
    let memory = model.encode(tgt, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The result is the generator's logits, without log-softmax.
//= logits-out
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.logits(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The generator's log-probabilities are converted to probabilities.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden).exp();
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The generator's result is mistaken for probabilities, and the logarithm is taken again.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden).log();
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# Source padding is not hidden at all: the source's mask is all ones.
//= no-source-mask
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (batch, length) = (src.shape()[0], src.shape()[1]);
    let all = Tensor::ones(&[batch, 1, length]);
    let src_mask = src.tape().mask("src_mask", all, &["b", "", "s"]);
    let tgt_mask = model.tgt_mask(tgt);
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The target is shifted again inside, so the decoder reads it without its last token.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let shape = tgt.shape();
    let ids = tgt.value();
    let ids = Tensor::from_fn(&[shape[0], shape[1] - 1], |i| ids.at(i));
    let tgt = &tgt.tape().ids("tgt", ids, &["b", "t"]);
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# Only the last target position is predicted, as in generation.
//= classic-7
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden.last_position());
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The encoder gets the embeddings without the positional encoding of the source.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let embedded = model.src_embed.forward(src);
    let memory = model.encoder.forward(&embedded, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The decoder gets the embeddings without the positional encoding of the target.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
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
}
//# The decoder's final LayerNorm is applied a second time before the generator.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let mut hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    if let Some(norm) = &model.decoder.norm {
        hidden = norm.forward(&hidden);
    }
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# The memory is detached, so the encoder gets no gradient.
//= no-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let memory = src
        .tape()
        .constant("memory", memory.value(), &memory.axes());
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# Memory and hidden are swapped in the result.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory: hidden,
        hidden: memory,
        log_probs,
    }
}
//# The decoder gets the embedded source instead of the encoder's memory.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.src_embed.forward(src);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# Builds the target's mask like the source's, only against padding, so the future is visible.
//= no-future-mask
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};

pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let src_mask = model.src_mask(src);
    let tgt_mask = model.src_mask(tgt);
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# Applies a softmax to the generator's result, which already holds log-probabilities.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};

pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let src_mask = model.src_mask(src);
    let tgt_mask = model.tgt_mask(tgt);
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden).softmax();
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
//# Passes the embedded source to the encoder by hand and forgets the positional encoding in between.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};

pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let src_mask = model.src_mask(src);
    let tgt_mask = model.tgt_mask(tgt);
    let embedded = model.src_embed.forward(src);
    let memory = model.encoder.forward(&embedded, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
