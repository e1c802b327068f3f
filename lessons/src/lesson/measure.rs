//! Quantities that lessons compute from a run: counts, shares and distances.

use crate::autograd::{Step, Trace};
use crate::tensor::Tensor;

/// 1 for true and 0 for false, as facts state it.
pub fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// Number of steps of a run that satisfy `kind`.
pub fn count(trace: &Trace, kind: impl Fn(&Step) -> bool) -> f64 {
    trace.steps().iter().filter(|step| kind(step)).count() as f64
}

/// Number of scalars in the parameters that a run used.
pub fn parameters(trace: &Trace) -> f64 {
    let leaves = trace.steps().iter().filter(|s| s.op() == "parameter");
    leaves.map(|s| s.value.len()).sum::<usize>() as f64
}

/// Axis sizes of all tensors that dropout was applied to, concatenated.
pub fn dropped(trace: &Trace) -> Tensor {
    let dropouts = trace.steps().iter().filter(|s| s.op() == "dropout");
    let sizes = dropouts.flat_map(|s| s.value.shape().to_vec());
    let sizes: Vec<f32> = sizes.map(|n| n as f32).collect();
    Tensor::new(&[sizes.len()], sizes)
}

/// Of the cells that were non-zero before, the share that is 0 now: the share removed by dropout.
pub fn fallen(before: &Tensor, now: &Tensor) -> f64 {
    let pairs = before.data().iter().zip(now.data());
    let alive = pairs.filter(|(before, _)| **before != 0.0);
    let (alive, fallen) = alive.fold((0_usize, 0_usize), |(all, fallen), (_, now)| {
        (all + 1, fallen + usize::from(*now == 0.0))
    });
    fallen as f64 / alive.max(1) as f64
}

/// Share of cells that are exactly 0.
pub fn zeros(x: &Tensor) -> f64 {
    let zeros = x.data().iter().filter(|x| **x == 0.0).count();
    zeros as f64 / x.len() as f64
}

/// Largest absolute difference between corresponding cells.
pub fn largest_difference(a: &Tensor, b: &Tensor) -> f64 {
    let pairs = a.data().iter().zip(b.data());
    pairs.fold(0.0, |most, (a, b)| f64::from((a - b).abs()).max(most))
}

/// Root mean square of the difference of two rows.
pub fn distance(a: &[f32], b: &[f32]) -> f64 {
    let squares: f64 = a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum();
    (squares / a.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::params::{Init, Params};

    #[test]
    fn counts_are_those_of_the_recorded_steps() {
        let mut params = Params::new(1);
        let weight = params.add("weight", &[3, 2], &["d", "e"], Init::XavierUniform);
        let tape = Tape::train(&params, 1);
        let x = tape.input("x", Tensor::ones(&[2, 5, 2]), &["b", "t", "e"]);
        let _ = x.matmul_t(&tape.param(weight)).dropout(0.5).relu();
        let trace = tape.trace();
        assert_eq!(parameters(&trace), 6.0);
        assert_eq!(count(&trace, |s| s.op() == "relu"), 1.0);
        assert_eq!(dropped(&trace).data(), [2.0, 5.0, 3.0]);
    }

    #[test]
    fn cells_that_were_0_do_not_count_as_fallen() {
        let before = Tensor::new(&[5], vec![0.0, 1.0, 2.0, 3.0, 4.0]);
        let now = Tensor::new(&[5], vec![0.0, 0.0, 4.0, 6.0, 8.0]);
        assert_eq!((fallen(&before, &now), zeros(&now)), (0.25, 0.4));
        assert_eq!(largest_difference(&before, &now), 4.0);
        assert_eq!(distance(&[0.0, 3.0], &[4.0, 3.0]), 8_f64.sqrt());
    }
}
