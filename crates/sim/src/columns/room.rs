//! The bound of each table of the record: a run never takes more memory for one than its plan says.

use ackclock_units::Time;
use serde::{Deserialize, Serialize};

/// Rows that a table is given place for at first.
const LEAST_ROWS: usize = 1024;

/// Bound of a table, and how near the table is to it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Room {
    /// Rows that fit into the memory that the table has.
    ready: usize,
    /// Rows that the table may have.
    most: usize,
    full_at: Option<Time>,
}

impl Default for Room {
    /// Without a bound.
    fn default() -> Self {
        Self::rows(usize::MAX)
    }
}

impl Room {
    /// For at most this many rows.
    #[must_use]
    pub fn rows(most: usize) -> Self {
        Self { ready: 0, most, full_at: None }
    }

    /// For the rows of so many bytes each that fit into `max_bytes`.
    #[must_use]
    pub fn bytes(max_bytes: u64, row_bytes: usize) -> Self {
        let most = max_bytes / u64::try_from(row_bytes.max(1)).unwrap_or(u64::MAX);
        Self::rows(usize::try_from(most).unwrap_or(usize::MAX))
    }

    /// Time of the first row that did not fit; `None`: no row is missing.
    #[must_use]
    pub fn full_at(&self) -> Option<Time> {
        self.full_at
    }

    /// Whether one more row than `rows` fits without asking for memory.
    #[inline]
    #[must_use]
    pub fn is_ready(&self, rows: usize) -> bool {
        rows < self.ready
    }

    /// Rows that fit into the memory that the table has.
    #[inline]
    #[must_use]
    pub fn ready(&self) -> usize {
        self.ready
    }

    /// Makes place for more rows than `rows`: `reserve` asks for memory for so many more, and says
    /// whether it was given. Returns whether there is place for one.
    #[cold]
    pub fn grow(&mut self, rows: usize, now: Time, reserve: impl FnOnce(usize) -> bool) -> bool {
        let more = rows.max(LEAST_ROWS).min(self.most.saturating_sub(rows));
        if self.full_at.is_none() && more > 0 && reserve(more) {
            self.ready = rows + more;
            return true;
        }
        self.full_at.get_or_insert(now);
        self.ready = 0;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::table;
    use ackclock_units::Duration;

    table! {
        /// A table of two columns.
        pub struct Seconds of Second {
            /// Number of the second.
            number: u64 = Integer, "s";
            /// Anything.
            other: u8 = Integer, "";
        }
    }

    #[test]
    fn a_full_table_says_since_when_and_takes_no_more() {
        let mut table = Seconds::bounded(3 * 9 + 1);
        for number in 0..9 {
            let now = Time::ZERO + Duration::from_secs(number);
            if table.has_room(now) {
                table.push(Second { number, other: 0 });
            }
        }
        assert_eq!(table.number, [0, 1, 2]);
        assert_eq!(table.room.full_at(), Some(Time::ZERO + Duration::from_secs(3)));
        assert!(table.number.capacity() <= 3 && table.other.capacity() <= 3);
    }

    #[test]
    fn rows_that_come_together_fill_a_table_as_one_after_another() {
        let rows: Vec<Second> = (0..5).map(|number| Second { number, other: 1 }).collect();
        let now = |seconds| Time::ZERO + Duration::from_secs(seconds);
        let mut table = Seconds::bounded(7 * 9);
        table.extend(&rows, now(1));
        assert_eq!(
            (table.number.as_slice(), table.room.full_at()),
            ([0, 1, 2, 3, 4].as_slice(), None)
        );
        table.extend(&rows, now(2));
        assert_eq!(table.number, [0, 1, 2, 3, 4, 0, 1]);
        assert_eq!((table.other.len(), table.room.full_at()), (7, Some(now(2))));
    }

    #[test]
    fn rows_that_are_forgotten_leave_their_memory_to_others() {
        let now = Time::ZERO + Duration::from_secs(1);
        let mut table = Seconds::bounded(4 * 9);
        for number in 0..20 {
            assert!(table.has_room(now));
            table.push(Second { number, other: 1 });
            table.forget_first(table.height().saturating_sub(2));
        }
        assert_eq!((table.number.as_slice(), table.other.len()), ([18, 19].as_slice(), 2));
        assert_eq!(table.room.full_at(), None);
    }

    #[test]
    fn memory_that_is_not_given_ends_a_table_and_not_the_run() {
        let mut room = Room::default();
        assert!(!room.grow(5, Time::ZERO, |_| false));
        assert!(!room.is_ready(0));
        assert_eq!(room.full_at(), Some(Time::ZERO));
    }
}
