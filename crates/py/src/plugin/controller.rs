//! Whole controllers in Python.

use ackclock_cc::registry::SpecError;
use ackclock_cc::{
    AckEvent, Call, CongestionControl, CongestionEvent, Decision, Duration, Interval,
    IntervalStart, LostSegment, Rate, Rng, Signal, Time,
};
use pyo3::call::PyCallArgs;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::answer::{self, Quantity, whole};
use super::events;
use super::instance::{Instance, Optional, shown};

/// A Python object, and its last decision.
#[derive(Clone)]
pub struct PythonController {
    instance: Instance,
    decision: Decision,
    /// Copy from before the last signal, for undo.
    before: Option<Box<Self>>,
}

impl PythonController {
    /// Reads the first decision, which the constructor made.
    pub fn new(instance: Instance) -> Result<Self, SpecError> {
        let mut whole = Self {
            decision: Decision { cwnd: instance.mss, ssthresh: None, pacing_rate: None },
            before: None,
            instance,
        };
        Python::attach(|py| {
            let method = intern!(py, "__init__");
            let instance = &whole.instance;
            let object = instance.object(py);
            if !object.hasattr(intern!(py, "cwnd")).unwrap_or(true) {
                instance.impossible(
                    method,
                    "left no cwnd",
                    &Quantity::Window(instance.mss).allowed(),
                );
                return None;
            }
            for name in [intern!(py, "ssthresh"), intern!(py, "pacing_rate")] {
                if !object.hasattr(name).unwrap_or(true) && object.setattr(name, py.None()).is_err()
                {
                    instance.impossible(
                        method,
                        &format!("left no {name}"),
                        "an object that has one, or can be given one",
                    );
                    return None;
                }
            }
            whole.read(method)
        })
        .ok_or_else(|| SpecError::new("the constructor left no decision".to_owned()))?;
        Ok(whole)
    }

    fn read(&mut self, method: &Bound<'_, PyString>) -> Option<()> {
        let py = method.py();
        let instance = &self.instance;
        self.decision = Decision {
            cwnd: whole(instance.attribute(
                method,
                intern!(py, "cwnd"),
                Quantity::Window(instance.mss),
            )?),
            ssthresh: instance
                .optional_attribute(method, intern!(py, "ssthresh"), Quantity::Bytes)?
                .map(whole),
            pacing_rate: instance
                .optional_attribute(method, intern!(py, "pacing_rate"), Quantity::Rate)?
                .map(|rate| Rate::from_bps(whole(rate))),
        };
        Some(())
    }

    /// Calls a method and reads the decision.
    fn tell<'py>(
        &mut self,
        method: &Bound<'py, PyString>,
        now: Time,
        arguments: impl PyCallArgs<'py>,
    ) -> Option<Bound<'py, PyAny>> {
        let answer = self.instance.call(method, now, arguments)?;
        self.read(method)?;
        Some(answer)
    }

    /// Calls a method with the flow's random stream at hand, and reads the decision.
    fn tell_with<'py>(
        &mut self,
        rng: &mut Rng,
        method: &Bound<'py, PyString>,
        now: Time,
        arguments: impl PyCallArgs<'py>,
    ) -> Option<Bound<'py, PyAny>> {
        let answer = self.instance.lend(rng, || self.instance.call(method, now, arguments))?;
        self.read(method)?;
        Some(answer)
    }
}

impl CongestionControl for PythonController {
    fn on_ack(&mut self, ack: &AckEvent, rng: &mut Rng) {
        Python::attach(|py| {
            let arguments = self.instance.ack(py, ack, None)?;
            self.tell_with(rng, intern!(py, "on_ack"), ack.now, arguments).map(|_| ())
        });
    }

    fn on_congestion(&mut self, event: &CongestionEvent, rng: &mut Rng) {
        self.before = None;
        if event.signal != Signal::Ecn {
            self.before = Some(Box::new(self.clone()));
        }
        Python::attach(|py| {
            let arguments = (events::CongestionEvent::from(event),);
            self.tell_with(rng, intern!(py, "on_congestion"), event.now, arguments);
        });
    }

    fn on_repeated_timeout(&mut self, event: &CongestionEvent, rng: &mut Rng) {
        Python::attach(|py| {
            let arguments = (events::CongestionEvent::from(event),);
            if self.instance.has(Optional::OnRepeatedTimeout) {
                self.tell_with(rng, intern!(py, "on_repeated_timeout"), event.now, arguments);
                return;
            }
            // A class without the method has already cut its threshold for this window in
            // `on_congestion`. The second cut is taken back.
            let (method, name) = (intern!(py, "on_congestion"), intern!(py, "ssthresh"));
            let kept = self.instance.object(py).getattr(name).ok();
            self.tell_with(rng, method, event.now, arguments);
            if let Some(kept) = kept.filter(|kept| !kept.is_none()) {
                if self.instance.object(py).setattr(name, kept).is_err() {
                    self.instance.impossible(
                        method,
                        "could not set ssthresh",
                        "an object whose ssthresh can be set",
                    );
                }
                self.read(method);
            }
        });
    }

    fn on_loss_window(&mut self, window: u64, now: Time) {
        if self.instance.has(Optional::OnLossWindow) {
            Python::attach(|py| {
                self.tell(intern!(py, "on_loss_window"), now, (window, now.as_secs_f64()));
            });
        }
    }

    fn on_recovery_exit(&mut self, now: Time) {
        if self.instance.has(Optional::OnRecoveryExit) {
            Python::attach(|py| {
                self.tell(intern!(py, "on_recovery_exit"), now, (now.as_secs_f64(),));
            });
        }
    }

    fn on_idle_restart(&mut self, restart_window: u64, now: Time) {
        Python::attach(|py| {
            let method = intern!(py, "on_idle_restart");
            if self.instance.has(Optional::OnIdleRestart) {
                self.tell(method, now, (restart_window, now.as_secs_f64()));
            } else if restart_window < self.decision.cwnd {
                let set = self.instance.object(py).setattr(intern!(py, "cwnd"), restart_window);
                if set.is_err() {
                    self.instance.impossible(
                        method,
                        "could not set cwnd",
                        "an object whose cwnd can be set",
                    );
                }
                self.read(method);
            }
        });
    }

    fn owns_window(&self) -> bool {
        self.instance.has(Optional::OwnsWindow)
    }

    fn limits_itself(&self) -> bool {
        if !self.instance.has(Optional::LimitsItself) {
            return false;
        }
        Python::attach(|py| {
            let answer = self.instance.call(intern!(py, "limits_itself"), self.instance.now(), ());
            answer.is_some_and(|answer| answer.is_truthy().unwrap_or(false))
        })
    }

    fn on_transmit_start(&mut self, now: Time, _idle: Duration, is_app_limited: bool) {
        if self.instance.has(Optional::OnTransmitStart) {
            Python::attach(|py| {
                self.tell(
                    intern!(py, "on_transmit_start"),
                    now,
                    (now.as_secs_f64(), is_app_limited),
                );
            });
        }
    }

    fn on_lost(&mut self, segment: &LostSegment) {
        if self.instance.has(Optional::OnLost) {
            Python::attach(|py| {
                self.tell(
                    intern!(py, "on_lost"),
                    segment.now,
                    (events::LostSegment::from(segment),),
                );
            });
        }
    }

    fn on_spurious(&mut self, now: Time) {
        let before = self.before.take();
        let is_settled = self.instance.has(Optional::OnSpurious)
            && Python::attach(|py| {
                let answer = self.tell(intern!(py, "on_spurious"), now, (now.as_secs_f64(),));
                answer.is_some_and(|answer| answer.is_truthy().unwrap_or(false))
            });
        if !is_settled && let Some(before) = before {
            *self = *before;
        }
    }

    fn begin_interval(&mut self, start: &IntervalStart, rng: &mut Rng) -> Option<Duration> {
        if !self.instance.has(Optional::BeginInterval) {
            return None;
        }
        Python::attach(|py| {
            let method = intern!(py, "begin_interval");
            let answer =
                self.tell_with(rng, method, start.now, (events::IntervalStart::from(start),))?;
            if answer.is_none() {
                return None;
            }
            let seconds = answer::seconds(&answer);
            if seconds.is_none() {
                let what = format!("returned {}", shown(&answer));
                self.instance.impossible(method, &what, answer::ALLOWED_SECONDS);
            }
            seconds.map(Duration::from_secs_f64)
        })
    }

    fn on_interval(&mut self, interval: &Interval, rng: &mut Rng) {
        if self.instance.has(Optional::OnInterval) {
            Python::attach(|py| {
                let arguments = (events::Interval::from(interval),);
                self.tell_with(rng, intern!(py, "on_interval"), self.instance.now(), arguments);
            });
        }
    }

    fn decision(&self) -> Decision {
        self.decision
    }

    fn rule(&self, call: Call) -> String {
        self.instance.rule(call.name())
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        self.instance.internals(show);
    }
}
