//! Any text names a congestion control that can be made, or is an error.
#![no_main]

use std::sync::OnceLock;

use ackclock_cc::registry;
use ackclock_sim::transport::plan::TransportPlan;
use libfuzzer_sys::fuzz_target;

static TRANSPORT: OnceLock<TransportPlan> = OnceLock::new();
const LINUX: &str = include_str!("../../crates/sim/tests/support/linux.json");

fuzz_target!(|text: &str| {
    let checked = registry::check(text);
    assert_eq!(registry::implied(text).is_ok(), checked.is_ok());
    let transport = TRANSPORT.get_or_init(|| serde_json::from_str(LINUX).expect("the tests' own"));
    let built = registry::build(text, &transport.setup());
    assert_eq!(built.is_ok(), checked.is_ok());
});
