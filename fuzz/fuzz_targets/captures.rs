//! Any bytes are a capture that is laid out, or an error.
#![no_main]

use ackclock_pcap::{estimate, lay_out, list, scenario};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(listing) = list(bytes) else { return };
    if let Ok(layout) = lay_out(bytes, listing.largest()) {
        for (&inflight, &outstanding) in
            layout.segments.inflight.iter().zip(&layout.segments.outstanding)
        {
            assert!(0.0 <= inflight && inflight <= outstanding);
        }
        if let Ok(path) = estimate(&layout) {
            let _ = scenario(&layout, &path, "any");
        }
    }
});
