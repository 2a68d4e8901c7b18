//! Plug-ins: algorithms written in Python, `python:mymodule:MyClass` in a spec. `ackclock.cc`
//! documents what a class may define. Python finds the class that a name means and returns it as a
//! `Found`.

mod answer;
mod controller;
pub mod events;
mod fault;
mod instance;
mod stream;
mod windowed;

use ackclock_cc::Setup;
use ackclock_cc::entry::{Constructor, Make, Maker, Part, SpecError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

pub use fault::Fault;
pub use stream::Stream;

use controller::PythonController;
use instance::Instance;
use windowed::{PythonAvoidance, PythonSlowStart};

/// Finds the Python classes of one flow, or of a spec that is only checked.
pub struct Classes<'py> {
    find: Option<Bound<'py, PyAny>>,
    flow: String,
    fault: Fault,
    found_any: Rc<Cell<bool>>,
}

impl<'py> Classes<'py> {
    /// Finder that calls `find` with a name and its arguments as text. `find` returns a `Found`, or
    /// None if the name is not of its kind.
    pub fn new(find: Option<Bound<'py, PyAny>>, fault: Fault) -> Self {
        Self { find, flow: String::new(), fault, found_any: Rc::default() }
    }

    /// Finder for a flow of a run, with the function and the fault of this one.
    pub fn of_flow(&self, flow: &str) -> Self {
        Self {
            find: self.find.clone(),
            flow: flow.to_owned(),
            fault: self.fault.clone(),
            found_any: Rc::clone(&self.found_any),
        }
    }

    /// Whether anything has been found so far.
    pub fn has_found_any(&self) -> bool {
        self.found_any.get()
    }

    fn find(
        &self,
        find: &Bound<'py, PyAny>,
        name: &str,
        arguments: &[(&str, &str)],
    ) -> PyResult<Option<Part>> {
        let texts = PyDict::new(find.py());
        for (key, value) in arguments {
            texts.set_item(key, value)?;
        }
        let class = find.call1((name, texts))?;
        if class.is_none() {
            return Ok(None);
        }
        self.found_any.set(true);
        let role: String = class.getattr("role")?.extract()?;
        let slow_start = class.getattr("slow_start")?.extract()?;
        let implies: BTreeMap<String, String> = class.getattr("implies")?.extract()?;
        let (class, flow, fault) = (class.unbind(), self.flow.clone(), self.fault.clone());
        let construct = move |setup: &Setup| {
            Python::attach(|py| Instance::new(class.bind(py), flow.clone(), &fault, setup))
        };
        let make = match role.as_str() {
            "slow start" => Make::SlowStart(Constructor::Closure(Arc::new(move |setup| {
                Ok(Box::new(PythonSlowStart::new(construct(setup)?)))
            }))),
            "avoidance" => Make::Avoidance {
                slow_start: Cow::Owned(slow_start),
                make: Constructor::Closure(Arc::new(move |setup| {
                    Ok(Box::new(PythonAvoidance::new(construct(setup)?)))
                })),
            },
            _ => Make::Whole(Constructor::Closure(Arc::new(move |setup| {
                Ok(Box::new(PythonController::new(construct(setup)?)?))
            }))),
        };
        Ok(Some(Part { make, implies: implies.into_iter().collect() }))
    }
}

impl Maker for Classes<'_> {
    fn part(&self, name: &str, arguments: &[(&str, &str)]) -> Option<Result<Part, SpecError>> {
        match self.find(self.find.as_ref()?, name, arguments) {
            Ok(part) => part.map(Ok),
            Err(error) => {
                let sentence = SpecError::new(error.to_string());
                self.fault.set(error);
                Some(Err(sentence))
            }
        }
    }
}
