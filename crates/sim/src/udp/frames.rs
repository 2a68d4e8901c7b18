//! The frames of a video at the receiver: on time, late or lost; decodable or not.

use std::sync::Arc;

use ackclock_units::{Duration, Time};

use super::video::{PlayoutFrom, VideoPlan};
use crate::columns::{Room, counters, table};

table! {
    /// Frames of films: a row per frame sent.
    pub struct FrameColumns of FrameJudged {
        /// The UDP stream's name.
        stream as "flow": u32 = Stream, "";
        /// From 1, per stream, in the order of sending.
        number: u64 = Integer, "";
        /// Kind of the frame: {names}; - is not known.
        kind: u8 = Letter(&["I", "P", "B", "-"]), "";
        /// Size of the encoded frame, without headers.
        size: u32 = Integer, "bytes";
        /// When it was sent.
        sent as "sent_time": f64 = Real, "s";
        /// Arrival of its last datagram; null: never.
        complete as "complete_time": f64 = Real, "s";
        /// Time at which the player needs the frame; null: nothing of the film arrived.
        deadline: f64 = Real, "s";
        /// Outcome of the frame: {names}; open: the run ended before the deadline.
        state: u8 = Code(&FrameState::NAMES), "";
        /// 1: the frame could be decoded in time: it and all frames that it needs were there.
        decodable: u8 = Integer, "";
    }
}

/// The fate of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum FrameState {
    /// The frame was complete at its deadline.
    OnTime = 0,
    /// The frame was complete after its deadline.
    Late = 1,
    /// The frame was never complete.
    Lost = 2,
    /// The run ended before the frame's deadline.
    Open = 3,
}

impl FrameState {
    /// Names, by code.
    pub const NAMES: [&str; 4] = ["on-time", "late", "lost", "open"];
}

counters! {
    /// Counters of the frames sent since the warm-up.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct FrameStats {
        FRAMES {
            /// Frames of a film; null, as in the next columns: it has no frames.
            frames_sent: u64 = sum, Integer, "1";
            /// Frames that were complete when they were wanted.
            frames_complete: u64 = sum, Integer, "1";
            /// Frames that were complete later.
            frames_late: u64 = sum, Integer, "1";
            /// Frames that were wanted and never complete.
            frames_lost: u64 = sum, Integer, "1";
            /// Frames that could be decoded in time.
            frames_decodable: u64 = sum, Integer, "1";
        }
    }
    with {
        /// Datagrams that arrived after their frame was wanted.
        pub late_packets: u64 = sum;
    }
}

struct Frame {
    sent: Time,
    /// Number of datagrams that have not arrived.
    missing: u32,
    complete: Option<Time>,
}

/// Least memory for frames, bytes, even if few rows are recorded, because counters need it: 2
/// million frames, nine hours of 60 a second.
const LEAST_BYTES: u64 = 64_000_000;

/// The receiver's state of all frames of a video.
pub struct FrameBook {
    plan: Arc<VideoPlan>,
    frames: Vec<Frame>,
    /// Deadline of the video's first frame.
    wanted: Option<Time>,
    counts_from: usize,
    late_packets: u64,
    room: Room,
}

impl FrameBook {
    /// Makes the state for a video that starts at `start`.
    #[must_use]
    pub fn new(plan: Arc<VideoPlan>, start: Time, max_bytes: u64) -> Self {
        let playout = Duration::from_ps(plan.playout_ps);
        Self {
            wanted: (plan.playout_from == PlayoutFrom::Sending)
                .then(|| start.saturating_add(playout)),
            plan,
            frames: Vec::new(),
            room: Room::bytes(max_bytes.max(LEAST_BYTES), size_of::<Frame>()),
            counts_from: 0,
            late_packets: 0,
        }
    }

    /// Notes that a datagram of a frame is sent.
    pub fn on_sent(&mut self, frame: u32, now: Time) {
        // Frames are sent in order: a frame that is not the last one is the next.
        if frame as usize == self.frames.len() + 1 && self.has_room(now) {
            let missing = self
                .plan
                .place(frame)
                .map_or(1, |(_, at)| self.plan.datagrams(self.plan.frames[at].1));
            self.frames.push(Frame { sent: now, missing, complete: None });
        }
    }

    fn has_room(&mut self, now: Time) -> bool {
        let Self { frames, room, .. } = self;
        let count = frames.len();
        room.is_ready(count) || room.grow(count, now, |more| frames.try_reserve_exact(more).is_ok())
    }

    /// Time at which there was no memory for a further frame; `None`: there was memory for all.
    #[must_use]
    pub fn full_at(&self) -> Option<Time> {
        self.room.full_at()
    }

    /// Notes the first arrival of a datagram of a frame.
    pub fn on_arrived(&mut self, frame: u32, now: Time) {
        let Some(after) = self.plan.time(frame) else { return };
        if self.wanted.is_none() {
            // The receiver counts back from the timestamp of the first datagram that it gets (RFC
            // 3550 section 5.1).
            let playout = Duration::from_ps(self.plan.playout_ps);
            self.wanted = Some(
                Time::from_ps(now.as_ps().saturating_sub(after.as_ps())).saturating_add(playout),
            );
        }
        if self.deadline(frame).is_some_and(|deadline| now > deadline)
            && frame as usize > self.counts_from
        {
            self.late_packets += 1;
        }
        if let Some(frame) =
            (frame as usize).checked_sub(1).and_then(|index| self.frames.get_mut(index))
        {
            frame.missing = frame.missing.saturating_sub(1);
            if frame.missing == 0 && frame.complete.is_none() {
                frame.complete = Some(now);
            }
        }
    }

    /// Deadline of a frame: its decoding time on a clock that starts at the first frame's deadline.
    /// A buffer model takes access units out in this way (ISO/IEC 13818-1, the T-STD).
    fn deadline(&self, frame: u32) -> Option<Time> {
        Some(self.wanted?.saturating_add(self.plan.time(frame)?))
    }

    /// Begins the measured part of the run: frames sent from now on count.
    pub fn reset_stats(&mut self) {
        self.counts_from = self.frames.len();
        self.late_packets = 0;
    }

    /// Judges every frame at the end of the run; `stream` is written into the rows.
    #[must_use]
    pub fn finish(&self, stream: u32, end: Time, columns: &mut FrameColumns) -> FrameStats {
        let mut counts = FrameStats { late_packets: self.late_packets, ..FrameStats::default() };
        let ready = self.ready();
        for (number, (frame, ready)) in (1_u32..).zip(self.frames.iter().zip(&ready)) {
            let deadline = self.deadline(number);
            let in_time = |at: Option<Time>| {
                at.is_some_and(|at| deadline.is_some_and(|deadline| at <= deadline))
            };
            let state = match frame.complete {
                Some(_) if in_time(frame.complete) => FrameState::OnTime,
                Some(_) => FrameState::Late,
                None if deadline.is_some_and(|deadline| deadline > end) => FrameState::Open,
                None => FrameState::Lost,
            };
            if number as usize > self.counts_from {
                counts.frames_sent += 1;
                counts.frames_complete += u64::from(state == FrameState::OnTime);
                counts.frames_late += u64::from(state == FrameState::Late);
                counts.frames_lost += u64::from(state == FrameState::Lost);
                counts.frames_decodable += u64::from(in_time(*ready));
            }
            let seconds = |at: Option<Time>| at.map_or(f64::NAN, Time::as_secs_f64);
            if !columns.has_room(frame.sent) {
                continue;
            }
            let plan = self.plan.place(number).map(|(_, at)| &self.plan.frames[at]);
            columns.push(FrameJudged {
                stream,
                number: u64::from(number),
                kind: plan.map_or(b'-', |plan| u8::try_from(plan.2).unwrap_or(b'-')),
                size: plan.map_or(0, |plan| plan.1),
                sent: frame.sent.as_secs_f64(),
                complete: seconds(frame.complete),
                deadline: seconds(deadline),
                state: state as u8,
                decodable: u8::from(in_time(*ready)),
            });
        }
        counts
    }

    /// Time at which each frame, and all frames that it needs, were complete. A late frame is not
    /// shown, but frames that refer to it can still be decoded.
    fn ready(&self) -> Vec<Option<Time>> {
        let mut ready: Vec<Option<Time>> = Vec::with_capacity(self.frames.len());
        for (number, frame) in (1_u32..).zip(&self.frames) {
            let place = self.plan.place(number).map_or(0, |(_, place)| place);
            let round = ready.len() - place;
            let needed = self.plan.frames[place].3.iter();
            let at = needed
                .map(|other| ready.get(round + *other as usize).copied().flatten())
                .fold(frame.complete, |at, other| at.zip(other).map(|(a, b)| a.max(b)));
            ready.push(at);
        }
        ready
    }
}

#[cfg(test)]
mod tests {
    use super::super::video::FramePlan;
    use super::*;

    const MS: u64 = 1_000_000_000;

    fn at(ms: u64) -> Time {
        Time::from_ps(ms * MS)
    }

    /// I P B B P B B, then the next GOP's I and P; one datagram each, one every 40 ms, all wanted
    /// 100 ms after the first arrival.
    fn film() -> VideoPlan {
        let needs: [(char, &[u32]); 9] = [
            ('I', &[]),
            ('P', &[0]),
            ('B', &[0, 1]),
            ('B', &[0, 1]),
            ('P', &[1]),
            ('B', &[1, 4]),
            ('B', &[1, 4]),
            ('I', &[]),
            ('P', &[7]),
        ];
        VideoPlan {
            frames: (0..)
                .zip(needs)
                .map(|(number, (kind, after))| {
                    FramePlan(40 * MS * number, 1000, kind, after.to_vec())
                })
                .collect(),
            loop_ps: Some(9 * 40 * MS),
            packet_bytes: 1000,
            playout_ps: 100 * MS,
            playout_from: PlayoutFrom::Arrival,
        }
    }

    /// Sends `count` frames with the delay in ms that the function returns; `None`: lost. The first
    /// frame has number 0 here.
    fn played(
        plan: &VideoPlan,
        count: u32,
        delay: impl Fn(u32) -> Option<u64>,
    ) -> (FrameStats, FrameColumns) {
        // Counters cover all frames, however little is recorded.
        let mut book = FrameBook::new(Arc::new(plan.clone()), Time::ZERO, 1);
        let mut arrivals = Vec::new();
        for frame in 0..count {
            book.on_sent(frame + 1, at(40 * u64::from(frame)));
            arrivals.extend(delay(frame).map(|delay| (40 * u64::from(frame) + delay, frame)));
        }
        arrivals.sort_unstable();
        for (ms, frame) in arrivals {
            book.on_arrived(frame + 1, at(ms));
        }
        let mut columns = FrameColumns::default();
        let stats = book.finish(3, at(10_000), &mut columns);
        (stats, columns)
    }

    fn decodable_without(lost: u32) -> Vec<u8> {
        played(&film(), 9, |frame| (frame != lost).then_some(20)).1.decodable
    }

    #[test]
    fn a_lost_i_frame_takes_its_gop_with_it_and_a_lost_b_frame_only_itself() {
        assert_eq!(decodable_without(99), [1; 9]);
        assert_eq!(decodable_without(0), [0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(decodable_without(1), [1, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(decodable_without(2), [1, 1, 0, 1, 1, 1, 1, 1, 1]);
        assert_eq!(decodable_without(4), [1, 1, 1, 1, 0, 0, 0, 1, 1]);
        assert_eq!(decodable_without(7), [1, 1, 1, 1, 1, 1, 1, 0, 0]);
    }

    #[test]
    fn dependencies_stay_within_their_round() {
        // The first GOP of the second round is lost with frame 9, its I frame.
        let (stats, columns) = played(&film(), 18, |frame| (frame != 9).then_some(20));
        assert_eq!(columns.decodable[9..], [0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!((stats.frames_sent, stats.frames_lost, stats.frames_decodable), (18, 1, 11));
        assert_eq!(columns.number[17], 18);
    }

    #[test]
    fn frames_are_wanted_the_playout_delay_after_the_first_arrival() {
        // The first arrives after 20 ms, so frame k is wanted at 120 + 40 k ms: a delay of 120 ms
        // is in time, one of 121 ms is not.
        let (stats, columns) = played(&film(), 9, |frame| match frame {
            2 => Some(120),
            3 => Some(121),
            _ => Some(20),
        });
        assert!((columns.deadline[2] - 0.2).abs() < 1e-12);
        assert_eq!(columns.state[..5], [0, 0, 0, 1, 0]);
        assert_eq!(
            (stats.frames_complete, stats.frames_late, stats.frames_lost, stats.late_packets),
            (8, 1, 0, 1)
        );
        assert_eq!(stats.frames_decodable, 8);
    }

    #[test]
    fn without_the_first_frame_the_clock_is_the_same() {
        let (_, columns) = played(&film(), 9, |frame| (frame > 1).then_some(20));
        assert!((columns.deadline[0] - 0.12).abs() < 1e-12);
        assert_eq!(columns.state[0], FrameState::Lost as u8);
    }

    #[test]
    fn a_late_frame_still_serves_those_after_it_that_can_wait() {
        // P (frame 1) comes at 180 ms, wanted at 160: it is late, and the B frames wanted at 200
        // and 240 ms are decoded with it.
        let (stats, columns) = played(&film(), 9, |frame| Some(if frame == 1 { 140 } else { 20 }));
        assert_eq!(columns.state[1], FrameState::Late as u8);
        assert_eq!(columns.decodable, [1, 0, 1, 1, 1, 1, 1, 1, 1]);
        // 220 ms: too late for the B frame wanted at 200.
        let (_, columns) = played(&film(), 9, |frame| Some(if frame == 1 { 180 } else { 20 }));
        assert_eq!(columns.decodable, [1, 0, 0, 1, 1, 1, 1, 1, 1]);
        assert_eq!(stats.frames_late, 1);
    }

    #[test]
    fn a_frame_is_complete_with_its_last_datagram_and_its_delay_may_be_given() {
        let plan = VideoPlan { packet_bytes: 300, playout_from: PlayoutFrom::Sending, ..film() };
        let mut book = FrameBook::new(Arc::new(plan), at(5), u64::MAX);
        for _ in 0..4 {
            book.on_sent(1, at(5));
        }
        for ms in [30, 40, 105] {
            book.on_arrived(1, at(ms));
        }
        let mut columns = FrameColumns::default();
        assert_eq!(book.finish(0, at(110), &mut columns).frames_lost, 1, "three of four datagrams");
        assert_eq!(book.finish(0, at(104), &mut columns).frames_lost, 0, "not wanted yet");
        book.on_arrived(1, at(106));
        let stats = book.finish(0, at(200), &mut columns);
        assert_eq!(
            (stats.frames_late, stats.late_packets),
            (1, 1),
            "wanted 100 ms after it was sent"
        );
        assert!((columns.complete[2] - 0.106).abs() < 1e-12);
    }

    #[test]
    fn frames_of_the_warm_up_do_not_count_but_serve() {
        let mut book = FrameBook::new(Arc::new(film()), Time::ZERO, u64::MAX);
        book.on_sent(1, at(0));
        book.reset_stats();
        book.on_sent(2, at(40));
        book.on_arrived(2, at(60));
        book.on_arrived(1, at(70));
        let stats = book.finish(0, at(1000), &mut FrameColumns::default());
        assert_eq!((stats.frames_sent, stats.frames_complete, stats.frames_decodable), (1, 1, 1));
    }
}
