//! The kernel's counters of a flow since the warm-up.

use ackclock_sim::transport::accounting::Limit;
use ackclock_units::Duration;

use super::info::{Info, ca_state};
use super::netstat::Counts;

/// Counters of one flow. `None` marks counters of `/proc/net/netstat` alone, where several flows
/// share their hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelCounters {
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Timeouts that F-RTO has shown to be spurious.
    pub spurious_timeouts: Option<u64>,
    /// Fast recoveries. Where several flows share their hosts, only those that a poll found.
    pub recoveries: u64,
    /// Reductions of the window taken back.
    pub undos: Option<u64>,
    /// Tail loss probes.
    pub tail_probes: Option<u64>,
    /// Reductions of the window without a loss, that is by ECN, which polls found.
    pub ecn_reductions: u64,
    /// Largest window that polls found, bytes.
    pub cwnd_max: u64,
    /// Time by its limit. The kernel counts the time without room in the receiver's window. Polls
    /// divide the rest, because the kernel's busy time does not tell a full window from an
    /// application that writes little.
    pub limited: [Duration; Limit::COUNT],
    /// D-SACKs received.
    pub reported_twice: u64,
    /// Times that reordering was seen.
    pub reorderings: u64,
    /// Reason why the last connection broke, if it did.
    pub fault: Option<String>,
}

/// Growing counters of one connection, or of several one after another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    timeouts: u64,
    rwnd_limited: u64,
    reported_twice: u64,
    reorderings: u64,
    /// Time between the handshake and the end.
    pub open: Duration,
    counts: Counts,
}

impl Sums {
    /// Counters of a connection so far.
    #[must_use]
    pub fn of(info: &Info, open: Duration) -> Self {
        Self {
            timeouts: info.total_rto.unwrap_or(0).into(),
            rwnd_limited: info.rwnd_limited,
            reported_twice: info.dsack_dups.into(),
            reorderings: info.reord_seen.into(),
            open,
            counts: Counts::default(),
        }
    }

    /// The sums with the counters of the namespace.
    #[must_use]
    pub fn with(self, counts: Counts) -> Self {
        Self { counts, ..self }
    }

    /// The sums with those of another connection.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.combine(other, u64::saturating_add)
    }

    fn since(self, earlier: Self) -> Self {
        self.combine(earlier, u64::saturating_sub)
    }

    fn combine(self, other: Self, how: impl Fn(u64, u64) -> u64) -> Self {
        // All fields are named, so that a new sum cannot be forgotten here.
        let Self { timeouts, rwnd_limited, reported_twice, reorderings, open, counts } = other;
        let Counts { spurious_timeouts, recoveries, undos, tail_probes, timeouts: of_all } = counts;
        Self {
            timeouts: how(self.timeouts, timeouts),
            rwnd_limited: how(self.rwnd_limited, rwnd_limited),
            reported_twice: how(self.reported_twice, reported_twice),
            reorderings: how(self.reorderings, reorderings),
            open: Duration::from_ps(how(self.open.as_ps(), open.as_ps())),
            counts: Counts {
                spurious_timeouts: how(self.counts.spurious_timeouts, spurious_timeouts),
                recoveries: how(self.counts.recoveries, recoveries),
                undos: how(self.counts.undos, undos),
                tail_probes: how(self.counts.tail_probes, tail_probes),
                timeouts: how(self.counts.timeouts, of_all),
            },
        }
    }
}

/// States found by polls. The time between two polls is unknown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Polled {
    last_state: u8,
    recoveries: u64,
    ecn_reductions: u64,
    cwnd_max: u64,
    /// Number of polls that found the window as the limit; the next fields count the pacer and the
    /// application.
    window: u64,
    pacing: u64,
    application: u64,
}

impl Polled {
    /// Notes the present state of the connection.
    pub fn note(&mut self, info: &Info, is_paced: bool) {
        if info.ca_state != self.last_state {
            self.recoveries += u64::from(info.ca_state == ca_state::RECOVERY);
            self.ecn_reductions += u64::from(info.ca_state == ca_state::CWR);
            self.last_state = info.ca_state;
        }
        self.cwnd_max = self.cwnd_max.max(info.bytes(info.cwnd));
        if info.inflight_packets() >= info.cwnd {
            self.window += 1;
        } else if info.unsent == 0 {
            self.application += 1;
        } else if is_paced {
            self.pacing += 1;
        } else {
            // Room for less than a burst (`tcp_tso_should_defer`) counts as a full window.
            self.window += 1;
        }
    }

    /// Restarts the counts.
    pub fn reset(&mut self) {
        *self = Self { last_state: self.last_state, ..Self::default() };
    }

    /// The part of `time` in which `count` of the polls found a limit; zero without polls.
    fn share(&self, time: Duration, count: u64) -> Duration {
        let polls = self.window + self.pacing + self.application;
        let part = u128::from(time.as_ps()) * u128::from(count) / u128::from(polls.max(1));
        Duration::from_ps(u64::try_from(part).unwrap_or(u64::MAX))
    }
}

/// Counters reported for a flow that was measured for `measured`.
#[must_use]
pub fn report(
    now: Sums,
    warmup: Sums,
    polled: &Polled,
    has_host: bool,
    measured: Duration,
) -> KernelCounters {
    let sums = now.since(warmup);
    let alone = |count: u64| has_host.then_some(count);
    let open = Duration::from_ps(sums.open.as_ps().min(measured.as_ps()));
    let rwnd =
        Duration::from_ps(Duration::from_micros(sums.rwnd_limited).as_ps().min(open.as_ps()));
    let rest = open.saturating_sub(rwnd);
    let mut limited = [Duration::ZERO; Limit::COUNT];
    limited[Limit::ReceiveWindow as usize] = rwnd;
    limited[Limit::Pacing as usize] = polled.share(rest, polled.pacing);
    limited[Limit::Application as usize] = polled.share(rest, polled.application);
    limited[Limit::Cwnd as usize] = polled.share(rest, polled.window);
    limited[Limit::Idle as usize] = measured.saturating_sub(open);
    KernelCounters {
        timeouts: if has_host { sums.counts.timeouts } else { sums.timeouts },
        spurious_timeouts: alone(sums.counts.spurious_timeouts),
        recoveries: alone(sums.counts.recoveries).unwrap_or(polled.recoveries),
        undos: alone(sums.counts.undos),
        tail_probes: alone(sums.counts.tail_probes),
        ecn_reductions: polled.ecn_reductions,
        cwnd_max: polled.cwnd_max,
        limited,
        reported_twice: sums.reported_twice,
        reorderings: sums.reorderings,
        fault: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(rwnd_ms: u64, ca_state: u8) -> Info {
        Info {
            ca_state,
            mss: 1000,
            cwnd: 10,
            unacked: 10,
            rwnd_limited: 1000 * rwnd_ms,
            total_rto: Some(2),
            ..Info::default()
        }
    }

    #[test]
    fn counters_begin_with_the_warm_up() {
        let ms = Duration::from_millis;
        let counts = Counts { recoveries: 3, timeouts: 1, ..Counts::default() };
        let warmup = Sums::of(&info(10, 0), ms(100)).with(counts);
        let first = Sums::of(&info(50, 0), ms(500));
        let now =
            first.plus(Sums::of(&info(20, 0), ms(300))).with(Counts { recoveries: 8, ..counts });
        let mut polled = Polled::default();
        // The polls find a full window, then room and data first without a pacer, and then no data.
        polled.note(&info(0, 0), false);
        let room = |unsent: u32| Info { unacked: 9, unsent, ..info(0, 0) };
        polled.note(&room(1), false);
        polled.note(&room(1), true);
        polled.note(&room(0), true);
        let alone = report(now, warmup, &polled, true, ms(1000));
        assert_eq!((alone.recoveries, alone.timeouts, alone.undos), (5, 0, Some(0)));
        // The connection is open for 800 ms less 100. Of this time 70 less 10 ms are without the
        // receiver's window, and each poll stands for a quarter of the rest.
        assert_eq!(alone.limited[Limit::ReceiveWindow as usize], ms(60));
        assert_eq!(alone.limited[Limit::Cwnd as usize], ms(320));
        assert_eq!(alone.limited[Limit::Pacing as usize], ms(160));
        assert_eq!(alone.limited[Limit::Application as usize], ms(160));
        assert_eq!(alone.limited[Limit::Idle as usize], ms(300));
        let together = report(now, warmup, &polled, false, ms(1000));
        assert_eq!((together.timeouts, together.recoveries, together.undos), (2, 0, None));
    }

    #[test]
    fn polls_count_how_often_a_state_begins() {
        let mut polled = Polled::default();
        for state in [0, 3, 3, 0, 2, 2, 0, 3] {
            polled.note(&info(0, state), false);
        }
        assert_eq!((polled.recoveries, polled.ecn_reductions, polled.cwnd_max), (2, 1, 10_000));
        polled.reset();
        polled.note(&info(0, 3), false);
        assert_eq!((polled.recoveries, polled.window), (0, 1));
    }
}
