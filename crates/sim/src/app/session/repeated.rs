//! One file after another, each over a new connection, with a pause between them.

use ackclock_units::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Event, Session, Setting, Stage, TransferId, TransferKind};
use crate::app::draw::Draw;
use crate::distribution::Distribution;

/// Parameters of repeated files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepeatedPlan {
    /// Size of a file, bytes.
    pub size: Distribution,
    /// Pause after a file, s.
    pub think: Distribution,
    /// Number of files; absent: until the run ends.
    #[serde(default)]
    pub count: Option<u64>,
}

/// A session that sends a file, or pauses.
pub struct Repeated {
    size: Draw,
    think: Draw,
    left: u64,
    next_at: Time,
    stop: Time,
    transfer: Option<TransferId>,
}

impl Repeated {
    /// Makes a session that waits for its start.
    #[must_use]
    pub fn new(plan: &RepeatedPlan, setting: &Setting) -> Self {
        Self {
            size: setting.draw(&plan.size, "size"),
            think: setting.draw(&plan.think, "think"),
            left: plan.count.unwrap_or(u64::MAX),
            next_at: setting.start,
            stop: setting.stop,
            transfer: None,
        }
    }
}

impl Session for Repeated {
    fn on_event(&mut self, event: Event, stage: &mut Stage) {
        match event {
            Event::Timer => {
                self.next_at = Time::MAX;
                self.left -= 1;
                let size = self.size.bytes();
                self.transfer = Some(stage.begin(TransferKind::File, size));
                stage.open(0);
                stage.write(0, size, true);
            }
            Event::Finished { .. } => {
                if let Some(transfer) = self.transfer.take() {
                    stage.finish(transfer);
                }
                let next = stage.now.saturating_add(self.think.duration());
                if self.left > 0 && next < self.stop {
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
