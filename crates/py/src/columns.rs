//! Rows as dictionaries, tables as dictionaries of `NumPy` arrays, and the definitions of their
//! columns.

use ackclock_sim::columns::{Kind, Rows, Table, Value, Values};
use ackclock_sim::definitions::{self as shown, Definition};
use ackclock_sim::output::Output;
use numpy::{PyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// Makes a dictionary of each row of a table. Python's texts of the columns' names are made once.
pub struct Dictionaries<'py> {
    py: Python<'py>,
    names: Vec<Bound<'py, PyString>>,
}

impl<'py> Dictionaries<'py> {
    pub fn new<T>(py: Python<'py>, parts: &Rows<T>) -> Self {
        let mut names = Vec::new();
        for part in parts {
            part.columns(&mut |column| names.push(PyString::new(py, column.name)));
        }
        Self { py, names }
    }

    /// A row as a dictionary.
    #[expect(clippy::cast_precision_loss, reason = "rates and sizes are far below 2^53")]
    pub fn row<T>(&self, parts: &Rows<T>, row: &T) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(self.py);
        let mut result = Ok(());
        let mut names = self.names.iter();
        for part in parts {
            part.values(row, &mut |column, value| {
                let is_real = matches!(column.kind, Kind::Real);
                let name = names.next().expect("a part shows as many values as columns");
                let set = match value {
                    Value::Integer(number) if is_real => dict.set_item(name, number as f64),
                    Value::Integer(number) => dict.set_item(name, number),
                    Value::Real(number) => dict.set_item(name, number),
                    Value::Text(text) => dict.set_item(name, text),
                    Value::Missing => dict.set_item(name, self.py.None()),
                };
                if result.is_ok() {
                    result = set;
                }
            });
        }
        result.map(|()| dict)
    }
}

/// Rows as dictionaries.
pub fn rows<'py, 'a, T: 'a>(
    py: Python<'py>,
    parts: &Rows<T>,
    rows: impl IntoIterator<Item = &'a T>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let dictionaries = Dictionaries::new(py, parts);
    rows.into_iter().map(|row| dictionaries.row(parts, row)).collect()
}

/// A table as a dictionary of arrays.
pub fn table<'py>(py: Python<'py>, table: &impl Table) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let mut result = Ok(());
    table.each(&mut |column, values| {
        if matches!(column.kind, Kind::Hidden) || result.is_err() {
            return;
        }
        let name = column.name;
        result = match values {
            Values::U8(values) => dict.set_item(name, values.to_pyarray(py)),
            Values::U16(values) => dict.set_item(name, values.to_pyarray(py)),
            Values::U32(values) => dict.set_item(name, values.to_pyarray(py)),
            Values::U64(values) => dict.set_item(name, values.to_pyarray(py)),
            Values::F64(values) => dict.set_item(name, PyArray1::from_slice(py, values)),
        };
    });
    result.map(|()| dict)
}

/// Definitions of the columns of every table, by the method of `Run` that gives the table.
#[pyfunction]
pub fn columns(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for (table, definitions) in shown::definitions() {
        tables.set_item(table, dictionaries(py, &definitions)?)?;
    }
    Ok(tables)
}

/// Definitions of the columns of a table that is no run's.
pub fn of_table<'py>(py: Python<'py>, table: &dyn Table) -> PyResult<Vec<Bound<'py, PyDict>>> {
    dictionaries(py, &shown::of_table(table))
}

fn dictionaries<'py>(
    py: Python<'py>,
    definitions: &[Definition],
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    definitions.iter().map(|it| definition(py, it)).collect()
}

fn definition<'py>(py: Python<'py>, column: &Definition) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", column.name)?;
    dict.set_item("kind", column.kind)?;
    dict.set_item("unit", column.unit)?;
    dict.set_item("meaning", &column.meaning)?;
    dict.set_item("names", column.names)?;
    dict.set_item("type", &column.type_name)?;
    Ok(dict)
}

/// Memory of a row of each recorded table, bytes.
#[pyfunction]
pub fn row_bytes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for recorded in Output::default().tables() {
        tables.set_item(recorded.name, recorded.table.row_bytes())?;
    }
    Ok(tables)
}
