//! Planes that show the trained model's queries and keys.

use super::Reading;
use crate::lesson::picture::Plane;
use crate::lesson::{Body, Picture};
use crate::transformer::heads::AttentionKind;

/// All heads of the last decoder layer's cross-attention, then of the first encoder layer's self-attention, then of the
/// first decoder layer's self-attention.
pub fn of(reading: &Reading) -> Vec<Plane> {
    let reads = || [vec!["<s>".to_owned()], reading.written.clone()].concat();
    let (read, reads) = (reading.read.clone(), reads());
    let scopes = [
        (
            AttentionKind::Cross,
            reading.layers().1 - 1,
            "decoder, cross-attention",
        ),
        (AttentionKind::Encoder, 0, "encoder"),
        (AttentionKind::Decoder, 0, "decoder, self-attention"),
    ];
    let mut planes = Vec::new();
    for (kind, layer, what) in scopes {
        let scope = kind.scope(layer);
        let tensor = |name: &str| reading.tensor(&format!("{scope}.{name}"));
        let tensors = (
            tensor("query_heads"),
            tensor("key_heads"),
            tensor("weights"),
        );
        let (readers, keys) = match kind {
            AttentionKind::Encoder => (&read, &read),
            AttentionKind::Decoder => (&reads, &reads),
            AttentionKind::Cross => (&reads, &read),
        };
        for head in 0..tensors.2.shape()[1] {
            let name = format!("Layer {layer} of the {what}, head {head}");
            planes.push(Plane::of(name, head, tensors, (readers, keys)));
        }
    }
    planes
}

/// The picture of all planes.
pub fn picture(reading: &Reading) -> Picture {
    Picture::new(
        "plane",
        "Queries and keys as points in a plane",
        "A key in the direction of a query gets weight from it. The product of two points is the part of their score that this plane shows.",
        Body::Planes(of(reading)),
    )
}

/// Facts about a plane: `plane_share_2` is the share of the variance of its keys that plane 2 shows, and
/// `plane_agrees_2` the number of queries whose nearest key there is also the nearest in all channels.
pub fn fact(reading: &Reading, name: &str) -> Option<f64> {
    let (what, at) = name.strip_prefix("plane_")?.rsplit_once('_')?;
    let planes = of(reading);
    let plane = planes.get(at.parse::<usize>().ok()?)?;
    match what {
        "share" => Some(plane.share()),
        "agrees" => Some(plane.agreeing() as f64),
        _ => None,
    }
}
