//! The first thing that went wrong in a Python-defined algorithm of a run. The simulator cannot
//! pass an error up from a callback, so it is kept here, the algorithms fall silent, and the loop
//! around the simulator raises it.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::PyErr;

// It derives from `ackclock.Error`, as all our errors do, and is therefore defined in Python.
pyo3::import_exception!(ackclock.errors, AlgorithmError);

/// Shared by everything in a run that calls Python.
#[derive(Clone, Default)]
pub struct Fault(Arc<Shared>);

#[derive(Default)]
struct Shared {
    is_set: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Fault {
    /// Keeps the error if it is the first.
    pub fn set(&self, error: PyErr) {
        let mut slot = self.0.error.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.0.is_set.swap(true, Ordering::Relaxed) {
            *slot = Some(error);
        }
    }

    /// Whether there was one.
    pub fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::Relaxed)
    }

    /// The error, to be raised.
    pub fn take(&self) -> Option<PyErr> {
        self.0.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
