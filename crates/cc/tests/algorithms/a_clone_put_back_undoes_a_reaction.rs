//! Does the clone that a sender takes before a signal bring everything back?

use ackclock_cc::{Duration, Signal, registry};

use crate::driver::{Driver, setup};

const RTT: Duration = Duration::from_millis(40);
/// Segments.
const BDP: u64 = 500;

#[test]
fn window_threshold_and_growth_go_on_as_if_nothing_had_happened() {
    for entry in registry::catalogue() {
        for signal in [Signal::Loss, Signal::Ecn, Signal::Rto] {
            let spec = if entry.role() == "slow start" {
                format!("{}+cubic", entry.name)
            } else {
                entry.name.to_owned()
            };
            let run = |disturb: bool| {
                let mut driver = Driver::new(&spec, &setup(10, Some(300)), RTT);
                for round in 0..60 {
                    if round == 20 {
                        driver.congestion(Signal::Loss);
                    }
                    if disturb && (round == 3 || round == 40) {
                        let saved = driver.cc.clone();
                        driver.congestion(signal);
                        driver.cc = saved;
                    }
                    // A bottleneck: without a queue a delay-based algorithm grows for ever.
                    driver.rtt = RTT.max(RTT * driver.window() / BDP);
                    driver.round_trip();
                }
                let mut internals = Vec::new();
                driver.cc.internals(&mut |name, value| internals.push((name, value.to_bits())));
                (driver.cc.decision(), internals)
            };
            assert_eq!(run(true), run(false), "{spec} after {signal:?}");
        }
    }
}
