//! `show LESSON`: runs a lesson's component and shows it, without the walkthrough.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde::Serialize;
use serde_json::json;

use super::json as write_json;
use super::limit::{count, usage};
use super::product::{Force, Product};
use crate::command;
use crate::curriculum;
use crate::data::output::Replace;
use crate::lesson::environment;
use crate::lesson::progress::Progress;
use crate::lesson::session::gradient_check::{GradientCheck, Row};
use crate::lesson::session::{GradientOf, Intent, Session, parse_cell};
use crate::lesson::{Body, Lesson};
use crate::tui::app::App;
use crate::tui::recording::Recording;
use crate::tui::view;
use crate::widgets::stage;
use crate::widgets::svg::{is_as_drawn, moving, signed, svg};
use crate::widgets::theme::Theme;

pub const EXAMPLES: &str = "Examples:
  transformer-tutor show attention
  transformer-tutor show attention --set heads=4 --view weights
  transformer-tutor show attention --break no-scale --json
  transformer-tutor show attention --json --tensor weights
  transformer-tutor show attention --json --cell 'weights[0,2,4,7]'
  transformer-tutor show gradients --differences 'bias[0]'
  transformer-tutor show attention --press 'space space enter' --svg stage.svg";

#[derive(Args)]
pub struct Options {
    /// The lesson
    lesson: String,
    /// Sets a knob; may be given again
    #[arg(long, value_name = "KNOB=VALUE")]
    set: Vec<String>,
    /// Switches a mistake on; may be given again
    #[arg(long = "break", value_name = "MISTAKE")]
    mistakes: Vec<String>,
    /// Changes a cell and runs everything after it again; may be given again
    #[arg(long, value_name = "NAME[I,J,…]=VALUE")]
    poke: Vec<String>,
    /// Shows in place of every tensor the gradient of this cell
    #[arg(long, value_name = "NAME[I,J,…]")]
    backward: Option<String>,
    /// Shows this tensor or picture
    #[arg(long, value_name = "NAME")]
    view: Option<String>,
    /// Then presses these keys, separated by spaces: 'space space right enter'
    #[arg(long, value_name = "KEYS")]
    press: Option<String>,
    /// In sentences and tables (the default)
    #[arg(long, conflicts_with_all = ["json", "svg"])]
    plain: bool,
    /// As JSON: {lesson, knobs, steps: [{name, op, shape, axes, inputs}]}
    #[arg(long)]
    json: bool,
    /// Draws the stage into an SVG file, - for stdout; replaces a picture that this command drew there
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// With --svg: the whole screen of the walkthrough, at this page of the lesson
    #[arg(long, value_name = "PAGE", requires = "svg", value_parser = count!(1, 1000))]
    screen: Option<usize>,
    /// With --screen: a picture that moves, in a light and a dark form: frame by frame while the keys of --press are pressed
    /// one after another. There 2.5s looks for so long, and page4 goes to a page
    #[arg(long, requires = "screen", conflicts_with_all = ["ascii", "set", "mistakes", "poke", "backward", "view"])]
    moving: bool,
    /// The size of the drawing, in characters
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "100x32", value_parser = size)]
    size: (u16, u16),
    #[command(flatten)]
    colours: Colours,
    /// One tensor: with --json its shape and all its values, row by row
    #[arg(long, value_name = "NAME")]
    tensor: Option<String>,
    /// One cell: with --json {value, formula, terms: [{tensor, index, value, role}]}. Each role in the
    /// formula stands for the values of all terms with that role, in order; evaluating it gives the
    /// value
    #[arg(long, value_name = "NAME[I,J,…]", conflicts_with = "tensor")]
    cell: Option<String>,
    /// One cell's slope by finite differences beside the tape's; of the loss, or of the cell of --backward.
    /// With --json {cell, value, of, of_value, tape, steps: [{step, slope, relative, down, up, kinks}], best, says}
    #[arg(long, value_name = "NAME[I,J,…]", conflicts_with_all = ["tensor", "cell"])]
    differences: Option<String>,
}

/// Parses the size of a drawing, such as `100x32`.
pub(super) fn size(text: &str) -> Result<(u16, u16), String> {
    let parsed = text
        .split_once('x')
        .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match parsed {
        Some((w @ 20..=400, h @ 8..=200)) => Ok((w, h)),
        _ => Err("write it as 100x32: 20 to 400 wide, 8 to 200 high".to_owned()),
    }
}

/// Runs the command.
pub fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let lesson = curriculum::find(&options.lesson).map_err(usage)?;
    // Refuse an unknown theme even if nothing is drawn.
    options.colours.theme()?;
    let mut session = Session::new(lesson);
    // A moving picture presses the keys itself, on the screen.
    if !options.moving {
        configure(&mut session, options).map_err(usage)?;
    }
    if let Some(cell) = &options.cell {
        return one_cell(&mut session, cell, options.json, out);
    }
    if let Some(cell) = &options.differences {
        go_to(&mut session, cell).map_err(usage)?;
        let check = session.gradient_check().map_err(usage)?;
        if options.json {
            return write_json(out, &gradient_check_json(&check));
        }
        writeln!(out, "{}", stage::describe_gradient_check(&check))?;
        return Ok(());
    }
    if let Some(name) = &options.tensor {
        session.show(name).map_err(usage)?;
        return one_tensor(&session, options.json, out);
    }
    if let Some(file) = &options.svg {
        let replace = if options.force.force {
            Replace::Files
        } else {
            Replace::Own(&is_as_drawn)
        };
        let product = Product::new(file, &[], replace)?;
        let picture = draw_svg(lesson, &mut session, options)?;
        return product.write(&signed(&picture), out);
    }
    if options.json {
        return write_json(out, &listing(&session));
    }
    write!(out, "{}", stage::describe(&session))?;
    if let Some((body, says)) = finished(&session) {
        writeln!(
            out,
            "{}",
            stage::describe_body(&body, &says, stage::PictureView::default())
        )?;
    }
    if session.asks_why() {
        writeln!(out, "\n{}", stage::describe_why(&session))?;
    }
    Ok(())
}

/// Options for the look of a drawing in a file.
#[derive(Args)]
pub(super) struct Colours {
    /// The colours of pictures; auto is light
    #[arg(
        long,
        default_value = "auto",
        value_name = "NAME",
        env = environment::THEME
    )]
    theme: String,
    /// Draws pictures with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

impl Colours {
    /// Returns the theme of that name; `auto` is the light one.
    pub(super) fn theme(&self) -> anyhow::Result<Theme> {
        let theme = match &self.theme[..] {
            "auto" => Some(Theme::true_light()),
            name => Theme::by_name(name),
        };
        let theme = theme.ok_or_else(|| usage(Theme::unknown(&self.theme)))?;
        Ok(if self.ascii { theme.in_ascii() } else { theme })
    }
}

/// Draws the stage as an SVG document, or the whole screen with `--screen`.
fn draw_svg(
    lesson: &'static Lesson,
    session: &mut Session,
    options: &Options,
) -> anyhow::Result<String> {
    let (width, height) = options.size;
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    let theme = options.colours.theme()?;
    if let (Some(page), true) = (options.screen, options.moving) {
        return film(lesson, page, options);
    }
    if let Some(page) = options.screen {
        let mut app = App::new(Some(lesson), theme.clone(), Progress::default(), None);
        app.display.size = options.size;
        app.turn_to(page.saturating_sub(1));
        if let (Some(open), Some(keys)) = (&mut app.open_lesson, &options.press) {
            command::press(&mut open.walk.session, keys).map_err(usage)?;
        }
        // Syntax highlighting loads in the background; a drawing has to wait for it.
        crate::widgets::code::warm_up();
        view::draw(&app, area, &mut buf);
    } else if let Some((body, says)) = finished(session) {
        let title = session.picture().map_or("", |p| &p.title);
        let shown = stage::PictureView::default();
        stage::draw_body(&body, &says, title, shown, area, &mut buf, &theme);
    } else {
        stage::draw(session, area, &mut buf, &theme, &stage::Detail::All);
    }
    theme.finish(&mut buf);
    let description = stage::describe(session);
    Ok(svg(&buf, lesson.title, &description, theme.is_dark()))
}

/// Draws the whole screen as a moving picture.
fn film(lesson: &'static Lesson, page: usize, options: &Options) -> anyhow::Result<String> {
    let mut app = App::new(Some(lesson), Theme::true_light(), Progress::default(), None);
    app.display.size = options.size;
    app.turn_to(page.saturating_sub(1));
    crate::widgets::code::warm_up();
    let mut recording = Recording::begin(app);
    recording
        .press(options.press.as_deref().unwrap_or_default())
        .map_err(usage)?;
    let frames = recording.frames();
    // A viewer that shows only one frame shows this one: the one that stays longest.
    let longest = (0..frames.len()).rev().max_by_key(|n| frames[*n].stays);
    let says = format!(
        "The walkthrough at its lesson {}, while keys are pressed: {}",
        lesson.title,
        options.press.as_deref().unwrap_or("none")
    );
    Ok(moving(&frames, longest.unwrap_or(0), lesson.title, &says))
}

fn configure(session: &mut Session, options: &Options) -> Result<(), String> {
    let mut settings = session.settings().clone();
    for word in &options.set {
        let (knob, value) = word
            .split_once('=')
            .ok_or_else(|| format!("--set takes KNOB=VALUE, for example heads=4, not '{word}'"))?;
        settings.set(session.lesson().knobs, knob.trim(), value.trim())?;
    }
    for mistake in &options.mistakes {
        settings.switch(session.lesson().mistakes, mistake, true)?;
    }
    session.configure(settings)?;
    for poke in &options.poke {
        let (cell, value) = poke
            .rsplit_once('=')
            .ok_or_else(|| format!("--poke takes NAME[I,J,…]=VALUE, not '{poke}'"))?;
        go_to(session, cell)?;
        session.act(&Intent::Edit(value.to_owned()))?;
    }
    if let Some(cell) = &options.backward {
        go_to(session, cell)?;
        session.act(&Intent::ShowGradients(GradientOf::Cell))?;
    }
    if let Some(name) = &options.view {
        session.show(name)?;
    }
    if let Some(keys) = &options.press {
        command::press(session, keys)?;
    }
    Ok(())
}

/// Moves the cursor to a cell written as `weights[0,2,4,7]`.
fn go_to(session: &mut Session, cell: &str) -> Result<(), String> {
    session.act(&Intent::Cell(cell.to_owned()))
}

/// Final state of the current picture, if it is one that takes time.
fn finished(session: &Session) -> Option<(Body, String)> {
    let Body::Job(job) = &session.picture()?.body else {
        return None;
    };
    let end = job.end();
    Some((end.body, end.says))
}

#[derive(Serialize)]
struct StepListing<'a> {
    name: &'a str,
    op: &'a str,
    shape: &'a [usize],
    axes: &'a [&'static str],
    inputs: Vec<&'a str>,
}

fn listing(session: &Session) -> serde_json::Value {
    let steps = session.trace().steps();
    let all: Vec<StepListing> = steps
        .iter()
        .map(|step| StepListing {
            name: &step.name,
            op: step.op(),
            shape: step.value.shape(),
            axes: &step.axes,
            inputs: step
                .inputs()
                .iter()
                .map(|&i| steps[i].name.as_str())
                .collect(),
        })
        .collect();
    let knobs: serde_json::Map<_, _> = session
        .settings()
        .iter()
        .map(|(name, value)| {
            let number = serde_json::from_str::<serde_json::Number>(value);
            (
                name.to_owned(),
                number.map_or_else(|_| json!(value), |n| json!(n)),
            )
        })
        .collect();
    json!({
        "lesson": session.lesson().name,
        "knobs": knobs,
        "mistakes": session.settings().mistakes().collect::<Vec<_>>(),
        "leak": session.run().leak,
        "steps": all,
        "pictures": session.run().pictures.iter().map(|p| json!({"name": p.name, "title": p.title, "says": p.says})).collect::<Vec<_>>(),
    })
}

fn gradient_check_json(check: &GradientCheck) -> serde_json::Value {
    let row = |row: &Row| {
        json!({
            "step": row.step, "slope": row.slope, "relative": row.relative,
            "down": row.down, "up": row.up, "kinks": row.bends,
        })
    };
    json!({
        "cell": check.cell,
        "value": check.value,
        "of": check.of,
        "of_value": check.of_value,
        "tape": check.tape,
        "steps": check.rows.iter().map(row).collect::<Vec<_>>(),
        "best": check.best().map(|best| check.rows[best].step),
        "says": check.verdict(),
    })
}

fn one_tensor(session: &Session, as_json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let Some(step) = session.step() else {
        return Err(usage(format!(
            "{} is a picture, not a tensor; show it with --view",
            session.picture().map_or("this", |p| p.name)
        )));
    };
    if as_json {
        let (shape, axes, values) = (step.value.shape(), &step.axes, step.value.data());
        #[derive(Serialize)]
        struct Listing<'a> {
            name: &'a str,
            shape: &'a [usize],
            axes: &'a [&'static str],
            values: &'a [f32],
        }
        serde_json::to_writer(
            &mut *out,
            &Listing {
                name: &step.name,
                shape,
                axes,
                values,
            },
        )?;
        writeln!(out)?;
    } else {
        write!(out, "{}", stage::describe(session))?;
    }
    Ok(())
}

fn one_cell(
    session: &mut Session,
    text: &str,
    as_json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let (name, index) = parse_cell(text).map_err(usage)?;
    session.show(name).map_err(usage)?;
    let Some(step) = session.step() else {
        return Err(usage(format!(
            "{name} is a picture; only the cells of tensors can be asked where they came from"
        )));
    };
    let (name, shape) = (step.name.clone(), step.value.shape().to_vec());
    session.put_cursor(&index).map_err(|_| {
        let nearest: Vec<usize> = (0..shape.len())
            .map(|axis| index.get(axis).copied().unwrap_or(0).min(shape[axis].saturating_sub(1)))
            .collect();
        usage(format!("{name} has shape {shape:?}, so there is no cell {index:?}; the nearest is {name}{nearest:?}"))
    })?;
    session.ask();
    if !as_json {
        writeln!(out, "{}", stage::describe_why(session))?;
        return Ok(());
    }
    let (_, cell) = session.why().expect("a cell was asked about");
    let terms: Vec<_> = cell
        .terms
        .iter()
        .map(|t| json!({"tensor": t.tensor, "index": t.index, "value": t.value, "role": t.role}))
        .collect();
    write_json(
        out,
        &json!({"tensor": name, "index": index, "value": cell.value, "formula": cell.formula, "terms": terms}),
    )
}
