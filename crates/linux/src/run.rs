//! A run from its plan to its results.

use core::ops::ControlFlow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration as Wall;

use ackclock_sim::Output;
use ackclock_units::{Duration, Time};

use crate::clock::{self, Clock};
use crate::emulator::{Emulated, Emulator};
use crate::endpoint::{self, EndpointOutput};
use crate::error::LinuxError;
use crate::lab::priority::Scheduling;
use crate::lab::{self, Entered, Lab, LabError, facts};
use crate::links::{self, Observer};
use crate::output;
use crate::plan::LinuxPlan;
use crate::provenance::{CpuSeconds, FirstPacket, Lateness, Provenance};
use crate::seen::Seen;
use crate::shared::Shared;
use crate::together::together;

/// Time between two calls of `progress`.
const PROGRESS_EVERY: Wall = Wall::from_millis(50);
/// Time from making sockets to the start; each flow adds to it.
const HEAD_START_NS: u64 = 100_000_000;
const HEAD_START_PER_FLOW_NS: u64 = 2_000_000;
/// A run begins at a multiple of this time since the machine's start: of a timestamp's millisecond,
/// and of a tick at 100, 250 and 1000 Hz. Both decide ACKs and windows (a receiver measures its
/// round trips in timestamps), and so they lie as in a simulated run, where both begin with it.
const TICKS_NS: u64 = 20_000_000;

/// A finished run.
pub struct Run {
    /// Results in the form of a simulated run's.
    pub output: Output,
    /// Exactness of the run's times.
    pub provenance: Provenance,
}

/// Runs the plan on this machine's kernel. Must run in a process of one thread that is used for
/// this run only, because it moves the process into other namespaces. `progress` gets the share of
/// the duration that has passed, and may stop the run.
///
/// # Errors
///
/// If the plan cannot run, the machine does not permit it, or `progress` stopped it.
///
/// # Panics
///
/// If a thread of the run panics.
pub fn run(
    plan: &LinuxPlan,
    progress: impl FnMut(f64) -> ControlFlow<()>,
) -> Result<Run, LinuxError> {
    check(plan)?;
    let entered = lab::enter()?;
    let mut lab = if plan.links.is_empty() { Lab::new(&plan.hosts)? } else { links::lab(plan)? };
    let shared = Arc::new(Shared::new(plan.flows.len()));
    let flows = u64::try_from(plan.flows.len()).unwrap_or(u64::MAX);
    let soon = clock::monotonic_ns() + HEAD_START_NS + HEAD_START_PER_FLOW_NS * flows;
    let offset = clock_offset();
    let t0 = soon.next_multiple_of(TICKS_NS) + u64::try_from(offset).unwrap_or(0);
    let clock = Clock::starting_at(t0);
    let ends = endpoint::start(plan, &lab, clock, Arc::clone(&shared))?;
    let by_emulator = |(emulated, endpoints): (Emulated, EndpointOutput)| {
        (Seen::by_emulator(&plan.plan, emulated), endpoints)
    };
    let (late_start, worked) = if !plan.links.is_empty() {
        let observer = Observer::new(plan, &mut lab, clock, &shared)?;
        let work = |at: &AtomicU64| observer.run(ends, at);
        (Time::ZERO, watch_over(work, plan, &shared, progress))
    } else if facts::is_virtual() {
        let emulator = Emulator::new(plan, &mut lab, clock, &shared)?;
        let work = |at: &AtomicU64| together(emulator, ends, clock, at);
        (Time::ZERO, watch_over(work, plan, &shared, progress).map(by_emulator))
    } else {
        let endpoints = ends.launch()?;
        let emulator = Emulator::new(plan, &mut lab, clock, &shared).map_err(LinuxError::from);
        let late_start = clock.now();
        let emulated = emulator.and_then(|emulator| {
            let work = |at: &AtomicU64| emulator.run(at).map_err(LinuxError::from);
            watch_over(work, plan, &shared, progress)
        });
        shared.stop.store(true, Ordering::Release);
        // The threads end in any case.
        let endpoints = endpoints.finish();
        (late_start, emulated.and_then(|emulated| Ok(by_emulator((emulated, endpoints?)))))
    };
    let clock_step_ns = clock_offset() - offset;
    let (seen, endpoints) = worked?;
    let provenance = Provenance {
        late_start: late_start.as_secs_f64(),
        broken: broken(plan, &endpoints),
        first_packets: first_packets(plan, &seen),
        ..provenance(entered, &seen, &endpoints, &lab, clock_step_ns)
    };
    let output = output::assemble(plan, &shared, seen, endpoints);
    Ok(Run { output, provenance })
}

fn check(plan: &LinuxPlan) -> Result<(), LinuxError> {
    plan.plan.check().map_err(|error| LinuxError::Plan(error.to_string()))?;
    let exists = |host: u32| (host as usize) < plan.hosts.len();
    if plan.flows.len() != plan.plan.flows.len() || plan.streams.len() != plan.plan.streams.len() {
        return Err(LinuxError::Plan(
            "flows and streams must be told their hosts, each of them".into(),
        ));
    }
    if !plan.flows.iter().map(|flow| flow.host).chain(plan.streams.iter().copied()).all(exists) {
        return Err(LinuxError::Plan("a flow or a stream names hosts that do not exist".into()));
    }
    Ok(())
}

/// Works on a thread of its own, so that `progress` cannot delay it. The work keeps the present
/// time, ps.
fn watch_over<T: Send>(
    work: impl FnOnce(&AtomicU64) -> Result<T, LinuxError> + Send,
    plan: &LinuxPlan,
    shared: &Shared,
    mut progress: impl FnMut(f64) -> ControlFlow<()>,
) -> Result<T, LinuxError> {
    let at = AtomicU64::new(0);
    let duration = Time::from_ps(plan.plan.duration_ps).as_secs_f64();
    let watcher = thread::current();
    thread::scope(|scope| {
        let (at, watcher) = (&at, &watcher);
        let worker = thread::Builder::new()
            .name("emulator".into())
            .spawn_scoped(scope, move || {
                let outcome = work(at);
                watcher.unpark();
                outcome
            })
            .map_err(|error| {
                LinuxError::Lab(LabError(format!("no thread for the network: {error}")))
            })?;
        let mut is_stopped = false;
        while !worker.is_finished() {
            thread::park_timeout(PROGRESS_EVERY);
            let share = Time::from_ps(at.load(Ordering::Relaxed)).as_secs_f64() / duration;
            if !is_stopped && progress(share).is_break() {
                is_stopped = true;
                shared.stop.store(true, Ordering::Release);
            }
        }
        let outcome = worker.join().expect("the network does not panic")?;
        if is_stopped { Err(LinuxError::Stopped) } else { Ok(outcome) }
    })
}

/// Difference of both clocks, which changes only when somebody sets the clock: they run at one
/// speed.
fn clock_offset() -> i128 {
    i128::from(clock::real_ns()) - i128::from(clock::monotonic_ns())
}

fn broken(plan: &LinuxPlan, endpoints: &EndpointOutput) -> Vec<String> {
    let flows = plan.plan.flows.iter().zip(&endpoints.flows);
    flows
        .filter_map(|(flow, counters)| {
            counters.fault.as_ref().map(|fault| format!("{}: {fault}", flow.name))
        })
        .collect()
}

/// Lists first packets of the flows that share their start time with another flow, in order of
/// time.
fn first_packets(plan: &LinuxPlan, seen: &Seen) -> Vec<FirstPacket> {
    let plan = &plan.plan;
    // A session opens its connections when it needs them.
    let of_sessions: BTreeSet<u32> =
        plan.sessions.iter().flat_map(|session| session.flows.iter().copied()).collect();
    let mut flows_at: BTreeMap<u64, u32> = BTreeMap::new();
    for (_, flow) in (0..).zip(&plan.flows).filter(|(index, _)| !of_sessions.contains(index)) {
        *flows_at.entry(flow.start_ps).or_default() += 1;
    }
    let mut firsts: Vec<_> = (0..)
        .zip(plan.flows.iter().zip(&seen.watches))
        .filter(|(index, _)| !of_sessions.contains(index))
        .filter(|(_, (flow, _))| flows_at[&flow.start_ps] > 1)
        .filter_map(|(_, (flow, watch))| Some((watch.first_at?, flow)))
        .collect();
    // A stable sort: packets of one stamp stay in the order of the scenario.
    firsts.sort_by_key(|(at, _)| *at);
    firsts
        .into_iter()
        .map(|(at, flow)| FirstPacket { flow: flow.name.clone(), time: at.as_secs_f64() })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn provenance(
    entered: Entered,
    seen: &Seen,
    endpoints: &EndpointOutput,
    lab: &Lab,
    clock_step_ns: i128,
) -> Provenance {
    let punctuality = &seen.punctuality;
    // A kernel in virtual time counts the ticks of its own clock, by chance.
    let is_virtual = seen.scheduling == Scheduling::Virtual;
    let seconds = |cpu: Duration| if is_virtual { 0.0 } else { cpu.as_secs_f64() };
    Provenance {
        release: facts::kernel().map_or_else(|_| String::new(), |kernel| kernel.release),
        is_rootless: entered.is_rootless,
        emulator_scheduling: seen.scheduling.to_string(),
        endpoint_scheduling: endpoints.senders.scheduling.to_string(),
        lateness: Lateness::from(&punctuality.lateness),
        handed_over: punctuality.lateness.count(),
        late_packets: punctuality.late_packets,
        ring_dropped: lab.ring.dropped(),
        refused: punctuality.refused_packets,
        entry_late_max: punctuality.clamped_most.as_secs_f64(),
        late_entries: punctuality.clamped_packets,
        sample_late_max: endpoints.sample_late.as_secs_f64(),
        late_start: 0.0,
        broken: Vec::new(),
        first_packets: Vec::new(),
        cpu_seconds: CpuSeconds {
            emulator: seconds(seen.cpu),
            senders: seconds(Duration::from_nanos(endpoints.senders.cpu_ns)),
            receivers: seconds(Duration::from_nanos(endpoints.receivers.cpu_ns)),
        },
        clock_step: clock_step_ns as f64 / 1e9,
    }
}
