//! A stage block as a figure: the drawing of its run with the numbers as text, and the controls that the page names. In
//! the page it is a session of the course (`book/theme/figure.js`), which begins at the same place.

use crate::lesson::page;
use crate::lesson::session::Session;
use crate::lesson::{FrontEnd, Lesson};
use crate::widgets::html::live::Place;
use crate::widgets::html::view::{self, View};
use crate::widgets::html::{command, controls_html, inline, script};
use crate::widgets::svg::escape;

mod motion;

/// Maximum number of cells in the runs kept for a chapter's other figures: 64 MB.
pub const CACHED_CELLS: usize = 16 << 20;

/// A figure at `place`, with `caption` in Markdown and the anchor `id`: HTML on one line.
pub fn html(
    session: &mut Session,
    place: &Place,
    caption: &str,
    id: &str,
) -> Result<String, String> {
    place.arrange(session)?;
    session.hold();
    let View {
        title,
        body,
        says,
        kind,
    } = view::of(session, &place.columns);
    let here = if place.block.at.is_empty() {
        ""
    } else {
        " tt-here"
    };
    let mut out = format!(
        "<figure class=\"tt tt-{}{here}\" id=\"{id}\"><div class=\"tt-head\">{title}</div>",
        kind.class()
    );
    let lesson = session.lesson();
    let on = (lesson.mistakes.iter()).filter(|m| session.settings().broken(m.name));
    for mistake in on {
        out += &format!(
            "<p class=\"tt-broken\">Broken on purpose: {}.</p>",
            escape(&inline::typeset(mistake.title))
        );
    }
    out += &motion::html(session).unwrap_or_default();
    let controls = controls_html(session, &place.offers, false);
    out += &format!(
        "<div class=\"tt-controls\">{controls}</div><p class=\"tt-watch\" role=\"status\"></p><div class=\"tt-pair\"><div class=\"tt-body\">{body}</div><div class=\"tt-why\" hidden></div></div>"
    );
    let caption = described(caption, lesson)?;
    if !caption.is_empty() {
        out += &format!("<figcaption>{caption}</figcaption>");
    }
    out += &format!("<div class=\"tt-says\">{}</div>", says.join(" "));
    out += &format!(
        "<p class=\"tt-static\">In the program: {}</p>",
        command::html(&command::tensor(session))
    );
    out += &format!(
        "<script type=\"application/json\" class=\"tt-place\">{}</script></figure>\n",
        script(place)
    );
    Ok(out)
}

/// A caption as HTML.
fn described(caption: &str, lesson: &Lesson) -> Result<String, String> {
    let caption = lesson.says(&page::without_claims(caption), FrontEnd::Book);
    match caption.trim() {
        "" => Ok(String::new()),
        caption => inline::html(caption),
    }
}

/// A figure that is drawn in the page only, because its model is there.
pub fn empty(place: &Place, id: &str) -> String {
    format!(
        "<figure class=\"tt\" id=\"{id}\" data-empty><div class=\"tt-head\"></div><div class=\"tt-controls\"></div><p class=\"tt-watch\" role=\"status\">Loading the model …</p><div class=\"tt-pair\"><div class=\"tt-body\"></div><div class=\"tt-why\" hidden></div></div><div class=\"tt-says\"></div><script type=\"application/json\" class=\"tt-place\">{}</script></figure>",
        script(place)
    )
}
