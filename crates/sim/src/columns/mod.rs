//! How counters and columns are defined: once, as one item of a `counters!`, `columns!` or `table!`
//! macro, with name, type, unit and meaning.
//!
//! The struct's field, the addition over the subflows of a transfer, Python's dictionaries and
//! arrays, the types in Python, the Parquet files and `docs/results.md` are made from the
//! definition. Units are SI base units: s, bytes, bit/s; packets are counted.

mod add;
mod counters;
mod room;
mod table;

pub use add::{Divide, Sum};
pub(crate) use counters::{columns, counters, spread};
pub use room::Room;
pub use table::{Table, Values, table};

use ackclock_units::{Duration, Time};

/// Definition of one column of one table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Name in every file and dictionary.
    pub name: &'static str,
    /// Kind of the values.
    pub kind: Kind,
    /// Unit of a value; empty for names and codes, `1` for a pure number.
    pub unit: &'static str,
    /// One sentence. `{names}` stands for the names of a [`Kind::Code`].
    meaning: &'static str,
    /// Whether a value may be missing.
    pub is_optional: bool,
}

impl Column {
    /// Defines a column; `meaning` is the text of a doc comment.
    #[must_use]
    pub const fn new(
        name: &'static str,
        kind: Kind,
        unit: &'static str,
        meaning: &'static str,
        is_optional: bool,
    ) -> Self {
        Self { name, kind, unit, meaning, is_optional }
    }

    /// Meaning of a value, as a sentence.
    #[must_use]
    pub fn meaning(&self) -> String {
        let names = self.kind.names().join(", ");
        self.meaning.trim_start().replace("{names}", &names)
    }
}

/// Kind of the values of a column.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Numbers with a fraction.
    Real,
    /// Text.
    Text,
    /// Index of a flow or, after the flows, of a stream.
    Flow,
    /// Index of a link.
    Link,
    /// Index of a stream among the streams.
    Stream,
    /// Index of a session.
    Session,
    /// Index of a flow, or of a link where the column `point` says so.
    Place,
    /// Index into these names.
    Code(&'static [&'static str]),
    /// The ASCII code of one of these one-letter names.
    Letter(&'static [&'static str]),
    /// Index into the names that come with the table.
    Internal,
    /// Index of a frame; the largest number where there is none.
    Frame,
    /// Kept for our own use, and shown to nobody.
    Hidden,
}

impl Kind {
    /// Word for it that Python reads.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Real => "real",
            Self::Text => "text",
            Self::Flow => "flow",
            Self::Link => "link",
            Self::Stream => "stream",
            Self::Session => "session",
            Self::Place => "place",
            Self::Code(_) => "code",
            Self::Letter(_) => "letter",
            Self::Internal => "internal",
            Self::Frame => "frame",
            Self::Hidden => "hidden",
        }
    }

    /// Names that the values stand for, if the definition lists them.
    #[must_use]
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Self::Code(names) | Self::Letter(names) => names,
            _ => &[],
        }
    }
}

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A whole number.
    Integer(u64),
    /// A number with a fraction.
    Real(f64),
    /// Text.
    Text(&'a str),
    /// No value.
    Missing,
}

/// Types that a row can have values of.
pub trait Shown<'a> {
    /// Whether a value may be missing.
    const IS_OPTIONAL: bool = false;

    /// Value as a row has it: times in s.
    fn shown(self) -> Value<'a>;
}

impl Shown<'_> for u64 {
    fn shown(self) -> Value<'static> {
        Value::Integer(self)
    }
}

impl Shown<'_> for u32 {
    fn shown(self) -> Value<'static> {
        Value::Integer(self.into())
    }
}

impl Shown<'_> for f64 {
    fn shown(self) -> Value<'static> {
        Value::Real(self)
    }
}

impl Shown<'_> for Duration {
    fn shown(self) -> Value<'static> {
        Value::Real(self.as_secs_f64())
    }
}

impl Shown<'_> for Time {
    fn shown(self) -> Value<'static> {
        Value::Real(self.as_secs_f64())
    }
}

impl<'a> Shown<'a> for &'a str {
    fn shown(self) -> Value<'a> {
        Value::Text(self)
    }
}

impl<'a, T: Shown<'a>> Shown<'a> for Option<T> {
    const IS_OPTIONAL: bool = true;

    fn shown(self) -> Value<'a> {
        self.map_or(Value::Missing, T::shown)
    }
}

/// A column of a row of type `T`, with its value.
pub struct Field<T> {
    /// The column.
    pub column: Column,
    /// Value of the column in a row.
    pub value: for<'a> fn(&'a T) -> Value<'a>,
}

/// Some neighbouring columns of a row of type `T`.
pub trait Part<T>: Sync {
    /// Shows every column.
    fn columns(&self, show: &mut dyn FnMut(Column));

    /// Shows every column with the row's value in it.
    fn values<'a>(&self, row: &'a T, show: &mut dyn FnMut(&Column, Value<'a>));
}

impl<T> Part<T> for &'static [Field<T>] {
    fn columns(&self, show: &mut dyn FnMut(Column)) {
        for field in *self {
            show(field.column);
        }
    }

    fn values<'a>(&self, row: &'a T, show: &mut dyn FnMut(&Column, Value<'a>)) {
        for field in *self {
            show(&field.column, (field.value)(row));
        }
    }
}

/// Columns of something that a row of type `T` contains.
pub struct Within<T, U: 'static>(pub fn(&T) -> &U, pub &'static [Field<U>]);

impl<T, U> Part<T> for Within<T, U> {
    fn columns(&self, show: &mut dyn FnMut(Column)) {
        self.1.columns(show);
    }

    fn values<'a>(&self, row: &'a T, show: &mut dyn FnMut(&Column, Value<'a>)) {
        self.1.values((self.0)(row), show);
    }
}

/// Columns of something that a row of type `T` may contain; missing where it does not.
pub struct OptionalPart<T, U: 'static>(pub fn(&T) -> Option<&U>, pub &'static [Field<U>]);

impl<T, U> Part<T> for OptionalPart<T, U> {
    fn columns(&self, show: &mut dyn FnMut(Column)) {
        for field in self.1 {
            show(Column { is_optional: true, ..field.column });
        }
    }

    fn values<'a>(&self, row: &'a T, show: &mut dyn FnMut(&Column, Value<'a>)) {
        let within = (self.0)(row);
        for field in self.1 {
            show(&field.column, within.map_or(Value::Missing, field.value));
        }
    }
}

/// Columns of a table of rows, in their order.
pub type Rows<T> = [&'static dyn Part<T>];
