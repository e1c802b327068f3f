//! The ejected crate: it compiles from what cargo has downloaded, translates as the engine does, and trains like it.

use transformer_tutor::autograd::Tape;
use transformer_tutor::data::copy::copy_batch;
use transformer_tutor::decode::{DecodeOptions, translate};
use transformer_tutor::lesson::mine::{Crate, State, Status};
use transformer_tutor::ops::Spread;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::built_in::BuiltIn;
use transformer_tutor::train::loss::smoothed_mean;
use transformer_tutor::train::schedule::noam_rate;
use transformer_tutor::transformer::{Config, Transformer};

use super::*;

// The crate's own generator, so that the engine can begin with the same weights and sentences.
#[path = "../../lessons/src/lesson/mine/ejected/src/random.rs"]
mod random;
use random::Random;
use transformer_tutor::testing::assert_contains;

/// Sentences that neither model was trained on.
const SENTENCES: [&str; 50] = [
    "Der Hund schläft im Garten.",
    "Wo ist der nächste Bahnhof?",
    "Ich habe gestern meinen Schlüssel verloren.",
    "Kannst du mir bitte helfen?",
    "Meine Schwester wohnt seit drei Jahren in Hamburg.",
    "Das Wetter ist heute besonders schön.",
    "Wir essen am Sonntag immer zusammen.",
    "Er liest jeden Abend ein Buch.",
    "Warum hast du nicht angerufen?",
    "Die Kinder spielen auf der Straße.",
    "Sie trinkt morgens nur Kaffee ohne Zucker.",
    "Der Zug nach Berlin fährt um acht Uhr ab.",
    "Ich verstehe diese Frage nicht.",
    "Hast du Lust, ins Kino zu gehen?",
    "Mein Bruder arbeitet in einem Krankenhaus.",
    "Das Fenster ist offen, und es regnet.",
    "Wie viel kostet dieses Hemd?",
    "Wir haben kein Brot mehr.",
    "Der alte Mann sitzt allein am Fenster.",
    "Ich möchte ein Zimmer für zwei Nächte.",
    "Peter und Anna heiraten im Sommer.",
    "Bitte sprechen Sie etwas langsamer.",
    "Die Katze hat unter dem Tisch geschlafen.",
    "Ohne deine Hilfe hätte ich es nicht geschafft.",
    "Morgen fahren wir ans Meer.",
    "Weißt du, wann der Film beginnt?",
    "Das ist die beste Suppe, die ich je gegessen habe.",
    "Ich bin müde, aber ich kann nicht schlafen.",
    "Gib mir das rote Buch.",
    "Niemand hat uns gesehen.",
    "Der Lehrer erklärt den Schülern die Aufgabe.",
    "Im Winter wird es früh dunkel.",
    "Sie hat ihm einen langen Brief geschrieben.",
    "Kommt ihr heute Abend zu uns?",
    "Mein Auto ist kaputt, also nehme ich den Bus.",
    "Er sagte: „Ich komme später.“",
    "Die Stadt hat ungefähr zwei Millionen Einwohner.",
    "Vergiss nicht, die Tür abzuschließen!",
    "Was machst du am Wochenende?",
    "Das Mädchen mit dem blauen Kleid singt gut.",
    "Ich interessiere mich für Musik und Geschichte.",
    "Zum Glück ist nichts passiert.",
    "Der Arzt hat gesagt, dass ich mehr Wasser trinken soll.",
    "Unsere Nachbarn sind sehr freundlich.",
    "Ich wäre gern reich – aber wer wäre das nicht?",
    "Sie fragt mich jeden Tag dasselbe.",
    "Auf dem Berg liegt noch Schnee.",
    "Kann man hier mit Karte bezahlen?",
    "Nach dem Essen gehen wir spazieren.",
    "Danke, das ist alles.",
];

/// Number of updates of the training, and its seed.
const STEPS: usize = 240;
const SEED: u64 = 7;

fn run(command: &mut Command) -> (String, String) {
    let (code, out, wrong) = ran(command);
    assert_eq!(code, 0, "{out}{wrong}");
    (out, wrong)
}

/// An ejected crate, compiled from what cargo has downloaded.
struct Made {
    folder: PathBuf,
}

impl Made {
    /// Compiles the crate and returns what cargo printed, too.
    fn new(folder: PathBuf) -> (Self, String) {
        let made = Self { folder };
        let (_, output) = made.cargo("build");
        (made, output)
    }

    fn cargo(&self, command: &str) -> (String, String) {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut cargo = Command::new(cargo);
        cargo.args([command, "--offline", "--locked"]);
        cargo.env_remove("CARGO_TARGET_DIR");
        run(cargo.current_dir(&self.folder))
    }

    fn run(&self, arguments: &[&str]) -> String {
        let program = self.folder.join("target/debug/my-transformer");
        run(Command::new(program).args(arguments)).0
    }

    /// Tokens of each sentence's translation, joined by blanks.
    fn tokens(&self) -> Vec<String> {
        let output = self.run(&[&["translate", "--tokens"], &SENTENCES[..]].concat());
        output.lines().map(str::to_owned).collect()
    }

    /// The losses that a training prints, and the share of tokens that it copies.
    fn losses(&self, steps: usize) -> (Vec<f64>, String) {
        let output = self.run(&["train", &steps.to_string(), &SEED.to_string()]);
        let number = |line: &str| line.rsplit(' ').next().and_then(|word| word.parse().ok());
        let losses = output.lines().filter_map(number).collect();
        (losses, output.lines().last().unwrap_or_default().to_owned())
    }
}

#[test]
#[ignore = "compiles a crate: run by .ci/run"]
fn the_ejected_reference_translates_and_trains_as_the_engine_does() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [state, made] = ["state", "made"].map(|name| folder.path().join(name));
    let (output, _) = run(program(&state, &["mine", "eject"]).arg(&made));
    assert_contains(&output, "0 of its 22 functions are yours");
    let (made, output) = Made::new(made);
    assert!(!output.contains("warning"), "{output}");
    made.cargo("test");

    assert_eq!(made.tokens(), engine_tokens());

    let (losses, copied) = made.losses(STEPS);
    let expected = printed(&engine_losses());
    assert_eq!(losses.len(), expected.len(), "{losses:?}");
    for (loss, (step, expected)) in losses.iter().zip(expected) {
        println!("{step:>4} {loss:.6} {expected:.6}");
        // The engine multiplies in another order, and training amplifies the difference.
        let near = if step <= 100 { 1e-3 } else { 0.1 };
        assert!(
            (loss - expected).abs() < near,
            "step {step}: {loss} and {expected}"
        );
    }
    let share = copied.split_once(" copies ").map(|(_, rest)| rest);
    let share = share.and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    assert!(share.is_some_and(|share| share >= 90.0), "{copied}");
}

#[test]
#[ignore = "compiles a crate: run by .ci/run"]
fn functions_written_from_the_starters_alone_make_the_same_crate() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let workbook = Workbook::at(folder.path());
    fs::create_dir(folder.path().join("exercises")).expect("a folder");
    let written = curriculum::exercises().map(|(lesson, _, exercise)| {
        let solution = solution(exercise.name);
        let state = match solution {
            Some(_) => State::Passing,
            None => State::Reference,
        };
        fs::write(workbook.path(exercise), solution.unwrap_or_default()).expect("a file");
        Status {
            lesson,
            exercise,
            state,
        }
    });
    let written: Vec<Status> = written.collect();
    let made = folder.path().join("made");
    let ready = Crate::new(&written, Some(&workbook)).expect("it can be made");
    ready.write(&made).expect("the folder is new");
    assert_contains(
        &ready.card(&made).plain(),
        "22 of its 22 functions are yours",
    );
    let (made, _) = Made::new(made);
    assert_eq!(made.tokens(), engine_tokens());
    let expected = printed(&engine_losses()[..40]);
    for (loss, (step, expected)) in made.losses(40).0.iter().zip(expected) {
        assert!(
            (loss - expected).abs() < 1e-3,
            "step {step}: {loss} and {expected}"
        );
    }
}

/// A right solution that was written without sight of the reference.
fn solution(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutants/solutions");
    let text = fs::read_to_string(path.join(format!("{name}.rs"))).ok()?;
    let (_, right) = text.split_once("//# right\n")?;
    right.split("//# ").next().map(str::to_owned)
}

/// The losses that the crate prints, with their steps.
fn printed(losses: &[f64]) -> Vec<(usize, f64)> {
    let losses = losses.iter().enumerate().map(|(n, loss)| (n + 1, *loss));
    losses
        .filter(|(step, _)| *step == 1 || step % 20 == 0)
        .collect()
}

/// The tokens of each sentence's greedy translation by the engine, joined by blanks.
fn engine_tokens() -> Vec<String> {
    let everyday = BuiltIn::Everyday.translator();
    let ids_of = |line: &&str| everyday.pipeline.sentence(line).ids;
    let sources: Vec<_> = SENTENCES.iter().map(ids_of).collect();
    let options = DecodeOptions::greedy();
    let translations = translate(&everyday.model, &everyday.params, &sources, &options);
    let word = |&id: &u32| everyday.pipeline.target.vocabulary.word(id as usize);
    let words = |ids: &[u32]| ids.iter().map(word).collect::<Vec<_>>().join(" ");
    translations
        .iter()
        .map(|hypotheses| words(&hypotheses[0].ids))
        .collect()
}

/// The losses of the engine's model and optimizer, from the crate's first weights and on its sentences.
fn engine_losses() -> Vec<f64> {
    const VOCABULARY: usize = 11;
    const SHAPE: [usize; 2] = [16, 10];
    let mut config = Config::annotated(VOCABULARY, VOCABULARY).sized(2, 32, 64, 4);
    config.dropout = 0.0;
    let mut params = Params::new(0);
    let model = Transformer::new(&mut params, &config);
    draw(&mut params, &mut Random::new(SEED));
    let mut random = Random::new(SEED + 1);
    let mut adam = Adam::new(&params);
    let mut losses = Vec::new();
    for step in 1..=STEPS {
        let words = Tensor::from_fn(&SHAPE, |_| 1.0 + (random.uniform() * 10.0).floor());
        let batch = copy_batch(&words);
        let tape = Tape::train(&params, 0);
        let src = tape.ids("src", batch.src, &["b", "s"]);
        let tgt = tape.ids("tgt", batch.tgt, &["b", "t"]);
        let log_probs = model.forward(&src, &tgt).log_probs;
        let targets = tape.ids("tgt_y", batch.tgt_y, &["b", "t"]);
        let targets = targets.smooth_targets(VOCABULARY, 0.1, Spread::NoPadding, 0.0);
        let count = batch.ntokens as f64;
        let loss = smoothed_mean(&log_probs, &targets, 0.1, Spread::NoPadding, count);
        losses.push(f64::from(loss.value().at(&[])));
        let rate = noam_rate(step, 32, 0.5, 60) as f32;
        adam.step(&mut params, &loss.backward(), rate);
    }
    losses
}

/// Draws all parameters as the crate does, in the order of their creation.
fn draw(params: &mut Params, random: &mut Random) {
    let all: Vec<_> = params
        .iter()
        .map(|(param, name, x)| (param, name.to_owned(), x.shape().to_vec()))
        .collect();
    let mut inputs = 0;
    for (param, name, shape) in all {
        let within = |random: &mut Random, bound: f32| {
            Tensor::from_fn(&shape, |_| (2.0 * random.uniform() - 1.0) * bound)
        };
        let value = match shape[..] {
            [rows, columns] => {
                inputs = columns;
                within(random, (6.0 / (rows + columns) as f32).sqrt())
            }
            _ if name.ends_with("norm.scale") => Tensor::ones(&shape),
            _ if name.ends_with("norm.bias") => Tensor::zeros(&shape),
            _ => within(random, 1.0 / (inputs as f32).sqrt()),
        };
        params.set(param, value);
    }
}
