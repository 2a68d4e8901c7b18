//! Upper limits of the numbers in a plan, so that sums and products of them fit.

/// Longest time in a plan, ps: 20 days. The clock ends at 213 days, so that the RTT estimator's
/// sums of eight RTTs fit.
pub const LONGEST_PS: u64 = 20 * 24 * 3600 * 1_000_000_000_000;
/// Most bytes of a packet's payload, and of its headers. IP allows 65 535 for both together.
const MOST_PACKET_BYTES: u32 = 1 << 24;
/// Most bytes of a window or a buffer. TCP's largest window has 1 GiB.
pub const MOST_WINDOW_BYTES: u64 = 1 << 40;

/// Checks that a number of the plan is at most `most`.
///
/// # Errors
/// Names the key, the value and the limit.
pub fn at_most(key: &str, value: u64, most: u64) -> Result<(), String> {
    if value > most {
        return Err(format!("{key} {value}: must be at most {most}"));
    }
    Ok(())
}

/// Checks that each size of a part of a packet is at most 16 MiB.
///
/// # Errors
/// Names the key, the value and the limit.
pub fn packet_sizes(sizes: &[(&str, u32)]) -> Result<(), String> {
    sizes
        .iter()
        .try_for_each(|(key, bytes)| at_most(key, u64::from(*bytes), u64::from(MOST_PACKET_BYTES)))
}
