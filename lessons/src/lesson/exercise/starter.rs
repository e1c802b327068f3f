//! The learner's file at each tier: all three come from one source, `exercise.rs`.

use std::borrow::Cow;

use super::Exercise;
use crate::lesson::Tier;
use crate::lesson::progress::Progress;

/// Heading in a starter's doc comment: what follows it is shown only in the guided tier.
const GUIDANCE: &str = "/// # Guidance";

/// Last line of the doc comment in the open tier.
const OPERATIONS: &str = "/// `exercise operations` lists what you can call.";

impl Exercise {
    /// Initial contents of the learner's file.
    pub fn starter_at(&self, tier: Tier) -> Cow<'static, str> {
        match tier {
            Tier::Guided => Cow::Borrowed(self.starter),
            Tier::Open => Cow::Owned(self.open_starter()),
            Tier::Blank => Cow::Owned(self.blank_starter()),
        }
    }

    /// The tier whose starter `text` is, if nothing was written into it.
    pub fn untouched(&self, text: &str) -> Option<Tier> {
        let text = text.trim();
        // At the blank tier, files once began empty.
        let same = |tier: &Tier| match tier {
            Tier::Blank if text.is_empty() => true,
            tier => self.starter_at(*tier).trim() == text,
        };
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

    /// Imports and signature as code, for a file that begins without.
    pub fn frame(&self) -> String {
        let imports = self.head().filter(|line| line.starts_with("use "));
        let imports: Vec<_> = imports.collect();
        format!("{}\n\n{}", imports.join("\n"), self.signature())
            .trim_start()
            .to_owned()
    }

    /// The guided starter without the guidance and with an empty body.
    fn open_starter(&self) -> String {
        let head = self.head().collect::<Vec<_>>().join("\n");
        let contract = self.contract_lines().collect::<Vec<_>>().join("\n");
        let engine = ["::autograd::", "::tensor::"];
        let operations = if engine.iter().any(|module| head.contains(module)) {
            format!("///\n{OPERATIONS}\n")
        } else {
            String::new()
        };
        let (head, signature, name) = (head.trim_end(), self.signature(), self.name);
        format!(
            "{head}\n\n{contract}\n{operations}{signature} {{\n    todo!(\"write {name}\")\n}}\n"
        )
    }

    /// Imports and signature as a comment.
    fn blank_starter(&self) -> String {
        let frame = self.frame();
        let lines = frame.lines().map(|line| format!("// {line}"));
        lines
            .map(|line| line.trim_end().to_owned() + "\n")
            .collect()
    }

    /// Lines of the starter above the doc comment: what the file is for, and the imports.
    fn head(&self) -> impl Iterator<Item = &'static str> {
        let lines = self.starter.lines();
        lines.take_while(|line| !line.starts_with("///"))
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

/// A learner's file without what its starter says only to the learner: the first lines, the guidance, and the list of
/// operations.
pub fn without_teaching(text: &str) -> String {
    let is_heading = |line: &&str| line.starts_with("//!") || line.is_empty();
    let mut out: Vec<String> = Vec::new();
    let mut in_guidance = false;
    for line in text.lines().skip_while(is_heading) {
        let in_comment = line.starts_with("///");
        in_guidance = in_comment && (in_guidance || line == GUIDANCE || line == OPERATIONS);
        if in_guidance {
            continue;
        }
        if in_comment {
            out.push(line.replace("You return", "Returns"));
        } else {
            // The empty line above the guidance, too.
            let end = out.iter().rposition(|line| line != "///");
            out.truncate(end.map_or(0, |end| end + 1));
            out.push(line.to_owned());
        }
    }
    out.join("\n") + "\n"
}

/// Text of a line of a doc comment.
fn text(line: &str) -> &str {
    let text = line.trim_start_matches("///");
    text.strip_prefix(' ').unwrap_or(text)
}

/// Text with rustdoc's links, such as [`Exercise`], as plain code.
pub(super) fn unlinked(text: &str) -> String {
    text.replace("[`", "`").replace("`]", "`")
}

/// The first sentence of a text: it ends before a blank and a capital letter, so not after `et al.`.
pub(super) fn first_sentence(text: &str) -> &str {
    let ends = text.match_indices(". ").map(|(at, _)| at + 1);
    let mut ends = ends.filter(|&at| text[at + 1..].starts_with(char::is_uppercase));
    ends.next().map_or(text, |end| &text[..end])
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
    fn the_open_starter_has_the_imports_of_the_guided_one_and_names_the_list_of_operations() {
        let text = open("layer_norm");
        let head = "//! Write layer normalisation. In the course, or under `exercise watch`, every save is checked.\n\n\
                    use transformer_tutor::autograd::Var;\n\
                    use transformer_tutor::ops::Deviation;\n\
                    use transformer_tutor::tensor::Tensor;\n\n/// ";
        assert!(text.starts_with(head), "{text}");
        let end = "/// `exercise operations` lists what you can call.\n\
                   pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {\n    \
                   todo!(\"write layer_norm\")\n}\n";
        assert!(text.ends_with(end), "{text}");
        assert!(!open("bleu").contains("exercise operations"));
    }

    #[test]
    fn without_teaching_a_file_has_its_contract_and_its_code() {
        let file = "//! Write add. Save, and the check runs.\n\nuse a::B;\n\n/// Adds. You return `B`.\n///\n\
                    /// # Guidance\n///\n/// - `a + b`\npub fn add() -> B {}\n";
        assert_eq!(
            without_teaching(file),
            "use a::B;\n\n/// Adds. Returns `B`.\npub fn add() -> B {}\n"
        );
        let text = without_teaching(&open("layer_norm"));
        assert!(
            text.contains("becomes `[-0.926, -0.463, 0, 1.389]`.\npub fn layer_norm("),
            "{text}"
        );
    }

    #[test]
    fn the_blank_starter_is_imports_and_signature_as_a_comment() {
        let frame = |name: &str| exercise(name).expect("it is one").1.frame();
        assert_eq!(
            frame("rms_norm"),
            "use transformer_tutor::autograd::Var;\nuse transformer_tutor::tensor::Tensor;\n\n\
             pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var"
        );
        assert!(frame("bleu").starts_with("pub fn bleu("));
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
                assert!(syn::parse_file(&text).is_ok(), "{}: {text}", exercise.name);
                assert!(text.contains(exercise.name), "{}: {text}", exercise.name);
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
