//! The learner's file at each tier: all three come from one source, `exercise.rs`.

use std::borrow::Cow;

use super::Exercise;
use crate::lesson::Tier;
use crate::lesson::progress::Progress;

/// Heading in a starter's doc comment: what follows it is shown only in the guided tier.
const GUIDANCE: &str = "/// # Guidance";

impl Exercise {
    /// Initial contents of the learner's file.
    pub fn starter_at(&self, tier: Tier) -> Cow<'static, str> {
        match tier {
            Tier::Guided => Cow::Borrowed(self.starter),
            Tier::Open => Cow::Owned(self.open_starter()),
            Tier::Blank => Cow::Borrowed(""),
        }
    }

    /// The tier whose starter `text` is, if nothing was written into it.
    pub fn untouched(&self, text: &str) -> Option<Tier> {
        let same = |tier: &Tier| self.starter_at(*tier).trim() == text.trim();
        Tier::ALL.into_iter().find(same)
    }

    /// The contract as text: what goes in, what comes out, and an example, without formula and operations.
    pub fn contract(&self) -> String {
        let lines: Vec<_> = self.contract_lines().map(text).collect();
        unlinked(&lines.join("\n"))
    }

    /// The guidance as text: formula or advice, and the operations to use.
    pub fn guidance(&self) -> String {
        let lines = self.starter.lines().skip_while(|line| *line != GUIDANCE);
        let lines = lines.skip(1).take_while(|line| line.starts_with("///"));
        let lines: Vec<_> = lines.map(text).collect();
        unlinked(lines.join("\n").trim())
    }

    /// What to write, in a sentence that gives away no more than the tier does.
    pub fn asks(&self, tier: Tier) -> Cow<'static, str> {
        match tier {
            Tier::Guided => Cow::Borrowed(self.task),
            Tier::Open | Tier::Blank => {
                let contract = self.contract();
                let paragraph = contract.split("\n\n").next().unwrap_or_default();
                Cow::Owned(first_sentence(&paragraph.replace('\n', " ")).to_owned())
            }
        }
    }

    /// The tier at which the learner's file was begun, or else at which it will be: the one chosen last. Files from
    /// before there were tiers are guided.
    pub fn tier(&self, progress: &Progress) -> Tier {
        let done = self.done(progress);
        let begun_before = done.attempts > 0 || done.solved;
        match done.tier {
            Some(tier) => tier,
            None if begun_before => Tier::Guided,
            None => progress.tier(),
        }
    }

    /// Records the tier that the learner has chosen, for this exercise and for those begun later.
    pub fn choose(&self, tier: Tier, progress: &mut Progress) {
        self.done_mut(progress).tier = Some(tier);
        progress.set_tier(tier);
    }

    /// The guided starter without the guidance, without imports that only the guidance names, and with an empty body.
    fn open_starter(&self) -> String {
        let contract = self.contract_lines().collect::<Vec<_>>().join("\n");
        let signature = self.signature();
        let stays = |name: &str| names(&contract, name) || names(signature, name);
        let head = self.starter.lines().take_while(|l| !l.starts_with("///"));
        let head = head.filter_map(|line| {
            if line.starts_with("use ") {
                import(line, stays)
            } else {
                Some(line.to_owned())
            }
        });
        let head: Vec<_> = head.collect();
        let head = head.join("\n");
        let name = self.name;
        format!(
            "{}\n\n{contract}\n{signature} {{\n    todo!(\"write {name}\")\n}}\n",
            head.trim_end()
        )
    }

    /// Lines of the starter's doc comment, up to the guidance.
    fn contract_lines(&self) -> impl Iterator<Item = &'static str> {
        let lines = self.starter.lines();
        let comment = lines.skip_while(|line| !line.starts_with("///"));
        let comment = comment.take_while(|line| line.starts_with("///"));
        let contract: Vec<_> = comment.take_while(|line| *line != GUIDANCE).collect();
        let end = contract.iter().rposition(|line| *line != "///");
        contract.into_iter().take(end.map_or(0, |end| end + 1))
    }
}

/// Text of a line of a doc comment.
fn text(line: &str) -> &str {
    let text = line.trim_start_matches("///");
    text.strip_prefix(' ').unwrap_or(text)
}

/// Text with rustdoc's links, such as [`Exercise`], as plain code.
fn unlinked(text: &str) -> String {
    text.replace("[`", "`").replace("`]", "`")
}

/// The first sentence of a text: it ends before a blank and a capital letter, so not after `et al.`.
fn first_sentence(text: &str) -> &str {
    let ends = text.match_indices(". ").map(|(at, _)| at + 1);
    let mut ends = ends.filter(|&at| text[at + 1..].starts_with(char::is_uppercase));
    ends.next().map_or(text, |end| &text[..end])
}

/// A `use` line with only the names that `stays` accepts; `None` if no name is left.
fn import(line: &str, stays: impl Fn(&str) -> bool) -> Option<String> {
    let path = line.strip_prefix("use ")?.strip_suffix(';')?;
    let (module, last) = path.rsplit_once("::")?;
    // `a::b::{X, Y}` splits at the brace, because names in braces have no path.
    let (module, group) = match path.split_once("::{") {
        Some((module, group)) => (module, group.strip_suffix('}')?),
        None => (module, last),
    };
    let names: Vec<_> = group.split(", ").filter(|name| stays(name)).collect();
    match names[..] {
        [] => None,
        [name] => Some(format!("use {module}::{name};")),
        _ => Some(format!("use {module}::{{{}}};", names.join(", "))),
    }
}

/// True if `text` has `name` as a whole word.
fn names(text: &str, name: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !inside(c)).any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::{exercise, exercises};

    fn open(name: &str) -> String {
        let (_, exercise) = exercise(name).expect("it is one");
        exercise.starter_at(Tier::Open).into_owned()
    }

    #[test]
    fn above_the_guided_tier_a_task_is_one_sentence_without_links() {
        for (_, _, exercise) in exercises() {
            let asks = exercise.asks(Tier::Open);
            assert!(asks.ends_with('.') && asks.len() < 260, "{asks}");
            assert!(!asks.contains("[`"), "{asks}");
        }
        assert_eq!(
            first_sentence("As in Vaswani et al. (2017). The rest."),
            "As in Vaswani et al. (2017)."
        );
    }

    #[test]
    fn the_open_starter_is_the_guided_one_without_guidance_and_what_only_the_guidance_names() {
        let text = open("layer_norm");
        let head = "//! Write layer normalisation. Save, and the check runs.\n\n\
                    use transformer_tutor::autograd::Var;\n\n/// ";
        assert!(text.starts_with(head), "{text}");
        let body = "-> Var {\n    todo!(\"write layer_norm\")\n}\n";
        assert!(text.ends_with(body), "{text}");
        assert!(
            open("attention")
                .contains("use transformer_tutor::nn::attention::{Attention, BLOCKED};")
        );
    }

    #[test]
    fn every_open_starter_has_contract_and_example_and_neither_formula_nor_operations() {
        for (_, _, exercise) in exercises() {
            let (name, text) = (exercise.name, exercise.starter_at(Tier::Open));
            assert!(exercise.starter.contains(GUIDANCE), "{name}");
            assert!(syn::parse_file(&text).is_ok(), "{name}: {text}");
            let contract = exercise.contract();
            assert!(contract.contains("An example"), "{name}: {contract}");
            for telling in [
                "can use", "Guidance", "softmax(", "sqrt(", "exp(", "Σ", "√", "⊙",
            ] {
                assert!(
                    !contract.contains(telling),
                    "{name} has {telling}: {contract}"
                );
            }
        }
    }

    #[test]
    fn each_starter_is_recognised_and_a_written_file_is_none() {
        for (_, _, exercise) in exercises() {
            for tier in Tier::ALL {
                let text = exercise.starter_at(tier);
                assert_eq!(exercise.untouched(&text), Some(tier), "{}", exercise.name);
                let written = format!("{text}\nfn helper() {{}}\n");
                assert_eq!(exercise.untouched(&written), None, "{}", exercise.name);
            }
        }
    }

    #[test]
    fn a_tier_is_kept_for_its_exercise_and_the_last_one_chosen_for_those_begun_later() {
        let mut progress = Progress::default();
        let find = |name: &str| exercise(name).expect("it is one").1;
        let (attention, softmax) = (find("attention"), find("softmax"));
        assert_eq!(attention.tier(&progress), Tier::Guided);
        attention.choose(Tier::Blank, &mut progress);
        assert_eq!(softmax.tier(&progress), Tier::Blank);
        softmax.choose(Tier::Open, &mut progress);
        assert_eq!(attention.tier(&progress), Tier::Blank);
        let old = find("residual");
        old.done_mut(&mut progress).attempts = 1;
        assert_eq!(old.tier(&progress), Tier::Guided, "begun before tiers");
    }
}
