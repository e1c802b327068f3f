//! The tree and the search as pictures, and the facts of the others: the loop, the ranking, the sampling, the ledger, the
//! lamp.

use std::ops::ControlFlow;
use std::time::Duration;

use transformer_tutor::decode::Hypothesis;
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::decode::cache::CacheStats;
use transformer_tutor::decode::next_tokens::Cached;
use transformer_tutor::decode::options::{DecodeOptions, Sampling};
use transformer_tutor::decode::sample::{Draw, draw};
use transformer_tutor::decode::stepwise::Tree;
use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::picture::{Column, Diagram, Node, Progress};
use transformer_tutor::lesson::{Body, Fact, Facts, Picture};
use transformer_tutor::text::vocabulary::EOS;
use transformer_tutor::typeset::number::fixed;

use super::board::{self, Setup};
use super::watched::{Lamp, decoder};

/// Every picture that is more than a table or bars of facts.
pub fn all(setup: &Setup<'_>) -> Vec<Picture> {
    vec![tree(setup), search(setup), branches(setup), paths(setup)]
}

/// What the other pictures show, added to `facts`.
pub fn facts(setup: &Setup<'_>, facts: Facts) -> Facts {
    let steps = &board::grown(setup).tree.steps;
    let facts = facts
        .with("search_step", shown_step(setup) + 1)
        .with("search_steps", steps.len())
        .with("best", setup.sentence(&board::best(setup).ids));
    let facts = ranking(setup, turns(setup, facts));
    let facts = samples(setup, choices(setup, facts));
    lamp(setup, ledger(setup, facts))
}

/// Likeliest tokens of a row with their probabilities.
fn likeliest(row: &[f32], most: usize) -> Vec<(usize, f64)> {
    let all = Sampling::default().choices(row);
    all.into_iter().take(most).collect()
}

fn turns(setup: &Setup<'_>, facts: Facts) -> Facts {
    let turns = board::turns(setup);
    // The token chosen is the likeliest of its row, even in a broken run.
    let nth = |place: usize| {
        turns.iter().map(move |turn| {
            likeliest(&turn.row, 2)
                .get(place)
                .copied()
                .unwrap_or_default()
        })
    };
    let words = |place| Fact::words(nth(place).map(|(id, _)| setup.word(id as u32)));
    let shares = |place| Fact::numbers(nth(place).map(|(_, p)| p));
    let ended = turns.last().is_some_and(|turn| turn.word == EOS as u32);
    facts
        .with("turns", turns.len())
        .with("loop_ended", ended)
        .with("taken", words(0))
        .with("taken_p", shares(0))
        .with("second", words(1))
        .with("second_p", shares(1))
}

/// The step that the knob selects, from 0.
fn shown_step(setup: &Setup<'_>) -> usize {
    let steps = board::grown(setup).tree.steps.len();
    setup.knobs.step.clamp(1, steps.max(1)) - 1
}

fn tree(setup: &Setup<'_>) -> Picture {
    let grown = board::grown(setup);
    let steps = &grown.tree.steps;
    let at = shown_step(setup);
    let mut rows = vec![];
    let alpha = board::exponent(setup);
    let offered = steps.get(at).map_or(&[][..], |step| &step.branches);
    // Without a penalty the score is the log-probability.
    let scored = alpha != 0.0;
    for (n, b) in offered.iter().enumerate() {
        let mut cells = vec![
            (b.parent + 1).to_string(),
            setup.word(b.word),
            format!("{:.3}", b.log_prob),
        ];
        if scored {
            cells.push(format!("{:.3}", b.log_prob / board::penalty(at + 1, alpha)));
        }
        cells.push(board::fate(setup, at, n));
        rows.push(cells);
    }
    let mut header = vec!["of", "token", "log p", "score", "result"];
    if !scored {
        header.remove(3);
    }
    let alive = grown.tree.alive.get(at).map_or(&[][..], |all| all);
    let alive = alive.iter().enumerate().map(|(n, path)| {
        let from = path.len().saturating_sub(4);
        let dots = if from > 0 { "… " } else { "" };
        format!("{}: {dots}{}", n + 1, setup.text(&path[from..]))
    });
    let bar = board::bar(setup, at).map_or(String::new(), |bar| {
        format!(" A pruned one shows by how much it missed “{bar}”, the last that is kept.")
    });
    Picture::table(
        "tree",
        format!(
            "Step {} of {}: the competing continuations",
            at + 1,
            steps.len()
        ),
        format!(
            "{} continuations of the hypotheses {}.{bar} Turn step.",
            rows.len(),
            alive.collect::<Vec<_>>().join("; ")
        ),
        &header,
        rows,
    )
    .turned_by("step")
}

/// How long each moment of the search is shown.
const PACE: Duration = Duration::from_millis(450);

/// Maximum number of a hypothesis's tokens written out: its last ones.
const TOLD: usize = 4;

/// The whole search as it happens: at each step what competes, what becomes of it, and what lives on.
fn search(setup: &Setup<'_>) -> Picture {
    let grown = board::grown(setup);
    let count = grown.tree.steps.len();
    let mut moments = vec![];
    for (at, step) in grown.tree.steps.iter().enumerate() {
        let alive = &grown.tree.alive[at];
        let row = |n: usize, with_fate: bool| {
            let branch = &step.branches[n];
            let path = [&alive[branch.parent][..], &[branch.word]].concat();
            let from = path.len().saturating_sub(TOLD);
            let dots = if from > 0 { "… " } else { "" };
            vec![
                format!("{dots}{}", setup.text(&path[from..])),
                format!("{:.3}", branch.log_prob),
                match (with_fate, branch.fate) {
                    (false, _) => String::new(),
                    (true, Fate::Pruned) => "pruned".to_owned(),
                    (true, _) => board::fate(setup, at, n),
                },
            ]
        };
        let all = 0..step.branches.len();
        let lives = |n: &usize| step.branches[*n].fate != Fate::Pruned;
        let kept = all.clone().filter(lives);
        let (many, left) = (all.len(), kept.clone().count());
        let number = format!("Step {} of {count}", at + 1);
        moments.push((
            all.clone().map(|n| row(n, false)).collect::<Vec<_>>(),
            format!(
                "{number}: {} hypotheses, each continued by every token. The {many} continuations with the highest log-probability compete.",
                alive.len()
            ),
        ));
        moments.push((
            all.map(|n| row(n, true)).collect(),
            format!("{number}: {left} of the {many} continuations stay, the others are pruned."),
        ));
        moments.push((
            kept.map(|n| row(n, true)).collect(),
            format!("{number}: these go on, or have ended."),
        ));
    }
    if let Some((_, says)) = moments.last_mut() {
        *says = format!(
            "The search is over after {count} steps. The best finished hypothesis{}: {}",
            match setup.knobs.alpha {
                0.0 => String::new(),
                alpha => format!(", ranked with α = {alpha}"),
            },
            setup.sentence(&board::best(setup).ids)
        );
    }
    let whole = moments.len().max(1) as f32;
    let drawing = move |n: usize| {
        let (rows, says) = moments.get(n).cloned().unwrap_or_default();
        let body = Body::table(&["hypothesis", "log p", "result"], rows);
        Progress::new((n + 1) as f32 / whole, says, body)
    };
    let last = whole as usize - 1;
    let job = Body::job(move |report| {
        for n in 0..last {
            if report(drawing(n)) == ControlFlow::Break(()) {
                return drawing(n);
            }
        }
        drawing(last)
    });
    Picture::drawn("search", job).paced(PACE)
}

/// Number of hypotheses that are ranked and drawn.
const BEST: usize = 10;

/// Steps drawn before and after the one that the knob selects.
const AROUND: [usize; 2] = [1, 2];

/// The search as a tree around the knob's step: a column per step, with the competing continuations to the right of the
/// hypotheses that they extend.
fn branches(setup: &Setup<'_>) -> Picture {
    let grown = board::grown(setup);
    let steps = &grown.tree.steps;
    let at = shown_step(setup);
    let first = at.saturating_sub(AROUND[0]);
    let mut diagram = Diagram::default();
    // Of each living hypothesis: the index of its node, and its log p.
    let mut living = vec![(0, 0.0)];
    for (n, step) in steps.iter().enumerate().take(at + AROUND[1] + 1) {
        let mut all: Vec<&Branch> = step.branches.iter().collect();
        // In the order of their parents, so that arrows rarely cross.
        all.sort_by_key(|branch| living[branch.parent].0);
        if n >= first {
            let nodes = all.iter().map(|branch| continuation(setup, branch));
            let column = Column::new(format!("step {}", n + 1), nodes);
            diagram.columns.push(column);
        }
        if n > first {
            let arrows = all.iter().enumerate().map(|(to, branch)| {
                let (from, before) = living[branch.parent];
                ([from, to], (branch.log_prob - before).exp() as f32)
            });
            diagram = diagram.with_arrows(n - first - 1, arrows);
        }
        let mut alive: Vec<(usize, (usize, f64))> = all
            .iter()
            .enumerate()
            .filter_map(|(node, branch)| match branch.fate {
                Fate::Alive(place) => Some((place, (node, branch.log_prob))),
                _ => None,
            })
            .collect();
        alive.sort_by_key(|(place, _)| *place);
        living = alive.into_iter().map(|(_, node)| node).collect();
    }
    Picture::drawn("branches", Body::Diagrams(vec![diagram]))
}

fn continuation(setup: &Setup<'_>, branch: &Branch) -> Node {
    let note = match branch.fate {
        Fate::Pruned => "pruned".to_owned(),
        _ => fixed(branch.log_prob as f32, 2),
    };
    Node::new(setup.word(branch.word), note)
}

/// The best hypotheses as a tree, with one line for each path from a fork to the next, or to its end, below the path
/// from which it branched.
fn paths(setup: &Setup<'_>) -> Picture {
    let grown = board::grown(setup);
    let mut ended = grown.tree.ended(board::exponent(setup));
    ended.truncate(BEST);
    let best: Vec<Vec<u32>> = ended.into_iter().map(|h| h.ids).collect();
    let trunk = Trunk {
        setup,
        tree: &grown.tree,
        best: &best,
    };
    let mut rows = vec![];
    trunk.descend(0, 0, "", &mut rows);
    let header = ["tokens", "log p", "rank"];
    Picture::drawn("paths", Body::table(&header, rows))
}

/// A tree, and those of its hypotheses that are drawn, best first.
struct Trunk<'a> {
    setup: &'a Setup<'a>,
    tree: &'a Tree,
    best: &'a [Vec<u32>],
}

impl Trunk<'_> {
    /// Draws everything that follows the hypothesis `place` before `step`, with `lead` in front of each line.
    fn descend(&self, step: usize, place: usize, lead: &str, rows: &mut Vec<Vec<String>>) {
        let own = self.children(step, place);
        for (n, first) in own.iter().enumerate() {
            let (knot, on) = match n + 1 == own.len() {
                _ if rows.is_empty() && own.len() == 1 => ("", ""),
                true => ("└ ", "  "),
                false => ("├ ", "│ "),
            };
            // A path without a fork stays on one line.
            let (mut step, mut branch, mut place) = (step, *first, place);
            let mut words = self.setup.word(branch.word);
            while let Fate::Alive(next) = branch.fate {
                (step, place) = (step + 1, next);
                let [only] = self.children(step, place)[..] else {
                    break;
                };
                branch = only;
                words += &format!(" {}", self.setup.word(branch.word));
            }
            let ended = branch.fate == Fate::Finished;
            let path = &self.tree.alive[step][place];
            let rank = self.best.iter().position(|ids| ended && ids == path);
            rows.push(vec![
                format!("{lead}{knot}{words}"),
                format!("{:.2}", branch.log_prob),
                rank.map_or(String::new(), |rank| (rank + 1).to_string()),
            ]);
            if !ended {
                self.descend(step, place, &format!("{lead}{on}"), rows);
            }
        }
    }

    /// Continuations of a hypothesis that lead to one that is drawn.
    fn children(&self, step: usize, place: usize) -> Vec<&Branch> {
        let now = self.tree.steps.get(step);
        let now = now.map_or(&[][..], |now| &now.branches);
        let path = |b: &Branch| [&self.tree.alive[step][b.parent][..], &[b.word]].concat();
        let leads = |b: &&Branch| match b.fate {
            Fate::Pruned => false,
            Fate::Finished => self.best.contains(&self.tree.alive[step][b.parent]),
            Fate::Alive(_) => self.best.iter().any(|ids| ids.starts_with(&path(b))),
        };
        let own = now.iter().filter(|b| b.parent == place);
        own.filter(leads).collect()
    }
}

fn ranking(setup: &Setup<'_>, facts: Facts) -> Facts {
    let all = board::grown(setup).tree.ended(board::exponent(setup));
    let best = || all.iter().take(BEST);
    let end = |h: &Hypothesis| setup.text(&h.ids[h.ids.len().saturating_sub(3)..]);
    facts
        .with("finished", all.len())
        .with("ranked", best().count())
        .with("ranked_score", Fact::numbers(best().map(|h| h.score)))
        .with("ranked_p", Fact::numbers(best().map(|h| h.log_prob)))
        .with(
            "ranked_tokens",
            Fact::numbers(best().map(|h| h.ids.len() + 1)),
        )
        .with("ranked_end", Fact::words(best().map(end)))
}

/// Row of log-probabilities at the knob's step of the loop.
pub fn row_of(setup: &Setup<'_>) -> Vec<f32> {
    let turns = board::turns(setup);
    let at = setup.knobs.step.clamp(1, turns.len()) - 1;
    turns[at].row.clone()
}

/// Maximum number of candidate tokens shown: the remaining hundreds have almost no probability.
const SHOWN: usize = 12;

fn choices(setup: &Setup<'_>, facts: Facts) -> Facts {
    let row = row_of(setup);
    let all = setup.knobs.sampling().choices(&row);
    let shown = || all.iter().take(SHOWN);
    let limits = |(id, share): &(usize, f64)| {
        let free = f64::from(row[*id]).exp();
        if (share - free).abs() < 5e-5 {
            String::new()
        } else {
            format!(", before limits {free:.4}")
        }
    };
    facts
        .with("drawable", all.len())
        .with("vocabulary", row.len())
        .with(
            "choice",
            Fact::words(shown().map(|(id, _)| setup.word(*id as u32))),
        )
        .with(
            "choice_share",
            Fact::numbers(shown().map(|(_, share)| *share)),
        )
        .with("choice_limits", Fact::words(shown().map(limits)))
}

/// Eight sampled translations with their log-probabilities.
pub fn drawn(setup: &Setup<'_>) -> Vec<Hypothesis> {
    let src = setup.source();
    let decoder = decoder(&setup.model);
    let mut words = Cached::new(&decoder, &[decoder.source(&src)]);
    let one = Draw {
        key: format!("sample {src:?}"),
        limit: setup.knobs.limit,
    };
    let options = DecodeOptions {
        nbest: 8,
        sampling: Some(setup.knobs.sampling()),
        ..DecodeOptions::default()
    };
    draw(&mut words, &[one], &options).remove(0)
}

fn samples(setup: &Setup<'_>, facts: Facts) -> Facts {
    static MEMO: Memo<Vec<(f64, String)>> = Memo::new("decoding: samples");
    let (sampling, limit) = (setup.knobs.sampling(), setup.knobs.limit);
    let samples = MEMO.get(format!("{sampling:?} {limit} {}", setup.key()), || {
        let row = |h: &Hypothesis| (h.log_prob, setup.written(&h.ids));
        drawn(setup).iter().map(row).collect()
    });
    facts
        .with("sample_p", Fact::numbers(samples.iter().map(|(p, _)| *p)))
        .with("sample", Fact::words(samples.iter().map(|(_, text)| text)))
}

fn ledger(setup: &Setup<'_>, facts: Facts) -> Facts {
    let cost = board::cost(setup);
    let cached = |of: fn(&CacheStats) -> f64| Fact::numbers(cost.cached.iter().map(of));
    let so_far = |of: fn(&(u64, u64)) -> u64| {
        let sums = cost.anew.iter().scan(0, |sum, step| {
            *sum += of(step);
            Some(*sum)
        });
        Fact::numbers(sums)
    };
    facts
        .with("cached_rows", cached(|books| books.projected as f64))
        .with("cached_bytes", cached(|books| books.bytes as f64))
        .with("cached_flops", cached(|books| books.flops as f64))
        .with("anew_rows", so_far(|(rows, _)| *rows))
        .with("anew_flops", so_far(|(_, flops)| *flops))
}

fn lamp(setup: &Setup<'_>, facts: Facts) -> Facts {
    let lamps = &board::grown(setup).lamps;
    let words = |of: fn(&Lamp) -> u32| Fact::words(lamps.iter().map(|lamp| setup.word(of(lamp))));
    let equal = |lamp: &Lamp| lamp.apart < EQUAL;
    let sign = |lamp: &Lamp| if equal(lamp) { "●" } else { "✗" };
    let books = lamps.last().map(|lamp| lamp.stats).unwrap_or_default();
    let books = [books.projected, books.reused, books.discarded];
    let first = lamps.iter().position(|lamp| !equal(lamp));
    facts
        .with("with_cache", words(|lamp| lamp.words.0))
        .with("without_cache", words(|lamp| lamp.words.1))
        .with("apart", Fact::numbers(lamps.iter().map(|lamp| lamp.apart)))
        .with("lamps", Fact::words(lamps.iter().map(sign)))
        .with("first_apart", first.map_or(0, |n| n + 1))
        .with("books", Fact::numbers(books))
}

/// Largest difference at which cached and uncached results count as equal: only the order of their sums differs.
pub const EQUAL: f32 = 1e-3;
