//! A stage block as a figure: the drawing of its run with the numbers as text, and the controls that the page names. In
//! the page it is a session of the course (`book/theme/figure.js`), which begins at the same place.

use crate::lesson::page;
use crate::lesson::session::Session;
use crate::lesson::{FrontEnd, Lesson};
use crate::widgets::html::live::{Place, writes};
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
        mut says,
        kind,
    } = view::of(session, &place.columns);
    // A caption takes the place of what a picture says of itself.
    if !caption.is_empty() && session.picture().is_some() && !says.is_empty() {
        says.remove(0);
    }
    let here = if place.block.at.is_empty() {
        ""
    } else {
        " tt-here"
    };
    let lesson = session.lesson();
    let mut above = String::new();
    let on = (lesson.mistakes.iter()).filter(|m| session.settings().broken(m.name));
    for mistake in on {
        above += &format!(
            "<p class=\"tt-broken\">Broken on purpose: {}.</p>",
            escape(&inline::typeset(mistake.title))
        );
    }
    above += &motion::html(session).unwrap_or_default();
    let mut caption = described(caption, lesson)?;
    if !caption.is_empty() {
        caption = format!("<figcaption>{caption}</figcaption>");
    }
    let static_command = format!(
        "<p class=\"tt-static\">In the program: <code>{}</code></p>",
        escape(&command::tensor(session))
    );
    let parts = Parts {
        head: title,
        above,
        controls: controls_html(session, &place.offers, false),
        writes: writes(session, &place.offers),
        body,
        caption,
        says: says.join(" "),
        below: static_command,
        ..Parts::default()
    };
    let attributes = format!("class=\"tt tt-{}{here}\" id=\"{id}\"", kind.class());
    Ok(parts.framed(&attributes, place) + "\n")
}

/// A figure that is drawn in the page only, because its model is there.
pub fn empty(place: &Place, id: &str) -> String {
    let parts = Parts {
        watch: "Loading the model …",
        ..Parts::default()
    };
    parts.framed(&format!("class=\"tt\" id=\"{id}\" data-empty"), place)
}

/// The parts of a figure, as HTML. The page's script finds them by their classes.
#[derive(Default)]
struct Parts {
    head: String,
    /// What is broken, and a drawing that moves.
    above: String,
    controls: String,
    writes: String,
    watch: &'static str,
    body: String,
    caption: String,
    says: String,
    /// For readers without JavaScript.
    below: String,
}

impl Parts {
    /// The figure with these attributes, which begins at `place`.
    fn framed(&self, attributes: &str, place: &Place) -> String {
        let Self {
            head,
            above,
            controls,
            writes,
            watch,
            body,
            caption,
            says,
            below,
        } = self;
        format!(
            "<figure {attributes}><div class=\"tt-head\">{head}</div>{above}\
             <div class=\"tt-controls\">{controls}</div>\
             <p class=\"tt-writes\" role=\"status\">{writes}</p>\
             <div class=\"tt-pair\"><div class=\"tt-body\">{body}</div><div class=\"tt-why\" hidden></div></div>\
             <div class=\"tt-watch\" role=\"status\">{watch}</div><p class=\"tt-changes\"></p>\
             {caption}<div class=\"tt-says\">{says}</div>{below}\
             <script type=\"application/json\" class=\"tt-place\">{}</script></figure>",
            script(place)
        )
    }
}

/// A caption as HTML.
fn described(caption: &str, lesson: &Lesson) -> Result<String, String> {
    let caption = lesson.says(&page::without_claims(caption), FrontEnd::Book);
    match caption.trim() {
        "" => Ok(String::new()),
        caption => inline::html(caption),
    }
}
