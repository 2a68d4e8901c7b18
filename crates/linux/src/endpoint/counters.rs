//! What the kernel counted of a flow, since the warm-up.

use ackclock_sim::transport::sender::Limit;
use ackclock_units::Duration;

use super::info::{Info, ca_state};
use super::netstat::Counts;

/// Counters of one flow. Absent is what only `/proc/net/netstat` tells, where several flows share their hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelCounters {
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Of these, shown spurious by F-RTO.
    pub spurious_timeouts: Option<u64>,
    /// Fast recoveries; where several flows share their hosts, those that a poll met.
    pub recoveries: u64,
    /// Reductions of the window taken back.
    pub undos: Option<u64>,
    /// Tail loss probes.
    pub tail_probes: Option<u64>,
    /// Reductions without a loss, that is because of ECN, which polls met.
    pub ecn_reductions: u64,
    /// Largest window that polls met, bytes.
    pub cwnd_max: u64,
    /// Time by what limited it. The kernel tells the time without room in the receiver's window; the rest is shared as polls met the sender, for
    /// its busy time does not tell a window that is full from an application that writes little.
    pub limited: [Duration; Limit::COUNT],
    /// D-SACKs received.
    pub reported_twice: u64,
    /// Times that reordering was seen.
    pub reorderings: u64,
    /// Why its last connection broke, if it did.
    pub fault: Option<String>,
}

/// What grows of one connection, or of several one after another.
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
    /// What a connection has so far.
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

    /// With what the namespace counted.
    #[must_use]
    pub fn with(self, counts: Counts) -> Self {
        Self { counts, ..self }
    }

    /// With another connection's.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.combine(other, u64::saturating_add)
    }

    fn since(self, earlier: Self) -> Self {
        self.combine(earlier, u64::saturating_sub)
    }

    fn combine(self, other: Self, how: impl Fn(u64, u64) -> u64) -> Self {
        // Taken apart, so that a new sum cannot be forgotten here.
        let Self {
            timeouts,
            rwnd_limited,
            reported_twice,
            reorderings,
            open,
            counts,
        } = other;
        let Counts {
            spurious_timeouts,
            recoveries,
            undos,
            tail_probes,
            timeouts: timeouts_of_all,
        } = counts;
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
                timeouts: how(self.counts.timeouts, timeouts_of_all),
            },
        }
    }
}

/// What polls met, between which it is not known what happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Polled {
    last_state: u8,
    recoveries: u64,
    ecn_reductions: u64,
    cwnd_max: u64,
    /// How often what limited it was the window, the pacer, and the application.
    window: u64,
    pacing: u64,
    application: u64,
}

impl Polled {
    /// The connection as it is now.
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
            // Less room than a burst is worth waiting for (`tcp_tso_should_defer`).
            self.window += 1;
        }
    }

    /// Counts from here on.
    pub fn reset(&mut self) {
        *self = Self {
            last_state: self.last_state,
            ..Self::default()
        };
    }

    /// Of `time`, the part in which `count` of the polls say that something limited it; without a poll, none.
    fn share(&self, time: Duration, count: u64) -> Duration {
        let polls = self.window + self.pacing + self.application;
        let part = u128::from(time.as_ps()) * u128::from(count) / u128::from(polls.max(1));
        Duration::from_ps(u64::try_from(part).unwrap_or(u64::MAX))
    }
}

/// What is reported of a flow that was measured for `measured`.
#[must_use]
pub fn report(now: Sums, warmup: Sums, polled: &Polled, has_host: bool, measured: Duration) -> KernelCounters {
    let sums = now.since(warmup);
    let alone = |count: u64| has_host.then_some(count);
    let open = Duration::from_ps(sums.open.as_ps().min(measured.as_ps()));
    let rwnd = Duration::from_ps(Duration::from_micros(sums.rwnd_limited).as_ps().min(open.as_ps()));
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
        let counts = Counts {
            recoveries: 3,
            timeouts: 1,
            ..Counts::default()
        };
        let warmup = Sums::of(&info(10, 0), ms(100)).with(counts);
        let first = Sums::of(&info(50, 0), ms(500));
        let now = first.plus(Sums::of(&info(20, 0), ms(300))).with(Counts { recoveries: 8, ..counts });
        let mut polled = Polled::default();
        // Full; room and something to send, first without a pacer; nothing to send.
        polled.note(&info(0, 0), false);
        let room = |unsent: u32| Info {
            unacked: 9,
            unsent,
            ..info(0, 0)
        };
        polled.note(&room(1), false);
        polled.note(&room(1), true);
        polled.note(&room(0), true);
        let alone = report(now, warmup, &polled, true, ms(1000));
        assert_eq!((alone.recoveries, alone.timeouts, alone.undos), (5, 0, Some(0)));
        // Open for 800 ms less 100; of that 70 less 10 without the receiver's window, and a quarter of the rest for each poll.
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
