//! The senders' thread: applications and sessions in real time, and the samples of the connections.

use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use ackclock_sim::app::AppPlan;
use ackclock_sim::app::session::{Command, Event};
use ackclock_sim::app::{Apps, mailbox};
use ackclock_sim::plan::Plan;
use ackclock_sim::starts;
use ackclock_units::Time;
use nix::errno::Errno;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use nix::sys::time::TimeSpec;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};

use super::line::{Line, Phase};
use super::play::Play;
use super::receivers::Arrived;
use super::seat::SenderSeat;
use super::supply::Supply;
use super::watch::{Watch, publish};
use super::{EndpointError, SenderOutput, ThreadReport};
use crate::clock::{self, Clock};
use crate::lab::priority::{self, Role, Scheduling};
use crate::plan::KernelFlow;
use crate::shared::Shared;

/// Tokens of descriptors that belong to no flow.
const TIMER: u64 = u64::MAX;
const GROWN: u64 = u64::MAX - 1;

/// State of the senders' thread.
pub struct Senders {
    clock: Clock,
    shared: Arc<Shared>,
    arrived: Arc<Arrived>,
    epoll: Epoll,
    timer: TimerFd,
    armed: Time,
    lines: Vec<Line>,
    /// Flows in opening order; flows of one start time have the simulator's order for the seed.
    order: Vec<usize>,
    /// For each flow the events that the epoll instance waits for; absent if it does not know the
    /// socket.
    interest: Vec<Option<EpollFlags>>,
    supply: Supply,
    play: Play,
    watch: Watch,
}

impl AsFd for Senders {
    /// Readable when a socket has an event.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.epoll.0.as_fd()
    }
}

impl Senders {
    /// Senders ready to start; `seats` are the flows' first sockets.
    pub fn new(
        plan: &Plan,
        kernel: &[KernelFlow],
        seats: Vec<SenderSeat>,
        supply: Supply,
        clock: Clock,
        shared: Arc<Shared>,
        arrived: Arc<Arrived>,
    ) -> Result<Self, EndpointError> {
        let mut apps = Apps::new(plan.seed);
        let mut netstats = Vec::new();
        let mut lines = Vec::new();
        for (seat, flow) in seats.into_iter().zip(&plan.flows) {
            let is_session = flow.app == (AppPlan::Session {});
            let start = if is_session { Time::MAX } else { Time::from_ps(flow.start_ps) };
            // The flows of a session stop with it.
            let stop = flow.stop_ps.filter(|_| !is_session).map_or(Time::MAX, Time::from_ps);
            netstats.push(seat.netstat);
            lines.push(Line::new(
                seat.socket,
                seat.target,
                apps.build(&flow.app, flow.part_of.as_ref(), start),
                start,
                stop,
            ));
        }
        let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
        let timer = TimerFd::new(
            ClockId::CLOCK_REALTIME,
            TimerFlags::TFD_NONBLOCK | TimerFlags::TFD_CLOEXEC,
        )?;
        epoll.add(&timer, EpollEvent::new(EpollFlags::EPOLLIN, TIMER))?;
        epoll.add(&arrived.grown, EpollEvent::new(EpollFlags::EPOLLIN, GROWN))?;
        let (delays, _) = starts::delays(plan);
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by_key(|flow| delays[*flow]);
        let sessions = Play::new(plan);
        shared.sessions.store(sessions.left(), Relaxed);
        Ok(Self {
            interest: vec![None; lines.len()],
            watch: Watch::new(plan, kernel, netstats),
            clock,
            shared,
            arrived,
            epoll,
            timer,
            armed: Time::MAX,
            lines,
            order,
            supply,
            play: sessions,
        })
    }

    /// Runs until it is stopped.
    pub fn run(mut self) -> Result<SenderOutput, EndpointError> {
        let scheduling = priority::take(Role::Endpoint);
        while !self.shared.stop.load(Relaxed) {
            // The clock shows zero until it starts.
            if clock::real_ns() >= self.clock.real_ns(Time::ZERO) {
                self.on_time(self.clock.now())?;
            }
            self.arm()?;
            self.on_sockets(EpollTimeout::NONE)?;
        }
        Ok(self.finish(scheduling))
    }

    /// The results, with the counters of now.
    pub fn finish(mut self, scheduling: Scheduling) -> SenderOutput {
        let now = self.clock.now();
        let counters = self.watch.finish(now, &self.lines, &self.shared);
        let (transfers, sessions) = self.play.finish();
        SenderOutput {
            rows: self.watch.rows,
            late: self.watch.late,
            counters,
            transfers,
            sessions,
            thread: ThreadReport::now(scheduling),
        }
    }

    /// Waits for events of the sockets and handles them.
    pub fn on_sockets(&mut self, timeout: EpollTimeout) -> Result<(), EndpointError> {
        let mut events = [EpollEvent::empty(); 64];
        let count = match self.epoll.wait(&mut events, timeout) {
            Ok(count) => count,
            Err(Errno::EINTR) => 0,
            Err(error) => return Err(error.into()),
        };
        for event in &events[..count] {
            self.on_ready(event.data(), event.events())?;
        }
        Ok(())
    }

    /// Time of the next action by the clock; polls are frequent enough to notice the end of the
    /// run.
    pub fn deadline(&self) -> Time {
        let lines = self.lines.iter().map(Line::deadline).min().unwrap_or(Time::MAX);
        lines.min(self.play.deadline()).min(self.watch.deadline())
    }

    /// Does everything that the clock makes due.
    pub fn on_time(&mut self, now: Time) -> Result<(), EndpointError> {
        for place in 0..self.order.len() {
            let flow = self.order[place];
            let line = &mut self.lines[flow];
            if line.deadline() <= now {
                if line.phase() == Phase::Idle {
                    line.open();
                } else {
                    line.work(now, false);
                }
                self.settle(flow)?;
            }
        }
        while let Some(session) = self.play.due(now) {
            let mut commands = Vec::new();
            self.play.on_time(session, &mut commands);
            self.obey(session, &commands)?;
        }
        self.watch.look(now, &self.lines, &self.shared);
        Ok(())
    }

    /// Sets the timer to the next action by the clock.
    fn arm(&mut self) -> Result<(), EndpointError> {
        let next = self.deadline();
        if next != self.armed {
            let wake = std::time::Duration::from_nanos(self.clock.real_ns(next));
            self.timer.set(
                Expiration::OneShot(TimeSpec::from_duration(wake)),
                TimerSetTimeFlags::TFD_TIMER_ABSTIME,
            )?;
            self.armed = next;
        }
        Ok(())
    }

    fn on_ready(&mut self, token: u64, events: EpollFlags) -> Result<(), EndpointError> {
        match token {
            TIMER => {
                // Setting the timer again makes it unreadable.
                self.armed = Time::MAX;
                Ok(())
            }
            GROWN => {
                self.arrived.grown.read()?;
                (0..self.lines.len()).try_for_each(|flow| self.tell_arrived(flow))
            }
            token => self.on_socket(usize::try_from(token).unwrap_or(usize::MAX), events),
        }
    }

    fn on_socket(&mut self, flow: usize, events: EpollFlags) -> Result<(), EndpointError> {
        let now = self.clock.now();
        let has_hung_up =
            events.intersects(EpollFlags::EPOLLERR | EpollFlags::EPOLLHUP | EpollFlags::EPOLLRDHUP);
        let line = &mut self.lines[flow];
        match line.phase() {
            Phase::Idle | Phase::Done => {}
            Phase::Connecting => line.on_connected(now),
            Phase::Open | Phase::Closing if has_hung_up => {
                let is_session = self.play.of(flow).is_some();
                if is_session {
                    self.watch.close(flow, now, line, &self.shared);
                }
                line.on_hangup(now);
                let is_finished = is_session && line.fault.is_none();
                self.settle(flow)?;
                return if is_finished { self.tell_finished(flow) } else { Ok(()) };
            }
            Phase::Open | Phase::Closing => line.work(now, true),
        }
        self.settle(flow)
    }

    /// Makes epoll wait for the events that the line needs, and tells the emulator where the flow
    /// ends.
    fn settle(&mut self, flow: usize) -> Result<(), EndpointError> {
        let line = &self.lines[flow];
        if self.play.of(flow).is_none() {
            publish(line, flow, &self.shared);
        }
        let Some(socket) = line.connection() else {
            self.interest[flow] = None;
            return Ok(());
        };
        let mut wanted = EpollFlags::EPOLLRDHUP;
        wanted.set(EpollFlags::EPOLLOUT, line.wants_to_write());
        let mut event = EpollEvent::new(wanted, flow as u64);
        match self.interest[flow].replace(wanted) {
            None => self.epoll.add(socket, event)?,
            Some(last) if last != wanted => self.epoll.modify(socket, &mut event)?,
            Some(_) => {}
        }
        Ok(())
    }

    fn tell_arrived(&mut self, flow: usize) -> Result<(), EndpointError> {
        let (Some((session, connection)), Some(bytes)) =
            (self.play.of(flow), self.play.arrived(flow, &self.arrived))
        else {
            return Ok(());
        };
        self.tell(session, Event::Delivered { connection, bytes })
    }

    fn tell_finished(&mut self, flow: usize) -> Result<(), EndpointError> {
        // The data has arrived before it was acknowledged.
        self.tell_arrived(flow)?;
        self.play.finished(flow);
        match self.play.of(flow) {
            Some((session, connection)) => self.tell(session, Event::Finished { connection }),
            None => Ok(()),
        }
    }

    fn tell(&mut self, session: u32, event: Event) -> Result<(), EndpointError> {
        let mut commands = Vec::new();
        self.play.tell(session, event, self.clock.now(), &mut commands);
        self.obey(session, &commands)
    }

    fn obey(&mut self, session: u32, commands: &[Command]) -> Result<(), EndpointError> {
        for command in commands {
            let now = self.clock.now();
            let flow = match *command {
                Command::Open { connection } => {
                    let flow = self.play.flow(session, connection);
                    self.open(flow)?;
                    flow
                }
                Command::Write { connection, bytes, closes } => {
                    let flow = self.play.flow(session, connection);
                    self.lines[flow].hand_in(bytes, closes, now);
                    flow
                }
            };
            self.settle(flow)?;
        }
        self.shared.sessions.store(self.play.left(), Relaxed);
        Ok(())
    }

    fn open(&mut self, flow: usize) -> Result<(), EndpointError> {
        if self.lines[flow].phase() == Phase::Idle {
            self.lines[flow].open();
        } else {
            let socket: TcpStream = self.supply.take(flow)?;
            self.lines[flow].renew(socket, mailbox());
        }
        Ok(())
    }
}
