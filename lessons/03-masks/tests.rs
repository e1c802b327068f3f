use super::*;
use crate::lesson::claim::Live;

#[test]
fn a() {
    let e = |words: &[(&str, &str)], ex: &str| {
        let mut s = Settings::defaults(&KNOBS);
        for (k, v) in words {
            if *k == "break" {
                s.switch(&switches::MISTAKES, v, true).unwrap()
            } else {
                s.set(&KNOBS, k, v).unwrap()
            }
        }
        let run = Masks.run(&s);
        match run {
            Err(e) => println!("{words:?} {ex}: ERR {e}"),
            Ok(run) => {
                let l = Live {
                    stage: &Masks,
                    run: &run,
                    settings: &s,
                };
                println!("{words:?} {ex} = {:?}", l.evaluate(ex));
            }
        }
    };
    for m in ["natural", "skewed", "alike"] {
        for b in ["arrival", "by-length"] {
            e(&[("mix", m), ("batching", b)], "(pad_share, pad_share_all)");
            e(&[("mix", m), ("batching", b)], "shape(cross_mask_cells)");
        }
    }
    for x in ["one", "tf"] {
        for t in [
            "src_mask",
            "cross_mask",
            "cross_mask_cells",
            "self.mask_cells",
            "bias",
            "tgt_mask",
        ] {
            e(&[("example", x)], &format!("shape({t})"));
        }
        e(&[("example", x)], "leak");
    }
    e(&[("example", "tf")], "padding");
    e(&[("example", "tf")], "bias");
    e(&[("example", "tf")], "self.bias[0,0,:,:]");
    e(&[("example", "tf")], "self.weights[2,0,0,:]");
    e(&[("example", "tf")], "self.weights_bias[2,0,0,:]");
    e(
        &[("example", "tf"), ("fill", "-1e4")],
        "self.weights_bias[2,0,0,:]",
    );
    e(
        &[("example", "tf"), ("break", "cross-target")],
        "max(abs(weights - 0))",
    );
    e(
        &[("example", "tf"), ("break", "cross-target")],
        "weights[1,0,0,:]",
    );
    e(&[("example", "tf")], "weights[1,0,0,:]");
    for ex in [
        "sum(src_mask)",
        "count(src_mask)",
        "sum(tgt_mask[0,:,:])",
        "sum(past)",
        "sum(tgt_mask)",
        "count(tgt_mask)",
        "max(abs(weights-weights_bias))",
        "max(abs(self.weights-self.weights_bias))",
        "sum(src_mask[0,0,:])",
        "three.leaky",
        "three.late",
        "sum(three.late)",
        "three.exact",
        "three.blocked",
        "scrambled_encoder",
        "scrambled_decoder",
        "pads_in_the_past",
        "scrambled_pad",
        "pad_loss_weight",
        "whole_row",
        "apart_open",
        "apart_whole",
        "apart_whole_weak",
        "apart_whole_large",
        "open_in_20",
        "leak",
        "max(weights[0,0,:,5])",
        "count(cross_mask)",
        "count(cross_mask_cells)",
        "sum(counts)",
        "sum(tgt_real)",
        "src[0,:]",
        "tgt[0,:]",
        "tgt_y[0,:]",
        "self.weights[0,0,2,:]",
        "count(self.mask_cells)",
        "sunk_weak",
        "sunk_low",
    ] {
        e(&[], ex);
    }
    for l in ["1", "100", "1000", "10000", "100000", "1000000"] {
        e(
            &[("logits", l), ("fill", "-1e4")],
            "(blocked_share, leak, future_of_first)",
        );
        e(&[("logits", l)], "(blocked_share, leak)");
    }
    for f in ["-10", "-100", "-1e3", "-1e4", "-1e9", "-inf"] {
        e(
            &[("fill", f)],
            "(blocked_share, leak, self.weights[0,0,0,1])",
        );
        e(
            &[("fill", f), ("break", "strict")],
            "(self.weights[0,0,0,0], self.weights[0,0,0,1], self.weights_bias[0,0,0,1], leak)",
        );
    }
    for m in &switches::MISTAKES {
        for ex in [
            "leak",
            "blocked_share",
            "future_of_first",
            "scrambled_encoder",
            "scrambled_decoder",
            "scrambled_pad",
            "self.weights[0,0,0,:]",
            "weights[0,0,0,:]",
        ] {
            e(&[("break", m.name)], ex);
        }
    }
    for sd in 0..10 {
        let sd = sd.to_string();
        e(
            &[("seed", &sd)],
            "(pad_share, pad_share_all, leak, scrambled_encoder)",
        );
        e(&[("seed", &sd)], "shape(cross_mask_cells)");
        e(
            &[("seed", &sd), ("fill", "-1e4"), ("logits", "100000")],
            "(blocked_share, leak)",
        );
    }
}
