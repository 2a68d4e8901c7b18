//! Prints a script, with what the kernel did, for packetdrill.

use super::play::Trace;
use super::replay::Difference;
use super::script::Script;

/// TODO
#[must_use]
pub fn print(_script: &Script, _trace: &Trace, _difference: &Difference) -> String {
    String::new()
}
