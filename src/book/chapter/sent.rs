//! The figures that a callout or a paragraph sends its reader to: another tensor, other settings, or the mistakes and knobs
//! that it names where the page has no figure of its own.

use std::collections::BTreeMap;

use super::Writer;
use crate::book::knobs::{self, Turned};
use crate::book::mistakes::named_mistakes;
use crate::book::{commands, controls};
use crate::lesson::page::StageBlock;

/// Words that send a reader to a tensor or a picture.
const SENDING: [&str; 8] = [
    "`:look ",
    "he picture `",
    "tep to ",
    "tep on to ",
    "o to the ",
    "ook at ",
    "cell of ",
    "press `v` until",
];

/// Words before the name of a tensor or picture that is a knob's too.
const NAMING: [&str; 5] = ["ook at ", "icture ", "tep to ", "tensor ", "o to "];

/// A tensor or a picture that a text names, and the place in it: `plane[4,0]`.
#[derive(Clone, PartialEq)]
pub(super) struct Look {
    pub(super) name: String,
    at: Vec<usize>,
}

/// What a figure shows beside its block.
#[derive(Default)]
pub(super) struct Shown<'a> {
    /// The tensor or picture in place of the block's.
    pub(super) show: Option<&'a str>,
    pub(super) mistakes: &'a [usize],
    pub(super) knobs: &'a [Turned],
    /// Columns that the text names.
    pub(super) columns: &'a [usize],
    /// Whether the text speaks of the cursor's cell.
    pub(super) points: bool,
    /// Whether the figure before shows the same, and only controls could be new.
    pub(super) repeats: bool,
}

/// What a few sentences ask for at once; the next settings, or the next place to look at, begin another.
#[derive(Clone, Default)]
pub(super) struct Asked {
    set: BTreeMap<String, String>,
    mistakes: Vec<usize>,
    turned: Vec<Turned>,
    look: Option<Look>,
    /// Whether the sentence that names the place sends its reader there.
    sent: bool,
    /// The sentences.
    text: String,
}

impl Asked {
    fn is_empty(&self) -> bool {
        self.set.is_empty() && self.mistakes.is_empty() && self.look.is_none()
    }

    /// Whether it changes a setting.
    pub(super) fn sets(&self) -> bool {
        !self.set.is_empty()
    }
}

fn sends(text: &str) -> bool {
    SENDING.iter().any(|words| text.contains(words))
}

/// The numbers of the channels and columns that a text names: `channels 128 to 191`.
pub(super) fn named_columns(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut within = false;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        match bare.parse() {
            Ok(number) if within => found.push(number),
            _ => {
                let names = matches!(bare, "channel" | "channels" | "column" | "columns");
                within = names || within && matches!(bare, "to" | "and" | "or");
            }
        }
        within &= !word.ends_with(['.', ':', ';', '?']);
    }
    found
}

/// The number of the sentence that a text sends its reader to.
fn named_sentence(text: &str) -> Option<usize> {
    let named = ["first sentence", "second sentence", "third sentence"];
    let places = (0..named.len()).filter_map(|number| {
        let counted = ["look at", "of", "in"].map(|word| format!("{word} sentence {number}"));
        let found = counted.iter().filter_map(|words| text.find(words.as_str()));
        found
            .chain(text.find(named[number]))
            .min()
            .map(|at| (at, number))
    });
    places.min().map(|(_, number)| number)
}

/// The first head that a text names by its number.
fn named_head(text: &str) -> Option<usize> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let words: Vec<String> = text.split_whitespace().map(bare).collect();
    let named = words.windows(2).filter(|pair| pair[0] == "head");
    named.filter_map(|pair| pair[1].parse().ok()).next()
}

impl Writer {
    /// Draws what the lines send their reader to.
    pub(super) fn sent(&mut self, lines: &[&str], has_stage: bool) {
        let Some(block) = self.shown.clone() else {
            return;
        };
        let whole = lines.join(" ");
        for asked in self.asked(&whole) {
            let mut at = block.clone();
            at.set.extend(asked.set.clone());
            let set = at.set != block.set;
            let looks = asked.look.is_some() && sends(&whole);
            let asks = !asked.mistakes.is_empty() || !asked.turned.is_empty() || set || looks;
            if !asks || (has_stage && asked.look.is_none() && !set) {
                continue;
            }
            let look = asked.look.as_ref();
            let show = look.map(|look| look.name.clone()).or(block.show.clone());
            if let Some(place) = look.map(|look| &look.at).filter(|at| !at.is_empty()) {
                at.at.clone_from(place);
                at.show.clone_from(&show);
            } else if let Some(tensor) = show.as_deref()
                && let Some(place) = self.place(&asked.text, tensor)
            {
                at.at = place;
                at.show.clone_from(&show);
            } else if look.is_some() && asked.set.contains_key("scene") {
                // The other scene may have nothing of what the block shows.
                at.at.clear();
                at.show.clone_from(&show);
            }
            let same = at.set == block.set && at.at == block.at && show == block.show;
            let columns = named_columns(&asked.text);
            let placed = look.is_some_and(|look| !look.at.is_empty());
            let shown = Shown {
                show: show.as_deref(),
                mistakes: &asked.mistakes,
                knobs: &asked.turned,
                columns: &columns,
                points: asked.text.contains("cursor") || placed || same && !block.at.is_empty(),
                repeats: same && columns.is_empty() && (has_stage || look.is_none()),
            };
            // A run that refuses its settings, or has no such tensor, is a sentence of the text, not a figure.
            let _ = self.figure(&at, &shown);
        }
    }

    /// Which sentence of the batch and which head a text speaks of first, where the tensor has several.
    fn place(&self, text: &str, tensor: &str) -> Option<Vec<usize>> {
        let trace = self.session.trace();
        let step = &trace.steps()[trace.find(tensor)?];
        let (axes, shape) = (&step.axes, step.value.shape());
        if *axes.first()? != "b" {
            return None;
        }
        let sentence = named_sentence(text).filter(|number| *number < shape[0]);
        let head = named_head(text).filter(|head| axes.get(1) == Some(&"h") && *head < shape[1]);
        match (sentence, head) {
            (None, None) => None,
            (sentence, None) => sentence.map(|sentence| vec![sentence]),
            (sentence, Some(head)) => Some(vec![sentence.unwrap_or(0), head]),
        }
    }

    /// The tensors and pictures that a text names, in their order. A knob's name is one only where the words say so.
    pub(super) fn looks(&self, text: &str) -> Vec<Look> {
        self.looks_of(text, |name| self.session.named(name).is_some())
    }

    /// The same, of all that `known` says to be a name.
    fn looks_of(&self, text: &str, known: impl Fn(&str) -> bool) -> Vec<Look> {
        let mut found = Vec::new();
        let mut before = "";
        let mut last = "";
        for (at, part) in text.split('`').enumerate() {
            if at % 2 == 0 {
                before = part;
                continue;
            }
            let of_knob = self.lesson().knobs.iter().any(|knob| knob.name == last);
            last = part;
            // "Set `example` to `one`" names a value.
            if of_knob && before == " to " {
                continue;
            }
            let word = part.strip_prefix(":look ").unwrap_or(part);
            // What is told to be looked at may be there only at the settings that come with it.
            let look = placed(word).filter(|look| part != word || known(&look.name));
            let knob = self.lesson().knobs.iter().any(|knob| knob.name == word);
            let named = part != word || !knob || NAMING.iter().any(|words| before.ends_with(words));
            found.extend(look.filter(|_| named));
        }
        found
    }

    /// What a text asks for, one thing after the other.
    pub(super) fn asked(&self, text: &str) -> Vec<Asked> {
        let lesson = self.lesson();
        let breaks = !named_mistakes(text, lesson.mistakes.len()).is_empty();
        let mut all = Vec::new();
        let mut now = Asked::default();
        for sentence in controls::sentences(text) {
            let turned = knobs::named(&commands::said(sentence), lesson.knobs);
            let typed = commands::settings(sentence).into_iter();
            let known = typed.filter(|(name, _)| lesson.knobs.iter().any(|k| k.name == *name));
            let mut set: BTreeMap<String, String> =
                known.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
            // What is to be broken at a setting of a knob is broken there.
            for turned in turned.iter().filter(|_| breaks) {
                if let Some(value) = turned.values.last() {
                    set.insert(turned.knob.name.to_owned(), value.clone());
                }
            }
            if !set.is_empty() && !now.is_empty() {
                all.push(now.clone());
                now.mistakes.clear();
                now.turned.clear();
                now.text.clear();
            }
            let others = turned
                .into_iter()
                .filter(|t| !set.contains_key(t.knob.name));
            now.turned.extend(others);
            now.set.extend(set);
            let mistakes = named_mistakes(sentence, lesson.mistakes.len());
            // Other settings may run what other figures had.
            let set = now.set.contains_key("scene");
            let looks = self.looks_of(sentence, |name| {
                self.session.named(name).is_some() || set && self.known.contains(name)
            });
            for (nth, look) in looks.into_iter().enumerate() {
                let another = now.look.as_ref().is_some_and(|before| *before != look);
                match (sends(sentence), now.sent && another) {
                    (true, true) if nth == 0 => {
                        // What was switched on or turned holds on the way, unless this sentence says another.
                        all.push(now.clone());
                        now.text.clear();
                        if !mistakes.is_empty() {
                            now.mistakes.clear();
                        }
                        now.look = Some(look);
                    }
                    (true, false) if nth == 0 => {
                        now.look = Some(look);
                        now.sent = true;
                    }
                    (false, _) if nth == 0 && !now.sent => now.look = Some(look),
                    _ => {}
                }
            }
            now.mistakes.extend(mistakes);
            now.text.push_str(sentence);
        }
        all.push(now);
        // Who named a mistake before wants to see it at the next settings too.
        for at in 1..all.len() {
            if all[at].mistakes.is_empty() {
                all[at].mistakes = all[at - 1].mistakes.clone();
            }
        }
        for asked in &mut all {
            asked.mistakes.sort_unstable();
            asked.mistakes.dedup();
        }
        all
    }

    /// What a figure shows that stands below a callout: there no block has a caption for it.
    pub(super) fn caption(&self, block: &StageBlock, shown: &Shown<'_>) -> Option<String> {
        shown.show?;
        let before = self.shown.as_ref().map(|shown| &shown.set);
        let set = block
            .set
            .iter()
            .filter(|(knob, value)| before.and_then(|set| set.get(*knob)) != Some(*value));
        // A sentence of its own has a full stop of its own.
        let set: Vec<String> = set
            .map(|(knob, value)| {
                let word = value.parse::<f64>().is_ok() || value.chars().all(char::is_alphanumeric);
                match word {
                    true => format!("`{knob}` at {value}"),
                    false => format!("`{knob}` at “{value}”"),
                }
            })
            .collect();
        let mut said = match set.is_empty() {
            true => String::new(),
            false => {
                let set = set.join(" and ");
                let stop = if set.ends_with(".”") { "" } else { "." };
                format!("The run with {set}{stop} ")
            }
        };
        // They are true with a mistake switched on, too.
        said += match shown.mistakes.len() {
            0 => "",
            1 => "One mistake can be switched on.",
            _ => "Mistakes can be switched on, one at a time.",
        };
        // Where nothing is left to say, the text above it is the caption.
        Some(said.trim().to_owned())
    }
}

/// The name and the place of `plane[4,0]`; a name alone has no place. `None` where the brackets hold no numbers.
fn placed(word: &str) -> Option<Look> {
    let Some((name, rest)) = word.split_once('[') else {
        return Some(Look {
            name: word.to_owned(),
            at: Vec::new(),
        });
    };
    let places = rest.strip_suffix(']')?.split(',');
    let at: Option<Vec<usize>> = places.map(|place| place.trim().parse().ok()).collect();
    Some(Look {
        name: name.to_owned(),
        at: at?,
    })
    .filter(|look| !look.name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_columns_and_places() {
        assert_eq!(
            named_columns("channel 395 is on, channel 29 is off."),
            [395, 29]
        );
        assert_eq!(named_columns("Move right to column 29 or 395."), [29, 395]);
        assert_eq!(named_columns("channels 128 to 191 hold zeros"), [128, 191]);
        assert_eq!(
            named_columns("512 channels. 3 rows of columns"),
            [] as [usize; 0]
        );
        assert_eq!(named_head("Most heads: in head 0, then head 1."), Some(0));
        assert_eq!(named_head("One head of two, ahead 3 of it"), None);
        assert_eq!(named_sentence("in the second sentence"), Some(1));
        assert_eq!(
            named_sentence("a pad of sentence 2, not in sentence 0"),
            Some(2)
        );
        assert_eq!(named_sentence("a sentence of 1 token"), None);
        let look = placed("plane[4,0]").unwrap();
        assert_eq!((look.name.as_str(), look.at), ("plane", vec![4, 0]));
        assert!(placed("[batch, 3]").is_none() && placed("weights[0,:]").is_none());
    }
}
