//! Does Reno's mean window under a loss every 1/p segments follow sqrt(3/2) / sqrt(p)?

use ackclock_cc::Duration;

use crate::driver::{Driver, as_float, assert_within};

#[test]
fn from_a_hundredth_to_a_hundred_thousandth() {
    for every in [100, 1_000, 10_000, 100_000] {
        let mut driver = Driver::at_ssthresh("reno", 10, Duration::from_millis(100));
        driver.loss_every = Some(every);
        // 5 %: at p = 0.01 the window of 12 is counted in whole segments (half a segment is 4 %).
        assert_within(driver.mean_window(20, 50), (1.5 * as_float(every)).sqrt(), 0.05);
    }
}
