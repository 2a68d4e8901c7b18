//! Does BBR find two stretches of heavy loss at the same rate, keep to that rate for 48 rounds, and
//! let lighter loss pass?

use ackclock_cc::{Duration, Rate};

use crate::bottleneck::Path;
use crate::driver::{as_float, assert_within};

/// A path that drops one of `drop_every` from the beginning of `PROBE_BW` on.
fn lossy(spec: &str, drop_every: u64) -> Path {
    let mut path = Path::new(spec, Rate::from_bps(10_000_000), Duration::from_millis(60), 1);
    path.run(Duration::from_secs(2));
    path.drop_every = Some(drop_every);
    path
}

fn is_in_use(path: &Path) -> bool {
    path.internal("long_term") > 0.5
}

#[test]
fn a_fifth_of_what_is_delivered_lost_twice_at_the_same_rate() {
    // One of five is a quarter of the delivered packets: above 50/256.
    let mut path = lossy("bbr", 5);
    let mut before = path.delivered;
    while !is_in_use(&path) {
        before = path.delivered;
        path.run(Duration::from_millis(500));
    }
    assert!((path.internal("pacing_gain") - 1.0).abs() < 1e-9);
    // What came through in about that time, which is far less than four fifths: packets are
    // conserved in one round after another.
    let delivered = as_float(path.delivered - before) * 8.0 / 0.5;
    assert_within(path.internal("bw"), delivered, 0.25);
    // 48 rounds, which is how long it does not probe.
    let began = path.now;
    path.until(|p| !is_in_use(p));
    let rounds = path.now.since(began).as_secs_f64() / 0.0608;
    // Less what passed before it was seen.
    assert!((38.0..49.0).contains(&rounds), "{rounds}");
}

#[test]
fn less_is_taken_for_bad_luck() {
    // One of eight is a seventh of the delivered packets.
    let mut path = lossy("bbr", 8);
    for _ in 0..200 {
        path.run(Duration::from_millis(50));
        assert!(!is_in_use(&path));
    }
}

#[test]
fn it_can_be_switched_off() {
    let mut path = lossy("bbr(long_term_bw=false)", 5);
    for _ in 0..200 {
        path.run(Duration::from_millis(50));
        assert!(!is_in_use(&path));
    }
}
