//! An object of a user's class: calls it, checks its answers, and copies it.

use core::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use ackclock_cc as cc;
use ackclock_cc::registry::SpecError;
use ackclock_cc::{Rng, Setup, Time};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyException;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTraceback, PyTuple};

use super::answer::{self, Quantity};
use super::events::{ReusedObjects, Window};
use super::fault::{AlgorithmError, Fault};
use super::stream::Stream;

/// Facts that an object shares with its copies.
struct Shared {
    /// Name of the class.
    class: String,
    /// File of the class, as Python's code objects name it and as a message names it.
    file: (String, String),
    flow: String,
    /// Optional methods that the class defines, a bit each.
    methods: u32,
    fault: Fault,
    stream: Py<Stream>,
}

/// An object that takes part in a run.
pub struct Instance {
    object: Py<PyAny>,
    shared: Arc<Shared>,
    /// Payload of a full segment, bytes.
    pub mss: u64,
    /// Instant of the last call.
    now: Cell<Time>,
    reused: RefCell<ReusedObjects>,
}

/// Methods that a class may define beside those that its role demands.
#[derive(Clone, Copy)]
pub enum Optional {
    Begin,
    Observe,
    TakeOver,
    OnRecoveryExit,
    OnRepeatedTimeout,
    OnLossWindow,
    OnIdleRestart,
    OnTransmitStart,
    OnLost,
    OnSpurious,
    BeginInterval,
    OnInterval,
    LimitsItself,
    OwnsWindow,
    Internals,
    Rule,
    Clone,
}

impl Optional {
    const ALL: [(&str, Self); 17] = [
        ("begin", Self::Begin),
        ("observe", Self::Observe),
        ("take_over", Self::TakeOver),
        ("on_recovery_exit", Self::OnRecoveryExit),
        ("on_repeated_timeout", Self::OnRepeatedTimeout),
        ("on_loss_window", Self::OnLossWindow),
        ("on_idle_restart", Self::OnIdleRestart),
        ("on_transmit_start", Self::OnTransmitStart),
        ("on_lost", Self::OnLost),
        ("on_spurious", Self::OnSpurious),
        ("begin_interval", Self::BeginInterval),
        ("on_interval", Self::OnInterval),
        ("limits_itself", Self::LimitsItself),
        ("owns_window", Self::OwnsWindow),
        ("internals", Self::Internals),
        ("rule", Self::Rule),
        ("clone", Self::Clone),
    ];

    fn bit(self) -> u32 {
        1 << self as u32
    }

    fn mask(names: &BTreeSet<String>) -> u32 {
        Self::ALL
            .iter()
            .filter(|(name, _)| names.contains(*name))
            .fold(0, |mask, (_, method)| mask | method.bit())
    }
}

impl Instance {
    /// Constructs an object of the class that Python found.
    pub fn new(
        class: &Bound<'_, PyAny>,
        flow: String,
        fault: &Fault,
        setup: &Setup,
    ) -> Result<Self, SpecError> {
        let construct = || -> PyResult<Result<Self, SpecError>> {
            let py = class.py();
            let stream = Py::new(py, Stream::default())?;
            let shared = Shared {
                class: class.getattr("label")?.extract()?,
                file: (class.getattr("file")?.extract()?, class.getattr("shown_file")?.extract()?),
                flow,
                methods: Optional::mask(&class.getattr("defines")?.extract()?),
                fault: fault.clone(),
                stream: stream.clone_ref(py),
            };
            let arguments =
                (setup.mss, setup.initial_window, setup.initial_ssthresh, setup.has_sack, stream);
            Ok(match class.call_method1("make", arguments) {
                Ok(object) => Ok(Self {
                    object: object.unbind(),
                    shared: Arc::new(shared),
                    mss: setup.mss,
                    now: Cell::new(Time::ZERO),
                    reused: RefCell::default(),
                }),
                Err(error) => Err(shared.raised(py, "__init__", Time::ZERO, error)),
            })
        };
        construct().unwrap_or_else(|error| {
            let sentence = SpecError::new(error.to_string());
            fault.set(error);
            Err(sentence)
        })
    }

    /// Whether the class defines an optional method.
    pub fn has(&self, method: Optional) -> bool {
        self.shared.methods & method.bit() != 0
    }

    /// The object itself.
    pub fn object<'a, 'py>(&'a self, py: Python<'py>) -> &'a Bound<'py, PyAny> {
        self.object.bind(py)
    }

    /// Calls with the flow's random stream at hand.
    pub fn lend<T>(&self, rng: &mut Rng, call: impl FnOnce() -> T) -> T {
        self.shared.stream.get().lend(rng, call)
    }

    /// Instant of the last call.
    pub fn now(&self) -> Time {
        self.now.get()
    }

    /// Arguments of a call that tells an ACK, with the window for halves. `None`: there is no
    /// memory left for them, and the run is coming to its end.
    pub fn ack<'py>(
        &self,
        py: Python<'py>,
        ack: &cc::AckEvent,
        window: Option<&cc::window::Window>,
    ) -> Option<Bound<'py, PyTuple>> {
        self.object_or_fault(|objects| objects.ack(py, ack, window))
            .map(|event| event.into_bound(py))
    }

    /// The window as Python sees it.
    pub fn window(&self, py: Python<'_>, window: &cc::window::Window) -> Option<Py<Window>> {
        self.object_or_fault(|objects| objects.window(py, window))
    }

    fn object_or_fault<T>(
        &self,
        build: impl FnOnce(&mut ReusedObjects) -> PyResult<T>,
    ) -> Option<T> {
        let object = build(&mut self.reused.borrow_mut());
        object.map_err(|error| self.shared.fault.set(error)).ok()
    }

    /// Calls a method. `None`: a method has raised, now or earlier, and the run is coming to its
    /// end.
    pub fn call<'py>(
        &self,
        method: &Bound<'py, PyString>,
        now: Time,
        arguments: impl PyCallArgs<'py>,
    ) -> Option<Bound<'py, PyAny>> {
        if self.shared.fault.is_set() {
            return None;
        }
        self.now.set(now);
        let py = method.py();
        match self.object.bind(py).call_method1(method, arguments) {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.shared.raised(py, &method.to_string_lossy(), now, error);
                None
            }
        }
    }

    /// Reads a method's answer as a number.
    pub fn number(
        &self,
        method: &Bound<'_, PyString>,
        answer: &Bound<'_, PyAny>,
        quantity: Quantity,
    ) -> Option<f64> {
        let number = quantity.read(answer);
        if number.is_none() {
            self.impossible(method, &format!("returned {}", shown(answer)), &quantity.allowed());
        }
        number
    }

    /// Reads an attribute as a number, after a method may have set it.
    pub fn attribute(
        &self,
        method: &Bound<'_, PyString>,
        name: &Bound<'_, PyString>,
        quantity: Quantity,
    ) -> Option<f64> {
        let value = self.read(method, name)?;
        let number = quantity.read(&value);
        if number.is_none() {
            self.impossible(method, &format!("{name} = {}", shown(&value)), &quantity.allowed());
        }
        number
    }

    /// Reads an attribute that is a number or None, after a method may have set it.
    #[expect(clippy::option_option, reason = "the outer None is a fault")]
    pub fn optional_attribute(
        &self,
        method: &Bound<'_, PyString>,
        name: &Bound<'_, PyString>,
        quantity: Quantity,
    ) -> Option<Option<f64>> {
        let value = self.read(method, name)?;
        if value.is_none() {
            return Some(None);
        }
        let number = quantity.read(&value);
        if number.is_none() {
            self.impossible(method, &format!("{name} = {}", shown(&value)), &quantity.allowed());
        }
        number.map(Some)
    }

    fn read<'py>(
        &self,
        method: &Bound<'py, PyString>,
        name: &Bound<'py, PyString>,
    ) -> Option<Bound<'py, PyAny>> {
        match self.object.bind(name.py()).getattr(name) {
            Ok(value) => Some(value),
            Err(error) => {
                self.shared.raised(name.py(), &method.to_string_lossy(), self.now(), error);
                None
            }
        }
    }

    /// Records that a method returned or set an impossible value.
    pub fn impossible(&self, method: &Bound<'_, PyString>, what: &str, allowed: &str) {
        let shared = &self.shared;
        let py = method.py();
        let line = self.first_line(method).unwrap_or_default();
        let place = shared.place(&method.to_string_lossy(), &format!("{}{line}", shared.file.1));
        let sentence =
            format!("{place} at {:.6} s: {what}; allowed is {allowed}", self.now().as_secs_f64());
        shared.fault.set(shared.error(py, sentence, &method.to_string_lossy(), self.now()));
    }

    /// The text `, line 12`, where the method begins.
    fn first_line(&self, method: &Bound<'_, PyString>) -> Option<String> {
        let function = self.object.bind(method.py()).getattr(method).ok()?;
        let line: u32 =
            function.getattr("__code__").ok()?.getattr("co_firstlineno").ok()?.extract().ok()?;
        Some(format!(", line {line}"))
    }

    /// Shows the internal state that the object returns, if it has a method for that.
    pub fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if !self.has(Optional::Internals) || self.shared.fault.is_set() {
            return;
        }
        Python::attach(|py| {
            let method = intern!(py, "internals");
            let values = match self.object.bind(py).call_method0(method) {
                Ok(values) => values,
                Err(error) => {
                    self.shared.raised(py, "internals", self.now(), error);
                    return;
                }
            };
            let allowed = "a dict of names and finite numbers";
            let Ok(values) = values.cast::<PyDict>() else {
                self.impossible(method, &format!("returned {}", shown(values.as_any())), allowed);
                return;
            };
            for (name, value) in values {
                let number = answer::float(&value).filter(|number| number.is_finite());
                if let (Ok(name), Some(number)) = (name.extract::<String>(), number) {
                    show(lasting(&name), number);
                } else {
                    self.impossible(
                        method,
                        &format!("returned {} for {}", shown(&value), shown(&name)),
                        allowed,
                    );
                    return;
                }
            }
        });
    }
}

impl Instance {
    /// Rule by which the object decided last, if it has a method for that; otherwise the name of
    /// its class. `call`: name of the call that was answered.
    pub fn rule(&self, call: &str) -> String {
        let by_class = cc::Rule::of_type(&self.shared.class);
        if !self.has(Optional::Rule) || self.shared.fault.is_set() {
            return by_class;
        }
        Python::attach(|py| {
            let method = intern!(py, "rule");
            let answer = match self.object.bind(py).call_method1(method, (call,)) {
                Ok(answer) => answer,
                Err(error) => {
                    self.shared.raised(py, "rule", self.now(), error);
                    return by_class;
                }
            };
            answer.extract().unwrap_or_else(|_| {
                self.impossible(method, &format!("returned {}", shown(&answer)), "a str");
                by_class
            })
        })
    }
}

impl Clone for Instance {
    /// Copies the object by its own `clone`, or deeply.
    fn clone(&self) -> Self {
        Python::attach(|py| {
            let object = self.object.bind(py);
            let copy = || {
                if self.has(Optional::Clone) {
                    object.call_method0(intern!(py, "clone"))
                } else {
                    py.import(intern!(py, "copy"))?.call_method1(intern!(py, "deepcopy"), (object,))
                }
            };
            let object = if self.shared.fault.is_set() {
                object.clone()
            } else {
                copy().unwrap_or_else(|error| {
                    self.shared.raised(py, "clone", self.now(), error);
                    object.clone()
                })
            };
            Self {
                object: object.unbind(),
                shared: Arc::clone(&self.shared),
                mss: self.mss,
                now: self.now.clone(),
                reused: RefCell::default(),
            }
        })
    }
}

impl Shared {
    fn place(&self, method: &str, place: &str) -> String {
        let flow = if self.flow.is_empty() {
            String::new()
        } else {
            format!("flow '{}': ", one_line(&self.flow, LONGEST_VALUE))
        };
        format!("{flow}{}.{method} ({place})", one_line(&self.class, LONGEST_VALUE))
    }

    fn error(&self, py: Python<'_>, sentence: String, method: &str, now: Time) -> PyErr {
        let error = AlgorithmError::new_err(sentence);
        let value = error.value(py);
        let message = value
            .setattr("flow", &self.flow)
            .and_then(|()| value.setattr("algorithm", &self.class))
            .and_then(|()| value.setattr("method", method))
            .and_then(|()| value.setattr("time", now.as_secs_f64()));
        message.err().unwrap_or(error)
    }

    /// Records an exception that a method raised, and returns it as an error.
    fn raised(&self, py: Python<'_>, method: &str, now: Time, error: PyErr) -> SpecError {
        // Ctrl-C is no fault of the algorithm. sys.exit is: nobody would see that the run has no
        // result.
        if !error.is_instance_of::<PyException>(py) && is_ctrl_c(py, &error) {
            let line = error.traceback(py).and_then(|traceback| self.line(&traceback));
            let place = self.place(method, &line.unwrap_or_else(|| self.file.1.clone()));
            let _ = error
                .value(py)
                .call_method1(intern!(py, "add_note"), (format!("it was in {place}"),));
            self.fault.set(error);
            return SpecError::new("interrupted".to_owned());
        }
        let place = error.traceback(py).and_then(|traceback| self.line(&traceback));
        let place = self.place(method, &place.unwrap_or_else(|| self.file.1.clone()));
        let what = error.value(py).str().map(|text| text.to_string()).unwrap_or_default();
        let kind = error.get_type(py).name().map(|name| name.to_string()).unwrap_or_default();
        let colon = if what.is_empty() { "" } else { ": " };
        let what = one_line(&what, LONGEST_REASON);
        let sentence = format!("{place} at {:.6} s raised {kind}{colon}{what}", now.as_secs_f64());
        let fault = self.error(py, sentence.clone(), method, now);
        fault.set_cause(py, Some(error));
        self.fault.set(fault);
        SpecError::new(sentence)
    }

    /// The text `my_reno.py, line 12`: the innermost line in the class's file, or else the
    /// innermost of all.
    fn line(&self, traceback: &Bound<'_, PyTraceback>) -> Option<String> {
        let (mut own, mut last) = (None, None);
        let mut next = Some(traceback.clone().into_any());
        while let Some(here) = next {
            let code = here.getattr("tb_frame").ok()?.getattr("f_code").ok()?;
            let file: String = code.getattr("co_filename").ok()?.extract().ok()?;
            let line: u32 = here.getattr("tb_lineno").ok()?.extract().ok()?;
            if file == self.file.0 {
                own = Some(format!("{}, line {line}", self.file.1));
            }
            last = Some(format!("{file}, line {line}"));
            next = here.getattr("tb_next").ok().filter(|next| !next.is_none());
        }
        own.or(last)
    }
}

/// The longest text of a user's exception in a message, characters.
const LONGEST_REASON: usize = 100;
/// The longest value or name in a message, characters.
const LONGEST_VALUE: usize = 60;

/// Whether the user pressed Ctrl-C. False: the user's own code raised the exception.
fn is_ctrl_c(py: Python<'_>, error: &PyErr) -> bool {
    // Before Python 3.12 an exception that was just caught does not know its traceback yet.
    let value = error.value(py);
    let known = error
        .traceback(py)
        .map_or(Ok(()), |traceback| value.setattr(intern!(py, "__traceback__"), traceback));
    known
        .and_then(|()| py.import(intern!(py, "ackclock.runtime.interruption")))
        .and_then(|module| module.call_method1(intern!(py, "is_ctrl_c"), (value,)))
        .and_then(|answer| answer.extract())
        .unwrap_or(false)
}

/// Text of a value in a message.
pub fn shown(value: &Bound<'_, PyAny>) -> String {
    let text =
        value.repr().map_or_else(|_| "a value without a repr".to_owned(), |text| text.to_string());
    one_line(&text, LONGEST_VALUE)
}

/// A text on one line, without control characters, of at most `longest` characters and three dots.
fn one_line(text: &str, longest: usize) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let clean: String =
        words.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    if clean.chars().count() <= longest {
        return clean;
    }
    clean.chars().take(longest).chain("...".chars()).collect()
}

/// The name for as long as the process lasts. Names of internals are few, and the record keeps them
/// by reference.
fn lasting(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(kept);
    kept
}
