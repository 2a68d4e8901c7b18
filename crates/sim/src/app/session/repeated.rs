//! One file after another, each over a connection of its own, with a pause between them.

use ackclock_units::{Duration, Time};
use serde::{Deserialize, Serialize};

use super::{Event, Session, Stage, TransferId, TransferKind};

/// How large and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepeatedPlan {
    /// Size of each, bytes.
    pub size_bytes: u64,
    /// Pause after each, ps.
    #[serde(default)]
    pub think_ps: u64,
    /// How many; absent: until the run ends.
    #[serde(default)]
    pub count: Option<u64>,
}

/// The present file, or the pause before the next.
pub struct Repeated {
    plan: RepeatedPlan,
    next_at: Time,
    stop: Time,
    begun: u64,
    transfer: Option<TransferId>,
}

impl Repeated {
    /// Nothing begins at or after `stop`.
    #[must_use]
    pub fn new(plan: &RepeatedPlan, start: Time, stop: Time) -> Self {
        Self {
            plan: plan.clone(),
            next_at: start,
            stop,
            begun: 0,
            transfer: None,
        }
    }

    fn may_begin(&self, at: Time) -> bool {
        at < self.stop && self.plan.count.is_none_or(|count| self.begun < count)
    }
}

impl Session for Repeated {
    fn on_event(&mut self, event: Event, stage: &mut Stage) {
        match event {
            Event::Timer => {
                self.next_at = Time::MAX;
                self.begun += 1;
                self.transfer = Some(stage.begin(TransferKind::File, self.plan.size_bytes));
                stage.open(0);
                stage.write(0, self.plan.size_bytes, true);
            }
            Event::Finished { .. } => {
                if let Some(transfer) = self.transfer.take() {
                    stage.finish(transfer);
                }
                let next = stage.now.saturating_add(Duration::from_ps(self.plan.think_ps));
                if self.may_begin(next) {
                    self.next_at = next;
                }
            }
            Event::Delivered { .. } => {}
        }
    }

    fn deadline(&self) -> Time {
        self.next_at
    }

    fn is_done(&self) -> bool {
        self.next_at == Time::MAX && self.transfer.is_none()
    }
}
