//! The sentence of a panic. It ends the instance, whose memory can still be read.

use std::panic;
use std::sync::{Once, OnceLock};

static SENTENCE: OnceLock<String> = OnceLock::new();
static ONCE: Once = Once::new();

/// Keeps the sentence of a panic from now on.
pub fn keep() {
    ONCE.call_once(|| {
        panic::set_hook(Box::new(|panic| {
            // The first one is the cause of others.
            let _ = SENTENCE.set(panic.to_string().replace('\n', " "));
        }));
    });
}

/// The sentence; empty: there was no panic.
pub fn sentence() -> &'static str {
    SENTENCE.get().map_or("", String::as_str)
}
