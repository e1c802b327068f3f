pub mod lesson;
pub mod widgets;
