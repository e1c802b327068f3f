//! The full-screen walkthrough without its terminal: a message arrives, `update` changes the state, `view` draws it.

pub mod app;
pub mod clock;
pub mod entries;
pub mod find;
pub mod gallery;
pub mod key;
pub mod layout;
pub mod line;
mod mode;
pub mod overlay;
pub mod pointer;
mod possible;
pub mod recording;
mod text;
pub mod update;
pub mod view;

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;

    use super::*;
    use crate::lesson::progress::Progress;
    use crate::widgets::theme::Theme;

    #[test]
    fn in_ascii_every_page_of_a_lesson_is_drawn_in_ascii_and_the_letters_of_its_words() {
        let lesson = crate::curriculum::find("attention").unwrap();
        let theme = Theme::mono().in_ascii();
        let mut app = app::App::new(Some(lesson), theme, Progress::default(), None);
        app.display.size = (120, 40);
        let pages = app
            .open_lesson
            .as_ref()
            .map_or(0, |room| room.walk.pages.len());
        for page in 0..pages {
            app.turn_to(page);
            let mut buf = Buffer::empty(Rect::new(0, 0, 120, 40));
            view::draw(&app, buf.area, &mut buf);
            app.display.theme.finish(&mut buf);
            for cell in &buf.content {
                let letters = cell.symbol().chars();
                let strange: String = letters
                    .filter(|c| !c.is_ascii() && !c.is_alphabetic())
                    .collect();
                assert_eq!(strange, "", "page {page}");
            }
        }
    }
}
