//! The UDP streams: nothing reaches them, so that they are ahead of all others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ackclock_units::Time;

use super::super::Simulation;
use super::super::runaway::MOST_AT_INSTANT;
use super::Rounds;
use crate::event::{EventSource, Moment};
use crate::udp::Stream;

/// Datagrams that wait on the edges of streams, from which on streams wait as well.
const MOST_AHEAD: usize = 8192;

/// Streams by time of their next datagram.
pub(super) struct Queue {
    due: BinaryHeap<Reverse<(Time, u32)>>,
    /// The latest event of a stream.
    last: Option<(Time, u32)>,
    /// Events of that stream at that time before it.
    again: u64,
}

impl Queue {
    pub fn of(streams: &[Stream]) -> Self {
        let due = (0..).zip(streams).map(|(index, stream)| Reverse((stream.deadline(), index)));
        let due = due.filter(|Reverse((deadline, _))| *deadline < Time::MAX).collect();
        Self { due, last: None, again: 0 }
    }

    /// Time and stream of the next datagram, and the events of that stream at that time before it.
    pub fn next(&self) -> Option<(Time, u32, u64)> {
        let Reverse((time, index)) = *self.due.peek()?;
        let again = if self.last == Some((time, index)) { self.again + 1 } else { 0 };
        Some((time, index, again))
    }

    /// The next stream has had its turn, and wants the next one at `deadline`.
    fn replace_first(&mut self, deadline: Time) {
        let Some((time, index, again)) = self.next() else { return };
        (self.last, self.again) = (Some((time, index)), again);
        if deadline == Time::MAX {
            self.due.pop();
        } else if let Some(mut first) = self.due.peek_mut() {
            first.0.0 = deadline;
        }
    }
}

impl Simulation<'_> {
    /// Sends datagrams up to `limit`, or until enough of them wait.
    pub(super) fn advance_streams(&mut self, rounds: &mut Rounds, limit: Moment) {
        if rounds.streams_done >= limit {
            return;
        }
        let edges = &rounds.graph.stream_edges;
        let waiting: usize =
            edges.iter().map(|edge| self.network.transit.edges[*edge as usize].len()).sum();
        let mut room = MOST_AHEAD.saturating_sub(waiting);
        rounds.streams_done = loop {
            let Some((now, index, again)) = rounds.streams.next() else { break limit };
            let source = EventSource::Stream(index);
            let moment = Moment::of(now, self.sources.number(source), again);
            if moment >= limit || room == 0 {
                break moment.min(limit);
            }
            if again > MOST_AT_INSTANT {
                self.stand_still(source, now);
                break limit;
            }
            self.network.at(moment);
            let stream = &mut self.streams[index as usize];
            let before = stream.sent.sent_packets;
            stream.on_timer(now, &mut self.datagrams, &mut self.network);
            rounds.streams.replace_first(stream.deadline());
            self.events += 1;
            let sent = stream.sent.sent_packets - before;
            room = room.saturating_sub(usize::try_from(sent).unwrap_or(usize::MAX));
        };
        for edge in edges {
            self.network.transit.seal(*edge);
        }
    }
}
