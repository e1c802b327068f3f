//! The sentences that lessons quote from the shipped translator, intact and broken.

use super::reading::translations;
use crate::lesson::Flaw;

/// State of the model, sentence, and translation. A translation that goes on in the same way ends with `…`.
const QUOTED: &str = "
intact | Der kleine Hund schläft im Garten. | The little dog is sleeping in the garden.
intact | Der Mann hat ein Haus. | The man has a house.
intact | Ich habe keine Zeit. | I don't have time.
intact | Der kleine Garten schläft im Hund. | The little garden is sleeping in the dog.
intact | Der Hund sieht den Mann. | The dog sees the man.
intact | Der Mann sieht den Hund. | The man sees the dog.
intact | Die Frau sieht die Katze. | The woman is seeing the cat.
intact | Die Katze sieht die Frau. | The cat is seeing the woman.
intact | Den Hund sieht der Mann. | The dog is seeing the man.
intact | Ich sehe sie und sie sehen mich. | I see her and they.
intact | Die Frau trinkt Wasser. | The woman is drinking water.
intact | Der Junge trinkt Wasser. | The boy is drinking water.
intact | Die Katze schläft. | The cat is sleeping.
intact | Weil es regnet, bleiben wir zu Hause. | Since it's raining, we'll stay home.
intact | Das Buch, das du mir gegeben hast, ist sehr interessant. | The book you gave me is very interesting.
intact | Sie wird jede Zeitung lesen. | She will read every newspaper.
average | Der kleine Hund schläft im Garten. | They are in the tightening.
average | Der Mann hat ein Haus. | A man's house is a man of a man.
average | Ich habe keine Zeit. | I'm free of the time.
average | Der kleine Garten schläft im Hund. | They are in the old dog's house.
average | Die Frau sieht die Katze. | That's the one whose cat is the woman who is.
average | Die Katze sieht die Frau. | The woman is the woman who is the woman who is.
no-cross | Der kleine Hund schläft im Garten. | It's a lot of time to do that.
no-cross | Ich habe keine Zeit. | It's a lot of time to do that.
similar | Der kleine Hund schläft im Garten. | The dog dog dog …
similar | Der Mann hat ein Haus. | A man man man …
similar | Ich habe keine Zeit. | I I I …
similar | Ich sehe sie und sie sehen mich. | I I I …
mirror | Der kleine Hund schläft im Garten. | The little dog is sleeping in the garden.
mirror | Der Hund sieht den Mann. | The dog see the man.
mirror | Weil es regnet, bleiben wir zu Hause. | He who it is raining, we're staying home.
others-only | Der kleine Hund schläft im Garten. | The dog is silently silence.
others-only | Der Mann hat ein Haus. | The man has a man.
others-only | Die Frau sieht die Katze. | The cat is the cat.
no-source-position | Der kleine Hund schläft im Garten. | The dog is sleeping in the garden.
no-source-position | Der kleine Garten schläft im Hund. | The dog is sleeping in the garden.
no-source-position | Der Hund sieht den Mann. | The man see the dog.
no-source-position | Der Mann sieht den Hund. | The man see the dog.
no-source-position | Die Frau sieht die Katze. | The woman is seeing the cat.
no-source-position | Die Katze sieht die Frau. | The woman is seeing the cat.
one-table | Der kleine Hund schläft im Garten. | The little dog is sleeping in the garden.
one-table | Die Frau trinkt Wasser. | Ms.
one-table | Der Mann hat ein Haus. | That's a house of the house.
one-table | Ich sehe sie und sie sehen mich. | I'll see you and see.
one-table | Der Hund sieht den Mann. | That's the man of the dog.
one-table | Der Mann sieht den Hund. | That's the man of the dog.
no-last-feed-forward | Der kleine Hund schläft im Garten. | The little dog sleep in the garden.
no-last-feed-forward | Die Frau trinkt Wasser. | The woman drinked water.
no-last-feed-forward | Der Junge trinkt Wasser. | The boy drinked water.
no-last-feed-forward | Die Katze schläft. | The cat sleep.
no-feed-forward | Der Mann hat ein Haus. | a a a …
no-residual | Der kleine Hund schläft im Garten. | xxxxxxxx …
no-norm | Der kleine Hund schläft im Garten. | ssssssss …
no-scale | Der kleine Hund schläft im Garten. | The little dog is asleep in the garden.
no-scale | Ich sehe sie und sie sehen mich. | I see her and they.
no-encoder-attention | Der kleine Hund schläft im Garten. | The small dog sleeps in the garden.
no-encoder-attention | Ich sehe sie und sie sehen mich. | I see you and I see me.
no-encoder-attention | Ich habe keine Zeit. | I have no time. I have no time.
no-decoder-attention | Der kleine Hund schläft im Garten. | dog is sleeps in the garden.
no-decoder-attention | Ich sehe sie und sie sehen mich. | see her and themonery and themoutter and thementher and thementer and thementer and themer and the
intact | Der kleine Elefant schläft im Garten. | The small elephant is sleeping in the garden.
intact | Der Hund trinkt Wasser. | The dog is drinking water.
intact | Das Kind schläft nicht. | The child isn't asleep.
intact | Der große Hund und die kleine Katze schlafen. | The big dog and the little cat sleep.
no-scale | Der Hund sieht den Mann. | The man sees the man.
one-table | Der Hund trinkt Wasser. | The water drinks.
no-future-mask | Der kleine Hund schläft im Garten. | The little dog is sleeping in the garden.
no-last-feed-forward | Der Lehrer schläft. | The teacher sleeped.
no-last-feed-forward | Sie kauft ein Auto. | She buyes a car.
no-last-feed-forward | Wo ist der Bahnhof? | where is the station?
no-encoder-attention | Der große Hund und die kleine Katze schlafen. | The dog is very small to sleep.
no-encoder-attention | Er arbeitet in Berlin. | He works in Bli.
no-first-cross | Der kleine Hund schläft im Garten. | The little dog is sleeping in the garden.
no-first-cross | Der Mann hat ein Haus. | The man's house is a house.
no-first-cross | Das Kind schläft nicht. | The child doesn't sleep sleep.
no-last-cross | Der kleine Hund schläft im Garten. | The stock is in the threat off.
one-scale | Der kleine Hund schläft im Garten. | y
no-mean | Der kleine Hund schläft im Garten. | The little dog is sleeping in the garden.
no-encoder-attention | Die Katze schläft. | The cat is sleeping.
no-positions | Der kleine Hund schläft im Garten. | .
no-positions | Die Katze schläft. | .
untrained | Der kleine Hund schläft im Garten. | bloß bloß bloß …
untrained | Der Hund sieht den Mann. | Baseball Baseball Baseball …
";

#[test]
fn the_shipped_translator_writes_what_lessons_quote_intact_and_with_each_flaw() {
    let mut wrong = Vec::new();
    for row in QUOTED.trim().lines() {
        let columns: Vec<&str> = row.split(" | ").collect();
        let [state, german, english] = columns[..] else {
            panic!("{row} is not a row")
        };
        let flaw = Flaw::named(state);
        assert!(flaw.is_some() || state == "intact", "{state} is no flaw");
        let writes = &translations(&[german.to_owned()], flaw)[0];
        let fits = match english.strip_suffix(" …") {
            Some(begins) => writes.starts_with(begins) && writes.len() > 2 * begins.len(),
            None => writes == english,
        };
        if !fits {
            wrong.push(format!("{row}, but it writes “{writes}”"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
