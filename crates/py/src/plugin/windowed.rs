//! Avoidances and slow starts in Python: the two halves of a windowed algorithm.

use ackclock_cc::avoidance::Avoidance;
use ackclock_cc::slow_start::{Growth, SlowStart};
use ackclock_cc::window::Window;
use ackclock_cc::{AckEvent, CongestionEvent, Rng, Ruled, Time};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::answer::{MOST, Quantity, whole};
use super::events::{self, Exit, ExitAt};
use super::instance::{Instance, Optional, shown};

/// An avoidance in Python.
#[derive(Clone)]
pub struct PythonAvoidance {
    instance: Instance,
    remainder: Remainder,
}

/// Fraction of a byte that is left over from Python's last answer. A window has whole bytes.
/// Without the fraction, a window that grows by less than a byte per ACK would not grow at all.
#[derive(Clone, Copy, Default)]
struct Remainder(f64);

impl Remainder {
    /// Whole bytes of an answer and of the fraction left over before.
    fn with(&mut self, answer: f64) -> u64 {
        let sum = answer + self.0;
        let whole = whole(sum);
        self.0 = sum - sum.floor();
        whole
    }
}

impl PythonAvoidance {
    /// An avoidance of this class.
    pub fn new(instance: Instance) -> Self {
        Self { instance, remainder: Remainder::default() }
    }

    fn ask<'py>(
        &self,
        method: &Bound<'py, PyString>,
        ack: &AckEvent,
        window: &Window,
        rng: &mut Rng,
    ) -> Option<Bound<'py, PyAny>> {
        let (instance, py) = (&self.instance, method.py());
        let arguments = instance.ack(py, ack, Some(window))?;
        instance.lend(rng, || instance.call(method, ack.now, arguments))
    }
}

impl Avoidance for PythonAvoidance {
    fn begin(&mut self, window: &Window, now: Time) {
        self.remainder = Remainder::default();
        if self.instance.has(Optional::Begin) {
            Python::attach(|py| {
                let arguments = (self.instance.window(py, window)?, now.as_secs_f64());
                self.instance.call(intern!(py, "begin"), now, arguments).map(|_| ())
            });
        }
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        observe(&self.instance, ack, window);
    }

    fn take_over(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Option<Ruled<u64>> {
        if !self.instance.has(Optional::TakeOver) {
            return None;
        }
        Python::attach(|py| {
            let method = intern!(py, "take_over");
            let answer = self.ask(method, ack, window, rng).filter(|answer| !answer.is_none())?;
            let cwnd = self.instance.number(method, &answer, Quantity::Window(window.mss))?;
            Some(whole(cwnd).into())
        })
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Ruled<u64> {
        let next = Python::attach(|py| {
            let method = intern!(py, "next_cwnd");
            let answer = self.ask(method, ack, window, rng)?;
            self.instance.number(method, &answer, Quantity::Window(window.mss))
        });
        next.map_or(window.cwnd, |next| self.remainder.with(next)).into()
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let ssthresh = Python::attach(|py| {
            let method = intern!(py, "ssthresh");
            let arguments =
                (events::CongestionEvent::from(event), self.instance.window(py, window)?);
            let answer = self.instance.call(method, event.now, arguments)?;
            self.instance.number(method, &answer, Quantity::Bytes)
        });
        ssthresh.map_or(window.cwnd, whole).into()
    }

    fn rule(&self, call: &'static str) -> String {
        self.instance.rule(call)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        self.instance.internals(show);
    }
}

/// A slow start in Python.
#[derive(Clone)]
pub struct PythonSlowStart {
    instance: Instance,
    remainder: Remainder,
}

impl PythonSlowStart {
    /// A slow start of this class.
    pub fn new(instance: Instance) -> Self {
        Self { instance, remainder: Remainder::default() }
    }

    fn growth(
        &mut self,
        answer: &Bound<'_, PyAny>,
        ack: &AckEvent,
        window: &Window,
    ) -> Option<Growth> {
        let py = answer.py();
        if let Ok(exit) = answer.cast::<ExitAt>() {
            let cwnd = Quantity::Window(window.mss).read(exit.get().cwnd.bind(py))?;
            return Some(Growth::ExitAt { cwnd: whole(cwnd), left: 0 });
        }
        let exit = answer.cast::<Exit>().ok();
        let bytes = Quantity::Bytes.read(exit.map_or(answer, |exit| exit.get().bytes.bind(py)))?;
        let bytes = self.remainder.with(bytes);
        if window.cwnd.saturating_add(bytes) > MOST {
            return None;
        }
        Some(if exit.is_some() {
            Growth::Exit { bytes, left: ack.credited.saturating_sub(bytes) }
        } else {
            Growth::Grow(bytes)
        })
    }
}

impl SlowStart for PythonSlowStart {
    fn begin(&mut self, window: &Window) {
        self.remainder = Remainder::default();
        if self.instance.has(Optional::Begin) {
            Python::attach(|py| {
                let arguments = (self.instance.window(py, window)?,);
                self.instance.call(intern!(py, "begin"), self.instance.now(), arguments).map(|_| ())
            });
        }
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        observe(&self.instance, ack, window);
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        let growth = Python::attach(|py| {
            let method = intern!(py, "on_ack");
            let arguments = self.instance.ack(py, ack, Some(window))?;
            let answer = self.instance.call(method, ack.now, arguments)?;
            let growth = self.growth(&answer, ack, window);
            if growth.is_none() {
                let allowed = "a number of bytes to add, Exit(bytes to add) or ExitAt(window), \
                               for a window of one segment to 2^50 bytes";
                self.instance.impossible(method, &format!("returned {}", shown(&answer)), allowed);
            }
            growth
        });
        growth.unwrap_or(Growth::Grow(0)).into()
    }

    fn rule(&self, call: &'static str) -> String {
        self.instance.rule(call)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        self.instance.internals(show);
    }
}

fn observe(instance: &Instance, ack: &AckEvent, window: &Window) {
    if instance.has(Optional::Observe) {
        Python::attach(|py| {
            let arguments = instance.ack(py, ack, Some(window))?;
            instance.call(intern!(py, "observe"), ack.now, arguments).map(|_| ())
        });
    }
}
