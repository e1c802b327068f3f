//! Phrases about keys and their replacements in plain mode. Longer phrases come first, because each is replaced
//! everywhere before the next is tried.

/// Keys and their commands.
pub(super) const KEYS: [(&str, &str); 22] = [
    ("Enter", "why"),
    ("Space", "step"),
    ("Backspace", "up"),
    ("B", "unstep"),
    ("b", "backward"),
    ("g", "g"),
    ("d", "difference"),
    ("r", "run"),
    ("n", "next"),
    ("N", "previous"),
    ("p", "predict"),
    ("x", "exercise"),
    ("X", "mine"),
    ("z", "quiz"),
    ("u", "undo"),
    ("U", "redo"),
    ("P", "play"),
    ("t", "train back"),
    ("f", "train fork"),
    ("H", "exercise hint"),
    ("q", "lessons"),
    ("Y", "log"),
];

/// Phrases about keys and their replacements.
pub(super) const PHRASES: &[(&str, &str)] = &[
    (
        "Press `m`, type a German sentence, and press Enter:",
        "Type `play` and a German sentence:",
    ),
    (
        "If you do not speak German, press `]` to go through the sentences that are there.",
        "If you do not speak German, type `set sentence`: it lists some.",
    ),
    (
        "Press `v` until you see the picture `next`.",
        "Type `look next`.",
    ),
    (
        "The knob `step` chooses the step: `}` goes to it, `]` and `[` turn it.",
        "The knob `step` chooses the step: `set step 2`.",
    ),
    (
        "Press m to type a sentence of your own.",
        "Type `play` and a German sentence to see your own.",
    ),
    ("Press Z to give the picture the whole screen.", ""),
    ("The key # shows one head alone, with its numbers.", ""),
    (
        "The keys < and > choose another head.",
        "`at` with another second number chooses another head.",
    ),
    (
        "Press `]` for other sentences.",
        "Type `set sentence` for other sentences.",
    ),
    (
        "Each of the keys `1` to `7` switches off one part of the model. Before you press one,",
        "Each of `break 1` to `break 7` switches off one part of the model. Before you type one,",
    ),
    (
        "Press `e`, type a number, and press Enter to change a cell by hand.",
        "Type `edit` and a number to change a cell by hand.",
    ),
    (
        "Press `n`, and `n` again, to go on",
        "Type `next`, and then `lessons`, to go on",
    ),
    (
        "Press `n` to read on, and `?` whenever",
        "Type `next` to read on, and `h` whenever",
    ),
    (
        "Type a colon, the word `translate`, and a German sentence. In plain mode the word is `play`:",
        "Type the word `play` and a German sentence:",
    ),
    (
        "`translate Wo ist der nächste Bahnhof?` and Enter.",
        "`play Wo ist der nächste Bahnhof?`",
    ),
    (
        "Press `v` for the next picture, Space for the next tensor, and `q` to go back to where you came from.",
        "`look` lists the pictures and tensors, `step` goes to the next tensor, and `lessons` leads back to the list of lessons.",
    ),
    (
        "then turn `back` down to 0 with `[` and watch",
        "then set `back` to 0, a few at a time, and watch",
    ),
    (
        "Step with Space to the last tensor",
        "Go with `step` to the last tensor",
    ),
    (
        "Space goes through the recorded steps of the run, n turns the page, and Enter on any number says how it was computed.",
        "`step` goes through the recorded steps of the run, `next` turns the page, and `why` says how the number under the cursor was computed.",
    ),
    (
        "Space goes on to cross_mask_cells, B back.",
        "`step` goes on to cross_mask_cells, `unstep` back.",
    ),
    ("Step back with B", "Step back with `unstep`"),
    ("Go on to normal with Space", "Go on to normal with `step`"),
    ("and Space to come forward", "and `step` to come forward"),
    (
        "Press Space to step through it, Enter on a cell to see how it was computed, b for its gradient.",
        "Type `step` to go through it, `why` at a cell to see how it was computed, `backward` for its gradient.",
    ),
    ("Space shows the sum", "`step` shows the sum"),
    ("Space goes", "`step` goes"),
    ("Space leads", "`step` leads"),
    ("Space steps through", "`step` goes through"),
    ("Backspace goes back", "`up` goes back"),
    (
        "Press Enter: both models train",
        "Type `run`: both models train",
    ),
    ("Press Enter: 240 steps", "Type `run`: 240 steps"),
    ("Press Enter: a small model", "Type `run`: a small model"),
    ("Press Enter to start", "Type `run` to start"),
    ("press Enter to start", "type `run` to start"),
    ("Press Enter to train", "Type `run` to train"),
    ("Press Enter to measure", "Type `run` to measure"),
    (
        "Press Enter to see the six curves",
        "Type `run` to see the six curves",
    ),
    ("Start the race with Enter", "Start the race with `run`"),
    ("Start it with Enter", "Start it with `run`"),
    (
        "put the cursor on the box \"5 cross attn\" and press Enter: the tensor opens. Press Enter again on a cell to ask where it came from, and again on one of its terms.",
        "look at the tensor that the box \"5 cross attn\" names. Type `why` at a cell to ask where it came from, and `why 1` for the first of its terms.",
    ),
    (
        "Enter opens its tensor.",
        "`look` and its name opens its tensor.",
    ),
    (
        "Enter opens that tensor.",
        "`look` and its name opens that tensor.",
    ),
    (
        "Put the cursor on any cell and press Enter",
        "Put the cursor on any cell with `at` and type `why`",
    ),
    (
        "Put the cursor on a row and on the column of a token, and press Enter.",
        "Put the cursor on a row and on the column of a token with `at`, and type `why`.",
    ),
    (
        "Put the cursor there and press Enter again and again",
        "Put the cursor there with `at`, type `why`, and then `why 1` again and again",
    ),
    (
        "Press Enter again and again",
        "Type `why`, and then `why 1` again and again",
    ),
    (
        "Press Enter again to go down to the number that is marked",
        "Type `why 1` to go down to the first number of the list",
    ),
    (
        "then Enter on one of its products",
        "then `why 1` for the first of its products",
    ),
    (
        "press Enter, and follow it down",
        "type `why`, and follow it down",
    ),
    ("weights` and press Enter.", "weights`."),
    (", and press Enter.", "."),
    ("Press Enter on", "Type `why` at"),
    ("press Enter on", "type `why` at"),
    ("Enter on", "`why` at"),
    (
        "and press `v` until you see the picture `translation`.",
        "and `look translation`.",
    ),
    (
        "and go to the picture `looked` with `v`.",
        "and `look looked`.",
    ),
    (
        "< and > show other sentences; v shows the bars of ten batches.",
        "`at` with another first number shows another sentence; `look` lists the pictures, among them the bars of ten batches.",
    ),
    (
        "< and > show the other",
        "`at` with other leading numbers shows the other",
    ),
    (
        "the keys < and > show heads 1, 2 and 3, and # shows all four at once.",
        "`at 0,1,0,0` shows head 1, and likewise 2 and 3.",
    ),
    (
        "The keys < and > choose another head.",
        "`at` with another number in the place of the head chooses another head.",
    ),
    (
        "The keys `<` and `>` change the sentence and the head.",
        "`at` with other leading numbers changes the sentence and the head.",
    ),
    (
        "`<` and `>` change the head.",
        "`at` with another number in the place of the head changes the head.",
    ),
    (
        "(`<` and `>` choose the sentence)",
        "(the first number of `at` chooses the sentence)",
    ),
    (
        "and press `>` for the second sentence",
        "and `at 1,0,0` for the second sentence",
    ),
    (
        "Press Tab, then move down, to see other sentences.",
        "Type `at` with another first number to see other sentences.",
    ),
    (
        "Press ↓ to move it.",
        "Type `at` with another first number to move it.",
    ),
    ("The last column adds it up.", "Each whole row adds up."),
    (
        "{ and } choose a knob, ] and [ turn it: turn scale to sqrt.",
        "Type `set scale sqrt`.",
    ),
    (
        "Choose the knob `d_k` with `}` and turn it with `]` to 3:",
        "Type `set d_k 3`:",
    ),
    (
        "Choose the knob query_std with }, turn it with [ and ]:",
        "Turn the knob query_std, for instance `set query_std 5`:",
    ),
    (
        "Press } until the knob vocab is chosen, then ] to turn it up:",
        "Turn the knob vocab up, for instance `set vocab 60000`:",
    ),
    (
        "Press { or } until the knob step is chosen, then [ to lower it:",
        "Lower the knob step, for instance `set step 0.01`:",
    ),
    (
        "Turn `merges` up with ], one at a time.",
        "Turn `merges` up with `set`, one at a time.",
    ),
    ("Press ] to turn `at` up:", "Turn `at` up with `set`:"),
    (
        "Press ← and → to move a reading line in the chart, i to zoom in, and Y to make the vertical axis linear.",
        "Type `at 0.01` to read the chart there, `zoom in` to zoom in, and `log` to make the vertical axis linear.",
    ),
    (
        "; ← → move the reading line",
        "; `at` and a place moves the reading line",
    ),
    (
        "Press e to give the first cell another id, and u to take it back.",
        "Type `edit 0` to give the first cell another id, and `undo` to take it back.",
    ),
    (
        "The keys, while you look at it:",
        "The words, while you look at it:",
    ),
    (
        "go back with `t`, press `f`",
        "go back with `train back`, type `train fork`",
    ),
    (
        "the mistakes on keys 1 to 7",
        "the mistakes of `break 1` to `break 7`",
    ),
    ("keys 1 to 7 show them", "`break 1` to `break 7` show them"),
    ("then `z` for", "then `quiz` for"),
    ("`z` asks", "`quiz` asks"),
    (
        "`exercise` opens the workbench, as `x` does.",
        "`exercise` tells you what to write.",
    ),
    ("then open `exercise`", "then type `exercise`"),
    ("Then open `exercise`", "Then type `exercise`"),
    (
        "`exercise` opens the workbench",
        "`exercise` tells you what to write",
    ),
    (
        ", and d to see the difference",
        ", and type `difference` to see the difference",
    ),
    (
        "Press x to write it; H gives hints",
        "Type `exercise` to write it; `exercise hint` gives hints",
    ),
    (
        "Each of the keys `1` to `7`",
        "Each of `break 1` to `break 7`",
    ),
    ("Before you press one", "Before you type one"),
    (
        "Press v for the picture stream, and look at",
        "Type `look stream`, and read",
    ),
    ("(m, your sentence, Enter)", "(play, and your sentence)"),
    (
        "; type your own with :translate and the sentence, then Enter",
        "; play and a sentence gives it your own",
    ),
    (" (:model=PATH)", " (set model PATH)"),
    (" (Ctrl-b; in plain mode backward cell)", " (backward cell)"),
    (
        "; type your own with :sentence=… and Enter",
        "; your own with set sentence and the words",
    ),
    (
        " (type :sentence=… and Enter)",
        " (your own with set sentence and the words)",
    ),
    (
        "; type your own with :hyp=… and Enter",
        "; your own with set hyp and the words",
    ),
    (
        " (type :hyp=… and Enter)",
        " (your own with set hyp and the words)",
    ),
];

/// Replacements for the first column of a table of keys.
pub(super) const CELLS: &[(&str, &str)] = &[
    ("key", "word"),
    ("r", "`run`"),
    ("S", "`train 1`"),
    ("+ -", "`train rate up`, `train rate down`"),
    ("t T", "`train back`, `train forward`"),
    ("f", "`train fork`"),
    ("O A", "`train lane`, `train pause`"),
    ("w R", "`train save`, `train resume`"),
    ("a F", "`train head`"),
    ("i I 0", "`zoom in`, `zoom out`, `zoom`"),
    ("Y G", "`log`, `zoom newest`"),
    ("Esc c", "`train pause`, `train stop`"),
];
