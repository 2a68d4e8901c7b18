//! Does a ring deliver all bytes in order while another thread writes? Miri watches for races.

use std::sync::Arc;
use std::thread;

use super::*;

/// Least size of a slot for the tests: a header of 32 bytes and a few of frame.
const BYTES: usize = 64;
/// Offset at which the tests' kernel puts a frame: past its header and odd, as `tp_mac` may be.
const MAC: usize = size_of::<tpacket2_hdr>() + 1;

fn ring(count: usize) -> Vec<AtomicU32> {
    (0..count * BYTES / WORD).map(|_| AtomicU32::new(0)).collect()
}

/// Fills a slot as the kernel does: all but the status, then the status.
fn fill(
    words: &[AtomicU32],
    slot: usize,
    (sec, nsec): (u32, u32),
    mac: usize,
    snaplen: u32,
    frame: &[u8],
) {
    let words = &words[slot * BYTES / WORD..][..BYTES / WORD];
    let store = |at: usize, value: u32| words[at / WORD].store(value, Ordering::Relaxed);
    let mut bytes = [0_u8; BYTES];
    let end = BYTES.min(mac + frame.len());
    bytes[mac.min(end)..end].copy_from_slice(&frame[..end.saturating_sub(mac)]);
    for (at, word) in bytes.chunks_exact(WORD).enumerate().skip(size_of::<tpacket2_hdr>() / WORD) {
        store(at * WORD, u32::from_ne_bytes(word.try_into().expect("four bytes")));
    }
    let [a, b] = u16::try_from(mac).expect("within a slot").to_ne_bytes();
    let [c, d] = 0xffff_u16.to_ne_bytes();
    store(offset_of!(tpacket2_hdr, tp_mac), u32::from_ne_bytes([a, b, c, d]));
    store(offset_of!(tpacket2_hdr, tp_snaplen), snaplen);
    store(offset_of!(tpacket2_hdr, tp_sec), sec);
    store(offset_of!(tpacket2_hdr, tp_nsec), nsec);
    words[0].store(libc::TP_STATUS_USER, Ordering::Release);
}

/// Reads as the ring does.
fn drain(slots: &mut RingSlots, words: &[AtomicU32], seen: impl FnMut(Arrival<'_>)) -> usize {
    // SAFETY: the tests' kernel writes to no slot whose status has `TP_STATUS_USER`, and sets it
    // last (release).
    unsafe { slots.drain(words, seen) }
}

#[test]
fn a_frame_comes_out_as_it_went_in() {
    let words = ring(2);
    let mut slots = RingSlots::new(2, BYTES);
    assert_eq!(drain(&mut slots, &words, |arrival| panic!("{arrival:?}")), 0);
    // The largest stamp, and a frame that ends with its slot.
    let longest: Vec<u8> = (0..u8::try_from(BYTES - MAC).expect("small")).collect();
    fill(
        &words,
        0,
        (u32::MAX, 999_999_999),
        MAC,
        u32::try_from(longest.len()).expect("small"),
        &longest,
    );
    fill(&words, 1, (0, 1), BYTES, 0, &[]);
    let mut seen = Vec::new();
    assert_eq!(
        drain(&mut slots, &words, |arrival| seen.push((arrival.stamp_ns, arrival.frame.to_vec()))),
        2
    );
    assert_eq!(seen, [(4_294_967_295_999_999_999, longest), (1, Vec::new())]);
    assert_eq!(words[0].load(Ordering::Relaxed), libc::TP_STATUS_KERNEL, "given back");
    assert_eq!(drain(&mut slots, &words, |arrival| panic!("{arrival:?}")), 0);
}

#[test]
fn a_kernel_that_writes_meanwhile_races_with_nothing() {
    const SLOTS: usize = 4;
    let packets: u32 = if cfg!(miri) { 60 } else { 100_000 };
    let words = Arc::new(ring(SLOTS));
    let kernel = {
        let words = Arc::clone(&words);
        thread::spawn(move || {
            for number in 0..packets {
                let slot = number as usize % SLOTS;
                while words[slot * BYTES / WORD].load(Ordering::Acquire) != libc::TP_STATUS_KERNEL {
                    thread::yield_now();
                }
                fill(&words, slot, (0, number), MAC, 4, &number.to_ne_bytes());
            }
        })
    };
    let mut slots = RingSlots::new(SLOTS, BYTES);
    let mut expected = 0_u32;
    while expected < packets {
        let shown = drain(&mut slots, &words, |arrival| {
            assert_eq!(
                (arrival.stamp_ns, arrival.frame),
                (u64::from(expected), &expected.to_ne_bytes()[..])
            );
            expected += 1;
        });
        if shown == 0 {
            thread::yield_now();
        }
    }
    kernel.join().expect("it does not fail");
    assert_eq!(drain(&mut slots, &words, |arrival| panic!("{arrival:?}")), 0);
}

/// A header that points outside of its slot is refused.
#[test]
fn a_frame_outside_of_its_slot_is_refused() {
    for (mac, snaplen) in [
        (0, 1),
        (size_of::<tpacket2_hdr>() - 1, 1),
        (MAC, u32::try_from(BYTES - MAC).expect("small") + 1),
        (BYTES, 1),
        (BYTES + 1, 0),
        (usize::from(u16::MAX), 0),
        (MAC, u32::MAX),
    ] {
        let words = ring(1);
        fill(&words, 0, (0, 0), mac, snaplen, &[]);
        let read =
            std::panic::catch_unwind(|| drain(&mut RingSlots::new(1, BYTES), &words, |_| {}));
        let why = read.expect_err("a frame outside of its slot");
        assert_eq!(
            why.downcast_ref::<&str>(),
            Some(&"the kernel keeps within the slot"),
            "{mac} {snaplen}"
        );
    }
}

#[test]
#[should_panic(expected = "a slot of 30 bytes")]
fn a_slot_is_whole_words() {
    let _ = RingSlots::new(1, 30);
}
