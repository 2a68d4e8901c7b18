//! Counters of a receiver.

use crate::columns::counters;

counters! {
    /// Counters of a receiver, since the warm-up.
    #[derive(Clone, Debug, Default)]
    pub struct ReceiverStats {
        DELIVERED {
            /// Payload in order at the receiver, read or not. Data that an optimistic receiver
            /// acknowledges and that never arrives is left out.
            goodput_bytes: u64 = sum, Integer, "bytes";
            /// Wire bytes of data packets at the receiver.
            received_bytes: u64 = sum, Integer, "bytes";
        }
    }
    with {
        /// ACKs sent.
        pub acks: u64 = sum;
    }
}
