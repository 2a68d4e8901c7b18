//! A sender or a receiver on a bench: what plays packetdrill scripts and random scripts drives it
//! from Python.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ackclock_cc::{Duration, Time};
use ackclock_sim::packet::{Ecn, Packet};
use ackclock_sim::testbench::{self, Arriving};
use ackclock_sim::transport::flow::FlowPlan;
use ackclock_sim::transport::recovery::CaState;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// One host without a network.
#[pyclass(frozen, module = "ackclock._core")]
pub struct Bench {
    bench: Mutex<testbench::Bench>,
}

impl Bench {
    fn lock(&self) -> MutexGuard<'_, testbench::Bench> {
        self.bench.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bench, with all timers run that are due before `at`, and the instant: no earlier than
    /// what happened last.
    fn at(&self, at: u64) -> (MutexGuard<'_, testbench::Bench>, Time) {
        let mut bench = self.lock();
        bench.advance(Time::from_ps(at));
        let now = bench.latest().max(Time::from_ps(at));
        (bench, now)
    }
}

#[pymethods]
impl Bench {
    #[new]
    fn new(plan_json: &str, side: &str) -> PyResult<Self> {
        let plan: FlowPlan = serde_json::from_str(plan_json).map_err(|error| {
            PyValueError::new_err(format!("the flow's plan is not valid: {error}"))
        })?;
        let bench = match side {
            "sender" => testbench::Bench::sender(&plan)
                .map_err(|error| PyValueError::new_err(error.to_string()))?,
            "receiver" => testbench::Bench::receiver(&plan),
            _ => return Err(PyValueError::new_err(format!("side '{side}': sender or receiver"))),
        };
        Ok(Self { bench: Mutex::new(bench) })
    }

    /// When something last happened, ps.
    #[getter]
    fn latest(&self) -> u64 {
        self.lock().latest().as_ps()
    }

    /// When the next timer runs out, ps; None: none is set.
    #[getter]
    fn deadline(&self) -> Option<u64> {
        Some(self.lock().deadline()).filter(|due| *due < Time::MAX).map(Time::as_ps)
    }

    fn advance(&self, to: u64) {
        self.lock().advance(Time::from_ps(to));
    }

    fn open(&self, at: u64) {
        let (mut bench, now) = self.at(at);
        bench.open(now);
    }

    #[pyo3(signature = (at, count, *, closes = false))]
    fn write(&self, at: u64, count: u64, closes: bool) {
        let (mut bench, now) = self.at(at);
        bench.write(count, closes, now);
    }

    #[pyo3(signature = (
        at, flags, *, seq = 0, ack = 0, payload = 0, window = None, sacks = Vec::new(),
        stamp = None, echo = None, ecn = 0, marked = 0
    ))]
    #[expect(clippy::too_many_arguments, reason = "fields of a packet, by keyword")]
    fn inject(
        &self,
        at: u64,
        flags: u16,
        seq: u64,
        ack: u64,
        payload: u32,
        window: Option<u32>,
        sacks: Vec<(u64, u64)>,
        stamp: Option<u32>,
        echo: Option<u32>,
        ecn: u8,
        marked: u32,
    ) -> PyResult<()> {
        let ecn = match ecn {
            0 => Ecn::NotEct,
            1 => Ecn::Ect1,
            2 => Ecn::Ect0,
            3 => Ecn::Ce,
            _ => return Err(PyValueError::new_err(format!("ecn {ecn}: 0 to 3"))),
        };
        let (mut bench, now) = self.at(at);
        let arriving =
            Arriving { seq, payload, ack, flags, window, sacks, stamp, echo, ecn, marked };
        bench.inject(&arriving, now);
        Ok(())
    }

    fn next_sent<'py>(&self, py: Python<'py>, until: u64) -> PyResult<Option<Bound<'py, PyDict>>> {
        let sent = self.lock().next_sent(Time::from_ps(until));
        sent.map(|(at, packet)| shown(py, at, &packet)).transpose()
    }

    fn drain<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let sent = self.lock().drain();
        sent.iter().map(|(at, packet)| shown(py, *at, packet)).collect()
    }

    fn delivered(&self) -> Option<u64> {
        self.lock().delivered()
    }

    fn info<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let bench = self.lock();
        let Some(info) = bench.info() else { return Ok(None) };
        let shown = PyDict::new(py);
        let ca_state = match info.ca_state {
            CaState::Open => 0,
            CaState::Disorder => 1,
            CaState::Cwr => 2,
            CaState::Recovery => 3,
            CaState::Loss => 4,
        };
        shown.set_item("ca_state", ca_state)?;
        shown.set_item("snd_ssthresh", info.snd_ssthresh)?;
        shown.set_item("pacing_rate", info.pacing_rate)?;
        for (name, count) in [
            ("snd_cwnd", info.snd_cwnd),
            ("unacked", info.unacked),
            ("sacked", info.sacked),
            ("lost", info.lost),
            ("retrans", info.retrans),
            ("total_retrans", info.total_retrans),
            ("backoff", u64::from(info.backoff)),
            ("probes", u64::from(info.probes)),
            ("snd_mss", info.snd_mss),
            ("snd_wnd", info.snd_wnd),
            ("bytes_acked", info.bytes_acked),
            ("notsent_bytes", info.notsent_bytes),
            ("delivered", info.delivered),
            ("data_segs_out", info.data_segs_out),
            ("total_rto", info.total_rto),
            ("reordering", u64::from(info.reordering)),
            ("reord_seen", u64::from(info.reord_seen)),
        ] {
            shown.set_item(name, count)?;
        }
        for (name, time) in [
            ("rto", info.rto),
            ("rtt", info.rtt),
            ("rttvar", info.rttvar),
            ("min_rtt", info.min_rtt),
            ("rwnd_limited", info.rwnd_limited),
            ("busy_time", bench.busy_time()),
        ] {
            shown.set_item(name, Duration::as_ps(time))?;
        }
        Ok(Some(shown))
    }
}

fn shown<'py>(py: Python<'py>, at: Time, packet: &Packet) -> PyResult<Bound<'py, PyDict>> {
    let shown = PyDict::new(py);
    shown.set_item("at", at.as_ps())?;
    shown.set_item("seq", packet.seq)?;
    shown.set_item("ack", packet.ack)?;
    shown.set_item("payload", packet.payload)?;
    shown.set_item("flags", packet.flags)?;
    shown.set_item("window", packet.window)?;
    shown.set_item("ecn", packet.ecn as u8)?;
    shown.set_item("marked", packet.ce_bytes)?;
    shown.set_item("stamp", packet.ts_val)?;
    shown.set_item("echo", packet.ts_ecr)?;
    shown.set_item("sacks", packet.sack_ranges().collect::<Vec<_>>())?;
    Ok(shown)
}
