//! `tools pages`: every page of the course, drawn into files as the walkthrough shows it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::limit::usage;
use super::product::{Force, folder};
use super::show::{Colours, size};
use crate::curriculum::{self, LESSONS};
use crate::data::output::Files;
use crate::lesson::Lesson;
use crate::tui::gallery::{Gallery, Screen, Size};
use crate::widgets::code;
use crate::widgets::lines::text;
use crate::widgets::svg::{is_as_drawn, signed, svg};

pub const EXAMPLES: &str = "Examples:
  transformer-tutor tools pages --out pages
  transformer-tutor tools pages attention masks --out pages --size 80x24 --size 120x40";

#[derive(Args)]
pub struct Options {
    /// The lessons; without any, all of them, and home, help, search and glossary
    lessons: Vec<String>,
    /// The folder to write into; made if it is missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The size of the screen, in characters; may be given again [default: 120x40]
    #[arg(long = "size", value_name = "WIDTHxHEIGHT", value_parser = size)]
    sizes: Vec<Size>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    colours: Colours,
}

/// Contents of the files by their paths in the folder.
type PageFiles = BTreeMap<String, String>;

/// Runs the command.
pub fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let folder = folder(&options.out)?;
    let theme = options.colours.theme()?;
    let named: Result<Vec<&'static Lesson>, String> = options
        .lessons
        .iter()
        .map(|name| curriculum::find(name))
        .collect();
    let named = named.map_err(usage)?;
    let sizes = match &options.sizes[..] {
        [] => &[(120, 40)],
        sizes => sizes,
    };
    let gallery = Gallery {
        sizes,
        theme: theme.clone(),
    };
    // Syntax highlighting loads in the background; a drawing has to wait for it.
    code::warm_up();
    let all = named.is_empty();
    let lessons = if all {
        LESSONS.iter().map(|lesson| &***lesson).collect()
    } else {
        named
    };
    let mut screens = 0;
    let mut drawn = PageFiles::new();
    let mut see = |screen: Screen<'_>| {
        screens += 1;
        let path = format!("{}x{}/{}", screen.size.0, screen.size.1, screen.name);
        let mut buf = screen.buf;
        let content = text(&buf);
        theme.finish(&mut buf);
        let picture = svg(&buf, &screen.name, &content, theme.is_dark());
        drawn.insert(format!("{path}.svg"), signed(&picture));
        drawn.insert(format!("{path}.txt"), signed(&format!("{content}\n")));
    };
    for lesson in lessons {
        gallery.lesson(lesson, &mut see);
    }
    if all {
        gallery.beside(&mut see);
    }
    let files = drawn.iter().map(|(path, text)| (&**path, text.as_bytes()));
    let own = |_: &str, bytes: &[u8]| is_as_drawn(bytes);
    Files::new(&folder, files, &own, options.force.force)?.write()?;
    writeln!(
        out,
        "{screens} screens in {}, each as a picture (.svg) and as text (.txt)",
        folder.display()
    )?;
    Ok(())
}
