//! The random numbers and sums of NumPy 2, on which the digits of sacreBLEU's resampling depend.

/// NumPy's default generator: PCG64 (O'Neill 2014, XSL RR 128/64), seeded by a `SeedSequence`.
pub(super) struct Generator {
    state: u128,
    increment: u128,
    /// Upper half of the last 64 bits, if only the lower one was used.
    upper: Option<u32>,
}

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

impl Generator {
    /// Generator of `numpy.random.default_rng(seed)`.
    pub fn new(seed: u64) -> Self {
        let [a, b, c, d] = seed_sequence(seed).map(u128::from);
        let mut generator = Self {
            state: 0,
            increment: (c << 64 | d) << 1 | 1,
            upper: None,
        };
        generator.step();
        generator.state = generator.state.wrapping_add(a << 64 | b);
        generator.step();
        generator
    }

    fn step(&mut self) {
        let product = self.state.wrapping_mul(MULTIPLIER);
        self.state = product.wrapping_add(self.increment);
    }

    fn next_u64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    fn next_u32(&mut self) -> u32 {
        if let Some(upper) = self.upper.take() {
            return upper;
        }
        let both = self.next_u64();
        self.upper = Some((both >> 32) as u32);
        both as u32
    }

    /// Number below `end`, all equally likely (Lemire 2019), as `integers(end)` gives it. `end` is at least 1.
    pub fn below(&mut self, end: u32) -> usize {
        if end == 1 {
            return 0;
        }
        let wide = |drawn: u32| u64::from(drawn) * u64::from(end);
        let mut product = wide(self.next_u32());
        // Lower halves below this would make some numbers more likely.
        let threshold = end.wrapping_neg() % end;
        while (product as u32) < threshold {
            product = wide(self.next_u32());
        }
        (product >> 32) as usize
    }
}

/// First four numbers of a `SeedSequence`.
fn seed_sequence(seed: u64) -> [u64; 4] {
    let mut constant = 0x43b0_d7e5_u32;
    let mut hashed = |value: u32| {
        let value = value ^ constant;
        constant = constant.wrapping_mul(0x931e_8875);
        let value = value.wrapping_mul(constant);
        value ^ value >> 16
    };
    let mut pool = [seed as u32, (seed >> 32) as u32, 0, 0].map(&mut hashed);
    for source in 0..4 {
        for target in (0..4).filter(|&target| target != source) {
            let left = pool[target].wrapping_mul(0xca01_f9dd);
            let right = hashed(pool[source]).wrapping_mul(0x4973_f715);
            let mixed = left.wrapping_sub(right);
            pool[target] = mixed ^ mixed >> 16;
        }
    }
    let mut constant = 0x8b51_f9dd_u32;
    let mut drawn = |value: u32| {
        let value = value ^ constant;
        constant = constant.wrapping_mul(0x58f3_8ded);
        let value = value.wrapping_mul(constant);
        u64::from(value ^ value >> 16)
    };
    let mut number = |at: usize| drawn(pool[at]) | drawn(pool[at + 1]) << 32;
    [number(0), number(2), number(0), number(2)]
}

/// A floating-point number of either width.
pub(super) trait Number: Copy + std::ops::Add<Output = Self> {
    const ZERO: Self;
}

impl Number for f32 {
    const ZERO: Self = 0.0;
}

impl Number for f64 {
    const ZERO: Self = 0.0;
}

/// Sum of an array in NumPy's order: pairs of halves, down to blocks of 128 numbers that are added in eight lanes.
pub(super) fn sum<T: Number>(all: &[T]) -> T {
    if all.len() < 8 {
        return all.iter().fold(T::ZERO, |sum, &x| sum + x);
    }
    if all.len() > 128 {
        let half = all.len() / 2;
        let (left, right) = all.split_at(half - half % 8);
        return sum(left) + sum(right);
    }
    let (blocks, rest) = all.as_chunks::<8>();
    let mut lanes = blocks[0];
    for block in &blocks[1..] {
        for (lane, &x) in lanes.iter_mut().zip(block) {
            *lane = *lane + x;
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    let whole = ((a + b) + (c + d)) + ((e + f) + (g + h));
    rest.iter().fold(whole, |sum, &x| sum + x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from NumPy 2.4.6: `numpy.random.default_rng(seed).choice(end, 12)`.
    #[test]
    fn numbers_are_those_of_numpy() {
        for (seed, end, numbers) in [
            (
                12345_u64,
                100_u32,
                [69, 22, 78, 31, 20, 79, 64, 67, 98, 39, 83, 33],
            ),
            (12345_u64, 7_u32, [4, 1, 5, 2, 1, 5, 4, 4, 6, 2, 5, 2]),
            (
                0_u64,
                3000_u32,
                [
                    2551, 1910, 1533, 809, 923, 122, 225, 49, 525, 2439, 1948, 2738,
                ],
            ),
            (1_u64, 1_u32, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            (
                1099511627779_u64,
                1000003_u32,
                [
                    733164, 773658, 444678, 995860, 380641, 473180, 336832, 64850, 786267, 195652,
                    118839, 565747,
                ],
            ),
            (
                12345_u64,
                2147483648_u32,
                [
                    1501552846, 488200390, 1693606511, 680233354, 438466540, 1712329281,
                    1380152456, 1452245847, 2122694022, 839901364, 1802651553, 714712467,
                ],
            ),
        ] {
            let mut generator = Generator::new(seed);
            assert_eq!(
                numbers.map(|_| generator.below(end)),
                numbers,
                "seed {seed}"
            );
        }
    }

    #[test]
    fn short_and_long_sums_have_all_terms() {
        for length in [0, 1, 7, 8, 9, 127, 128, 129, 1000] {
            let all: Vec<f64> = (0..length).map(f64::from).collect();
            assert_eq!(sum(&all), f64::from(length * (length - 1) / 2));
        }
    }
}
