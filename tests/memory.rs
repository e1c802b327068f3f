//! What an hour of keys leaves in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use transformer_tutor::curriculum;
use transformer_tutor::lesson::progress::Progress;
use transformer_tutor::tui::app::App;
use transformer_tutor::tui::update::{Effect, Message, moved_slope, take_computed, update};
use transformer_tutor::tui::view;
use transformer_tutor::widgets::theme::Theme;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn rss() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: usize = statm
        .split(' ')
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    pages * 4096
}

struct Dice(u64);
impl Dice {
    fn next(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

fn key(dice: &mut Dice) -> KeyEvent {
    let frequent = [
        " ", "\r", "n", "N", "h", "j", "k", "l", "[", "]", "{", "}", "v", "V", "1", "2", "3", "\t",
        "b", "B", "d", "w", "u", "U", "\u{8}", "m", "\u{1b}", "e", "4", "5", "-", "+", "<", ">",
        ".", ",", "?", "p", "z", "a", "c", "o", "f", "r", "s", "t", "g", "G", "D", "H", ":", "/",
        "i", "x",
    ];
    let c = frequent[dice.next(frequent.len())].chars().next().unwrap();
    let code = match c {
        '\r' => KeyCode::Enter,
        '\u{8}' => KeyCode::Backspace,
        '\u{1b}' => KeyCode::Esc,
        '\t' => KeyCode::Tab,
        c => KeyCode::Char(c),
    };
    KeyEvent::new(code, KeyModifiers::NONE)
}

#[test]
fn measure() {
    let Some(keys) = std::env::var("TUTOR_KEYS")
        .ok()
        .and_then(|n| n.parse::<usize>().ok())
    else {
        return;
    };
    if std::env::var_os("TUTOR_NEVER").is_some() {
        unsafe { libmimalloc_sys::mi_option_set(15, -1) };
    }
    let names = std::env::var("TUTOR_LESSONS").unwrap_or("attention".to_owned());
    for name in names.split(',') {
        let lesson = curriculum::find(name).unwrap();
        let mut app = App::new(None, Theme::true_dark(), Progress::default(), None);
        app.patience = Some(Duration::from_millis(10));
        app.size = (120, 40);
        app.open(lesson);
        let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
        let mut dice = Dice(1);
        let (send, receive) = mpsc::channel::<Message>();
        let mut running: Option<Arc<AtomicBool>> = None;
        let begun = Instant::now();
        let mut number = 0;
        for n in 0..keys {
            if n % (keys / 20).max(1) == 0 {
                println!(
                    "{name} {n} keys, {:.0} MB, {:.0} s",
                    rss() as f64 / 1e6,
                    begun.elapsed().as_secs_f64()
                );
            }
            if app.room.is_none() || app.quit {
                app.quit = false;
                app.open(lesson);
            }
            let key = key(&mut dice);
            let mut effects: Vec<Effect> =
                update(&mut app, Message::Key(key)).into_iter().collect();
            while let Ok(message) = receive.try_recv() {
                if matches!(&message, Message::Job(m, _) if *m != number) {
                    continue;
                }
                effects.extend(update(&mut app, message));
            }
            effects.extend(take_computed(&mut app).into_iter().flatten());
            effects.extend(moved_slope(&mut app));
            for effect in effects {
                match effect {
                    Effect::Start(job) => {
                        if let Some(r) = running.take() {
                            r.store(false, Ordering::SeqCst);
                        }
                        number += 1;
                        let go_on = Arc::new(AtomicBool::new(true));
                        running = Some(go_on.clone());
                        let (send, number) = (send.clone(), number);
                        std::thread::spawn(move || {
                            let end = (job.run)(&mut |progress| {
                                let _ = send.send(Message::Job(number, Box::new(progress)));
                                if go_on.load(Ordering::SeqCst) {
                                    std::ops::ControlFlow::Continue(())
                                } else {
                                    std::ops::ControlFlow::Break(())
                                }
                            });
                            let _ = send.send(Message::Job(number, Box::new(end)));
                        });
                    }
                    Effect::Stop => {
                        if let Some(r) = running.take() {
                            r.store(false, Ordering::SeqCst);
                        }
                        number += 1;
                    }
                    Effect::Slope(question) => {
                        let send = send.clone();
                        std::thread::spawn(move || {
                            let end = question.answer(&mut |_| std::ops::ControlFlow::Continue(()));
                            let _ = send.send(Message::Slope(Box::new(end)));
                        });
                    }
                    _ => {}
                }
            }
            terminal.draw(|frame| view::view(&app, frame)).unwrap();
        }
        println!(
            "{name} end {:.0} MB, {:.0} s",
            rss() as f64 / 1e6,
            begun.elapsed().as_secs_f64()
        );
    }
}
