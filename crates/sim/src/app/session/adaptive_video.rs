//! Adaptive video over HTTP: segments are fetched one after another over one connection, into a
//! buffer that the player plays from.

use ackclock_units::{Duration, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::abr::{Abr, Adaptation};
use super::exchange::Exchange;
use super::{Event, Session, Setting, Stage, TransferId, TransferKind};

/// The video and its player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdaptiveVideoPlan {
    /// Length of a segment, ps.
    pub segment_ps: u64,
    /// Encoded rates, bit/s, ascending.
    pub ladder_bps: Vec<u64>,
    /// Size of the buffer, ps of video.
    pub buffer_ps: u64,
    /// Buffered video, ps, at which playing begins, and goes on after a stall.
    pub startup_ps: u64,
    /// Algorithm that chooses the rate.
    pub abr: Abr,
    /// Size of each request, bytes.
    pub request_bytes: u64,
    /// Number of segments; absent: until the run ends.
    #[serde(default)]
    pub count: Option<u64>,
}

/// The segment that is being fetched.
#[derive(Clone, Copy)]
struct Fetch {
    row: TransferId,
    size: u64,
    since: Time,
}

/// The player of a video.
pub struct AdaptiveVideo {
    plan: AdaptiveVideoPlan,
    adaptation: Adaptation,
    exchange: Exchange,
    left: u64,
    begins: Time,
    stop: Time,
    fetch: Option<Fetch>,
    /// Video buffered at `level_at`.
    level: Duration,
    level_at: Time,
    is_playing: bool,
    stall: Option<TransferId>,
    is_closing: bool,
    is_closed: bool,
}

impl AdaptiveVideo {
    /// Makes a player that waits for its start.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "rates are far below 2^53")]
    pub fn new(plan: &AdaptiveVideoPlan, setting: &Setting) -> Self {
        let seconds = |ps| Duration::from_ps(ps).as_secs_f64();
        let ladder = plan.ladder_bps.iter().map(|rate| *rate as f64).collect();
        Self {
            adaptation: Adaptation::new(
                plan.abr,
                ladder,
                seconds(plan.segment_ps),
                seconds(plan.buffer_ps),
            ),
            exchange: Exchange::new(0, 1),
            left: plan.count.unwrap_or(u64::MAX),
            begins: setting.start,
            stop: setting.stop,
            fetch: None,
            level: Duration::ZERO,
            level_at: setting.start,
            is_playing: false,
            stall: None,
            is_closing: false,
            is_closed: false,
            plan: plan.clone(),
        }
    }

    /// Brings the buffer's level up to `now`; it does not fall below zero.
    fn settle(&mut self, now: Time) {
        if self.is_playing {
            self.level = self.level.saturating_sub(now.since(self.level_at));
        }
        self.level_at = now;
    }

    /// Time at which the buffer, as it is played, has room for a segment.
    fn has_room_at(&self) -> Time {
        let segment = Duration::from_ps(self.plan.segment_ps);
        let room = Duration::from_ps(self.plan.buffer_ps).saturating_sub(segment);
        self.level_at.saturating_add(self.level.saturating_sub(room))
    }

    fn is_all_fetched(&self, now: Time) -> bool {
        self.left == 0 || now >= self.stop
    }

    /// Fetches the next segment if there is room for it, or ends.
    fn go_on(&mut self, stage: &mut Stage) {
        if self.is_closing || self.fetch.is_some() {
            return;
        }
        if self.is_all_fetched(stage.now) {
            self.is_closing = true;
            self.exchange.close(stage);
            return;
        }
        if self.has_room_at() > stage.now {
            return;
        }
        self.left -= 1;
        let rate = self.plan.ladder_bps[self.adaptation.choose(self.level.as_secs_f64())];
        let size = ackclock_units::Rate::from_bps(rate)
            .bytes_in(Duration::from_ps(self.plan.segment_ps))
            .max(1);
        #[expect(clippy::cast_precision_loss, reason = "rates are far below 2^53")]
        let row = stage.begin_rated(TransferKind::Segment, size, rate as f64);
        self.fetch = Some(Fetch { row, size, since: stage.now });
        self.exchange.ask(self.plan.request_bytes, stage);
    }

    #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
    fn fetched(&mut self, fetch: Fetch, stage: &mut Stage) {
        stage.finish(fetch.row);
        self.adaptation.on_fetched(
            8.0 * fetch.size as f64 / stage.now.since(fetch.since).as_secs_f64().max(1e-12),
        );
        self.level += Duration::from_ps(self.plan.segment_ps);
        let is_enough = self.level.as_ps() >= self.plan.startup_ps
            || self.has_room_at() > stage.now
            || self.is_all_fetched(stage.now);
        if !self.is_playing && is_enough {
            self.is_playing = true;
            if let Some(stall) = self.stall.take() {
                stage.finish(stall);
            }
        }
        self.go_on(stage);
    }
}

impl Session for AdaptiveVideo {
    fn on_event(&mut self, event: Event, stage: &mut Stage) {
        self.settle(stage.now);
        match event {
            Event::Timer => {
                if self.begins < Time::MAX {
                    self.begins = Time::MAX;
                    self.exchange.open(stage);
                }
                if self.is_playing && self.level == Duration::ZERO && self.fetch.is_some() {
                    self.is_playing = false;
                    self.stall = Some(stage.begin(TransferKind::Stall, 0));
                }
                self.go_on(stage);
            }
            Event::Delivered { connection, bytes } => {
                if let Some(fetch) = self.fetch {
                    if self.exchange.is_asked(connection, bytes) {
                        self.exchange.answer(fetch.size, stage);
                    } else if self.exchange.is_answered(connection, bytes) {
                        self.fetch = None;
                        self.fetched(fetch, stage);
                    }
                }
            }
            Event::Finished { .. } => self.is_closed |= self.exchange.is_closed_by_one_more(),
        }
    }

    fn deadline(&self) -> Time {
        if self.begins < Time::MAX {
            return self.begins;
        }
        if self.is_closing || !self.is_playing {
            return Time::MAX;
        }
        if self.fetch.is_some() {
            // The buffer runs dry.
            return self.level_at.saturating_add(self.level);
        }
        self.has_room_at().min(self.stop)
    }

    fn is_done(&self) -> bool {
        self.is_closed
    }
}
