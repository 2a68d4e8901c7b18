//! The flow's random stream as Python sees it.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use ackclock_cc::Rng;
use ackclock_sim::rng;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Random stream of a flow. The sender owns it and lends it for the duration of a call.
#[pyclass(frozen, module = "ackclock._core")]
#[derive(Default)]
pub struct Stream {
    is_wanted: AtomicBool,
    lent: Mutex<Option<Rng>>,
}

impl Stream {
    /// Lends the stream for a call, if the algorithm has ever asked for it.
    pub fn lend<T>(&self, rng: &mut Rng, call: impl FnOnce() -> T) -> T {
        if !self.is_wanted.load(Ordering::Relaxed) {
            return call();
        }
        *self.lent.lock().unwrap_or_else(PoisonError::into_inner) = Some(rng.clone());
        let answer = call();
        if let Some(used) = self.lent.lock().unwrap_or_else(PoisonError::into_inner).take() {
            *rng = used;
        }
        answer
    }

    fn draw<T>(&self, from: impl FnOnce(&mut Rng) -> T) -> PyResult<T> {
        let mut lent = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
        let rng = lent.as_mut().ok_or_else(|| {
            PyRuntimeError::new_err(
                "random numbers can be drawn in on_ack, on_congestion, next_cwnd, begin_interval \
                 and on_interval only",
            )
        })?;
        Ok(from(rng))
    }
}

#[pymethods]
impl Stream {
    /// Asks for the stream in all later calls.
    fn want(&self) {
        self.is_wanted.store(true, Ordering::Relaxed);
    }

    /// Uniform in [0, 1).
    fn unit(&self) -> PyResult<f64> {
        self.draw(rng::unit)
    }

    /// 64 random bits.
    fn bits(&self) -> PyResult<u64> {
        self.draw(rand_core::Rng::next_u64)
    }
}
