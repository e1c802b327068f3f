use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |i| {
        let (position, column) = (i[0], i[1]);
        let pair = column / 2;
        let rate = 10_000_f64.powf(-2.0 * pair as f64 / d_model as f64);
        let angle = position as f64 * rate;
        if column % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
