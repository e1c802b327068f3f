//! A lesson as a chapter: its text with figures, questions, callouts and source, then its quiz and exercises.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::anyhow;

use super::controls::{self, prose};
use super::figure::{self, Wanted};
use super::knobs::{self, Turned};
use super::mistakes::named_mistakes;
use super::{commands, formulas, links, questions, sections};
use crate::curriculum::LESSONS;
use crate::lesson::page::{self, Page, StageBlock};
use crate::lesson::session::Session;
use crate::lesson::{FrontEnd, Lesson, quiz, source};

mod exercises;
mod sent;

pub use exercises::solutions;
use exercises::task;

/// The course's own callouts, in addition to mdBook's five kinds.
const CALLOUTS: [(&str, &str, &str); 3] = [
    ("[!DIFFERS]", "differs", "Differs"),
    ("[!TRY]", "try", "Try it"),
    ("[!BREAK]", "break", "Break it"),
];

/// Returns the Markdown of a lesson's chapter.
pub fn markdown(lesson: &'static Lesson) -> anyhow::Result<String> {
    let place = |e: String| anyhow!("lessons/{}/lesson.md: {e}", lesson.folder);
    let pages = lesson.pages_for(FrontEnd::Book)?;
    let mut writer = Writer {
        session: Session::new(lesson),
        stages: pages
            .iter()
            .filter_map(Page::stage)
            .cloned()
            .collect::<Vec<_>>()
            .into_iter(),
        questions: pages
            .iter()
            .flat_map(|p| p.predictions().cloned())
            .collect::<Vec<_>>()
            .into_iter(),
        titles: pages.iter().map(|page| page.title.clone()).collect(),
        figures: 0,
        shown: None,
        drawn: String::new(),
        known: BTreeSet::new(),
        heads: false,
        columns: Vec::new(),
        out: String::new(),
    };
    writer.session.keep_runs(figure::KEPT);
    let text = page::without_claims(&lesson.text_for(FrontEnd::Book));
    for page in by_pages(&text) {
        writer.page(&page).map_err(place)?;
    }
    writer.end().map_err(place)?;
    formulas::as_mathml(&links::linked(&writer.out, lesson.number)).map_err(place)
}

/// Splits the text before each second-level heading.
fn by_pages(text: &str) -> Vec<Vec<&str>> {
    let mut pages = vec![Vec::new()];
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        if line.starts_with("## ") && !fenced {
            pages.push(Vec::new());
        }
        pages
            .last_mut()
            .into_iter()
            .for_each(|page| page.push(line));
    }
    pages
}

/// True if a page refers to other heads than the one that its figure starts with.
fn names_heads(lines: &[&str]) -> bool {
    let text = lines.join(" ").to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric());
    let named = |word: &str| matches!(word, "head" | "heads");
    words.clone().filter(|word| named(word)).count() > 1
        || ["< and >", "`<` and `>`"]
            .iter()
            .any(|keys| text.contains(keys))
}

struct Writer {
    session: Session,
    stages: std::vec::IntoIter<StageBlock>,
    questions: std::vec::IntoIter<page::Predict>,
    /// Titles of the lesson's pages, in order.
    titles: Vec<String>,
    figures: usize,
    /// Stage block of the last figure that has one.
    shown: Option<StageBlock>,
    /// Drawing of the last figure.
    drawn: String,
    /// Names of everything that the figures so far could have shown.
    known: BTreeSet<String>,
    /// True if the page refers to several heads, so that its figures show them all.
    heads: bool,
    /// Columns named in the page's prose.
    columns: Vec<usize>,
    out: String,
}

impl Writer {
    fn lesson(&self) -> &'static Lesson {
        self.session.lesson()
    }

    fn page(&mut self, lines: &[&str]) -> Result<(), String> {
        let mut fenced = false;
        let lines: Vec<String> = lines
            .iter()
            .map(|line| {
                fenced ^= line.starts_with("```");
                match fenced {
                    true => (*line).to_owned(),
                    false => sections::named(line, &self.titles),
                }
            })
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let lines = &lines[..];
        let has_stage = lines.contains(&"```stage");
        self.heads = names_heads(lines);
        self.columns = self.prose_columns(lines);
        let named = self.named(lines, has_stage);
        let turned = self.turned(lines, has_stage);
        let mut rest = lines.iter().copied().peekable();
        while let Some(line) = rest.next() {
            if let Some(language) = line.strip_prefix("```") {
                let body: Vec<&str> = rest
                    .by_ref()
                    .take_while(|l| !l.starts_with("```"))
                    .collect();
                self.fence(language.trim(), &body.join("\n"), &named, &turned)?;
            } else if line.starts_with('>') {
                let mut lines = vec![line];
                while let Some(next) = rest.next_if(|l| l.starts_with('>')) {
                    lines.push(next);
                }
                self.quote(&lines, has_stage)?;
            } else if line.starts_with("| key |") && controls::row(line) == line {
                // Drop a table of the program's keys.
                while rest.next_if(|l| l.starts_with('|')).is_some() {}
            } else {
                let heads = rest.peek().is_some_and(|next| next.starts_with("|-"));
                let text = match line.starts_with(['|', '#', '$']) {
                    // Table headings need text for screen readers.
                    true if heads => controls::row(line).replacen(
                        "| |",
                        "| <span class=\"tt-sr\">case</span> |",
                        1,
                    ),
                    true => controls::row(line),
                    false => prose(line, !named.is_empty()),
                };
                let _ = writeln!(self.out, "{text}");
                let sends = text.contains("ook at `") || text.contains("et `");
                let sends = sends && line.contains("`:");
                if sends || text.contains("he picture `") && !self.comes(line, lines) {
                    self.sent(&[line], has_stage);
                }
            }
        }
        Ok(())
    }

    /// Mistakes shown by the page's own figure: those named in its prose, its caption, and callouts that name nothing
    /// else to look at.
    fn named(&self, lines: &[&str], has_stage: bool) -> Vec<usize> {
        let count = self.lesson().mistakes.len();
        let mut named = Vec::new();
        if has_stage {
            let mut fenced = false;
            for line in lines {
                fenced ^= line.starts_with("```");
                let caption = line.starts_with("caption = ");
                // A mistake to be shown at other settings gets its own figure.
                let aside = self.looked_at(line).is_some() || self.sets(line);
                if fenced && !caption || aside {
                    continue;
                }
                named.extend(named_mistakes(line, count));
            }
        }
        named.sort_unstable();
        named.dedup();
        named
    }

    /// Columns named in the page's prose, without its callouts.
    fn prose_columns(&self, lines: &[&str]) -> Vec<usize> {
        let mut fenced = false;
        let mut columns = Vec::new();
        for line in lines {
            fenced ^= line.starts_with("```");
            if !fenced && !line.starts_with(['>', '|', '$', '`']) {
                columns.extend(sent::named_columns(line));
            }
        }
        columns
    }

    /// Knobs of the page's own figure: those that its prose or the figure's caption turns.
    fn turned(&self, lines: &[&str], has_stage: bool) -> Vec<Turned> {
        if !has_stage {
            return Vec::new();
        }
        let mut fence = None;
        let mut text = String::new();
        for line in lines {
            match (line.strip_prefix("```"), fence) {
                (Some(_), Some(_)) => fence = None,
                (Some(language), None) => fence = Some(language),
                (None, Some("stage")) => {
                    text += &commands::said(line.strip_prefix("caption = ").unwrap_or(""));
                }
                (None, Some(_)) => {}
                (None, None) if self.looked_at(line).is_none() => text += line,
                (None, None) => {}
            }
            text.push('\n');
        }
        knobs::named(&text, self.lesson().knobs)
    }

    /// Tensor or picture to which a callout sends the reader.
    fn looked_at(&self, line: &str) -> Option<sent::Look> {
        if !line.starts_with('>') {
            return None;
        }
        self.looks(line).into_iter().next()
    }

    /// True if a callout's mistakes belong in a different run than that of the page's figure.
    fn sets(&self, line: &str) -> bool {
        line.starts_with('>') && self.asked(line).iter().all(|asked| asked.sets())
    }

    /// True if a stage on the page itself shows what a line names.
    fn comes(&self, line: &str, page: &[&str]) -> bool {
        let looks = self.looks(line);
        looks.is_empty()
            || looks.iter().any(|look| {
                let show = format!("show = \"{}\"", look.name);
                page.contains(&show.as_str())
            })
    }

    fn fence(
        &mut self,
        language: &str,
        body: &str,
        named: &[usize],
        turned: &[Turned],
    ) -> Result<(), String> {
        match language {
            "stage" => {
                let block = self.stages.next().ok_or("a stage block was not read")?;
                let caption = block.caption.as_deref().unwrap_or("");
                let columns = [&self.columns[..], &sent::named_columns(caption)].concat();
                let shown = sent::Shown {
                    mistakes: named,
                    knobs: turned,
                    columns: &columns,
                    ..sent::Shown::default()
                };
                self.figure(&block, &shown)?;
                self.shown = Some(block);
            }
            "predict" => {
                let mut question = self.questions.next().ok_or("a prediction was not read")?;
                question.ask = sections::named(&question.ask, &self.titles);
                self.out += &questions::form(&self.session, &question)?;
            }
            _ => {
                self.out += &listing(self.lesson(), language, body)?;
            }
        }
        Ok(())
    }

    fn figure(&mut self, block: &StageBlock, shown: &sent::Shown<'_>) -> Result<(), String> {
        self.figures += 1;
        let caption = self.caption(block, shown);
        let wanted = Wanted {
            block,
            show: shown.show,
            mistakes: shown.mistakes,
            knobs: shown.knobs,
            heads: self.heads,
            columns: shown.columns,
            points: shown.points,
            repeats: shown.repeats,
            before: shown.show.map(|_| self.drawn.as_str()),
            caption,
            id: format!("figure-{:02}-{}", self.lesson().number, self.figures),
        };
        let figure = figure::html(&mut self.session, &wanted)?;
        let _ = writeln!(self.out, "\n{}", figure.html);
        self.drawn = figure.drawn;
        let steps = self.session.trace().steps().iter();
        self.known.extend(steps.map(|step| step.name.clone()));
        Ok(())
    }

    fn quote(&mut self, lines: &[&str], has_stage: bool) -> Result<(), String> {
        let inner: Vec<&str> = lines
            .iter()
            .map(|line| line[1..].strip_prefix(' ').unwrap_or(&line[1..]))
            .collect();
        let first = inner.first().copied().unwrap_or_default();
        let own = CALLOUTS
            .iter()
            .find_map(|(mark, class, title)| Some((first.strip_prefix(mark)?, class, title)));
        let Some((rest, class, title)) = own else {
            // A callout of mdBook's own kinds.
            let said = inner.iter().map(|line| match line.starts_with("[!") {
                true => (*line).to_owned(),
                false => prose(line, false),
            });
            let said: Vec<String> = said.collect();
            let is_word = |line: &String| !line.starts_with("[!") && !line.trim().is_empty();
            if said.iter().any(is_word) {
                for line in &said {
                    let _ = writeln!(self.out, "> {line}");
                }
                self.out.push('\n');
                self.sent(&inner, has_stage);
            }
            return Ok(());
        };
        let count = self.lesson().mistakes.len();
        let mistakes = named_mistakes(&inner.join(" "), count);
        let mut said = rest.trim().to_owned();
        for line in &inner[1..] {
            let line = controls::callout(line, !mistakes.is_empty());
            said += &format!("{}{line}", if said.is_empty() { "" } else { "\n" });
        }
        if said.trim().is_empty() {
            return Ok(());
        }
        let _ = writeln!(
            self.out,
            "<div class=\"tt-callout tt-{class}\">\n\n**{title}.** {said}\n\n</div>\n"
        );
        self.sent(&inner, has_stage);
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        let lesson = self.lesson();
        let questions = quiz::parse(lesson.quiz)?;
        if !questions.is_empty() {
            self.out += "\n## Questions {#questions}\n\n";
        }
        for question in &questions {
            self.out += &questions::form(&self.session, question)?;
        }
        for exercise in lesson.exercises() {
            self.out += &task(lesson, exercise);
        }
        let _ = write!(
            self.out,
            "\nThe program can do more with this lesson: `transformer-tutor --lesson {}`.\n",
            lesson.name
        );
        self.out += &neighbours(lesson);
        Ok(())
    }
}

/// A block of code with its location. Code that gives away an exercise of the lesson is folded, as on the screen.
fn listing(lesson: &Lesson, language: &str, body: &str) -> Result<String, String> {
    let folder = format!("lessons/{}", lesson.folder);
    let (code, from) = source::expand(&source::Embedded, &folder, body)?;
    let code = format!("```{language}\n{}\n```\n", code.trim_end());
    let Some(from) = from else {
        return Ok(code);
    };
    let place = format!("\n<p class=\"place\">{from}</p>\n\n");
    let mut all = lesson.exercises();
    Ok(match all.find(|e| e.is_given_away_at(&from)) {
        Some(exercise) => format!(
            "<details class=\"tt-folded\"><summary>The code of your exercise <code>{}</code>. Try to write it before you look.</summary>\n\n{code}{place}</details>\n\n",
            exercise.name
        ),
        None => code + &place,
    })
}

/// Links to the neighbouring lessons.
fn neighbours(lesson: &Lesson) -> String {
    let next = LESSONS
        .iter()
        .find(|other| other.number == lesson.number + 1);
    match next.filter(|_| lesson.is_numbered()) {
        Some(next) => format!("\nNext: [{}]({}.md).\n", next.heading(), next.folder),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every listing of a lesson, with and without the folded code.
    fn listings(lesson: &Lesson) -> (String, String) {
        let fences = lesson.text.split("\n```").skip(1).step_by(2);
        let code = fences.filter_map(|fence| fence.split_once('\n'));
        let code = code.filter(|(language, _)| !["stage", "predict"].contains(language));
        let all = code.map(|(language, body)| listing(lesson, language, body).unwrap());
        let (folded, open) = all.partition::<Vec<_>, _>(|listing| listing.contains("<details"));
        (folded.concat(), open.concat())
    }

    #[test]
    fn the_code_of_every_exercise_is_folded_in_its_chapter() {
        for (lesson, exercise) in LESSONS
            .iter()
            .flat_map(|l| l.exercises().map(move |e| (l, e)))
        {
            let (folded, open) = listings(lesson);
            let (code, _) = exercise.reference().unwrap();
            let (_, body) = code.split_once(") -> ").unwrap();
            let says =
                |line: &&str| line.len() > 24 && line.contains('(') && !line.starts_with("//");
            let lines: Vec<&str> = body.lines().skip(1).map(str::trim).filter(says).collect();
            assert!(!lines.is_empty(), "{}", lesson.name);
            for line in lines {
                assert!(!open.contains(line), "{} shows: {line}", lesson.name);
            }
            assert!(
                folded.contains("Try to write it before you look."),
                "{}",
                lesson.name
            );
        }
    }
}
