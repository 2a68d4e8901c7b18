//! Bandwidth-delay product of a path, in bytes and full packets.
//!
//! ```text
//! cargo run -p ackclock-units --example bdp -- 100Mbit/s 40ms
//! ```

use std::env;
use std::error::Error;

use ackclock_units::{Bytes, Duration, Rate};

const PACKET_BYTES: u64 = 1500;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let rate: Rate = words.next().as_deref().unwrap_or("10Mbit/s").parse()?;
    let rtt: Duration = words.next().as_deref().unwrap_or("60ms").parse()?;
    let bytes = u128::from(rate.as_bps()) * u128::from(rtt.as_ps()) / 8 / 1_000_000_000_000;
    let bytes = u64::try_from(bytes)?;
    println!("{rate} and {rtt}: {}, {} packets", Bytes::from_u64(bytes), bytes / PACKET_BYTES);
    Ok(())
}
