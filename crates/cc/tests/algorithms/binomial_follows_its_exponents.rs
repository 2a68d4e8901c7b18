//! Are growth and cut alpha / w^k and beta w^l, and is the mean window Reno's where k + l = 1?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, as_float, assert_within};

const RTT: Duration = Duration::from_millis(60);
/// SQRT, IIAD, AIMD.
const MEMBERS: [(f64, f64); 3] = [(0.5, 0.5), (1.0, 0.0), (0.0, 1.0)];

#[test]
fn growth_and_cut_at_several_windows() {
    for (k, l) in MEMBERS {
        for window in [25, 100, 400] {
            let mut driver = Driver::in_avoidance(
                &format!("binomial(k={k}, l={l}, alpha=3, beta=0.5)"),
                window,
                RTT,
            );
            let w = as_float(window);
            let end =
                driver.now + Duration::from_secs_f64(12.0 * libm::pow(w, k) * RTT.as_secs_f64());
            let mut rounds = 0.0;
            while driver.now < end {
                driver.round_trip();
                rounds += 1.0;
            }
            // The window that grows by 3 w^-k for so long; 5 %: what is not used of a window with a
            // fraction.
            let expected =
                libm::pow(libm::pow(w, k + 1.0) + (k + 1.0) * 3.0 * rounds, 1.0 / (k + 1.0)) - w;
            assert_within(driver.cwnd() - w, expected, 0.05);
            let before = driver.cwnd();
            driver.congestion(Signal::Loss);
            // 0.3 %: a byte of 500.
            assert_within(before - driver.cwnd(), 0.5 * libm::pow(before, l), 0.003);
        }
    }
}

#[test]
fn as_much_as_reno_where_the_exponents_add_up_to_one() {
    // The paper's rule; with beta = 2/3 alpha both constants agree while a cut is small. 5 %: whole
    // segments at 39.
    for (k, l) in [(0.5, 0.5), (1.0, 0.0)] {
        for every in [1_000, 10_000] {
            let reno = libm::sqrt(1.5 * as_float(every));
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "some hundred segments"
            )]
            let start = reno as u64;
            let mut driver = Driver::at_ssthresh(&format!("binomial(k={k}, l={l})"), start, RTT);
            driver.loss_every = Some(every);
            assert_within(driver.mean_window(20, 100), reno, 0.05);
        }
    }
}
