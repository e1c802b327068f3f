use transformer_tutor::widgets::formula;
const F: &[&str] = &[
    r"\mathrm{Attention}(Q,K,V)=\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V",
    r"\mathrm{PE}_{(pos,2i)}=\sin\left(pos/10000^{2i/d_{\mathrm{model}}}\right)",
    r"\mathrm{PE}_{(pos,2i+1)}=\cos\left(\frac{pos}{10000^{2i/d_{\text{model}}}}\right)",
    r"x = \sqrt{d_{\mathrm{model}}}\, E_{id} + \mathrm{PE}_{pos}",
    r"\mathrm{bound}=\sqrt{\frac{6}{n_{in}+n_{out}}} \qquad \sigma = \frac{a}{\sqrt{3}}",
    r"\mathcal{N}(0, d^{-1/2}), \quad \mathrm{rms}(x) = \sqrt{\frac{1}{n}\sum_{i=1}^{n} x_i^2}",
    r"\begin{pmatrix}\sin(\omega(p+k))\\ \cos(\omega(p+k))\end{pmatrix} = \begin{pmatrix}\cos\omega k & \sin\omega k\\ -\sin\omega k & \cos\omega k\end{pmatrix}\begin{pmatrix}\sin\omega p\\ \cos\omega p\end{pmatrix}",
    r"\langle \mathrm{PE}(p), \mathrm{PE}(q)\rangle = \sum_{i=0}^{d/2-1}\cos\left(\omega_i (p-q)\right)",
    r"\lambda_i = 2\pi\cdot 10000^{2i/d}",
    r"M_{ij}=\begin{cases}0 & j\le i\\ -\infty & j>i\end{cases}",
    r"\mathrm{softmax}(x)_i=\frac{e^{x_i}}{\sum_{j=1}^n e^{x_j}}",
    r"\mathrm{leak}_{ij}=\left\lVert\frac{\partial\,\mathrm{out}_i}{\partial\,\mathrm{in}_j}\right\rVert",
    r"\frac{\partial \,\mathrm{out}_i}{\partial\,\mathrm{in}_j} = 0 \quad\text{for all } j > i",
    r"S = Y\,(W_Q W_K^\top)\,X^\top",
    r"\mathrm{score}(q,k) = v^\top \tanh(W_q q + W_k k)",
    r"\operatorname{Var}(q\cdot k)=\sum_{i=1}^{d_k}\operatorname{Var}(q_i k_i)=d_k",
    r"W_i^Q\in\mathbb{R}^{d_{model}\times d_k}",
    r"\mathrm{MultiHead}(Q,K,V)=\mathrm{Concat}(\mathrm{head}_1,\dots,\mathrm{head}_h)W^O",
    r"lrate=d_{model}^{-0.5}\cdot\min(step^{-0.5},step\cdot warmup^{-1.5})",
    r"\mathcal{L}=-\frac{1}{N}\sum_{i=1}^N\log p_\theta(y_i\mid y_{<i},x)",
    r"\begin{aligned}a&=b+c\\&=d\end{aligned}",
    r"\mathrm{LayerNorm}(x)=\gamma\odot\frac{x-\mu}{\sqrt{\sigma^2+\varepsilon}}+\beta",
    r"\hat{x}+\bar{y}+\overline{abc}+\vec{v}, x', f''(x)",
    r"\underbrace{a+b+c}_{n} \xrightarrow{f} \binom{n}{k}",
    r"\left[\begin{matrix}1&2&3\\4&5&6\\7&8&9\end{matrix}\right]",
    r"\sqrt[3]{x+y}\; \sqrt[n]{\frac ab}",
    r"\max_i x_i,\ \arg\max_j, \lim_{x\to 0}, \prod_i^n p_i",
    r"x_{t}^{(l)}, h^{(0)}, A^{-1}, -x, a-b, a \ne b, |x|, \|x\|",
    r"scores_{b,h,i,j} = \frac{1}{\sqrt{d_k}} \sum_{c} q_{b,h,i,c}\, k_{b,h,j,c}",
    r"\text{注意力}(Q) = 1{,}536",
];
fn main() {
    for t in F {
        println!("== {t}");
        match formula::layout(t) {
            Ok(b) => {
                for (i, r) in b.rows.iter().enumerate() {
                    println!("{} {r}|", if i == b.baseline { '>' } else { ' ' })
                }
            }
            Err(e) => println!("ERR {e}"),
        }
        println!(
            "inline: {}",
            formula::inline(t).unwrap_or_else(|e| e.to_string())
        );
        println!(
            "spoken: {}",
            formula::spoken(t).unwrap_or_else(|e| e.to_string())
        );
    }
}
