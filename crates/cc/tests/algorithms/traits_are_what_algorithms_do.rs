//! Does each algorithm do what its entry says of it?

use ackclock_cc::entry::traits::{Answers, Growth, Left, Term};
use ackclock_cc::entry::{Entry, Value};
use ackclock_cc::registry::catalogue;
use ackclock_cc::{Duration, Rate, Signal};

use crate::bottleneck::Path;
use crate::driver::{Driver, assert_within, internal, segments, setup};
use crate::intervals::{Fate, Intervals};

const RTT: Duration = Duration::from_millis(40);

fn all(role: &str) -> impl Iterator<Item = &'static Entry> {
    catalogue().iter().filter(move |entry| entry.role() == role)
}

/// A spec in which the algorithm can run alone.
fn spec(entry: &Entry) -> String {
    match entry.role() {
        "slow start" => format!("{}+reno", entry.name),
        _ => entry.name.to_owned(),
    }
}

/// A path of 20 segments whose buffer is short enough for losses.
fn path(entry: &Entry) -> Path {
    let mut path = Path::new(&spec(entry), Rate::from_bps(4_000_000), RTT, 1);
    path.buffer = 40;
    path
}

/// Whether it has drawn in a run with losses, or in one by monitor intervals if it keeps them; as
/// Linux too, if it has that form.
fn draws(entry: &Entry) -> bool {
    let has_linux = entry.parameters.iter().any(|parameter| parameter.name == "linux");
    let as_linux = format!("{}(linux=true)", entry.name);
    let is_avoidance = entry.role() == "avoidance";
    spec_draws(&spec(entry)) || has_linux && is_avoidance && spec_draws(&as_linux)
}

fn spec_draws(spec: &str) -> bool {
    let mut path = Path::new(spec, Rate::from_bps(4_000_000), RTT, 1);
    path.buffer = 40;
    path.run(Duration::from_secs(60));
    let keeps_intervals = path.keeps_intervals();
    let mut intervals = Intervals::new(spec, RTT, 1);
    if keeps_intervals {
        for _ in 0..100 {
            intervals.next(|_| Fate::default());
        }
    }
    path.has_drawn(1) || intervals.has_drawn(1)
}

#[test]
fn it_draws_if_and_only_if_its_traits_say_so() {
    for entry in catalogue() {
        assert_eq!(draws(entry), entry.traits.draws, "{}", entry.name);
    }
}

/// Whether a signal lowers the window, on a path without a queue or with one of its half.
fn is_cut(entry: &Entry, signal: Signal) -> bool {
    [(RTT, 1), (RTT * 2, 10)].into_iter().any(|(rtt, rounds)| {
        let mut driver = Driver::in_avoidance(entry.name, 60, RTT);
        driver.rtt = rtt;
        for _ in 0..rounds {
            driver.round_trip();
        }
        let before = driver.cwnd();
        driver.congestion(signal);
        driver.ssthresh().map_or(before, |ssthresh| ssthresh.min(driver.cwnd())) < 0.97 * before
    })
}

#[test]
fn a_loss_or_mark_cuts_the_window_of_an_avoidance_if_and_only_if_its_traits_say_so() {
    for entry in all("avoidance") {
        let Answers { loss, marks, .. } = entry.traits.answers;
        assert_eq!(is_cut(entry, Signal::Loss), loss, "{}", entry.name);
        assert_eq!(is_cut(entry, Signal::Ecn), marks, "{}", entry.name);
    }
}

/// Windows without and with one signal, a few round trips after it.
fn after(entry: &Entry, signal: Signal) -> (f64, f64) {
    let [spared, hit] = [None, Some(signal)].map(|signal| {
        let mut path = Path::new(entry.name, Rate::from_bps(40_000_000), RTT, 1);
        path.buffer = 400;
        path.run(Duration::from_secs(4));
        if let Some(signal) = signal {
            path.signal(signal);
        }
        path.run(RTT * 3);
        segments(path.cc.decision().cwnd)
    });
    (spared, hit)
}

#[test]
fn a_single_loss_or_mark_lowers_the_window_of_a_controller_only_if_its_traits_say_so() {
    for entry in all("whole") {
        let Answers { loss, marks, .. } = entry.traits.answers;
        for (signal, is_answered) in [(Signal::Loss, loss), (Signal::Ecn, marks)] {
            let (spared, hit) = after(entry, signal);
            assert!(is_answered || hit > 0.95 * spared, "{} {signal:?} {hit}", entry.name);
        }
    }
}

/// Round trips that each take longer than the last, by so much.
fn stretch(driver: &mut Driver, rounds: u64, by: Duration) {
    for round in 0..rounds {
        driver.rtt = RTT + by * round;
        driver.tx_in_flight = Some(driver.cc.decision().cwnd);
        driver.round_trip();
    }
}

#[test]
fn a_growing_queue_makes_it_send_less_if_and_only_if_its_traits_say_so() {
    for entry in all("avoidance") {
        let mut driver = Driver::in_avoidance(entry.name, 60, RTT);
        stretch(&mut driver, 40, Duration::from_millis(10));
        let backs_off = driver.cwnd() < 59.0;
        assert_eq!(backs_off, entry.traits.answers.delay, "{}: {}", entry.name, driver.cwnd());
    }
}

#[test]
fn a_growing_queue_ends_a_slow_start_if_and_only_if_its_traits_say_so() {
    for entry in all("slow start") {
        let start = entry.traits.needs_ssthresh.then_some(100_000);
        let mut driver = Driver::new(&spec(entry), &setup(20, start), RTT);
        stretch(&mut driver, 8, Duration::from_millis(20));
        let has_ended = driver.internal("slow_start") == Some(0.0);
        assert_eq!(has_ended, entry.traits.answers.delay, "{}", entry.name);
    }
}

#[test]
fn linear_growth_is_a_segment_per_round_trip() {
    for entry in all("avoidance").filter(|it| it.traits.growth == Growth::Linear) {
        let mut driver = Driver::in_avoidance(entry.name, 40, RTT);
        let before = driver.cwnd();
        for _ in 0..10 {
            driver.round_trip();
        }
        assert_within(driver.cwnd() - before, 10.0, 0.1);
    }
}

fn value(entry: &Entry, name: &str) -> f64 {
    let parameter = entry.parameters.iter().find(|it| it.name == name).expect("a parameter");
    let Value::Number(number) = parameter.default else { panic!("{name} is a number") };
    number
}

#[test]
fn a_loss_leaves_the_share_of_the_window_that_its_traits_name() {
    for entry in all("avoidance") {
        let share = match entry.traits.left {
            Left::Share(Term::Number(number)) => number,
            Left::Share(Term::Parameter(name)) => value(entry, name),
            Left::Share(Term::Rest(name)) => 1.0 - value(entry, name),
            Left::Share(term) => panic!("{}: {term:?} is no share", entry.name),
            Left::Segment => {
                assert!(entry.implies.contains(&("dupack_recovery", "tahoe")), "{}", entry.name);
                continue;
            }
            Left::Varies => continue,
        };
        let mut driver = Driver::in_avoidance(entry.name, 100, RTT);
        driver.congestion(Signal::Loss);
        assert_within(driver.ssthresh().expect("a loss sets it"), 100.0 * share, 0.02);
    }
}

#[test]
fn every_phase_that_it_tells_has_a_name() {
    for entry in all("whole") {
        let Some(phases) = entry.traits.phases else { continue };
        let mut path = path(entry);
        for _ in 0..3000 {
            path.run(Duration::from_millis(5));
            let code = internal(&*path.cc, phases.internal).expect("the internal that it names");
            let names = u32::try_from(phases.names.len()).expect("a few");
            let is_known = (0..names).any(|known| (f64::from(known) - code).abs() < 0.5);
            assert!(is_known && code.fract().abs() < f64::EPSILON, "{}: {code}", entry.name);
        }
    }
}

#[test]
fn a_law_takes_parameters_that_the_entry_has() {
    for entry in catalogue() {
        let traits = &entry.traits;
        let laws = traits.response.iter().chain(&traits.tolerance).chain(&traits.utilisation);
        for (_, term) in laws.flat_map(|law| law.arguments) {
            if let Term::Parameter(name) | Term::Rest(name) | Term::ParameterPerAck(name) = *term {
                value(entry, name);
            }
        }
    }
}
