//! Counters of a sender.

use ackclock_units::Duration;

use crate::columns::{columns, counters};
use crate::transport::accounting::{Account, Limit};

counters! {
    /// Counters of a sender, since the warm-up.
    #[derive(Clone, Debug, Default)]
    pub struct SenderStats {
        SENT {
            /// Data packets sent, retransmissions included.
            sent_packets: u64 = sum, Integer, "packets";
            /// Wire bytes of the data packets sent.
            sent_bytes: u64 = sum, Integer, "bytes";
            /// Payload of the data packets sent.
            sent_payload_bytes: u64 = sum, Integer, "bytes";
            /// Data packets sent again.
            retransmitted_packets: u64 = sum, Integer, "packets";
            /// Payload acknowledged.
            acked_bytes: u64 = sum, Integer, "bytes";
        }
        EPISODES {
            /// Retransmission timeouts, those of the SYN included (RFC 6298).
            timeouts: u32 = sum, Integer, "1";
            /// Timeouts that turned out to be needless (RFC 5682, RFC 3522).
            spurious_timeouts: u32 = sum, Integer, "1";
            /// Episodes of fast recovery.
            recoveries: u32 = sum, Integer, "1";
            /// Window reductions taken back as spurious.
            undos: u32 = sum, Integer, "1";
            /// Tail loss probes sent (RFC 8985 section 7).
            tail_probes: u32 = sum, Integer, "1";
            /// Window reductions because of ECN (RFC 3168).
            ecn_reductions: u32 = sum, Integer, "1";
        }
        LARGEST {
            /// Largest cwnd.
            cwnd_max: u64 = max, Real, "bytes";
        }
    }
    with {
        /// Time spent under each [`Limit`].
        pub limited: [Duration; Limit::COUNT] = mean;
        /// Times and reductions; none before the connection is open, and on a kernel.
        pub account: Option<Box<Account>> = mean;
    }
}

columns! {
    impl SenderStats as stats {
        LIMITED {
            /// Time during which cwnd kept the sender from sending more.
            limited_cwnd: Duration = Real, "s", stats.limited[Limit::Cwnd as usize];
            /// Time during which the receiver's advertised window kept the sender from sending
            /// more.
            limited_receive_window: Duration = Real, "s",
                stats.limited[Limit::ReceiveWindow as usize];
            /// Time during which lack of data from the application kept the sender from sending
            /// more.
            limited_application: Duration = Real, "s", stats.limited[Limit::Application as usize];
            /// Time during which pacing kept the sender from sending more.
            limited_pacing: Duration = Real, "s", stats.limited[Limit::Pacing as usize];
            /// Time during which the configured maximum of cwnd kept the sender from sending more.
            limited_clamp: Duration = Real, "s", stats.limited[Limit::Clamp as usize];
        }
    }
}
