//! How well a run was conducted. Its keys in JSON are those of `python/ackclock/results/conduct.py`.

use ackclock_sim::histogram::DurationHistogram;
use ackclock_units::Duration;
use serde::Serialize;

/// How exact a run was, and with what rights.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Conduct {
    /// The kernel, as `uname -r` prints it.
    pub release: String,
    /// In a user namespace of its own, without root.
    pub is_rootless: bool,
    /// What the emulator's thread got, as `Scheduling` prints it.
    pub emulator_scheduling: String,
    /// What the endpoints' threads got.
    pub endpoint_scheduling: String,
    /// How much later than due packets were handed over.
    pub lateness: Lateness,
    /// Packets handed over.
    pub handed_over: u64,
    /// Of these, more than 1 ms late.
    pub late_packets: u64,
    /// Packets that found no room in the receive ring.
    pub ring_dropped: u64,
    /// Packets that a host's device had no room for.
    pub refused: u64,
    /// The longest from a packet's stamp to the moment as of which it entered the network: something that came after it had been done before.
    pub entry_late_max: f64,
    /// Packets that were taken for ones sent more than 1 ms later.
    pub late_entries: u64,
    /// The longest from the moment of a sample to when it was taken.
    pub sample_late_max: f64,
    /// How long after the start everything stood; zero where it stood in time.
    pub late_start: f64,
    /// Connections that broke: flow and reason.
    pub broken: Vec<String>,
    /// Processor time of each thread.
    pub cpu_seconds: CpuSeconds,
    /// First packets of the flows that share their start time with another flow, in order of time.
    pub first_packets: Vec<FirstPacket>,
    /// How far `CLOCK_REALTIME` was set against `CLOCK_MONOTONIC` during the run, s.
    pub clock_step: f64,
}

/// The first packet of a flow. The kernel decides which of several flows of one start time is first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstPacket {
    /// Name of the flow.
    pub flow: String,
    /// When the packet entered the network, s from the start of the run.
    pub time: f64,
}

/// Lateness of hand-overs, s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lateness {
    /// Mean.
    pub mean: f64,
    /// Median.
    pub p50: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile.
    pub p99: f64,
    /// 99.9th percentile.
    pub p999: f64,
    /// 99.99th percentile.
    pub p9999: f64,
    /// The latest.
    pub max: f64,
}

/// Processor time of each thread, s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CpuSeconds {
    /// The emulator's.
    pub emulator: f64,
    /// That of the thread of all senders.
    pub senders: f64,
    /// That of the thread of all receivers.
    pub receivers: f64,
}

impl From<&DurationHistogram> for Lateness {
    fn from(histogram: &DurationHistogram) -> Self {
        let seconds = |duration: Option<Duration>| duration.map_or(0.0, Duration::as_secs_f64);
        Self {
            mean: seconds(histogram.mean()),
            p50: seconds(histogram.quantile(0.5)),
            p95: seconds(histogram.quantile(0.95)),
            p99: seconds(histogram.quantile(0.99)),
            p999: seconds(histogram.quantile(0.999)),
            p9999: seconds(histogram.quantile(0.9999)),
            max: seconds(histogram.max()),
        }
    }
}
