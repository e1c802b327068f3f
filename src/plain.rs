//! The walkthrough as text and numbered prompts: for pipes, screen readers and simple terminals.
//!
//! Everything that the screen can do is available here too, as sentences and tables.

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use crate::command::press;
use crate::curriculum::{self, Next, PLAYGROUND};
use crate::data::file::Answers;
use crate::lesson::glossary;
use crate::lesson::knob::did_you_mean;
use crate::lesson::mine;
use crate::lesson::picture::{Status, Steered};
use crate::lesson::progress::Progress;
use crate::lesson::session::Intent;
use crate::lesson::symbols::symbols;
use crate::lesson::walk::{EndLabels, Questions, Turn, Walk};
use crate::lesson::{Body, FrontEnd, Lesson};
use crate::typeset::sanitize::clean;
use crate::typeset::shorten::shortened;
use crate::widgets::lines::{width, wrap};
use crate::widgets::{prose, stage};

mod menu;
mod names;
mod paths;
mod questions;
mod words;
mod work;

use menu::{ENTRIES, Entry, brief, menu, named_by_key};
use paths::{choose, entered};

/// Greeting at the start of the walkthrough.
const WELCOME: &str = "This is transformer-tutor: a course on the Transformer, the neural network behind today's\nlanguage models. Every number in it comes from a model that runs while you read.\nIn a lesson, type next to read on, h for all words, and q to quit.\n";

/// Width of the text, in columns.
const WIDTH: u16 = 78;

/// Runs the walkthrough until the input ends or the learner quits. On a terminal, lines are broken between words to fit
/// `columns`; elsewhere a sentence is one line, which suits other programs best.
pub fn run(
    lesson: Option<&'static Lesson>,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    columns: Option<usize>,
) -> anyhow::Result<()> {
    let mut prompt = Prompt {
        answers: Answers::of(input),
        out,
        columns,
    };
    let (mut progress, notice) = Progress::load();
    if let Some(sentence) = notice {
        prompt.say(&sentence)?;
    }
    prompt.say(WELCOME)?;
    let mut next = lesson.map(Next::Lesson);
    let mut live = None;
    loop {
        let next = match next.take() {
            Some(next) => next,
            None => match choose(&mut prompt, &progress)? {
                Some(next) => next,
                None => {
                    leave(&mut prompt, live.as_ref())?;
                    return progress.save().map_err(anyhow::Error::msg);
                }
            },
        };
        let mut at = PlainLesson::new(next, &mut progress)?;
        at.live = live.take();
        let walked = at.walk(&mut prompt)?;
        live = at.live.take();
        let saved = progress.save();
        if walked.is_break() {
            return saved.map_err(anyhow::Error::msg);
        }
        if let Err(sentence) = saved {
            prompt.say(&sentence)?;
        }
    }
}

/// Asks what to do about a running training run before the program ends; `false` to stay. The end of input ends the
/// program.
fn leave(prompt: &mut Prompt<'_>, live: Option<&Arc<dyn Steered>>) -> anyhow::Result<bool> {
    let Some(work) = live.filter(|work| work.status() != Status::Idle) else {
        return Ok(true);
    };
    loop {
        let reply = prompt.ask(
            "A training run is still going: save and stop, stop, or keep training (s, x, g)",
        )?;
        match reply.as_deref() {
            None | Some("x" | "stop") => return Ok(true),
            Some("g") => return Ok(false),
            Some("s" | "save") => {
                prompt.say(&work.put_away())?;
                return Ok(true);
            }
            Some(_) => {}
        }
    }
}

struct Prompt<'a> {
    answers: Answers<'a>,
    out: &'a mut dyn Write,
    columns: Option<usize>,
}

impl Prompt<'_> {
    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        for line in text.trim_end().split('\n') {
            match self.columns {
                Some(columns) => writeln!(self.out, "{}", broken(line, columns).join("\n"))?,
                None => writeln!(self.out, "{line}")?,
            }
        }
        Ok(())
    }

    /// Prints why something cannot be done, shortening very long values.
    fn refuse(&mut self, sentence: &str) -> anyhow::Result<()> {
        self.say(&shortened(sentence))
    }

    /// Asks for a line; `None` at the end of input.
    fn ask(&mut self, question: &str) -> anyhow::Result<Option<String>> {
        write!(self.out, "{question}> ")?;
        self.out.flush()?;
        let Some(line) = self.answers.next_line()? else {
            writeln!(self.out)?;
            return Ok(None);
        };
        Ok(Some(clean(line.trim()).trim().to_owned()))
    }
}

/// Breaks a line to fit `columns`; the continuation lines are indented further.
fn broken(line: &str, columns: usize) -> Vec<String> {
    if width(line) <= columns {
        return vec![line.to_owned()];
    }
    let words = line.trim_start();
    let indent = (width(line) - width(words)).min(columns / 2);
    let further = if indent == 0 { 0 } else { indent + 2 };
    let lines = wrap(words, columns.saturating_sub(further).max(1));
    let lines = lines.into_iter().enumerate();
    let lines = lines.map(|(i, words)| " ".repeat(if i == 0 { indent } else { further }) + &words);
    lines.collect()
}

/// The number that a line consists of, with or without the `b` of a term's other factor.
fn number(line: &str) -> Option<usize> {
    line.strip_suffix('b').unwrap_or(line).parse().ok()
}

/// A term's card, or a message that there is no such term.
fn term(name: &str) -> String {
    match glossary::find(name) {
        Ok(term) => format!("{}: {}", term.name, term.card()),
        Err(sentence) => shortened(&sentence),
    }
}

/// List of all terms.
fn terms() -> String {
    let names: Vec<&str> = glossary::terms().iter().map(|t| t.name.as_str()).collect();
    let lines = wrap(&format!("{}.", names.join(", ")), WIDTH.into());
    format!(
        "The glossary has {} terms:\n{}\nterm NAME explains one.",
        names.len(),
        lines.join("\n")
    )
}

/// Commands that would show what an open question asks about.
const SHOWN: [&str; 10] = [
    "step",
    "unstep",
    "look",
    "at",
    "why",
    "break",
    "difference",
    "backward",
    "g",
    "run",
];

/// Commands offered at the end of a lesson, or of a part of the core path.
const WAYS: EndLabels = EndLabels {
    quiz: "Type quiz",
    own_words: "Type explain",
    exercise: "Type exercise",
    hunt: "In a shell, transformer-tutor hunt",
    next: "Type next again",
};

/// A learner at a page of a lesson.
struct PlainLesson<'a> {
    walk: Walk,
    progress: &'a mut Progress,
    /// The quiz, if it was left before its end.
    quiz: Option<Questions>,
    /// Work that is still running.
    live: Option<Arc<dyn Steered>>,
    /// True if the end of the lesson, or of the part, has just been shown.
    ended: bool,
    /// True if `next` has asked the question of this page.
    asked: bool,
}

impl<'a> PlainLesson<'a> {
    fn new(next: Next, progress: &'a mut Progress) -> anyhow::Result<Self> {
        let walk = entered(&next, progress).map_err(anyhow::Error::msg)?;
        Ok(Self {
            walk,
            progress,
            quiz: None,
            live: None,
            ended: false,
            asked: false,
        })
    }

    /// Takes commands until the learner quits (`Break`) or returns to the list of lessons (`Continue`).
    fn walk(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<ControlFlow<()>> {
        self.open(self.walk.page, prompt)?;
        prompt.say(&brief())?;
        let mut explains = false;
        loop {
            let question = if explains {
                "\nA term's number or a word (h for the list, q to quit)"
            } else {
                "\nA number or word (h for the list, q to quit)"
            };
            let asked = Instant::now();
            let line = prompt.ask(question)?;
            self.walk.pass(asked.elapsed(), self.progress);
            let Some(line) = line else {
                return Ok(ControlFlow::Break(()));
            };
            let line = match number(&line) {
                // Below the terms of a cell, a number means one of them.
                Some(_) if explains => format!("why {line}"),
                Some(n) => n
                    .checked_sub(1)
                    .and_then(|n| ENTRIES.get(n))
                    .map_or(line, |entry| entry.word().to_owned()),
                None => line,
            };
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            explains = false;
            match word {
                "" => self.act("next", "", prompt)?,
                "q" | "quit" | "0" => {
                    if leave(prompt, self.live.as_ref())? {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                "h" | "help" | "?" => prompt.say(&menu())?,
                "lessons" => return Ok(ControlFlow::Continue(())),
                // Commands and keys that the texts name for the screen work here too.
                word => match word.strip_prefix(':') {
                    // The screen's name for `play`.
                    Some("translate") => self.act("play", rest.trim(), prompt)?,
                    Some(command) => match format!("{command} {rest}").split_once('=') {
                        Some((knob, value)) => {
                            self.act("set", &format!("{knob} {}", value.trim()), prompt)?;
                        }
                        None => self.act(command, rest.trim(), prompt)?,
                    },
                    None => {
                        let command = format!("{} {}", named_by_key(word), rest.trim());
                        let (word, rest) = command.split_once(' ').unwrap_or((&command, ""));
                        self.act(word, rest.trim(), prompt)?;
                        explains = matches!(word, "why" | "up") && self.walk.session.asks_why();
                    }
                },
            }
        }
    }

    fn act(&mut self, word: &str, rest: &str, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let hidden = self.walk.unanswered(self.progress).is_some();
        match word {
            word if hidden && SHOWN.contains(&word) => prompt.say(
                "Predict first: predict asks this page's question, and then the page shows what it asks about.",
            ),
            // What follows the question is the point of the page.
            "next" if hidden && !self.asked => {
                self.asked = true;
                self.predict(prompt)
            }
            "next" => match self.walk.turn(1, self.progress) {
                Turn::End if self.ended => match curriculum::next(&self.walk, self.progress) {
                    Some(next) => self.go(&next, prompt),
                    None => prompt.say("This was the last page; lessons shows what there is."),
                },
                Turn::End => {
                    self.ended = true;
                    let onward = curriculum::onward(&self.walk, self.progress);
                    prompt.say(&self.walk.end(self.progress, &onward, &WAYS))
                }
                turn => self.turn(turn, prompt),
            },
            "previous" => self.turn(self.walk.turn(-1, self.progress), prompt),
            "core" => self.core(rest, prompt),
            "page" => self.open(self.walk.page, prompt),
            "symbols" => prompt.say(&self.symbols()),
            "g" => match self.slope(rest) {
                Ok(text) | Err(text) => prompt.say(&text),
            },
            "predict" => self.predict(prompt),
            "quiz" => self.quiz(prompt),
            "explain" => self.explain(prompt),
            "run" => self.job(prompt),
            "train" => self.train(rest, prompt),
            "exercise" => self.exercise(rest, prompt),
            "mine" => {
                let card = mine::map(curriculum::exercises(), self.progress);
                prompt.say(&card.plain())
            }
            "play" => self.play(rest, prompt),
            "hunt" => prompt.say("The hunt is a command of its own, in a shell: transformer-tutor hunt."),
            "term" if rest.is_empty() => prompt.say(&terms()),
            "term" => prompt.say(&term(rest)),
            "terms" => prompt.say(&terms()),
            "look" if names::is_group(&self.walk.session, rest) => {
                prompt.say(&names::listed(&self.walk.session, rest))
            }
            word if ENTRIES.iter().any(|entry| entry.word() == word) => {
                let Some(argument) = self.argument(word, rest, prompt)? else {
                    return Ok(());
                };
                let session = &mut self.walk.session;
                let intents = words::intents(word, &argument, session);
                let result =
                    intents.and_then(|all| all.iter().try_for_each(|one| session.act(one)));
                match result {
                    Ok(()) if matches!(word, "why" | "up") => self.cell(prompt),
                    Ok(()) => {
                        self.stage(prompt)?;
                        let changed = self.walk.changed_lines(self.progress);
                        match changed.filter(|_| word == "break") {
                            Some(lines) => prompt.say(&format!("In the code:\n{lines}")),
                            None => Ok(()),
                        }
                    }
                    Err(sentence) => prompt.refuse(&sentence),
                }
            }
            other => {
                let near = did_you_mean(other, ENTRIES.iter().map(Entry::word));
                prompt.refuse(&format!("'{other}' is not on the list{near}; h shows it"))
            }
        }
    }

    /// Opens the playground with this sentence, or with what the lesson shows. The tour translates a sentence in place.
    fn play(&mut self, sentence: &str, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let at_hand = self.walk.is_tour() && !sentence.is_empty();
        if !at_hand && !std::ptr::eq(self.walk.lesson(), &raw const **PLAYGROUND) {
            let walk = Walk::new(PLAYGROUND, self.progress, FrontEnd::Plain, None)
                .map_err(anyhow::Error::msg)?;
            let before = std::mem::replace(&mut self.walk, walk);
            self.open(self.walk.page, prompt)?;
            let shown = Some(before.session.settings());
            if let Err(sentence) = self.walk.carry(shown, self.live.as_ref()) {
                prompt.say(&sentence)?;
            }
        }
        let sentence = Some(sentence).filter(|sentence| !sentence.is_empty());
        let begun = self.walk.translate(sentence);
        let picture = self.walk.session.picture();
        let writes = picture.is_some_and(|picture| matches!(picture.body, Body::Job(_)));
        match begun {
            // Who asks for a translation wants to hear it.
            Ok(()) if writes => self.job(prompt),
            Ok(()) => self.stage(prompt),
            Err(sentence) => prompt.refuse(&sentence),
        }
    }

    /// Returns the command's argument, asking for it if it is missing; `None` at the end of input.
    fn argument(
        &self,
        word: &str,
        rest: &str,
        prompt: &mut Prompt<'_>,
    ) -> anyhow::Result<Option<String>> {
        let entry = ENTRIES.iter().find(|entry| entry.word() == word);
        let takes = entry.map_or("", Entry::takes);
        let session = &self.walk.session;
        // A knob given without a value lists its values.
        let knob = session.lesson().knob(rest).ok();
        let knob = knob.filter(|_| word == "set");
        if knob.is_none() && (!rest.is_empty() || takes.is_empty() || takes.starts_with('[')) {
            return Ok(Some(rest.to_owned()));
        }
        let choices = match word {
            "look" => names::listed(session, ""),
            "at" if session.cursor_shape().is_empty() => {
                "A place on the chart's axis: at 340.".to_owned()
            }
            "at" => format!("The shape is {:?}.", session.cursor_shape()),
            "edit" => "A number; in a tensor of ids also a word that stands in it.".to_owned(),
            "set" => {
                let mut text = String::new();
                for one in session.lesson().knobs {
                    let value = session.settings().text(one.name);
                    if knob.is_some_and(|knob| knob.name != one.name) {
                        continue;
                    }
                    let (about, try_) = (one.about, session.stops(one).join(", "));
                    let _ = writeln!(text, "  {} = {value}: {about}. Try {try_}.", one.name);
                }
                text
            }
            _ => {
                let mut text = String::new();
                let lesson = session.lesson();
                for (i, mistake) in lesson.mistakes.iter().enumerate() {
                    let on = if session.settings().broken(mistake.name) {
                        "on: "
                    } else {
                        ""
                    };
                    let advice = lesson.advice(mistake, session.settings(), FrontEnd::Plain);
                    let _ = writeln!(
                        text,
                        "  {} {on}{} ({}). {advice}",
                        i + 1,
                        mistake.title,
                        mistake.name,
                    );
                }
                text
            }
        };
        prompt.say(&choices)?;
        let Some(knob) = knob else {
            let line = prompt.ask(takes)?.filter(|line| !line.is_empty());
            return match line {
                // A knob without its value: ask for that too.
                Some(line) if word == "set" && session.lesson().knob(&line).is_ok() => {
                    self.argument(word, &line, prompt)
                }
                line => Ok(line),
            };
        };
        let value = prompt.ask("VALUE")?.filter(|line| !line.is_empty());
        Ok(value.map(|value| format!("{} {value}", knob.name)))
    }

    /// Meanings of the symbols in the page's formulas.
    fn symbols(&self) -> String {
        let session = &self.walk.session;
        let revealed = self.walk.unanswered(self.progress).is_none();
        let all = symbols(self.walk.page(), session).into_iter();
        let sentences = all.map(|(symbol, meaning)| {
            format!(
                "{}.\n",
                stage::describe_symbol(session, &symbol, meaning, revealed)
            )
        });
        match sentences.collect::<String>() {
            none if none.is_empty() => {
                "No symbol of this page's formulas is a tensor or a knob of the run.".to_owned()
            }
            text => text,
        }
    }

    /// Gradient with respect to a named cell, or to the one under the cursor, by the tape and by finite differences.
    fn slope(&mut self, argument: &str) -> Result<String, String> {
        if !argument.is_empty() {
            self.walk.session.act(&Intent::Cell(argument.to_owned()))?;
        }
        let differences = self.walk.session.gradient_check()?;
        let mut text = stage::describe_gradient_check(&differences);
        if differences.suggests_a_choice() {
            text +=
                " To measure another cell's change, put the cursor on it and type backward cell.";
        }
        Ok(text)
    }

    fn open(&mut self, page: usize, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        self.ended = false;
        self.asked = false;
        let put = self.walk.turn_to(page, self.progress);
        let put = put.and_then(|keys| press(&mut self.walk.session, &keys));
        let (walk, page) = (&self.walk, self.walk.page());
        let (heading, number, pages) = walk.place(self.progress);
        prompt.say(&format!(
            "\n{heading}, page {number} of {pages}: {}\n",
            page.title
        ))?;
        if walk.core.is_some() && walk.step().is_none() {
            prompt.say("(This page is beside the core path; next goes back there.)\n")?;
        }
        let shown = walk.blocks(self.progress);
        let on = walk.session.requested().mistakes();
        prompt.say(&prose::plain(&shown, WIDTH, on))?;
        let asks = page.blocks.len() > shown.len();
        let stage = page.stage().is_some();
        if let Err(sentence) = put {
            prompt.say(&sentence)?;
        }
        if asks {
            return prompt.say("\nThis page asks a question before it continues; next asks it.");
        }
        // What starts automatically on the screen does so here too.
        let begins = |at: &Self| match at.walk.session.picture().map(|picture| &picture.body) {
            Some(Body::Job(job)) => !job.pace.is_zero(),
            _ => false,
        };
        if !stage {
            return Ok(());
        }
        if begins(self) {
            prompt.say("")?;
            self.job(prompt)
        } else if self.walk.session.asks_why() {
            self.cell(prompt)
        } else {
            self.stage(prompt)
        }
    }

    fn stage(&self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        prompt.say("")?;
        prompt.say(&stage::describe(&self.walk.session))
    }

    fn cell(&self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        if !self.walk.session.asks_why() {
            return self.stage(prompt);
        }
        prompt.say(&stage::describe_why(&self.walk.session))?;
        prompt.say(
            "Type a term's number to ask about it; in a product, 3b asks about the second factor of term 3. up goes back.",
        )
    }
}
