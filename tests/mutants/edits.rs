//! Small changes that turn a correct function into a wrong one, each a mistake that a person could have typed.

use std::collections::BTreeMap;
use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, FnArg, Lit, Member, Pat, Stmt, Type, UnOp};

/// One change to a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Range of bytes that is replaced.
    range: Range<usize>,
    /// The replacement.
    pub to: String,
}

impl Edit {
    /// The text with the change.
    pub fn apply(&self, text: &str) -> String {
        [&text[..self.range.start], &self.to, &text[self.range.end..]].concat()
    }

    /// Line of the change, counted from 1 without comments, with the text before and after it:
    /// ``12: `d_k.sqrt()` → `d_k` ``.
    pub fn says(&self, text: &str) -> String {
        let before = text[..self.range.start].split_inclusive('\n');
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let ends = before.filter(is_code).filter(|line| line.ends_with('\n'));
        let line = ends.count() + 1;
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let from = words(&text[self.range.clone()]);
        format!("{line}: `{from}` → `{}`", words(&self.to))
    }
}

/// Calls that are mistaken for each other, in both directions.
const PAIRS: [(&str, &str); 14] = [
    ("matmul", "matmul_t"),
    ("softmax", "log_softmax"),
    ("add", "sub"),
    ("mul", "div"),
    ("min", "max"),
    ("sin", "cos"),
    ("exp", "ln"),
    ("any", "all"),
    ("first", "last"),
    ("take", "skip"),
    ("push", "insert"),
    ("max_by_key", "min_by_key"),
    ("contains", "is_empty"),
    ("row_mean", "row_std"),
];

/// Calls whose removal changes nothing, or only a name.
const IDLE: [&str; 12] = [
    "named",
    "clone",
    "iter",
    "into_iter",
    "iter_mut",
    "collect",
    "as_ref",
    "as_str",
    "to_vec",
    "to_owned",
    "unwrap",
    "expect",
];

/// Calls that are commutative, or that are not an operation.
const SYMMETRIC: [&str; 5] = ["add", "mul", "min", "max", "named"];

/// All edits of the functions in `code`; `Err` if it is not Rust.
pub fn edits(code: &str) -> syn::Result<Vec<Edit>> {
    let file = syn::parse_file(code)?;
    let mut finder = Finder {
        code,
        all: Vec::new(),
        parameters: BTreeMap::new(),
    };
    finder.visit_file(&file);
    let mut all = finder.all;
    all.retain(|edit| code[edit.range.clone()] != edit.to);
    all.sort_by(|a, b| {
        (a.range.start, a.range.end, &a.to).cmp(&(b.range.start, b.range.end, &b.to))
    });
    all.dedup();
    Ok(all)
}

struct Finder<'a> {
    code: &'a str,
    all: Vec<Edit>,
    /// Names of the current function's parameters, and their types as written.
    parameters: BTreeMap<String, String>,
}

impl Finder<'_> {
    fn text(&self, of: Span) -> &str {
        &self.code[of.byte_range()]
    }

    fn edit(&mut self, at: Span, to: impl Into<String>) {
        self.all.push(Edit {
            range: at.byte_range(),
            to: to.into(),
        });
    }

    /// Replaces a parameter by another of the same type, and by its value without its gradient.
    fn exchanged(&mut self, at: Span, name: &str) {
        let Some(kind) = self.parameters.get(name) else {
            return;
        };
        let others = self.parameters.iter();
        let others = others.filter(|(other, of)| *other != name && *of == kind);
        let mut to: Vec<String> = others.map(|(other, _)| other.clone()).collect();
        if kind == "& Var" {
            to.push(format!("(&crate::detached({name}))"));
        }
        for to in to {
            self.edit(at, to);
        }
    }

    fn arguments(&mut self, all: &syn::punctuated::Punctuated<Expr, syn::Token![,]>) {
        let all: Vec<_> = all.iter().collect();
        for pair in all.windows(2) {
            let (one, other) = (pair[0].span(), pair[1].span());
            let between = &self.code[one.byte_range().end..other.byte_range().start];
            let to = [self.text(other), between, self.text(one)].concat();
            self.all.push(Edit {
                range: one.byte_range().start..other.byte_range().end,
                to,
            });
        }
    }
}

/// Operators that a binary operator is mistaken for.
fn others(op: &BinOp) -> &'static [&'static str] {
    match op {
        BinOp::Add(_) => &["-"],
        BinOp::Sub(_) => &["+"],
        BinOp::Mul(_) => &["/"],
        BinOp::Div(_) => &["*"],
        BinOp::Rem(_) => &["/"],
        BinOp::Lt(_) => &["<=", ">"],
        BinOp::Le(_) => &["<", ">="],
        BinOp::Gt(_) => &[">=", "<"],
        BinOp::Ge(_) => &[">", "<="],
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::AddAssign(_) => &["-=", "="],
        BinOp::SubAssign(_) => &["+=", "="],
        BinOp::MulAssign(_) => &["/=", "="],
        BinOp::DivAssign(_) => &["*=", "="],
        _ => &[],
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let outer = std::mem::take(&mut self.parameters);
        for input in &item.sig.inputs {
            if let FnArg::Typed(typed) = input
                && let (Pat::Ident(name), Type::Reference(_) | Type::Path(_)) =
                    (&*typed.pat, &*typed.ty)
            {
                let kind = self.text(typed.ty.span()).replace('&', "& ");
                self.parameters.insert(name.ident.to_string(), kind);
            }
        }
        self.visit_block(&item.block);
        self.parameters = outer;
    }

    /// Removes statements that have only a side effect.
    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Expr(expr, Some(_)) = stmt
            && matches!(
                expr,
                Expr::Assign(_) | Expr::Binary(_) | Expr::MethodCall(_) | Expr::Call(_)
            )
        {
            self.edit(stmt.span(), "");
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Lit(literal) => self.literal(&literal.lit),
            Expr::Binary(binary) => {
                for to in others(&binary.op) {
                    self.edit(binary.op.span(), *to);
                }
                // Keep only one operand, as if the other had been forgotten.
                if matches!(
                    binary.op,
                    BinOp::Add(_)
                        | BinOp::Sub(_)
                        | BinOp::Mul(_)
                        | BinOp::Div(_)
                        | BinOp::And(_)
                        | BinOp::Or(_)
                ) {
                    for side in [&binary.left, &binary.right] {
                        let to = self.text(side.span()).to_owned();
                        self.edit(binary.span(), to);
                    }
                }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_)) => {
                let to = self.text(unary.expr.span()).to_owned();
                self.edit(unary.span(), to);
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                if !IDLE.contains(&name.as_str()) {
                    let to = self.text(call.receiver.span()).to_owned();
                    self.edit(call.span(), to);
                }
                for (one, other) in PAIRS {
                    if name == one {
                        self.edit(call.method.span(), other);
                    } else if name == other {
                        self.edit(call.method.span(), one);
                    }
                }
                // a.f(b) as b.f(a).
                if let (Some(first), 1) = (call.args.first(), call.args.len())
                    && !SYMMETRIC.contains(&name.as_str())
                {
                    let (receiver, argument) =
                        (self.text(call.receiver.span()), self.text(first.span()));
                    let to = match argument.strip_prefix('&') {
                        Some(bare) => format!("({bare}).{name}(&({receiver}))"),
                        None => format!("({argument}).{name}({receiver})"),
                    };
                    self.edit(call.span(), to);
                }
                self.arguments(&call.args);
            }
            Expr::Call(call) => self.arguments(&call.args),
            Expr::If(branch) if !matches!(*branch.cond, Expr::Let(_)) => {
                self.edit(branch.cond.span(), "true");
                self.edit(branch.cond.span(), "false");
            }
            Expr::Range(range) => {
                for (side, by) in [
                    (&range.start, "+ 1"),
                    (&range.end, "+ 1"),
                    (&range.end, "- 1"),
                ] {
                    if let Some(side) = side {
                        let to = format!("({} {by})", self.text(side.span()));
                        self.edit(side.span(), to);
                    }
                }
            }
            Expr::Path(path) => {
                if let Some(name) = path.path.get_ident() {
                    self.exchanged(path.span(), &name.to_string());
                }
            }
            Expr::Field(field) => {
                if let Member::Named(name) = &field.member
                    && let Some((_, others)) = FIELDS.iter().find(|(of, _)| name == of)
                {
                    for other in *others {
                        self.edit(name.span(), *other);
                    }
                }
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.edit(guard.span(), "true");
            self.edit(guard.span(), "false");
        }
        visit::visit_arm(self, arm);
    }

    /// Leaves types and attributes unchanged.
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_item_struct(&mut self, _: &'ast syn::ItemStruct) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
}

/// Neighbouring fields of the same type, and those that they are mistaken for.
const FIELDS: [(&str, &[&str]); 18] = [
    ("query", &["key", "value", "output"]),
    ("key", &["query", "value"]),
    ("value", &["query", "key"]),
    ("output", &["value"]),
    ("w_1", &["w_2"]),
    ("w_2", &["w_1"]),
    ("beta1", &["beta2"]),
    ("beta2", &["beta1"]),
    ("rate", &["decay"]),
    ("decay", &["rate"]),
    ("self_attn", &["src_attn"]),
    ("src_attn", &["self_attn"]),
    ("encoder", &["decoder", "cross"]),
    ("decoder", &["encoder", "cross"]),
    ("cross", &["encoder", "decoder"]),
    ("tgt", &["tgt_y"]),
    ("tgt_y", &["tgt"]),
    ("log_prob", &["score"]),
];

impl Finder<'_> {
    fn literal(&mut self, literal: &Lit) {
        match literal {
            Lit::Int(int) => {
                let Ok(n) = int.base10_parse::<u64>() else {
                    return;
                };
                let suffix = int.suffix();
                self.edit(int.span(), format!("{}{suffix}", n + 1));
                if n > 0 {
                    self.edit(int.span(), format!("{}{suffix}", n - 1));
                }
            }
            Lit::Float(float) => {
                let Ok(x) = float.base10_parse::<f64>() else {
                    return;
                };
                let suffix = float.suffix();
                let others = if x == 0.0 { [1.0, 0.5] } else { [0.0, 2.0 * x] };
                for other in others {
                    self.edit(float.span(), format!("{other:?}{suffix}"));
                }
            }
            Lit::Bool(bool) => self.edit(bool.span(), (!bool.value).to_string()),
            _ => {}
        }
    }
}
