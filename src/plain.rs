//! The walkthrough as text and numbered prompts: for pipes, screen readers and simple terminals.
//!
//! Everything that the screen can do is here too, and says itself in sentences and tables.

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::curriculum::{self, LESSONS, PLAYGROUND};
use crate::lesson::exercise::runner::Runner;
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::exercise::{end_together, report};
use crate::lesson::live::{Status, Steer, Steered};
use crate::lesson::page::{self, Page, Predict};
use crate::lesson::progress::Progress;
use crate::lesson::session::chart::{has_chart, with_chart};
use crate::lesson::session::{Focus, Session};
use crate::lesson::{Body, Lesson, models, quiz};
use crate::widgets::curves::view::{Turn, places};
use crate::widgets::sanitize::clean;
use crate::widgets::{prose, stage};

/// Columns that text is set in.
const WIDTH: u16 = 78;

/// What a learner can ask for in a lesson; its number is its place in the list, from 1.
struct Entry {
    word: &'static str,
    /// What it takes, or nothing.
    takes: &'static str,
    about: &'static str,
}

const ENTRIES: [Entry; 26] = [
    Entry {
        word: "next",
        takes: "",
        about: "the next page",
    },
    Entry {
        word: "previous",
        takes: "",
        about: "the page before",
    },
    Entry {
        word: "page",
        takes: "",
        about: "this page again",
    },
    Entry {
        word: "step",
        takes: "",
        about: "the next recorded operation",
    },
    Entry {
        word: "unstep",
        takes: "",
        about: "the operation before",
    },
    Entry {
        word: "look",
        takes: "NAME",
        about: "a tensor or a picture",
    },
    Entry {
        word: "at",
        takes: "I,J,…",
        about: "put the cursor on this cell",
    },
    Entry {
        word: "why",
        takes: "[NAME[I,J,…] or TERM]",
        about: "where a cell came from; then one of its terms, down to the leaf",
    },
    Entry {
        word: "up",
        takes: "",
        about: "back to the cell asked about before",
    },
    Entry {
        word: "set",
        takes: "KNOB VALUE",
        about: "turn a knob",
    },
    Entry {
        word: "break",
        takes: "NUMBER or NAME",
        about: "switch a mistake on or off",
    },
    Entry {
        word: "difference",
        takes: "",
        about: "the broken run minus the sound one",
    },
    Entry {
        word: "edit",
        takes: "VALUE",
        about: "give the cell under the cursor (at) another value; everything downstream runs again",
    },
    Entry {
        word: "undo",
        takes: "",
        about: "take the last change of a cell back",
    },
    Entry {
        word: "redo",
        takes: "",
        about: "make it again",
    },
    Entry {
        word: "backward",
        takes: "[cell]",
        about: "flip every tensor to its gradient, of the loss; of the cell under the cursor (cell); or back",
    },
    Entry {
        word: "g",
        takes: "[NAME[I,J,…]]",
        about: "nudge the cell under the cursor (or this one) by steps of several sizes, and hold the slope against the tape's",
    },
    Entry {
        word: "zoom",
        takes: "[A B, in, out, newest]",
        about: "look at a chart from A to B; closer; further; at the end that grows; alone, at all of it. at X reads it there",
    },
    Entry {
        word: "log",
        takes: "",
        about: "turn a chart's vertical axis logarithmic, or linear again",
    },
    Entry {
        word: "run",
        takes: "",
        about: "start the experiment of the picture looked at",
    },
    Entry {
        word: "train",
        takes: "[UPDATES, rate up, rate down, save, resume, back, forward, fork, race, lane, pause, head, stop]",
        about: "steer the training run looked at: so many updates, then it waits; run goes on or pauses",
    },
    Entry {
        word: "predict",
        takes: "",
        about: "answer this page's question",
    },
    Entry {
        word: "quiz",
        takes: "",
        about: "the questions at the end",
    },
    Entry {
        word: "exercise",
        takes: "[hint]",
        about: "the function to write: its task, your file, the check",
    },
    Entry {
        word: "play",
        takes: "[SENTENCE]",
        about: "the playground: your sentence, any model, and all that can be seen of it",
    },
    Entry {
        word: "lessons",
        takes: "",
        about: "the list of lessons",
    },
];

/// Runs the walkthrough until the input ends or the learner quits.
pub fn run(
    lesson: Option<&'static Lesson>,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut prompt = Prompt { input, out };
    let (mut progress, said) = Progress::load();
    if let Some(sentence) = said {
        prompt.say(&sentence)?;
    }
    let mut next = lesson;
    let mut live = None;
    loop {
        let lesson = match next.take() {
            Some(lesson) => lesson,
            None => match choose(&mut prompt)? {
                Some(lesson) => lesson,
                None => return leave(&mut prompt, live.as_ref()).map(drop),
            },
        };
        let mut at = At::new(lesson, &mut progress)?;
        at.live = live.take();
        let walked = at.walk(&mut prompt)?;
        live = at.live.take();
        if let Err(sentence) = progress.save() {
            prompt.say(&sentence)?;
        }
        if walked.is_break() {
            return Ok(());
        }
    }
}

/// The word for a key of the screen, which the texts name; anything else is itself.
fn named_by_key(key: &str) -> &str {
    match key {
        "p" => "predict",
        "r" => "run",
        "d" => "difference",
        "z" => "quiz",
        "x" => "exercise",
        "P" => "play",
        other => other,
    }
}

/// Asks what becomes of a training run that goes on, before the program ends; `false` to stay. An input that has
/// ended ends the program.
fn leave(prompt: &mut Prompt<'_>, live: Option<&Arc<dyn Steered>>) -> anyhow::Result<bool> {
    let Some(work) = live.filter(|work| work.status() != Status::Idle) else {
        return Ok(true);
    };
    loop {
        let asked =
            prompt.ask("A training run goes on: save and stop, stop, or go on (s, x, g)")?;
        match asked.as_deref() {
            None | Some("x" | "stop") => return Ok(true),
            Some("g") => return Ok(false),
            Some("s" | "save") => {
                work.steer(Steer::Pause);
                work.steer(Steer::SaveAll);
                prompt.say(&work.settle())?;
                return Ok(true);
            }
            Some(_) => {}
        }
    }
}

struct Prompt<'a> {
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
}

impl Prompt<'_> {
    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{}", text.trim_end())?;
        Ok(())
    }

    /// Asks for a line; `None` when the input has ended.
    fn ask(&mut self, question: &str) -> anyhow::Result<Option<String>> {
        write!(self.out, "{question}> ")?;
        self.out.flush()?;
        let mut line = String::new();
        if self.input.read_line(&mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(None);
        }
        Ok(Some(clean(line.trim()).trim().to_owned()))
    }
}

/// The list of lessons; `None` to quit.
fn choose(prompt: &mut Prompt<'_>) -> anyhow::Result<Option<&'static Lesson>> {
    prompt.say("The lessons:")?;
    for lesson in LESSONS {
        prompt.say(&format!(
            "  {} {} ({} minutes)",
            lesson.number, lesson.title, lesson.minutes
        ))?;
    }
    loop {
        let Some(line) = prompt.ask("A lesson's number, or q to quit")? else {
            return Ok(None);
        };
        match line.as_str() {
            "q" | "quit" | "0" => return Ok(None),
            "" => {}
            word => match curriculum::find(word) {
                Ok(lesson) => return Ok(Some(lesson)),
                Err(sentence) => prompt.say(&sentence)?,
            },
        }
    }
}

/// A learner at a page of a lesson.
struct At<'a> {
    session: Session,
    pages: Vec<Page>,
    page: usize,
    progress: &'a mut Progress,
    /// Work that was begun and goes on.
    live: Option<Arc<dyn Steered>>,
}

impl<'a> At<'a> {
    fn new(lesson: &'static Lesson, progress: &'a mut Progress) -> anyhow::Result<Self> {
        let path = format!("lessons/{}/lesson.md", lesson.folder());
        let pages = page::parse(&path, lesson.text)?;
        let stopped = progress.lesson(lesson.name).stopped_at;
        let page = page::number(&pages, stopped.as_deref());
        Ok(Self {
            session: Session::new(lesson),
            pages,
            page,
            progress,
            live: None,
        })
    }

    /// `Break` when the learner quits, `Continue` for the list of lessons.
    fn walk(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<ControlFlow<()>> {
        self.open(prompt)?;
        prompt.say(&menu())?;
        loop {
            let Some(line) = prompt.ask("\nA number or word (h for the list, q to quit)")? else {
                return Ok(ControlFlow::Break(()));
            };
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let number = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let word = number
                .and_then(|n| ENTRIES.get(n))
                .map_or(word, |entry| entry.word);
            match word {
                "" => {}
                "n" => self.act("next", "", prompt)?,
                "q" | "quit" | "0" => {
                    if leave(prompt, self.live.as_ref())? {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                "h" | "help" | "?" => prompt.say(&menu())?,
                "lessons" => return Ok(ControlFlow::Continue(())),
                // What the texts name for the screen does the same here.
                word => match word.strip_prefix(':') {
                    Some("translate") => self.act("play", rest.trim(), prompt)?,
                    Some(asked) => match format!("{asked} {rest}").split_once('=') {
                        Some((knob, value)) => {
                            self.act("set", &format!("{knob} {}", value.trim()), prompt)?;
                        }
                        None => self.act(asked, rest.trim(), prompt)?,
                    },
                    None => self.act(named_by_key(word), rest.trim(), prompt)?,
                },
            }
        }
    }

    fn act(&mut self, word: &str, rest: &str, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        match word {
            "next" if self.page + 1 == self.pages.len() => {
                prompt.say(
                    "This was the last page. Go on with the quiz, the exercise, or another lesson.",
                )?;
            }
            "next" => {
                self.page += 1;
                self.open(prompt)?;
            }
            "previous" => {
                self.page = self.page.saturating_sub(1);
                self.open(prompt)?;
            }
            "page" => self.open(prompt)?,
            "step" => {
                self.session.advance(1);
                self.stage(prompt)?;
            }
            "unstep" => {
                self.session.advance(-1);
                self.stage(prompt)?;
            }
            "edit" => {
                let asked = self.argument(word, rest, prompt)?;
                let Some(value) = asked else { return Ok(()) };
                match self.session.edit_text(&value) {
                    Ok(()) => self.stage(prompt)?,
                    Err(sentence) => prompt.say(&sentence)?,
                }
            }
            "undo" | "redo" => {
                let done = if word == "undo" {
                    self.session.undo()
                } else {
                    self.session.redo()
                };
                if !done {
                    return prompt.say("There is no such change.");
                }
                self.stage(prompt)?;
            }
            "backward" => match self.session.toggle_lens(rest == "cell") {
                Ok(()) => self.stage(prompt)?,
                Err(sentence) => prompt.say(&sentence)?,
            },
            "g" => match self.slope(rest) {
                Ok(said) => prompt.say(&said)?,
                Err(sentence) => prompt.say(&sentence)?,
            },
            "zoom" | "log" => match self.chart(word, rest) {
                Ok(()) => self.stage(prompt)?,
                Err(sentence) => prompt.say(&sentence)?,
            },
            "difference" => {
                self.session.toggle_difference();
                if !self.session.shows_difference()
                    && self.session.edits().is_empty()
                    && self.session.settings().mistakes().next().is_none()
                {
                    prompt.say("No mistake is on, so there is no difference to the sound run.")?;
                }
                self.stage(prompt)?;
            }
            "up" => {
                self.session.back();
                self.cell(prompt)?;
            }
            "predict" => self.predict(prompt)?,
            "quiz" => self.quiz(prompt)?,
            "run" => self.job(prompt)?,
            "train" => self.train(rest, prompt)?,
            "exercise" => self.exercise(rest, prompt)?,
            "play" => self.play(rest, prompt)?,
            "look" | "at" | "why" | "set" | "break" => {
                let asked = self.argument(word, rest, prompt)?;
                let Some(argument) = asked else { return Ok(()) };
                match self.change(word, &argument) {
                    Ok(()) if word == "why" => self.cell(prompt)?,
                    Ok(()) => self.stage(prompt)?,
                    Err(sentence) => prompt.say(&sentence)?,
                }
            }
            other => {
                let names = ENTRIES.iter().map(|e| e.word);
                let near = crate::lesson::knob::did_you_mean(other, names);
                prompt.say(&format!("'{other}' is not on the list{near}; h shows it"))?;
            }
        }
        Ok(())
    }

    /// The playground, with this sentence, or what the lesson shows.
    fn play(&mut self, sentence: &str, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        if !std::ptr::eq(self.session.lesson(), &raw const **PLAYGROUND) {
            let working = self.live.as_ref();
            let working = working.is_some_and(|work| work.status() != Status::Idle);
            let carried = models::carried(Some(self.session.settings()), working);
            let mut session = Session::new(PLAYGROUND);
            for (knob, value) in carried {
                if let Err(sentence) = session.set(knob, &value) {
                    prompt.say(&sentence)?;
                }
            }
            let path = format!("lessons/{}/lesson.md", PLAYGROUND.folder());
            (self.session, self.page) = (session, 0);
            self.pages = page::parse(&path, PLAYGROUND.text)?;
            self.open(prompt)?;
        }
        let set = match sentence {
            "" => Ok(()),
            sentence => self.session.set("sentence", sentence),
        };
        match set {
            Ok(()) => {
                self.session.set_focus(Focus::Picture(0));
                self.stage(prompt)
            }
            Err(sentence) => prompt.say(&sentence),
        }
    }

    /// What follows the word, or is asked for now; `None` when the input has ended.
    fn argument(
        &self,
        word: &str,
        rest: &str,
        prompt: &mut Prompt<'_>,
    ) -> anyhow::Result<Option<String>> {
        if !rest.is_empty() || word == "why" {
            return Ok(Some(rest.to_owned()));
        }
        let session = &self.session;
        let choices = match word {
            "look" => {
                let steps = session.trace().steps().iter().map(|s| s.name.as_str());
                let all: Vec<&str> = steps
                    .chain(session.run().pictures.iter().map(|p| p.name))
                    .collect();
                format!("There are {}.", all.join(", "))
            }
            "at" if session.cursor_shape().is_empty() => {
                "A place on the chart's axis: at 340.".to_owned()
            }
            "at" => format!("The shape is {:?}.", session.cursor_shape()),
            "edit" => "A number; in a tensor of ids also a word that stands in it.".to_owned(),
            "set" => {
                let mut text = String::new();
                for knob in session.lesson().knobs {
                    let value = session.settings().text(knob.name);
                    let _ = writeln!(
                        text,
                        "  {} = {value}: {}. Try {}.",
                        knob.name,
                        knob.about,
                        knob.stops().join(", ")
                    );
                }
                text
            }
            _ => {
                let mut text = String::new();
                for (i, mistake) in session.lesson().mistakes.iter().enumerate() {
                    let on = if session.settings().broken(mistake.name) {
                        "on: "
                    } else {
                        ""
                    };
                    let _ = writeln!(
                        text,
                        "  {} {on}{} ({}). {}",
                        i + 1,
                        mistake.title,
                        mistake.name,
                        mistake.watch
                    );
                }
                text
            }
        };
        prompt.say(&choices)?;
        let entry = ENTRIES
            .iter()
            .find(|e| e.word == word)
            .map_or("", |e| e.takes);
        Ok(prompt.ask(entry)?.filter(|line| !line.is_empty()))
    }

    fn change(&mut self, word: &str, argument: &str) -> Result<(), String> {
        match word {
            "look" => self.session.show(argument),
            "at" if self.session.picture().is_some_and(|p| has_chart(&p.body)) => {
                self.chart(word, argument)
            }
            "at" => self.session.put_cursor(&index(argument)?),
            "set" => {
                let (knob, value) = argument
                    .split_once([' ', '='])
                    .ok_or_else(|| format!("write a knob and a value, not '{argument}'"))?;
                self.session
                    .set(knob.trim(), value.trim().trim_start_matches('=').trim())
            }
            "break" => match argument.parse::<usize>() {
                Ok(n) => self.session.toggle(n),
                Err(_) => {
                    let on = !self.session.settings().broken(argument);
                    self.session.switch(argument, on)
                }
            },
            _ => self.why(argument),
        }
    }

    /// The slope by a named cell, or by the cell under the cursor, both ways.
    fn slope(&mut self, argument: &str) -> Result<String, String> {
        if let Some((name, rest)) = argument.split_once('[') {
            self.session.show(name.trim())?;
            self.session
                .put_cursor(&index(rest.trim_end_matches(']'))?)?;
        } else if !argument.is_empty() {
            return Err(format!("'{argument}' is no cell; write NAME[I,J,…]"));
        }
        Ok(stage::describe_differences(&self.session.differences()?))
    }

    /// Looks at a part of the chart, reads it at a place, or changes its scale.
    fn chart(&mut self, word: &str, argument: &str) -> Result<(), String> {
        let number = |text: &str| {
            let parsed = text.parse::<f64>().ok().filter(|x| x.is_finite());
            parsed.ok_or_else(|| format!("'{text}' is no number on the chart's axis"))
        };
        let mut view = self.session.view();
        let turn = match (word, argument) {
            ("log", _) => Some(Turn::Log),
            ("zoom", "") => Some(Turn::Whole),
            ("zoom", "in") => Some(Turn::Zoom(1)),
            ("zoom", "out") => Some(Turn::Zoom(-1)),
            ("zoom", "newest") => Some(Turn::Newest),
            _ => None,
        };
        let body = self.session.picture().map(|p| p.body.clone());
        let places = body.and_then(|body| with_chart(&body, |series, _| places(series)));
        let places = places.ok_or("look at a chart first; look lists the pictures")?;
        if let Some(turn) = turn {
            self.session.turn_view(turn);
            return Ok(());
        }
        let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
            return Err("the chart has no points yet".to_owned());
        };
        if word == "at" {
            let x = number(argument)?;
            view.at = (x < last).then_some(x.max(first));
        } else {
            let (from, to) = argument
                .split_once([' ', ','])
                .ok_or("zoom takes two places: zoom 100 200")?;
            let (from, to) = (
                number(from.trim())?.max(first),
                number(to.trim())?.min(last),
            );
            if from >= to {
                return Err(format!(
                    "between them lies nothing of the axis, which goes from {first} to {last}"
                ));
            }
            view.window = Some((from, to - from));
            let inside = view.at.is_some_and(|at| (from..=to).contains(&at));
            // The reading line lies in the window; at its end where it lay outside.
            view.at = if inside {
                view.at
            } else {
                (to < last).then_some(to)
            };
        }
        view.reads = true;
        self.session.set_view(view);
        Ok(())
    }

    /// Asks a named cell, the cell under the cursor, or a numbered term of the cell asked about.
    fn why(&mut self, argument: &str) -> Result<(), String> {
        if let Some((name, rest)) = argument.split_once('[') {
            self.session.show(name.trim())?;
            self.session
                .put_cursor(&index(rest.trim_end_matches(']'))?)?;
        } else if let Ok(number) = argument.trim_end_matches('b').parse::<usize>() {
            return self.session.follow(number, argument.ends_with('b'));
        } else if !argument.is_empty() {
            return Err(format!(
                "'{argument}' is neither a cell, NAME[I,J,…], nor a term's number"
            ));
        }
        if self.session.step().is_none() {
            return Err(
                "look at a tensor first; a picture's cells have no single origin".to_owned(),
            );
        }
        self.session.ask();
        Ok(())
    }

    fn open(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let page = &self.pages[self.page];
        let lesson = self.session.lesson();
        let done = self.progress.lesson_mut(lesson.name);
        done.pages.insert(page.id.clone());
        done.stopped_at = Some(page.id.clone());
        prompt.say(&format!(
            "\n{}, page {} of {}: {}\n",
            lesson.heading(),
            self.page + 1,
            self.pages.len(),
            page.title
        ))?;
        let done = self.progress.lesson(lesson.name);
        let shown = page.shown(|question| done.answers.contains_key(&question.id));
        prompt.say(&prose::plain(&page.blocks[..shown], WIDTH))?;
        let asks = page.blocks.len() - shown;
        if let Some(block) = page.stage() {
            if let Err(sentence) = self.session.arrange(block) {
                prompt.say(&sentence)?;
            }
            if asks == 0 {
                self.stage(prompt)?;
            }
        }
        if asks > 0 {
            prompt.say("\nThis page asks before it goes on: predict answers.")?;
        }
        Ok(())
    }

    fn stage(&self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        prompt.say("")?;
        prompt.say(&stage::describe(&self.session))
    }

    fn cell(&self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        if self.session.why().is_none() {
            return self.stage(prompt);
        }
        prompt.say(&stage::describe_why(&self.session))?;
        prompt.say("why NUMBER goes on to a term (why 3b to the second factor of the third), up goes back.")
    }

    fn predict(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let questions: Vec<Predict> = self.pages[self.page].predictions().cloned().collect();
        if questions.is_empty() {
            return prompt.say("This page asks nothing.");
        }
        let done = self.progress.lesson(self.session.lesson().name);
        let before =
            self.pages[self.page].shown(|question| done.answers.contains_key(&question.id));
        for question in &questions {
            if self.question(question, prompt)?.is_none() {
                return Ok(());
            }
        }
        // The page goes on where it had stopped to ask.
        prompt.say(&prose::plain(
            &self.pages[self.page].blocks[before..],
            WIDTH,
        ))?;
        self.stage(prompt)
    }

    fn quiz(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let questions = quiz::parse(self.session.lesson().quiz).map_err(anyhow::Error::msg)?;
        let mut right = 0;
        for question in &questions {
            match self.question(question, prompt)? {
                Some(correct) => right += usize::from(correct),
                None => return Ok(()),
            }
        }
        prompt.say(&format!(
            "{right} of {} right at the first try.",
            questions.len()
        ))
    }

    /// Asks until the right option is chosen; whether the first try was right, `None` when the input
    /// has ended.
    fn question(
        &mut self,
        question: &Predict,
        prompt: &mut Prompt<'_>,
    ) -> anyhow::Result<Option<bool>> {
        prompt.say(&format!("\n{}", page::unmarked(&question.ask)))?;
        for (i, option) in question.options.iter().enumerate() {
            prompt.say(&format!("  {} {}", i + 1, page::unmarked(&option.text)))?;
        }
        let mut first = None;
        loop {
            let Some(line) = prompt.ask("Your choice")? else {
                return Ok(None);
            };
            let chosen = line
                .parse::<usize>()
                .ok()
                .and_then(|n| question.options.get(n.checked_sub(1)?));
            let Some(option) = chosen else {
                prompt.say(&format!("a number from 1 to {}", question.options.len()))?;
                continue;
            };
            let correct = self
                .session
                .answers(question, option)
                .map_err(anyhow::Error::msg)?;
            let first = *first.get_or_insert(correct);
            prompt.say(&format!(
                "{}. {}",
                if correct { "Yes" } else { "No" },
                page::unmarked(&option.why)
            ))?;
            if correct {
                let done = self.progress.lesson_mut(self.session.lesson().name);
                done.answers.entry(question.id.clone()).or_insert(first);
                return Ok(Some(first));
            }
        }
    }

    fn job(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        if let Some(Body::Live(live)) = self.session.picture().map(|p| &p.body) {
            self.live = Some(live.work.clone());
            let said = live.work.steer(Steer::Toggle);
            return prompt.say(
                &said.unwrap_or_else(|| {
                    "It trains; look shows how it is, run pauses it.".to_owned()
                }),
            );
        }
        let Some(Body::Job(job)) = self.session.picture().map(|p| &p.body) else {
            return prompt.say("What you look at takes no time; run is for pictures that say so.");
        };
        prompt.say(&format!("{} …", job.about))?;
        prompt.out.flush()?;
        let end = (job.run)(&mut |_| ControlFlow::Continue(()));
        prompt.say(&stage::describe_body(
            &end.body,
            &end.says,
            stage::Shown::default(),
        ))?;
        if let Some(run) = end.run {
            self.session.adopt_run(run);
            prompt.say("From now on you look at this run; turning a knob leaves it.")?;
        }
        Ok(())
    }

    /// Steers a training run, and waits until it is done with what was asked.
    fn train(&mut self, rest: &str, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let Some(Body::Live(live)) = self.session.picture().map(|p| &p.body) else {
            return prompt.say("There is no training run here; look at one first.");
        };
        let race = rest.strip_prefix("race ").and_then(|n| n.parse().ok());
        let what = match (rest, rest.parse::<usize>()) {
            _ if race.is_some() => Steer::Race(race),
            ("", _) => Steer::Step(1),
            (_, Ok(n)) => Steer::Step(n),
            ("rate up", _) => Steer::Rate(1),
            ("rate down", _) => Steer::Rate(-1),
            ("save", _) => Steer::Save,
            ("resume", _) => Steer::Resume,
            ("back", _) => Steer::Rewind(-1),
            ("forward", _) => Steer::Rewind(1),
            ("fork", _) => Steer::Fork,
            ("pause", _) => Steer::Pause,
            ("race", _) => Steer::Race(None),
            ("lane", _) => Steer::Lane(1),
            ("head", _) => Steer::Head,
            ("stop", _) => Steer::Cancel,
            (other, _) => {
                return prompt.say(&format!(
                    "train takes a number of updates, rate up, rate down, save, resume, back, forward, fork, race, race and a number, lane, pause, head or stop, not '{other}'"
                ));
            }
        };
        self.live = Some(live.work.clone());
        if let Some(said) = live.work.steer(what) {
            prompt.say(&said)?;
        }
        live.work.settle();
        self.stage(prompt)
    }

    fn exercise(&mut self, rest: &str, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let exercise = match self.session.lesson().exercise() {
            Ok(exercise) => exercise,
            Err(sentence) => return prompt.say(&sentence),
        };
        if rest == "hint" {
            for (tier, hint) in exercise.hints.iter().enumerate() {
                prompt.say(&format!("Hint {}: {hint}", tier + 1))?;
                if tier < 3
                    && prompt
                        .ask("Return for the next hint, or anything else to stop")?
                        .is_none_or(|l| !l.is_empty())
                {
                    break;
                }
            }
            return Ok(());
        }
        prompt.say(exercise.task)?;
        let workbook = match Workbook::find() {
            Ok(workbook) => workbook,
            Err(sentence) => return prompt.say(&sentence),
        };
        prompt.say(&format!(
            "Your file is {}. Building and checking it …",
            workbook.path(exercise).display()
        ))?;
        prompt.out.flush()?;
        end_together();
        let report = Runner::new(&workbook).check(exercise, &mut |_| {}, &mut || false);
        let Some(report) = report else { return Ok(()) };
        let lesson = self.session.lesson();
        report.enter(self.progress.lesson_mut(lesson.name));
        prompt.say(&report::card(lesson, &report).plain())
    }
}

fn index(text: &str) -> Result<Vec<usize>, String> {
    let parts = text.split(',').map(str::trim).filter(|p| !p.is_empty());
    let parsed: Result<Vec<usize>, _> = parts.map(str::parse).collect();
    parsed.map_err(|_| format!("'{text}' is no index; write numbers with commas: 0,2,4,7"))
}

fn menu() -> String {
    let mut text = String::from("You can:\n");
    for (i, entry) in ENTRIES.iter().enumerate() {
        let call = format!("{} {}", entry.word, entry.takes);
        let _ = writeln!(
            text,
            "  {:>2} {:<32} {}",
            i + 1,
            call.trim_end(),
            entry.about
        );
    }
    text
}
