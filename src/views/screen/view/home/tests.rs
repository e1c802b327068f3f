//! What the home screen shows.

use ratatui::buffer::Buffer;

use super::*;
use crate::lesson::progress::Progress;
use crate::widgets::lines::text;

fn app(size: (u16, u16)) -> App {
    let mut app = App::new(
        None,
        Theme::by_name("mono").unwrap(),
        Progress::default(),
        None,
    );
    app.display.size = size;
    app
}

fn shown(app: &App) -> String {
    let mut buf = Buffer::empty(Rect::new(0, 0, app.display.size.0, app.display.size.1));
    super::super::draw(app, buf.area, &mut buf);
    text(&buf)
}

fn read(progress: &mut Progress, part: &Part) {
    for step in curriculum::core_path().pages(part) {
        let done = progress.lesson_mut(step.lesson.name);
        done.pages.insert(step.page.clone());
        progress.stand_at(step.lesson.name, &step.page);
    }
}

#[test]
fn the_core_path_is_complete_only_with_its_predictions_and_functions() {
    let (mut app, path) = (app((120, 40)), curriculum::core_path());
    for part in &path.parts {
        read(&mut app.progress, part);
    }
    let open = path.predictions_open(&app.progress);
    assert!(open > 10, "{open}");
    assert!(shown(&app).contains(&format!("core: {open} predictions open")));
    for step in &path.steps {
        let done = app.progress.lesson_mut(step.lesson.name);
        let ids = step.lesson.prediction_ids(&step.page).into_iter();
        done.answers.extend(ids.map(|id| (id.to_owned(), false)));
    }
    assert!(shown(&app).contains("functions to write"));
    for exercise in LESSONS.iter().filter_map(|lesson| lesson.exercise.as_ref()) {
        exercise.done_mut(&mut app.progress).solved = true;
    }
    assert!(shown(&app).contains("core path complete"));
}

#[test]
fn the_selected_entry_says_what_it_teaches() {
    let mut app = app((120, 40));
    let (lesson, part) = (LESSONS[7], &curriculum::core_path().parts[1]);
    for (station, what, gains) in [
        (Station::Lesson(7), "lesson", lesson.gains),
        (Station::Part(1), "part", &*part.gains),
    ] {
        app.list.chosen = station;
        // The sentence is longer than a line.
        let words: Vec<&str> = gains.split(' ').skip(1).take(2).collect();
        let promise = format!("After this {what} you {}", words.join(" "));
        assert!(shown(&app).contains(&promise), "{promise}");
    }
}

#[test]
fn every_station_can_be_seen_and_clicked_at_every_size() {
    for size in [(60, 20), (80, 24), (120, 40), (200, 60)] {
        let mut app = app(size);
        for station in Station::all() {
            app.list.chosen = station;
            let lines = shown(&app);
            let title = match station {
                Station::Part(part) => curriculum::core_path().parts[part].title.clone(),
                Station::Lesson(place) => LESSONS[place].heading(),
            };
            let title: String = title.chars().take(12).collect();
            let list_from = if size.0 >= 104 { usize::from(MAP) } else { 0 };
            let on_row = |line: &str| {
                let row: String = line.chars().skip(list_from).collect();
                row.contains(&format!("○  {title}")) && row.contains("min")
            };
            let row = lines.lines().position(on_row);
            let row = row.unwrap_or_else(|| panic!("{station:?} at {size:?}:\n{lines}"));
            let column = size.0 - 10;
            let hit = app.pointed_at(column, row as u16);
            let hit: Vec<Target> = hit.into_iter().map(|(_, target)| target).collect();
            assert_eq!(hit, [target(station)], "{size:?}\n{lines}");
        }
    }
}

#[test]
fn what_was_read_is_marked_and_the_last_page_is_continued() {
    let mut app = app((120, 40));
    let path = curriculum::core_path();
    let lines = shown(&app);
    assert!(
        lines.contains(&format!("0 of {} parts read", path.parts.len())),
        "{lines}"
    );
    assert!(lines.contains("begins with “The tour”"), "{lines}");
    read(&mut app.progress, &path.parts[0]);
    app.choose_next();
    let lines = shown(&app);
    assert!(
        lines.contains(&format!("1 of {} parts read", path.parts.len())),
        "{lines}"
    );
    assert!(
        lines.contains(&format!("opens “{}”", path.parts[1].title)),
        "{lines}"
    );
    let step = &path.steps[path.parts[1].steps.start + 1];
    let done = app.progress.lesson_mut(step.lesson.name);
    done.pages.insert(step.page.clone());
    app.progress.stand_at(step.lesson.name, &step.page);
    let lines = shown(&app);
    let on = format!("goes on with “{}”, page 2 of", path.parts[1].title);
    assert!(lines.contains(&on), "{lines}");
    // Whoever reads a lesson as such goes on in that.
    let done = app.progress.lesson_mut("adam");
    done.pages.insert("start".to_owned());
    app.choose_next();
    let lines = shown(&app);
    assert!(
        lines.contains("goes on with “17 Adam and the warm-up”, page 1"),
        "{lines}"
    );
}
