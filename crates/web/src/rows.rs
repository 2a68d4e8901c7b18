//! Rows of counters as JSON.

use ackclock_sim::columns::{Kind, Rows, Value as Cell};
use serde_json::{Map, Value, json};

/// Rows of a table.
pub fn rows<T>(parts: &Rows<T>, all: &[T]) -> Value {
    all.iter().map(|part| row(parts, part)).collect()
}

/// A row: its values by the columns' names.
#[expect(clippy::cast_precision_loss, reason = "rates and sizes are far below 2^53")]
pub fn row<T>(parts: &Rows<T>, row: &T) -> Value {
    let mut values = Map::new();
    for part in parts {
        part.values(row, &mut |column, value| {
            let value = match value {
                Cell::Integer(number) if matches!(column.kind, Kind::Real) => json!(number as f64),
                Cell::Integer(number) => json!(number),
                Cell::Real(number) => json!(number),
                Cell::Text(text) => json!(text),
                Cell::Missing => Value::Null,
            };
            values.insert(column.name.to_owned(), value);
        });
    }
    values.into()
}
