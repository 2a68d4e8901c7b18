//! Does SEARCH compare the windows that its draft compares, and leave with what the path holds?

use ackclock_cc::Duration;

use crate::driver::{Driver, MSS, setup};

const RTT: Duration = Duration::from_millis(100);
/// A bin of one round trip and a window of four: the draft's own example.
const EXAMPLE: &str = "window=4, bins=4, extra_bins=15";

/// One bin: its segments are acknowledged at once just after its end. Twice as many were sent in
/// it, so as much as has been delivered is in flight.
fn bin(driver: &mut Driver, delivered: u64, rtt: Duration) {
    driver.now += RTT;
    driver.ack_leaving(driver.delivered + delivered * MSS, delivered * MSS, rtt);
}

/// The example from its first ACK on: the delivered segments double up to 16.
fn example(options: &str) -> Driver {
    let mut driver =
        Driver::new(&format!("search({EXAMPLE}, {options})+reno"), &setup(4, None), RTT);
    driver.ack_leaving(MSS, MSS, RTT);
    driver.now += Duration::from_millis(1);
    for delivered in [1, 1, 2, 4, 8, 16] {
        bin(&mut driver, delivered, RTT);
    }
    driver
}

fn is_slow_start(driver: &Driver) -> bool {
    driver.internal("slow_start") == Some(1.0)
}

#[test]
fn the_drafts_example_gives_0_27_and_then_more() {
    // Section "Threshold": windows of 4 + 8 + 16 + 16 = 44 and 2 * (2 + 4 + 8 + 16) = 60, (60 - 44)
    // / 60.
    for version in ["sent=false", "sent=true"] {
        let mut driver = example(&format!("{version}, threshold=0.4"));
        assert_eq!(driver.internal("search_norm_diff"), Some(0.0), "{version}");
        for expected in [16.0 / 60.0, 32.0 / 88.0] {
            bin(&mut driver, 16, RTT);
            let norm_diff = driver.internal("search_norm_diff").expect("enough bins");
            assert!((norm_diff - expected).abs() < 1e-12, "{version}: {norm_diff}");
            assert!(is_slow_start(&driver));
        }
        bin(&mut driver, 16, RTT);
        assert!(!is_slow_start(&driver), "{version}: (112 - 64) / 112 = 0.43");
    }
}

#[test]
fn the_threshold_is_0_26() {
    let mut driver = example("drain=false");
    let window = driver.window();
    bin(&mut driver, 16, RTT);
    assert!(!is_slow_start(&driver));
    assert_eq!(driver.window(), window);
}

#[test]
fn it_leaves_with_what_the_initial_rtt_delivered() {
    let mut driver = example("drain=true");
    bin(&mut driver, 16, RTT);
    // The ACK that tells, of 16 segments, is a window for Reno.
    assert_eq!((driver.window(), driver.ssthresh()), (17, Some(16.0)));
}

#[test]
fn never_below_the_initial_window() {
    let mut driver = Driver::new(&format!("search({EXAMPLE})+reno"), &setup(30, None), RTT);
    driver.ack_leaving(MSS, MSS, RTT);
    driver.now += Duration::from_millis(1);
    for delivered in [1, 1, 2, 4, 8, 16, 16] {
        bin(&mut driver, delivered, RTT);
    }
    assert_eq!(driver.ssthresh(), Some(30.0));
}

#[test]
fn an_rtt_between_bins_is_interpolated() {
    // 1.5 bins back: what was delivered up to the middle between the two bins before, so the mean
    // of both windows.
    let mut driver = example("sent=false, threshold=1");
    bin(&mut driver, 16, RTT);
    bin(&mut driver, 16, RTT * 3 / 2);
    let (now, before) = (56.0, f64::midpoint(44.0, 30.0) * 2.0);
    let norm_diff = driver.internal("search_norm_diff").expect("enough bins");
    assert!((norm_diff - (before - now) / before).abs() < 1e-12, "{norm_diff}");
}

#[test]
fn an_rtt_beyond_the_extra_bins_is_not_judged() {
    let mut driver =
        Driver::new("search(window=4, bins=4, extra_bins=2)+reno", &setup(4, None), RTT);
    driver.ack_leaving(MSS, MSS, RTT);
    driver.now += Duration::from_millis(1);
    for _ in 0..12 {
        bin(&mut driver, 16, RTT * 2);
    }
    assert!(is_slow_start(&driver));
    bin(&mut driver, 16, RTT);
    assert!(!is_slow_start(&driver));
}

#[test]
fn a_pause_longer_than_the_window_begins_anew() {
    let mut driver = example("drain=false");
    driver.now += RTT * 4;
    bin(&mut driver, 16, RTT);
    assert_eq!(driver.internal("search_norm_diff"), None);
    for _ in 0..6 {
        bin(&mut driver, 16, RTT);
        assert!(is_slow_start(&driver), "not enough bins yet");
    }
}
