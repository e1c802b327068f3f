//! Whether a text is in the language that a model reads.

use crate::text::differences::without_copies;
use crate::text::pipeline::Side;
use crate::text::sentence::Sentence;
use crate::text::tokenize::Language;

/// Frequent words of German and English, without those that are words of both.
const GERMAN: &str = "aber als auch auf aus bei bin bist bitte da danke das dass dein deine deinem deinen dem den denn \
    der dich dir doch du ein eine einem einen einer er es euch für gern habe haben hast hatte heute hier ich ihm ihn \
    ihnen ihr ihre ihren im ist ja jetzt kann kein keine keinen können mal mein meine meinem meinen meiner mich mir mit \
    morgen muss möchte nach nein nicht noch nur oder schon sehr seid sein seine seinen sich sie sind soll sollte und uns \
    unser vom von wann waren warum weil wenn wer werden wie wir wird wo wurde zu zum zur";
const ENGLISH: &str = "a about after again all always and any anything are as at be because been before but by can can't \
    could did didn't do does doesn't don't even every everything for from get go going good had has have he he's him his \
    how i i'd i'll i'm i've if into is isn't it it's its know let let's like made make me more must my never new no \
    nobody now of on only our out over please really said say see she she's should some someone something take tell than \
    that that's the their them there there's these they think this those to too up very want wants we we're were what's \
    when where which who why wish with without won't would yes you you'll you're you've your";
/// Frequent German words that are English words, too.
const EITHER: &str = "also am an bad die hand hat her in man not so war was will";

/// Least share of a text's words that are frequent in another language for the text to be in it, as its inverse.
const ONE_IN: usize = 4;

/// Length of a text's pieces, as a share of the mean length of the model's pieces, below which the text is in none of
/// the languages of the model. Of 20,000 German sentences of Tatoeba, 6 are below it.
const SHORT: f64 = 0.58;

/// What a text seems to be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seems {
    /// The other language whose words are known.
    The(Language),
    /// Something else.
    Foreign,
}

/// Frequent words of a language, of the other one, and of both.
pub fn frequent(language: Language) -> [&'static str; 3] {
    match language {
        Language::German => [GERMAN, ENGLISH, EITHER],
        Language::English => [ENGLISH, GERMAN, EITHER],
    }
}

/// What a sentence is in, if that is not the language of the side that reads it. Names, and single words, can be in any
/// language.
pub(super) fn other_language(side: &Side, sentence: &Sentence) -> Option<Seems> {
    let language = side.language.as_deref().and_then(Language::of_code)?;
    let other = match language {
        Language::German => Language::English,
        Language::English => Language::German,
    };
    let text = without_copies(&sentence.spelling.text);
    let text = text.to_lowercase().replace('’', "'");
    let words = text.split(|c: char| !c.is_alphabetic() && c != '\'');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let count = |list: &str| {
        let is_listed = |word: &&&str| list.split(' ').any(|one| one == **word);
        words.iter().filter(is_listed).count()
    };
    let [own, others, either] = frequent(language).map(count);
    if own == 0 && (others > 1 || others > 0 && words.len() <= ONE_IN * others) {
        return Some(Seems::The(other));
    }
    let short = letters_per_piece(side, sentence)?;
    let rare = own + others + either == 0 && words.len() > 2 && short < SHORT;
    rare.then_some(Seems::Foreign)
}

/// Mean number of letters in the pieces of a sentence, as a share of the mean over the text that the pieces were learned
/// from.
fn letters_per_piece(side: &Side, sentence: &Sentence) -> Option<f64> {
    let letters = |piece: &str| piece.chars().filter(|c| c.is_alphabetic()).count();
    let usual = side.pieces.as_ref()?.mean(letters)?;
    let mut counts = sentence.tokens.iter().map(|token| letters(token));
    let (sum, pieces) = counts
        .by_ref()
        .filter(|letters| *letters > 0)
        .fold((0, 0), |(sum, pieces), letters| (sum + letters, pieces + 1));
    (pieces > 0).then(|| sum as f64 / f64::from(pieces) / usual)
}
