//! Any bytes are a frame of TCP or UDP, or none.
#![no_main]

use ackclock_linux::frame;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some(header) = frame::read(bytes) {
        assert!(usize::from(header.ip_bytes) <= bytes.len());
        assert!(header.payload_bytes < header.ip_bytes);
    }
});
