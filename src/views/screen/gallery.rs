//! Every screen that a learner reaches by turning pages and opening what the program offers: for the command
//! `tools pages`, and for the test that checks them all.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::{App, Overlay, Pane, Station};
use super::update::{Message, act, term_card, update};
use super::view;
use crate::command::Action;
use crate::curriculum::LESSONS;
use crate::lesson::exercise::report::Card;
use crate::lesson::progress::Progress;
use crate::lesson::{Kind, Lesson, glossary};
use crate::widgets::audit::{Loss, losses};
use crate::widgets::theme::Theme;

/// Size of the screen: columns and rows.
pub type Size = (u16, u16);

/// A drawn screen.
pub struct Screen<'a> {
    /// What it shows, as a file name: `03-attention/page-03-question`.
    pub name: String,
    /// Its size.
    pub size: Size,
    /// The state that it shows.
    pub app: &'a App,
    /// What was drawn.
    pub buf: Buffer,
    /// What the drawing lost: cut or broken words, text over text.
    pub lost: Vec<Loss>,
}

/// Callback that receives the screens one after another.
type See<'a> = &'a mut dyn FnMut(Screen<'_>);

/// Generator of screens, which computes the run of each stage once for all sizes.
pub struct Gallery<'a> {
    /// Sizes in which each screen is drawn.
    pub sizes: &'a [Size],
    /// Colour theme.
    pub theme: Theme,
}

impl Gallery<'_> {
    /// Draws every page of a lesson, before and after its questions are answered, from top to bottom; then its quiz,
    /// end and exercises.
    pub fn lesson(&self, lesson: &'static Lesson, see: See) {
        let mut app = App::new(None, self.theme.clone(), Progress::default(), None);
        app.open(lesson);
        let pages = app
            .open_lesson
            .as_ref()
            .map_or(0, |open| open.walk.pages.len());
        for page in 0..pages {
            let name = format!("{}/page-{:02}", folder(lesson), page + 1);
            app.turn_to(page);
            if app.unanswered().is_some() {
                self.all_of(&mut app, &format!("{name}-question"), see);
                answer(&mut app);
            }
            begin(&mut app);
            self.all_of(&mut app, &name, see);
        }
        let name = |what: &str| format!("{}/{what}", folder(lesson));
        app.ask_quiz();
        self.top_of(&mut app, &name("quiz"), see);
        if lesson.own_words.is_some() {
            act(&mut app, Action::OwnWords);
            self.top_of(&mut app, &name("own-words"), see);
        }
        app.overlay = None;
        past_the_end(&mut app);
        self.top_of(&mut app, &name("the-end"), see);
        for exercise in lesson.exercises() {
            if let Some(open) = &mut app.open_lesson {
                open.exercise = Some(exercise);
            }
            app.show(Overlay::Exercise(Card::default()));
            let what = match exercise.kind {
                Kind::Core => "exercise".to_owned(),
                Kind::WarmUp | Kind::Challenge => format!("exercise-{}", exercise.name),
            };
            self.top_of(&mut app, &name(&what), see);
        }
        if !lesson.more.is_empty() {
            app.show(Overlay::Exercises(0));
            self.top_of(&mut app, &name("exercises"), see);
        }
    }

    /// Draws what there is besides the lessons: home, help, palette, search and glossary, and every term's card.
    pub fn beside(&self, see: See) {
        let mut app = App::new(None, self.theme.clone(), Progress::default(), None);
        self.top_of(&mut app, "home/first", see);
        for station in Station::all() {
            app.list.chosen = station;
            let name = match station {
                Station::Part(part) => format!("part-{part:02}"),
                Station::Lesson(place) => folder(LESSONS[place]),
            };
            self.top_of(&mut app, &format!("home/at-{name}"), see);
        }
        app.open(LESSONS[3]);
        let opened = [
            ("help", Action::Help),
            ("palette", Action::Palette),
            ("search", Action::Search),
            ("glossary", Action::Terms),
        ];
        for (name, action) in opened {
            act(&mut app, action);
            self.all_of(&mut app, &format!("beside/{name}"), see);
        }
        for term in glossary::terms() {
            app.show(term_card(term));
            let name: String = term.name.chars().filter(|c| *c != '/').collect();
            let name = format!("glossary/{}", name.replace(' ', "-"));
            self.top_of(&mut app, &name, see);
        }
    }

    /// Draws the text, or what is shown in its place, from beginning to end, and the panes that do not fit beside it.
    fn all_of(&self, app: &mut App, name: &str, see: See) {
        for &size in self.sizes {
            app.display.size = size;
            let mut part = 0;
            loop {
                let drawn = if part == 0 {
                    name.to_owned()
                } else {
                    format!("{name}-{}", part + 1)
                };
                show(app, drawn, see);
                let shown = app.last_frame.shown.get();
                if shown.first >= shown.last() {
                    break;
                }
                part += 1;
                act(app, Action::Page(1));
            }
            to_the_top(app);
            if app.shows_one_pane() && app.overlay.is_none() {
                for (pane, word) in [(Pane::Stage, "stage"), (Pane::Why, "run")] {
                    app.focus(pane);
                    show(app, format!("{name}-{word}"), see);
                }
                app.focus(Pane::Read);
            }
        }
    }

    fn top_of(&self, app: &mut App, name: &str, see: See) {
        for &size in self.sizes {
            app.display.size = size;
            show(app, name.to_owned(), see);
        }
    }
}

/// Name of a lesson's folder: `03-attention`.
pub fn folder(lesson: &Lesson) -> String {
    format!("{:02}-{}", lesson.number, lesson.name)
}

fn show(app: &App, name: String, see: See) {
    let area = Rect::new(0, 0, app.display.size.0, app.display.size.1);
    let mut buf = Buffer::empty(area);
    let lost = losses(|| view::draw(app, area, &mut buf));
    let size = app.display.size;
    see(Screen {
        name,
        size,
        app,
        buf,
        lost,
    });
}

/// Records that the questions of the page were answered, so that what follows them is shown.
fn answer(app: &mut App) {
    while let Some(id) = app.unanswered().map(|question| question.id.clone()) {
        let Some(name) = app.open_lesson.as_ref().map(|open| open.walk.lesson().name) else {
            return;
        };
        app.progress.lesson_mut(name).answers.insert(id, true);
    }
}

/// Runs a drawing that starts on its own to its end.
fn begin(app: &mut App) {
    if let Some(job) = app.begins() {
        update(app, Message::Job(0, Box::new(job.end())));
    }
}

/// Turns the last page.
fn past_the_end(app: &mut App) {
    // A text that was not drawn has nothing left to scroll through.
    app.last_frame.shown.take();
    act(app, Action::Page(1));
}

fn to_the_top(app: &mut App) {
    app.overlay_line = 0;
    if let Some(open) = &mut app.open_lesson {
        open.page.scroll = 0;
    }
}
