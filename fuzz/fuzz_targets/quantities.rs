//! Any text is a quantity that prints and reads back the same, or an error.
#![no_main]

use ackclock_units::{Bytes, Duration, Rate, Time};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(found) = text.parse::<Duration>() {
        assert_eq!(found.to_string().parse(), Ok(found));
        assert_eq!(text.parse::<Time>().map(Time::as_ps), Ok(found.as_ps()));
    }
    if let Ok(found) = text.parse::<Rate>() {
        assert_eq!(found.to_string().parse(), Ok(found));
    }
    if let Ok(found) = text.parse::<Bytes>() {
        assert_eq!(found.to_string().parse(), Ok(found));
    }
});
