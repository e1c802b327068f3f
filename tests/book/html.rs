//! Just enough HTML parsing for the pages that the program writes.

use serde_json::Value;

/// The figures of a page.
pub fn figures(page: &str) -> Vec<&str> {
    let starts = page.match_indices("<figure").map(|(at, _)| at);
    let end = |at: usize| page[at..].find("</figure>").map(|end| &page[at..at + end]);
    starts.filter_map(end).collect()
}

/// The data of the given class in a page.
pub fn scripts(page: &str, class: &str) -> Vec<Value> {
    let open = format!("class=\"{class}\">");
    let parts = page.split(open.as_str()).skip(1);
    let json = parts.map(|part| part.split("</script>").next().unwrap());
    json.map(|json| serde_json::from_str(json).expect("it is JSON"))
        .collect()
}

/// The tags of a page.
pub fn tags(page: &str) -> Vec<&str> {
    let starts = page.match_indices('<').map(|(at, _)| at);
    let tag = |at: usize| {
        let named = page[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic());
        let end = page[at..].find('>').filter(|_| named)?;
        Some(&page[at..=at + end])
    };
    starts.filter_map(tag).collect()
}

/// The value of an attribute of a tag.
pub fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()
}

/// A page without its `<details>` folds, which must not be nested.
pub fn without_folds(page: &str) -> String {
    let mut parts = page.split("<details");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |open, part| {
        open + part.split_once("</details>").map_or("", |(_, rest)| rest)
    })
}

/// A page without its `<pre>` listings.
pub fn without_code(page: &str) -> String {
    let mut parts = page.split("<pre");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |open, part| {
        open + part.split_once("</pre>").map_or("", |(_, rest)| rest)
    })
}

/// The visible text of HTML, without tags, scripts and attributes.
pub fn text_of(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        out += &rest[..at];
        rest = &rest[at..];
        let end = if rest.starts_with("<script") {
            rest.find("</script>").map(|end| end + "</script>".len())
        } else {
            rest.find('>').map(|end| end + 1)
        };
        rest = &rest[end.unwrap_or(rest.len())..];
        out.push(' ');
    }
    out + rest
}
