//! Names of cells.

/// Full name of a cell: `scores[0,2,4,7]`, or `loss` for a tensor without axes.
pub fn cell_name(name: &str, index: &[usize]) -> String {
    if index.is_empty() {
        return name.to_owned();
    }
    let index: Vec<String> = index.iter().map(ToString::to_string).collect();
    cell_of(name, &format!("[{}]", index.join(",")))
}

/// A name and an index as written: `scores[0,2]`, but `query in heads [0,2]`.
pub fn cell_of(name: &str, index: &str) -> String {
    let gap = if name.contains(' ') { " " } else { "" };
    format!("{name}{gap}{index}")
}
