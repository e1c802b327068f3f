//! Keys, clicks and the wheel, applied to the walkthrough's state without a terminal, and what the screen then shows.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use transformer_tutor::command::Action;
use transformer_tutor::curriculum;
use transformer_tutor::lesson::FrontEnd;
use transformer_tutor::lesson::progress::Progress;
use transformer_tutor::tui::app::{App, Overlay, Pane, Station, Target};
use transformer_tutor::tui::key::{KeyCode, KeyEvent, KeyModifiers};
use transformer_tutor::tui::update::{Effect, Message, update};
use transformer_tutor::tui::view;
use transformer_tutor::widgets::lines;
use transformer_tutor::widgets::theme::Theme;

mod guide;
mod hunt;
mod newcomer;
mod small;
mod walks;

/// A walkthrough driven without a terminal.
struct Hands {
    app: App,
}

impl Hands {
    /// Opens the lesson `name`, or the list of lessons if it is empty, on a screen of this size.
    fn at(name: &str, size: (u16, u16)) -> Self {
        Self::with(name, size, Progress::default())
    }

    fn with(name: &str, size: (u16, u16), progress: Progress) -> Self {
        let theme = Theme::by_name("mono").unwrap();
        let lesson = (!name.is_empty()).then(|| curriculum::find(name).unwrap());
        let mut app = App::new(lesson, theme, progress, None);
        app.display.size = size;
        // The tests are about the lessons' own experiments, but many lessons begin with the trained model.
        let mut hands = Self { app };
        hands.show_experiment();
        hands.draw();
        hands
    }

    fn show_experiment(&mut self) {
        if let Some(open) = &mut self.app.open_lesson
            && open.walk.lesson().trained
        {
            open.walk.session.set("scene", "experiment").unwrap();
        }
    }

    /// Opens a lesson at the page with this id, whose predictions are answered.
    #[track_caller]
    fn on(name: &str, page: &str, size: (u16, u16)) -> Self {
        let mut hands = Self::at(name, size);
        hands.read(page);
        hands
    }

    fn draw(&mut self) -> Buffer {
        let area = Rect::new(0, 0, self.app.display.size.0, self.app.display.size.1);
        let mut buf = Buffer::empty(area);
        view::draw(&self.app, area, &mut buf);
        buf
    }

    fn text(&mut self) -> String {
        lines::text(&self.draw())
    }

    /// Presses keys, named and separated by spaces, and draws a frame after each.
    fn press(&mut self, keys: &str) -> Option<Effect> {
        let mut effect = None;
        for key in keys.split(' ') {
            let code = match key {
                "enter" => KeyCode::Enter,
                "esc" => KeyCode::Esc,
                "tab" => KeyCode::Tab,
                "backtab" => KeyCode::BackTab,
                "space" => KeyCode::Char(' '),
                "up" => KeyCode::Up,
                "down" => KeyCode::Down,
                "left" => KeyCode::Left,
                "right" => KeyCode::Right,
                "pagedown" => KeyCode::PageDown,
                "pageup" => KeyCode::PageUp,
                "home" => KeyCode::Home,
                "end" => KeyCode::End,
                "backspace" => KeyCode::Backspace,
                key => KeyCode::Char(key.chars().next().unwrap()),
            };
            let key = KeyEvent::new(code, KeyModifiers::NONE);
            effect = update(&mut self.app, Message::Key(key));
            self.draw();
        }
        effect
    }

    fn write(&mut self, words: &str) {
        for c in words.chars() {
            let key = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
            update(&mut self.app, Message::Key(key));
        }
        self.draw();
    }

    /// The column and row where `words` first appear on the screen.
    #[track_caller]
    fn find(&mut self, words: &str) -> (u16, u16) {
        self.find_from(0, words)
    }

    /// The column and row where `words` first appear, in row `top` or below.
    #[track_caller]
    fn find_from(&mut self, top: u16, words: &str) -> (u16, u16) {
        let buf = self.draw();
        for y in top..buf.area.height {
            let row: Vec<&str> = (0..buf.area.width).map(|x| buf[(x, y)].symbol()).collect();
            for x in 0..row.len() {
                if row[x..].concat().starts_with(words) {
                    return (x as u16, y);
                }
            }
        }
        panic!("'{words}' is not on the screen:\n{}", lines::text(&buf));
    }

    /// Clicks on `words` below `above`, because a page's text may name the same step.
    #[track_caller]
    fn click_below(&mut self, above: &str, words: &str) {
        let (_, top) = self.find(above);
        let (x, y) = self.find_from(top, words);
        update(&mut self.app, Message::Click(x, y));
        self.draw();
    }

    #[track_caller]
    fn click(&mut self, words: &str) {
        let (x, y) = self.find(words);
        update(&mut self.app, Message::Click(x, y));
        self.draw();
    }

    #[track_caller]
    fn sees(&mut self, words: &[&str]) {
        let text = self.text();
        for word in words {
            assert!(text.contains(word), "'{word}' is not seen:\n{text}");
        }
    }

    #[track_caller]
    fn misses(&mut self, words: &[&str]) {
        let text = self.text();
        for word in words {
            assert!(!text.contains(word), "'{word}' is seen:\n{text}");
        }
    }

    fn lesson(&self) -> &'static str {
        let open = self.app.open_lesson.as_ref();
        open.map_or("", |open| open.walk.lesson().name)
    }

    fn session(&self) -> &transformer_tutor::lesson::session::Session {
        &self.app.open_lesson.as_ref().unwrap().walk.session
    }

    fn page(&self) -> usize {
        self.app.open_lesson.as_ref().unwrap().walk.page
    }

    fn step(&self) -> &str {
        self.session().step().map_or("", |step| &step.name)
    }

    /// Goes to a page and marks its predictions as answered.
    fn go_to(&mut self, page: usize) {
        self.app.turn_to(page);
        while let Some(question) = self.app.unanswered() {
            let id = question.id.clone();
            let done = self.app.progress.lesson_mut(self.lesson());
            done.answers.insert(id, true);
        }
        self.draw();
    }

    /// Goes to the page of the open lesson that has this id, and leaves its predictions open.
    #[track_caller]
    fn turn_to(&mut self, id: &str) {
        let page = number(self.lesson(), id);
        self.app.turn_to(page);
        self.draw();
    }

    /// Goes to the page of the open lesson that has this id, and marks its predictions as answered.
    #[track_caller]
    fn read(&mut self, id: &str) {
        let page = number(self.lesson(), id);
        self.go_to(page);
    }
}

/// The number of a page.
#[track_caller]
fn number(lesson: &str, id: &str) -> usize {
    let number = curriculum::find(lesson).unwrap().page_number(id);
    number.unwrap_or_else(|| panic!("{lesson} has no page {id}"))
}

const LARGE: (u16, u16) = (120, 40);
const MEDIUM: (u16, u16) = (80, 24);
const SMALL: (u16, u16) = (60, 20);

#[test]
fn a_click_on_a_scrolled_list_opens_the_lesson_that_stands_there() {
    for size in [LARGE, MEDIUM, SMALL] {
        let mut hands = Hands::at("", size);
        let lessons = curriculum::LESSONS;
        let place = lessons.iter().position(|l| l.number == 18).unwrap();
        hands.app.list.chosen = Station::Lesson(place);
        let heading = lessons[place].heading();
        hands.click(&heading[..10]);
        assert_eq!(hands.lesson(), "copy-task");
    }
}

#[test]
fn results_of_a_search_scroll_with_the_choice_and_can_be_clicked() {
    let mut hands = Hands::at("", MEDIUM);
    hands.press("/");
    hands.write("the");
    for _ in 0..60 {
        hands.press("down");
    }
    let Some(Overlay::Search(choice)) = &hands.app.overlay else {
        panic!("the search is open");
    };
    assert_eq!(choice.chosen, 60);
    // Lesson 01 has fewer pages than that.
    hands.misses(&["01 page"]);
    hands.press("enter");
    assert!(hands.lesson() != "embeddings" && !hands.lesson().is_empty());
}

#[test]
fn n_shows_the_rest_of_a_page_before_it_turns() {
    let mut hands = Hands::at("attention", SMALL);
    hands.read("every-query-meets-every-key");
    let page = hands.page();
    hands.sees(&["more"]);
    let mut pressed = 0;
    while hands.page() == page {
        hands.press("n");
        pressed += 1;
        assert!(pressed < 20);
    }
    assert!(pressed > 1, "a long page takes more than one");
    assert_eq!(hands.page(), page + 1);
    assert_eq!(hands.app.open_lesson.as_ref().unwrap().page.scroll, 0);
}

#[test]
fn the_mark_of_more_text_covers_none_of_it() {
    let mut hands = Hands::at("attention", SMALL);
    hands.read("every-query-meets-every-key");
    let page = hands.page();
    let mut seen = String::new();
    loop {
        seen += &hands.text();
        if hands.page() != page {
            break;
        }
        hands.press("n");
    }
    let blocks = {
        let hands = Hands::at("attention", SMALL);
        let open = hands.app.open_lesson.as_ref().unwrap();
        open.walk.pages[page].blocks.clone()
    };
    let style = hands.app.prose();
    let wrapped = transformer_tutor::widgets::prose::lines(&blocks, 57, &style);
    for line in wrapped {
        let line = line.to_string();
        assert!(seen.contains(line.trim()), "'{line}' was never seen");
    }
}

#[test]
fn the_palette_finds_tensors_and_pictures_by_name_with_the_key_beside() {
    for size in [LARGE, MEDIUM, SMALL] {
        let mut hands = Hands::on("attention", "write-it", size);
        hands.press(":");
        hands.write("weights");
        hands.sees(&["tensor of step"]);
        hands.press("enter");
        assert_eq!(hands.step(), "weights");
        hands.press(":");
        hands.write("saturation");
        hands.press("enter");
        assert_eq!(hands.session().picture().unwrap().name, "saturation");
        hands.press(":");
        hands.write("no-scale");
        hands.sees(&["  1  break it"]);
        hands.press("enter");
        assert!(hands.session().settings().broken("no-scale"));
        hands.press(":");
        hands.write("nothing like it qqq");
        hands.sees(&["Nothing fits"]);
    }
}

#[test]
fn a_slice_and_a_cursor_survive_a_step_where_the_axes_are_the_same() {
    let mut hands = Hands::on("attention", "write-it", LARGE);
    hands.press(":");
    hands.write("scores");
    hands.press("enter right right right");
    let before = hands.session().cursor().to_vec();
    hands.press("> > left left down");
    let cursor = hands.session().cursor().to_vec();
    let moved = [before[0], before[1] + 2, before[2] + 1, before[3] - 2];
    assert_eq!(cursor, moved);
    let mut steps = 0;
    while hands.step() != "weights" {
        hands.press("space");
        steps += 1;
        assert!(steps < 30);
    }
    assert_eq!(hands.session().cursor(), cursor);
    // A page starts at the place that it names.
    let mut fresh = Hands::on("attention", "write-it", LARGE);
    hands.turn_to("blocked-keys-get-nothing");
    fresh.turn_to("blocked-keys-get-nothing");
    assert_eq!(hands.session().cursor(), fresh.session().cursor());
}

#[test]
fn a_switch_shows_its_difference_after_a_step_too() {
    let mut hands = Hands::on("attention", "write-it", LARGE);
    hands.press(":");
    hands.write("scores");
    hands.press("enter 1 d > > space space");
    let session = hands.session();
    assert!(session.shows_difference());
    assert_eq!(session.cursor()[1], 2);
}

#[test]
fn the_list_of_the_run_is_entered_moved_in_and_chosen_from() {
    for size in [LARGE, MEDIUM, SMALL] {
        let mut hands = Hands::on("attention", "blocked-keys-get-nothing", size);
        let cursor = hands.session().cursor().to_vec();
        let before = hands.step().to_owned();
        // Where one pane is visible at a time, Tab only alternates between text and picture.
        hands.press(if size == SMALL { "backtab" } else { "tab tab" });
        assert_eq!(hands.app.open_lesson.as_ref().unwrap().pane, Pane::Why);
        hands.press("down down");
        assert_eq!(hands.step(), before, "moving does not choose");
        assert_eq!(hands.session().cursor(), cursor);
        hands.press("enter");
        let open = hands.app.open_lesson.as_ref().unwrap();
        assert_eq!(hands.session().trace().find(hands.step()), Some(open.entry));
        assert_ne!(hands.step(), before);
        // Pictures, knobs and mistakes are the next groups.
        if size == SMALL {
            hands.press("tab");
        }
        hands.press("right enter");
        assert!(hands.session().picture().is_some());
        if size == SMALL {
            hands.press("tab");
        }
        hands.press("right");
        let knob = hands.session().lesson().knobs[0].name;
        let value = hands.session().settings().text(knob).to_owned();
        hands.press("right");
        if size == SMALL {
            hands.press("tab");
        }
        assert_ne!(hands.session().settings().text(knob), value);
    }
}

#[test]
fn a_mistake_is_chosen_from_the_list_by_key_and_by_mouse() {
    let mut hands = Hands::on("attention", "write-it", LARGE);
    hands.press("tab tab right right");
    while hands.app.open_lesson.as_ref().unwrap().entry < 10_000 {
        hands.press("down");
        let open = hands.app.open_lesson.as_ref().unwrap();
        let all = transformer_tutor::tui::entries::entries(&open.walk.session);
        if all[open.entry].group() == "break it" {
            break;
        }
    }
    hands.press("enter");
    assert!(hands.session().settings().broken("no-scale"));
    hands.click("divide by √d_model");
    assert!(hands.session().settings().broken("scale-by-model"));
    // Of two mistakes in the same place only one can be on.
    assert!(!hands.session().settings().broken("no-scale"));
    let remark = hands.session().remark().unwrap();
    assert!(remark.contains("Switch 1 is off again"), "{remark}");
}

#[test]
fn no_two_switches_that_exclude_each_other_are_on_in_any_lesson() {
    for name in ["positional-encoding", "subwords", "masks"] {
        let mut hands = Hands::on(name, "start", LARGE);
        hands.show_experiment();
        for n in 1..=hands.session().lesson().mistakes.len() {
            hands.press(&n.to_string());
        }
        let session = hands.session();
        let on: Vec<&str> = session.settings().mistakes().collect();
        assert!(!on.is_empty(), "{name}");
        for one in &on {
            for other in &on {
                assert!(
                    one == other || !session.exclude(one, other),
                    "{name}: {on:?}"
                );
            }
        }
    }
}

#[test]
fn a_knob_steps_over_values_that_cannot_be_and_says_why() {
    let mut hands = Hands::on("positional-encoding", "the-same-for-every-sentence", LARGE);
    let mut went = Vec::new();
    let d_model = |hands: &Hands| hands.session().settings().text("d_model").to_owned();
    for _ in 0..4 {
        hands.press("[");
        went.push(d_model(&hands));
    }
    assert_eq!(went, ["256", "64", "8", "8"]);
    hands.press("] ]");
    assert_eq!(d_model(&hands), "256");
    hands.sees(&["Skipped d_model 127"]);
    hands.press("]");
    hands.misses(&["Skipped"]);
}

#[test]
fn esc_closes_what_is_open_and_never_leaves_a_lesson() {
    let mut hands = Hands::on("attention", "write-it", LARGE);
    hands.press("? esc enter esc Z esc esc esc esc");
    assert_eq!(hands.lesson(), "attention");
    hands.sees(&["q goes back"]);
    hands.press("q");
    assert_eq!(hands.lesson(), "");
    hands.press("esc");
    assert!(!hands.app.quit);
}

#[test]
fn going_back_selects_the_lesson_that_was_open() {
    let mut hands = Hands::at("attention", LARGE);
    hands.press("q");
    assert_eq!(hands.app.list.chosen, Station::Lesson(3));
}

#[test]
fn after_the_playground_the_next_start_selects_the_lesson_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.toml");
    let mut hands = Hands::with("masks", LARGE, Progress::load_from(&path).0);
    hands.press("P Q");
    hands.app.progress.save().unwrap();
    let next = Hands::with("", LARGE, Progress::load_from(&path).0);
    assert_eq!(next.app.list.chosen, Station::Lesson(4));
}

#[test]
fn help_is_read_whole_and_turns_no_page() {
    for size in [LARGE, MEDIUM, SMALL] {
        let mut hands = Hands::at("attention", size);
        hands.press("?");
        let mut seen = hands.text();
        for group in 1..=7 {
            hands.press(&group.to_string());
            for _ in 0..6 {
                seen += &hands.text();
                hands.press("pagedown");
            }
        }
        assert_eq!(hands.page(), 0);
        // Borders and neighbouring panes come between the words of one line and the next, so compare word by word.
        let words: Vec<&str> = seen.split_whitespace().collect();
        assert!(seen.contains("Begin with these"), "{size:?}");
        for command in transformer_tutor::command::all() {
            // All switches share one line.
            if matches!(command.action, Action::Break(_)) {
                continue;
            }
            for word in command.about.split_whitespace() {
                assert!(
                    words.contains(&word),
                    "{size:?}: '{word}' of {}",
                    command.name
                );
            }
        }
    }
}

#[test]
fn the_edit_pane_keeps_its_spaces() {
    let mut hands = Hands::on("multi-head", "optional-matrix-products", LARGE);
    hands.press("e");
    hands.write("9");
    hands.sees(&[
        "= 9",
        "Type its new value and press Enter",
        "d draws what changed",
    ]);
}

#[test]
fn the_quiz_is_not_begun_anew_and_enter_after_a_wrong_answer_says_what_to_do() {
    let mut hands = Hands::at("attention", LARGE);
    hands.press("z");
    let mut wrong = 0;
    for option in ["1", "2", "3"] {
        hands.press(option);
        let Some(Overlay::Ask(asked)) = &hands.app.overlay else {
            panic!("the quiz is open");
        };
        if asked.is_settled() {
            break;
        }
        wrong += 1;
        hands.press("enter");
        hands.sees(&["Choose another answer"]);
        hands.press("z");
        let Some(Overlay::Ask(asked)) = &hands.app.overlay else {
            panic!("the quiz is open");
        };
        assert_eq!(asked.tried().len(), wrong, "it goes on where it was");
    }
    hands.press("enter");
    hands.sees(&["quiz 2/"]);
    // The arrows choose, Enter answers.
    hands.press("down enter");
    let Some(Overlay::Ask(asked)) = &hands.app.overlay else {
        panic!("the quiz is open");
    };
    assert_eq!(asked.tried().len(), 1);
    assert_eq!(asked.tried()[0].0, 0);
    let text = asked.question().options[1].text.clone();
    let start: String = text.chars().take(12).filter(|c| *c != '*').collect();
    if !asked.is_settled() {
        hands.click(&format!("2   {start}"));
        let Some(Overlay::Ask(asked)) = &hands.app.overlay else {
            panic!("the quiz is open");
        };
        assert_eq!(asked.tried().len(), 2);
    }
}

#[test]
fn a_quiz_that_was_left_goes_on_where_it_was_and_its_end_leads_to_the_next_lesson() {
    let answer_all = |hands: &mut Hands| {
        for option in ["1", "2", "3", "4", "5"] {
            hands.press(option);
        }
    };
    let mut hands = Hands::on("attention", "write-it", LARGE);
    hands.press("z");
    answer_all(&mut hands);
    hands.press("n");
    hands.sees(&["quiz 2/8"]);
    for leave in ["esc", "q", "home", ":"] {
        hands.press(leave);
        hands.misses(&["quiz 2/8"]);
        hands.press("esc z");
        hands.sees(&["quiz 2/8"]);
    }
    // On a page in the middle, the quiz ends where it was begun.
    for question in 2..=8 {
        hands.sees(&[&format!("quiz {question}/8")]);
        answer_all(&mut hands);
        hands.press("n");
    }
    hands.sees(&["right at the first try"]);
    assert!(hands.app.overlay.is_none());
    // At the lesson's end, it ends there, and n opens the next lesson.
    let pages = hands.app.open_lesson.as_ref().unwrap().walk.pages.len();
    hands.go_to(pages - 1);
    hands.press("z");
    for question in 1..=8 {
        hands.sees(&[&format!("quiz {question}/8")]);
        answer_all(&mut hands);
        hands.press("n");
    }
    hands.sees(&["the end of the lesson", "right at the first try"]);
    hands.press("n");
    assert_eq!(hands.lesson(), "masks");
}

#[test]
fn questions_of_earlier_lessons_are_announced_and_say_where_they_come_from() {
    let mut progress = Progress::default();
    let first = curriculum::find("attention").unwrap();
    for question in first.questions(FrontEnd::Screen).unwrap() {
        let done = progress.lesson_mut("attention");
        done.answers.insert(question.id, false);
    }
    let mut hands = Hands::with("masks", MEDIUM, progress);
    hands.press("z");
    hands.sees(&["quiz 1/9: again from 03 "]);
    hands.press("esc");
    let pages = hands.app.open_lesson.as_ref().unwrap().walk.pages.len();
    hands.go_to(pages - 1);
    while hands.app.overlay.is_none() {
        hands.press("n");
    }
    let Some(Overlay::End(card)) = &hands.app.overlay else {
        panic!("the lesson is at its end");
    };
    let quiz = "Press z: 7 questions about this lesson, and 2 again from earlier lessons.";
    assert!(card.contains(quiz), "{card}");
    hands.press("q");
    assert!(hands.app.open_lesson.is_none(), "q leaves the end at once");
    assert!(hands.app.overlay.is_none() && !hands.app.quit);
}

#[test]
fn cells_steps_and_the_footer_are_clicked() {
    let mut hands = Hands::on("attention", "the-papers-size", LARGE);
    hands.press(":");
    hands.write("scores");
    hands.press("enter tab");
    // Try a range of positions: where the cells are depends on the layout.
    let mut moved = false;
    for (x, y) in (5..24).flat_map(|y| (70..110).step_by(5).map(move |x| (x, y))) {
        if !moved {
            update(&mut hands.app, Message::Click(x, y));
            moved = hands.session().cursor().iter().skip(2).all(|i| *i > 0);
            assert!(moved || !hands.session().asks_why() || hands.press("esc").is_none());
        }
    }
    assert!(moved, "a click puts the cursor on a cell");
    hands.click_below("the run", "masked");
    assert_eq!(hands.step(), "masked");
    hands.click("? help");
    assert!(matches!(hands.app.overlay, Some(Overlay::Help)));
}

#[test]
fn the_wheel_scrolls_what_is_under_it_and_a_second_click_asks_why() {
    let mut hands = Hands::on("attention", "the-papers-size", MEDIUM);
    let cursor = hands.session().cursor().to_vec();
    let wheel = |hands: &mut Hands, wanted: Pane| {
        hands.draw();
        let targets = hands.app.last_frame.targets.borrow();
        let pane = |target: &Target| matches!(target, Target::Pane(pane) if *pane == wanted);
        let (rect, _) = *targets.iter().find(|(_, target)| pane(target)).unwrap();
        drop(targets);
        let (column, row) = (rect.x + rect.width / 2, rect.y + 1);
        let lines = 2;
        update(&mut hands.app, Message::Wheel { lines, column, row });
    };
    let scrolled = |hands: &Hands| hands.app.open_lesson.as_ref().unwrap().page.scroll;
    wheel(&mut hands, Pane::Read);
    // A text above its picture is read a card at a time.
    let card = scrolled(&hands);
    assert!(card > 0);
    assert_eq!(hands.session().cursor(), cursor);
    hands.press(":");
    hands.write("scores");
    hands.press("enter");
    let before = hands.session().cursor()[2];
    wheel(&mut hands, Pane::Stage);
    assert_eq!(scrolled(&hands), card);
    assert_eq!(hands.session().cursor()[2], before + 2);
    let (x, y) = hands.find("▸");
    for asked in [false, true] {
        update(&mut hands.app, Message::Click(x + 20, y));
        assert_eq!(hands.session().asks_why(), asked);
    }
}

#[test]
fn one_key_gives_the_stage_the_whole_screen() {
    let mut hands = Hands::on("attention", "write-it", MEDIUM);
    hands.press("Z");
    let (x, _) = hands.find("the stage, Esc");
    assert!(x < 5);
    hands.press("space");
    assert!(
        hands.app.open_lesson.as_ref().unwrap().full,
        "a step stays there"
    );
    hands.press("esc");
    assert!(!hands.app.open_lesson.as_ref().unwrap().full);
    hands.press("Z n");
    assert!(
        !hands.app.open_lesson.as_ref().unwrap().full,
        "n is for reading"
    );
}

#[test]
fn shapes_that_a_prediction_asks_for_are_nowhere_before_it_is_answered() {
    for (lesson, page, shape) in [
        ("attention", "the-papers-size", "(30 b, 8 h, 10 t, 11 s)"),
        ("embeddings", "a-batch-of-sentences", "(30 b, 11 s, 512 d)"),
        (
            "three-uses",
            "the-decoder-looks-at-the-memory",
            "(30 b, 8 h, 10 t, 11 s)",
        ),
    ] {
        for size in [LARGE, MEDIUM, SMALL, (200, 60)] {
            let mut hands = Hands::at(lesson, size);
            hands.turn_to(page);
            assert!(hands.app.unanswered().is_some(), "{lesson}");
            for keys in ["tab", "tab", "tab", "Z", "Z", "p", "1"] {
                hands.misses(&[shape, "leak ●"]);
                hands.press(keys);
            }
            if size.0 >= LARGE.0 {
                Hands::on(lesson, page, size).sees(&[shape]);
            }
        }
    }
}

#[test]
fn going_down_takes_the_stage_along_and_back() {
    let mut hands = Hands::on("attention", "write-it", LARGE);
    hands.press(":");
    hands.write("scores");
    hands.press("enter right right down enter");
    assert_eq!(hands.step(), "scores");
    hands.press("enter");
    let below = hands.step().to_owned();
    assert_ne!(below, "scores");
    let (at, _) = hands.session().why().unwrap();
    assert_eq!(at.index, hands.session().cursor());
    hands.press("backspace");
    assert_eq!(hands.step(), "scores");
    hands.press("backspace");
    assert!(hands.session().why().is_none());
    assert_eq!(hands.step(), "scores");
}

#[test]
fn symbols_of_a_formula_name_their_tensors_and_show_them() {
    let page = "every-query-meets-every-key";
    let mut hands = Hands::on("attention", page, LARGE);
    // The trained model has a query in every attention; the page is about this one.
    hands.press(";");
    let query = "decoder.layers.1.src_attn.query";
    hands.sees(&[&format!("Q is the tensor {query} (1 b, 10 t, 256 d)")]);
    assert_eq!(hands.step(), query);
    hands.press(";");
    assert_eq!(hands.step(), "decoder.layers.1.src_attn.key");
    let mut hands = Hands::on("attention", page, LARGE);
    hands.show_experiment();
    hands.press(";");
    hands.sees(&["Q is the tensor query (30 b, 8 h, 10 t, 64 k), step 1"]);
    assert_eq!(hands.step(), "query");
    hands.press("; ;");
    hands.sees(&["is the tensor scores (30 b, 8 h, 10 t, 11 s)"]);
    assert_eq!(hands.step(), "scores");
    // Do not give away what a prediction asks for.
    let mut hands = Hands::at("attention", LARGE);
    hands.turn_to(page);
    hands.show_experiment();
    hands.press("; ; ;");
    hands.sees(&["is the tensor scores"]);
    hands.misses(&["(30 b, 8 h, 10 t, 11 s)"]);
}

#[test]
fn the_editor_is_asked_for_by_its_key_where_there_is_an_exercise() {
    let mut hands = Hands::at("attention", LARGE);
    assert!(matches!(hands.press("E"), Some(Effect::Editor)));
    let mut hands = Hands::at("", LARGE);
    hands.press("P");
    assert!(hands.press("E").is_none());
}

#[test]
fn repeated_tensors_and_places_in_the_run_are_named_for_people() {
    let mut hands = Hands::on("attention", "write-it", LARGE);
    hands.press(":");
    hands.write("scores");
    hands.press("enter tab");
    let number = hands.session().trace().find("scores").unwrap() + 1;
    hands.sees(&[&format!("step {number} of"), ": scores"]);
    for lesson in curriculum::LESSONS.iter().take(11) {
        let mut hands = Hands::at(lesson.name, (200, 60));
        let all = hands.text();
        assert!(!all.contains("#2"), "{}:\n{all}", lesson.name);
    }
}

#[test]
fn a_q_too_many_in_the_list_of_lessons_ends_nothing() {
    let mut hands = Hands::at("attention", LARGE);
    hands.press("q q");
    assert!(!hands.app.quit);
    hands.sees(&["q once more ends the program", "? help"]);
    hands.press("down q");
    assert!(!hands.app.quit, "another key between them begins anew");
    hands.press("q");
    assert!(hands.app.quit);
}

#[test]
fn a_digit_after_the_right_answer_neither_switches_nor_hides_the_explanation() {
    let mut hands = Hands::at("attention", LARGE);
    let lesson = curriculum::find("attention").unwrap();
    let pages = lesson.pages().unwrap();
    let asks = pages
        .iter()
        .position(|page| page.predictions().next().is_some());
    hands.app.turn_to(asks.unwrap());
    hands.press("p");
    for option in ["1", "2", "3", "4"] {
        let settled = |hands: &Hands| matches!(&hands.app.overlay, Some(Overlay::Ask(asked)) if asked.is_settled());
        if !settled(&hands) {
            hands.press(option);
        }
    }
    hands.sees(&["Yes.", "go on"]);
    let second = lesson.mistakes[1].name;
    hands.press("2");
    hands.sees(&["Yes.", "Enter moves on"]);
    assert!(!hands.session().requested().broken(second));
    hands.press("enter 2");
    assert!(hands.session().requested().broken(second));
}

#[test]
fn a_notice_leaves_the_keys_in_sight() {
    for size in [LARGE, (80, 24), (60, 20)] {
        let mut hands = Hands::at("attention", size);
        hands.press("u");
        let text = hands.text();
        let last = text.lines().last().unwrap();
        assert!(
            hands.app.notice.is_none() || last.contains("? help"),
            "{text}"
        );
        hands.press("L q");
        hands.sees(&["q once more", "? help"]);
    }
}

#[test]
fn a_lesson_is_found_and_opened_from_the_palette_and_from_the_card_of_its_term() {
    let mut hands = Hands::at("", LARGE);
    hands.press(":");
    hands.write("decoding");
    hands.sees(&["lesson 21"]);
    hands.press("enter");
    assert_eq!(hands.lesson(), "decoding");
    hands.press("L K");
    hands.write("perplexity");
    hands.press("enter");
    hands.sees(&["opens lesson 16"]);
    hands.press("enter");
    assert_eq!(hands.session().lesson().number, 16);
}

#[test]
fn while_a_page_is_read_at_most_six_keys_are_in_sight_and_the_run_is_folded() {
    for size in [LARGE, MEDIUM] {
        for lesson in [
            "tour",
            "positional-encoding",
            "attention",
            "masks",
            "decoding",
        ] {
            let mut hands = Hands::at(lesson, size);
            for page in 0..hands.app.open_lesson.as_ref().unwrap().walk.pages.len() {
                hands.go_to(page);
                let text = hands.text();
                assert!(!text.contains("─ the run ─"), "{lesson} {page}:\n{text}");
                let targets = hands.app.last_frame.targets.borrow();
                let footer = targets.iter().filter(|(rect, _)| rect.y == size.1 - 1);
                let entries = footer.count();
                assert!((3..=6).contains(&entries), "{lesson} {page}:\n{text}");
                drop(targets);
                let walk = &hands.app.open_lesson.as_ref().unwrap().walk;
                let breaks = |key: &String| key.starts_with(|c: char| c.is_ascii_digit());
                let switches = walk.keys_named().iter().any(breaks);
                assert!(
                    !switches || text.contains("break it"),
                    "{lesson} {page}:\n{text}"
                );
            }
        }
    }
}

#[test]
fn the_run_is_folded_until_it_is_asked_for_and_again_when_the_page_is_turned() {
    let mut hands = Hands::on("attention", "blocked-keys-get-nothing", LARGE);
    hands.misses(&["the run", "step 1 of", "query_std"]);
    hands.press("tab");
    hands.sees(&["the run", "query_std"]);
    hands.press("n");
    hands.misses(&["the run", "query_std"]);
    // A knob that is turned is shown, even if the page does not name it.
    hands.press("]");
    hands.sees(&["scene"]);
}
