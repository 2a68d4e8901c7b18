//! Counters of a finished run as dicts, in SI base units. `_core.pyi` documents every key.

use ackclock_sim::histogram::DurationHistogram;
use ackclock_sim::net::LossCause;
use ackclock_sim::plan::AppPlan;
use ackclock_sim::sim::{FlowOutput, LinkOutput, Output, SessionOutput, StreamOutput};
use ackclock_sim::transport::account::{Account, Phase, Reason};
use ackclock_sim::transport::sender::Limit;
use pyo3::prelude::*;

/// A flow.
#[derive(IntoPyObject)]
pub struct Flow<'a> {
    name: &'a str,
    part_of: Option<&'a str>,
    cc: &'a str,
    start_time: f64,
    finish_time: Option<f64>,
    fct: Option<f64>,
    active_time: f64,
    sent_packets: u64,
    sent_bytes: u64,
    sent_payload_bytes: u64,
    retransmitted_packets: u64,
    acked_bytes: u64,
    goodput_bytes: u64,
    received_bytes: u64,
    lost_packets: u64,
    marked_packets: u64,
    timeouts: u64,
    spurious_timeouts: u64,
    recoveries: u64,
    undos: u64,
    tail_probes: u64,
    ecn_reductions: u64,
    base_rtt: f64,
    rtt: Distribution,
    limited: Limited,
    cwnd_max: u64,
    lost: Lost,
    time: InPhase,
    window_after: ByReason<f64>,
    reductions: ByReason<u64>,
    slow_start: SlowStart,
}

/// Packets lost, by cause; none: not counted.
#[derive(IntoPyObject, Default)]
pub struct Lost {
    wire: Option<u64>,
    forced: Option<u64>,
    early: Option<u64>,
    policed: Option<u64>,
}

/// Seconds by the sender's state; none: not known.
#[derive(IntoPyObject, Default)]
pub struct InPhase {
    slow_start: Option<f64>,
    recovery: Option<f64>,
    loss: Option<f64>,
    silence: Option<f64>,
}

/// Something by what the window was last reduced for; none: not known.
#[derive(IntoPyObject, Default)]
pub struct ByReason<T> {
    nothing: Option<T>,
    wire: Option<T>,
    forced: Option<T>,
    early: Option<T>,
    policed: Option<T>,
    mark: Option<T>,
    reordering: Option<T>,
}

/// How slow start ended first; none: it did not, or it is not known.
#[derive(IntoPyObject, Default)]
pub struct SlowStart {
    end_cwnd: Option<u64>,
    end_time: Option<f64>,
}

impl InPhase {
    fn of(account: &Account) -> Self {
        let time = |phase: Phase| Some(account.in_phase[phase as usize].as_secs_f64());
        Self {
            slow_start: time(Phase::SlowStart),
            recovery: time(Phase::Recovery),
            loss: time(Phase::Loss),
            silence: Some(account.silence.as_secs_f64()),
        }
    }
}

impl<T> ByReason<T> {
    fn of(value: impl Fn(usize) -> T) -> Self {
        let of = |reason: Reason| Some(value(reason as usize));
        Self {
            nothing: of(Reason::Nothing),
            wire: of(Reason::Wire),
            forced: of(Reason::Forced),
            early: of(Reason::Early),
            policed: of(Reason::Policed),
            mark: of(Reason::Mark),
            reordering: of(Reason::Reordering),
        }
    }
}

/// A link.
#[derive(IntoPyObject)]
pub struct Link<'a> {
    name: &'a str,
    rate: Option<f64>,
    arrived_packets: u64,
    delivered_packets: u64,
    delivered_bytes: u64,
    dropped_packets: u64,
    dropped_forced: u64,
    dropped_early: u64,
    dropped_policed: u64,
    dropped_wire: u64,
    marked_packets: u64,
    corrupted_packets: u64,
    duplicated_packets: u64,
    reordered_packets: u64,
    busy_time: f64,
    measured_time: f64,
    queue_delay: Distribution,
    queue_packets_mean: f64,
}

/// Statistics of durations, s.
#[derive(IntoPyObject)]
pub struct Distribution {
    count: u64,
    min: Option<f64>,
    mean: Option<f64>,
    p50: Option<f64>,
    p95: Option<f64>,
    p99: Option<f64>,
    max: Option<f64>,
}

/// Seconds by reason.
#[derive(IntoPyObject)]
pub struct Limited {
    cwnd: f64,
    receive_window: f64,
    application: f64,
    pacing: f64,
    clamp: f64,
}

impl From<&DurationHistogram> for Distribution {
    fn from(histogram: &DurationHistogram) -> Self {
        let seconds = |duration: Option<ackclock_units::Duration>| duration.map(ackclock_units::Duration::as_secs_f64);
        Self {
            count: histogram.count(),
            min: seconds(histogram.min()),
            mean: seconds(histogram.mean()),
            p50: seconds(histogram.quantile(0.50)),
            p95: seconds(histogram.quantile(0.95)),
            p99: seconds(histogram.quantile(0.99)),
            max: seconds(histogram.max()),
        }
    }
}

impl<'a> Flow<'a> {
    /// What `flow` did with this application, `part_of` a transfer of that name.
    pub fn new(app: &AppPlan, part_of: Option<&'a str>, flow: &'a FlowOutput) -> Self {
        let FlowOutput { sender, receiver, .. } = flow;
        let limited = |limit: Limit| sender.limited[limit as usize].as_secs_f64();
        let lost = |cause: LossCause| Some(flow.lost_by_cause[cause as usize]);
        let account = sender.account.as_deref();
        let first_exit = account.and_then(|account| account.first_exit);
        Self {
            name: &flow.name,
            part_of,
            cc: &flow.cc,
            start_time: flow.start.as_secs_f64(),
            finish_time: flow.finished.map(ackclock_units::Time::as_secs_f64),
            fct: flow
                .finished
                .filter(|_| !app.is_endless())
                .map(|finished| finished.since(flow.start).as_secs_f64()),
            active_time: flow.active.as_secs_f64(),
            sent_packets: sender.sent_packets,
            sent_bytes: sender.sent_bytes,
            sent_payload_bytes: sender.sent_payload_bytes,
            retransmitted_packets: sender.retransmitted_packets,
            acked_bytes: sender.acked_bytes,
            goodput_bytes: receiver.goodput_bytes,
            received_bytes: receiver.received_bytes,
            lost_packets: flow.lost_packets,
            marked_packets: flow.marked_packets,
            timeouts: sender.timeouts.into(),
            spurious_timeouts: sender.spurious_timeouts.into(),
            recoveries: sender.recoveries.into(),
            undos: sender.undos.into(),
            tail_probes: sender.tail_probes.into(),
            ecn_reductions: sender.ecn_reductions.into(),
            base_rtt: flow.base_rtt.as_secs_f64(),
            rtt: Distribution::from(&flow.rtt),
            limited: Limited {
                cwnd: limited(Limit::Cwnd),
                receive_window: limited(Limit::ReceiveWindow),
                application: limited(Limit::Application),
                pacing: limited(Limit::Pacing),
                clamp: limited(Limit::Clamp),
            },
            cwnd_max: sender.cwnd_max,
            lost: Lost {
                wire: lost(LossCause::Wire),
                forced: lost(LossCause::Forced),
                early: lost(LossCause::Early),
                policed: lost(LossCause::Policed),
            },
            time: account.map(InPhase::of).unwrap_or_default(),
            window_after: account.map_or_else(ByReason::default, |account| {
                ByReason::of(|reason| account.window_after[reason].as_secs_f64())
            }),
            reductions: account.map_or_else(ByReason::default, |account| ByReason::of(|reason| account.reductions[reason])),
            slow_start: SlowStart {
                end_cwnd: first_exit.map(|(cwnd, _)| cwnd),
                end_time: first_exit.map(|(_, at)| at.as_secs_f64()),
            },
        }
    }
}

impl<'a> Flow<'a> {
    /// What a UDP stream did, as far as it is a flow: it has no ACKs, no window and no round trip.
    pub fn of_stream(stream: &'a StreamOutput) -> Self {
        let StreamOutput { sent, received, .. } = stream;
        Self {
            name: &stream.name,
            part_of: None,
            cc: "udp",
            start_time: stream.start.as_secs_f64(),
            finish_time: None,
            fct: None,
            active_time: stream.active.as_secs_f64(),
            sent_packets: sent.packets,
            sent_bytes: sent.bytes,
            sent_payload_bytes: sent.payload_bytes,
            retransmitted_packets: 0,
            acked_bytes: 0,
            goodput_bytes: received.payload_bytes,
            received_bytes: received.received_bytes,
            lost_packets: stream.lost_packets,
            marked_packets: 0,
            timeouts: 0,
            spurious_timeouts: 0,
            recoveries: 0,
            undos: 0,
            tail_probes: 0,
            ecn_reductions: 0,
            base_rtt: 2.0 * stream.base_delay.as_secs_f64(),
            rtt: Distribution::from(&DurationHistogram::new()),
            limited: Limited {
                cwnd: 0.0,
                receive_window: 0.0,
                application: 0.0,
                pacing: 0.0,
                clamp: 0.0,
            },
            cwnd_max: 0,
            lost: Lost::default(),
            time: InPhase::default(),
            window_after: ByReason::default(),
            reductions: ByReason::default(),
            slow_start: SlowStart::default(),
        }
    }
}

/// What a session did besides its transfers.
#[derive(IntoPyObject)]
pub struct SessionFigures<'a> {
    name: &'a str,
    waited: u64,
}

impl<'a> SessionFigures<'a> {
    /// Of this session.
    pub fn new(session: &'a SessionOutput) -> Self {
        Self {
            name: &session.name,
            waited: session.waited,
        }
    }
}

/// A UDP stream's own figures.
#[derive(IntoPyObject)]
pub struct StreamFigures<'a> {
    name: &'a str,
    sent_packets: u64,
    sent_bytes: u64,
    received_packets: u64,
    received_bytes: u64,
    lost_packets: u64,
    duplicate_packets: u64,
    reordered_packets: u64,
    late_packets: u64,
    unplayed_packets: u64,
    unplayed_bursts: u64,
    playout_delay: Option<f64>,
    delay: Distribution,
    jitter: f64,
    jitter_max: f64,
    frames_sent: Option<u64>,
    frames_complete: Option<u64>,
    frames_late: Option<u64>,
    frames_lost: Option<u64>,
    frames_decodable: Option<u64>,
}

impl<'a> StreamFigures<'a> {
    /// Of this stream.
    pub fn new(stream: &'a StreamOutput) -> Self {
        let StreamOutput {
            sent, received, frames, ..
        } = stream;
        Self {
            name: &stream.name,
            sent_packets: sent.packets,
            sent_bytes: sent.bytes,
            received_packets: received.received_packets,
            received_bytes: received.received_bytes,
            lost_packets: stream.lost_packets,
            duplicate_packets: received.duplicate_packets,
            reordered_packets: received.reordered_packets,
            late_packets: frames.map_or(received.late_packets, |frames| frames.late_packets),
            unplayed_packets: received.unplayed_packets,
            unplayed_bursts: received.unplayed_bursts,
            playout_delay: stream.play_after.map(ackclock_units::Duration::as_secs_f64),
            delay: Distribution::from(&received.delay),
            jitter: stream.jitter.as_secs_f64(),
            jitter_max: received.jitter_max.as_secs_f64(),
            frames_sent: frames.map(|frames| frames.sent),
            frames_complete: frames.map(|frames| frames.on_time),
            frames_late: frames.map(|frames| frames.late),
            frames_lost: frames.map(|frames| frames.lost),
            frames_decodable: frames.map(|frames| frames.decodable),
        }
    }
}

impl<'a> Link<'a> {
    /// What `link` did in `run`.
    #[expect(clippy::cast_precision_loss, reason = "rates and counts are far below 2^53")]
    pub fn new(run: &Output, link: &'a LinkOutput) -> Self {
        let stats = &link.stats;
        let queue_delay = Distribution::from(&stats.queue_delay);
        let measured_time = run.measured.as_secs_f64();
        // Little's law: the mean number waiting is the time that all have waited over the time measured.
        let waited = queue_delay.mean.unwrap_or(0.0) * queue_delay.count as f64;
        Self {
            name: &link.name,
            rate: link.rate_bps.map(|rate| rate as f64),
            arrived_packets: stats.arrived_packets,
            delivered_packets: stats.delivered_packets,
            delivered_bytes: stats.delivered_bytes,
            dropped_packets: stats.dropped(),
            dropped_forced: stats.dropped_forced,
            dropped_early: stats.dropped_early,
            dropped_policed: stats.dropped_policed,
            dropped_wire: stats.dropped_wire,
            marked_packets: stats.marked_packets,
            corrupted_packets: stats.corrupted_packets,
            duplicated_packets: stats.duplicated_packets,
            reordered_packets: stats.reordered_packets,
            busy_time: link.busy.as_secs_f64(),
            measured_time,
            queue_delay,
            queue_packets_mean: if measured_time > 0.0 { waited / measured_time } else { 0.0 },
        }
    }
}
