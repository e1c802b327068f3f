//! The pictures that a lesson declares, drawn from the facts of a run.

use super::claim::RunEnv;
use super::declared::{Case, Declared, Row, Text};
use super::facts::Fact;
use super::{Bar, Body, Lesson, Picture, Run, Series, Settings, Stage, trained};
use crate::expr::{self, Env, Select};
use crate::typeset::number::{fixed, grouped, short};

impl Lesson {
    /// Its stage: its own with the pictures that its `lesson.toml` declares, and the trained model's scene if the lesson
    /// has one.
    pub fn stage(&self) -> Box<dyn Stage> {
        let own: Box<dyn Stage> = Box::new(Drawn {
            own: (self.own_stage)(),
            pictures: self.pictures,
        });
        if self.trained {
            trained::beside(own, self.mistakes)
        } else {
            own
        }
    }
}

struct Drawn {
    own: Box<dyn Stage>,
    pictures: &'static [Declared],
}

impl Stage for Drawn {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let mut run = self.own.run(settings)?;
        let mut made = std::mem::take(&mut run.pictures);
        let live = RunEnv {
            stage: self.own.as_ref(),
            run: &run,
            settings,
        };
        let mut pictures = Vec::new();
        for declared in self.pictures {
            let place = made
                .iter()
                .position(|picture| picture.name == declared.name);
            let own = place.map(|place| made.remove(place));
            let drawn = declared.picture(own, &live);
            pictures.extend(drawn.map_err(|e| format!("picture {}: {e}", declared.name))?);
        }
        pictures.extend(made);
        run.pictures = pictures;
        Ok(run)
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        self.own.fact(name, run, settings)
    }

    fn exclude(&self, one: &str, other: &str) -> bool {
        self.own.exclude(one, other)
    }
}

impl Declared {
    /// The picture in a run; `own` is what the stage drew under its name. `None` if this run has no such picture.
    fn picture(
        &'static self,
        own: Option<Picture>,
        live: &RunEnv<'_>,
    ) -> Result<Option<Picture>, String> {
        let shown = (self.condition.as_ref()).is_none_or(|c| live.holds(c).unwrap_or(false));
        let place = Place { live, at: None };
        if !shown {
            return Ok(None);
        }
        let mut picture = match (own, self.body(&place)?) {
            (Some(own), _) => own,
            (None, Some(body)) => Picture::drawn(&self.name, body),
            (None, None) => return Ok(None),
        };
        if let Some(title) = &self.title {
            picture.title = title.filled(&place)?;
        }
        if let Some(says) = &self.says {
            picture.says = says.filled(&place)?;
        }
        if let (Some(about), Body::Job(job)) = (&self.about, &mut picture.body) {
            job.about = about.filled(&place)?;
        }
        if let Some(knob) = &self.turned_by {
            picture.turned_by = Some(knob);
        }
        Ok(Some(picture))
    }

    fn body(&self, place: &Place<'_>) -> Result<Option<Body>, String> {
        let mut rows = Vec::new();
        for row in &self.rows {
            rows.extend(row.places(place)?.into_iter().map(|at| (at, row.cells())));
        }
        let each = rows.iter().map(|(at, cells)| (at, &cells[..]));
        let body = match (&self.table, &self.bars, &self.curves) {
            (Some(header), ..) => {
                let row = |(at, cells): (&Place<'_>, &[String])| {
                    cells.iter().map(|cell| at.filled(cell)).collect()
                };
                let rows: Result<_, String> = each.map(row).collect();
                let header = header.iter().map(|title| place.filled(title));
                Body::Table {
                    header: header.collect::<Result<_, _>>()?,
                    rows: rows?,
                }
            }
            (_, Some(unit), _) => {
                let bar = |(at, cells): (&Place<'_>, &[String])| match cells {
                    [label, value, note] => {
                        let value = expr::number(value, at).map_err(|e| format!("{value}: {e}"));
                        Ok(Bar::new(at.filled(label)?, value?, at.filled(note)?))
                    }
                    _ => Err("a bar has a label, an expression and a note".to_owned()),
                };
                Body::bars(unit, each.map(bar).collect::<Result<Vec<_>, String>>()?)
            }
            (.., Some([x, y])) => {
                let line = |(at, cells): (&Place<'_>, &[String])| match cells {
                    [name, xs, ys] => {
                        let list = |of| expr::evaluate(of, at).map_err(|e| format!("{of}: {e}"));
                        let points = list(xs)?.into_iter().zip(list(ys)?);
                        Ok(Series::new(at.filled(name)?, points))
                    }
                    _ => Err("a line has a name and two expressions".to_owned()),
                };
                let lines = each.map(line).collect::<Result<Vec<_>, String>>()?;
                Body::curves(x, y, lines)
            }
            _ => return Ok(None),
        };
        let body = if self.log { body.by_logarithm() } else { body };
        Ok(Some(if self.apart { body.in_panels() } else { body }))
    }
}

impl Text {
    fn filled(&self, place: &Place<'_>) -> Result<String, String> {
        match self {
            Self::One(text) => place.filled(text),
            Self::Cases(cases) => match cases.iter().find(|case| case.applies(place)) {
                Some(case) => place.filled(&case.text),
                None => Ok(String::new()),
            },
        }
    }
}

impl Case {
    fn applies(&self, place: &Place<'_>) -> bool {
        let settings = place.live.settings;
        let set = |(knob, value): (&String, &String)| match &knob[..] {
            "break" => settings.broken(value),
            knob => settings.text(knob) == value,
        };
        let condition = self.condition.as_ref();
        self.with.iter().all(set) && condition.is_none_or(|c| place.holds(c))
    }
}

impl Row {
    fn cells(&self) -> &[String] {
        match self {
            Self::Cells(cells) | Self::Each { cells, .. } => cells,
        }
    }

    /// The entries of its list for which its condition holds.
    fn places<'a>(&self, place: &Place<'a>) -> Result<Vec<Place<'a>>, String> {
        let Self::Each {
            each, condition, ..
        } = self
        else {
            return Ok(vec![*place]);
        };
        let live = place.live;
        let all = match each {
            None => vec![*place],
            Some(list) => {
                let count = match live.run.facts.get(list) {
                    Some(Fact::Words(words)) => words.len(),
                    _ => live.get(list, None)?.len(),
                };
                let at = |nth| Some((nth, count));
                (0..count).map(|nth| Place { live, at: at(nth) }).collect()
            }
        };
        let holds = |place: &Place<'_>| condition.as_ref().is_none_or(|c| place.holds(c));
        Ok(all.into_iter().filter(holds).collect())
    }
}

/// A run, and within a row of a list which entry it is, of how many.
#[derive(Clone, Copy)]
struct Place<'a> {
    live: &'a RunEnv<'a>,
    at: Option<(usize, usize)>,
}

impl Place<'_> {
    fn holds(&self, condition: &str) -> bool {
        expr::evaluate(condition, self).is_ok_and(|all| all.iter().all(|x| *x != 0.0))
    }

    /// The text with every expression in braces replaced by its value.
    fn filled(&self, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, inside)) = rest.split_once('{') {
            let (inside, after) = inside
                .split_once('}')
                .ok_or_else(|| format!("a brace is not closed in {text}"))?;
            out += before;
            out += &self.written(inside)?;
            rest = after;
        }
        Ok(out + rest)
    }

    fn written(&self, inside: &str) -> Result<String, String> {
        if let Some(words) = self.live.run.facts.words(inside) {
            return Ok(match self.at {
                Some((nth, count)) if count == words.len() => words[nth].clone(),
                _ => words.join(" "),
            });
        }
        if let Some((_, value)) = (self.live.settings.iter()).find(|(knob, _)| *knob == inside) {
            return Ok(value.to_owned());
        }
        let (expression, form) = match inside.rsplit_once(':') {
            Some((expression, form)) if !form.contains(']') => (expression, form),
            _ => (inside, ""),
        };
        let values = expr::evaluate(expression, self).map_err(|e| format!("{expression}: {e}"))?;
        let between = if form == "×" { "×" } else { " " };
        let values: Option<Vec<_>> = values.into_iter().map(|x| number(x, form)).collect();
        let values = values.ok_or_else(|| format!("no number is written as '{form}'"))?;
        Ok(values.join(between))
    }
}

/// `x` as `form` says.
fn number(x: f64, form: &str) -> Option<String> {
    let digits = |form: &str| form.parse::<usize>().ok();
    Some(match form {
        // An f32 has no more digits than it had as such.
        "" | "×" if f64::from(x as f32) == x => (x as f32).to_string(),
        "" | "×" => x.to_string(),
        "," => grouped(x as u64),
        "r" if (0.01..1000.0).contains(&x) => format!("{x:.2}"),
        "r" => format!("{x:.1e}"),
        "bit" if x == 0.0 => "0 to the last bit".to_owned(),
        "bit" => format!("{x:.3}"),
        _ => match (form.strip_prefix('.'), form.split_at_checked(1)?) {
            (Some(rest), _) => {
                if let Some(n) = rest.strip_suffix('%').and_then(digits) {
                    format!("{:.n$} %", x * 100.0)
                } else if let Some(n) = rest.strip_suffix('e').and_then(digits) {
                    format!("{x:.n$e}")
                } else {
                    format!("{x:.*}", digits(rest)?)
                }
            }
            (None, ("+", n)) => format!("{x:+.*}", digits(n)?),
            (None, ("f", n)) => fixed(x as f32, digits(n)?),
            (None, ("s", n)) => short(x as f32, digits(n)?),
            (None, ("z", n)) => {
                let text = format!("{x:.*}", digits(n)?);
                text.strip_prefix('0').map_or(text.clone(), str::to_owned)
            }
            _ => return None,
        },
    })
}

impl Env for Place<'_> {
    fn get(&self, name: &str, select: Option<&[Select]>) -> Result<Vec<f64>, String> {
        if let ("nth", Some((nth, _))) = (name, self.at) {
            return Ok(vec![nth as f64 + 1.0]);
        }
        let all = self.live.get(name, select)?;
        Ok(match (self.at, select) {
            (Some((nth, count)), None) if all.len() == count => vec![all[nth]],
            _ => all,
        })
    }

    fn shape(&self, name: &str) -> Result<Vec<usize>, String> {
        self.live.shape(name)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::lesson::facts::Facts;

    struct Fixed;

    impl Stage for Fixed {
        fn run(&self, _: &Settings) -> Result<Run, String> {
            let facts = Facts::default()
                .with("word", Fact::words(["der", "Hund"]))
                .with("rms", Fact::numbers([0.125, 20.0]))
                .with("all", 12_345_usize);
            let drawn = Picture::new("own", "", "", Body::table(&[], Vec::new()));
            Ok(Run {
                facts,
                pictures: vec![drawn],
                ..Run::default()
            })
        }
    }

    fn run(toml: &str) -> Result<Run, String> {
        #[derive(Deserialize)]
        struct Words {
            picture: Vec<Declared>,
        }
        let words: Words = toml::from_str(toml).unwrap();
        let drawn = Drawn {
            own: Box::new(Fixed),
            pictures: words.picture.leak(),
        };
        drawn.run(&Settings::defaults(&[]))
    }

    #[test]
    fn an_error_names_the_picture_and_the_expression() {
        let made = run("[[picture]]\nname = 'sizes'\nsays = '{unknown}'\ntable = []\n");
        let wrong = made.err().unwrap();
        assert!(wrong.starts_with("picture sizes: unknown: "), "{wrong}");
    }

    #[test]
    fn a_row_of_a_list_takes_one_entry_of_each_and_single_numbers_as_they_are() {
        let made = run(
            "[[picture]]\nname = 'sizes'\ntitle = '{count(rms)} of {word}'\nsays = '{all:,} {max(rms):.1e} {rms[0]:.2%}'\n\
             table = ['', 'RMS']\nrows = [['all', '{all}'], { each = 'word', if = 'rms > 1', cells = ['{nth} {word}', '{rms / 2:.2}'] }]\n\
             [[picture]]\nname = 'own'\nsays = [{ if = 'all < 5', text = 'few' }, { text = 'many' }]\n",
        );
        let [sizes, own] = &made.unwrap().pictures[..] else {
            panic!("two pictures");
        };
        assert_eq!(
            (sizes.title.as_str(), own.says.as_str()),
            ("2 of der Hund", "many")
        );
        assert_eq!(sizes.says, "12,345 2.0e1 12.50 %");
        let Body::Table { rows, .. } = &sizes.body else {
            panic!("a table");
        };
        assert_eq!(rows[..], [["all", "12345"], ["2 Hund", "10.00"]]);
    }

    #[test]
    fn bars_and_curves_are_of_named_numbers() {
        let made = run(
            "[[picture]]\nname = 'b'\nbars = 'RMS'\nlog = true\nrows = [{ each = 'word', cells = ['{word}', 'rms', '{rms:bit}'] }]\n\
             [[picture]]\nname = 'c'\nif = 'all > 5'\ncurves = ['x', 'y']\nrows = [['one', 'rms', '2 * rms']]\n\
             [[picture]]\nname = 'hidden'\nif = 'nothing > 5'\ncurves = ['x', 'y']\n",
        );
        let [bars, curves, _] = &made.unwrap().pictures[..] else {
            panic!("two and the stage's own");
        };
        let Body::Bars {
            bars, log: true, ..
        } = &bars.body
        else {
            panic!("bars");
        };
        assert_eq!(bars[1], Bar::new("Hund", 20.0, "20.000"));
        let Body::Curves { series, .. } = &curves.body else {
            panic!("curves");
        };
        assert_eq!(series[0], Series::new("one", [(0.125, 0.25), (20.0, 40.0)]));
    }
}
