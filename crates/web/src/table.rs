//! The place of a table's columns in the memory of the instance.

use std::ops::Range;

use ackclock_sim::columns::{Kind, Table, Values};
use serde_json::{Value, json};

/// Describes the columns of a table with these rows of it: name, kind, type, place and length.
pub fn describe(table: &dyn Table, rows: Range<usize>) -> Value {
    let mut columns = Vec::new();
    table.each(&mut |column, values| {
        if matches!(column.kind, Kind::Hidden) {
            return;
        }
        columns.push(json!({
            "name": column.name, "kind": column.kind.word(), "unit": column.unit,
            "names": column.kind.names(), "type": values.type_name(),
            "at": place(values, rows.start), "length": rows.len(),
        }));
    });
    columns.into()
}

/// Address of a value.
fn place(values: Values, row: usize) -> usize {
    match values {
        Values::U8(values) => values[row..].as_ptr() as usize,
        Values::U16(values) => values[row..].as_ptr() as usize,
        Values::U32(values) => values[row..].as_ptr() as usize,
        Values::U64(values) => values[row..].as_ptr() as usize,
        Values::F64(values) => values[row..].as_ptr() as usize,
    }
}
