//! Does `cubic`, and Reno, have the sawtooth that a Linux 6.18 kernel was recorded with?
//!
//! One flow, packets of 1500 bytes, drop tail. The drop of the first packet that does not fit is
//! noticed one round trip later, until which the window grows, and repaired in another one. The
//! path here is rounded to whole round trips of full windows, which is what the tolerances are for.

use ackclock_cc::{Duration, Signal, Time};

use crate::driver::{Driver, MSS, assert_within};

struct Bottleneck {
    packet_time: Duration,
    /// Propagation and the transmission of one packet.
    base_rtt: Duration,
    /// Packets on the path, in service and in the buffer.
    fits: u64,
}

/// 10 Mbit/s, 60 ms, 50 packets may wait.
const SLOW: Bottleneck = Bottleneck {
    packet_time: Duration::from_micros(1200),
    base_rtt: Duration::from_micros(61_200),
    fits: 50 + 1 + 50,
};

/// 100 Mbit/s, 40 ms, 333 packets may wait.
const FAST: Bottleneck = Bottleneck {
    packet_time: Duration::from_micros(120),
    base_rtt: Duration::from_micros(40_120),
    fits: 333 + 1 + 333,
};

#[derive(Debug)]
struct Tooth {
    peak: u64,
    trough: u64,
    /// Seconds since the last loss.
    period: f64,
}

impl Bottleneck {
    fn rtt(&self, packets: u64) -> Duration {
        self.base_rtt.max(self.packet_time * packets)
    }

    /// Delivers so many packets, two to an ACK; answers how many of them were before the window did
    /// not fit any more.
    fn deliver(&self, driver: &mut Driver, packets: u64) -> u64 {
        let (begin, rtt) = (driver.now, self.rtt(driver.window()));
        driver.begin_round(packets * MSS);
        let mut fitted = 0;
        for segment in 1..=packets {
            if segment % 2 == 0 || segment == packets {
                driver.now = begin + self.packet_time * segment;
                driver.ack(if segment % 2 == 0 { 2 * MSS } else { MSS }, rtt);
            }
            if driver.window() <= self.fits {
                fitted = segment;
            }
        }
        fitted
    }

    /// One window's delivery.
    fn round_trip(&self, driver: &mut Driver) -> u64 {
        let begin = driver.now;
        let window = driver.window();
        let rtt = self.rtt(window);
        let fitted = self.deliver(driver, window);
        driver.now = begin + rtt;
        fitted
    }

    /// The first teeth of a flow that enters avoidance at `start` packets.
    fn sawtooth(&self, spec: &str, start: u64, teeth: usize) -> Vec<Tooth> {
        let mut driver = Driver::in_avoidance(spec, start, self.base_rtt);
        let mut last = Time::ZERO;
        let mut one = || {
            let mut fitted = 0;
            while driver.window() <= self.fits {
                fitted = self.round_trip(&mut driver);
            }
            // All that was on the way when the first packet was dropped is delivered, and grows the
            // window, before it is missed.
            self.deliver(&mut driver, fitted.min(self.fits));
            let peak = driver.window();
            let period = driver.now.since(last).as_secs_f64();
            last = driver.now;
            driver.congestion(Signal::Loss);
            let trough = driver.window();
            driver.in_recovery = true;
            let repaired = driver.now + self.packet_time * self.fits;
            self.round_trip(&mut driver);
            driver.now = repaired;
            driver.in_recovery = false;
            Tooth { peak, trough, period }
        };
        (0..teeth).map(|_| one()).collect()
    }
}

#[test]
fn cubic_from_102_to_71_packets_in_3_09_s() {
    let teeth = SLOW.sawtooth("classic+cubic", 67, 8);
    for tooth in &teeth[4..] {
        assert_eq!((tooth.peak, tooth.trough), (102, 71));
        assert_within(tooth.period, 3.093, 0.03);
    }
}

#[test]
fn the_standard_without_these_roundings_waits_for_its_plateau() {
    // K = cbrt(0.3 x 102 / 0.4) = 4.245 s and the two round trips of the loss, 0.242 s.
    // A fraction of a segment in the peak moves the flat curve's next approach: ten teeth until
    // they are the same.
    for tooth in &SLOW.sawtooth("classic+cubic(linux=false)", 67, 14)[10..] {
        assert_eq!((tooth.peak, tooth.trough), (102, 71));
        assert_within(tooth.period, 4.245 + 0.242, 0.03);
    }
}

#[test]
fn cubic_at_100_mbit_s_alternates_between_a_long_and_a_short_period() {
    // Recorded (run K8.1, losses at 17.63, 23.31, 36.14, 41.80, 54.62 s): 672 to 471, 668 to 467;
    // 12.83 s, 5.67 s; in K8.2 12.82 s, 5.81 to 5.99 s. The long approach ends steeply, with four
    // packets per round trip; the last of them comes between the drop and its discovery. The short
    // approach ends on the flat plateau, below that peak, so that fast convergence makes the next
    // one long.
    let teeth = FAST.sawtooth("classic+cubic", 493, 9);
    let mut periods = Vec::new();
    for tooth in &teeth[5..] {
        assert!(tooth.peak.abs_diff(670) <= 3 && tooth.trough.abs_diff(469) <= 3, "{tooth:?}");
        periods.push(tooth.period);
    }
    periods.sort_by(f64::total_cmp);
    let (short, long) = (periods[0], periods[3]);
    assert_within(long, 12.83, 0.01);
    // The short one turns on when in its last round trips (0.08 s each, growth less than a packet)
    // the buffer is full.
    assert_within(short, 5.67, 0.08);
}

#[test]
fn reno_from_102_to_51_packets_in_4_96_s() {
    let teeth = SLOW.sawtooth("reno", 101, 4);
    for tooth in &teeth[1..] {
        assert_eq!((tooth.peak, tooth.trough), (102, 51));
        assert_within(tooth.period, 4.958, 0.03);
    }
}

#[test]
fn growth_is_at_most_half_a_window_per_round_trip() {
    let mut driver = Driver::at_ssthresh("classic+cubic(c=10)", 10, Duration::from_secs(1));
    driver.ack(1, driver.rtt);
    driver.congestion(Signal::Loss);
    for _ in 0..10 {
        let before = driver.window();
        driver.round_trip();
        assert!(driver.window() <= before * 3 / 2 + 1, "{before} to {}", driver.window());
    }
    assert!(driver.window() > 100);
}

#[test]
fn before_the_first_loss_it_gains_a_twentieth_per_round_trip() {
    let mut driver = Driver::at_ssthresh("classic+cubic", 1000, Duration::from_millis(10));
    driver.ack(1, driver.rtt);
    for _ in 0..10 {
        driver.round_trip();
    }
    // 1.05^10; 2 %: growth within a round is by whole packets of the round's window.
    assert_within(driver.cwnd(), 1629.0, 0.02);
}
