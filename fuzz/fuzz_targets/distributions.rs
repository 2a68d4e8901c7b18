//! Any text is a distribution to draw numbers from, or an error.
#![no_main]

use ackclock_sim::distribution::{self, Distribution};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(found) = serde_json::from_str::<Distribution>(text) else { return };
    let drawn = distribution::draw(1, "fuzz", &found, 16);
    assert_eq!(drawn.is_ok(), found.check().is_ok());
    if let Ok(values) = drawn {
        assert!(values.iter().all(|value| !value.is_nan()), "{found:?} drew {values:?}");
        assert!(!found.mean().is_nan(), "{found:?}");
    }
});
