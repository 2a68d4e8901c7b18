//! Internals of the kernel's algorithms, under the names that the simulator's algorithms use.

use std::os::fd::AsFd;

use super::info::Info;
use super::option;

/// BBR's gains are of 8 binary places (`BBR_UNIT` of `net/ipv4/tcp_bbr.c`).
const BBR_UNIT: f64 = 256.0;
/// `struct tcp_bbr_info` of version 1. Later versions, outside of the kernel's tree, append to it.
const BBR_INFO: usize = 20;
/// DCTCP's alpha is of 10 binary places (`DCTCP_MAX_ALPHA` of `net/ipv4/tcp_dctcp.c`).
const DCTCP_UNIT: f64 = 1024.0;

/// Whether the algorithm paces by its own timer where the device has no `fq`. Of the kernel's
/// algorithms only BBR asks for that (`sk_pacing_status`); the pacing rate of the others is
/// computed but not used.
#[must_use]
pub fn is_paced(cc: &str) -> bool {
    cc.starts_with("bbr")
}

/// Shows each internal with its value.
pub fn show(cc: &str, socket: impl AsFd, info: &Info, show: &mut impl FnMut(&'static str, f64)) {
    // The others have none, and a system call is dear where a run waits for little else.
    if matches!(cc, "bbr" | "dctcp") {
        let mut bytes = [0; 64];
        let own = option::tcp(socket, libc::TCP_CC_INFO, &mut bytes).unwrap_or(&[]);
        if cc == "bbr" && own.len() >= BBR_INFO {
            bbr(own, show);
        } else if cc == "dctcp" && own.len() >= 8 {
            show("alpha", f64::from(u32_at(own, 4)) / DCTCP_UNIT);
        }
    }
    if !is_paced(cc) {
        show("slow_start", f64::from(u8::from(info.is_in_slow_start())));
        if info.min_rtt < u32::MAX && info.rtt > 0 {
            show("min_rtt", seconds(info.min_rtt));
        }
    }
}

/// Shows `bbr_get_info`: bandwidth in bytes/s in two halves, `min_rtt` in us, gains. The mode is
/// not in it, but each mode has gains that no other has (`bbr_update_gains`).
fn bbr(own: &[u8], show: &mut impl FnMut(&'static str, f64)) {
    let (pacing, cwnd) =
        (f64::from(u32_at(own, 12)) / BBR_UNIT, f64::from(u32_at(own, 16)) / BBR_UNIT);
    show("mode", f64::from(bbr_mode(pacing, cwnd)));
    show("bw", 8.0 * (f64::from(u32_at(own, 0)) + f64::from(u32_at(own, 4)) * 4_294_967_296.0));
    let min_rtt = u32_at(own, 8);
    if min_rtt < u32::MAX {
        show("min_rtt", seconds(min_rtt));
    }
    show("pacing_gain", pacing);
    show("cwnd_gain", cwnd);
}

/// The mode in the simulator's numbers: startup, drain, probing the bandwidth, probing the RTT.
/// Gains are multiples of 1/256, which floats hold.
fn bbr_mode(pacing_gain: f64, cwnd_gain: f64) -> u8 {
    match (cwnd_gain, pacing_gain < 1.0) {
        (1.0, _) => 3,
        (2.0, _) => 2,
        (_, true) => 1,
        (_, false) => 0,
    }
}

fn seconds(micros: u32) -> f64 {
    f64::from(micros) / 1e6
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|field| field.try_into().ok()).map_or(0, u32::from_ne_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gains of `tcp_bbr.c`: 2885/1000 and 1000/2885 in 1/256, rounded as its integers are.
    #[test]
    fn each_mode_of_bbr_has_its_gains() {
        let high = 739.0 / BBR_UNIT;
        let drain = 88.0 / BBR_UNIT;
        assert_eq!(bbr_mode(high, high), 0);
        assert_eq!(bbr_mode(drain, high), 1);
        for gain in [1.25, 0.75, 1.0] {
            assert_eq!(bbr_mode(gain, 2.0), 2);
        }
        assert_eq!(bbr_mode(1.0, 1.0), 3);
    }

    #[test]
    fn bandwidth_is_in_bits() {
        let mut own = Vec::new();
        for field in [1_250_000_u32, 1, 60_000, 320, 512] {
            own.extend(field.to_ne_bytes());
        }
        let mut shown = Vec::new();
        bbr(&own, &mut |name, value| shown.push((name, value)));
        assert_eq!(shown[1], ("bw", 8.0 * (1_250_000.0 + 4_294_967_296.0)));
        assert_eq!(shown[2], ("min_rtt", 0.06));
        assert_eq!(shown[3], ("pacing_gain", 1.25));
    }
}
