//! The verbs and modal verbs in both languages, with their complements.

use super::lexicon::*;

/// Complement of a verb, with the meanings that it may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Frame {
    Alone,
    /// A destination.
    Goal,
    Object(Class),
    /// A person in the dative.
    Dative,
    /// A person in the dative and a thing in the accusative.
    Give(Class),
    /// A preposition (German, English) with the dative or the accusative.
    Dependent(&'static str, &'static str, Case, Class),
    /// `Das Buch gefällt mir`: the German subject is the English object.
    Please,
    /// A clause: `dass`, `ob`, `wo`.
    Clause,
    /// An adjective, a profession or a comparison.
    Copula,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Case {
    Nominative,
    Accusative,
    Dative,
}

#[derive(Debug)]
pub struct Verb {
    /// Separable prefix: `ab` of `abholen`; empty for other verbs.
    pub particle: &'static str,
    pub infinitive: &'static str,
    /// `du holst`, without the particle; `third` likewise.
    pub second: &'static str,
    pub third: &'static str,
    /// With the particle: `abgeholt`.
    pub participle: &'static str,
    /// True if the perfect is formed with `sein`.
    pub sein: bool,
    /// Base form and past; both include any word after the verb (`pick up`, `picked up`).
    pub english: (&'static str, &'static str),
    pub subject: Class,
    pub frame: Frame,
    /// True if a sentence may say where it happens.
    pub placed: bool,
    /// True for states such as knowing or loving, which appear in the present without a time.
    pub state: bool,
}

impl Verb {
    const fn sein(mut self) -> Verb {
        self.sein = true;
        self
    }
    const fn placed(mut self) -> Verb {
        self.placed = true;
        self
    }
    const fn state(mut self) -> Verb {
        self.state = true;
        self
    }
    const fn by(mut self, subject: Class) -> Verb {
        self.subject = subject;
        self
    }
}

const fn v(german: [&'static str; 4], english: (&'static str, &'static str), frame: Frame) -> Verb {
    let [infinitive, second, third, participle] = german;
    Verb {
        particle: "",
        infinitive,
        second,
        third,
        participle,
        sein: false,
        english,
        subject: PERSON,
        frame,
        placed: false,
        state: false,
    }
}

const fn separable(
    particle: &'static str,
    german: [&'static str; 4],
    english: (&'static str, &'static str),
    frame: Frame,
) -> Verb {
    Verb {
        particle,
        ..v(german, english, frame)
    }
}

use Case::{Accusative, Dative};
use Frame::{Alone, Clause, Dependent, Give, Goal, Object};

const PORTABLE: Class = THING | FOOD | DRINK;
const SEEN: Class = PERSON | ANIMAL | SIGHT | VEHICLE;

pub const BE: &Verb = &v(
    ["sein", "bist", "ist", "gewesen"],
    ("be", "was"),
    Frame::Copula,
)
.sein();

pub const VERBS: &[Verb] = &[
    v(
        ["schlafen", "schläfst", "schläft", "geschlafen"],
        ("sleep", "slept"),
        Alone,
    )
    .by(PERSON | ANIMAL)
    .placed(),
    v(
        ["spielen", "spielst", "spielt", "gespielt"],
        ("play", "played"),
        Alone,
    )
    .by(PERSON | ANIMAL)
    .placed(),
    v(
        ["arbeiten", "arbeitest", "arbeitet", "gearbeitet"],
        ("work", "worked"),
        Alone,
    )
    .placed(),
    v(
        ["singen", "singst", "singt", "gesungen"],
        ("sing", "sang"),
        Alone,
    )
    .placed(),
    v(
        ["tanzen", "tanzt", "tanzt", "getanzt"],
        ("dance", "danced"),
        Alone,
    )
    .placed(),
    v(
        ["lachen", "lachst", "lacht", "gelacht"],
        ("laugh", "laughed"),
        Alone,
    )
    .placed(),
    v(
        ["weinen", "weinst", "weint", "geweint"],
        ("cry", "cried"),
        Alone,
    )
    .placed(),
    v(
        ["warten", "wartest", "wartet", "gewartet"],
        ("wait", "waited"),
        Alone,
    )
    .by(PERSON | ANIMAL)
    .placed(),
    v(
        ["kochen", "kochst", "kocht", "gekocht"],
        ("cook", "cooked"),
        Alone,
    )
    .placed(),
    v(
        ["lernen", "lernst", "lernt", "gelernt"],
        ("study", "studied"),
        Alone,
    )
    .placed(),
    separable(
        "ein",
        ["kaufen", "kaufst", "kauft", "eingekauft"],
        ("go shopping", "went shopping"),
        Alone,
    ),
    separable(
        "auf",
        ["stehen", "stehst", "steht", "aufgestanden"],
        ("get up", "got up"),
        Alone,
    )
    .sein(),
    separable(
        "ein",
        ["schlafen", "schläfst", "schläft", "eingeschlafen"],
        ("fall asleep", "fell asleep"),
        Alone,
    )
    .sein()
    .by(PERSON | ANIMAL)
    .placed(),
    separable(
        "auf",
        ["wachen", "wachst", "wacht", "aufgewacht"],
        ("wake up", "woke up"),
        Alone,
    )
    .sein()
    .by(PERSON | ANIMAL),
    separable(
        "an",
        ["kommen", "kommst", "kommt", "angekommen"],
        ("arrive", "arrived"),
        Alone,
    )
    .sein()
    .by(PERSON | TRANSIT),
    separable(
        "fern",
        ["sehen", "siehst", "sieht", "ferngesehen"],
        ("watch television", "watched television"),
        Alone,
    ),
    v(["gehen", "gehst", "geht", "gegangen"], ("go", "went"), Goal).sein(),
    v(
        ["fahren", "fährst", "fährt", "gefahren"],
        ("drive", "drove"),
        Goal,
    )
    .sein(),
    v(
        ["laufen", "läufst", "läuft", "gelaufen"],
        ("run", "ran"),
        Goal,
    )
    .sein(),
    v(
        ["lesen", "liest", "liest", "gelesen"],
        ("read", "read"),
        Object(TEXT),
    )
    .placed(),
    v(
        ["schreiben", "schreibst", "schreibt", "geschrieben"],
        ("write", "wrote"),
        Object(TEXT & !THING),
    )
    .placed(),
    v(
        ["essen", "isst", "isst", "gegessen"],
        ("eat", "ate"),
        Object(FOOD),
    )
    .placed(),
    v(
        ["fressen", "frisst", "frisst", "gefressen"],
        ("eat", "ate"),
        Object(FODDER),
    )
    .by(ANIMAL)
    .placed(),
    v(
        ["trinken", "trinkst", "trinkt", "getrunken"],
        ("drink", "drank"),
        Object(DRINK),
    )
    .placed(),
    v(
        ["kaufen", "kaufst", "kauft", "gekauft"],
        ("buy", "bought"),
        Object(PORTABLE | VEHICLE),
    ),
    v(
        ["verkaufen", "verkaufst", "verkauft", "verkauft"],
        ("sell", "sold"),
        Object(THING | VEHICLE | FOOD),
    ),
    v(
        ["sehen", "siehst", "sieht", "gesehen"],
        ("see", "saw"),
        Object(SEEN),
    ),
    v(
        ["suchen", "suchst", "sucht", "gesucht"],
        ("look for", "looked for"),
        Object(PERSON | ANIMAL | THING | BUILDING),
    ),
    v(
        ["finden", "findest", "findet", "gefunden"],
        ("find", "found"),
        Object(THING | BUILDING | ANIMAL),
    ),
    v(
        ["besuchen", "besuchst", "besucht", "besucht"],
        ("visit", "visited"),
        Object(PERSON),
    ),
    v(
        ["treffen", "triffst", "trifft", "getroffen"],
        ("meet", "met"),
        Object(PERSON),
    )
    .placed(),
    v(
        ["kennen", "kennst", "kennt", "gekannt"],
        ("know", "knew"),
        Object(PERSON),
    )
    .state(),
    v(
        ["lieben", "liebst", "liebt", "geliebt"],
        ("love", "loved"),
        Object(PERSON | ANIMAL),
    )
    .state(),
    v(
        ["fragen", "fragst", "fragt", "gefragt"],
        ("ask", "asked"),
        Object(PERSON),
    ),
    v(
        ["tragen", "trägst", "trägt", "getragen"],
        ("wear", "wore"),
        Object(GARMENT),
    )
    .placed(),
    v(
        ["öffnen", "öffnest", "öffnet", "geöffnet"],
        ("open", "opened"),
        Object(OPENING),
    ),
    v(
        ["vergessen", "vergisst", "vergisst", "vergessen"],
        ("forget", "forgot"),
        Object(THING),
    ),
    v(
        ["verlieren", "verlierst", "verliert", "verloren"],
        ("lose", "lost"),
        Object(THING),
    ),
    v(
        ["brauchen", "brauchst", "braucht", "gebraucht"],
        ("need", "needed"),
        Object(THING | VEHICLE),
    )
    .state(),
    v(
        ["malen", "malst", "malt", "gemalt"],
        ("paint", "painted"),
        Object(SIGHT | ANIMAL),
    )
    .placed(),
    v(
        ["hören", "hörst", "hört", "gehört"],
        ("hear", "heard"),
        Object(SONG | ANIMAL),
    )
    .placed(),
    separable(
        "ab",
        ["holen", "holst", "holt", "abgeholt"],
        ("pick up", "picked up"),
        Object(PERSON),
    ),
    separable(
        "an",
        ["rufen", "rufst", "ruft", "angerufen"],
        ("call", "called"),
        Object(PERSON),
    ),
    separable(
        "ein",
        ["laden", "lädst", "lädt", "eingeladen"],
        ("invite", "invited"),
        Object(PERSON),
    ),
    separable(
        "zu",
        ["machen", "machst", "macht", "zugemacht"],
        ("close", "closed"),
        Object(OPENING),
    ),
    separable(
        "weg",
        ["werfen", "wirfst", "wirft", "weggeworfen"],
        ("throw away", "threw away"),
        Object(THING & !BUILDING),
    ),
    v(
        ["helfen", "hilfst", "hilft", "geholfen"],
        ("help", "helped"),
        Frame::Dative,
    )
    .placed(),
    v(
        ["danken", "dankst", "dankt", "gedankt"],
        ("thank", "thanked"),
        Frame::Dative,
    ),
    v(
        ["antworten", "antwortest", "antwortet", "geantwortet"],
        ("answer", "answered"),
        Frame::Dative,
    ),
    v(
        ["folgen", "folgst", "folgt", "gefolgt"],
        ("follow", "followed"),
        Frame::Dative,
    )
    .sein(),
    separable(
        "zu",
        ["hören", "hörst", "hört", "zugehört"],
        ("listen to", "listened to"),
        Frame::Dative,
    ),
    v(
        ["geben", "gibst", "gibt", "gegeben"],
        ("give", "gave"),
        Give(PORTABLE),
    ),
    v(
        ["zeigen", "zeigst", "zeigt", "gezeigt"],
        ("show", "showed"),
        Give(THING | TEXT | VEHICLE),
    ),
    v(
        ["bringen", "bringst", "bringt", "gebracht"],
        ("bring", "brought"),
        Give(PORTABLE),
    ),
    v(
        ["schicken", "schickst", "schickt", "geschickt"],
        ("send", "sent"),
        Give(TEXT),
    ),
    v(
        ["warten", "wartest", "wartet", "gewartet"],
        ("wait", "waited"),
        Dependent("auf", "for", Accusative, PERSON | TRANSIT),
    ),
    v(
        ["denken", "denkst", "denkt", "gedacht"],
        ("think", "thought"),
        Dependent("an", "of", Accusative, PERSON),
    ),
    v(
        ["sprechen", "sprichst", "spricht", "gesprochen"],
        ("speak", "spoke"),
        Dependent("mit", "with", Dative, PERSON),
    )
    .placed(),
    v(
        ["spielen", "spielst", "spielt", "gespielt"],
        ("play", "played"),
        Dependent("mit", "with", Dative, ANIMAL),
    )
    .placed(),
    v(
        ["gefallen", "gefällst", "gefällt", "gefallen"],
        ("like", "liked"),
        Frame::Please,
    )
    .state()
    .by(TEXT | SONG | THING | SIGHT | VEHICLE),
    v(
        ["wissen", "weißt", "weiß", "gewusst"],
        ("know", "knew"),
        Clause,
    )
    .state(),
    v(
        ["glauben", "glaubst", "glaubt", "geglaubt"],
        ("believe", "believed"),
        Clause,
    )
    .state(),
    v(
        ["sagen", "sagst", "sagt", "gesagt"],
        ("say", "said"),
        Clause,
    )
    .state(),
    v(
        ["hoffen", "hoffst", "hofft", "gehofft"],
        ("hope", "hoped"),
        Clause,
    )
    .state(),
];

pub const WEATHER: &[Verb] = &[
    v(
        ["regnen", "regnest", "regnet", "geregnet"],
        ("rain", "rained"),
        Alone,
    ),
    v(
        ["schneien", "schneist", "schneit", "geschneit"],
        ("snow", "snowed"),
        Alone,
    ),
];

#[derive(Debug)]
pub struct Modal {
    /// Forms for ich/er, du, wir/sie and ihr.
    pub german: [&'static str; 4],
    pub english: EnglishModal,
}

#[derive(Debug)]
pub enum EnglishModal {
    /// Takes the bare verb and `not`: should.
    Auxiliary(&'static str, &'static str),
    /// A full verb with do-support: has to.
    Verb(&'static str),
    /// `be` and a phrase: is allowed to.
    Be(&'static str),
}

pub const MODALS: &[Modal] = &[
    Modal {
        german: ["kann", "kannst", "können", "könnt"],
        english: EnglishModal::Auxiliary("can", ""),
    },
    Modal {
        german: ["soll", "sollst", "sollen", "sollt"],
        english: EnglishModal::Auxiliary("should", ""),
    },
    Modal {
        german: ["möchte", "möchtest", "möchten", "möchtet"],
        english: EnglishModal::Auxiliary("would", "like to"),
    },
    Modal {
        german: ["muss", "musst", "müssen", "müsst"],
        english: EnglishModal::Verb("have to"),
    },
    Modal {
        german: ["will", "willst", "wollen", "wollt"],
        english: EnglishModal::Verb("want to"),
    },
    Modal {
        german: ["darf", "darfst", "dürfen", "dürft"],
        english: EnglishModal::Be("allowed to"),
    },
];
