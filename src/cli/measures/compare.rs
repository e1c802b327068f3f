//! `tools compare`: whether systems differ by more than chance.

use std::io::Write;
use std::path::PathBuf;

use serde_json::json;

use super::{References, borrowed, doubts};
use crate::cli::limit::{count, require};
use crate::cli::streams::note;
use crate::data::estimate::COMPARISON;
use crate::decode::bleu::BleuOptions;
use crate::decode::bootstrap::{Measure, Resampling, Tested, paired};
use crate::decode::chrf::ChrfOptions;
use crate::decode::tokenize::Tokenize;
use crate::typeset::number::counted;

#[derive(clap::Args)]
pub struct Compare {
    /// The translations of each system, one on each line; the first is the baseline
    #[arg(long = "hyp", value_name = "FILE", required = true)]
    hyps: Vec<PathBuf>,
    #[command(flatten)]
    refs: References,
    /// The measures, several times
    #[arg(
        long = "metric",
        value_enum,
        value_name = "NAME",
        default_value = "bleu"
    )]
    metrics: Vec<Metric>,
    /// How BLEU splits text into words: 13a, intl, char, none
    #[arg(long, default_value = "13a", value_name = "NAME")]
    tokenize: Tokenize,
    /// How many corpora are drawn
    #[arg(long, default_value_t = Resampling::default().samples, value_name = "N", value_parser = count!(1, 1000000))]
    samples: usize,
    /// The random seed
    #[arg(long, default_value_t = Resampling::default().seed, value_name = "S")]
    seed: u64,
    /// As JSON, one line for each measure
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Metric {
    /// BLEU
    Bleu,
    /// chrF2
    Chrf,
    /// chrF2++, with words
    #[value(name = "chrf++")]
    ChrfPlusPlus,
}

impl Metric {
    fn measure(self, tokenize: Tokenize) -> Measure {
        match self {
            Self::Bleu => Measure::Bleu(BleuOptions {
                tokenize,
                ..BleuOptions::default()
            }),
            Self::Chrf => Measure::Chrf(ChrfOptions::default()),
            Self::ChrfPlusPlus => Measure::Chrf(ChrfOptions::plus_plus()),
        }
    }
}

pub fn compare(options: &Compare, out: &mut dyn Write) -> anyhow::Result<()> {
    require(options.hyps.len() > 1, || {
        "tools compare needs two systems or more: give --hyp for each, the baseline first"
            .to_owned()
    })?;
    let (systems, refs) = options.refs.read(&options.hyps, COMPARISON)?;
    let (systems, refs) = (borrowed(&systems), borrowed(&refs));
    let resampling = Resampling {
        samples: options.samples,
        seed: options.seed,
    };
    if options
        .metrics
        .iter()
        .any(|metric| matches!(metric, Metric::Bleu))
    {
        for doubt in doubts(&systems.concat(), refs.concat(), options.tokenize) {
            note(&doubt);
        }
    }
    for metric in &options.metrics {
        let measure = metric.measure(options.tokenize);
        let tested = paired(&systems, &refs, &measure, &resampling);
        let signature = measure.signature(refs.len());
        if options.json {
            let named = options.hyps.iter().zip(&tested);
            let each = named.map(|(path, tested)| {
                    json!({
                        "system": path, "score": tested.score, "mean": tested.mean, "ci": tested.interval,
                        "p_value": tested.p,
                    })
                });
            let each: Vec<_> = each.collect();
            let line = json!({
                "name": measure.name(), "signature": signature, "samples": options.samples, "seed": options.seed,
                "systems": each,
            });
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{} (μ ± 95 % CI)", measure.name())?;
            for (path, tested) in options.hyps.iter().zip(&tested) {
                writeln!(out, "  {}  {}", score(tested), path.display())?;
            }
            writeln!(
                out,
                "{signature}\n{}, seed {}",
                counted(options.samples, "sample"),
                options.seed
            )?;
        }
    }
    Ok(())
}

/// A score with mean, interval and probability, as sacreBLEU's tables show it; a star marks a probability below 5 %.
fn score(tested: &Tested) -> String {
    let Tested {
        score,
        mean,
        interval,
        p,
    } = tested;
    let p = match p {
        None => "baseline".to_owned(),
        Some(p) if *p > 0.05 => format!("(p = {p:.4})"),
        Some(p) => format!("(p = {p:.4})*"),
    };
    format!("{score:.2} ({mean:.2} ± {interval:.2})  {p:<13}")
}
