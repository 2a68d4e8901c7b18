//! States of Allegro, from its section 3.2: known interval results in, rate steps out.

use core::cell::Cell;

use ackclock_cc::Duration;

use super::driver::assert_within;
use super::intervals::{Fate, Intervals};

const RTT: Duration = Duration::from_millis(100);
/// Mbit/s.
const LINK: f64 = 20.0;

fn clean(_rate: f64) -> Fate {
    Fate::default()
}

/// A link without a queue.
fn link(rate: f64) -> Fate {
    Fate { loss: (1.0 - LINK / rate).max(0.0), ..Fate::default() }
}

/// Started, at 12.8 Mbit/s.
fn allegro() -> Intervals {
    let mut pcc = Intervals::new("pcc-allegro", RTT, 1);
    pcc.start(link);
    assert_within(pcc.base_rate(), 12.8, 1e-6);
    pcc
}

#[test]
fn four_trials_decide_and_the_rate_moves_ever_faster_while_that_pays() {
    let mut pcc = allegro();
    // The winner, 1 % up, and then 1 %, 2 %, 3 % ... of the last.
    let mut rate = 12.8 * 1.01;
    for n in 1..6 {
        rate *= 1.0 + 0.01 * f64::from(n);
        assert_within(pcc.until_changed(clean), rate, 1e-6);
    }
    assert_eq!(pcc.internal("in_a_row"), Some(5.0));
}

#[test]
fn the_first_step_that_is_worth_less_is_taken_back() {
    let mut pcc = allegro();
    let mut rates = vec![12.8];
    while pcc.internal("in_a_row").is_some() || rates.len() == 1 {
        rates.push(pcc.until_changed(link));
    }
    // Beyond the link's 20 Mbit/s, at 5 % of loss, the sigmoid is half. 12.8 x 1.01 x 1.01 x 1.02
    // ... x 1.09 is 20.2, with 1 % of loss still worth more; a further 10 % are not.
    let best = rates[rates.len() - 3];
    assert_within(*rates.last().unwrap(), best, 1e-6);
    assert!((LINK..1.05 * LINK).contains(&best), "{rates:?}");
    assert_eq!(pcc.internal("epsilon"), Some(0.01));
}

#[test]
fn loss_beyond_five_percent_drives_it_down() {
    let mut pcc = allegro();
    let below = pcc.until_changed(|_| Fate { loss: 0.12, ..clean(0.0) });
    assert_within(below, 12.8 * 0.99 * 0.99, 1e-6);
}

#[test]
fn trials_without_a_verdict_are_repeated_with_a_coarser_granularity() {
    let mut pcc = allegro();
    let mut seen = vec![0.01];
    let trials = Cell::new(0);
    for _ in 0..40 {
        // The first pair finds loss below, the second above.
        pcc.next(|rate| {
            let pair = trials.get() / 2 % 2;
            let side = rate - 12.8;
            trials.set(trials.get() + u32::from(side.abs() > 1e-6));
            let is_lossy = if pair == 0 { side < 0.0 } else { side > 0.0 };
            Fate { loss: if is_lossy { 0.4 } else { 0.0 }, ..Fate::default() }
        });
        let epsilon = pcc.internal("epsilon").expect("it decides nothing");
        if epsilon > seen[seen.len() - 1] + 1e-9 {
            seen.push(epsilon);
        }
    }
    assert_eq!(seen.len(), 5);
    assert_within(seen[4], 0.05, 1e-9);
    assert_within(pcc.base_rate(), 12.8, 1e-6);
}
