//! Where the columns of a table lie in the memory of the instance.

use ackclock_sim::columns::{Kind, Table, Values};
use serde_json::{Value, json};

/// A list of columns: name, kind, type, place and length.
pub fn describe(table: &impl Table) -> Value {
    let mut columns = Vec::new();
    table.each(&mut |column, values| {
        if matches!(column.kind, Kind::Hidden) {
            return;
        }
        let (at, length) = match values {
            Values::U8(values) => (values.as_ptr() as usize, values.len()),
            Values::U16(values) => (values.as_ptr() as usize, values.len()),
            Values::U32(values) => (values.as_ptr() as usize, values.len()),
            Values::U64(values) => (values.as_ptr() as usize, values.len()),
            Values::F64(values) => (values.as_ptr() as usize, values.len()),
        };
        columns.push(json!({
            "name": column.name, "kind": column.kind.word(), "unit": column.unit,
            "names": column.kind.names(), "type": values.type_name(), "at": at, "length": length,
        }));
    });
    columns.into()
}
