//! One application that several connections carry, as `GridFTP`'s MODE E (GFD.20) stripes a file: whoever has sent what it
//! took, but for less than a segment, takes the next chunk.

use std::sync::{Arc, Mutex, PoisonError};

use ackclock_units::Time;

use super::{App, Written};

/// A connection's share of an application that it carries with others.
#[derive(Clone)]
pub struct Stripe {
    pool: Arc<Mutex<Pool>>,
    /// Bytes that this connection has taken.
    taken: u64,
}

/// What the connections take from.
struct Pool {
    app: Box<dyn App>,
    written: Written,
    /// Bytes that all connections have taken.
    taken: u64,
    chunk_bytes: u64,
}

impl Stripe {
    /// The first connection's share; the others' are its clones.
    #[must_use]
    pub fn of(app: Box<dyn App>, chunk_bytes: u64) -> Self {
        let pool = Pool {
            app,
            written: Written::NOTHING_YET,
            taken: 0,
            chunk_bytes,
        };
        Self {
            pool: Arc::new(Mutex::new(pool)),
            taken: 0,
        }
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
        let mut one = Stripe::of(Box::new(File { size_bytes: 250 }), 100);
        let mut two = one.clone();
        let first = one.written(Time::ZERO, true);
        assert_eq!((first.bytes, first.closed, first.has_more), (100, false, true));
        assert_eq!(two.written(Time::ZERO, true).bytes, 100);
        // Not while there is something to send.
        assert_eq!(one.written(Time::ZERO, false).bytes, 100);
        let last = one.written(Time::ZERO, true);
        assert_eq!((last.bytes, last.closed, last.has_more), (150, true, false));
        let none = two.written(Time::ZERO, true);
        assert_eq!((none.bytes, none.closed, none.has_more), (100, true, false));
    }

    #[test]
    fn later_writes_are_waited_for_by_all() {
        let writes = [(0, 50), (10 * MS, 150)];
        let mut one = Stripe::of(Box::new(Writes::new(&writes, Time::ZERO)), 100);
        let mut two = one.clone();
        let later = Time::from_ps(10 * MS);
        assert_eq!(one.written(Time::ZERO, true).bytes, 50);
        let waits = two.written(Time::ZERO, true);
        assert_eq!((waits.bytes, waits.closed, waits.next_write), (0, false, later));
        // One still has something to send: the chunks are the other's.
        assert!(one.written(later, false).has_more);
        assert_eq!(two.written(later, true).bytes, 100);
        let last = two.written(later, true);
        assert_eq!((last.bytes, last.closed), (150, true));
    }
}
