//! Algorithms written in Python: `python:mymodule:MyClass` in a spec. What a class may define is documented in
//! `ackclock.cc`; which class a name means, Python finds out and hands over as a `Found` (`scenario/own.py`).

mod answer;
pub mod events;
mod fault;
mod halves;
mod instance;
mod stream;
mod whole;

use ackclock_cc::Setup;
use ackclock_cc::foreign::{Make, Maker, Part};
use ackclock_cc::registry::SpecError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

pub use fault::{AlgorithmError, Fault};
pub use stream::Stream;

use halves::{OwnAvoidance, OwnSlowStart};
use instance::Instance;
use whole::OwnWhole;

/// Asks Python for the classes of one flow, or of a spec that is only checked.
pub struct Classes<'py> {
    find: Option<Bound<'py, PyAny>>,
    flow: String,
    fault: Fault,
    found_any: Rc<Cell<bool>>,
}

impl<'py> Classes<'py> {
    /// `find` is called with a name and its arguments as text; it answers with a `Found`, or None where the name is not one of its kind.
    pub fn new(find: Option<Bound<'py, PyAny>>, fault: Fault) -> Self {
        Self {
            find,
            flow: String::new(),
            fault,
            found_any: Rc::default(),
        }
    }

    /// The same for a flow of a run.
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

    fn find(&self, find: &Bound<'py, PyAny>, name: &str, arguments: &[(&str, &str)]) -> PyResult<Option<Part>> {
        let texts = PyDict::new(find.py());
        for (key, value) in arguments {
            texts.set_item(key, value)?;
        }
        let found = find.call1((name, texts))?;
        if found.is_none() {
            return Ok(None);
        }
        self.found_any.set(true);
        let role: String = found.getattr("role")?.extract()?;
        let slow_start = found.getattr("slow_start")?.extract()?;
        let implies: BTreeMap<String, String> = found.getattr("implies")?.extract()?;
        let (found, flow, fault) = (found.unbind(), self.flow.clone(), self.fault.clone());
        let construct = move |setup: &Setup| Python::attach(|py| Instance::new(found.bind(py), flow, &fault, setup));
        let make = match role.as_str() {
            "slow start" => Make::SlowStart(Box::new(move |setup| Ok(Box::new(OwnSlowStart::new(construct(setup)?))))),
            "avoidance" => Make::Avoidance {
                slow_start,
                make: Box::new(move |setup| Ok(Box::new(OwnAvoidance::new(construct(setup)?)))),
            },
            _ => Make::Whole(Box::new(move |setup| Ok(Box::new(OwnWhole::new(construct(setup)?)?)))),
        };
        Ok(Some(Part {
            make,
            implies: implies.into_iter().collect(),
        }))
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
