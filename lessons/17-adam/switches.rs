//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 9] = [
    Mistake {
        name: "no-correction",
        title: "switch the bias correction off",
        watch: "In step 1 the mean is a tenth of the gradient and the root of the mean square a seventh: the update has size 0.71 instead of 1. Then it grows beyond 1: see the picture first.",
        effect: "max(abs(update)) < 0.8",
        settings: &[("step", "1")],
        hint: "Your moments are used as they are. They began at 0 and are too small at first: divide them by 1 − β^step.",
        check: Some(|| check::check(mistakes::no_correction)),
    },
    Mistake {
        name: "count-from-zero",
        title: "count steps from 0",
        watch: "In step 1 the correction is 1 − β⁰ = 0, and a division by it gives NaN everywhere: with step at 1 not one weight is left.",
        effect: "min(update == update) == 0",
        settings: &[("step", "1")],
        hint: "Your corrections lag by one step: β^step, where the first step has number 1. With 0 they divide by 0.",
        check: Some(|| check::check(mistakes::count_from_zero)),
    },
    Mistake {
        name: "no-root",
        title: "divide by the mean square",
        watch: "The smaller a gradient, the larger its step: updates in the hundreds where the gradient is a hundredth.",
        effect: "max(abs(update)) > 10",
        settings: &[],
        hint: "You divide by the mean square. Divide by its root, which has the unit of the gradient.",
        check: Some(|| check::check(mistakes::no_root)),
    },
    Mistake {
        name: "betas-exchanged",
        title: "exchange β₁ and β₂",
        watch: "The mean forgets slowly and the square quickly: the update no longer follows the last gradients.",
        effect: "max(abs(mean)) / max(abs(gradient)) < 0.05",
        settings: &[("step", "1")],
        hint: "β₁ belongs to the mean gradient, β₂ to the mean square: you have exchanged them.",
        check: Some(|| check::check(mistakes::betas_exchanged)),
    },
    Mistake {
        name: "epsilon-inside",
        title: "put ε under the root",
        watch: "With ε at 1e-9 it becomes 0.00003 under a root: thirty thousand times as much. Turn epsilon up to see small gradients held back.",
        effect: "min(root) > 0.9 * sqrt(epsilon)",
        settings: &[("epsilon", "0.0001")],
        hint: "Your ε stands under the root. Take the root first, and add ε to it.",
        check: Some(|| check::check(mistakes::epsilon_inside)),
    },
    Mistake {
        name: "decay-in-gradient",
        title: "add the decay to the gradient",
        watch: "The decay goes through the moments and is divided by the root: weights with small gradients lose much, weights with large ones hardly any. See the picture decay.",
        effect: "decays_gradient",
        settings: &[("decay", "0.1")],
        hint: "You add the decay to the gradient (L2). Here it stands beside the step: the weight shrinks by the factor 1 − rate · decay, whatever its gradients are.",
        check: Some(|| check::check(mistakes::decay_in_gradient)),
    },
    Mistake {
        name: "uphill",
        title: "walk uphill",
        watch: "Every weight moves with its gradient instead of against it.",
        effect: "sum((moved - x) * update) > 0",
        settings: &[],
        hint: "You add the step. The gradient points uphill: subtract it.",
        check: Some(|| check::check(mistakes::uphill)),
    },
    Mistake {
        name: "no-mean",
        title: "forget the first moment",
        watch: "The update follows the last gradient alone, and jumps with every batch.",
        effect: "max(abs(update * (root + epsilon) - gradient)) < 0.001 * max(abs(gradient))",
        settings: &[],
        hint: "You divide this step's gradient by the root. Divide the corrected mean.",
        check: Some(|| check::check(mistakes::no_mean)),
    },
    Mistake {
        name: "square-of-mean",
        title: "square the mean",
        watch: "In step 1 the square is a hundredth of what it should be, and the update ten times as large.",
        effect: "max(square) / max(gradient * gradient) < 0.01",
        settings: &[("step", "1")],
        hint: "Your second moment squares the mean. It is the mean of squares: square the gradient.",
        check: Some(|| check::check(mistakes::square_of_mean)),
    },
];

pub static KNOBS: [Knob; 12] = [
    Knob {
        name: "step",
        about: "which step of a training is taken apart",
        range: Range::Whole {
            least: 1,
            most: 60,
            stops: &[1, 2, 3, 5, 10, 20, 40],
        },
        default: "3",
    },
    Knob {
        name: "table",
        about: "whose moments are shown",
        range: Range::Choice(&["embedding", "generator"]),
        default: "embedding",
    },
    Knob {
        name: "beta2",
        about: "how much of the mean square is kept: .98 the paper, .997 TensorFlow's official, .999 Adam's own",
        range: Range::Real {
            least: 0.0,
            most: 0.9999,
            stops: &[0.9, 0.98, 0.997, 0.999],
        },
        default: "0.98",
    },
    Knob {
        name: "epsilon",
        about: "ε, added to the root",
        range: Range::Real {
            least: 0.0,
            most: 1.0,
            stops: &[0.0, 1e-9, 0.0001, 0.01],
        },
        default: "0.000000001",
    },
    Knob {
        name: "decay",
        about: "the share of a weight, times the rate, that a step takes away: AdamW",
        range: Range::Real {
            least: 0.0,
            most: 1.0,
            stops: &[0.0, 0.01, 0.1],
        },
        default: "0",
    },
    Knob {
        name: "d_model",
        about: "the schedule's d_model",
        range: Range::Whole {
            least: 1,
            most: 8192,
            stops: &[64, 128, 256, 512, 1024],
        },
        default: "512",
    },
    Knob {
        name: "warmup",
        about: "the schedule's warm-up, in steps",
        range: Range::Whole {
            least: 1,
            most: 100_000,
            stops: &[400, 1000, 4000, 8000, 16_000],
        },
        default: "4000",
    },
    Knob {
        name: "factor",
        about: "the schedule's factor: 1 the paper, 2 TensorFlow's official",
        range: Range::Real {
            least: 0.01,
            most: 10.0,
            stops: &[0.5, 1.0, 2.0],
        },
        default: "1",
    },
    Knob {
        name: "place",
        about: "where the raced model has its norms",
        range: Range::Choice(&["pre", "post"]),
        default: "pre",
    },
    Knob {
        name: "highest",
        about: "the highest learning rate of the race",
        range: Range::Real {
            least: 0.000_01,
            most: 1.0,
            stops: &[0.001, 0.003, 0.01, 0.03],
        },
        default: "0.01",
    },
    Knob {
        name: "layers",
        about: "layers of the raced model, on each side",
        range: Range::Whole {
            least: 1,
            most: 6,
            stops: &[1, 2, 4],
        },
        default: "2",
    },
    Knob {
        name: "seed",
        about: "which weights and words",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "7",
    },
];
