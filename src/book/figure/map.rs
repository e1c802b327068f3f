//! The map of a model: a box for each part, in the places of the paper's figure, that leads to its lesson.

use crate::curriculum::LESSONS;
use crate::lesson::picture::Map;
use crate::widgets::svg::escape;

/// The boxes, from the model's output at the top to its input below.
pub fn html(map: &Map) -> String {
    let mut out = "<div class=\"tt-scroll\"><table class=\"tt-map\"><tbody>".to_owned();
    for row in &map.rows {
        out += "<tr>";
        for place in row {
            let Some(place) = place else {
                out += "<td></td>";
                continue;
            };
            let lesson = LESSONS.iter().find(|lesson| lesson.number == place.lesson);
            let title = escape(&place.title);
            let named = match lesson {
                Some(lesson) => format!(
                    "<a href=\"{}.html\">{:02} {title}</a>",
                    lesson.folder, lesson.number
                ),
                None => title,
            };
            let note = match place.note.is_empty() {
                true => String::new(),
                false => format!(" <span class=\"tt-shape\">{}</span>", escape(&place.note)),
            };
            out += &format!("<td class=\"tt-box\">{named}{note}</td>");
        }
        out += "</tr>";
    }
    out + "</tbody></table></div>"
}
