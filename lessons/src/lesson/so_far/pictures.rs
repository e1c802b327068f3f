//! Pictures of the reader's own translator: all rungs side by side, and the training of one.

use std::sync::Arc;

use super::built::Built;
use super::outcome::{Outcome, SENTENCES, unknown, written};
use super::record::{outcome, outcomes, spread};
use super::rung::{Fault, Rung};
use crate::lesson::picture::{Progress, Report};
use crate::lesson::race::seeds::Spread;
use crate::lesson::short_run::{Recipe, Seen, seen};
use crate::lesson::{Body, Picture, Run};

/// Makes the run of the scene for a translator and a sentence.
type RunOf = fn(Built, &str) -> Run;

/// What the training data are like.
const DATA: &str = "4,000 pairs of short sentences";

/// The recorded outcomes of every rung up to `parts`, and of `fault` there. Later rungs are named without their outcome.
pub fn ladder(parts: Rung, fault: Option<Fault>) -> Picture {
    let mut rows = Vec::new();
    for rung in Rung::ALL {
        if rung > parts {
            let not_yet = [rung.adds(), "not yet", "", "", ""];
            rows.push(not_yet.map(str::to_owned).to_vec());
            continue;
        }
        rows.extend(row(rung.adds(), rung, None));
        if let Some(fault) = fault.filter(|_| rung == parts) {
            rows.extend(row(fault.words(), rung, Some(fault)));
        }
    }
    let (german, english) = SENTENCES[0];
    Picture::table(
        "so-far",
        "Your translator, part by part",
        format!(
            "Each was trained beforehand from three seeds on {DATA}: of 100 new sentences, the lowest and highest number that it translates right, word for word. Then the loss on them (the lower, the better), and the share of next tokens that are right after the true ones. The last column is for “{german}”; right is “{english}”"
        ),
        &["parts", "right", "loss", "tokens", "writes"],
        rows,
    )
}

/// A line of the ladder, if it is recorded.
fn row(name: &str, parts: Rung, fault: Option<Fault>) -> Option<Vec<String>> {
    let runs = outcomes(parts, fault);
    let range = |of: fn(&Outcome) -> f64, shown: fn(f64) -> String| {
        let Spread { least, most, .. } = spread(&runs, of)?;
        let [least, most] = [least, most].map(shown);
        Some(if least == most {
            least
        } else {
            format!("{least}–{most}")
        })
    };
    Some(vec![
        name.to_owned(),
        range(|run| run.right as f64, |x| format!("{x:.0}"))?,
        range(|run| run.loss, |x| format!("{x:.2}"))?,
        range(|run| 100.0 * run.next_right, |x| format!("{x:.0}"))? + " %",
        runs.first()?.written[0].clone(),
    ])
}

/// The training of `built`, which the reader starts; it translates `text` too.
pub fn training(built: Built, text: &str, run: RunOf) -> Picture {
    let about = format!(
        "Trains your translator, {}, on {DATA}: {} updates, seconds to a minute. You can stop it, and it goes on from there when you start it again.",
        described(built),
        Built::STEPS
    );
    let (line, known) = (text.to_owned(), text.to_owned());
    let job = Picture::job(
        "your-run",
        "Your own run",
        String::new(),
        about,
        move |report| train(built, &line, run, report),
    );
    job.ending(move || match outcome(built) {
        Some(known) => ended(known, Vec::new()),
        None => train(built, &known, run, &mut |_| {
            std::ops::ControlFlow::Continue(())
        }),
    })
}

/// The parts and the fault, in a few words: `with the parts up to “+ positions”`.
fn described(built: Built) -> String {
    let parts = match built.rung {
        Rung::Complete => "complete".to_owned(),
        rung => format!("with the parts up to “{}”", rung.adds()),
    };
    match built.fault {
        Some(fault) => format!("{parts}, {}", fault.words()),
        None => parts,
    }
}

fn train(built: Built, text: &str, run: RunOf, report: Report<'_>) -> Progress {
    for at in (Built::EVERY..Built::STEPS).step_by(Built::EVERY) {
        let now = seen(built, at);
        let mut rows = vec![own(&now, text)];
        rows.extend(table(&written(&now, &SENTENCES.map(|(german, _)| german))));
        let progress = Progress::new(
            at as f32 / Built::STEPS as f32,
            format!(
                "Update {at} of {}. Loss on held-out sentences: {:.2}.",
                Built::STEPS,
                now.now().held_out
            ),
            drawn(rows),
        );
        if report(progress.clone()).is_break() {
            return progress;
        }
    }
    let first = own(&seen(built, Built::STEPS), text);
    let mut end = ended(&Outcome::of(built), vec![first]);
    end.run = Some(Arc::new(run(built, text)));
    end
}

/// The last drawing of a training; `first` are rows above those of the fixed sentences.
fn ended(outcome: &Outcome, mut first: Vec<Vec<String>>) -> Progress {
    first.extend(table(&outcome.written));
    Progress::new(
        1.0,
        format!(
            "{} of 100 held-out sentences are right. Loss {:.2}; {:.0} % of the next tokens are right after the true ones.",
            outcome.right,
            outcome.loss,
            100.0 * outcome.next_right
        ),
        drawn(first),
    )
}

fn drawn(rows: Vec<Vec<String>>) -> Body {
    Body::table(&["German", "it writes", ""], rows)
}

/// The row of the reader's sentence.
fn own(seen: &Seen<Built>, text: &str) -> Vec<String> {
    let says = match &unknown(text)[..] {
        [] => written(seen, &[text]).remove(0),
        words => format!("(not among its words: {})", words.join(", ")),
    };
    vec![text.to_owned(), says, String::new()]
}

/// The rows of the fixed sentences, and which of them are right.
fn table(written: &[String]) -> Vec<Vec<String>> {
    let rows = SENTENCES.iter().zip(written);
    let row = |((german, english), ours): (&(&str, &str), &String)| {
        let right = if ours == english { "right" } else { "" };
        vec![(*german).to_owned(), ours.clone(), right.to_owned()]
    };
    rows.map(row).collect()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::super::scene;
    use super::*;
    use crate::curriculum::find;

    #[test]
    fn a_run_that_was_stopped_goes_on_and_ends_with_the_trained_model() {
        let built = Built {
            rung: Rung::Echo,
            fault: None,
            seed: 99,
        };
        let mut reports = 0;
        let stopped = train(built, "Der Zwerg schläft.", scene::of, &mut |_| {
            reports += 1;
            ControlFlow::Break(())
        });
        assert!(reports == 1 && stopped.done < 1.0 && stopped.run.is_none());
        let end = train(built, "Der Zwerg schläft.", scene::of, &mut |_| {
            ControlFlow::Continue(())
        });
        let run = end.run.expect("the trained model is shown from now on");
        assert!(run.trace.tensor("generator.log_probs").is_some());
        assert!(run.note.as_ref().unwrap().contains("after 800 updates"));
        let Body::Table { rows, .. } = &end.body else {
            panic!("it is a table");
        };
        assert_eq!(rows.len(), 1 + SENTENCES.len());
        assert!(rows[0][1].contains("Zwerg"), "{:?}", rows[0]);
    }

    #[test]
    fn later_rungs_are_named_and_no_more_and_a_fault_has_its_row() {
        let Body::Table { rows, .. } = ladder(Rung::OneHead, Some(Fault::NoShift)).body else {
            panic!("it is a table");
        };
        let not_yet = rows.iter().filter(|row| row[1] == "not yet");
        assert_eq!((rows.len(), not_yet.count()), (9, 3));
        assert!(
            rows.iter()
                .any(|row| row[0] == "without the shift" && row[4].contains("<s> <s>"))
        );
    }

    #[test]
    fn a_mistake_of_the_translator_leads_to_its_scene() {
        let lesson = find("masks").unwrap();
        let mut session = crate::lesson::session::Session::new(lesson);
        session.switch("no-mask", true).unwrap();
        assert_eq!(session.requested().text("scene"), "so-far");
        let picture = |name: &str| session.run().pictures.iter().any(|p| p.name == name);
        assert!(picture("so-far") && picture("your-run"));
    }
}
