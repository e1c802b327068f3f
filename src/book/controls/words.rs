//! What the lessons say of the program's keys, and what a page says in its place.

/// How an aside in brackets begins that says how long the program takes for an answer. A page has its answers.
pub const WAITS: [&str; 3] = [
    " (To check your answer, ",
    " (Your answer is checked by ",
    " (The question trains ",
];

/// What a reader of the page has instead. Longer phrases first.
pub const INSTEAD: &[(&str, &str)] = &[
    // What runs while one watches has run.
    (
        " The stage now shows the tensors of this model, until you turn a knob.",
        "",
    ),
    (
        " From then on, the stage can also show the trained model.",
        "",
    ),
    (
        " Everything in this lesson is trained on your machine while you watch.",
        "",
    ),
    (
        " What you start in this lesson is trained on your machine while you watch.",
        "",
    ),
    // A sentence of one's own is the program's, and it has a command for it.
    (
        "Press `m`, type a German sentence, and press Enter: the model writes its translation.",
        "A German sentence of your own is for the program: `transformer-tutor translate 'Ich habe keine Zeit.'` writes its translation.",
    ),
    // Where things stand.
    (
        "The **leak indicator** in the first line shows",
        "The **leak indicator**, below the figure after \"Leak\", shows",
    ),
    (
        "the mark stands at the embeddings",
        "the box with the heavy frame is the embeddings",
    ),
    (
        "In front of each box stands the number of its lesson, behind it the shape of its tensor",
        "In each box stand the number of its lesson and the shape of its tensor",
    ),
    ("Key 4 switches", "Mistake 4 switches"),
    // The page's figures stand in the place of the stage.
    (
        "the **stage**, the picture that comes with this text, shows it at work",
        "the **figures** of this book show it at work",
    ),
    (
        "A **knob** is a setting of the stage",
        "A **knob** is a setting of a figure",
    ),
    ("Every number on this screen", "Every number in this book"),
    ("on the stage", "in the figure"),
    ("On the stage", "In the figure"),
    ("on this stage", "in this figure"),
    ("before the stage", "before the figure"),
    ("computed by the stage", "computed by the lesson"),
    ("The stage refuses", "The run refuses"),
    ("this stage does", "this run does"),
    ("The stage runs", "The lesson runs"),
    ("This stage", "This lesson"),
    ("The stage", "The figure"),
    ("the stage", "the figure"),
    // The cursor is a cell with an outline.
    (
        "Put the cursor on any cell and press Enter",
        "Choose any cell",
    ),
    (
        "put the cursor on any cell and press Enter",
        "choose any cell",
    ),
    (
        "Put the cursor there and press Enter again and again",
        "Choose it, and then number after number",
    ),
    (
        "Put the cursor on a row and on the column of a token, and press Enter",
        "Choose a cell in the column of a token",
    ),
    (
        ", put the cursor on the box \"5 cross attn\" and press Enter",
        ", open the box \"5 cross attn\"",
    ),
    ("Move the cursor along one of them", "Follow one of them"),
    (
        "for the row with the cursor",
        "for the row of the outlined cell",
    ),
    (
        "for the sentence with the cursor",
        "for the sentence of the outlined cell",
    ),
    (
        "those of the row with the cursor",
        "those of the row of the outlined cell",
    ),
    ("the row under the cursor", "the row of the outlined cell"),
    ("The cursor stands", "The outlined cell stands"),
    ("the cursor is on", "the outlined cell is"),
    // Asking a cell.
    ("Press Enter. You see", "Choose it. You see"),
    (
        "Press Enter again to go down to the number that is marked",
        "Choose the first of them to go down",
    ),
    ("Press Enter on ", "Choose "),
    ("press Enter on ", "choose "),
    ("Enter on a cell goes", "Choosing a cell goes"),
    ("Enter on a cell shows", "Choosing a cell shows"),
    ("Enter on a cell says", "Choosing a cell says"),
    ("Enter on a cell leads", "Choosing a cell leads"),
    ("Enter on the cell shows", "Choosing the cell shows"),
    ("Enter on the id shows", "Choosing the id shows"),
    ("Enter on a cell of", "Choosing a cell of"),
    ("Enter on any number says", "choosing any number says"),
    ("Enter on a cell:", "Choose a cell:"),
    ("Enter on a cell", "Choose a cell"),
    ("Enter on the one of", "Choosing the one of"),
    ("Enter on the ", "Choose the "),
    ("Enter on it", "Choose it"),
    ("then Enter again on ", "then "),
    ("then Enter on ", "then "),
    ("Backspace goes back.", "*Back* goes back."),
    ("Step back: between", "Between"),
    // A page has no steps to go through: it shows the tensor.
    ("Step on to `", "Then look at `"),
    ("Step to `", "Look at `"),
    ("step to `", "look at `"),
    // A mask's cells have their numbers here.
    (
        "A cross is a blocked cell, 0; all others are open, 1.",
        "A 0 is a blocked cell, a 1 an open one.",
    ),
    ("Enter on any ", "Choose any "),
    ("Backspace goes back up", "*Back* goes back up"),
    // Mistakes.
    ("`d` draws what changed", "*Difference* shows what changed"),
    (
        "`d` draws the difference",
        "*Difference* shows the difference",
    ),
    (
        "Press `d` for the difference",
        "Choose *Difference* to see the difference",
    ),
    ("press `d`", "choose *Difference*"),
    (", and d to see the difference", ", and choose *Difference*"),
    (
        "(Press a number again to switch it off.)",
        "(Choose it again to switch it off.)",
    ),
    (
        "The same key switches the mistake off",
        "The same button switches the mistake off",
    ),
    ("Each of the keys `1` to", "Each of the mistakes `1` to"),
    ("Before you press one", "Before you choose one"),
    ("| key | what is missing |", "| mistake | what is missing |"),
    ("; keys 1 to 7 show them", ""),
    ("the mistakes on keys 1 to", "the mistakes 1 to"),
    ("Go through keys", "Go through mistakes"),
    // Ways to a picture.
    (
        " and press `v` until you see the picture ",
        " and look at the picture ",
    ),
    (
        "Press `v` until you see the picture ",
        "Look at the picture ",
    ),
    (" with `v`", ""),
    (" (key v)", ""),
    (": type : and this name", ""),
    (
        "Press Enter to measure every head.",
        "Every head is measured.",
    ),
    ("Press Enter to measure it: the", "Measured: the"),
    (" and press r: ", ": "),
    (" and press r. ", ". "),
    (
        "give the first cell a 0. The mask now hides the start as padding. Look at `decoder.layers.0.self_attn.weights`: row 0 has",
        "with a 0 in the first cell the mask hides the start as padding. In `decoder.layers.0.self_attn.weights` row 0 then has",
    ),
    (
        "give the cell a 7. Nothing breaks",
        "with a 7 in it nothing breaks",
    ),
    (" and press Enter to start", ""),
    (", and press g on some cells", ""),
    (
        "Not started until you press r. It takes",
        "The program runs it when it is asked to. It takes",
    ),
    (
        "Then look at `encoder.norm` and press `>` for the second sentence, in which token 3 occurs twice. Both of its rows",
        "In the second sentence token 3 occurs twice. In `encoder.norm` both of its rows",
    ),
    (", and press Enter", ""),
    (" and press Enter", ""),
    (" and press g on some cells", ""),
    (": press `x`", ""),
    ("Press `x`: your file is", "Your file is"),
];

/// Words that say with which keys a knob is turned, and what is left of them: the page has sliders.
pub const TURNING: &[(&str, &str)] = &[
    ("; { and } choose the knob", ""),
    ("Press } until the knob ", "Turn the knob "),
    ("Press { or } until the knob ", "Turn the knob "),
    (" is chosen, then ] to turn it up", " up"),
    (" is chosen, then [ to lower it", " down"),
    (" with { or }, and lower it with [", " and lower it"),
    (": `}` goes to it, `]` and `[` turn it", ""),
    (": `}` goes to it, and `]` turns it", ""),
    (" with { and }, and turn it with [ and ]", ""),
    (" with }, turn it with [ and ]", " and turn it"),
    ("{ and } choose a knob, ] and [ turn it: turn", "Turn"),
    (
        "; the keys < and > show heads 1, 2 and 3, and # shows all four at once",
        "; the slider shows heads 1, 2 and 3",
    ),
    ("< and > show the other", "The slider shows the other"),
    (
        "The keys < and > choose another head",
        "The slider chooses another head",
    ),
    ("`<` and `>` change the head", "The slider changes the head"),
    (" with `}` and turn it with `]` to", " and turn it to"),
    (" up with ], one at a time", " up, one at a time"),
    (" with ] to ", " to "),
    (" with `]` to ", " to "),
];

/// Signs of keys that are no words. A key alone is also what a query meets, and `x` alone a tensor.
pub const SIGNS: &[&str] = &[
    "key `",
    "keys `",
    "The keys <",
    "the keys <",
    "The keys r",
    "The keys,",
    "The key #",
    "with B ",
    "< and >",
    "{ and }",
    "[ and ]",
    ", B back",
    ":look",
    "ype `",
    "ype another",
    "ype your own",
    "type :",
    "n turns the page",
    "`z` asks",
    "Then `z`",
    "then `z`",
    "`u` takes",
    "`q` leads",
    "`f` does",
    "n plain mode",
    "with ] to",
    "with [ to",
    "r starts,",
    "Both lanes",
    "lanes run side by side",
    "Step back to",
    "B goes back",
    "Step through the",
    "are both among the steps",
    "The map lights up",
    "very box opens the tensors",
    "The way down leads through six layers",
    "To check your answer",
    "That takes some seconds",
    "A switch trains the run anew",
];

/// Words that only the program has a use for.
pub const KEYS: &[&str] = &[
    "press",
    "Press",
    "Enter",
    "Backspace",
    "Space",
    "Esc",
    "palette",
    "cursor",
];

/// Two who wrote a paper.
pub const NAMES: &[&str] = &["Press and Wolf", "Ofir Press"];
