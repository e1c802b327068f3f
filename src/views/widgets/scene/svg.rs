//! A scene as inline SVG, drawn to scale.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Does, Field, Handle, Ink, Scene, Shape, Sign};
use crate::lesson::session::Intent;
use crate::widgets::svg::escape;

/// Number of line styles in the style sheet.
const LINES: usize = 8;

/// Width of an arrow of weight 1, and the smallest width.
const WIDTHS: [f64; 2] = [7.0, 0.8];

/// What a drawing is for its readers, and how large.
pub struct Frame<'a> {
    /// Its classes in the style sheet.
    pub class: &'a str,
    /// `img`, or `group` if parts of it can be asked for.
    pub role: &'a str,
    /// What it shows, for those who don't see it.
    pub about: &'a str,
    /// Pixels of a column and of a row.
    pub cell: [f64; 2],
}

/// Draws a scene.
pub fn svg(scene: &Scene, frame: &Frame<'_>) -> String {
    let [wide, high] = frame.cell;
    let (width, above) = (scene.columns * wide, scene.above * high);
    let height = above + scene.rows * high;
    let mut out = format!(
        "<svg class=\"{}\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 {:.0} {width:.0} {height:.0}\" role=\"{}\" aria-label=\"{}\">",
        frame.class,
        0.0 - above,
        frame.role,
        escape(frame.about)
    );
    let mut pen = Pen {
        cell: frame.cell,
        out: &mut out,
    };
    // What connects goes below what it connects.
    let connects = |shape: &&Shape| matches!(shape, Shape::Arrow { .. } | Shape::Way { .. });
    scene
        .shapes
        .iter()
        .filter(connects)
        .for_each(|shape| pen.draw(shape));
    scene.shapes.iter().for_each(|shape| {
        if !connects(&shape) {
            pen.draw(shape);
        }
    });
    out + "</svg>"
}

/// Place of a field's first point in pixels, and the distance to its last one.
pub fn span(field: Field, [wide, high]: [f64; 2]) -> [f64; 4] {
    let (across, down) = (field.width.max(2) - 1, field.height.max(2) - 1);
    [
        (field.x as f64 + 0.5) * wide,
        (field.y as f64 + 0.5) * high,
        across as f64 * wide,
        down as f64 * high,
    ]
}

/// The class of an ink.
fn name(ink: Ink) -> String {
    let name = match ink {
        Ink::Text => "",
        Ink::Title => "title",
        Ink::Dim => "tick",
        Ink::Here => "here",
        Ink::Attend => "attend",
        Ink::Faint => "faint",
        Ink::Series(number) => return format!("end l{}", number % LINES),
    };
    name.to_owned()
}

/// The same as an attribute.
fn class(ink: Ink) -> String {
    match name(ink) {
        name if name.is_empty() => name,
        name => format!(" class=\"{name}\""),
    }
}

struct Pen<'a> {
    cell: [f64; 2],
    out: &'a mut String,
}

impl Pen<'_> {
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(text);
    }

    /// Straight lines through points.
    fn path(&mut self, class: &str, points: &[[f64; 2]]) {
        let points = points.iter().map(|[x, y]| format!("{x:.1} {y:.1}"));
        let points = points.collect::<Vec<_>>().join("L");
        self.add(format_args!("<path class=\"{class}\" d=\"M{points}\"/>"));
    }

    /// A circle with these attributes.
    fn circle(&mut self, attributes: &str, [x, y]: [f64; 2], radius: f64) {
        self.add(format_args!(
            "<circle{attributes} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
        ));
    }

    /// Middle of a cell.
    fn middle(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x + 0.5) * self.cell[0], (y + 0.5) * self.cell[1]]
    }

    fn draw(&mut self, shape: &Shape) {
        let [wide, high] = self.cell;
        match shape {
            Shape::Text { at, text, ink } => {
                let (x, y) = (at[0] * wide, (at[1] + 0.5) * high + 4.5);
                let class = class(*ink);
                self.add(format_args!(
                    "<text{class} x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                    escape(text)
                ));
            }
            Shape::Lines { field, lines } => {
                let [x, y, width, height] = span(*field, self.cell);
                for (number, points) in lines {
                    let class = number % LINES;
                    let point = |[a, b]: &[f64; 2]| [x + a * width, y + b * height];
                    let points: Vec<[f64; 2]> = points.iter().map(point).collect();
                    match points.as_slice() {
                        [] => {}
                        [at] => self.circle(&format!(" class=\"dot l{class}\""), *at, 4.0),
                        // A line straight up is a mark.
                        [a, b] if a[0] == b[0] => self.path(&format!("mark l{class}"), &points),
                        points => self.path(&format!("line l{class}"), points),
                    }
                }
            }
            Shape::Axes { field, is_closed } => {
                let [x, y, width, height] = span(*field, self.cell);
                let (left, below) = (x - wide, y + height + high / 2.0);
                let mut axes = vec![[left, y - 4.0], [left, below]];
                axes.extend(is_closed.then_some([x + width, below]));
                self.path("axis", &axes);
            }
            Shape::Tick { field, at } => {
                let [x, y, width, height] = span(*field, self.cell);
                let (x, y) = (x + at * width, y + height + high / 2.0);
                self.path("axis", &[[x, y], [x, y + 5.0]]);
            }
            Shape::Level { field, at } => {
                let [x, y, width, height] = span(*field, self.cell);
                let y = y + at * height;
                self.path("grid", &[[x - wide, y], [x + width, y]]);
            }
            Shape::Mark { at, sign, ink } => {
                let [x, y] = self.middle(*at);
                let number = match ink {
                    Ink::Series(number) => *number,
                    _ => 1,
                };
                let class = format!("line l{number}");
                match sign {
                    Sign::Cross => {
                        self.path(&class, &[[x - 4.0, y - 4.0], [x + 4.0, y + 4.0]]);
                        self.path(&class, &[[x - 4.0, y + 4.0], [x + 4.0, y - 4.0]]);
                    }
                    Sign::Ring => {
                        let radius = if *ink == Ink::Here { 6.0 } else { 4.0 };
                        self.circle(&format!(" class=\"dot l{number}\""), [x, y], radius);
                    }
                    Sign::Origin => {
                        self.path("axis", &[[x - 6.0, y], [x + 6.0, y]]);
                        self.path("axis", &[[x, y - 6.0], [x, y + 6.0]]);
                    }
                }
            }
            Shape::Ray { from, to } => self.path("ray", &[self.middle(*from), self.middle(*to)]),
            Shape::Arrow { through, weight } => {
                self.arrow(through, f64::from(weight.abs()).min(1.0))
            }
            Shape::Way { x, rows } => {
                let x = *x as f64 * wide + 4.0;
                let [from, to] = rows.map(|row| (row as f64 + 0.5) * high);
                self.path("way", &[[x, from + 8.0], [x, to - 9.0]]);
            }
            Shape::Cells { at, values, scale } => {
                let (x, top) = (at[0] * wide, (at[1] + 0.5) * high - 6.5);
                for (i, value) in values.iter().enumerate() {
                    let strength = if *scale > 0.0 {
                        value.abs() / scale
                    } else {
                        0.0
                    };
                    self.add(format_args!(
                        "<rect class=\"{}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"13\" fill-opacity=\"{strength:.2}\"/>",
                        if *value < 0.0 { "m" } else { "p" },
                        x + i as f64 * wide,
                        wide - 0.5,
                    ));
                }
            }
            Shape::Label { at, text, ink } => {
                let ([x, y], class) = (self.middle(*at), class(*ink));
                self.add(format_args!(
                    "<text{class} text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                    y + 4.5,
                    escape(text)
                ));
            }
            Shape::Line { from, to, ink } => {
                let points = [self.middle(*from), self.middle(*to)];
                self.path(&name(*ink), &points);
            }
            Shape::Area {
                at,
                size,
                ink,
                share,
            } => {
                let class = class(*ink);
                self.add(format_args!(
                    "<rect{class} x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill-opacity=\"{share:.2}\"/>",
                    at[0] * wide,
                    at[1] * high,
                    size[0] * wide,
                    size[1] * high
                ));
            }
            Shape::Disc {
                at,
                radius,
                ink,
                is_filled,
            } => {
                let fill = if *is_filled { "" } else { " fill=\"none\"" };
                let attributes = format!("{}{fill}", class(*ink));
                self.circle(&attributes, self.middle(*at), radius * high);
            }
            Shape::Ribbon { from, to, share } => {
                let [[x, a, b], [end, c, d]] =
                    [from, to].map(|[x, a, b]| [x * wide, a * high, b * high]);
                let middle = (x + end) / 2.0;
                self.add(format_args!(
                    "<path class=\"ribbon\" fill-opacity=\"{:.2}\" d=\"M{x:.1} {a:.1}C{middle:.1} {a:.1} {middle:.1} {c:.1} {end:.1} {c:.1}V{d:.1}C{middle:.1} {d:.1} {middle:.1} {b:.1} {x:.1} {b:.1}z\"/>",
                    0.25 + 0.6 * share
                ));
            }
            Shape::Group { class, shapes } => {
                self.add(format_args!("<g class=\"{class}\">"));
                self.all(shapes);
            }
            Shape::Slide { by, shapes } => {
                let [x, y] = [by[0] * wide, by[1] * high];
                self.add(format_args!(
                    "<g class=\"slides\" data-by=\"[{x:.0},{y:.0}]\" transform=\"translate({x:.0},{y:.0})\">"
                ));
                self.all(shapes);
            }
            Shape::Moved { handle, shapes } => {
                let Handle { name, says, .. } = handle;
                let [name, says] = [name, says].map(|text| escape(text));
                let button = || format!("button\" aria-label=\"{name}: {says}");
                let role = match &handle.does {
                    Does::Paint { .. } => button(),
                    Does::Stop(stops) if stops.len() == 1 => button(),
                    _ => format!(
                        "slider\" aria-valuenow=\"0\" aria-label=\"{name}\" aria-valuetext=\"{says}"
                    ),
                };
                let does = escape(&self.handle(handle).to_string());
                self.add(format_args!(
                    "<g class=\"moved\" tabindex=\"0\" role=\"{role}\" data-move=\"{does}\">"
                ));
                self.all(shapes);
            }
            Shape::Asked { at, shapes } => {
                self.add(format_args!(
                    "<g class=\"tt-node\" data-at=\"{at}\" tabindex=\"0\" role=\"button\">"
                ));
                self.all(shapes);
            }
            Shape::Number { .. } | Shape::Reading { .. } => {}
        }
    }

    /// The rest of a group.
    fn all(&mut self, shapes: &[Shape]) {
        shapes.iter().for_each(|shape| self.draw(shape));
        *self.out += "</g>";
    }

    /// What a handle does, by pixels.
    fn handle(&self, handle: &Handle) -> Value {
        let [wide, high] = self.cell;
        let per = |all: &[f32], pixels: f64| -> Vec<Value> {
            let short = |x: f64| format!("{x:.4e}").parse::<f64>().unwrap_or(0.0);
            all.iter()
                .map(|x| json!(short(f64::from(*x) / pixels)))
                .collect()
        };
        let round = |[x, y]: [f64; 2]| [x.round(), y.round()];
        let place = |at: &[f64; 2]| round(self.middle(*at));
        match &handle.does {
            Does::Set {
                of,
                cells,
                here,
                across,
                down,
                within,
            } => json!({
                "of": of, "cells": cells, "here": per(here, 1.0), "across": per(across, wide), "down": per(down, high),
                "at": place(&handle.at), "within": [place(&within[0]), place(&within[1])],
            }),
            Does::Stop(stops) => {
                let stop = |(at, intent): &([f64; 2], Intent)| json!([place(at), intent]);
                json!({ "stops": stops.iter().map(stop).collect::<Vec<_>>(), "at": place(&handle.at) })
            }
            Does::Paint { cell, value } => json!({ "paint": [cell, value] }),
        }
    }

    fn arrow(&mut self, through: &[(usize, usize)], weight: f64) {
        let [wide, high] = self.cell;
        let (Some(from), Some(to)) = (through.first(), through.last()) else {
            return;
        };
        let (x, end) = (from.0 as f64 * wide, (to.0 + 1) as f64 * wide);
        let [y, target] = [from, to].map(|place| (place.1 as f64 + 0.5) * high);
        let stroke = (WIDTHS[0] * weight).max(WIDTHS[1]);
        let tip = 4.0 + stroke / 2.0;
        let (middle, line) = ((x + end) / 2.0, end - tip);
        self.add(format_args!(
            "<g opacity=\"{:.2}\"><path stroke-width=\"{stroke:.1}\" d=\"M{x:.1} {y:.1}C{middle:.1} {y:.1} {middle:.1} {target:.1} {line:.1} {target:.1}\"/><path class=\"tip\" d=\"M{end:.1} {target:.1}l-{tip:.1} -{tip:.1}v{:.1}z\"/></g>",
            0.35 + 0.65 * weight,
            2.0 * tip
        ));
    }
}
