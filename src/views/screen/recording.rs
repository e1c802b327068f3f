//! Filming of a walkthrough: keys are pressed one after another, and every frame that a learner would see is kept.

use std::ops::ControlFlow;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::App;
use super::clock::FRAME;
use super::update::{Effect, Message, event_of, update};
use super::view;
use crate::lesson::picture::Job;
use crate::widgets::svg::Frame;
use crate::widgets::theme::Theme;

/// Time for which the result of a key is shown.
const HOLD: Duration = Duration::from_millis(1600);

/// Interval of the frames kept from an animation: a film goes on a web page and has to be small.
const SHOT: usize = 2;

/// Recording being recorded.
pub struct Recording {
    app: App,
    frames: Vec<Frame>,
}

impl Recording {
    /// Starts a film with the first frame and any animation that starts there on its own.
    pub fn begin(mut app: App) -> Self {
        app.display.still = false;
        let mut film = Self {
            app,
            frames: Vec::new(),
        };
        film.plays_out();
        film
    }

    /// Presses keys, written as for `show --press`: `space`, `enter`, `1`. Two more words are allowed: `2.5s` shows the
    /// last frame for that long, `page4` goes to a page. `Err` names the word that is none of these.
    pub fn press(&mut self, keys: &str) -> Result<(), String> {
        for word in keys.split_whitespace() {
            let page = word
                .strip_prefix("page")
                .and_then(|n| n.parse::<usize>().ok());
            let seconds = word.strip_suffix('s').and_then(|n| n.parse::<f32>().ok());
            if let Some(page) = page {
                self.app.turn_to(page.saturating_sub(1));
                self.plays_out();
            } else if let Some(seconds) = seconds.filter(|s| (0.0..=60.0).contains(s)) {
                if let Some(last) = self.frames.last_mut() {
                    last.stays = Duration::from_secs_f32(seconds);
                }
            } else {
                let key = event_of(word).ok_or_else(|| {
                    format!("'{word}' is not a key; write space, enter, 1, page4 or 2.5s, separated by spaces")
                })?;
                let effect = update(&mut self.app, Message::Key(key));
                self.performs(effect);
                self.plays_out();
            }
        }
        Ok(())
    }

    /// Returns the frames.
    pub fn frames(self) -> Vec<Frame> {
        self.frames
    }

    fn performs(&mut self, effect: Option<Effect>) {
        if let Some(Effect::Start(job)) = effect {
            self.runs(&job);
        }
    }

    /// Records what runs on its own, to its end: a picture's animated drawing, then a step's animation. The last frame
    /// is held.
    fn plays_out(&mut self) {
        if let Some(job) = self.app.begins() {
            self.runs(&job);
        }
        while self.app.playing.is_some() {
            self.shoot(FRAME * SHOT as u32);
            update(&mut self.app, Message::Tick(SHOT));
        }
        self.shoot(HOLD);
    }

    fn runs(&mut self, job: &Job) {
        let pace = job.pace.max(FRAME);
        let mut drawings = Vec::new();
        let end = (job.run)(&mut |progress| {
            drawings.push(progress);
            ControlFlow::Continue(())
        });
        for drawing in drawings {
            update(&mut self.app, Message::Job(0, Box::new(drawing)));
            self.shoot(pace);
        }
        update(&mut self.app, Message::Job(0, Box::new(end)));
    }

    fn shoot(&mut self, stays: Duration) {
        let [light, dark] =
            [Theme::true_light(), Theme::true_dark()].map(|theme| self.drawn(theme));
        self.frames.push(Frame { light, dark, stays });
    }

    fn drawn(&mut self, theme: Theme) -> Buffer {
        let area = Rect::new(0, 0, self.app.display.size.0, self.app.display.size.1);
        let mut buf = Buffer::empty(area);
        // The cached lines of the page have the colours of the last theme.
        if let Some(open) = &self.app.open_lesson {
            open.wrapped.take();
        }
        self.app.display.theme = theme;
        view::draw(&self.app, area, &mut buf);
        self.app.display.theme.finish(&mut buf);
        buf
    }
}
