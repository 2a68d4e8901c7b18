//! The core's events as Python sees them: read-only values with times in seconds and rates in
//! bit/s.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ackclock_cc as cc;
use ackclock_cc::{Duration, Rate, Signal};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyTuple};

/// A class of read-only fields, which prints itself and is its own copy.
macro_rules! values {
    ($($(#[$about:meta])* $name:ident { $($field:ident: $kind:ty,)* })*) => {$(
        $(#[$about])*
        #[pyclass(frozen, get_all, module = "ackclock._core")]
        #[derive(Clone)]
        pub struct $name {
            $($field: $kind,)*
        }

        #[pymethods]
        impl $name {
            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                printed(slf, &[$(stringify!($field)),*])
            }

            fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                slf
            }

            fn __deepcopy__<'py>(
                slf: Bound<'py, Self>,
                _memo: &Bound<'py, PyAny>,
            ) -> Bound<'py, Self> {
                slf
            }
        }
    )*};
}

values! {
    /// A delivery-rate sample.
    RateSample {
        delivery_rate: u64,
        interval: f64,
        delivered: u64,
        prior_delivered: u64,
        lost: u64,
        tx_in_flight: u64,
        is_app_limited: bool,
    }

    /// A packet-timed round trip.
    Round {
        count: u64,
        start: bool,
        expected: u64,
        acked: u64,
        last: RoundSummary,
    }

    /// Summary of a finished round.
    RoundSummary {
        min_rtt: Option<f64>,
        samples: u32,
        acked: u64,
        lost: u64,
        marked: u64,
    }

    /// The first sign of congestion in a window.
    CongestionEvent {
        signal: &'static str,
        now: f64,
        inflight: u64,
        newly_lost: u64,
        srtt: f64,
        min_rtt: f64,
        delivered: u64,
    }

    /// A segment that was just declared lost.
    LostSegment {
        now: f64,
        seq: u64,
        bytes: u64,
        delivered: u64,
        sent_at: f64,
        tx_in_flight: u64,
        lost: u64,
        is_app_limited: bool,
    }

    /// A monitor interval that begins.
    IntervalStart {
        number: u64,
        now: f64,
        srtt: Option<f64>,
    }

    /// A monitor interval whose segments are all delivered or lost.
    Interval {
        number: u64,
        start: f64,
        end: f64,
        pacing_rate: Option<u64>,
        sent: u64,
        delivered: u64,
        lost: u64,
        is_limited: bool,
        rtt_samples: u32,
        rtt_first: Option<f64>,
        rtt_last: Option<f64>,
        rtt_mean: Option<f64>,
        rtt_gradient: Option<f64>,
        rtt_residual: Option<f64>,
        rtt_deviation: Option<f64>,
    }
}

/// `Name(field=value, ...)`.
fn printed<T>(object: &Bound<'_, T>, fields: &[&str]) -> PyResult<String> {
    let object = object.as_any();
    let shown = |field: &&str| Ok(format!("{field}={}", object.getattr(*field)?.repr()?));
    let fields = fields.iter().map(shown).collect::<PyResult<Vec<_>>>()?;
    Ok(format!("{}({})", object.get_type().name()?, fields.join(", ")))
}

/// One ACK that delivered, lost or marked something. The fields that most algorithms read are
/// ready; the others are made when they are read.
#[pyclass(frozen, module = "ackclock._core")]
pub struct AckEvent {
    #[pyo3(get)]
    newly_acked: Py<PyInt>,
    #[pyo3(get)]
    credited: Py<PyInt>,
    #[pyo3(get)]
    is_cwnd_limited: Py<PyBool>,
    #[pyo3(get)]
    in_recovery: Py<PyBool>,
    /// The core's event. Once Python holds no reference, the object is used for a later ACK.
    rest: Mutex<cc::AckEvent>,
}

impl AckEvent {
    fn new(py: Python<'_>, ack: &cc::AckEvent) -> Self {
        let flag = |flag| PyBool::new(py, flag).to_owned().unbind();
        let newly_acked = int(py, ack.newly_acked);
        Self {
            credited: if ack.credited == ack.newly_acked {
                newly_acked.clone_ref(py)
            } else {
                int(py, ack.credited)
            },
            newly_acked,
            is_cwnd_limited: flag(ack.is_cwnd_limited),
            in_recovery: flag(ack.in_recovery),
            rest: Mutex::new(*ack),
        }
    }

    fn rest(&self) -> MutexGuard<'_, cc::AckEvent> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl AckEvent {
    #[getter]
    fn now(&self) -> f64 {
        self.rest().now.as_secs_f64()
    }
    #[getter]
    fn newly_lost(&self) -> u64 {
        self.rest().newly_lost
    }
    #[getter]
    fn newly_marked(&self) -> u64 {
        self.rest().newly_marked
    }
    #[getter]
    fn rtt_sample(&self) -> Option<f64> {
        seconds(self.rest().rtt_sample)
    }
    #[getter]
    fn srtt(&self) -> f64 {
        self.rest().srtt.as_secs_f64()
    }
    #[getter]
    fn rttvar(&self) -> f64 {
        self.rest().rttvar.as_secs_f64()
    }
    #[getter]
    fn min_rtt(&self) -> f64 {
        self.rest().min_rtt.as_secs_f64()
    }
    #[getter]
    fn one_way_delay(&self) -> Option<f64> {
        seconds(self.rest().one_way_delay)
    }
    #[getter]
    fn inflight(&self) -> u64 {
        self.rest().inflight
    }
    #[getter]
    fn prior_inflight(&self) -> u64 {
        self.rest().prior_inflight
    }
    #[getter]
    fn delivered(&self) -> u64 {
        self.rest().delivered
    }
    #[getter]
    fn rate(&self) -> Option<RateSample> {
        self.rest().rate.as_ref().map(RateSample::from)
    }
    #[getter]
    fn round(&self) -> Round {
        Round::from(&self.rest().round)
    }

    #[getter]
    fn pacing_wait(&self) -> f64 {
        self.rest().pacing_wait.as_secs_f64()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        const FIELDS: [&str; 18] = [
            "now",
            "newly_acked",
            "credited",
            "newly_lost",
            "newly_marked",
            "rtt_sample",
            "srtt",
            "rttvar",
            "min_rtt",
            "one_way_delay",
            "inflight",
            "prior_inflight",
            "delivered",
            "rate",
            "round",
            "pacing_wait",
            "is_cwnd_limited",
            "in_recovery",
        ];
        printed(slf, &FIELDS)
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }
}

/// The window as both halves of an algorithm see it.
#[pyclass(frozen, module = "ackclock._core")]
pub struct Window {
    #[pyo3(get)]
    cwnd: Py<PyInt>,
    #[pyo3(get)]
    ssthresh: Py<PyAny>,
    #[pyo3(get)]
    mss: Py<PyInt>,
}

#[pymethods]
impl Window {
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        printed(slf, &["cwnd", "ssthresh", "mss"])
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }
}

/// Objects that Python was told last. Most ACKs bring the same numbers, and reusing objects is
/// faster than making them.
#[derive(Default)]
pub struct ReusedObjects {
    window: Option<(cc::window::Window, Py<Window>)>,
    /// Two, because ACKs of one segment come among those of two.
    acks: [Option<Known>; 2],
    /// Index of the entry of `acks` that is replaced next.
    oldest: usize,
}

/// Fields of an event that are ready: (`newly_acked`, `credited`, `is_cwnd_limited`,
/// `in_recovery`).
type AtHand = (u64, u64, bool, bool);

/// An event that Python was told, with the arguments of that call.
struct Known {
    at_hand: AtHand,
    event: Py<AckEvent>,
    arguments: Py<PyTuple>,
    window: Option<Py<Window>>,
}

impl Known {
    /// Whether Python holds no reference to any of it.
    #[expect(
        deprecated,
        reason = "the count of references is wanted, and what comes in its place is unsafe"
    )]
    fn is_free(&self, py: Python<'_>) -> bool {
        // One reference to the event is held here, and one by the arguments.
        self.arguments.get_refcnt(py) == 1 && self.event.get_refcnt(py) == 2
    }

    /// The arguments, with this window in them.
    fn arguments(&mut self, py: Python<'_>, window: Option<Py<Window>>) -> PyResult<Py<PyTuple>> {
        let is_same = match (&self.window, &window) {
            (Some(known), Some(window)) => known.is(window),
            (known, window) => known.is_none() && window.is_none(),
        };
        if !is_same {
            self.arguments = arguments(py, &self.event, window.as_ref())?;
            self.window = window;
        }
        Ok(self.arguments.clone_ref(py))
    }
}

fn arguments(
    py: Python<'_>,
    event: &Py<AckEvent>,
    window: Option<&Py<Window>>,
) -> PyResult<Py<PyTuple>> {
    let made = match window {
        Some(window) => (event, window).into_pyobject(py)?,
        None => (event,).into_pyobject(py)?,
    };
    Ok(made.unbind())
}

impl ReusedObjects {
    /// The arguments of a call that tells an ACK, and to halves the window.
    pub fn ack(
        &mut self,
        py: Python<'_>,
        ack: &cc::AckEvent,
        window: Option<&cc::window::Window>,
    ) -> PyResult<Py<PyTuple>> {
        let window = window.map(|window| self.window(py, window)).transpose()?;
        let at_hand = (ack.newly_acked, ack.credited, ack.is_cwnd_limited, ack.in_recovery);
        for known in self.acks.iter_mut().flatten() {
            if known.at_hand == at_hand && known.is_free(py) {
                *known.event.get().rest() = *ack;
                return known.arguments(py, window);
            }
        }
        let event = Py::new(py, AckEvent::new(py, ack))?;
        let arguments = arguments(py, &event, window.as_ref())?;
        let shared = arguments.clone_ref(py);
        self.acks[self.oldest] = Some(Known { at_hand, event, arguments, window });
        self.oldest = 1 - self.oldest;
        Ok(shared)
    }

    /// The window as a Python object.
    pub fn window(&mut self, py: Python<'_>, window: &cc::window::Window) -> PyResult<Py<Window>> {
        let is_same = |known: &cc::window::Window| {
            known.cwnd == window.cwnd
                && known.ssthresh == window.ssthresh
                && known.mss == window.mss
        };
        if let Some((known, object)) = &self.window
            && is_same(known)
        {
            return Ok(object.clone_ref(py));
        }
        let object = Window {
            cwnd: int(py, window.cwnd),
            ssthresh: window
                .ssthresh
                .map_or_else(|| py.None(), |ssthresh| int(py, ssthresh).into_any()),
            mss: int(py, window.mss),
        };
        let object = Py::new(py, object)?;
        self.window = Some((*window, object.clone_ref(py)));
        Ok(object)
    }
}

fn int(py: Python<'_>, number: u64) -> Py<PyInt> {
    number.into_pyobject(py).map_or_else(|never| match never {}, Bound::unbind)
}

fn seconds(duration: Option<Duration>) -> Option<f64> {
    duration.map(Duration::as_secs_f64)
}

impl From<&cc::RateSample> for RateSample {
    fn from(sample: &cc::RateSample) -> Self {
        Self {
            delivery_rate: sample.delivery_rate.as_bps(),
            interval: sample.interval.as_secs_f64(),
            delivered: sample.delivered,
            prior_delivered: sample.prior_delivered,
            lost: sample.lost,
            tx_in_flight: sample.tx_in_flight,
            is_app_limited: sample.is_app_limited,
        }
    }
}

impl From<&cc::Round> for Round {
    fn from(round: &cc::Round) -> Self {
        Self {
            count: round.count,
            start: round.start,
            expected: round.expected,
            acked: round.acked,
            last: RoundSummary {
                min_rtt: seconds(round.last.min_rtt),
                samples: round.last.samples,
                acked: round.last.acked,
                lost: round.last.lost,
                marked: round.last.marked,
            },
        }
    }
}

impl From<&cc::CongestionEvent> for CongestionEvent {
    fn from(event: &cc::CongestionEvent) -> Self {
        Self {
            signal: match event.signal {
                Signal::Loss => "loss",
                Signal::Ecn => "ecn",
                Signal::Rto => "rto",
            },
            now: event.now.as_secs_f64(),
            inflight: event.inflight,
            newly_lost: event.newly_lost,
            srtt: event.srtt.as_secs_f64(),
            min_rtt: event.min_rtt.as_secs_f64(),
            delivered: event.delivered,
        }
    }
}

impl From<&cc::LostSegment> for LostSegment {
    fn from(segment: &cc::LostSegment) -> Self {
        Self {
            now: segment.now.as_secs_f64(),
            seq: segment.seq,
            bytes: segment.bytes,
            delivered: segment.delivered,
            sent_at: segment.sent_at.as_secs_f64(),
            tx_in_flight: segment.tx_in_flight,
            lost: segment.lost,
            is_app_limited: segment.is_app_limited,
        }
    }
}

impl From<&cc::IntervalStart> for IntervalStart {
    fn from(start: &cc::IntervalStart) -> Self {
        Self { number: start.number, now: start.now.as_secs_f64(), srtt: seconds(start.srtt) }
    }
}

impl From<&cc::Interval> for Interval {
    fn from(interval: &cc::Interval) -> Self {
        let rtt = &interval.rtt;
        Self {
            number: interval.number,
            start: interval.start.as_secs_f64(),
            end: interval.end.as_secs_f64(),
            pacing_rate: interval.pacing_rate.map(Rate::as_bps),
            sent: interval.sent,
            delivered: interval.delivered,
            lost: interval.lost,
            is_limited: interval.is_limited,
            rtt_samples: rtt.samples(),
            rtt_first: seconds(rtt.first()),
            rtt_last: seconds(rtt.last()),
            rtt_mean: rtt.mean(),
            rtt_gradient: rtt.gradient(),
            rtt_residual: rtt.residual(),
            rtt_deviation: rtt.deviation(),
        }
    }
}

/// A slow start's answer: add these bytes and hand over to the avoidance.
#[pyclass(frozen, module = "ackclock._core")]
pub struct Exit {
    /// Checked where it is used.
    #[pyo3(get)]
    pub bytes: Py<PyAny>,
}

#[pymethods]
impl Exit {
    #[new]
    #[pyo3(signature = (number, /))]
    fn new(number: Py<PyAny>) -> Self {
        Self { bytes: number }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Exit({})", self.bytes.bind(py).repr()?))
    }
}

/// A slow start's answer: hand over to the avoidance with this window.
#[pyclass(frozen, module = "ackclock._core")]
pub struct ExitAt {
    /// Checked where it is used.
    #[pyo3(get)]
    pub cwnd: Py<PyAny>,
}

#[pymethods]
impl ExitAt {
    #[new]
    #[pyo3(signature = (cwnd, /))]
    fn new(cwnd: Py<PyAny>) -> Self {
        Self { cwnd }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("ExitAt({})", self.cwnd.bind(py).repr()?))
    }
}
