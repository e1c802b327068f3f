//! Vectors of many channels as labelled points in a plane: the queries and keys of an attention head.

use crate::tensor::Tensor;

/// Maximum number of steps of the power iteration. Each shrinks the other components by the ratio of two variances.
const STEPS: usize = 400;

/// Queries and keys of one head, projected onto the two directions of largest variance of its keys.
///
/// The mean of the keys is subtracted first: it adds the same number to all scores of a query, which softmax ignores.
/// The queries are projected onto the same two directions, so the product of two points is the part of their score that
/// the plane shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// Name of the attention and the head.
    pub name: String,
    /// Share of the variance of the keys along each of the two directions, 0 to 1.
    pub shares: [f64; 2],
    /// One point per token that is attended to.
    pub keys: Vec<Point>,
    /// One point per token that attends.
    pub queries: Vec<Point>,
    /// For each query, the key with the largest product among those it may see: in the plane, and in all channels.
    pub nearest: Vec<[usize; 2]>,
    /// The two directions, as unit vectors of all channels.
    pub axes: [Vec<f64>; 2],
}

/// A labelled point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The token.
    pub label: String,
    /// Coordinates along the two directions.
    pub at: [f64; 2],
}

impl Plane {
    /// The plane of head `head`, from `queries [1, heads, target, channels]`, `keys [1, heads, source, channels]` and
    /// the attention `weights [1, heads, target, source]`, whose zeros mark keys that a query may not see.
    pub fn of(
        name: impl Into<String>,
        head: usize,
        (queries, keys, weights): (&Tensor, &Tensor, &Tensor),
        (readers, read): (&[String], &[String]),
    ) -> Self {
        let (queries, mut keys) = (rows(queries, head), rows(keys, head));
        let weights = rows(weights, head);
        let mean: Vec<f64> = (0..keys[0].len())
            .map(|c| keys.iter().map(|key| key[c]).sum::<f64>() / keys.len() as f64)
            .collect();
        for key in &mut keys {
            key.iter_mut().zip(&mean).for_each(|(x, mean)| *x -= mean);
        }
        let (axes, shares) = principal(&keys);
        let project = |row: &[f64]| [dot(row, &axes[0]), dot(row, &axes[1])];
        let points = |rows: &[Vec<f64>], labels: &[String]| -> Vec<Point> {
            let labelled = rows.iter().zip(labels);
            let point = |(row, label): (&Vec<f64>, &String)| Point {
                label: label.clone(),
                at: project(row),
            };
            labelled.map(point).collect()
        };
        let best = |query: usize, product: &dyn Fn(&[f64]) -> f64| {
            let seen = (0..keys.len()).filter(|key| weights[query][*key] > 0.0);
            let products = seen.map(|key| (key, product(&keys[key])));
            let most = products.max_by(|a, b| a.1.total_cmp(&b.1));
            most.map_or(0, |(key, _)| key)
        };
        let nearest = queries.iter().enumerate().map(|(at, query)| {
            let [x, y] = project(query);
            let flat = |key: &[f64]| {
                let [right, up] = project(key);
                x * right + y * up
            };
            [best(at, &flat), best(at, &|key| dot(query, key))]
        });
        Self {
            name: name.into(),
            nearest: nearest.collect(),
            shares,
            keys: points(&keys, read),
            queries: points(&queries, readers),
            axes,
        }
    }

    /// Coordinates of a query of all channels.
    pub fn project(&self, row: &[f32]) -> [f64; 2] {
        let row: Vec<f64> = row.iter().map(|&x| f64::from(x)).collect();
        [dot(&row, &self.axes[0]), dot(&row, &self.axes[1])]
    }

    /// Share of the variance of the keys that the plane shows, 0 to 1.
    pub fn share(&self) -> f64 {
        self.shares.iter().sum()
    }

    /// Number of queries whose largest product is with the same key in the plane and in all channels.
    pub fn agreeing(&self) -> usize {
        self.nearest.iter().filter(|[a, b]| a == b).count()
    }

    /// A sentence about query `at` in the plane.
    pub fn says(&self, at: usize) -> String {
        let (Some(query), Some(&[here, all])) = (self.queries.get(at), self.nearest.get(at)) else {
            return String::new();
        };
        let key = |at: usize| format!("\u{201c}{}\u{201d}", self.keys[at].label);
        let query = format!("Query \u{201c}{}\u{201d}: its largest product", query.label);
        if here == all {
            format!(
                "{query} is with key {}, here and in all channels.",
                key(here)
            )
        } else {
            format!(
                "{query} is with key {} here, and with {} in all channels.",
                key(here),
                key(all)
            )
        }
    }

    /// Smallest rectangle around all points and the origin: left, right, bottom, top.
    pub fn bounds(&self) -> [f64; 4] {
        let all = self.keys.iter().chain(&self.queries);
        all.fold([0.0; 4], |[left, right, bottom, top], point| {
            let [x, y] = point.at;
            [left.min(x), right.max(x), bottom.min(y), top.max(y)]
        })
    }
}

fn rows(tensor: &Tensor, head: usize) -> Vec<Vec<f64>> {
    let (length, width) = (tensor.shape()[2], tensor.last());
    let all = tensor.data()[head * length * width..][..length * width].chunks(width);
    all.map(|row| row.iter().map(|&x| f64::from(x)).collect())
        .collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The two directions along which `rows`, whose mean is 0, vary most, by power iteration; and the share of the variance
/// along each.
fn principal(rows: &[Vec<f64>]) -> ([Vec<f64>; 2], [f64; 2]) {
    let mut rows = rows.to_vec();
    let total: f64 = rows.iter().map(|row| dot(row, row)).sum();
    let mut next = || {
        // A deterministic start that is not along any of the axes.
        let start = (0..rows[0].len()).map(|c| ((c + 1) as f64).sin());
        let start = unit(start.collect());
        // Iterate on the products of the rows with the axis instead of on the axis itself: a step maps an axis to the
        // sum of the rows weighted by those products, and there are only a few tens of rows but many channels.
        let products = |row: &Vec<f64>| rows.iter().map(|other| dot(row, other)).collect();
        let products: Vec<Vec<f64>> = rows.iter().map(products).collect();
        let mut along: Vec<f64> = unit(rows.iter().map(|row| dot(row, &start)).collect());
        for _ in 1..STEPS {
            let moved = unit(products.iter().map(|row| dot(row, &along)).collect());
            let still = |(a, b): (&f64, &f64)| (a - b).abs() <= f64::EPSILON;
            let is_still = along.iter().zip(&moved).all(still);
            along = moved;
            if is_still {
                break;
            }
        }
        let mut axis = vec![0.0; start.len()];
        for (row, along) in rows.iter().zip(&along) {
            axis.iter_mut().zip(row).for_each(|(a, x)| *a += along * x);
        }
        let axis = unit(axis);
        let mut variance = 0.0;
        for row in &mut rows {
            let along = dot(row, &axis);
            variance += along * along;
            row.iter_mut().zip(&axis).for_each(|(x, a)| *x -= along * a);
        }
        (axis, if total > 0.0 { variance / total } else { 0.0 })
    };
    let ((first, most), (second, less)) = (next(), next());
    ([first, second], [most, less])
}

/// The vector divided by its norm; a zero vector is unchanged.
fn unit(mut vector: Vec<f64>) -> Vec<f64> {
    let norm = dot(&vector, &vector).sqrt();
    if norm > 0.0 {
        vector.iter_mut().for_each(|x| *x /= norm);
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_lie_in_a_plane_keep_their_products_and_all_their_variance() {
        // Keys along the second and the fourth channel, twice as far along the fourth.
        let keys = [
            0.0, 1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, -2.0,
        ];
        let keys = Tensor::new(&[1, 1, 4, 4], keys.to_vec());
        let queries = Tensor::new(&[1, 1, 2, 4], vec![9.0, 3.0, 0.0, 1.0, 9.0, 0.5, 0.0, -1.0]);
        // The second query may not see the last key.
        let weights = Tensor::new(
            &[1, 1, 2, 4],
            vec![0.25, 0.25, 0.25, 0.25, 0.5, 0.25, 0.25, 0.0],
        );
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        let plane = Plane::of(
            "",
            0,
            (&queries, &keys, &weights),
            (&words("p q"), &words("a b c d")),
        );
        assert!((plane.shares[0] - 0.8).abs() < 1e-9 && (plane.share() - 1.0).abs() < 1e-9);
        let [query, key] = [plane.queries[0].at, plane.keys[0].at];
        assert!((query[0] * key[0] + query[1] * key[1] - 3.0).abs() < 1e-6);
        assert_eq!(plane.nearest, [[0, 0], [0, 0]]);
        assert_eq!(plane.agreeing(), 2);
        assert!(plane.says(0).contains("key “a”, here and in all channels"));
    }

    #[test]
    fn equal_keys_are_one_point_at_the_origin() {
        let keys = Tensor::new(&[1, 1, 2, 3], vec![1.0; 6]);
        let weights = Tensor::new(&[1, 1, 2, 2], vec![0.5; 4]);
        let words = vec!["a".to_owned(), "b".to_owned()];
        let plane = Plane::of("", 0, (&keys, &keys, &weights), (&words, &words));
        assert_eq!(plane.share(), 0.0);
        assert!(plane.keys.iter().all(|key| key.at == [0.0, 0.0]));
    }
}
