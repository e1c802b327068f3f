//! The figures of the lesson.

use super::*;

#[test]
fn look() {
    for seed in [7, 3] {
        for d in [2, 6, 12, 24] {
            for w in ["pre", "post", "sum", "norm", "plain"] {
                let m = measured(wiring(w).unwrap(), d, seed);
                println!(
                    "{seed} {d} {w} stream {:.3} grad {:.2e} {:.2e} ratio {:.2e} weight first {:.3} last {:.3} logits {:.3} bare {:.3}",
                    m.stream[d],
                    m.gradient[0],
                    m.gradient[d],
                    m.gradient[0] / m.gradient[d],
                    m.weight_gradient[0],
                    m.weight_gradient[d - 1],
                    m.logits,
                    m.bare_logits
                );
            }
        }
        for p in drops::places(0.1, seed) {
            println!("{p:?}");
        }
        for w in ["pre", "post", "sum", "norm", "plain"] {
            println!(
                "{w} rank {:?}\n probe {:?}",
                rank::ranks(wiring(w).unwrap(), seed),
                probe::read(wiring(w).unwrap(), seed)
            );
        }
        for p in [0.1, 0.5] {
            for n in [1, 10, 100, 1000] {
                println!(
                    "{p} {n} {:?} {:?}",
                    drops::distance(drops::What::Sublayer, p, seed, n),
                    drops::distance(drops::What::Stack, p, seed, n)
                );
            }
        }
        for (depth, rate) in [(6, 0.001), (6, 0.003), (12, 0.001), (24, 0.001)] {
            for w in race::LANES {
                let t = std::time::Instant::now();
                println!(
                    "race {depth} {rate} {w:?} {:.4} {:?}",
                    race::finish(race::Rules { depth, rate, seed }, w),
                    t.elapsed()
                );
            }
        }
    }
    let t = std::time::Instant::now();
    let s = Settings::defaults(&switches::KNOBS);
    let _ = record(&s);
    println!("record {:?}", t.elapsed());
    let mut s2 = s.clone();
    s2.set(&switches::KNOBS, "seed", "5").unwrap();
    let t = std::time::Instant::now();
    let _ = pictures::all(&s2);
    println!("pictures {:?}", t.elapsed());
    println!(
        "{:?}",
        check::check(|x, norm, dropout, f| residual(x, norm, dropout, f))
    );
    for m in &switches::MISTAKES {
        if let Some(c) = m.check {
            let o = c();
            println!(
                "{} {:?}",
                m.name,
                o.map_err(|f| f.likely.as_deref() == Some(m.hint))
            );
        }
    }
}
