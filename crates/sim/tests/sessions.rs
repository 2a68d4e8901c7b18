//! The times of applications that open connections, on paths so empty that one can compute them by
//! hand.

use ackclock_sim::app::session::{
    Abr, AdaptiveVideoPlan, IncastPlan, PersistentPlan, RepeatedPlan, RequestResponsePlan,
    SessionAppPlan, SessionPlan, ShortFlowsPlan, TransferKind, WebPlan,
};
use ackclock_sim::app::{AppPlan, SubflowPlan};
use ackclock_sim::distribution::Distribution;
use ackclock_sim::plan::Plan;
use ackclock_sim::{Output, Simulation};

use crate::plain_plans::{MS, S, dumbbell, flow};
use crate::run;

fn fixed(value: f64) -> Distribution {
    Distribution::Fixed { value }
}

/// A session over `forward` connections to its receiver and `backward` ones back, with an RTT of
/// 40 ms; the lines are so fast that only the RTT counts.
fn plan(app: SessionAppPlan, forward: usize, backward: usize) -> Plan {
    let flows = (0..forward + backward)
        .map(|index| {
            let mut connection = flow(&format!("s[{index}]"), "reno", AppPlan::Session {});
            let is_request = index >= forward;
            connection.start_ps = 100 * MS;
            connection.part_of = Some(SubflowPlan { name: "s".into(), chunk_bytes: 1, is_request });
            if is_request {
                (connection.path, connection.reverse_path) = (vec![1], vec![0]);
            }
            connection
        })
        .collect();
    let mut plan = dumbbell(flows, None, 20);
    for link in &mut plan.links {
        link.rate_bps = None;
    }
    plan.sessions.push(SessionPlan {
        name: "s".into(),
        stream: "flow/s.1".into(),
        start_ps: 100 * MS,
        stop_ps: None,
        flows: (0..).take(forward + backward).collect(),
        app,
    });
    plan
}

/// (start, end, size) of each transfer of a kind, in ms and bytes; the end is NaN if there is none.
fn rows(output: &Output, kind: TransferKind) -> Vec<(f64, f64, u64)> {
    let rows = &output.transfers;
    let ms = |seconds: f64| (seconds * 1e6).round() / 1e3;
    (0..rows.kind.len())
        .filter(|row| rows.kind[*row] == kind as u8)
        .map(|row| (ms(rows.start[row]), ms(rows.finish[row]), rows.size[row]))
        .collect()
}

fn repeated(count: Option<u64>) -> SessionAppPlan {
    SessionAppPlan::Repeated(RepeatedPlan { size: fixed(10_000.0), think: fixed(0.05), count })
}

/// Each file takes a handshake and one window, two round trips; 50 ms are between files. The run
/// ends with the last file.
#[test]
fn files_follow_each_other() {
    let output = run(&plan(repeated(Some(3)), 1, 0));
    let expected = [(100.0, 180.0, 10_000), (230.0, 310.0, 10_000), (360.0, 440.0, 10_000)];
    assert_eq!(rows(&output, TransferKind::File), expected);
    assert_eq!(output.end.as_ps(), 440 * MS);
    let flow = &output.flows[0];
    assert_eq!((flow.sender.acked_bytes, flow.receiver.goodput_bytes), (30_000, 30_000));
    assert_eq!(flow.finished.map(ackclock_units::Time::as_ps), Some(440 * MS));
    // Idle time between connections is active time of the flow: it lasts as long as its session.
    assert_eq!(flow.active.as_ps(), 340 * MS);
}

/// The third file would begin at 360 ms.
#[test]
fn nothing_begins_at_the_stop_or_after_it() {
    for (stop, files) in [(360, 2), (361, 3)] {
        let mut plan = plan(repeated(None), 1, 0);
        plan.sessions[0].stop_ps = Some(stop * MS);
        let output = run(&plan);
        assert_eq!(rows(&output, TransferKind::File).len(), files);
        assert_eq!(output.end.as_ps() / MS, if files == 2 { 310 } else { 440 });
    }
}

#[test]
fn a_session_without_an_end_lasts_as_long_as_the_run() {
    let output = run(&plan(repeated(None), 1, 0));
    assert_eq!(output.end.as_ps(), 20 * S);
    assert_eq!(output.flows[0].finished, None);
    assert_eq!(output.flows[0].active.as_ps(), 20 * S - 100 * MS);
    // 19.9 s / 130 ms = 153.08: the 154th is under way.
    let files = rows(&output, TransferKind::File);
    assert_eq!(files.len(), 154);
    assert!(files[153].1.is_nan());
}

/// A flow arrives every 30 ms, even if earlier ones are under way; with two connections the third
/// flow waits for the first.
#[test]
fn short_flows_arrive_in_any_case_and_wait_for_a_connection() {
    let app = SessionAppPlan::ShortFlows(ShortFlowsPlan {
        interval: fixed(0.03),
        size: fixed(10_000.0),
        count: Some(4),
    });
    let output = run(&plan(app.clone(), 4, 0));
    assert_eq!(
        rows(&output, TransferKind::File),
        [
            (130.0, 210.0, 10_000),
            (160.0, 240.0, 10_000),
            (190.0, 270.0, 10_000),
            (220.0, 300.0, 10_000)
        ]
    );
    // The fourth takes the first one's connection, which is the lowest that is free.
    assert_eq!(
        (
            output.sessions[0].waited,
            output.flows[0].sender.acked_bytes,
            output.flows[3].sender.acked_bytes
        ),
        (0, 20_000, 0)
    );
    let output = run(&plan(app, 2, 0));
    assert_eq!(
        rows(&output, TransferKind::File),
        [
            (130.0, 210.0, 10_000),
            (160.0, 240.0, 10_000),
            (190.0, 290.0, 10_000),
            (220.0, 320.0, 10_000)
        ]
    );
    assert_eq!(output.sessions[0].waited, 2);
}

/// The first response takes two round trips, the handshake's and its own, and the server's time.
/// The next ones take one round trip and the server's time.
#[test]
fn responses_answer_requests() {
    let app = SessionAppPlan::RequestResponse(RequestResponsePlan {
        request: fixed(100.0),
        response: fixed(5000.0),
        server: fixed(0.01),
        think: fixed(0.1),
        count: Some(3),
    });
    let output = run(&plan(app, 1, 1));
    assert_eq!(
        rows(&output, TransferKind::Response),
        [(100.0, 190.0, 5000), (290.0, 340.0, 5000), (440.0, 490.0, 5000)]
    );
    assert_eq!(
        (output.flows[0].receiver.goodput_bytes, output.flows[1].receiver.goodput_bytes),
        (15_000, 300)
    );
    // Both ends close, which takes a round trip.
    assert_eq!(output.end.as_ps(), 530 * MS);
}

/// Servers of one group, each with its two connections, of which the n-th starts n ms later.
fn servers(count: usize, app: &IncastPlan) -> Plan {
    let mut all = plan(SessionAppPlan::Incast(app.clone()), count, count);
    let mut session = all.sessions.remove(0);
    for (index, first) in (0..).take(count).enumerate() {
        session.name = format!("s.{index}");
        session.stream = format!("flow/s.{index}");
        session.start_ps = 100 * MS + index as u64 * MS;
        session.flows = vec![first, first + u32::try_from(count).expect("few servers")];
        all.sessions.push(session.clone());
    }
    all
}

fn incast(persistent: bool) -> IncastPlan {
    IncastPlan {
        group: "all".into(),
        request_bytes: 100,
        response: fixed(5000.0),
        server: fixed(0.0),
        gap: fixed(0.05),
        count: Some(3),
        persistent,
    }
}

/// The first round begins when the last of three servers has started, and takes a handshake more
/// than the others. Connections close together after the last round.
#[test]
fn servers_answer_together_when_all_have_answered() {
    let output = run(&servers(3, &incast(true)));
    let rounds = [(102.0, 182.0, 15_000), (232.0, 272.0, 15_000), (322.0, 362.0, 15_000)];
    assert_eq!(rows(&output, TransferKind::Round), rounds);
    let responses: Vec<_> = rounds.iter().flat_map(|round| [(round.0, round.1, 5000); 3]).collect();
    assert_eq!(rows(&output, TransferKind::Response), responses);
    assert_eq!(output.end.as_ps(), 402 * MS);
}

/// Each round has a handshake, and the pause begins when the connections are closed.
#[test]
fn servers_open_a_connection_for_each_round_if_none_persists() {
    let output = run(&servers(2, &incast(false)));
    let rounds = [(101.0, 181.0, 10_000), (271.0, 351.0, 10_000), (441.0, 521.0, 10_000)];
    assert_eq!(rows(&output, TransferKind::Round), rounds);
    assert_eq!(output.end.as_ps(), 561 * MS);
}

/// A server that takes longer makes all wait, and a stop ends the rounds.
#[test]
fn the_slowest_server_ends_a_round() {
    let mut plan = servers(2, &IncastPlan { count: None, ..incast(true) });
    for session in &mut plan.sessions {
        session.stop_ps = Some(300 * MS);
    }
    if let SessionAppPlan::Incast(slow) = &mut plan.sessions[1].app {
        slow.server = fixed(0.03);
    }
    let output = run(&plan);
    // The round of 261 ms ends at 331 ms, after the stop.
    assert_eq!(
        rows(&output, TransferKind::Round),
        [(101.0, 211.0, 10_000), (261.0, 331.0, 10_000)]
    );
    assert_eq!(
        rows(&output, TransferKind::Response)[2..],
        [(261.0, 301.0, 5000), (261.0, 331.0, 5000)]
    );
    assert_eq!(output.end.as_ps(), 371 * MS);
}

fn web(persistent: Option<PersistentPlan>) -> WebPlan {
    WebPlan {
        main: fixed(10_000.0),
        embedded: fixed(5000.0),
        objects: fixed(3.0),
        parsing: fixed(0.02),
        reading: fixed(1.0),
        pages: Some(fixed(2.0)),
        arrivals: None,
        parallel: 2,
        persistent,
    }
}

/// The main object takes 80 ms, parsing 20 ms, two embedded objects at once 80 ms, and the third
/// 80 ms: 260 ms for a page.
#[test]
fn a_page_is_its_main_object_and_then_the_others() {
    let output = run(&plan(SessionAppPlan::Web(web(None)), 2, 0));
    assert_eq!(
        rows(&output, TransferKind::Page),
        [(100.0, 360.0, 25_000), (1360.0, 1620.0, 25_000)]
    );
    assert_eq!(
        rows(&output, TransferKind::Object)[..5],
        [
            (100.0, 180.0, 10_000),
            (200.0, 280.0, 5000),
            (200.0, 280.0, 5000),
            (280.0, 360.0, 5000),
            (1360.0, 1440.0, 10_000)
        ]
    );
    assert_eq!(output.end.as_ps(), 1620 * MS);
    assert_eq!(output.sessions[0].waited, 0);
}

/// The first embedded object uses the main object's connection: 40 ms instead of 80; the third
/// follows it. Connections that close 5 s after the page serve the next page too, which then needs
/// no handshake: 40 + 20 + 40 + 40 ms. Connections that close after half a second do not.
#[test]
fn persistent_connections_carry_one_object_after_another() {
    for (keep_alive, second) in [(5 * S, (1280.0, 1420.0)), (S / 2, (1280.0, 1460.0))] {
        let persistent = PersistentPlan { request_bytes: 350, keep_alive_ps: keep_alive };
        let output = run(&plan(SessionAppPlan::Web(web(Some(persistent))), 2, 2));
        assert_eq!(
            rows(&output, TransferKind::Object)[..4],
            [
                (100.0, 180.0, 10_000),
                (200.0, 240.0, 5000),
                (200.0, 280.0, 5000),
                (240.0, 280.0, 5000)
            ]
        );
        let pages = rows(&output, TransferKind::Page);
        assert_eq!(pages[0], (100.0, 280.0, 25_000));
        assert_eq!((pages[1].0, pages[1].1), second);
        assert_eq!(
            output.flows.iter().map(|flow| flow.receiver.goodput_bytes).sum::<u64>(),
            50_000 + 8 * 350
        );
    }
}

/// Three users share two connections and want two each: no user is forgotten.
#[test]
fn users_wait_for_connections_in_order() {
    let mut web = web(None);
    (web.arrivals, web.pages) = (Some(fixed(0.01)), Some(fixed(1.0)));
    let mut plan = plan(SessionAppPlan::Web(web), 2, 0);
    plan.sessions[0].stop_ps = Some(131 * MS);
    let output = run(&plan);
    let pages = rows(&output, TransferKind::Page);
    assert_eq!(pages.len(), 3);
    assert!(pages.iter().all(|page| page.1 > page.0));
    assert_eq!(rows(&output, TransferKind::Object).len(), 12);
    assert!(output.sessions[0].waited >= 1);
    assert_eq!(output.flows.iter().map(|flow| flow.receiver.goodput_bytes).sum::<u64>(), 75_000);
}

fn video(rate_bps: u64, count: u64) -> Plan {
    let app = SessionAppPlan::AdaptiveVideo(AdaptiveVideoPlan {
        segment_ps: S,
        ladder_bps: vec![800_000, 1_600_000],
        buffer_ps: 4 * S,
        startup_ps: 2 * S,
        abr: Abr::BufferBased,
        request_bytes: 350,
        count: Some(count),
    });
    let mut plan = plan(app, 1, 1);
    plan.links[0].rate_bps = Some(rate_bps);
    // Room for the overshoot of a slow start.
    plan.links[0].qdisc = plan.links[1].qdisc.clone();
    plan.duration_ps = 60 * S;
    plan
}

/// With more than enough rate the player fills its buffer and then fetches a segment a second.
/// BBA-0 starts low and goes up with the buffer: the reservoir is 1.5 s, and the cushion ends at
/// 3.6 s. From there on it asks for 1.6 Mbit/s; a buffer of 3 s before a fetch is too small.
#[test]
fn a_player_keeps_its_buffer_full() {
    let output = run(&video(50_000_000, 12));
    let segments = rows(&output, TransferKind::Segment);
    assert_eq!(segments.len(), 12);
    assert!(segments.iter().all(|segment| segment.2 == 100_000));
    assert!(rows(&output, TransferKind::Stall).is_empty());
    // Playing begins with the second segment; the buffer has room for another segment a second
    // after it was full.
    for pair in segments[4..].windows(2) {
        assert!((pair[1].0 - pair[0].0 - 1000.0).abs() < 1e-3, "{pair:?}");
    }
}

/// On a line of 400 kbit/s a segment of 100 000 bytes, 70 packets, takes 2.08 s. The player plays
/// two segments, stalls until two more are there, and so on; it plays the last one at once.
#[test]
fn a_player_below_its_lowest_rung_stalls() {
    let output = run(&video(400_000, 7));
    let (segments, stalls) =
        (rows(&output, TransferKind::Segment), rows(&output, TransferKind::Stall));
    // 69.06 segments of 1448 bytes: 100 000 + 70 x 52 = 103 640 bytes on the wire, and a round
    // trip.
    let each = 103_640.0 * 8.0 / 400.0 + 40.0;
    // The ACK of the request crosses the line too, for 1.04 ms.
    for segment in &segments[1..] {
        assert!((segment.1 - segment.0 - each).abs() < 1.1, "{segment:?}, not {each}");
    }
    // The player begins at the end of segment 2. It is dry 2 s later while the third is on its way,
    // continues with the fourth, is dry 2 s later, and so on.
    assert_eq!(stalls.len(), 3);
    for (stall, number) in stalls.iter().zip([2, 4, 6]) {
        assert!((stall.0 - (segments[number - 1].1 + 2000.0)).abs() < 1e-3, "{stall:?}");
        let ends = segments.get(number + 1).unwrap_or(&segments[segments.len() - 1]).1;
        assert!((stall.1 - ends).abs() < 1e-3, "{stall:?}, ends with {ends}");
    }
}

/// The draws of one user depend neither on the network nor on other users.
#[test]
fn the_same_pages_come_whatever_the_path_does() {
    let mut web = web(None);
    web.embedded = Distribution::Lognormal { median: 5000.0, sigma: 1.0 };
    web.objects = Distribution::Uniform { low: 0.0, high: 6.0 };
    (web.arrivals, web.pages) = (Some(Distribution::Exponential { mean: 0.2 }), Some(fixed(2.0)));
    let mut plan = plan(SessionAppPlan::Web(web), 40, 0);
    let mut sizes = |delay: u64| {
        plan.links[0].delay_ps = delay * MS;
        let mut pages: Vec<u64> =
            rows(&run(&plan), TransferKind::Page).iter().map(|page| page.2).collect();
        pages.sort_unstable();
        pages
    };
    let short = sizes(1);
    assert!(short.len() > 150);
    let long = sizes(2);
    let common = short.iter().filter(|size| long.binary_search(size).is_ok()).count();
    // The end of the run cuts off the last pages.
    assert!(common + 3 >= short.len(), "{common} of {}", short.len());
}

#[test]
fn plans_that_cannot_run_are_refused() {
    let none = SessionAppPlan::Repeated(RepeatedPlan {
        size: fixed(1.0),
        think: fixed(0.0),
        count: Some(0),
    });
    let at_once = SessionAppPlan::ShortFlows(ShortFlowsPlan {
        interval: fixed(0.0),
        size: fixed(1.0),
        count: None,
    });
    let negative = SessionAppPlan::Repeated(RepeatedPlan {
        size: fixed(-1.0),
        think: fixed(0.0),
        count: None,
    });
    let alone =
        SessionAppPlan::Web(web(Some(PersistentPlan { request_bytes: 1, keep_alive_ps: 0 })));
    for (app, words) in
        [(none, "count"), (at_once, "arrivals"), (negative, "value"), (alone, "needs 2")]
    {
        let error = Simulation::new(&plan(app, 1, 0)).err().expect("it cannot run").to_string();
        assert!(error.starts_with("session s: ") && error.contains(words), "{error}");
    }
}
