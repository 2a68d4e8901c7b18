//! A video played from a trace of its frames. A frame is cut into datagrams as RTP payload formats
//! do it (RFC 6184 section 5.8); they leave together, when the frame is due. Frames are numbered
//! from 1 over all rounds of a video that is played again and again.

use std::sync::Arc;

use ackclock_units::{Duration, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Datagram, Source};
use crate::rng::Rng;

/// The plan of a video.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VideoPlan {
    /// The frames in the order of sending.
    #[serde(with = "packed")]
    #[schemars(with = "String")]
    pub frames: Vec<FramePlan>,
    /// Time from the start of the video to the next start, ps; absent: it is played once.
    #[serde(default)]
    pub loop_ps: Option<u64>,
    /// Largest payload of a datagram, bytes.
    pub packet_bytes: u32,
    /// Playout delay of the receiver, ps.
    pub playout_ps: u64,
    /// Event from which the playout delay counts.
    pub playout_from: PlayoutFrom,
}

/// A frame: time of sending (ps after the video's start), bytes, kind (I, P, B or -), and the
/// frames that it cannot be decoded without.
#[derive(Clone, Debug, PartialEq)]
pub struct FramePlan(pub u64, pub u32, pub char, pub Vec<u32>);

/// Frames as text, because a video may have a million: the time since the frame before in us, the
/// kind, the size, and how many frames back the needed frames are. `0I3000 40000P1000-1
/// 40000B500-1-2` has three frames.
mod packed {
    use std::fmt::Write as _;

    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    use super::FramePlan;

    const PS_PER_US: u64 = 1_000_000;

    pub fn serialize<S: Serializer>(
        frames: &[FramePlan],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let (mut text, mut before) = (String::new(), 0);
        for (number, FramePlan(time, size, kind, after)) in (0_u32..).zip(frames) {
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{}{kind}{size}", time.saturating_sub(before) / PS_PER_US);
            for other in after {
                let _ = write!(text, "-{}", number.saturating_sub(*other));
            }
            before = *time;
        }
        serializer.serialize_str(&text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<FramePlan>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut time = 0_u64;
        (0_u32..)
            .zip(text.split_ascii_whitespace())
            .map(|(number, word)| {
                let frame = frame(word, number, time);
                let frame = frame.ok_or_else(|| {
                    D::Error::custom(format!("frames: `{word}` is not TIME, KIND, SIZE and -BACK"))
                })?;
                time = frame.0;
                Ok(frame)
            })
            .collect()
    }

    fn frame(word: &str, number: u32, before: u64) -> Option<FramePlan> {
        let at = word.find(|letter: char| !letter.is_ascii_digit())?;
        let kind = word[at..].chars().next()?;
        let time = word[..at].parse::<u64>().ok()?.checked_mul(PS_PER_US)?.checked_add(before)?;
        let mut numbers = word[at + kind.len_utf8()..].split('-').map(str::parse::<u32>);
        let size = numbers.next()?.ok()?;
        let after = numbers
            .map(|back| number.checked_sub(back.ok().filter(|back| *back > 0)?))
            .collect::<Option<_>>()?;
        Some(FramePlan(time, size, kind, after))
    }
}

/// The event from which the playout delay counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayoutFrom {
    /// The first arrival of a datagram, which is all that a receiver can know.
    Arrival,
    /// The sending of a frame: every frame is due so long after it.
    Sending,
}

impl VideoPlan {
    /// Time from the start to the sending of a frame of any round; `None`: there is no such frame.
    #[must_use]
    pub fn time(&self, number: u32) -> Option<Duration> {
        let (round, at) = self.place(number)?;
        let period = self.loop_ps.filter(|period| *period > 0);
        let before = if round == 0 { 0 } else { period?.checked_mul(u64::from(round))? };
        Some(Duration::from_ps(before.checked_add(self.frames[at].0)?))
    }

    /// Round of a frame, and its index in the video.
    #[must_use]
    pub fn place(&self, number: u32) -> Option<(u32, usize)> {
        let length = u32::try_from(self.frames.len()).ok()?;
        let index = number.checked_sub(1)?;
        Some((index.checked_div(length)?, (index % length) as usize))
    }

    /// Number of datagrams of a frame with `size` bytes.
    #[must_use]
    pub fn datagrams(&self, size: u32) -> u32 {
        size.div_ceil(self.packet_bytes.max(1)).max(1)
    }
}

/// A source that sends a video.
pub struct Video {
    plan: Arc<VideoPlan>,
    start: Time,
    frame: u32,
    /// Bytes of the present frame that have been sent.
    sent: u32,
}

impl Video {
    /// Makes a source that sends the first frame at `start`.
    #[must_use]
    pub const fn new(plan: Arc<VideoPlan>, start: Time) -> Self {
        Self { plan, start, frame: 1, sent: 0 }
    }
}

impl Source for Video {
    fn next(&mut self, _rng: &mut Rng) -> Option<Datagram> {
        let after = self.plan.time(self.frame)?;
        let (_, at) = self.plan.place(self.frame)?;
        let size = self.plan.frames[at].1;
        let payload = (size - self.sent).min(self.plan.packet_bytes.max(1));
        let datagram =
            Datagram { at: self.start.saturating_add(after), payload, frame: self.frame };
        self.sent += payload;
        if self.sent >= size {
            self.sent = 0;
            self.frame = self.frame.checked_add(1)?;
        }
        Some(datagram)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;

    const MS: u64 = 1_000_000_000;

    fn film(loop_ps: Option<u64>) -> VideoPlan {
        VideoPlan {
            frames: [FramePlan(0, 2500, 'I', vec![]), FramePlan(40 * MS, 1000, 'P', vec![0])]
                .to_vec(),
            loop_ps,
            packet_bytes: 1000,
            playout_ps: 0,
            playout_from: PlayoutFrom::Arrival,
        }
    }

    fn played(plan: &VideoPlan, count: usize) -> Vec<(u64, u32, u32)> {
        let mut video = Video::new(Arc::new(plan.clone()), Time::from_ps(7 * MS));
        let mut rng = rng::stream(1, "test");
        std::iter::from_fn(|| video.next(&mut rng))
            .take(count)
            .map(|datagram| (datagram.at.as_ps() / MS, datagram.payload, datagram.frame))
            .collect()
    }

    #[test]
    fn frames_are_a_line_of_text_in_the_plan() {
        let mut plan = film(Some(80 * MS));
        plan.frames.push(FramePlan(80 * MS, 7, '-', vec![0, 1]));
        let text = serde_json::to_string(&plan).unwrap();
        assert!(text.contains(r#""frames":"0I2500 40000P1000-1 40000-7-2-1""#), "{text}");
        assert_eq!(serde_json::from_str::<VideoPlan>(&text).unwrap(), plan);
        for wrong in
            ["0I", "I7", "0I7-1", "0P7-0", "0P7-", "7", "0I-7", "18446744073709551615I7", "0Iseven"]
        {
            let text = text.replace("0I2500", wrong);
            assert!(serde_json::from_str::<VideoPlan>(&text).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_frame_leaves_at_once_in_full_datagrams_and_a_rest() {
        assert_eq!(
            played(&film(None), 10),
            [(7, 1000, 1), (7, 1000, 1), (7, 500, 1), (47, 1000, 2)],
            "and then the film has ended"
        );
        assert_eq!([2500, 1000, 1001, 1].map(|size| film(None).datagrams(size)), [3, 1, 2, 1]);
    }

    #[test]
    fn a_loop_begins_anew_after_its_period_and_numbers_go_on() {
        let rounds = played(&film(Some(80 * MS)), 9);
        assert_eq!(rounds[4..8], [(87, 1000, 3), (87, 1000, 3), (87, 500, 3), (127, 1000, 4)]);
        assert_eq!(rounds[8], (167, 1000, 5));
    }
}
