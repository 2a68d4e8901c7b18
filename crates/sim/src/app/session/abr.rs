//! Adaptation of a video's bit rate to the network: the choice of the rung of the ladder at which
//! the next segment is fetched.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// BOLA's gamma p: how much playing without stalls counts against utility (Spiteri, Urgaonkar &
/// Sitaraman 2016, section IV: gamma = 5 / p).
const BOLA_GAMMA_P: f64 = 5.0;
/// BBA-0's reservoir, as a share of the buffer: 90 s of 240 s (Huang et al. 2014, section 4.1).
const RESERVOIR: f64 = 90.0 / 240.0;
/// End of BBA-0's cushion, as a share of the buffer: 90 % (Huang et al. 2014, section 4.1).
const CUSHION_END: f64 = 0.9;
/// Segments whose throughput is averaged (Yin et al. 2015, section 7.1: the rate-based algorithm).
const HISTORY: usize = 5;

/// An algorithm that adapts the bit rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Abr {
    /// BOLA-BASIC (Spiteri, Urgaonkar & Sitaraman 2016).
    Bola,
    /// BBA-0 (Huang et al. 2014), with reservoir and cushion in proportion to the buffer.
    BufferBased,
    /// The highest rate below the harmonic mean of the last throughputs (Yin et al. 2015).
    Throughput,
}

/// An algorithm with the state that it decides from.
pub struct Adaptation {
    abr: Abr,
    /// Rates of the rungs, bit/s, ascending.
    ladder: Vec<f64>,
    /// Length of a segment, and the most that is buffered, s.
    segment: f64,
    buffer: f64,
    rung: usize,
    throughputs: [f64; HISTORY],
    fetched: usize,
}

impl Adaptation {
    /// Makes an algorithm that has not seen a segment yet.
    #[must_use]
    pub fn new(abr: Abr, ladder: Vec<f64>, segment: f64, buffer: f64) -> Self {
        Self { abr, ladder, segment, buffer, rung: 0, throughputs: [0.0; HISTORY], fetched: 0 }
    }

    /// Notes the throughput of a segment that has arrived, bit/s.
    pub fn on_fetched(&mut self, throughput: f64) {
        self.throughputs[self.fetched % HISTORY] = throughput;
        self.fetched += 1;
    }

    /// Chooses the rung of the next segment while `level` seconds are buffered.
    pub fn choose(&mut self, level: f64) -> usize {
        self.rung = match self.abr {
            Abr::Bola => self.bola(level),
            Abr::BufferBased => self.buffer_based(level),
            Abr::Throughput => self.throughput(),
        };
        self.rung
    }

    /// Section III.C: the rung m that maximises `(V (v[m] + gamma p) - Q) / S[m]` with `v[m] =
    /// ln(S[m] / S[1])`, Q in segments, and V as large as the buffer allows (section IV.B). If no
    /// rung has a positive score, the buffer is full and the player waits by itself.
    fn bola(&self, level: f64) -> usize {
        let utility = |rate: f64| libm::log(rate / self.ladder[0]);
        let best = self.ladder.last().map_or(0.0, |rate| utility(*rate));
        let v = (self.buffer / self.segment - 1.0) / (best + BOLA_GAMMA_P);
        let score = |rate: f64| (v * (utility(rate) + BOLA_GAMMA_P) - level / self.segment) / rate;
        let mut chosen = (0, score(self.ladder[0]));
        for (rung, rate) in self.ladder.iter().enumerate().skip(1) {
            let here = score(*rate);
            if here > chosen.1 {
                chosen = (rung, here);
            }
        }
        chosen.0
    }

    /// Algorithm 1 with the rate map of figure 6: the rung stays until the map has crossed the rate
    /// of a neighbour.
    fn buffer_based(&self, level: f64) -> usize {
        let (reservoir, end) = (RESERVOIR * self.buffer, CUSHION_END * self.buffer);
        let last = self.ladder.len() - 1;
        if level <= reservoir {
            return 0;
        }
        if level >= end {
            return last;
        }
        let mapped = self.ladder[0]
            + (self.ladder[last] - self.ladder[0]) * (level - reservoir) / (end - reservoir);
        let (above, below) = ((self.rung + 1).min(last), self.rung.saturating_sub(1));
        if mapped >= self.ladder[above] {
            self.ladder.iter().rposition(|rate| *rate < mapped).unwrap_or(0)
        } else if mapped <= self.ladder[below] {
            self.ladder.iter().position(|rate| *rate > mapped).unwrap_or(last)
        } else {
            self.rung
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "at most five")]
    fn throughput(&self) -> usize {
        let known = self.fetched.min(HISTORY);
        let inverse: f64 = self.throughputs[..known].iter().map(|rate| 1.0 / rate).sum();
        let mean = if known > 0 { known as f64 / inverse } else { 0.0 };
        self.ladder.iter().rposition(|rate| *rate <= mean).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(abr: Abr, levels: &[f64]) -> Vec<usize> {
        let mut adaptation = Adaptation::new(abr, vec![1e6, 2e6, 4e6], 4.0, 40.0);
        levels.iter().map(|level| adaptation.choose(*level)).collect()
    }

    /// A buffer of 10 segments, v = (0, ln 2, ln 4), V = 9 / 6.386 = 1.4093. A rung of twice the
    /// rate is better from 2 (V (v + 5) - Q) = V (v' + 5) - Q on, which is Q = V (5 + 2 v - v').
    /// Rung 1 is better from V (5 - ln 2) = 6.070 segments (24.28 s) on, and rung 2 from
    /// 5 V = 7.046 segments (28.19 s) on.
    #[test]
    fn bola_changes_rungs_where_its_scores_cross() {
        assert_eq!(at(Abr::Bola, &[0.0, 24.2, 24.3, 28.1, 28.3, 36.0]), [0, 0, 1, 1, 2, 2]);
    }

    /// Reservoir 15 s, cushion to 36 s, 1/7 Mbit/s per second between them: 2 Mbit/s at 22 s, 4 at
    /// 36 s.
    #[test]
    fn bba_0_keeps_its_rung_until_the_map_crosses_a_neighbour() {
        let levels = [0.0, 15.0, 21.9, 22.1, 30.0, 35.9, 36.0, 30.0, 22.1, 21.9, 15.1, 15.0];
        assert_eq!(at(Abr::BufferBased, &levels), [0, 0, 0, 1, 1, 1, 2, 2, 2, 1, 1, 0]);
    }

    /// The harmonic mean of 1, 2, 4 and 8 Mbit/s is 4 / 1.875 = 2.133; six samples later the first
    /// is forgotten.
    #[test]
    fn the_rate_based_one_takes_what_is_below_the_harmonic_mean() {
        let mut adaptation = Adaptation::new(Abr::Throughput, vec![1e6, 2e6, 4e6], 4.0, 40.0);
        assert_eq!(adaptation.choose(0.0), 0);
        for rate in [1e6, 2e6, 4e6, 8e6] {
            adaptation.on_fetched(rate);
        }
        assert_eq!(adaptation.choose(0.0), 1);
        adaptation.on_fetched(8e6);
        adaptation.on_fetched(8e6);
        // 5 / (1/2 + 1/4 + 3/8) = 4.44
        assert_eq!(adaptation.choose(0.0), 2);
    }
}
