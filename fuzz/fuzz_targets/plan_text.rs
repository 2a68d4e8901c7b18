//! Any text is a plan that reads back as it was written, or an error.
#![no_main]

use ackclock_linux::plan::LinuxPlan;
use ackclock_sim::plan::Plan;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(plan) = serde_json::from_str::<Plan>(text) {
        let written = serde_json::to_string(&plan).expect("a plan is JSON");
        assert_eq!(serde_json::from_str::<Plan>(&written).expect("its own text"), plan);
        let _ = plan.check();
    }
    let _ = serde_json::from_str::<LinuxPlan>(text);
});
