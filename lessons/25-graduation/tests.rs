//! Tests of the numbers in the lesson's text.

use super::*;
use crate::lesson::copying::record::Record;

#[test]
fn rms_norm_and_grouped_query_attention_learn_as_before_and_rotary_positions_and_one_stack_sooner()
{
    for (n, trained) in training::all(7).iter().enumerate() {
        let (name, fact, _) = LANES[n];
        let right = copying::right(training::lane(n, 7), STEPS);
        let loss = last(&trained.losses);
        // RMSNorm and groups do as well as the old choices; rotary positions, and one stack, learn sooner.
        let sooner = ["rope", "one", "new"].contains(&fact);
        assert_eq!(loss < 0.2 && right > 0.9, sooner, "{name}: {loss} {right}");
        assert!(loss < 1.9, "{name}: {loss}");
    }
}

#[test]
fn the_record_of_five_seeds_is_of_these_models() {
    for (n, trained) in training::all(7).iter().enumerate() {
        let (name, fact, _) = LANES[n];
        let right = copying::right(training::lane(n, 7), STEPS);
        training::RECORD.assert_first((name, fact), last(&trained.losses), right);
    }
}

#[test]
#[ignore = "makes lessons/25-graduation/seeds.toml anew; minutes"]
fn the_record_of_five_seeds_is_made() {
    let words = LANES.map(|(_, word, _)| word);
    let record = Record::made(&words, training::lane).text().unwrap();
    std::fs::write("lessons/25-graduation/seeds.toml", record).unwrap();
}

#[test]
fn the_changes_have_the_counts_that_paper_and_pencil_give() {
    let count = |choice| pictures::count(choice, SMALL);
    let old = count(training::OLD);
    let norms = 2 * 2 + 2 * 3 + 2;
    assert_eq!(old - count(LANES[1].2), norms * 32);
    assert_eq!(count(LANES[2].2), old);
    // Each of six attentions has two maps with 16 × 32 fewer weights, and 16 fewer biases.
    assert_eq!(old - count(LANES[3].2), 6 * 2 * (16 * 32 + 16));
}

#[test]
fn a_row_of_patches_holds_the_pixels_of_one_square() {
    let trace = bert_and_vit::vit(7);
    let [picture, patches] =
        ["picture", "embed.patches"].map(|name| trace.tensor(name).unwrap().clone());
    assert_eq!(patches.shape(), [1, 16, 16]);
    // Patch 6 begins at row 4 and column 8 of the picture.
    for pixel in 0..16 {
        let in_picture = picture.at(&[0, 4 + pixel / 4, 8 + pixel % 4]);
        assert_eq!(patches.at(&[0, 6, pixel]), in_picture, "pixel {pixel}");
    }
    // The ring is 4 to 6.5 pixels from the middle: pixel (2, 7) is on it, and (7, 7) in its hole.
    assert_eq!((picture.at(&[0, 2, 7]), picture.at(&[0, 7, 7])), (1.0, 0.0));
}

#[test]
fn an_heir_refuses_the_mistakes_of_the_models_that_copy() {
    let settings = [("stack", "bert"), ("break", "keep-mean")];
    let settings = LESSON.settings(&settings).unwrap();
    let refused = GraduationStage.run(&settings).err().unwrap();
    assert!(refused.contains("Set stack to two or one"), "{refused}");
}
