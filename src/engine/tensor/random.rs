//! Seeded randomness: the same seed and site give the same numbers on every machine and at any
//! number of threads.

use ndarray_rand::rand::SeedableRng;
use ndarray_rand::rand_distr::{Distribution, StandardNormal, StandardUniform};
use rand_chacha::rand_core::block::BlockRngCore;
use rand_chacha::{ChaCha8Core, ChaCha8Rng};

use super::threads::check;
use super::{Tensor, shared, threads, vector};

/// Number of cells that one stream of random numbers fills. It is fixed, so that the numbers do not
/// depend on how many threads share the work.
const BLOCK: usize = 1 << 16;

/// Below this many cells, starting threads costs more than drawing the numbers.
const PARALLEL: usize = 1 << 19;

/// The FNV-1a hash of a sequence of numbers, each taken in one step, like a byte of the original. It is stable across
/// versions and platforms, unlike the standard library's hasher.
pub fn fnv1a(numbers: impl IntoIterator<Item = impl Into<u64>>) -> u64 {
    let numbers = numbers.into_iter().map(Into::into);
    numbers.fold(0xcbf2_9ce4_8422_2325, |h, n: u64| {
        (h ^ n).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The random number generator for one purpose, which `site` names (a parameter's path, say), so that
/// two tensors drawn from one seed are independent of each other and of the order in which they are drawn.
pub fn generator(seed: u64, site: &str, block: u64) -> ChaCha8Rng {
    ChaCha8Rng::from_seed(key(seed, site, block))
}

fn key(seed: u64, site: &str, block: u64) -> [u8; 32] {
    let hash = fnv1a(site.bytes());
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&hash.to_le_bytes());
    key[16..24].copy_from_slice(&block.to_le_bytes());
    key
}

/// Number of random words that the cipher produces at once.
const WORDS: usize = 64;

/// A tensor of dropout factors: 0 with probability `p`, otherwise `1 / (1 − p)`.
pub fn dropped(shape: &[usize], p: f32, seed: u64, site: &str, block: u64) -> Tensor {
    // Take the cipher's words directly: going through its generator takes twice as long.
    let mut cipher = ChaCha8Core::from_seed(key(seed, site, block));
    let mut words = <ChaCha8Core as BlockRngCore>::Results::default();
    let cells: usize = shape.iter().product();
    let mut factors = Vec::with_capacity(cells);
    while factors.len() < cells {
        cipher.generate(&mut words);
        let mut drawn = [0.0; WORDS];
        vector::dropped(words.as_ref(), p, 1.0 / (1.0 - p), &mut drawn);
        factors.extend_from_slice(&drawn[..WORDS.min(cells - factors.len())]);
    }
    Tensor::new(shape, factors)
}

/// A tensor of normally distributed numbers with mean 0 and standard deviation `std`.
pub fn normal(shape: &[usize], std: f32, seed: u64, site: &str) -> Tensor {
    draw(shape, seed, site, StandardNormal, move |x: f32| x * std)
}

/// A tensor of uniformly distributed numbers from −`bound` to `bound`.
pub fn uniform(shape: &[usize], bound: f32, seed: u64, site: &str) -> Tensor {
    draw(shape, seed, site, StandardUniform, move |x: f32| {
        (2.0 * x - 1.0) * bound
    })
}

fn draw<D>(
    shape: &[usize],
    seed: u64,
    site: &str,
    distribution: D,
    finish: impl Fn(f32) -> f32 + Sync,
) -> Tensor
where
    D: Distribution<f32> + Copy + Sync,
{
    let mut data = vec![0.0; shape.iter().product()];
    let fill = |first: usize, part: &mut [f32]| {
        for (block, cells) in part.chunks_mut(BLOCK).enumerate() {
            check();
            let mut rng = generator(seed, site, (first + block) as u64);
            for cell in cells {
                *cell = finish(distribution.sample(&mut rng));
            }
        }
    };
    let threads = threads();
    if data.len() < PARALLEL || threads == 1 {
        fill(0, &mut data);
    } else {
        let blocks = data.len().div_ceil(BLOCK).div_ceil(threads);
        let parts = data.chunks_mut(blocks * BLOCK).enumerate().collect();
        shared(parts, |(thread, part)| fill(thread * blocks, part));
    }
    Tensor::new(shape, data)
}

#[cfg(test)]
mod tests {
    use ndarray::Array1;
    use ndarray_rand::RandomExt;

    use super::*;

    #[test]
    fn normal_numbers_have_the_standard_deviation_asked_for() {
        let x = normal(&[1000, 100], 3.0, 1, "x");
        assert!(x.sum().abs() / 1e5 < 0.05, "mean {}", x.sum() / 1e5);
        assert!((x.rms() - 3.0).abs() < 0.03, "rms {}", x.rms());
    }

    #[test]
    fn uniform_numbers_stay_inside_and_reach_the_bound() {
        let x = uniform(&[10_000], 0.5, 1, "x");
        let largest = x.data().iter().fold(0.0_f32, |m, x| m.max(x.abs()));
        assert!(largest <= 0.5 && largest > 0.499, "{largest}");
    }

    #[test]
    fn one_seed_gives_one_tensor_and_another_site_another() {
        assert_eq!(normal(&[8], 1.0, 7, "a"), normal(&[8], 1.0, 7, "a"));
        assert_ne!(normal(&[8], 1.0, 7, "a"), normal(&[8], 1.0, 7, "b"));
        assert_ne!(normal(&[8], 1.0, 7, "a"), normal(&[8], 1.0, 8, "a"));
    }

    #[test]
    fn many_threads_draw_what_one_would() {
        let whole = uniform(&[PARALLEL + 3], 1.0, 5, "x");
        let mut rng = generator(5, "x", 2);
        let block: Array1<f32> = Array1::random_using(BLOCK, StandardUniform, &mut rng);
        let expected: Vec<f32> = block.iter().map(|x| 2.0 * x - 1.0).collect();
        assert_eq!(&whole.data()[2 * BLOCK..3 * BLOCK], expected);
    }

    #[test]
    fn dropout_draws_the_numbers_that_one_by_one_would_come() {
        use ndarray_rand::rand::Rng;
        let factors = dropped(&[10_000], 0.3, 4, "x", 2);
        let mut rng = generator(4, "x", 2);
        for &factor in factors.data() {
            let expected = if rng.random::<f32>() < 0.3 {
                0.0
            } else {
                1.0 / 0.7
            };
            assert_eq!(factor, expected);
        }
    }
}
