//! Builder of a formula's tree from the parser's prefix-ordered events.

use pulldown_latex::event::{
    ArrayColumn, Content, Dimension, DimensionUnit, EnvironmentFlow, Event, Font, Grouping,
    ScriptPosition, ScriptType, StateChange, Visual,
};

use super::node::{Class, ColumnAlign, GridKind, Node, Place};
use super::symbols;

/// Maximum nesting depth. Deeper formulas would be unreadable, and recursion needs a bound.
const MAX_DEPTH: usize = 48;

pub fn build(events: &[Event<'_>]) -> Result<Node, String> {
    let mut builder = Builder {
        events,
        at: 0,
        depth: 0,
        font: None,
    };
    let row = builder.row()?;
    match builder.events.get(builder.at) {
        None => Ok(row),
        Some(_) => Err("a group is closed that was never opened".to_string()),
    }
}

struct Builder<'a, 'e> {
    events: &'a [Event<'e>],
    at: usize,
    depth: usize,
    font: Option<Font>,
}

impl Builder<'_, '_> {
    /// Reads elements up to the end of the group, cell or formula, and leaves that event unread.
    fn row(&mut self) -> Result<Node, String> {
        let font = self.font;
        let mut nodes = Vec::new();
        let mut in_word = false;
        loop {
            let letter = self.upright_letter();
            match self.events.get(self.at) {
                None | Some(Event::End) => break,
                Some(Event::EnvironmentFlow(EnvironmentFlow::StartLines { .. })) => self.at += 1,
                Some(Event::EnvironmentFlow(_)) => break,
                Some(Event::StateChange(change)) => {
                    self.at += 1;
                    if let StateChange::Font(font) = change {
                        self.font = *font;
                    }
                }
                Some(_) => {
                    let node = self.element()?;
                    match (nodes.last_mut(), letter) {
                        (Some(Node::Atom { text, class, word }), Some(letter)) if in_word => {
                            text.push(letter);
                            (*class, *word) = (Class::Operator, true);
                        }
                        // `\,` is finer than the one-column grid, so it is dropped.
                        _ if node == Node::Space(0) => {}
                        _ => nodes.push(node),
                    }
                    in_word = letter.is_some();
                }
            }
        }
        self.font = font;
        Ok(if nodes.len() == 1 {
            nodes.remove(0)
        } else {
            Node::Row(nodes)
        })
    }

    /// Returns the next letter if it is upright. `\mathrm{softmax}` arrives letter by letter, and consecutive upright
    /// letters form one name.
    fn upright_letter(&self) -> Option<char> {
        let upright = matches!(
            self.font,
            Some(
                Font::UpRight
                    | Font::SansSerif
                    | Font::Monospace
                    | Font::Italic
                    | Font::Bold
                    | Font::BoldSymbol
            )
        );
        match self.events.get(self.at) {
            Some(Event::Content(Content::Ordinary { content, .. }))
                if upright && (content.is_ascii_alphanumeric() || *content == '_') =>
            {
                Some(*content)
            }
            _ => None,
        }
    }

    fn element(&mut self) -> Result<Node, String> {
        if self.depth == MAX_DEPTH {
            return Err(format!("nested more than {MAX_DEPTH} deep"));
        }
        self.depth += 1;
        let node = self.next_element();
        self.depth -= 1;
        node
    }

    fn boxed(&mut self) -> Result<Box<Node>, String> {
        Ok(Box::new(self.element()?))
    }

    fn next_element(&mut self) -> Result<Node, String> {
        let event = self
            .events
            .get(self.at)
            .ok_or("the formula ends where a symbol is expected")?;
        self.at += 1;
        match event {
            Event::Content(content) => Ok(self.content(*content)),
            Event::Begin(grouping) => self.group(grouping),
            Event::Visual(Visual::SquareRoot) => Ok(Node::Root {
                radicand: self.boxed()?,
                index: None,
            }),
            Event::Visual(Visual::Root) => Ok(Node::Root {
                radicand: self.boxed()?,
                index: Some(self.boxed()?),
            }),
            Event::Visual(Visual::Fraction(line)) => Ok(Node::Fraction {
                over: self.boxed()?,
                under: self.boxed()?,
                bar: line.is_none_or(|line| line.value != 0.0),
            }),
            Event::Visual(Visual::Negation) => Ok(symbols::negated(self.element()?)),
            Event::Script { ty, position } => self.script(*ty, *position),
            Event::Space { width, .. } => Ok(Node::Space(columns(*width))),
            // Apply a font change in the place of an argument (`\frac\bf x`) and go on.
            Event::StateChange(change) => {
                if let StateChange::Font(font) = change {
                    self.font = *font;
                }
                self.element()
            }
            Event::End | Event::EnvironmentFlow(_) => {
                Err("a group ends where a symbol is expected".to_string())
            }
        }
    }

    fn script(&mut self, ty: ScriptType, position: ScriptPosition) -> Result<Node, String> {
        let base = self.boxed()?;
        let (sub, sup) = match ty {
            ScriptType::Subscript => (Some(self.boxed()?), None),
            ScriptType::Superscript => (None, Some(self.boxed()?)),
            ScriptType::SubSuperscript => (Some(self.boxed()?), Some(self.boxed()?)),
        };
        let place = match position {
            ScriptPosition::Right => Place::Right,
            ScriptPosition::AboveBelow => Place::Stacked,
            ScriptPosition::Movable => Place::Limits,
        };
        Ok(Node::Script {
            base,
            sub,
            sup,
            place,
        })
    }

    fn group(&mut self, grouping: &Grouping) -> Result<Node, String> {
        let font = self.font;
        let node: Result<Node, String> = match grouping {
            Grouping::Normal => self.row().map(|body| match body {
                // `1{,}536`: braces around a sign remove its spacing.
                Node::Atom { text, class, word } if class != Class::Operator => Node::Atom {
                    text,
                    class: Class::Ordinary,
                    word,
                },
                body => body,
            }),
            Grouping::LeftRight(open, close) => Ok(Node::Fence {
                open: *open,
                body: Box::new(self.row()?),
                close: *close,
            }),
            Grouping::Matrix { alignment } | Grouping::SubArray { alignment } => {
                self.grid(GridKind::Columns(vec![(*alignment).into()]))
            }
            Grouping::Array(columns) => {
                let aligns = columns.iter().filter_map(|column| match column {
                    ArrayColumn::Column(align) => Some((*align).into()),
                    ArrayColumn::Separator(_) => None,
                });
                self.grid(GridKind::Columns(aligns.collect()))
            }
            Grouping::Cases { left } => self.grid(GridKind::Cases { left: *left }),
            Grouping::Gather { .. }
            | Grouping::Gathered
            | Grouping::Multline
            | Grouping::Equation { .. } => self.grid(GridKind::Columns(vec![ColumnAlign::Center])),
            _ => self.grid(GridKind::Pairs),
        };
        let node = node?;
        self.font = font;
        if self.events.get(self.at) != Some(&Event::End) {
            return Err("a group is not closed".to_string());
        }
        self.at += 1;
        Ok(node)
    }

    fn grid(&mut self, kind: GridKind) -> Result<Node, String> {
        self.font = None;
        let mut rows = vec![Vec::new()];
        loop {
            let cell = self.row()?;
            rows.last_mut().expect("starts with one row").push(cell);
            match self.events.get(self.at) {
                Some(Event::EnvironmentFlow(EnvironmentFlow::Alignment)) => self.at += 1,
                Some(Event::EnvironmentFlow(EnvironmentFlow::NewLine { .. })) => {
                    self.at += 1;
                    rows.push(Vec::new());
                }
                _ => break,
            }
        }
        // `\\` after the last line opens a row with one empty cell.
        if rows.len() > 1
            && rows
                .last()
                .is_some_and(|row| row.iter().all(|cell| *cell == Node::Row(Vec::new())))
        {
            rows.pop();
        }
        Ok(Node::Grid { kind, rows })
    }

    fn content(&self, content: Content<'_>) -> Node {
        let atom = |text: String, class| Node::Atom {
            text,
            class,
            word: false,
        };
        match content {
            // The parser turns the control space `\ ` into an HTML entity.
            Content::Text("&nbsp;") => Node::Space(1),
            Content::Text(text) => Node::Atom {
                text: text.to_string(),
                class: Class::Ordinary,
                word: text.chars().count() > 1,
            },
            Content::Number(text) => atom(text.to_string(), Class::Ordinary),
            Content::Function(name) => Node::Atom {
                text: name.to_string(),
                class: Class::Operator,
                word: true,
            },
            Content::Ordinary { content, .. } => {
                atom(symbols::in_font(content, self.font), Class::Ordinary)
            }
            Content::LargeOp { content, .. } => atom(content.to_string(), Class::Operator),
            Content::BinaryOp { content: '/', .. } => atom("/".to_string(), Class::Slash),
            Content::BinaryOp { content, .. } => atom(content.to_string(), Class::Binary),
            Content::Relation { content, .. } => {
                let mut bytes = [0; 8];
                let text = content.encode_utf8_to_buf(&mut bytes);
                atom(String::from_utf8_lossy(text).into_owned(), Class::Relation)
            }
            Content::Delimiter { content, ty, .. } => {
                use pulldown_latex::event::DelimiterType;
                let class = match ty {
                    DelimiterType::Open => Class::Open,
                    DelimiterType::Close => Class::Close,
                    DelimiterType::Fence => Class::Relation,
                };
                atom(content.to_string(), class)
            }
            Content::Punctuation(c) => atom(c.to_string(), Class::Punctuation),
        }
    }
}

/// Width of a TeX space in columns: two for a quad (1 em), none for spaces that only fine-tune.
fn columns(width: Option<Dimension>) -> usize {
    let em = width.map_or(0.0, |width| match width.unit {
        DimensionUnit::Em => width.value,
        DimensionUnit::Mu => width.value / 18.0,
        DimensionUnit::Ex => width.value / 2.0,
        _ => width.value / 10.0,
    });
    // `\,` and similar spaces are at most 5/18 em.
    if em < 0.4 {
        0
    } else {
        ((em * 2.0).round() as usize).clamp(1, 40)
    }
}
