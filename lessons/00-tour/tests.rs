//! Tests that the tour shows the real model, and that each of its switches breaks it.

use super::*;

fn with(turned: &[(&str, &str)]) -> Settings {
    LESSON.settings(turned).unwrap()
}

#[test]
fn the_translation_is_written_row_by_row_and_ends_with_the_whole() {
    let run = TourStage.run(&with(&[])).unwrap();
    let Body::Job(job) = &run.pictures[0].body else {
        panic!("the first picture is written live");
    };
    let rows = |progress: &Progress| progress.written.as_ref().map_or(0, |written| written.rows);
    let mut seen = Vec::new();
    let end = (job.run)(&mut |progress| {
        seen.push(rows(&progress));
        ControlFlow::Continue(())
    });
    let reading = Reading::of(crate::lesson::SENTENCE, None);
    assert_eq!(seen, (1..reading.written.len()).collect::<Vec<_>>());
    assert_eq!(rows(&end), reading.written.len());
    assert!(end.says.contains(&reading.text));
    let mut reports = 0;
    (job.run)(&mut |_| {
        reports += 1;
        ControlFlow::Break(())
    });
    assert_eq!(reports, 1, "whoever breaks it off is not asked again");
}

#[test]
fn two_switches_at_once_are_refused() {
    let settings = with(&[("break", "no-positions"), ("break", "untrained")]);
    assert!(TourStage.run(&settings).is_err());
}

#[test]
fn every_box_of_the_map_opens_a_tensor_of_the_run() {
    let run = TourStage.run(&with(&[])).unwrap();
    let map = run.pictures.iter().find(|p| p.name == "map").unwrap();
    let Body::Map(map) = &map.body else {
        panic!("it is a map");
    };
    let boxes: Vec<_> = map.rows.iter().flatten().flatten().collect();
    assert!(boxes.len() > 12);
    for map_box in boxes {
        assert!(
            run.trace.tensor(&map_box.opens).is_some(),
            "{}",
            map_box.opens
        );
    }
}

#[test]
fn the_maps_page_begins_at_the_box_of_the_next_lesson() {
    let pages = LESSON.pages().unwrap();
    let block = pages
        .iter()
        .find(|page| page.id == "the-map")
        .unwrap()
        .stage()
        .unwrap();
    let run = TourStage.run(&with(&[])).unwrap();
    let map = run.pictures.iter().find(|p| p.name == "map").unwrap();
    let (Body::Map(map), [row, column]) = (&map.body, &block.at[..]) else {
        panic!("it is a map with a cursor");
    };
    assert_eq!(
        map.rows[*row][*column].as_ref().unwrap().lesson,
        "embeddings"
    );
}

#[test]
fn a_step_behind_the_end_shows_the_last() {
    let run = TourStage.run(&with(&[("step", "39")])).unwrap();
    assert!(run.pictures.iter().any(|p| p.name == "next"));
}
