//! Does no file make the reader panic?

use ackclock_pcap::{estimate, lay_out, list, scenario};
use proptest::prelude::*;

use crate::made::{ACK, Made, handshake, pcap, pcapng, raw};

fn read(file: &[u8]) {
    if let Ok(listing) = list(file) {
        for one in listing.connections.iter().take(3) {
            if let Ok(layout) = lay_out(file, one.number)
                && let Ok(path) = estimate(&layout)
            {
                assert!(scenario(&layout, &path, "any").starts_with("#:schema"));
            }
        }
    }
}

fn segment() -> impl Strategy<Value = Made> {
    (
        // Clocks that were never set give any time.
        prop_oneof![4 => 0_u64..2_000_000_000, 1 => any::<u64>()],
        any::<bool>(),
        prop_oneof![0_u32..20_000, any::<u32>()],
        prop_oneof![0_u32..20_000, any::<u32>()],
        prop_oneof![3 => Just(ACK), 1 => any::<u8>()],
        any::<u16>(),
        0_u32..3000,
        proptest::option::of((any::<u32>(), any::<u32>())),
        proptest::collection::vec((0_u32..20_000, any::<u32>()), 0..4),
    )
        .prop_map(|(time_ns, out, seq, ack, flags, window, payload, timestamps, sacks)| {
            // Of both options only so many fit into 40 bytes.
            let sacks =
                if timestamps.is_some() { sacks.into_iter().take(3).collect() } else { sacks };
            Made { time_ns, out, seq, ack, flags, window, payload, timestamps, sacks }
        })
}

proptest! {
    #[test]
    fn any_bytes(file in proptest::collection::vec(any::<u8>(), 0..400)) {
        read(&file);
        for magic in [[0xd4, 0xc3, 0xb2, 0xa1], [0x0a, 0x0d, 0x0d, 0x0a]] {
            read(&[&magic[..], &file].concat());
        }
    }

    #[test]
    fn a_capture_with_wrong_bytes(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut made = handshake();
        made.extend((0..20).map(|number: u32| {
            Made::data(f64::from(20 + number), 1 + 1000 * number, 1000)
        }));
        for file in [pcap(101, &raw(&made), true, false), pcapng(1, &raw(&made), 6)] {
            let mut file = file;
            for (at, byte) in &changes {
                let at = at.index(file.len());
                file[at] = *byte;
            }
            read(&file);
            read(&file[..cut.index(file.len())]);
        }
    }

    #[test]
    fn any_segments(segments in proptest::collection::vec(segment(), 1..60)) {
        let file = pcapng(101, &raw(&segments), 9);
        read(&file);
        if let Ok(layout) = lay_out(file.as_slice(), 0) {
            let table = &layout.segments;
            for row in 0..table.height() {
                prop_assert!(table.outstanding[row] >= 0.0);
                prop_assert!(table.inflight[row] >= 0.0);
                prop_assert!(table.inflight[row] <= table.outstanding[row]);
            }
        }
    }
}
