//! The loop over all events, and the handling of each.

use ackclock_units::Time;

use super::runaway::EVENTS_PER_CHECK;
use super::{Progress, Simulation};
use crate::app::session::Event;
use crate::decisions::Happened;
use crate::event::{EventSource, Moment, Source};
use crate::packet::Packet;
use crate::transport::endpoint::Endpoint;

impl Simulation<'_> {
    /// Handles up to `max_events` events. A run that cannot go on counts as finished;
    /// [`Simulation::fault`] says why.
    pub fn advance(&mut self, max_events: u64) -> Progress {
        if self.rounds.is_some() {
            return self.advance_by_rounds(max_events);
        }
        let mut left = max_events;
        while left > 0 && self.fault.is_none() {
            let some = left.min(EVENTS_PER_CHECK - self.events % EVENTS_PER_CHECK);
            if self.handle(some) == Progress::Finished {
                return Progress::Finished;
            }
            left -= some;
            if self.events.is_multiple_of(EVENTS_PER_CHECK) {
                self.fault = self.runaway();
            }
        }
        if self.fault.is_some() {
            return Progress::Finished;
        }
        Progress::Running { now: self.now }
    }

    /// Handles up to `max_events` events. Not inlined, so that the loop has all registers to
    /// itself.
    #[inline(never)]
    fn handle(&mut self, max_events: u64) -> Progress {
        let mut packet = Packet::default();
        for _ in 0..max_events {
            let Some((now, source)) = self.network.schedule.head() else {
                return self.stop(Moment::after(self.end));
            };
            if now > self.end {
                return self.stop(Moment::after(self.end));
            }
            self.now = now;
            self.events += 1;
            if let EventSource::Link(link) = self.sources.decode(source) {
                if self.network.on_link_event(link, now, &mut packet) {
                    self.deliver(&packet, now);
                }
            } else {
                self.on_event(source, now);
            }
            if self.unfinished == 0 {
                return self.stop(Moment::of(now, source, 0).next());
            }
        }
        Progress::Running { now: self.now }
    }

    /// Handles an event that is no link's.
    #[expect(clippy::inline_always, reason = "once per timer")]
    #[inline(always)]
    pub(super) fn on_event(&mut self, source: Source, now: Time) {
        match self.sources.decode(source) {
            EventSource::Sender(flow) => {
                let sender = &mut self.senders[flow as usize];
                if sender.deadline() <= now {
                    sender.on_timer(now, &mut self.network);
                    self.after_sender(flow, Happened::Timer, now);
                }
                let deadline = self.senders[flow as usize].deadline();
                self.reschedule(source, deadline);
            }
            EventSource::Receiver(flow) => {
                let receiver = &mut self.receivers[flow as usize];
                if receiver.deadline() <= now {
                    receiver.on_timer(now, &mut self.network);
                }
                let deadline = self.receivers[flow as usize].deadline();
                self.reschedule(source, deadline);
            }
            EventSource::Stream(stream) => self.on_stream_timer(stream, now),
            EventSource::Session(session) => self.tell_session(session, Event::Timer, now),
            EventSource::Clock => self.on_clock(now),
            EventSource::Link(_) => (),
        }
    }

    /// Hands a packet to its host.
    #[expect(clippy::inline_always, reason = "once per packet, with most of what happens to it")]
    #[inline(always)]
    pub(super) fn deliver(&mut self, packet: &Packet, now: Time) {
        let flow = packet.flow as usize;
        if packet.is_reverse {
            self.senders[flow].on_packet(packet, now, &mut self.network);
            self.after_sender(packet.flow, Happened::Packet(packet), now);
        } else if let Some(receiver) = self.receivers.get_mut(flow) {
            let before = receiver.delivered();
            receiver.on_packet(packet, now, &mut self.network);
            let bytes = receiver.delivered();
            self.after_receiver(packet.flow);
            if bytes > before
                && let Some((session, connection)) = self.sessions.of(packet.flow)
            {
                self.tell_session(session, Event::Delivered { connection, bytes }, now);
            }
        } else {
            self.streams[flow - self.receivers.len()].on_packet(packet, now, &mut self.datagrams);
        }
    }

    fn on_stream_timer(&mut self, index: u32, now: Time) {
        let stream = &mut self.streams[index as usize];
        stream.on_timer(now, &mut self.datagrams, &mut self.network);
        let deadline = stream.deadline();
        // A stream finishes with the run only: nobody tells its sender when the last datagram has
        // arrived.
        self.reschedule(self.sources.number(EventSource::Stream(index)), deadline);
    }

    /// Schedules the sender's timer if it moved to an earlier time. A timer that moved to a later
    /// time is found out when it fires.
    #[expect(clippy::inline_always, reason = "once per ACK")]
    #[inline(always)]
    pub(super) fn after_sender(&mut self, flow: u32, event: Happened<'_>, now: Time) {
        let sender = &self.senders[flow as usize];
        let deadline = sender.deadline();
        let source = self.sources.number(EventSource::Sender(flow));
        if deadline < self.network.schedule.due(source) {
            self.network.schedule.set(source, deadline);
        }
        if sender.is_done() || self.sampling.sees_each_event {
            self.note_event(flow, event, now);
        }
    }

    /// Records what a sender decided at an event, and how it is after it.
    fn note_event(&mut self, flow: u32, event: Happened<'_>, now: Time) {
        if self.decisions.is_on() {
            self.decisions.note(flow, event, &self.senders[flow as usize], now);
        }
        self.note_sender(flow, now);
    }

    /// Samples a sender if every change is sampled. Tells the session, or the run, once when the
    /// sender has finished.
    pub(super) fn note_sender(&mut self, flow: u32, now: Time) {
        let is_done = self.senders[flow as usize].is_done();
        let has_finished =
            is_done && !std::mem::replace(&mut self.sampling.is_done[flow as usize], true);
        if (self.sampling.changes || has_finished) && self.sampling.is_sampled[flow as usize] {
            self.sample_change(flow, has_finished, now);
        }
        if has_finished {
            match self.sessions.of(flow) {
                Some((session, connection)) => {
                    self.tell_session(session, Event::Finished { connection }, now);
                }
                None => self.finish_one(),
            }
        }
    }

    fn after_receiver(&mut self, flow: u32) {
        let deadline = self.receivers[flow as usize].deadline();
        let source = self.sources.number(EventSource::Receiver(flow));
        if deadline < self.network.schedule.due(source) {
            self.network.schedule.set(source, deadline);
        }
    }

    pub(super) fn reschedule(&mut self, source: Source, deadline: Time) {
        if deadline == Time::MAX {
            self.network.schedule.cancel(source);
        } else {
            self.network.schedule.set(source, deadline);
        }
    }

    /// A flow or session has finished.
    pub(super) fn finish_one(&mut self) {
        self.unfinished -= 1;
        if let Some(moment) = self.network.moment {
            self.last_finish = self.last_finish.max(moment);
        }
    }

    fn on_clock(&mut self, now: Time) {
        self.strike(now);
        let next = if now < self.end { self.next_strike() } else { Time::MAX };
        self.reschedule(self.sources.number(EventSource::Clock), next);
    }

    /// The clock's next event: the end of the warm-up, a sample, or the end of the run.
    pub(super) fn next_strike(&self) -> Time {
        self.sampling.next.min(self.warmup.unwrap_or(Time::MAX)).min(self.end)
    }

    /// Handles the end of the warm-up and a sample.
    pub(super) fn strike(&mut self, now: Time) {
        if self.warmup == Some(now) {
            self.warmup = None;
            self.begin_measuring(now);
        }
        if self.sampling.next == now {
            self.sample_all(now);
            self.sampling.next = self.sampling.every.map_or(Time::MAX, |every| now + every);
            let tables = [self.sampler.flows.room, self.network.log.links.room];
            if tables.iter().all(|room| room.full_at().is_some()) {
                self.sampling.next = Time::MAX;
            }
        }
    }

    /// Ends the run before a moment: now if all flows have finished, otherwise at the plan's end.
    fn stop(&mut self, until: Moment) -> Progress {
        if self.unfinished == 0 {
            self.end = self.now;
        }
        self.now = self.end;
        self.stopped.get_or_insert(until);
        Progress::Finished
    }
}
