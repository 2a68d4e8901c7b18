//! The largest bandwidth of two probing cycles.

use ackclock_units::Rate;

/// `BBR.max_bw_filter`: the largest rate of this probing cycle and the one before. The draft
/// (section "Tracking Time for the `BBR.max_bw` Max Filter") says that one bit of virtual time is
/// enough.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaxBw {
    previous: Rate,
    current: Rate,
}

impl MaxBw {
    pub fn add(&mut self, rate: Rate) {
        self.current = self.current.max(rate);
    }

    /// `AdvanceMaxBwFilter`. A cycle without a sample forgets nothing, as in Linux's
    /// `bbr_advance_max_bw_filter`.
    pub fn advance(&mut self) {
        if self.current > Rate::default() {
            self.previous = self.current;
            self.current = Rate::default();
        }
    }

    pub fn max(&self) -> Rate {
        self.previous.max(self.current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maximum_bandwidth_lasts_two_cycles() {
        let (fast, slow) = (Rate::from_bps(10), Rate::from_bps(1));
        let mut filter = MaxBw::default();
        filter.add(fast);
        filter.advance();
        filter.add(slow);
        assert_eq!(filter.max(), fast);
        filter.advance();
        assert_eq!(filter.max(), slow);
        filter.advance();
        assert_eq!(filter.max(), slow, "nothing new was learned");
    }
}
