//! Definitions of the columns of all tables, for those who read the tables.

use serde::Serialize;

use crate::columns::{Column, Kind, Rows, Table};
use crate::output::Output;
use crate::rows::{FLOWS, LINKS, SESSIONS, STREAMS};

/// Definition of a column, as readers of a table need it.
#[derive(Clone, Debug, Serialize)]
pub struct Definition {
    /// Name in every file and dictionary.
    pub name: &'static str,
    /// Word for the kind of the values: [`Kind::word`].
    pub kind: &'static str,
    /// Unit of a value; empty for names and codes, `1` for a pure number.
    pub unit: &'static str,
    /// Meaning of a value, one sentence.
    pub meaning: String,
    /// Names that the values stand for.
    pub names: &'static [&'static str],
    /// Type of the values in Python.
    #[serde(rename = "type")]
    pub type_name: String,
}

impl Definition {
    fn new(column: &Column, type_name: String) -> Self {
        Self {
            name: column.name,
            kind: column.kind.word(),
            unit: column.unit,
            meaning: column.meaning(),
            names: column.kind.names(),
            type_name,
        }
    }
}

/// Definitions of the columns of every table, by the table's name.
#[must_use]
pub fn definitions() -> Vec<(&'static str, Vec<Definition>)> {
    let mut tables = vec![
        ("flows", of_rows(FLOWS)),
        ("links", of_rows(LINKS)),
        ("streams", of_rows(STREAMS)),
        ("sessions", of_rows(SESSIONS)),
    ];
    let output = Output::default();
    tables.extend(output.tables().iter().map(|it| (it.name, of_table(it.table))));
    tables
}

fn of_rows<T>(parts: &Rows<T>) -> Vec<Definition> {
    let mut definitions = Vec::new();
    for part in parts {
        part.columns(&mut |column| {
            let plain = match column.kind {
                Kind::Integer => "int",
                Kind::Real => "float",
                _ => "str",
            };
            let optional = if column.is_optional { " | None" } else { "" };
            definitions.push(Definition::new(&column, format!("{plain}{optional}")));
        });
    }
    definitions
}

/// Definitions of the columns of a table.
#[must_use]
pub fn of_table(table: &dyn Table) -> Vec<Definition> {
    let mut definitions = Vec::new();
    table.each(&mut |column, values| {
        if !matches!(column.kind, Kind::Hidden) {
            let array = format!("NDArray[np.{}]", values.type_name());
            definitions.push(Definition::new(&column, array));
        }
    });
    definitions
}
