//! The two commands: `translate` and `train`.

use std::path::Path;
use std::process::ExitCode;

use my_transformer::decode::Translator;
use my_transformer::train::Training;

const USAGE: &str = "\
cargo run -- translate [--beam N] [--tokens] 'Der Hund schläft im Garten.' …
cargo run -- train [STEPS [SEED]]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &arguments[..] {
        ["translate", rest @ ..] => translate(rest),
        ["train", rest @ ..] => train(rest),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the translation of each sentence.
fn translate(mut arguments: &[&str]) -> Result<(), String> {
    let (mut beam, mut tokens) = (1, false);
    loop {
        match arguments {
            ["--beam", n, rest @ ..] => (beam, arguments) = (number(n)?.max(1), rest),
            ["--tokens", rest @ ..] => (tokens, arguments) = (true, rest),
            [] => return Err(USAGE.to_owned()),
            _ => break,
        }
    }
    let translator = Translator::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("model"))?;
    for sentence in arguments {
        let ids = translator.translate(sentence, beam)?;
        if tokens {
            println!("{}", translator.tokenizer.pieces(&ids).join(" "));
        } else {
            println!("{}", translator.tokenizer.decode(&ids));
        }
    }
    Ok(())
}

/// Trains a model on the copy task, and shows what it has learned.
fn train(arguments: &[&str]) -> Result<(), String> {
    let numbers: Result<Vec<usize>, String> = arguments.iter().map(|n| number(n)).collect();
    let numbers = numbers?;
    let steps = numbers.first().copied().unwrap_or(240).max(1);
    let seed = numbers.get(1).copied().unwrap_or(7) as u64;
    let mut training = Training::new(seed);
    for step in 1..=steps {
        let loss = training.step()?;
        if step % 20 == 0 || step == 1 {
            println!("step {step:>4}  loss {loss:.6}");
        }
    }
    let right = 100.0 * training.copies(20, seed + 2);
    println!("Of 20 new sentences it copies {right:.0} % of the tokens.");
    Ok(())
}

fn number(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| format!("{text} is not a number\n{USAGE}"))
}
