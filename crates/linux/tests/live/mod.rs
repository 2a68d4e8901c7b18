//! Runs on this machine's kernel, compared with the simulator and with rules that must hold. Each
//! run is a process of its own, because it moves into a new network namespace.

mod ending;
mod reno;
mod session;

use std::io::Write;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};

use ackclock_linux::lab::facts;
use ackclock_linux::plan::{HostPlan, KernelFlow, LinuxPlan};
use ackclock_sim::app::AppPlan;
use ackclock_sim::app::session::TransferColumns;
use ackclock_sim::net::link::LinkPlan;
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::{LimitPlan, QdiscPlan};
use ackclock_sim::record::RecordPlan;
use ackclock_sim::transport::flow::FlowPlan;
use ackclock_sim::transport::plan::{
    AckCounting, DupackRecovery, EcnMode, LossDetection, LossRules, PacingMode, RttTiming,
    TransportPlan, WindowApproach, WindowCounting,
};
use libtest_mimic::{Failed, Trial};

const MILLISECOND: u64 = 1_000_000_000;
/// 1448 bytes and what timestamps, TCP and IP put before them.
const PACKET: u64 = 1500;

/// Makes the run that a test asks for, if this process is a test's child. Returns whether it is.
pub fn is_child() -> bool {
    let is_child = std::env::var_os("ACKCLOCK_LIVE").is_some();
    if is_child {
        child();
    }
    is_child
}

/// The tests.
pub fn trials() -> Vec<Trial> {
    let why_not = facts::may_make_namespaces().err();
    if let Some(why_not) = &why_not {
        eprintln!("\n*** SKIPPED: runs on this machine's kernel. {why_not} ***\n");
    }
    let trial = |name: &str, test: fn() -> Result<(), Failed>| {
        Trial::test(format!("live::{name}"), test).with_ignored_flag(why_not.is_some())
    };
    vec![
        trial(
            "reno_is_conserved_and_as_fast_as_the_simulators",
            reno::is_conserved_and_as_fast_as_the_simulators,
        ),
        trial("a_file_ends_the_run", ending::a_file_ends_the_run),
        trial(
            "files_of_a_session_take_as_long_as_the_simulators",
            session::files_take_as_long_as_the_simulators,
        ),
        trial("a_run_can_be_broken_off", ending::a_run_can_be_broken_off),
    ]
}

/// Figures of a run that the parent wants.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
struct Figures {
    end: f64,
    finish: Option<f64>,
    goodput_bytes: u64,
    acked_bytes: u64,
    sent_packets: u64,
    lost_packets: u64,
    retransmitted_packets: u64,
    rtt_min: f64,
    arrived: u64,
    delivered: u64,
    dropped: u64,
    handed_over: u64,
    lateness_p99: f64,
    samples: usize,
    /// Time that each transfer took.
    transfers: Vec<f64>,
    error: String,
}

fn child() {
    let text = std::io::read_to_string(std::io::stdin()).expect("the parent wrote a plan");
    let plan: LinuxPlan = serde_json::from_str(&text).expect("the parent wrote a plan");
    let breaks_at: f64 = std::env::var("ACKCLOCK_LIVE").expect("set").parse().expect("a share");
    let outcome = ackclock_linux::run(&plan, |share| {
        if share >= breaks_at {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let figures = match outcome {
        Ok(run) => {
            let (flow, link) = (&run.output.flows[0], &run.output.links[0]);
            Figures {
                end: run.output.end.as_secs_f64(),
                finish: flow.finished.map(ackclock_units::Time::as_secs_f64),
                goodput_bytes: flow.receiver.goodput_bytes,
                acked_bytes: flow.sender.acked_bytes,
                sent_packets: flow.sender.sent_packets,
                lost_packets: flow.lost_packets,
                retransmitted_packets: flow.sender.retransmitted_packets,
                rtt_min: flow.rtt.min().map_or(0.0, ackclock_units::Duration::as_secs_f64),
                arrived: link.stats.arrived_packets,
                delivered: link.stats.delivered_packets,
                dropped: link.stats.dropped(),
                handed_over: run.provenance.handed_over,
                lateness_p99: run.provenance.lateness.p99,
                samples: run.output.flow_samples.time.len(),
                transfers: durations(&run.output.transfers),
                error: String::new(),
            }
        }
        Err(error) => Figures { error: error.to_string(), ..Figures::default() },
    };
    println!("{}", serde_json::to_string(&figures).expect("numbers"));
}

fn durations(transfers: &TransferColumns) -> Vec<f64> {
    transfers.finish.iter().zip(&transfers.start).map(|(finish, start)| finish - start).collect()
}

/// Runs a plan in a process of its own.
fn live(plan: &LinuxPlan) -> Result<Figures, Failed> {
    live_until(plan, f64::INFINITY)
}

fn live_until(plan: &LinuxPlan, breaks_at: f64) -> Result<Figures, Failed> {
    let mut child = Command::new(std::env::current_exe()?)
        .env("ACKCLOCK_LIVE", breaks_at.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let text = serde_json::to_string(plan)?;
    child.stdin.take().expect("piped").write_all(text.as_bytes())?;
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(format!("the run ended with {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// One flow over 10 Mbit/s and 20 ms with a buffer of a BDP, and back without a queue.
fn plan(duration_ms: u64, app: AppPlan) -> LinuxPlan {
    let rate_bps = 10_000_000;
    let bdp = rate_bps * 20 / 1000 / 8 / PACKET;
    let link = |name: &str, rate_bps, limit_packets| LinkPlan {
        name: name.into(),
        rate_bps,
        delay_ps: 10 * MILLISECOND,
        qdisc: QdiscPlan::Fifo(LimitPlan { limit_packets, limit_bytes: None }.into()),
        ..LinkPlan::default()
    };
    LinuxPlan {
        plan: Plan {
            seed: 1,
            draws_start_order: false,
            duration_ps: duration_ms * MILLISECOND,
            warmup_ps: 0,
            links: vec![link("there", Some(rate_bps), Some(bdp)), link("back", None, None)],
            flows: vec![FlowPlan {
                name: "flow".into(),
                cc: "reno".into(),
                start_ps: 0,
                stop_ps: None,
                app,
                part_of: None,
                path: vec![0],
                reverse_path: vec![1],
                priority: 0,
                transport: transport(),
            }],
            streams: Vec::new(),
            sessions: Vec::new(),
            record: RecordPlan {
                samples: ackclock_sim::record::SamplePlan::Period { period_ps: 10 * MILLISECOND },
                ..RecordPlan::default()
            },
        },
        hosts: vec![HostPlan { mtu: 1500, ..HostPlan::default() }],
        flows: vec![KernelFlow { host: 0, cc: "reno".into(), maxseg: None, is_nodelay: false }],
        streams: Vec::new(),
        links: Vec::new(),
    }
}

/// The transport options of the profile `linux`.
fn transport() -> TransportPlan {
    TransportPlan {
        mss: 1448,
        header_bytes: 52,
        initial_window_bytes: 14_480,
        initial_ssthresh_bytes: None,
        max_cwnd_bytes: None,
        receive_buffer_bytes: 64 << 20,
        initial_receive_window_bytes: 80 << 10,
        read_rate_bps: None,
        ack_division: 1,
        optimistic_ack_bytes: None,
        hide_marks: false,
        delayed_ack_count: 2,
        delayed_ack_timeout_ps: 40 * MILLISECOND,
        ack_counting: AckCounting::Bytes,
        window_counting: WindowCounting::Packets,
        delayed_ack_adapts: true,
        quick_acks: 20,
        ack_pushed: true,
        sack_delay_ps: MILLISECOND,
        timestamps: true,
        timestamp_clock_ps: MILLISECOND,
        loss_detection: LossDetection::Rack,
        dupack_recovery: DupackRecovery::Newreno,
        window_approach: WindowApproach::PrrLinux,
        limited_transmit: true,
        tail_loss_probe: true,
        frto: true,
        undo: true,
        dsack: true,
        min_rto_ps: 200 * MILLISECOND,
        min_rto_bounds_variance: true,
        max_rto_ps: 120_000 * MILLISECOND,
        initial_rto_ps: 1000 * MILLISECOND,
        syn_linear_timeouts: 4,
        rtt_timing: RttTiming::EveryAck,
        rtt_clock_ps: 0,
        loss_rules: LossRules::Rfc,
        idle_restart: true,
        ecn: EcnMode::Off,
        pacing: PacingMode::Off,
        tso_defer: true,
        host_time: None,
        clock_phase_ps: 0,
    }
}
