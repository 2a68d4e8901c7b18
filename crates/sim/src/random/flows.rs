//! Flows and UDP streams: congestion controls, transport options, applications, routes.

use ackclock_cc::entry::Make;
use ackclock_cc::registry::catalogue;

use super::{Draw, MS, S};
use crate::app::{AppPlan, OnOffPlan, SubflowPlan};
use crate::distribution::Distribution;
use crate::transport::flow::FlowPlan;
use crate::transport::plan::{
    AckCounting, DupackRecovery, EcnMode, LossDetection, LossRules, PacingMode, RttTiming,
    TransportPlan, WindowApproach, WindowCounting,
};
use crate::udp::{
    CbrPlan, FramePlan, PlayoutFrom, StreamAppPlan, StreamPlan, VideoPlan, VoicePlan,
};

/// Every whole controller, every avoidance alone, and every slow start before every avoidance.
#[must_use]
pub fn specs() -> Vec<String> {
    let (mut slow_starts, mut avoidances, mut wholes) = (Vec::new(), Vec::new(), Vec::new());
    for entry in catalogue() {
        match entry.make {
            Make::SlowStart(_) => slow_starts.push(entry.name),
            Make::Avoidance { .. } => avoidances.push(entry.name),
            Make::Whole(_) => wholes.push(entry.name),
        }
    }
    let pairs = avoidances.iter().flat_map(|a| slow_starts.iter().map(move |s| format!("{s}+{a}")));
    let alone = avoidances.iter().chain(&wholes).map(|name| (*name).to_owned());
    alone.chain(pairs).collect()
}

/// Options of a connection.
pub fn transport(draw: &mut Draw) -> TransportPlan {
    let mss = match draw.kind(&[1, 1, 1]) {
        0 => 1448,
        1 => 1000,
        _ => draw.small(100..9000),
    };
    let segments = |count: u64| count * u64::from(mss);
    TransportPlan {
        mss,
        header_bytes: 52,
        initial_window_bytes: segments(draw.number(1..20)),
        initial_ssthresh_bytes: draw.option(50, |draw| segments(draw.number(1..60))),
        max_cwnd_bytes: draw.option(20, |draw| segments(draw.number(1..40))),
        receive_buffer_bytes: segments(draw.number(2..400)),
        initial_receive_window_bytes: segments(draw.number(1..100)),
        ack_division: 1,
        optimistic_ack_bytes: None,
        hide_marks: false,
        read_rate_bps: draw.option(30, |draw| draw.number(50_000..20_000_000)),
        ack_counting: draw.choice(&[AckCounting::Bytes, AckCounting::Packets]),
        window_counting: draw.choice(&[WindowCounting::Bytes, WindowCounting::Packets]),
        delayed_ack_count: draw.small(1..5),
        delayed_ack_timeout_ps: draw.number(MS..200 * MS),
        delayed_ack_adapts: draw.flag(),
        quick_acks: draw.choice(&[0, 1, 16]),
        ack_pushed: draw.flag(),
        sack_delay_ps: draw.number(0..3) * MS,
        timestamps: draw.flag(),
        timestamp_clock_ps: MS,
        loss_detection: draw.choice(&[
            LossDetection::Dupack,
            LossDetection::Sack,
            LossDetection::Rack,
        ]),
        dupack_recovery: draw.choice(&[
            DupackRecovery::Tahoe,
            DupackRecovery::Reno,
            DupackRecovery::Newreno,
        ]),
        window_approach: draw.choice(&[
            WindowApproach::Inflation,
            WindowApproach::Prr,
            WindowApproach::PrrLinux,
        ]),
        limited_transmit: draw.flag(),
        tail_loss_probe: draw.flag(),
        frto: draw.flag(),
        undo: draw.flag(),
        dsack: draw.flag(),
        min_rto_ps: draw.number(1..1000) * MS,
        min_rto_bounds_variance: draw.flag(),
        max_rto_ps: 60 * S,
        initial_rto_ps: draw.number(200..3000) * MS,
        syn_linear_timeouts: draw.choice(&[0, 1, 2]),
        rtt_timing: draw.choice(&[RttTiming::EveryAck, RttTiming::OnePerRtt]),
        rtt_clock_ps: draw.number(0..20) * MS,
        loss_rules: draw.choice(&[LossRules::Rfc, LossRules::Ns2]),
        idle_restart: draw.flag(),
        ecn: draw.choice(&[EcnMode::Off, EcnMode::Classic, EcnMode::Accurate, EcnMode::L4s]),
        pacing: draw.choice(&[PacingMode::Off, PacingMode::Cwnd, PacingMode::Cc]),
        tso_defer: draw.flag(),
        host_time: draw.option(40, |draw| match draw.kind(&[1, 1, 1]) {
            0 => Distribution::Fixed { value: 3e-5 },
            1 => Distribution::Uniform { low: 1e-5, high: 4e-5 },
            _ => Distribution::Exponential { mean: 1e-3 },
        }),
        clock_phase_ps: draw.number(0..3) * 777 * MS / 100,
    }
}

/// Writes over two seconds.
pub fn writes(draw: &mut Draw) -> AppPlan {
    let mut writes = draw.list(1..8, |draw| (draw.number(0..2000) * MS, draw.number(1..30_000)));
    writes.sort_unstable();
    AppPlan::Writes { writes }
}

/// Files of a few bytes and of some hundred segments.
pub fn file(draw: &mut Draw) -> AppPlan {
    let most = draw.choice(&[3000, 200_000]);
    AppPlan::File { size_bytes: draw.number(1..most) }
}

/// Any application of a flow by itself.
pub(super) fn app(draw: &mut Draw) -> AppPlan {
    let rate = |draw: &mut Draw| draw.number(1000..20_000_000);
    match draw.kind(&[4, 4, 4, 1, 1]) {
        0 => AppPlan::Bulk {},
        1 => file(draw),
        2 => writes(draw),
        3 => {
            AppPlan::ApplicationLimited { rate_bps: rate(draw), every_ps: draw.number(1..200) * MS }
        }
        _ => AppPlan::OnOff(OnOffPlan {
            on: time(draw),
            off: time(draw),
            rate_bps: draw.option(50, rate),
            write_bytes: draw.number(1..20_000),
            stream: "flow".into(),
        }),
    }
}

/// Times of some hundred milliseconds, s.
pub(super) fn time(draw: &mut Draw) -> Distribution {
    match draw.kind(&[1, 1, 1]) {
        0 => Distribution::Fixed { value: draw.value(0.001..0.5) },
        1 => Distribution::Exponential { mean: draw.value(0.001..0.5) },
        _ => Distribution::Pareto { scale: draw.value(0.001..0.1), shape: draw.value(1.1..3.0) },
    }
}

/// A flow over up to four of the links, in any order.
pub(super) fn flow(
    draw: &mut Draw,
    index: usize,
    links: usize,
    app: AppPlan,
    may_stop: bool,
) -> FlowPlan {
    let specs = specs();
    let start = draw.number(0..1500);
    let stop = draw.option(30, |draw| start + draw.number(1..3000)).filter(|_| may_stop);
    FlowPlan {
        name: format!("flow.{index}"),
        cc: specs[draw.index(specs.len())].clone(),
        start_ps: start * MS,
        stop_ps: stop.map(|stop| stop * MS),
        app,
        part_of: None,
        path: draw.subset(links, 4),
        reverse_path: draw.subset(links, 4),
        transport: transport(draw),
        priority: draw.choice(&[0, 1, 2, 3]),
    }
}

/// Makes the first flows carry the first one's application together, `chunk_bytes` at a time.
pub fn stripe(flows: &mut [FlowPlan], connections: usize, chunk_bytes: u64) {
    let (app, start_ps) = (flows[0].app.clone(), flows[0].start_ps);
    for flow in flows.iter_mut().take(connections) {
        flow.app = app.clone();
        flow.start_ps = start_ps;
        flow.part_of =
            Some(SubflowPlan { name: "transfer".into(), chunk_bytes, is_request: false });
    }
}

/// A stream over up to three of the links.
pub fn stream(draw: &mut Draw, index: u64, links: usize) -> StreamPlan {
    let start = draw.number(0..1000);
    StreamPlan {
        name: format!("stream.{index}"),
        start_ps: start * MS,
        stop_ps: draw.option(50, |draw| (start + draw.number(1..2000)) * MS),
        path: draw.subset(links, 3),
        header_bytes: 28,
        priority: 1,
        playout_ps: Some(50 * MS),
        app: match draw.kind(&[2, 2, 1]) {
            0 => StreamAppPlan::Cbr(CbrPlan {
                rate_bps: draw.number(10_000..2_000_000),
                payload_bytes: draw.small(20..1400),
            }),
            1 => StreamAppPlan::Voice(VoicePlan {
                frame_ps: 20 * MS,
                payload_bytes: 160,
                talk_mean_ps: 300 * MS,
                pause_mean_ps: 200 * MS,
                lookahead_ps: 0,
                ie: 0.0,
                bpl: 0.0,
                advantage: 0.0,
            }),
            _ => video(draw),
        },
    }
}

/// A video of some frames, each with the frame before it or a key frame.
fn video(draw: &mut Draw) -> StreamAppPlan {
    let frames: Vec<_> = (0..draw.small(1..12))
        .map(|number| {
            let time = u64::from(number) * 40 * MS;
            match number.checked_sub(1).filter(|_| draw.chance(80)) {
                None => FramePlan(time, draw.small(1..20_000), 'I', vec![]),
                Some(before) => FramePlan(time, draw.small(1..4000), 'P', vec![before]),
            }
        })
        .collect();
    StreamAppPlan::Video(VideoPlan {
        loop_ps: draw.option(50, |_| frames.len() as u64 * 40 * MS),
        frames,
        packet_bytes: draw.small(100..1400),
        playout_ps: draw.number(0..200) * MS,
        playout_from: draw.choice(&[PlayoutFrom::Arrival, PlayoutFrom::Sending]),
    })
}
