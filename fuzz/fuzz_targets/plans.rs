//! Random plans, of which some values are replaced by extremes, are refused or run, without panic
//! or overflow.
#![no_main]

use ackclock_sim::random::{self, Draw};
use ackclock_sim::simulation::{Progress, Simulation};
use libfuzzer_sys::fuzz_target;

/// Events of a run: enough for a round trip or two.
const EVENTS: u64 = 500;

fuzz_target!(|bytes: &[u8]| {
    let Some(plan) = random::edited(&mut Draw::from_bytes(bytes)) else { return };
    let Ok(mut simulation) = Simulation::new(&plan) else { return };
    if matches!(simulation.advance(EVENTS), Progress::Running { .. }) {
        simulation.advance(EVENTS);
    }
    let _ = simulation.finish();
});
