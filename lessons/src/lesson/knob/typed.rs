//! Settings as a struct of the lesson's own, where the field `heads: usize` is the knob `heads`.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::value::{Error, MapDeserializer};
use serde::de::{self, DeserializeOwned, IntoDeserializer, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

use super::{OF_THE_TRAINED_MODEL, Settings, conflict};

impl Settings {
    /// The knobs as `T`, a struct with one field per knob; a [`Range::Choice`](super::Range::Choice) can be an enum.
    /// Panics if a field has no knob, a knob no field, or a value the wrong type: that is a mistake in the lesson,
    /// which a test of all lessons detects.
    #[track_caller]
    pub fn knobs<T: DeserializeOwned>(&self) -> T {
        let own = self
            .iter()
            .filter(|(name, _)| !OF_THE_TRAINED_MODEL.contains(name));
        let values = own.map(|(name, value)| (name, Position(value)));
        let knobs = T::deserialize(MapDeserializer::new(values));
        knobs.unwrap_or_else(|e| panic!("the knobs {self}: {e}"))
    }
}

impl Settings {
    /// The mistake that is on, as `T`, an enum whose variants are the names of mistakes that exclude each other; other
    /// mistakes are ignored. The error explains how to resolve it if more than one is on.
    pub fn mistake<T: DeserializeOwned>(&self) -> Result<Option<T>, String> {
        let read = |name| {
            let flaw = T::deserialize(Position(name)).ok()?;
            Some((name, flaw))
        };
        let mut on: Vec<(&str, T)> = self.mistakes().filter_map(read).collect();
        match on[..] {
            [(one, _), (other, _), ..] => Err(conflict(one, other)),
            _ => Ok(on.pop().map(|(_, flaw)| flaw)),
        }
    }
}

/// True if both names are variants of `T`, an enum of mistakes that exclude each other.
pub fn both<T: DeserializeOwned>(one: &str, other: &str) -> bool {
    [one, other]
        .iter()
        .all(|name| T::deserialize(Position(name)).is_ok())
}

/// For `#[serde(deserialize_with = "parsed")]`: deserialises a value with its `FromStr`.
pub fn parsed<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    let name = String::deserialize(from)?;
    name.parse().map_err(de::Error::custom)
}

/// The value of a knob, as spelled.
struct Position<'a>(&'a str);

impl Position<'_> {
    fn number<T: FromStr<Err: Display>>(&self) -> Result<T, Error> {
        let wrong = |e| de::Error::custom(format_args!("'{}' is no such number: {e}", self.0));
        self.0.parse().map_err(wrong)
    }
}

impl<'de> IntoDeserializer<'de, Error> for Position<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Position<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64(self.number()?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u32(self.number()?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(self.number()?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f32(self.number()?)
    }

    /// Reads `yes` and `no`, the values of every boolean knob.
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            "yes" => visitor.visit_bool(true),
            "no" => visitor.visit_bool(false),
            other => Err(de::Error::custom(format_args!(
                "'{other}' is not yes or no"
            ))),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::{Knob, Range};
    use super::*;

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(rename_all = "kebab-case")]
    enum Form {
        Plain,
        TwoSided,
    }

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct All {
        heads: usize,
        spread: f32,
        form: Form,
        tied: bool,
        sentence: String,
    }

    static KNOBS: [Knob; 5] = [
        knob(
            "heads",
            "8",
            Range::Whole {
                least: 1,
                most: 9,
                stops: &[],
            },
        ),
        knob(
            "spread",
            "0.5",
            Range::Real {
                least: 0.0,
                most: 1.0,
                stops: &[],
            },
        ),
        knob("form", "two-sided", Range::Choice(&["plain", "two-sided"])),
        knob("tied", "no", Range::Choice(&["no", "yes"])),
        knob(
            "sentence",
            "Ein Hund .",
            Range::Text {
                most: 20,
                stops: &[],
            },
        ),
    ];

    const fn knob(name: &'static str, default: &'static str, range: Range) -> Knob {
        Knob {
            name,
            about: "",
            range,
            default,
            auto: None,
        }
    }

    #[test]
    fn each_knob_is_a_field_of_its_kind() {
        let mut settings = Settings::defaults(&KNOBS);
        settings.set(&KNOBS, "tied", "yes").unwrap();
        let all: All = settings.knobs();
        let expected = All {
            heads: 8,
            spread: 0.5,
            form: Form::TwoSided,
            tied: true,
            sentence: "Ein Hund .".to_owned(),
        };
        assert_eq!(all, expected);
    }

    #[test]
    #[should_panic(expected = "unknown field")]
    fn a_knob_that_nobody_reads_is_found() {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Less {
            #[expect(dead_code, reason = "it is only to be missing")]
            spread: f32,
        }
        let _: Less = Settings::defaults(&KNOBS).knobs();
    }
}
