//! A run: from a plan to its results, without holding Python up while it computes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ackclock_cc::registry;
use ackclock_sim::output::{FlowOutput, Output};
use ackclock_sim::plan::Plan;
use ackclock_sim::record::Point;
use ackclock_sim::rows::{FLOWS, LINKS, SESSIONS, STREAMS};
use ackclock_sim::simulation::{Progress, Simulation};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::columns::{self, Dictionaries};
use crate::pcap::{self, CaptureError};
use crate::plugin::{Classes, Fault};

/// Events between two looks at Python. Their number follows the time that they take: most take less
/// than a microsecond, and some, that make up for a long pause or call a user's algorithm, a
/// thousand times as long.
struct Slice {
    events: u64,
}

impl Slice {
    const FIRST: u64 = 64;
    const MOST: u64 = 100_000;
    /// Ctrl-C is heard, and other threads have their turn, between two slices.
    const AIM: Duration = Duration::from_millis(20);

    fn new() -> Self {
        Self { events: Self::FIRST }
    }

    /// Chooses the next slice after one that took so long.
    fn took(&mut self, spent: Duration) {
        if spent > Self::AIM {
            self.events = (self.events / 4).max(1);
        } else if spent < Self::AIM / 4 {
            self.events = (self.events * 2).min(Self::MOST);
        }
    }
}

const PROGRESS_PERIOD: Duration = Duration::from_millis(100);

fn parsed(plan_json: &str) -> PyResult<Plan> {
    serde_json::from_str(plan_json)
        .map_err(|error| PyValueError::new_err(format!("the plan is not valid: {error}")))
}

/// Raises if a text is no plan.
#[pyfunction]
pub fn check_plan(plan_json: &str) -> PyResult<()> {
    parsed(plan_json).map(drop)
}

/// Runs a plan to its end.
#[pyfunction]
#[pyo3(signature = (plan_json, progress = None, find = None))]
pub fn run<'py>(
    py: Python<'py>,
    plan_json: &str,
    progress: Option<Bound<'py, PyAny>>,
    find: Option<Bound<'py, PyAny>>,
) -> PyResult<Run> {
    let plan = parsed(plan_json)?;
    let fault = Fault::default();
    let classes = Classes::new(find, fault.clone());
    let mut simulation = Simulation::with_controls(&plan, |flow, setup| {
        registry::build_with(&flow.cc, setup, &classes.of_flow(&flow.name))
    })
    .map_err(|error| fault.take().unwrap_or_else(|| PyValueError::new_err(error.to_string())))?;
    let calls_python = classes.has_found_any();
    let _watchdog = if calls_python { Some(Watchdog::new(py)?) } else { None };
    let mut reported = now();
    let mut slice = Slice::new();
    loop {
        let began = now();
        // Taking the interpreter for each call would cost more than the call, and other threads
        // would take turns with it.
        let state = if calls_python {
            simulation.advance(slice.events)
        } else {
            py.detach(|| simulation.advance(slice.events))
        };
        if let Some(error) = fault.take() {
            return Err(error);
        }
        py.check_signals()?;
        slice.took(began.elapsed());
        if let Some(sentence) = simulation.fault() {
            return Err(scenario_error(py, sentence));
        }
        let Progress::Running { now: simulated } = state else { break };
        if let Some(progress) = progress.as_ref().filter(|_| reported.elapsed() >= PROGRESS_PERIOD)
        {
            reported = now();
            progress.call1((simulated.as_secs_f64()
                / ackclock_units::Time::from_ps(plan.duration_ps).as_secs_f64(),))?;
        }
    }
    if let Some(progress) = progress {
        progress.call1((1.0,))?;
    }
    let output = if calls_python { simulation.finish() } else { py.detach(|| simulation.finish()) };
    Ok(Run::new(plan, output, None))
}

/// Tells of calls of a user's algorithm that do not return, as long as it lives.
struct Watchdog<'py>(Bound<'py, PyAny>);

impl<'py> Watchdog<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        Ok(Self(py.import("ackclock.scenario.watchdog")?.call_method0("Watchdog")?))
    }
}

impl Drop for Watchdog<'_> {
    fn drop(&mut self) {
        // It only sets an event; the run's own error, if there is one, is what the user is to see.
        let _ = self.0.call_method0("stop");
    }
}

/// A scenario that cannot run to its end.
fn scenario_error(py: Python<'_>, sentence: &str) -> PyErr {
    let class =
        py.import("ackclock.scenario.errors").and_then(|module| module.getattr("ScenarioError"));
    match class.and_then(|class| class.call1((sentence,))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

#[expect(clippy::disallowed_methods, reason = "paces the progress display; no result sees it")]
fn now() -> Instant {
    Instant::now()
}

/// A run as bytes, for another process of this version.
type Packed<O> = (O, Option<String>);

/// The run of a plan whose `to_bytes` another process gave.
#[pyfunction]
pub fn run_from_bytes(plan_json: &str, packed: &[u8]) -> PyResult<Run> {
    let (output, provenance): Packed<Output> =
        postcard::from_bytes(packed).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Run::new(parsed(plan_json)?, output, provenance))
}

/// Results of a finished run: counters and columns, in SI base units.
#[pyclass(frozen, module = "ackclock._core")]
pub struct Run {
    plan: Plan,
    output: Output,
    /// Transfers by the index of their first connection.
    transfers: BTreeMap<usize, FlowOutput>,
    /// Provenance of a run on the kernel, as JSON.
    provenance: Option<String>,
}

#[pymethods]
impl Run {
    /// Time of the end of the run, s.
    #[getter]
    fn end_time(&self) -> f64 {
        self.output.end.as_secs_f64()
    }

    /// Provenance of a run on the kernel, as JSON; `None` for a simulated run.
    #[getter]
    fn provenance(&self) -> Option<&str> {
        self.provenance.as_deref()
    }

    /// Events that the engine handled.
    #[getter]
    fn events(&self) -> u64 {
        self.output.events
    }

    /// The run as bytes, from which `run_from_bytes` makes it again.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let packed: Packed<&Output> = (&self.output, self.provenance.clone());
        let bytes = py
            .detach(|| postcard::to_stdvec(&packed))
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Digest of all counters and tables.
    fn digest(&self, py: Python<'_>) -> String {
        py.detach(|| self.output.digest())
    }

    /// The tables of the record that reached its bound, and since when rows are missing, s.
    fn recorded_until(&self) -> BTreeMap<&'static str, f64> {
        let tables = self.output.recorded_until().into_iter();
        tables.map(|(table, until)| (table, until.as_secs_f64())).collect()
    }

    /// Counters of every flow; a transfer over several connections before those of its connections.
    fn flows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let dictionaries = Dictionaries::new(py, FLOWS);
        let mut flows = Vec::with_capacity(self.output.flows.len());
        let mut show = |flow: &FlowOutput| flows.push(dictionaries.row(FLOWS, flow));
        self.output.each_flow(&self.transfers, &mut show);
        flows.into_iter().collect()
    }

    /// Further figures of streams: delays and jitter.
    fn streams<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        columns::rows(py, STREAMS, &self.output.streams)
    }

    /// Figures of sessions, without their transfers.
    fn sessions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        columns::rows(py, SESSIONS, &self.output.sessions)
    }

    /// Counters of every link.
    fn links<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        columns::rows(py, LINKS, &self.output.links)
    }

    /// Transfers of sessions.
    fn transfers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns::table(py, &self.output.transfers)
    }

    /// Datagrams of streams.
    fn datagrams<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns::table(py, &self.output.datagrams)
    }

    /// Frames of streams.
    fn frames<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns::table(py, &self.output.frames)
    }

    /// Time series of flows.
    fn flow_samples<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns::table(py, &self.output.flow_samples)
    }

    /// Time series of links.
    fn link_samples<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns::table(py, &self.output.link_samples)
    }

    /// Time series of the algorithms' internals, and the list of their names.
    fn internals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = columns::table(py, &self.output.internals)?;
        table.set_item("names", &self.output.internals.names)?;
        Ok(table)
    }

    /// Packet events.
    fn packets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns::table(py, &self.output.packets)
    }

    /// Decisions of senders, and the list of their rules.
    fn decisions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = columns::table(py, &self.output.decisions)?;
        table.set_item("names", &self.output.decisions.names)?;
        Ok(table)
    }

    /// Writes what `point` saw as pcapng and returns the number of packets.
    fn write_pcapng(&self, py: Python<'_>, path: PathBuf, point: &str) -> PyResult<u64> {
        let (kind, place) = self.point(point).map_err(PyValueError::new_err)?;
        py.detach(|| {
            let file = BufWriter::new(File::create(path)?);
            pcap::write(file, &self.plan, &self.output.packets, kind, place, point)
        })
        .map_err(|error| match error {
            CaptureError::Io(error) => error.into(),
            CaptureError::Unencodable(sentence) => PyValueError::new_err(sentence),
        })
    }
}

impl Run {
    /// The results of a run; `provenance` is given for runs on a kernel.
    pub(crate) fn new(plan: Plan, output: Output, provenance: Option<String>) -> Self {
        let transfers = output.transfers(&plan);
        Self { plan, output, transfers, provenance }
    }

    fn point(&self, name: &str) -> Result<(Point, Option<u32>), String> {
        let record = &self.plan.record;
        let link_name = |index: u32| self.plan.links[index as usize].name.as_str();
        match name {
            "sender" if !record.packet_senders.is_empty() => return Ok((Point::Sender, None)),
            "receiver" if !record.packet_receivers.is_empty() => {
                return Ok((Point::Receiver, None));
            }
            _ => {}
        }
        if let Some(&link) = record.packet_links.iter().find(|&&link| link_name(link) == name) {
            return Ok((Point::Link, Some(link)));
        }
        let hosts = [("sender", &record.packet_senders), ("receiver", &record.packet_receivers)];
        let recorded: Vec<&str> = hosts
            .into_iter()
            .filter(|(_, flows)| !flows.is_empty())
            .map(|(host, _)| host)
            .chain(record.packet_links.iter().map(|&link| link_name(link)))
            .collect();
        let have =
            if recorded.is_empty() { "no packets at all".to_owned() } else { recorded.join(", ") };
        Err(format!("no packets were recorded at '{name}': this run recorded {have}"))
    }
}
