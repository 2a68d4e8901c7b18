//! The endpoints over the loopback device of a network namespace of their own: no emulator, no
//! round trip to speak of.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use ackclock_sim::columns::Table;
use ackclock_units::Time;
use nix::poll::{PollTimeout, poll};
use nix::sched::{CloneFlags, unshare};

use super::seat::{Seat, SenderSeat};
use super::supply::{Supply, namespace_of_this_thread};
use super::{EndpointOutput, Ends, netstat::Netstat, seat};
use crate::clock::{self, Clock};
use crate::plan::LinuxPlan;
use crate::shared::Shared;

const MS: u64 = 1_000_000_000;

/// Runs flows with these applications for `ms`, with more of the plan in `sessions`. Returns
/// `None`, and says so, where no namespace can be made.
fn run(apps: &[&str], sessions: &str, ms: u64) -> Option<(EndpointOutput, Arc<Shared>)> {
    run_to(0, apps, sessions, ms)
}

/// Runs applications whose senders connect to a port this much beside the right one.
fn run_to(
    beside: u16,
    apps: &[&str],
    sessions: &str,
    ms: u64,
) -> Option<(EndpointOutput, Arc<Shared>)> {
    run_bounded(2_000_000_000, beside, apps, sessions, ms)
}

/// Runs applications on the kernel with a bound, bytes, for each table of the record.
fn run_bounded(
    max_bytes: u64,
    beside: u16,
    apps: &[&str],
    sessions: &str,
    ms: u64,
) -> Option<(EndpointOutput, Arc<Shared>)> {
    let transport = include_str!("../../../sim/tests/support/linux.json");
    let flows: Vec<String> = apps
        .iter()
        .enumerate()
        .map(|(index, app)| {
            format!(
                r#"{{"name": "f{index}", "cc": "reno", "start_ps": 0, {app}, "path": [0],
                    "reverse_path": [0], "transport": {transport}}}"#
            )
        })
        .collect();
    let kernel = vec![r#"{"host": 0, "cc": "reno"}"#; apps.len()].join(",");
    let text = format!(
        r#"{{"plan": {{"seed": 1, "duration_ps": {}, "links": [], "flows": [{}],
            "sessions": [{sessions}],
            "record": {{"samples": {{"kind": "period", "period_ps": {}}},
            "max_bytes": {max_bytes}}}}},
            "hosts": [{{"mtu": 1500}}], "flows": [{kernel}]}}"#,
        ms * MS,
        flows.join(","),
        10 * MS
    );
    let plan: LinuxPlan = serde_json::from_str(&text).unwrap();
    // Namespaces are per thread, and this thread's ends with it.
    thread::spawn(move || {
        if let Err(error) = unshare(CloneFlags::CLONE_NEWNET) {
            eprintln!("SKIPPED: this test needs a network namespace: {error}");
            return None;
        }
        let up = Command::new("ip").args(["link", "set", "lo", "up"]).status();
        assert!(up.is_ok_and(|status| status.success()), "ip link set lo up");
        Some(within(&plan, beside, ms))
    })
    .join()
    .unwrap()
}

fn within(plan: &LinuxPlan, beside: u16, ms: u64) -> (EndpointOutput, Arc<Shared>) {
    let shared = Arc::new(Shared::new(plan.flows.len()));
    let seats =
        plan.plan.flows.iter().zip(&plan.flows).enumerate().map(|(index, (flow, kernel))| {
            let port = plan.flow_port(index);
            let sender = SenderSeat {
                socket: seat::sender(flow, kernel).unwrap(),
                target: SocketAddrV4::new(Ipv4Addr::LOCALHOST, port + beside),
                netstat: (plan.flows.len() == 1).then(|| Netstat::of_this_thread().unwrap()),
            };
            let listener = seat::listener(kernel, port).unwrap();
            Seat { sender, listener }
        });
    let supply = Supply::new(plan, |_| namespace_of_this_thread()).unwrap();
    let clock = Clock::starting_at(clock::real_ns() + 10_000_000);
    let ends =
        Ends::new(plan, seats.collect(), Vec::new(), supply, clock, Arc::clone(&shared)).unwrap();
    let endpoints = ends.launch().unwrap();
    while clock.now() < Time::from_ps(ms * MS) {
        poll(&mut [], PollTimeout::from(5_u8)).unwrap();
    }
    shared.stop.store(true, Relaxed);
    (endpoints.finish().unwrap(), shared)
}

#[test]
fn a_bulk_flow_has_always_something_to_send() {
    let Some((output, shared)) = run(&[r#""app": {"kind": "bulk"}"#], "", 300) else {
        return;
    };
    let samples = &output.flow_samples;
    // Of 31 moments, 0 and the end included, some may come too late for a sample.
    assert!((20..=31).contains(&samples.time.len()), "{:?}", samples.time);
    assert!(samples.time.windows(2).all(|pair| pair[0] < pair[1]));
    let last = samples.time.len() - 1;
    assert!(samples.cwnd[last] >= 10.0 * 1000.0, "{}", samples.cwnd[last]);
    assert!(samples.srtt[last] > 0.0 && samples.srtt[last] < 0.3, "{}", samples.srtt[last]);
    assert!(samples.acked[last] > 1_000_000, "{}", samples.acked[last]);
    assert!(samples.acked.is_sorted());
    assert!(samples.pacing_rate.iter().all(|rate| rate.is_nan()), "reno is not paced");
    let at = output.internals.names.iter().position(|name| *name == "slow_start");
    assert!(at.is_some());
    let counters = &output.flows[0];
    // The flow has the namespace for itself. The counts depend on the machine's load.
    assert!(counters.undos.is_some() && counters.tail_probes.is_some(), "{counters:?}");
    assert!(counters.cwnd_max >= 10_000, "{counters:?}");
    assert_eq!(shared.flows[0].closes_at.load(Relaxed), u64::MAX);
}

#[test]
fn a_file_and_writes_end_and_a_stop_closes() {
    let apps = [
        r#""app": {"kind": "file", "size_bytes": 3000000}"#,
        r#""app": {"kind": "writes", "writes": [[0, 1000], [50000000000, 2000]]}"#,
        r#""app": {"kind": "bulk"}, "stop_ps": 100000000000"#,
        r#""app": {"kind": "application-limited", "rate_bps": 8000000, "every_ps": 10000000000}"#,
    ];
    let Some((output, shared)) = run(&apps, "", 300) else { return };
    let closes_at: Vec<u64> =
        shared.flows.iter().map(|flow| flow.closes_at.load(Relaxed)).collect();
    assert_eq!(closes_at[..2], [3_000_000, 3000]);
    assert!((1_000_000..u64::MAX).contains(&closes_at[2]), "{closes_at:?}");
    assert_eq!(closes_at[3], u64::MAX);
    let samples = &output.flow_samples;
    let rows = |flow: u32| (0..samples.time.len()).filter(move |row| samples.flow[*row] == flow);
    let last =
        |flow: u32| rows(flow).next_back().map(|row| (samples.time[row], samples.acked[row]));
    // A flow that has ended has no rows; the data of 1 MB/s and 10 ms each is there in time.
    let (until, _) = last(1).unwrap();
    assert!((0.03..=0.09).contains(&until), "{until}");
    assert!(last(3).unwrap().0 >= 0.28);
    // Acknowledged data is never ahead of the application's writes, apart from rounding. It is
    // behind by at most two writes and the data that waits for its ACK. A busy machine may delay
    // more, but not most of the time.
    let acked = |row: usize| f64::from(u32::try_from(samples.acked[row]).unwrap());
    let written = |row: usize| 10_000.0 * (1.0 + (samples.time[row] / 0.01 + 0.01).floor());
    let mut behind: Vec<f64> = rows(3).map(|row| written(row) - acked(row)).collect();
    behind.sort_unstable_by(f64::total_cmp);
    assert!(behind[0] >= 0.0 && behind[behind.len() / 2] <= 30_000.0, "{behind:?}");
}

#[test]
fn a_connection_that_breaks_says_why() {
    let Some((output, _)) = run_to(1, &[r#""app": {"kind": "bulk"}"#], "", 50) else {
        return;
    };
    let fault = output.flows[0].fault.as_deref();
    assert!(fault.is_some_and(|fault| fault.contains("refused")), "{fault:?}");
}

#[test]
fn a_table_takes_no_more_than_its_bound() {
    let session = r#"{"name": "s", "stream": "flow/s", "start_ps": 0, "flows": [0],
        "app": {"kind": "repeated", "count": 20, "size": {"kind": "fixed", "value": 1000.0},
        "think": {"kind": "fixed", "value": 0.001}}}"#;
    let apps = [r#""app": {"kind": "session"}"#, r#""app": {"kind": "bulk"}"#];
    let Some((output, _)) = run_bounded(500, 0, &apps, session, 400) else {
        return;
    };
    // 500 bytes are a few rows. Without a bound there are 40 samples of the bulk flow and 20
    // transfers.
    let samples = &output.flow_samples;
    assert_eq!(samples.time.len(), 500 / samples.row_bytes());
    assert!(samples.room.full_at().is_some());
    let transfers = &output.transfers;
    assert_eq!(transfers.size.len(), 500 / transfers.row_bytes());
    assert!(transfers.room.full_at().is_some());
}

/// Files one after another have a connection each.
#[test]
fn a_session_opens_its_connection_again() {
    let session = r#"{"name": "s", "stream": "flow/s", "start_ps": 0, "flows": [0],
        "app": {"kind": "repeated", "count": 20, "size": {"kind": "fixed", "value": 100000.0},
        "think": {"kind": "fixed", "value": 0.001}}}"#;
    let Some((output, shared)) = run(&[r#""app": {"kind": "session"}"#], session, 400) else {
        return;
    };
    assert_eq!(output.transfers.size, [100_000; 20]);
    // The first begins with the clock, and the others after a pause of 1 ms.
    let times = output.transfers.start.iter().zip(&output.transfers.finish);
    assert!(
        (0_u32..)
            .zip(times)
            .all(|(number, (start, finish))| finish > start && *start >= 0.001 * f64::from(number)),
        "{:?}",
        output.transfers
    );
    assert!(output.sessions[0].ended_at.is_some());
    assert_eq!(shared.sessions.load(Relaxed), 0);
    // The series of each connection ends with a row without a window, when its whole file was
    // acknowledged.
    let samples = &output.flow_samples;
    let ends: Vec<u64> = (0..samples.time.len())
        .filter(|row| samples.cwnd[*row].is_nan())
        .map(|row| samples.acked[row])
        .collect();
    assert_eq!(ends, (1..=20).map(|number| 100_000 * number).collect::<Vec<u64>>());
}

/// Requests go one way and responses the other; the session learns of them by the bytes read.
#[test]
fn a_session_goes_on_when_something_has_arrived() {
    let session = r#"{"name": "s", "stream": "flow/s", "start_ps": 0, "flows": [0, 1],
        "app": {"kind": "request-response", "count": 30,
        "request": {"kind": "fixed", "value": 200.0},
        "response": {"kind": "fixed", "value": 50000.0},
        "server": {"kind": "fixed", "value": 0.001}, "think": {"kind": "fixed", "value": 0.0}}}"#;
    let apps = [r#""app": {"kind": "session"}"#; 2];
    let Some((output, _)) = run(&apps, session, 600) else { return };
    assert_eq!(output.transfers.size.len(), 30);
    // The server takes 1 ms.
    let took = output
        .transfers
        .finish
        .iter()
        .zip(&output.transfers.start)
        .map(|(finish, start)| finish - start);
    assert!(took.into_iter().all(|took| took >= 0.001), "{:?}", output.transfers);
    assert!(output.sessions[0].ended_at.is_some());
}
