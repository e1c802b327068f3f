//! List of what can be viewed: pictures, then tensors, grouped by name if there are many.

use std::collections::BTreeMap;

use crate::lesson::session::Session;

/// Maximum number of names listed one by one.
const MOST: usize = 40;

/// True if `group` is the beginning of several names, such as `encoder.layers.0`. If it is itself the name of a tensor
/// or picture, it means that, unless a dot follows: `readout.`.
pub(super) fn is_group(session: &Session, group: &str) -> bool {
    let is_picture = session.run().pictures.iter().any(|p| p.name == group);
    let is_name = session.trace().find(group).is_some() || is_picture;
    let group = group.trim_end_matches('.');
    !group.is_empty() && !is_name && !within(session, group).is_empty()
}

/// List of the names that begin with `group`, or of all names if it is empty.
pub(super) fn listed(session: &Session, group: &str) -> String {
    let group = group.trim_end_matches('.');
    let names = within(session, group);
    let pictures: Vec<&str> = session.run().pictures.iter().map(|p| p.name).collect();
    let mut lines = Vec::new();
    if group.is_empty() && !pictures.is_empty() {
        lines.push(format!("Pictures: {}.", pictures.join(", ")));
    }
    if names.len() <= MOST {
        if !names.is_empty() {
            lines.push(format!("Tensors: {}.", names.join(", ")));
        }
        return lines.join("\n");
    }
    let (alone, groups) = grouped(&names, group);
    if !alone.is_empty() {
        lines.push(format!("Tensors: {}.", alone.join(", ")));
    }
    let called = |name: &str| {
        let dot = if is_group(session, name) { "" } else { "." };
        format!("{name}{dot}")
    };
    let counted = groups
        .iter()
        .map(|(name, n)| format!("{} ({n})", called(name)));
    lines.push(format!(
        "More tensors, by what their names begin with: {}.",
        counted.collect::<Vec<_>>().join(", ")
    ));
    if let Some(first) = groups.keys().next() {
        lines.push(format!("look {} lists those.", called(first)));
    }
    lines.join("\n")
}

/// Names of the tensors below `group`, in the order of the run.
fn within<'a>(session: &'a Session, group: &str) -> Vec<&'a str> {
    let steps = session.trace().steps().iter().map(|s| s.name.as_str());
    let below = |name: &&str| {
        let rest = name.strip_prefix(group);
        group.is_empty() || rest.is_some_and(|rest| rest.starts_with('.'))
    };
    steps.filter(below).collect()
}

/// Names directly below `group`, and the groups below it with the number of names in each.
fn grouped<'a>(names: &[&'a str], group: &str) -> (Vec<&'a str>, BTreeMap<String, usize>) {
    let (mut alone, mut groups) = (Vec::new(), BTreeMap::new());
    for name in names {
        let rest = name[group.len()..].trim_start_matches('.');
        let mut parts = rest.splitn(3, '.');
        let (Some(first), Some(second)) = (parts.next(), parts.next()) else {
            alone.push(*name);
            continue;
        };
        // `layers` is meaningless without its number.
        let below = if first == "layers" {
            format!("{first}.{second}")
        } else {
            first.to_owned()
        };
        let dot = if group.is_empty() { "" } else { "." };
        *groups.entry(format!("{group}{dot}{below}")).or_insert(0) += 1;
    }
    (alone, groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    #[test]
    fn many_names_are_grouped_and_every_tensor_is_found_in_some_list() {
        let mut session = Session::new(curriculum::find("attention").unwrap());
        session.set("scene", "sentence").unwrap();
        let mut open = vec![String::new()];
        let mut seen = Vec::new();
        while let Some(group) = open.pop() {
            let names = within(&session, &group);
            if names.len() <= MOST {
                seen.extend(names);
                continue;
            }
            assert!(listed(&session, &group).len() < 2000);
            let (alone, groups) = grouped(&names, &group);
            seen.extend(alone);
            for group in groups.into_keys() {
                assert!(is_group(&session, &format!("{group}.")), "{group}");
                open.push(group);
            }
        }
        assert_eq!(seen.len(), session.trace().steps().len());
        assert!(!is_group(&session, "encoder.layers.9") && !is_group(&session, "stream"));
    }
}
