//! The vocabulary: nouns, adjectives, determiners, pronouns and adverbials, each in both languages.

/// A set of meanings, one bit each; a verb has a set for its subject and one for its object.
pub type Class = u32;
pub const PERSON: Class = 1;
pub const ANIMAL: Class = 1 << 1;
pub const FOOD: Class = 1 << 2;
pub const DRINK: Class = 1 << 3;
pub const TEXT: Class = 1 << 4;
pub const THING: Class = 1 << 5;
pub const VEHICLE: Class = 1 << 6;
pub const PLACE: Class = 1 << 7;
pub const OPENING: Class = 1 << 8;
pub const GARMENT: Class = 1 << 9;
pub const SIGHT: Class = 1 << 10;
pub const SONG: Class = 1 << 11;
pub const FODDER: Class = 1 << 12;
/// Nouns with no plural and no indefinite article, in both languages.
pub const MASS: Class = 1 << 13;
/// People who belong to someone. Others take no possessive, because `meine Frau` is a wife.
pub const KIN: Class = 1 << 14;
/// Singular only, definite or possessive: everyone has one father.
pub const SOLE: Class = 1 << 15;
pub const TRADE: Class = 1 << 16;
/// Transport for which one waits: bus, train.
pub const TRANSIT: Class = 1 << 17;
/// A place that can be looked for or found.
pub const BUILDING: Class = 1 << 18;
/// A destination.
pub const GOAL: Class = 1 << 19;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gender {
    Masculine,
    Feminine,
    Neuter,
}
use Gender::{Feminine as F, Masculine as M, Neuter as N};

#[derive(Debug)]
pub struct Noun {
    pub german: &'static str,
    pub gender: Gender,
    /// Empty for a mass noun.
    pub german_plural: &'static str,
    pub english: &'static str,
    pub english_plural: &'static str,
    pub class: Class,
    /// N-declension: every singular form except the nominative is that of the plural (`den Jungen`).
    pub weak: bool,
}

type English = (&'static str, &'static str);

const fn n(
    german: &'static str,
    gender: Gender,
    german_plural: &'static str,
    english: English,
    class: Class,
) -> Noun {
    Noun {
        german,
        gender,
        german_plural,
        english: english.0,
        english_plural: english.1,
        class,
        weak: false,
    }
}

const fn weak(
    german: &'static str,
    german_plural: &'static str,
    english: English,
    class: Class,
) -> Noun {
    Noun {
        weak: true,
        ..n(german, M, german_plural, english, class)
    }
}

const fn mass(german: &'static str, gender: Gender, english: &'static str, class: Class) -> Noun {
    n(german, gender, "", (english, ""), class | MASS)
}

pub const NOUNS: &[Noun] = &[
    n("Mann", M, "Männer", ("man", "men"), PERSON),
    n("Frau", F, "Frauen", ("woman", "women"), PERSON),
    n("Kind", N, "Kinder", ("child", "children"), PERSON | KIN),
    n("Mädchen", N, "Mädchen", ("girl", "girls"), PERSON),
    weak("Junge", "Jungen", ("boy", "boys"), PERSON),
    n(
        "Vater",
        M,
        "Väter",
        ("father", "fathers"),
        PERSON | KIN | SOLE,
    ),
    n(
        "Mutter",
        F,
        "Mütter",
        ("mother", "mothers"),
        PERSON | KIN | SOLE,
    ),
    n(
        "Großvater",
        M,
        "Großväter",
        ("grandfather", "grandfathers"),
        PERSON | KIN | SOLE,
    ),
    n(
        "Großmutter",
        F,
        "Großmütter",
        ("grandmother", "grandmothers"),
        PERSON | KIN | SOLE,
    ),
    n("Bruder", M, "Brüder", ("brother", "brothers"), PERSON | KIN),
    n(
        "Schwester",
        F,
        "Schwestern",
        ("sister", "sisters"),
        PERSON | KIN,
    ),
    n("Sohn", M, "Söhne", ("son", "sons"), PERSON | KIN),
    n(
        "Tochter",
        F,
        "Töchter",
        ("daughter", "daughters"),
        PERSON | KIN,
    ),
    n("Onkel", M, "Onkel", ("uncle", "uncles"), PERSON | KIN),
    n("Tante", F, "Tanten", ("aunt", "aunts"), PERSON | KIN),
    n("Freund", M, "Freunde", ("friend", "friends"), PERSON | KIN),
    weak(
        "Nachbar",
        "Nachbarn",
        ("neighbour", "neighbours"),
        PERSON | KIN,
    ),
    weak(
        "Kollege",
        "Kollegen",
        ("colleague", "colleagues"),
        PERSON | KIN,
    ),
    n("Gast", M, "Gäste", ("guest", "guests"), PERSON | KIN),
    n(
        "Lehrer",
        M,
        "Lehrer",
        ("teacher", "teachers"),
        PERSON | KIN | TRADE,
    ),
    n("Schüler", M, "Schüler", ("pupil", "pupils"), PERSON),
    weak(
        "Student",
        "Studenten",
        ("student", "students"),
        PERSON | TRADE,
    ),
    n("Arzt", M, "Ärzte", ("doctor", "doctors"), PERSON | TRADE),
    n("Koch", M, "Köche", ("cook", "cooks"), PERSON | TRADE),
    n("Bäcker", M, "Bäcker", ("baker", "bakers"), PERSON | TRADE),
    n(
        "Verkäuferin",
        F,
        "Verkäuferinnen",
        ("saleswoman", "saleswomen"),
        PERSON,
    ),
    n(
        "Kellnerin",
        F,
        "Kellnerinnen",
        ("waitress", "waitresses"),
        PERSON,
    ),
    weak(
        "Polizist",
        "Polizisten",
        ("policeman", "policemen"),
        PERSON | TRADE,
    ),
    n("Bauer", M, "Bauern", ("farmer", "farmers"), PERSON | TRADE).declined_weakly(),
    n(
        "Künstlerin",
        F,
        "Künstlerinnen",
        ("artist", "artists"),
        PERSON,
    ),
    n(
        "Ingenieur",
        M,
        "Ingenieure",
        ("engineer", "engineers"),
        PERSON | TRADE,
    ),
    n("Königin", F, "Königinnen", ("queen", "queens"), PERSON),
    n("Hund", M, "Hunde", ("dog", "dogs"), ANIMAL),
    n("Katze", F, "Katzen", ("cat", "cats"), ANIMAL),
    n("Pferd", N, "Pferde", ("horse", "horses"), ANIMAL),
    n("Vogel", M, "Vögel", ("bird", "birds"), ANIMAL),
    n("Maus", F, "Mäuse", ("mouse", "mice"), ANIMAL),
    n("Schaf", N, "Schafe", ("sheep", "sheep"), ANIMAL),
    weak("Elefant", "Elefanten", ("elephant", "elephants"), ANIMAL),
    weak("Affe", "Affen", ("monkey", "monkeys"), ANIMAL),
    n("Apfel", M, "Äpfel", ("apple", "apples"), FOOD),
    n("Birne", F, "Birnen", ("pear", "pears"), FOOD),
    n("Orange", F, "Orangen", ("orange", "oranges"), FOOD),
    n("Ei", N, "Eier", ("egg", "eggs"), FOOD),
    n("Kuchen", M, "Kuchen", ("cake", "cakes"), FOOD),
    n("Tomate", F, "Tomaten", ("tomato", "tomatoes"), FOOD),
    n("Kartoffel", F, "Kartoffeln", ("potato", "potatoes"), FOOD),
    mass("Brot", N, "bread", FOOD | FODDER),
    mass("Fleisch", N, "meat", FOOD | FODDER),
    mass("Käse", M, "cheese", FOOD),
    mass("Reis", M, "rice", FOOD),
    mass("Obst", N, "fruit", FOOD),
    mass("Wasser", N, "water", DRINK),
    mass("Milch", F, "milk", DRINK),
    mass("Kaffee", M, "coffee", DRINK),
    mass("Tee", M, "tea", DRINK),
    mass("Wein", M, "wine", DRINK),
    n("Buch", N, "Bücher", ("book", "books"), TEXT | THING),
    n("Brief", M, "Briefe", ("letter", "letters"), TEXT),
    n(
        "Zeitung",
        F,
        "Zeitungen",
        ("newspaper", "newspapers"),
        TEXT | THING,
    ),
    n("Gedicht", N, "Gedichte", ("poem", "poems"), TEXT),
    n("Geschichte", F, "Geschichten", ("story", "stories"), TEXT),
    n("Roman", M, "Romane", ("novel", "novels"), TEXT | THING),
    n("Lied", N, "Lieder", ("song", "songs"), SONG),
    n("Tasche", F, "Taschen", ("bag", "bags"), THING),
    n("Ball", M, "Bälle", ("ball", "balls"), THING),
    n("Schlüssel", M, "Schlüssel", ("key", "keys"), THING),
    n("Lampe", F, "Lampen", ("lamp", "lamps"), THING),
    n("Uhr", F, "Uhren", ("watch", "watches"), THING),
    n("Blume", F, "Blumen", ("flower", "flowers"), THING),
    n("Geschenk", N, "Geschenke", ("present", "presents"), THING),
    n("Bild", N, "Bilder", ("picture", "pictures"), THING),
    n("Stuhl", M, "Stühle", ("chair", "chairs"), THING),
    n("Tisch", M, "Tische", ("table", "tables"), THING),
    n("Messer", N, "Messer", ("knife", "knives"), THING),
    n(
        "Regenschirm",
        M,
        "Regenschirme",
        ("umbrella", "umbrellas"),
        THING,
    ),
    n("Mantel", M, "Mäntel", ("coat", "coats"), GARMENT | THING),
    n("Hut", M, "Hüte", ("hat", "hats"), GARMENT | THING),
    n("Hemd", N, "Hemden", ("shirt", "shirts"), GARMENT | THING),
    n("Jacke", F, "Jacken", ("jacket", "jackets"), GARMENT | THING),
    n("Auto", N, "Autos", ("car", "cars"), VEHICLE),
    n("Fahrrad", N, "Fahrräder", ("bicycle", "bicycles"), VEHICLE),
    n("Boot", N, "Boote", ("boat", "boats"), VEHICLE),
    n("Zug", M, "Züge", ("train", "trains"), TRANSIT),
    n("Bus", M, "Busse", ("bus", "buses"), TRANSIT),
    n("Tür", F, "Türen", ("door", "doors"), OPENING),
    n("Fenster", N, "Fenster", ("window", "windows"), OPENING),
    n(
        "Koffer",
        M,
        "Koffer",
        ("suitcase", "suitcases"),
        OPENING | THING,
    ),
    n(
        "Flasche",
        F,
        "Flaschen",
        ("bottle", "bottles"),
        OPENING | THING,
    ),
    n("Baum", M, "Bäume", ("tree", "trees"), SIGHT),
    n("Haus", N, "Häuser", ("house", "houses"), SIGHT | BUILDING),
    n(
        "Brücke",
        F,
        "Brücken",
        ("bridge", "bridges"),
        SIGHT | BUILDING,
    ),
    n("Turm", M, "Türme", ("tower", "towers"), SIGHT | BUILDING),
    n(
        "Schloss",
        N,
        "Schlösser",
        ("castle", "castles"),
        SIGHT | BUILDING,
    ),
    n("Park", M, "Parks", ("park", "parks"), PLACE | GOAL),
    n("Garten", M, "Gärten", ("garden", "gardens"), PLACE),
    n("Wald", M, "Wälder", ("forest", "forests"), PLACE),
    n("Stadt", F, "Städte", ("city", "cities"), PLACE | GOAL),
    n("Dorf", N, "Dörfer", ("village", "villages"), PLACE | GOAL),
    n(
        "Museum",
        N,
        "Museen",
        ("museum", "museums"),
        PLACE | GOAL | BUILDING,
    ),
    n(
        "Restaurant",
        N,
        "Restaurants",
        ("restaurant", "restaurants"),
        PLACE | GOAL | BUILDING,
    ),
    n(
        "Hotel",
        N,
        "Hotels",
        ("hotel", "hotels"),
        PLACE | GOAL | BUILDING,
    ),
    n(
        "Bibliothek",
        F,
        "Bibliotheken",
        ("library", "libraries"),
        PLACE | GOAL | BUILDING,
    ),
    n(
        "Büro",
        N,
        "Büros",
        ("office", "offices"),
        PLACE | GOAL | BUILDING,
    ),
    n("Küche", F, "Küchen", ("kitchen", "kitchens"), PLACE),
    n("Zimmer", N, "Zimmer", ("room", "rooms"), PLACE),
];

impl Noun {
    const fn declined_weakly(mut self) -> Noun {
        self.weak = true;
        self
    }

    pub const fn is(&self, class: Class) -> bool {
        self.class & class != 0
    }
}

#[derive(Debug)]
pub struct Adjective {
    pub german: &'static str,
    /// Stem for the endings: `teuer`, but `ein teures Auto`.
    pub stem: &'static str,
    pub english: &'static str,
    /// Nouns that it can describe.
    pub class: Class,
    /// `älter`, `older`; empty if it is never compared here.
    pub comparative: English,
}

const fn a(german: &'static str, english: &'static str, class: Class) -> Adjective {
    Adjective {
        german,
        stem: german,
        english,
        class,
        comparative: ("", ""),
    }
}

const fn compared(
    german: &'static str,
    english: &'static str,
    class: Class,
    comparative: English,
) -> Adjective {
    Adjective {
        comparative,
        ..a(german, english, class)
    }
}

const ALIVE: Class = PERSON | ANIMAL;
const OBJECTS: Class = THING | VEHICLE | GARMENT;

pub const ADJECTIVES: &[Adjective] = &[
    compared(
        "alt",
        "old",
        ALIVE | OBJECTS | SIGHT | PLACE | SONG | TEXT,
        ("älter", "older"),
    ),
    compared("jung", "young", ALIVE, ("jünger", "younger")),
    compared(
        "klein",
        "small",
        ALIVE | OBJECTS | SIGHT | PLACE | OPENING,
        ("kleiner", "smaller"),
    ),
    compared(
        "groß",
        "big",
        ANIMAL | SIGHT | PLACE | OPENING | VEHICLE,
        ("größer", "bigger"),
    ),
    compared("stark", "strong", ALIVE, ("stärker", "stronger")),
    compared("klug", "clever", ALIVE, ("klüger", "cleverer")),
    compared("reich", "rich", PERSON, ("reicher", "richer")),
    compared("arm", "poor", PERSON, ("ärmer", "poorer")),
    a("freundlich", "friendly", PERSON),
    a("nett", "nice", PERSON),
    a("berühmt", "famous", PERSON),
    a("fleißig", "hard-working", PERSON),
    a("hungrig", "hungry", ALIVE),
    a("krank", "sick", ALIVE),
    a("glücklich", "happy", PERSON),
    a("traurig", "sad", PERSON | SONG),
    Adjective {
        stem: "müd",
        ..a("müde", "tired", ALIVE)
    },
    compared("schnell", "fast", VEHICLE | ANIMAL, ("schneller", "faster")),
    compared(
        "neu",
        "new",
        OBJECTS | SIGHT | PLACE | TEXT | SONG,
        ("neuer", "newer"),
    ),
    compared(
        "schön",
        "beautiful",
        OBJECTS | SIGHT | PLACE | SONG | TEXT,
        ("schöner", "more beautiful"),
    ),
    compared("billig", "cheap", OBJECTS, ("billiger", "cheaper")),
    Adjective {
        stem: "teur",
        ..compared("teuer", "expensive", OBJECTS, ("teurer", "more expensive"))
    },
    compared("schwer", "heavy", THING, ("schwerer", "heavier")),
    a("rot", "red", OBJECTS),
    a("blau", "blue", OBJECTS),
    a("grün", "green", OBJECTS),
    a("schwarz", "black", OBJECTS | ANIMAL),
    a("weiß", "white", OBJECTS | ANIMAL),
    compared(
        "interessant",
        "interesting",
        TEXT,
        ("interessanter", "more interesting"),
    ),
    compared("lang", "long", TEXT | SONG, ("länger", "longer")),
    compared("kurz", "short", TEXT | SONG, ("kürzer", "shorter")),
    a("langweilig", "boring", TEXT),
    a("lustig", "funny", TEXT | SONG),
    a("frisch", "fresh", FOOD),
    a("gut", "good", FOOD | DRINK | TEXT),
    a("süß", "sweet", DRINK),
    a("kalt", "cold", DRINK),
    a("warm", "warm", DRINK | GARMENT),
    a("ruhig", "quiet", PLACE),
    Adjective {
        stem: "dunkl",
        ..a("dunkel", "dark", PLACE)
    },
    a("hässlich", "ugly", OBJECTS | SIGHT),
    a("leer", "empty", OPENING),
    a("offen", "open", OPENING),
];

/// True if the adjective can describe the noun.
pub fn fits(adjective: &Adjective, noun: &Noun) -> bool {
    // The classes allow these, but people do not say them: 'leer' is for what can be opened, yet a door isn't empty.
    let odd = matches!(
        (adjective.german, noun.german),
        ("leer" | "offen", "Tür" | "Fenster")
            | (
                "jung" | "alt" | "klein",
                "Junge" | "Mädchen" | "Großvater" | "Großmutter"
            )
            | ("warm", "Milch" | "Wein")
            | ("lang" | "kurz", "Zeitung")
            | ("frisch", "Reis")
            | (
                "rot" | "blau" | "grün" | "schwarz" | "weiß" | "schwer",
                "Bild" | "Geschenk"
            )
            | ("schwer", "Blume" | "Hut" | "Hemd" | "Schlüssel")
            | ("blau" | "grün" | "rot", "Messer")
    );
    // A book is a thing, but adjectives describe its text.
    let class = if noun.is(TEXT) { TEXT } else { noun.class };
    adjective.class & class != 0 && !odd
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Person {
    I,
    Thou,
    He,
    She,
    It,
    We,
    You,
    They,
}

impl Person {
    pub const fn plural(self) -> bool {
        matches!(self, Person::We | Person::You | Person::They)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Determiner {
    Definite,
    Indefinite,
    /// No article, in the plural or with a mass noun.
    Bare,
    No,
    This,
    Every,
    All,
    Many,
    Some,
    Which,
    Number(usize),
    Possessive(Person),
}

/// Numbers from two on: index 0 is two.
pub const NUMBERS: &[English] = &[
    ("zwei", "two"),
    ("drei", "three"),
    ("vier", "four"),
    ("fünf", "five"),
    ("sechs", "six"),
    ("sieben", "seven"),
    ("acht", "eight"),
    ("neun", "nine"),
    ("zehn", "ten"),
];

/// Words that are said and translated together; `links` are pairs of their positions.
#[derive(Debug)]
pub struct Phrase {
    pub german: &'static str,
    pub english: &'static str,
    pub links: &'static [(usize, usize)],
}

const fn p(
    german: &'static str,
    english: &'static str,
    links: &'static [(usize, usize)],
) -> Phrase {
    Phrase {
        german,
        english,
        links,
    }
}

const ONE: &[(usize, usize)] = &[(0, 0)];
const TWO: &[(usize, usize)] = &[(0, 0), (1, 1)];
const THREE: &[(usize, usize)] = &[(0, 0), (1, 1), (2, 2)];
const PREPOSITION: &[(usize, usize)] = &[(0, 0), (0, 1), (1, 2)];
const PLURAL: &[(usize, usize)] = &[(0, 0), (0, 1)];
const AGO: &[(usize, usize)] = &[(0, 2), (1, 0), (2, 1)];

pub const HABITS: &[Phrase] = &[
    p("jeden Tag", "every day", TWO),
    p("jede Woche", "every week", TWO),
    p("am Abend", "in the evening", PREPOSITION),
    p("am Morgen", "in the morning", PREPOSITION),
    p("im Sommer", "in summer", TWO),
    p("im Winter", "in winter", TWO),
    p("montags", "on Mondays", PLURAL),
    p("sonntags", "on Sundays", PLURAL),
];
pub const PAST_TIMES: &[Phrase] = &[
    p("gestern", "yesterday", ONE),
    p("letzte Woche", "last week", TWO),
    p("heute Morgen", "this morning", TWO),
    p("am Montag", "on Monday", TWO),
    p("am Freitag", "on Friday", TWO),
    p("vor zwei Tagen", "two days ago", AGO),
    p("vor drei Wochen", "three weeks ago", AGO),
    p("vor vier Monaten", "four months ago", AGO),
];
pub const COMING_TIMES: &[Phrase] = &[
    p("morgen", "tomorrow", ONE),
    p("heute", "today", ONE),
    p("nächste Woche", "next week", TWO),
    p("am Montag", "on Monday", TWO),
    p("am Freitag", "on Friday", TWO),
    p("in zwei Tagen", "in two days", THREE),
    p("in drei Wochen", "in three weeks", THREE),
];
/// Adverbs that come before the English main verb.
pub const FREQUENCIES: &[Phrase] = &[
    p("oft", "often", ONE),
    p("immer", "always", ONE),
    p("nie", "never", ONE),
    p("manchmal", "sometimes", ONE),
    p("selten", "rarely", ONE),
];
