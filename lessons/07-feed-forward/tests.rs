//! Tests of the numbers in the lesson's text.

use super::*;

#[test]
fn a_changed_token_moves_its_own_row_alone_and_attention_moves_all() {
    for poked in [0, 4, 9] {
        let [ffn, attention] = experiments::moves(check::TASK.reference, poked, 3);
        for (row, moved) in ffn.iter().enumerate() {
            assert_eq!(*moved > 0.0, row == poked);
        }
        assert!(attention.iter().all(|moved| *moved > 0.0));
    }
}
