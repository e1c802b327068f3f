//! Empty library beside the exercises' test targets, because cargo requires a library or a program in every package.
