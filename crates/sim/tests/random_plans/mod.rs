//! Plans that nobody would think of: every option of the plan, in any combination that the engine
//! promises to run.

mod disciplines;
mod links;
pub mod wire;

use ackclock_cc::entry::Make;
use ackclock_cc::registry::catalogue;
use ackclock_sim::app::OnOffPlan;
use ackclock_sim::app::session::{
    Abr, AdaptiveVideoPlan, IncastPlan, PersistentPlan, RepeatedPlan, RequestResponsePlan,
    SessionAppPlan, SessionPlan, ShortFlowsPlan, WebPlan,
};
use ackclock_sim::app::{AppPlan, SubflowPlan};
use ackclock_sim::distribution::Distribution;
use ackclock_sim::net::link::LinkPlan;
use ackclock_sim::plan::Plan;
use ackclock_sim::record::{RecordPlan, SamplePlan};
use ackclock_sim::transport::flow::FlowPlan;
use ackclock_sim::transport::plan::{
    AckCounting, DupackRecovery, EcnMode, LossDetection, LossRules, PacingMode, RttTiming,
    TransportPlan, WindowApproach, WindowCounting,
};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use links::link;

pub use crate::plain_plans::{MS, S};

/// Least propagation delay of a link, so that every round trip takes time.
const MIN_DELAY: u64 = MS / 10;

/// Every whole controller, every avoidance alone, and every slow start before every avoidance.
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

/// How hard the network is on its flows.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    /// Most that a link loses at random.
    pub most_random: f64,
    /// Least period of a periodic loss, packets.
    pub least_period: u64,
    /// Whether links may stop for ever, or so often that nothing gets through.
    pub may_block: bool,
}

/// Anything at all, links that lose every packet included.
const ANY_WEATHER: Weather = Weather { most_random: 0.6, least_period: 1, may_block: true };

/// How receivers mislead: the number of ACKs that they make of one, the data that they acknowledge
/// before it arrives, bytes, and whether they hide marks.
type Misleading = (u32, Option<u64>, bool);

fn misleading() -> impl Strategy<Value = Option<Misleading>> {
    let division = prop_oneof![2 => Just(1_u32), 2 => 2..5_u32, 1 => Just(9)];
    option::weighted(0.4, (division, option::of(1..100_000_u64), any::<bool>()))
}

/// Makes the receivers of every second flow mislead.
fn mislead(flows: &mut [FlowPlan], (division, lead, hides_marks): Misleading) {
    for transport in flows.iter_mut().step_by(2).map(|flow| &mut flow.transport) {
        transport.ack_division = division;
        // A slow reader's ACKs must not run ahead: scenarios refuse both together.
        transport.optimistic_ack_bytes = lead.filter(|_| transport.read_rate_bps.is_none());
        transport.hide_marks = hides_marks;
    }
}

fn transport() -> impl Strategy<Value = TransportPlan> {
    let sizes = (
        prop_oneof![Just(1448_u32), Just(1000), 100..9000_u32],
        1..20_u64,
        option::of(1..60_u64),
        option::weighted(0.2, 1..40_u64),
        2..400_u64,
        option::weighted(0.3, 50_000..20_000_000_u64),
    );
    let acks = (
        1..5_u32,
        MS..200 * MS,
        select(vec![0_u32, 1, 16]),
        select(vec![AckCounting::Bytes, AckCounting::Packets]),
        select(vec![WindowCounting::Bytes, WindowCounting::Packets]),
    );
    let losses = (
        select(vec![LossDetection::Dupack, LossDetection::Sack, LossDetection::Rack]),
        select(vec![DupackRecovery::Tahoe, DupackRecovery::Reno, DupackRecovery::Newreno]),
        select(vec![WindowApproach::Inflation, WindowApproach::Prr, WindowApproach::PrrLinux]),
    );
    let flags = any::<(bool, bool, bool, bool, bool, bool, bool, bool, bool)>();
    let modes = (
        select(vec![EcnMode::Off, EcnMode::Classic, EcnMode::Accurate, EcnMode::L4s]),
        select(vec![PacingMode::Off, PacingMode::Cwnd, PacingMode::Cc]),
    );
    let rto = (1..1000_u64, 200..3000_u64, any::<bool>(), 0..20_u64, any::<bool>());
    let linux_acks = (any::<bool>(), any::<bool>(), 0..3_u64, 1..100_u64);
    let host_time = option::weighted(
        0.4,
        select(vec![
            Distribution::Fixed { value: 3e-5 },
            Distribution::Uniform { low: 1e-5, high: 4e-5 },
            Distribution::Exponential { mean: 1e-3 },
        ]),
    );
    (sizes, acks, losses, flags, modes, rto, linux_acks, host_time).prop_map(
        |(sizes, acks, losses, flags, modes, rto, linux_acks, host_time)| {
            let (mss, window, ssthresh, clamp, buffer, read_rate_bps) = sizes;
            let segments = |count: u64| count * u64::from(mss);
            let (
                timestamps,
                limited_transmit,
                tail_loss_probe,
                frto,
                undo,
                dsack,
                idle_restart,
                min_rto_bounds_variance,
                tso_defer,
            ) = flags;
            TransportPlan {
                mss,
                header_bytes: 52,
                initial_window_bytes: segments(window),
                initial_ssthresh_bytes: ssthresh.map(segments),
                max_cwnd_bytes: clamp.map(segments),
                receive_buffer_bytes: segments(buffer),
                initial_receive_window_bytes: segments(linux_acks.3),
                ack_division: 1,
                optimistic_ack_bytes: None,
                hide_marks: false,
                read_rate_bps,
                ack_counting: acks.3,
                window_counting: acks.4,
                delayed_ack_count: acks.0,
                delayed_ack_timeout_ps: acks.1,
                delayed_ack_adapts: linux_acks.0,
                quick_acks: acks.2,
                ack_pushed: linux_acks.1,
                sack_delay_ps: linux_acks.2 * MS,
                timestamps,
                timestamp_clock_ps: MS,
                loss_detection: losses.0,
                dupack_recovery: losses.1,
                window_approach: losses.2,
                limited_transmit,
                tail_loss_probe,
                frto,
                undo,
                dsack,
                min_rto_ps: rto.0 * MS,
                min_rto_bounds_variance,
                max_rto_ps: 60 * S,
                initial_rto_ps: rto.1 * MS,
                syn_linear_timeouts: linux_acks.2.to_le_bytes()[0],
                rtt_timing: if rto.2 { RttTiming::OnePerRtt } else { RttTiming::EveryAck },
                rtt_clock_ps: rto.3 * MS,
                loss_rules: if rto.4 { LossRules::Ns2 } else { LossRules::Rfc },
                idle_restart,
                ecn: modes.0,
                pacing: modes.1,
                tso_defer,
                host_time,
                clock_phase_ps: linux_acks.2 * 777 * MS / 100,
            }
        },
    )
}

/// Writes over two seconds.
pub fn writes() -> impl Strategy<Value = AppPlan> {
    proptest::collection::vec((0..2000_u64, 1..30_000_u64), 1..8).prop_map(|mut writes| {
        writes.sort_unstable();
        AppPlan::Writes { writes: writes.into_iter().map(|(ms, bytes)| (ms * MS, bytes)).collect() }
    })
}

/// Files of a few bytes and of some hundred segments.
pub fn file() -> impl Strategy<Value = AppPlan> {
    prop_oneof![1..3000_u64, 1..200_000_u64].prop_map(|size_bytes| AppPlan::File { size_bytes })
}

/// Bursts and silence, and steady rates.
fn limited() -> impl Strategy<Value = AppPlan> {
    let steady = (1000..20_000_000_u64, 1..200_u64).prop_map(|(rate_bps, every)| {
        AppPlan::ApplicationLimited { rate_bps, every_ps: every * MS }
    });
    let bursts = (time(), time(), option::of(1000..20_000_000_u64), 1..20_000_u64).prop_map(
        |(on, off, rate_bps, write_bytes)| {
            AppPlan::OnOff(OnOffPlan { on, off, rate_bps, write_bytes, stream: "flow".into() })
        },
    );
    prop_oneof![steady, bursts]
}

fn time() -> impl Strategy<Value = Distribution> {
    prop_oneof![
        (0.001..0.5).prop_map(|value| Distribution::Fixed { value }),
        (0.001..0.5).prop_map(|mean| Distribution::Exponential { mean }),
        (0.001..0.1, 1.1..3.0).prop_map(|(scale, shape)| Distribution::Pareto { scale, shape }),
    ]
}

fn size() -> impl Strategy<Value = Distribution> {
    prop_oneof![
        (1.0..50_000.0).prop_map(|value| Distribution::Fixed { value }),
        (100.0..10_000.0, 0.1..1.5)
            .prop_map(|(median, sigma)| Distribution::Lognormal { median, sigma }),
    ]
}

fn count(is_short: bool) -> impl Strategy<Value = Option<u64>> {
    if is_short { (1..6_u64).prop_map(Some).boxed() } else { option::of(1..6_u64).boxed() }
}

/// Any application that opens connections; one that ends soon if it `is_short`.
pub fn session_app(is_short: bool) -> BoxedStrategy<SessionAppPlan> {
    let repeated = (size(), time(), count(is_short)).prop_map(|(size, think, count)| {
        SessionAppPlan::Repeated(RepeatedPlan { size, think, count })
    });
    let short_flows = (time(), size(), count(is_short)).prop_map(|(interval, size, count)| {
        SessionAppPlan::ShortFlows(ShortFlowsPlan { interval, size, count })
    });
    let request_response = (size(), size(), time(), time(), count(is_short)).prop_map(
        |(request, response, server, think, count)| {
            SessionAppPlan::RequestResponse(RequestResponsePlan {
                request,
                response,
                server,
                think,
                count,
            })
        },
    );
    let video = (
        select(vec![Abr::Bola, Abr::BufferBased, Abr::Throughput]),
        200..2000_u64,
        2..10_u64,
        count(is_short),
    )
        .prop_map(|(abr, segment, buffer, count)| {
            SessionAppPlan::AdaptiveVideo(AdaptiveVideoPlan {
                segment_ps: segment * MS,
                ladder_bps: vec![100_000, 200_000, 400_000],
                buffer_ps: buffer * segment * MS,
                startup_ps: buffer * segment * MS / 2,
                abr,
                request_bytes: 350,
                count,
            })
        });
    let persistent = option::of((1..2000_u64, 0..1000_u64)).prop_map(|persistent| {
        persistent.map(|(request_bytes, keep_alive)| PersistentPlan {
            request_bytes,
            keep_alive_ps: keep_alive * MS,
        })
    });
    let incast = (1..2000_u64, size(), time(), time(), count(is_short), any::<bool>()).prop_map(
        |(request_bytes, response, server, gap, count, persistent)| {
            SessionAppPlan::Incast(IncastPlan {
                group: "all".into(),
                request_bytes,
                response,
                server,
                gap,
                count,
                persistent,
            })
        },
    );
    let pages = if is_short { Just(Some(2.0)).boxed() } else { Just(None).boxed() };
    let web = (size(), size(), 0.0..6.0, time(), time(), pages, 1..4_usize, persistent).prop_map(
        |(main, embedded, objects, parsing, reading, pages, parallel, persistent)| {
            SessionAppPlan::Web(WebPlan {
                main,
                embedded,
                objects: Distribution::Uniform { low: 0.0, high: objects },
                parsing,
                reading,
                pages: pages.map(|value| Distribution::Fixed { value }),
                arrivals: None,
                parallel,
                persistent,
            })
        },
    );
    prop_oneof![repeated, short_flows, request_response, video, web, incast].boxed()
}

/// Makes a session run the first flows: two, or one where it sends no requests and there are no
/// two.
pub fn run_by_session(flows: &mut Vec<FlowPlan>, app: SessionAppPlan) -> SessionPlan {
    let (path, reverse_path) = (flows[0].path.clone(), flows[0].reverse_path.clone());
    let has_requests = match &app {
        SessionAppPlan::RequestResponse(_)
        | SessionAppPlan::AdaptiveVideo(_)
        | SessionAppPlan::Incast(_) => true,
        SessionAppPlan::Web(web) => web.persistent.is_some(),
        SessionAppPlan::Repeated(_) | SessionAppPlan::ShortFlows(_) => false,
    };
    while flows.len() < 2 {
        flows.push(flows[0].clone());
    }
    let stop_ps = flows[0].stop_ps;
    for (index, flow) in flows.iter_mut().take(2).enumerate() {
        let is_request = has_requests && index == 1;
        (flow.app, flow.stop_ps, flow.start_ps) = (AppPlan::Session {}, None, 0);
        (flow.path, flow.reverse_path) = if is_request {
            (reverse_path.clone(), path.clone())
        } else {
            (path.clone(), reverse_path.clone())
        };
        flow.part_of = Some(SubflowPlan { name: "session".into(), chunk_bytes: 1, is_request });
    }
    SessionPlan {
        name: "session".into(),
        stream: "flow/session.1".into(),
        start_ps: 0,
        stop_ps,
        flows: vec![0, 1],
        app,
    }
}

fn any_app() -> BoxedStrategy<AppPlan> {
    prop_oneof![2 => Just(AppPlan::Bulk {}), 2 => file(), 2 => writes(), 1 => limited()].boxed()
}

/// A route of up to four of the links, in any order.
fn route(links: usize) -> impl Strategy<Value = Vec<u32>> {
    let all: Vec<u32> = (0..).take(links).collect();
    proptest::sample::subsequence(all, 1..=links.min(4)).prop_shuffle()
}

fn flow(
    links: usize,
    app: BoxedStrategy<AppPlan>,
    may_stop: bool,
) -> impl Strategy<Value = FlowPlan> {
    let stop =
        if may_stop { option::weighted(0.3, 1..3000_u64).boxed() } else { Just(None).boxed() };
    let routes = (route(links), route(links));
    (select(specs()), 0..1500_u64, stop, app, routes, transport(), 0..4_u8).prop_map(
        |(cc, start, stop, app, (path, reverse_path), transport, priority)| FlowPlan {
            name: String::new(),
            cc,
            start_ps: start * MS,
            stop_ps: stop.map(|after| (start + after) * MS),
            app,
            part_of: None,
            path,
            reverse_path,
            transport,
            priority,
        },
    )
}

/// The plan of these parts.
pub fn assemble(
    links: Vec<LinkPlan>,
    mut flows: Vec<FlowPlan>,
    seed: u64,
    duration_ps: u64,
    warmup_ps: u64,
    record: RecordPlan,
) -> Plan {
    for (index, flow) in flows.iter_mut().enumerate() {
        flow.name = format!("flow.{index}");
    }
    Plan {
        seed,
        draws_start_order: false,
        duration_ps,
        warmup_ps,
        links,
        flows,
        streams: Vec::new(),
        sessions: Vec::new(),
        record,
    }
}

/// Links, and flows over them.
pub fn parts(
    weather: Weather,
    app: BoxedStrategy<AppPlan>,
    may_stop: bool,
) -> impl Strategy<Value = (Vec<LinkPlan>, Vec<FlowPlan>)> {
    (1..=6_usize, 1..=8_usize).prop_flat_map(move |(links, flows)| {
        (
            (0..links).map(|index| link(index, weather)).collect::<Vec<_>>(),
            proptest::collection::vec(flow(links, app.clone(), may_stop), flows),
        )
    })
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

/// Records every packet everywhere: the invariants are counted from that, and not from the counters
/// that they check.
fn everything(links: usize, flows: usize) -> RecordPlan {
    RecordPlan {
        samples: SamplePlan::Off,
        flows: None,
        links: None,
        datagrams: false,
        packet_links: (0..).take(links).collect(),
        packet_senders: (0..).take(flows).collect(),
        packet_receivers: (0..).take(flows).collect(),
        ..RecordPlan::default()
    }
}

/// Anything that the engine runs, for some seconds.
pub fn any_plan() -> impl Strategy<Value = Plan> {
    (
        parts(ANY_WEATHER, any_app(), true),
        any::<u64>(),
        100..6000_u64,
        option::weighted(0.3, 0.0..1.0),
        option::weighted(0.3, (1..5_usize, 1..50_000_u64)),
        option::weighted(0.3, session_app(false)),
        misleading(),
    )
        .prop_map(
            |((links, mut flows), seed, duration, warmup, striped, session, misleading)| {
                if let Some(misleading) = misleading {
                    mislead(&mut flows, misleading);
                }
                let session = session.map(|app| run_by_session(&mut flows, app));
                if session.is_some() {
                    // Subflows share the data of one flow, not the transfers of a session.
                } else if let Some((connections, chunk_bytes)) = striped {
                    stripe(&mut flows, connections, chunk_bytes);
                }
                let record = everything(links.len(), flows.len());
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    clippy::cast_precision_loss,
                    reason = "some part of the duration"
                )]
                let warmup = warmup.map_or(0, |share| (share * duration as f64) as u64);
                let mut plan = assemble(links, flows, seed, duration * MS, warmup * MS, record);
                plan.sessions.extend(session);
                plan
            },
        )
}
