//! Tokens that were added to a vocabulary after training. They are cut out of a text before it is split into pieces.

use super::vocabulary::Vocabulary;

/// A token that was added to a vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddedToken {
    /// The token.
    pub text: String,
    /// True if it only controls the model, and is left out of translations.
    pub special: bool,
    /// True if blanks before it belong to it.
    pub lstrip: bool,
    /// True if blanks after it belong to it.
    pub rstrip: bool,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'t> {
    /// Text between added tokens.
    Text(&'t str),
    /// One of the added tokens.
    Token(&'t str),
}

/// Splits a text at the added tokens in it. Of several that begin at one place, the longest counts.
pub fn split<'t>(text: &'t str, added: &'t [AddedToken]) -> Vec<Part<'t>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((at, token)) = first(rest, added) {
        let (mut before, after) = (&rest[..at], &rest[at + token.text.len()..]);
        if token.lstrip {
            before = before.trim_end();
        }
        if !before.is_empty() {
            parts.push(Part::Text(before));
        }
        parts.push(Part::Token(&token.text));
        rest = if token.rstrip {
            after.trim_start()
        } else {
            after
        };
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    parts
}

/// First place of any token, and the longest token there.
fn first<'a>(text: &str, added: &'a [AddedToken]) -> Option<(usize, &'a AddedToken)> {
    let hits = added.iter().filter(|token| !token.text.is_empty());
    let hits = hits.filter_map(|token| Some((text.find(&token.text)?, token)));
    hits.min_by_key(|(at, token)| (*at, std::cmp::Reverse(token.text.len())))
}

/// Ids of the tokens that are left out of translations.
pub fn special_ids(added: &[AddedToken], vocabulary: &Vocabulary) -> Vec<usize> {
    let special = added.iter().filter(|token| token.special);
    special.map(|token| vocabulary.id(&token.text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> AddedToken {
        AddedToken {
            text: text.to_owned(),
            ..AddedToken::default()
        }
    }

    #[test]
    fn the_longest_of_the_first_tokens_is_cut_out() {
        let added = [token("<a>"), token("<a><b>"), token("")];
        assert_eq!(
            split("x <a><b> y<a>", &added),
            [
                Part::Text("x "),
                Part::Token("<a><b>"),
                Part::Text(" y"),
                Part::Token("<a>")
            ]
        );
        assert_eq!(split("x y", &added), [Part::Text("x y")]);
        assert_eq!(split("", &added), []);
    }

    #[test]
    fn blanks_beside_a_token_may_belong_to_it() {
        let added = [AddedToken {
            lstrip: true,
            rstrip: true,
            ..token("<mask>")
        }];
        assert_eq!(
            split("x <mask>  y", &added),
            [Part::Text("x"), Part::Token("<mask>"), Part::Text("y")]
        );
    }
}
