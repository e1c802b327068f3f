//! Overlays in the text pane: help, palette, search, questions, texts.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::app::{App, Choice, Overlay, Target};
use super::super::find::{Hit, fitting, searched, terms_with};
use super::super::line::Typed;
use super::super::overlay::{Explain, GradientCard};
use super::super::possible::is_possible;
use super::super::update::cell_of;
use super::help;
use super::reading::scroll;
use crate::curriculum::LESSONS;
use crate::lesson::MOST;
use crate::lesson::glossary::Term;
use crate::lesson::page;
use crate::lesson::picture::Status;
use crate::lesson::walk::Questions;
use crate::widgets::card::styled;
use crate::widgets::lines::{clip_entry, put, put_line, width, wrap};
use crate::widgets::stage;
use crate::widgets::theme::Theme;

mod exercise;

/// Draws the overlay that is open.
pub(super) fn overlay(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.display.theme;
    let limit = usize::from(area.width);
    match &app.overlay {
        // The hunt is drawn over the whole screen.
        None | Some(Overlay::Hunt) => {}
        Some(Overlay::Help) => scrolled(app, &help::lines(app, limit), area, buf),
        Some(Overlay::Leave) => {
            let text = leave_text(app);
            scrolled(app, &plain_lines(app, &text, limit), area, buf);
        }
        Some(Overlay::Words(_, text) | Overlay::End(text)) => {
            scrolled(app, &plain_lines(app, text, limit), area, buf);
        }
        Some(Overlay::Term(card)) => {
            scrolled(app, &plain_lines(app, &card.text, limit), area, buf);
        }
        Some(Overlay::Terms(choice)) => Choices::terms(app, choice).draw(area, buf),
        Some(Overlay::Exercise(card)) => {
            let exercise = app.open_lesson.as_ref().and_then(|open| open.exercise);
            let mut lines = exercise.map_or_else(Vec::new, |e| exercise::task(app, e, limit));
            lines.extend(styled(card, limit, theme));
            scrolled(app, &lines, area, buf);
        }
        Some(Overlay::Exercises(chosen)) => {
            if let Some(open) = &app.open_lesson {
                exercise::list(app, open.walk.lesson(), *chosen, area, buf);
            }
        }
        Some(Overlay::Mine(card)) => scrolled(app, &styled(card, limit, theme), area, buf),
        Some(Overlay::GradientCheck(card)) => {
            let lines = gradient_check_lines(card, limit, theme);
            let at = app.overlay_line;
            scroll(app, &lines, at, area, buf, |line, rect, buf| {
                put_line(buf, rect, 0, line);
            });
        }
        Some(Overlay::Ask(ask)) => question(app, ask, area, buf),
        Some(Overlay::Edit(typed)) => edit(app, typed, area, buf),
        Some(Overlay::Palette(choice)) => Choices::palette(app, choice).draw(area, buf),
        Some(Overlay::Sentence(typed)) => sentence(app, typed, area, buf),
        Some(Overlay::Explain(explain)) => own_words(app, explain, area, buf),
        Some(Overlay::Search(choice)) => Choices::pages(app, choice).draw(area, buf),
    }
}

/// Question whether to end the program while a training run is in progress.
fn leave_text(app: &App) -> String {
    let work = app.working();
    let state = if work.is_some_and(|work| work.status() == Status::Paused) {
        "is paused"
    } else {
        "is still going"
    };
    format!(
        "A training run {state}.\n\ns  save it and stop\nx  stop without saving: its last checkpoint is kept\ng  stay here (Esc too)"
    )
}

/// Lines of a gradient compared with finite differences.
fn gradient_check_lines(
    card: &GradientCard,
    limit: usize,
    theme: &Theme,
) -> Vec<Vec<(String, Style)>> {
    match (&card.request, &card.result) {
        (Err(sentence), _) => wrap(&format!("{sentence}."), limit)
            .into_iter()
            .map(|line| vec![(line, theme.text)])
            .collect(),
        (Ok(_), None) => vec![vec![(theme.words("computing …"), theme.note)]],
        (Ok(_), Some(result)) => {
            let mut lines = stage::gradient_check_lines(result, limit, theme);
            if result.suggests_a_choice() {
                let words =
                    "To measure another cell's change, put the cursor on it and press Ctrl-b.";
                let words = wrap(words, limit).into_iter();
                lines.extend(words.map(|line| vec![(line, theme.dim)]));
            }
            lines
        }
    }
}

/// Draws the line in which a cell's new value is typed, and the value that it has now.
fn edit(app: &App, typed: &str, area: Rect, buf: &mut Buffer) {
    let Some(session) = app.open_lesson.as_ref().map(|r| &r.walk.session) else {
        return;
    };
    let Some(step) = session.step() else { return };
    let at = session.cursor();
    let name = stage::readable(&step.name);
    let value = step.value.at(at);
    let text = format!(
        "= {typed}\n\n{name}{at:?} is {value}.\n\nType its new value and press Enter; Esc leaves it.\n\nEverything that is computed from it runs again. d draws what changed, u takes it back."
    );
    let mut lines = plain_lines(app, &text, area.width.into());
    lines[0].1 = app.display.theme.title;
    scrolled(app, &lines, area, buf);
}

/// Draws the line in which a sentence is typed, and what Enter does with it.
fn sentence(app: &App, typed: &Typed, area: Rect, buf: &mut Buffer) {
    let theme = &app.display.theme;
    let glyphs = theme.glyphs();
    let window = typed.window(area.width.into());
    let mark = |exists| if exists { glyphs.more } else { " " };
    let (left, right) = (mark(window.more.0), mark(window.more.1));
    put_line(
        buf,
        area,
        0,
        &[
            (left.chars().take(1).collect(), theme.dim),
            (window.before, theme.title),
            (window.under, theme.cursor),
            (window.after, theme.title),
            (right.chars().take(1).collect(), theme.dim),
        ],
    );
    let exists = app
        .open_lesson
        .as_ref()
        .is_some_and(|open| open.walk.is_tour());
    let what = if exists {
        "the model writes its translation here, token by token"
    } else {
        "the playground shows its translation; q leads back here"
    };
    let count = typed.count();
    let words = format!(
        "Type a German sentence and press Enter: {what}. It may have {MOST} characters; this one has {count}."
    );
    for (y, line) in wrap(&words, area.width.into()).iter().enumerate() {
        put(buf, area, 0, 2 + y, line, theme.text);
    }
}

/// Draws the question to answer in one's own words, the answer, and the rubric when it is compared.
fn own_words(app: &App, explain: &Explain, area: Rect, buf: &mut Buffer) {
    let (theme, limit) = (&app.display.theme, usize::from(area.width));
    let lesson = app.open_lesson.as_ref().map(|rows| rows.walk.lesson());
    let Some(open) = lesson.and_then(|lesson| lesson.own_words) else {
        return;
    };
    let wrapped = |text: &str, style| {
        let lines = wrap(&theme.words(text), limit).into_iter();
        lines.map(move |line| (line, style)).collect::<Vec<_>>()
    };
    let blank = || vec![(String::new(), theme.text)];
    let mut lines = [wrapped(&page::unmarked(open.ask), theme.title), blank()].concat();
    let window = explain.typed.window(usize::MAX);
    let cursor = if explain.compares { "" } else { "_" };
    let answer = format!("{}{cursor}{}{}", window.before, window.under, window.after);
    lines.extend(wrapped(answer.trim_end(), theme.text));
    let written = lines.len();
    lines.extend(blank());
    if explain.compares {
        lines.extend(wrapped(
            "Which of these points does your answer contain?",
            theme.note,
        ));
        for (n, (point, has)) in std::iter::zip(open.points, explain.points).enumerate() {
            let tick = if has { "x" } else { " " };
            let style = if has { theme.good } else { theme.text };
            let point = page::unmarked(point);
            lines.extend(wrapped(&format!("{} [{tick}] {point}", n + 1), style));
        }
    } else {
        let words = "Write two or three sentences, as you would to a colleague. Enter then shows three points to compare with.";
        lines.extend(wrapped(words, theme.note));
    }
    // While the answer is being written, its end stays in view.
    let rows = usize::from(area.height);
    let at = if explain.compares {
        lines.len()
    } else {
        written + 1
    };
    scrolled_to(app, &lines, at.saturating_sub(rows), area, buf);
}

/// Typed text and its matches.
struct Choices<'a> {
    app: &'a App,
    /// Drawn before the typed text.
    prompt: &'static str,
    choice: &'a Choice,
    matches: Vec<(String, Style)>,
}

impl<'a> Choices<'a> {
    /// Commands, and what the open lesson shows; or what Enter does with the typed text, if it is no name.
    fn palette(app: &'a App, choice: &'a Choice) -> Self {
        let theme = &app.display.theme;
        let session = app.open_lesson.as_ref().map(|open| &open.walk.session);
        let typed = choice.typed.trim_start();
        let sentence = if typed.starts_with("translate ") {
            Some("Type a German sentence. Enter translates it.")
        } else if cell_of(typed).is_some() && session.is_some() {
            Some("Enter looks at this cell.")
        } else {
            None
        };
        let matches = match sentence {
            Some(sentence) => vec![(sentence.to_owned(), theme.text)],
            None => fitting(&choice.typed, session)
                .iter()
                .map(|line| {
                    let possible = match line.hit {
                        Hit::Command(command) => is_possible(app, command.action),
                        _ => true,
                    };
                    let style = if possible { theme.text } else { theme.dim };
                    let text = format!("{:<16} {:>3}  {}", line.name, line.key, line.about);
                    (text.trim_end().to_owned(), style)
                })
                .collect(),
        };
        Self {
            app,
            prompt: ":",
            choice,
            matches,
        }
    }

    /// Terms of the glossary.
    fn terms(app: &'a App, choice: &'a Choice) -> Self {
        let theme = &app.display.theme;
        let line = |term: &Term| theme.words(&format!("{:<22} {}", term.name, term.means));
        let terms = terms_with(&choice.typed);
        Self {
            app,
            prompt: "K ",
            choice,
            matches: terms.iter().map(|term| (line(term), theme.text)).collect(),
        }
    }

    /// The term that the typed text names, and the pages that contain it.
    fn pages(app: &'a App, choice: &'a Choice) -> Self {
        let (term, pages) = searched(&choice.typed);
        let term = term.map(|term| {
            let line = format!("glossary: {}: {}", term.name, term.means);
            (app.display.theme.words(&line), app.display.theme.text)
        });
        let lines = pages.iter().map(|(lesson, page, title)| {
            let number = LESSONS[*lesson].number;
            let line = format!("{number:02} page {}: {title}", page + 1);
            (line, app.display.theme.text)
        });
        Self {
            app,
            prompt: "/",
            choice,
            matches: term.into_iter().chain(lines).collect(),
        }
    }

    /// Draws the list, scrolled so that the selected match is visible.
    fn draw(&self, area: Rect, buf: &mut Buffer) {
        let (theme, limit) = (&self.app.display.theme, usize::from(area.width));
        let typed = format!("{}{}", self.prompt, self.choice.typed);
        put(buf, area, 0, 0, &typed, theme.title);
        let Some(last) = self.matches.len().checked_sub(1) else {
            let words = if self.choice.typed.trim().is_empty() {
                "Type what you look for."
            } else {
                "Nothing fits."
            };
            put(buf, area, 0, 2, words, theme.dim);
            return;
        };
        let chosen = self.choice.chosen.min(last);
        // If the selected line is too long for the pane, repeat it wrapped below the list.
        let repeated = if width(&self.matches[chosen].0) > limit {
            wrap(&self.matches[chosen].0, limit.saturating_sub(2))
        } else {
            Vec::new()
        };
        let repeated = &repeated[..repeated.len().min(3)];
        let below = repeated.len() + usize::from(!repeated.is_empty());
        let height = usize::from(area.height).saturating_sub(2 + below).max(1);
        let first = chosen
            .saturating_sub(height / 2)
            .min(self.matches.len().saturating_sub(height));
        for (y, (text, style)) in self.matches.iter().skip(first).take(height).enumerate() {
            let style = if first + y == chosen {
                theme.cursor
            } else {
                *style
            };
            let text = clip_entry(text, limit, theme.glyphs().more);
            put(buf, area, 0, 2 + y, &text, style);
            let line = Rect {
                y: area.y + 2 + y as u16,
                height: 1,
                ..area
            };
            let target = Target::Hit(first + y);
            self.app.mark(line.intersection(area), target);
        }
        let y = usize::from(area.height).saturating_sub(repeated.len());
        for (i, line) in repeated.iter().enumerate() {
            put(buf, area, 2, y + i, line, theme.dim);
        }
    }
}

/// Wraps text into lines; the rest of a line of code that is too long is indented further.
pub(super) fn plain_lines(app: &App, text: &str, limit: usize) -> Vec<(String, Style)> {
    let wrapped = text.lines().flat_map(|line| {
        let inner = line.trim_start();
        let indent = width(line) - width(inner);
        if inner.is_empty() {
            return vec![String::new()];
        }
        if indent == 0 || width(line) <= limit {
            return if width(line) <= limit {
                vec![line.to_owned()]
            } else {
                wrap(line, limit)
            };
        }
        let further = " ".repeat((indent + 4).min(limit / 2));
        let lines = wrap(inner, limit.saturating_sub(width(&further)).max(1));
        let lines = lines.into_iter().enumerate();
        let lines = lines.map(|(i, words)| match i {
            0 => format!("{}{words}", " ".repeat(indent.min(limit / 2))),
            _ => format!("{further}{words}"),
        });
        lines.collect()
    });
    wrapped.map(|line| (line, app.display.theme.text)).collect()
}

/// Draws lines from the one to which the overlay is scrolled.
fn scrolled(app: &App, lines: &[(String, Style)], area: Rect, buf: &mut Buffer) {
    scrolled_to(app, lines, app.overlay_line, area, buf);
}

/// Draws lines from number `at` on.
fn scrolled_to(app: &App, lines: &[(String, Style)], at: usize, area: Rect, buf: &mut Buffer) {
    scroll(app, lines, at, area, buf, |(line, style), rect, buf| {
        put(buf, rect, 0, 0, line, *style);
    });
}

/// A line of a question, with the option it belongs to.
struct QuestionLine {
    text: String,
    style: Style,
    option: Option<usize>,
}

/// Draws a question with its options, and the reasons of those already tried. Where they do not fit, they scroll below
/// the question.
fn question(app: &App, ask: &Questions, area: Rect, buf: &mut Buffer) {
    let mut lines = question_lines(app, ask, area.width.into());
    let options = lines.iter().position(|line| line.option.is_some());
    // A question that fills half of the pane scrolls too.
    let pinned = options.filter(|&rows| {
        let height = usize::from(area.height);
        lines.len() > height && rows <= height / 2
    });
    let rest = lines.split_off(pinned.unwrap_or(0));
    for (y, line) in lines.iter().enumerate() {
        put(buf, area, 0, y, &line.text, line.style);
    }
    let rows = lines.len() as u16;
    let (lines, area) = (
        rest,
        Rect {
            y: area.y + rows,
            height: area.height - rows,
            ..area
        },
    );
    // Keep the option chosen or answered last in view, with the reason below it.
    let judged = app.judging.as_ref().map(|judged| judged.option);
    let last = judged
        .or(ask.chosen())
        .or(ask.tried().last().map(|(n, _)| *n));
    let end = lines
        .iter()
        .rposition(|line| last.is_some() && line.option == last);
    let height = usize::from(area.height);
    let at = end.map_or(0, |end| (end + 2).saturating_sub(height));
    let free = |n: usize| ask.option(n).is_some();
    scroll(app, &lines, at, area, buf, |line, rect, buf| {
        put(buf, rect, 0, 0, &line.text, line.style);
        if let Some(n) = line.option.filter(|n| free(*n)) {
            app.mark(rect, Target::Answer(n));
        }
    });
}

fn question_lines(app: &App, ask: &Questions, limit: usize) -> Vec<QuestionLine> {
    let theme = &app.display.theme;
    let question = ask.question();
    let mut lines = Vec::new();
    let mut push = |text: String, style, option| {
        lines.push(QuestionLine {
            text,
            style,
            option,
        })
    };
    for line in wrap(&page::unmarked(&question.ask), limit) {
        push(line, theme.title, None);
    }
    push(String::new(), theme.text, None);
    let inside = limit.saturating_sub(4).max(1);
    for (i, option) in question.options.iter().enumerate() {
        let tried = ask.tried().iter().find(|(o, _)| *o == i);
        let (mark, style) = match tried {
            Some((_, true)) => ("+", theme.good),
            Some((_, false)) => ("-", theme.bad),
            None if ask.chosen() == Some(i) => (theme.glyphs().turn.1, theme.cursor),
            None => (" ", theme.text),
        };
        for (n, line) in wrap(&page::unmarked(&option.text), inside)
            .iter()
            .enumerate()
        {
            let text = match n {
                0 => format!("{} {mark} {line}", i + 1),
                _ => format!("    {line}"),
            };
            push(text, style, Some(i));
        }
        let judged = app.judging.as_ref();
        if judged.is_some_and(|judged| judged.id == question.id && judged.option == i) {
            let far = app.how_far().filter(|far| !far.is_empty());
            let far = far.map_or(String::new(), |far| format!(" {far}."));
            let words = format!("computing the answer …{far} Esc cancels.");
            for line in wrap(&theme.words(&words), inside) {
                push(format!("    {line}"), theme.note, Some(i));
            }
        }
        if let Some((_, right)) = tried {
            let word = if *right { "Yes." } else { "No." };
            let why = format!("{word} {}", page::unmarked(&option.why));
            for line in wrap(&why, inside) {
                push(format!("    {line}"), theme.text, Some(i));
            }
        }
    }
    lines
}
