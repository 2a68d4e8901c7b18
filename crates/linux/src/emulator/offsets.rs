//! Sequence numbers of 32 bits as offsets that never wrap.

/// Converts the sequence numbers of one direction of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// Number of the first data byte.
    first: u32,
    /// Highest offset so far; the next one is less than 2^31 from it.
    highest: u64,
}

impl Offsets {
    /// Offsets of a connection whose SYN has this sequence number.
    #[must_use]
    pub const fn after_syn(number: u32) -> Self {
        Self { first: number.wrapping_add(1), highest: 0 }
    }

    /// The offset of this number from the first data byte; zero for numbers before that byte.
    pub fn of(&mut self, number: u32) -> u64 {
        let low = number.wrapping_sub(self.first);
        #[expect(clippy::cast_possible_truncation, reason = "the low half is what is compared")]
        let step = low.wrapping_sub(self.highest as u32).cast_signed();
        let offset = self.highest.saturating_add_signed(i64::from(step));
        self.highest = self.highest.max(offset);
        offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_go_on_where_numbers_wrap() {
        let mut offsets = Offsets::after_syn(u32::MAX - 100);
        assert_eq!(offsets.of(u32::MAX - 99), 0);
        let mut at = 0_u64;
        for _ in 0..10 {
            at += 1_000_000_000;
            #[expect(clippy::cast_possible_truncation, reason = "as on the wire")]
            let number = (u64::from(u32::MAX - 99) + at) as u32;
            assert_eq!(offsets.of(number), at);
        }
        // An older number, sent again, is behind.
        #[expect(clippy::cast_possible_truncation, reason = "as on the wire")]
        let older = (u64::from(u32::MAX - 99) + at - 3000) as u32;
        assert_eq!(offsets.of(older), at - 3000);
        assert_eq!(Offsets::after_syn(7).of(7), 0, "a probe before the first byte");
    }
}
