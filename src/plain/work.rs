//! Experiments, training runs and exercises.

use super::{PlainLesson, Prompt};
use crate::curriculum;
use crate::lesson::Body;
use crate::lesson::Exercise;
use crate::lesson::Tier;
use crate::lesson::exercise::runner::{Phase, Runner};
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::exercise::{end_together, report};
use crate::lesson::mine;
use crate::lesson::picture::Steer;
use crate::widgets::stage;

impl PlainLesson<'_> {
    pub(super) fn job(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        if let Some(Body::Live(live)) = self.walk.session.picture().map(|p| &p.body) {
            self.live = Some(live.work.clone());
            let reply = live.work.steer(Steer::Toggle);
            return prompt.say(
                &reply.unwrap_or_else(|| {
                    "It trains; look shows how it is, run pauses it.".to_owned()
                }),
            );
        }
        let Some(Body::Job(job)) = self.walk.session.picture().map(|p| &p.body) else {
            return prompt.say(
                "There is nothing to run here; run works on pictures that offer an experiment.",
            );
        };
        prompt.say(&format!("{} …", job.about))?;
        prompt.out.flush()?;
        let end = job.end();
        let shown = stage::PictureView::default();
        prompt.say(&stage::describe_body(&end.body, &end.says, shown))?;
        if let Some(run) = end.run {
            self.walk.session.adopt_run(run);
            prompt.say("From now on you look at this run; turning a knob leaves it.")?;
        }
        Ok(())
    }

    /// Steers a training run and waits until it has done what was asked.
    pub(super) fn train(&mut self, rest: &str, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let Some(Body::Live(live)) = self.walk.session.picture().map(|p| &p.body) else {
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
        if let Some(reply) = live.work.steer(what) {
            prompt.say(&reply)?;
        }
        live.work.settle();
        self.stage(prompt)
    }

    /// Gives one hint after another; after the last, offers the code to learners who give up.
    fn hints(&mut self, exercise: &Exercise, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let hints = &exercise.hints;
        let done = exercise.done_mut(self.progress);
        for (tier, hint) in hints.iter().enumerate() {
            prompt.say(&format!("Hint {}: {hint}", tier + 1))?;
            done.hints = done.hints.max(tier + 1);
            let last = tier + 1 == hints.len();
            if last && done.sees_the_code() {
                break;
            }
            let question = if last {
                "Return to give up: the lesson then shows the code; anything else to stop"
            } else {
                "Return for the next hint, or anything else to stop"
            };
            if prompt.ask(question)?.is_none_or(|line| !line.is_empty()) {
                break;
            }
            if last {
                done.given_up = true;
                prompt.say("The lesson shows the code now; page reads this page again.")?;
            }
        }
        Ok(())
    }

    pub(super) fn exercise(&mut self, rest: &str, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let lesson = self.walk.lesson();
        let all: Vec<_> = lesson.exercises().collect();
        // `exercise softmax hint`, `exercise softmax open`: without the name, the core exercise is meant.
        let (name, hint) = match rest.strip_suffix("hint") {
            Some(before) => (before.trim(), true),
            None => (rest, false),
        };
        let tier = Tier::ALL
            .into_iter()
            .find_map(|tier| Some((rest.strip_suffix(&tier.to_string())?.trim(), tier)));
        let (name, tier) = match tier {
            Some((name, tier)) => (name, Some(tier)),
            None => (name, None),
        };
        let named = all.iter().copied().find(|exercise| exercise.name == name);
        let meant = name.is_empty() && (hint || tier.is_some() || all.len() == 1);
        let core = lesson.exercise.as_ref().filter(|_| meant);
        let exercise = match (named.or(core), lesson.exercise()) {
            (Some(exercise), _) => exercise,
            (None, Err(sentence)) => return prompt.say(&sentence),
            (None, Ok(_)) => match self.choose(&all, prompt)? {
                Some(exercise) => exercise,
                None => return Ok(()),
            },
        };
        if hint {
            return self.hints(exercise, prompt);
        }
        if let Some(tier) = tier {
            return self.begin_at(exercise, tier, prompt);
        }
        let tier = exercise.tier(self.progress);
        prompt.say(&format!("{} ({})", exercise.asks(tier), exercise.effort()))?;
        prompt.say(&format!(
            "Tier {tier}: {}. exercise {} and guided, open or blank changes it until you have written something.",
            tier.begins_with(),
            exercise.name
        ))?;
        let workbook = match Workbook::find() {
            Ok(workbook) => workbook,
            Err(sentence) => return prompt.say(&sentence),
        };
        prompt.say(&format!(
            "Your file is {}. Building and checking it …",
            Workbook::shown(&workbook.path(exercise))
        ))?;
        prompt.out.flush()?;
        end_together();
        let mut waiting = |phase: Phase| {
            if phase == Phase::Waiting {
                let _ = prompt.say(&phase.to_string());
                let _ = prompt.out.flush();
            }
        };
        let report = Runner::new(&workbook).check(exercise, tier, &mut waiting, &mut || false);
        let Some(report) = report else { return Ok(()) };
        report.enter(exercise.done_mut(self.progress));
        if report.passed() {
            let reached = mine::checked(curriculum::exercises(), self.progress);
            prompt.say(&mine::ceremony(&reached).plain())?;
        }
        prompt.say(&report::card(lesson, exercise, &report).plain())
    }

    /// Begins the exercise at this tier, unless the learner has written in its file.
    fn begin_at(
        &mut self,
        exercise: &Exercise,
        tier: Tier,
        prompt: &mut Prompt<'_>,
    ) -> anyhow::Result<()> {
        let book = Workbook::find().and_then(|book| book.begin_at(exercise, tier).map(|_| book));
        let name = Workbook::name(exercise);
        match book {
            Err(sentence) => prompt.say(&sentence),
            Ok(book) if book.is_written(exercise) => prompt.say(&format!(
                "{name} holds your work. To keep it under another name and begin anew: exercise reset {} --tier {tier}, \
                 in a shell.",
                exercise.name
            )),
            Ok(_) => {
                exercise.choose(tier, self.progress);
                prompt.say(&format!("{name} begins at the tier {tier}: {}.", tier.begins_with()))?;
                prompt.say(&exercise.contract())
            }
        }
    }

    /// Lists the exercises of a lesson that has several, and asks for one; `None` if the learner wants none.
    fn choose<'a>(
        &self,
        all: &[&'a Exercise],
        prompt: &mut Prompt<'_>,
    ) -> anyhow::Result<Option<&'a Exercise>> {
        prompt.say("This lesson has several exercises:")?;
        for (n, exercise) in all.iter().enumerate() {
            let done = exercise.done(self.progress);
            let solved = if done.solved {
                format!(", solved, {}", done.solved_at.unwrap_or_default())
            } else {
                String::new()
            };
            let (name, effort) = (exercise.name, exercise.effort());
            prompt.say(&format!(
                "  {} exercise {name} ({effort}{solved}): {}",
                n + 1,
                exercise.asks(exercise.tier(self.progress))
            ))?;
        }
        loop {
            let question = "Its number or name (Return for none)";
            let Some(line) = prompt
                .ask(question)?
                .filter(|line| !matches!(&**line, "" | "q" | "quit"))
            else {
                return Ok(None);
            };
            let number = line.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let named = || all.iter().find(|exercise| exercise.name == line);
            match number.and_then(|n| all.get(n)).or_else(named) {
                Some(exercise) => return Ok(Some(exercise)),
                None => prompt.refuse(&format!("There is no exercise '{line}' here."))?,
            }
        }
    }
}
