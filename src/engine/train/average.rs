//! Checkpoint averaging: the mean of several sets of weights from one run.

use crate::params::Params;
use crate::tensor::Tensor;

// ANCHOR: forward
/// Mean of each parameter over `sets`, which share their parameters. Panics if `sets` is empty.
#[track_caller]
pub fn average(sets: &[Params]) -> Params {
    let mut mean = sets.first().expect("average: there is no set").clone();
    let share = 1.0 / sets.len() as f32;
    for (n, tensor) in mean.tensors_mut().iter_mut().enumerate() {
        let zero = Tensor::zeros(tensor.shape());
        let each = sets.iter().map(|set| {
            set.iter()
                .nth(n)
                .expect("the sets have the same parameters")
                .2
        });
        *tensor = each
            .fold(zero, |sum, x| sum.zip(x, |sum, x| sum + x))
            .map(|x| x * share);
    }
    mean
}
// ANCHOR_END: forward

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Init;

    #[test]
    fn the_mean_of_two_sets_is_fairseqs() {
        // fairseq's tests/test_average_checkpoints.py: 100 and 1 give 50.5.
        let set = |a: f32, b: Vec<f32>| {
            let mut params = Params::new(0);
            params.add("a", &[1], &["d"], Init::Constant(a));
            params.insert("b", Tensor::new(&[2, 3], b), &["v", "d"]);
            params
        };
        let mean = average(&[
            set(100.0, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            set(1.0, vec![1.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
        ]);
        let all: Vec<&[f32]> = mean.iter().map(|(_, _, t)| t.data()).collect();
        assert_eq!(all, [&[50.5][..], &[1.0, 1.5, 2.0, 2.5, 3.0, 3.5]]);
    }
}
