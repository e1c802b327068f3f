//! `hunt`: finding the fault in a broken Transformer, as text and numbered prompts.

use std::io::{self, IsTerminal, Write};

use clap::Args;

use super::exercise::load;
use super::limit::count;
use crate::data::file::Answers;
use crate::lesson::hunt::{
    Answer, Case, Finding, Hunt, Instrument, Look, Takes, UNPROVEN, against, named, opening,
    solution,
};
use crate::lesson::knob::did_you_mean;
use crate::lesson::progress::Progress;
use crate::typeset::sanitize::clean;

pub const EXAMPLES: &str = "\
Examples:
  transformer-tutor hunt                     the first open case, where you left it
  transformer-tutor hunt --case 7            the same case for everybody
  transformer-tutor hunt --level 1           the first open case of the easiest level
  echo 'stats encoder.1' | transformer-tutor hunt --case 7";

#[derive(Args)]
pub struct Options {
    /// The case: its number decides what is wrong, on every machine
    #[arg(long, value_name = "N", value_parser = count!(1, 1000000))]
    case: Option<usize>,
    /// How hard it is; without it, the case's own level
    #[arg(long, value_name = "L", value_parser = count!(1, 3))]
    level: Option<usize>,
}

/// Runs one case until it is solved, given up or quit.
pub fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut progress = load();
    let level = options.level.map(|level| level as u8);
    let case = match options.case {
        Some(number) => Case::new(number as u64, level),
        None => Case::first_open(&progress, level),
    };
    let input = &mut io::stdin().lock();
    let echo = !io::stdin().is_terminal();
    let answers = Answers::of(input);
    let mut prompt = Prompt { answers, out, echo };
    play(case, &mut progress, &mut prompt)
}

/// Input and output of the prompts.
struct Prompt<'a> {
    answers: Answers<'a>,
    out: &'a mut dyn Write,
    /// True if lines are echoed because they were not typed on this terminal.
    echo: bool,
}

impl Prompt<'_> {
    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Asks and returns the next line, or `None` at the end of input.
    fn ask(&mut self, question: &str) -> io::Result<Option<String>> {
        write!(self.out, "\n{question} > ")?;
        self.out.flush()?;
        let Some(line) = self.answers.next_line()? else {
            writeln!(self.out)?;
            return Ok(None);
        };
        let line = clean(line.trim());
        if self.echo {
            writeln!(self.out, "{line}")?;
        }
        Ok(Some(line))
    }
}

fn play(case: Case, progress: &mut Progress, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
    let moves = progress.moves(&case.id());
    let mut hunt = Hunt::taken_up(case, moves);
    prompt.say(&opening(&hunt))?;
    prompt.say("")?;
    prompt.say(&menu(&hunt.case))?;
    loop {
        // Each look at once, because this process may be ended any time.
        if hunt.keep(progress)
            && let Err(sentence) = progress.save()
        {
            prompt.say(&sentence)?;
        }
        if hunt.is_closed() {
            return Ok(());
        }
        let looks = match hunt.left() {
            1 => "1 look left".to_owned(),
            n => format!("{n} looks left"),
        };
        let Some(line) = prompt.ask(&looks)? else {
            return Ok(());
        };
        // The prompt counts "looks", so accept `look` before a look's name.
        let line = line.strip_prefix("look ").unwrap_or(&line).trim_start();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "q" | "quit" => return Ok(()),
            "?" | "help" | "looks" => prompt.say(&menu(&hunt.case))?,
            "faults" => prompt.say(&faults(&hunt.case))?,
            "notes" => prompt.say(&notes(&hunt))?,
            "give" => prompt.say(&hunt.give_up())?,
            "name" => match named(&hunt.case, rest) {
                Err(sentence) => prompt.say(&sentence)?,
                Ok(defect) => match hunt.name(&defect) {
                    Answer::Unproven => prompt.say(UNPROVEN)?,
                    Answer::Right => {
                        prompt.say(&format!(
                            "Right: {defect}. You used {} of {} looks.",
                            hunt.used(),
                            hunt.case.budget()
                        ))?;
                        prompt.say(&solution(&hunt))?;
                        prompt.say(&hunt.enter(progress))?;
                        return progress.save().map_err(anyhow::Error::msg);
                    }
                    Answer::OtherPlace(contradictions) => {
                        prompt.say("The fault is right, and the place is not. This costs a look.")?;
                        prompt.say(&against(&contradictions))?;
                    }
                    Answer::Wrong(contradictions) => {
                        prompt.say("That is not the fault. This costs a look.")?;
                        prompt.say(&against(&contradictions))?;
                    }
                },
            },
            _ => match look(&hunt.case, word, rest) {
                Err(sentence) => prompt.say(&sentence)?,
                Ok(look) => match hunt.look(&look) {
                    Some(finding) => prompt.say(&hunt.shown(&finding))?,
                    None => prompt.say(
                        "You have no looks left. 'notes' shows what you have seen; then name a fault, or give up.",
                    )?,
                },
            },
        }
        if hunt.is_lost() {
            prompt.say("The budget is used up, so this is the solution.")?;
            prompt.say(&hunt.give_up())?;
        }
    }
}

/// Parses a look from its number or name; the error lists what can be typed.
fn look(case: &Case, word: &str, at: &str) -> Result<Look, String> {
    let all = Instrument::of(case.subject(), case.level);
    let numbered = word
        .parse()
        .ok()
        .and_then(|n: usize| all.get(n.checked_sub(1)?));
    let hit = numbered.or_else(|| all.iter().find(|i| i.to_string() == word));
    match hit {
        Some(&instrument) => Look::new(instrument, at),
        None => {
            let names: Vec<String> = all.iter().map(ToString::to_string).collect();
            let others = ["name", "faults", "notes", "looks", "quit"];
            let names = names.iter().map(String::as_str).chain(others);
            Err(format!(
                "'{word}' is not a look{} 'looks' lists them, and this costs nothing.",
                match did_you_mean(word, names) {
                    nearest if nearest.is_empty() => ".".to_owned(),
                    nearest => nearest,
                }
            ))
        }
    }
}

fn menu(case: &Case) -> String {
    let mut text = "Each look costs 1. Write its number or its name:\n".to_owned();
    for (n, instrument) in Instrument::of(case.subject(), case.level)
        .into_iter()
        .enumerate()
    {
        let takes = match instrument.takes() {
            Takes::Nothing => String::new(),
            Takes::Sentence => " [SENTENCE]".to_owned(),
            Takes::One(what, _) => format!(" {what}"),
            Takes::Count => " [N]".to_owned(),
        };
        let usage = format!("{instrument}{takes}");
        text += &format!("{:>3}  {usage:<22} {}\n", n + 1, instrument.about());
    }
    text += "These cost nothing:\n";
    for (usage, about) in [
        (
            "faults",
            "lists the faults of this level, and where each can sit",
        ),
        ("notes", "lists what you have seen"),
        ("looks", "lists the looks again"),
        ("give up", "shows the fault and how to find it"),
        ("quit", "leaves the case open"),
    ] {
        text += &format!("     {usage:<22} {about}\n");
    }
    text += "Your answer; a wrong one costs a look:\n";
    text += &format!("     {:<22} names the fault", "name FAULT [PLACE]");
    text
}

fn faults(case: &Case) -> String {
    let mut text = String::new();
    for fault in case.faults() {
        text += &format!("{:<22} {}\n", fault.name.to_string(), fault.title);
        text += &format!("{:<22} in {}\n", "", fault.name.places().join(", "));
    }
    text.trim_end().to_owned()
}

fn notes(hunt: &Hunt) -> String {
    if hunt.made().is_empty() {
        return "You have not looked yet.".to_owned();
    }
    let line = |(look, finding): &(Look, Finding)| match hunt.case.level {
        1 => format!("{look}: {}", finding.reading),
        _ => format!("{look}:\n{}", finding.text),
    };
    hunt.made().iter().map(line).collect::<Vec<_>>().join("\n")
}
