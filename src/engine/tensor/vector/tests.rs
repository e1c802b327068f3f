use super::*;

#[test]
fn exp_is_within_two_units_in_the_last_place_and_0_far_below() {
    let mut worst = 0.0_f64;
    for i in -870_000..880_000 {
        let x = i as f32 / 10_000.0;
        let exact = f64::from(x).exp();
        worst = worst.max((f64::from(exp(x)) / exact - 1.0).abs());
    }
    assert!(worst < 2.5e-7, "{worst:e}");
    assert_eq!(exp(0.0), 1.0);
    assert_eq!((exp(-1e9), exp(f32::NEG_INFINITY)), (0.0, 0.0));
    assert!(exp(f32::NAN).is_nan());
}

#[test]
fn the_passes_of_the_loss_have_the_bits_of_one_step_after_the_other() {
    for n in [1, 5, 16, 37, 64, 100] {
        let x: Vec<f32> = (0..n).map(|i| (i * 7 % 11) as f32 / 3.0 - 1.5).collect();
        let bias: Vec<f32> = (0..n).map(|i| (i * 5 % 13) as f32 / 7.0 - 0.9).collect();
        for bias in [None, Some(&bias[..])] {
            let (mut passes, mut steps) = (x.clone(), x.clone());
            let (total, max) = biased(&mut passes, bias);
            let (log_sum, share) = exponentials(&mut passes, max);
            share_shift_scaled(&mut passes, share, 0.01, 0.3);
            if let Some(bias) = bias {
                add(&mut steps, bias);
            }
            assert_eq!(total, sum(&steps), "{n}");
            assert_eq!(log_sum, softmax(&mut steps), "{n}");
            shift_scaled(&mut steps, 0.01, 0.3);
            assert_eq!(passes, steps, "{n}");
        }
    }
}

#[test]
fn a_row_that_one_vector_holds_has_the_bits_of_the_loops() {
    for n in 1..=LANES {
        let x: Vec<f32> = (0..n).map(|i| (i * 7 % 11) as f32 / 3.0 - 1.5).collect();
        // The same row at the end of a longer one, after a vector of −∞.
        let mut long = [vec![f32::NEG_INFINITY; LANES], x.clone()].concat();
        let mut short = x.clone();
        let sums = (softmax_short(&mut short), softmax_row(&mut long));
        assert_eq!(sums.0.to_bits(), sums.1.to_bits(), "{n}");
        assert_eq!(short, long[LANES..], "{n}");

        let kept: Vec<f32> = (0..n).map(|i| [0.0, 1.5][i % 3 / 2]).collect();
        let zeros = vec![0.0; LANES];
        let (long_kept, mut long_slope) = ([&*zeros, &kept].concat(), [&*zeros, &x].concat());
        let mut slope = x.clone();
        softmax_back(&mut slope, &short, Some(&kept), 0.7);
        softmax_back(&mut long_slope, &long, Some(&long_kept), 0.7);
        assert_eq!(slope, long_slope[LANES..], "{n}");
    }
}

#[test]
fn softmax_sums_to_1_and_returns_the_logarithm_of_its_sum() {
    for width in [1, 5, 16, 37] {
        let x: Vec<f32> = (0..width).map(|i| (i * 7 % 11) as f32 - 5.0).collect();
        let mut y = x.clone();
        let log_sum = softmax(&mut y);
        let exact: f64 = x.iter().map(|&x| f64::from(x).exp()).sum();
        assert!((f64::from(log_sum) - exact.ln()).abs() < 1e-6);
        for (x, y) in x.iter().zip(&y) {
            assert!((f64::from(*y) - f64::from(*x).exp() / exact).abs() < 1e-6);
        }
    }
}

#[test]
fn sums_add_up_whatever_the_length() {
    for n in [0_usize, 1, 15, 16, 17, 100] {
        let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let total = (n * n.saturating_sub(1) / 2) as f32;
        assert_eq!((sum(&x), dot(&x, &vec![2.0; n])), (total, 2.0 * total));
    }
}
