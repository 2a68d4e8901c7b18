//! Provenance of a run on the kernel: its release, its rights, and how exact its timing was. The
//! keys in JSON are those of `python/ackclock/results/provenance.py`.

use ackclock_sim::histogram::DurationHistogram;
use ackclock_units::Duration;
use serde::Serialize;

/// Provenance of a run on the kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Provenance {
    /// The kernel, as `uname -r` prints it.
    pub release: String,
    /// Whether the run had a user namespace of its own, without root.
    pub is_rootless: bool,
    /// Scheduling class of the emulator's thread, as `Scheduling` prints it.
    pub emulator_scheduling: String,
    /// Scheduling class of the endpoints' threads, as `Scheduling` prints it.
    pub endpoint_scheduling: String,
    /// Lateness of the delivery of packets to hosts, after their due time.
    pub lateness: Lateness,
    /// Packets handed over.
    pub handed_over: u64,
    /// Packets delivered more than 1 ms after their due time.
    pub late_packets: u64,
    /// Packets that found no room in the receive ring.
    pub ring_dropped: u64,
    /// Packets for which a host's device had no room.
    pub refused: u64,
    /// Largest delay between a packet's kernel timestamp and its entry into the network, s. A
    /// packet is late if the network has already handled a later event.
    pub entry_late_max: f64,
    /// Packets that entered the network more than 1 ms after their timestamp.
    pub late_entries: u64,
    /// Largest delay between the moment of a sample and its taking, s.
    pub sample_late_max: f64,
    /// Time from the start until all sockets were ready, s; zero if they were ready in time.
    pub late_start: f64,
    /// Connections that broke: flow and reason.
    pub broken: Vec<String>,
    /// Processor time of each thread.
    pub cpu_seconds: CpuSeconds,
    /// First packets of the flows that share their start time with another flow, in order of time.
    pub first_packets: Vec<FirstPacket>,
    /// Size of the steps of `CLOCK_REALTIME` against `CLOCK_MONOTONIC` during the run, s.
    pub clock_step: f64,
}

/// The first packet of a flow. The kernel decides which of several flows of one start time is
/// first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstPacket {
    /// Name of the flow.
    pub flow: String,
    /// Time at which the packet entered the network, s from the start of the run.
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
    /// Largest lateness.
    pub max: f64,
}

/// Processor time of each thread, s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CpuSeconds {
    /// Processor time of the emulator's thread.
    pub emulator: f64,
    /// Processor time of the thread of all senders.
    pub senders: f64,
    /// Processor time of the thread of all receivers.
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
