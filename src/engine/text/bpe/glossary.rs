//! Glossaries: words and regular expressions that segmentation leaves whole.

use fancy_regex::Regex;

use super::BpeError;

/// Regular expressions whose matches are never split nor joined with their neighbours.
#[derive(Clone, Debug, Default)]
pub struct Glossaries {
    all: Vec<Glossary>,
    /// Matches any of them as a whole word.
    whole: Option<Regex>,
}

/// A regular expression in the forms that are asked of it.
#[derive(Clone, Debug)]
struct Glossary {
    anywhere: Regex,
    whole: Regex,
}

impl Glossaries {
    /// Compiles regular expressions in the syntax of Python's `re`.
    pub fn new(patterns: &[String]) -> Result<Self, BpeError> {
        let compiled = |pattern: &str, form: String| {
            Regex::new(&form).map_err(|e| BpeError::Glossary {
                found: pattern.to_owned(),
                why: e.to_string(),
            })
        };
        let one = |pattern: &String| {
            Ok(Glossary {
                anywhere: compiled(pattern, format!("({pattern})"))?,
                whole: compiled(pattern, format!("^{pattern}$"))?,
            })
        };
        let all = patterns.iter().map(one).collect::<Result<_, _>>()?;
        let joined = patterns.join("|");
        let whole = (!patterns.is_empty()).then(|| compiled(&joined, format!("^({joined})$")));
        Ok(Self {
            all,
            whole: whole.transpose()?,
        })
    }

    /// True if a word is to be left whole.
    pub(super) fn keep(&self, word: &str) -> bool {
        self.whole.as_ref().is_some_and(|whole| begins(whole, word))
    }

    /// Cuts a word around each match.
    pub(super) fn isolated(&self, word: &str) -> Vec<String> {
        let cut = |parts: Vec<String>, glossary: &Glossary| {
            parts
                .iter()
                .flat_map(|part| glossary.isolated(part))
                .collect()
        };
        self.all.iter().fold(vec![word.to_owned()], cut)
    }
}

impl Glossary {
    fn isolated(&self, word: &str) -> Vec<String> {
        let mut parts: Vec<&str> = Vec::new();
        let mut end = 0;
        if !begins(&self.whole, word) {
            for captures in self.anywhere.captures_iter(word).map_while(Result::ok) {
                let (Some(whole), groups) = (captures.get(0), captures.iter().skip(1)) else {
                    continue;
                };
                parts.push(&word[end..whole.start()]);
                // Groups inside the expression are repeated, as by Python's `re.split`.
                parts.extend(groups.flatten().map(|group| group.as_str()));
                end = whole.end();
            }
        }
        parts.push(&word[end..]);
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    }
}

/// True if an expression matches the beginning of a word.
fn begins(expression: &Regex, word: &str) -> bool {
    let hit = expression.find(word);
    hit.is_ok_and(|hit| hit.is_some_and(|hit| hit.start() == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(patterns: &[&str]) -> Glossaries {
        let patterns: Vec<String> = patterns.iter().map(|&p| p.to_owned()).collect();
        Glossaries::new(&patterns).unwrap()
    }

    #[test]
    fn a_word_is_cut_around_its_matches() {
        let usa = of(&["USA"]);
        assert_eq!(usa.isolated("1934USABUSA"), ["1934", "USA", "B", "USA"]);
        assert_eq!(usa.isolated("USA"), ["USA"]);
        assert_eq!(usa.isolated("Hund"), ["Hund"]);
        assert!(usa.keep("USA") && !usa.keep("USAB"));
        let tags = of(&["<country>\\w*</country>", "\\d+"]);
        assert_eq!(
            tags.isolated("x<country>UK</country>19y"),
            ["x", "<country>UK</country>", "19", "y"]
        );
        assert!(of(&[]).isolated("19") == ["19"] && !of(&[]).keep("19"));
    }

    #[test]
    fn an_invalid_regular_expression_is_refused() {
        let message = Glossaries::new(&["(".to_owned()]).unwrap_err().to_string();
        assert!(
            message.starts_with("glossary \"(\" is not a regular expression"),
            "{message}"
        );
    }
}
