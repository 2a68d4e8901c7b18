//! One application that several subflows share, as `GridFTP`'s MODE E (GFD.20) stripes a file: a
//! subflow that has less than a segment left to send takes the next chunk.

use std::sync::{Arc, Mutex, PoisonError};

use ackclock_units::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{App, Written};

/// The flow that a connection is part of. The connection is a subflow of a parallel transfer, or
/// one of several connections of a session. Subflows share the application of their flow. A
/// session's connections do not, and ignore `chunk_bytes`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubflowPlan {
    /// Name of the flow.
    pub name: String,
    /// Bytes that a subflow takes from the application at a time.
    pub chunk_bytes: u64,
    /// Whether the connection carries the flow's requests, in the other direction. It is then
    /// not counted with the subflows.
    #[serde(default)]
    pub is_request: bool,
}

impl SubflowPlan {
    /// Checks the size of a chunk.
    ///
    /// # Errors
    /// The chunk is empty.
    pub fn check(&self) -> Result<(), String> {
        if self.chunk_bytes == 0 {
            return Err("a chunk must have at least one byte".into());
        }
        Ok(())
    }
}

/// The share of one subflow in the application.
#[derive(Clone)]
pub struct Stripe {
    pool: Arc<Mutex<Pool>>,
    /// Bytes that this subflow has taken.
    taken: u64,
}

/// The application, shared by all subflows.
struct Pool {
    app: Box<dyn App>,
    written: Written,
    /// Bytes that all subflows have taken.
    taken: u64,
    chunk_bytes: u64,
}

impl Stripe {
    /// Makes the share of the first subflow. Clone it for the other subflows.
    #[must_use]
    pub fn of(app: Box<dyn App>, chunk_bytes: u64) -> Self {
        let pool = Pool { app, written: Written::NOTHING_YET, taken: 0, chunk_bytes };
        Self { pool: Arc::new(Mutex::new(pool)), taken: 0 }
    }
}

impl Pool {
    fn take(&mut self, now: Time) -> u64 {
        if self.written.next_write <= now || self.written.has_more && self.left() == 0 {
            self.written = self.app.written(now, true);
        }
        let chunk = self.left().min(self.chunk_bytes);
        self.taken += chunk;
        chunk
    }

    fn left(&self) -> u64 {
        self.written.bytes - self.taken
    }
}

impl App for Stripe {
    fn written(&mut self, now: Time, is_dry: bool) -> Written {
        if !is_dry {
            return Written {
                bytes: self.taken,
                closed: false,
                has_more: true,
                next_write: Time::MAX,
            };
        }
        // The simulator has one thread, so nobody waits here and nobody panicked.
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        self.taken += pool.take(now);
        let has_more = pool.left() > 0 || pool.written.has_more;
        Written {
            bytes: self.taken,
            closed: pool.written.closed && !has_more,
            has_more,
            next_write: if pool.left() > 0 { Time::MAX } else { pool.written.next_write },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{file::File, writes::Writes};
    use super::*;

    const MS: u64 = 1_000_000_000;

    #[test]
    fn chunks_go_to_who_has_sent_its_own_until_the_file_is_taken() {
        let mut stripe = Stripe::of(Box::new(File { size_bytes: 250 }), 100);
        let mut sibling = stripe.clone();
        let first = stripe.written(Time::ZERO, true);
        assert_eq!((first.bytes, first.closed, first.has_more), (100, false, true));
        assert_eq!(sibling.written(Time::ZERO, true).bytes, 100);
        // Nothing is taken while there is something to send.
        assert_eq!(stripe.written(Time::ZERO, false).bytes, 100);
        let last = stripe.written(Time::ZERO, true);
        assert_eq!((last.bytes, last.closed, last.has_more), (150, true, false));
        let none = sibling.written(Time::ZERO, true);
        assert_eq!((none.bytes, none.closed, none.has_more), (100, true, false));
    }

    #[test]
    fn later_writes_are_waited_for_by_all() {
        let writes = [(0, 50), (10 * MS, 150)];
        let mut stripe = Stripe::of(Box::new(Writes::new(&writes, Time::ZERO)), 100);
        let mut sibling = stripe.clone();
        let later = Time::from_ps(10 * MS);
        assert_eq!(stripe.written(Time::ZERO, true).bytes, 50);
        let waits = sibling.written(Time::ZERO, true);
        assert_eq!((waits.bytes, waits.closed, waits.next_write), (0, false, later));
        // The first subflow still has something to send, so the chunks go to the other.
        assert!(stripe.written(later, false).has_more);
        assert_eq!(sibling.written(later, true).bytes, 100);
        let last = sibling.written(later, true);
        assert_eq!((last.bytes, last.closed), (150, true));
    }
}
