//! The digest of a run: equal for equal results, on every machine.

use core::hash::Hasher;

use siphasher::sip::SipHasher13;

use crate::columns::{Rows, Value, Values};
use crate::output::{Output, RESULTS_VERSION};
use crate::rows::{FLOWS, LINKS, SESSIONS, STREAMS};

/// Bits that every "not a number" counts as: its sign and payload differ between processors.
const NOT_A_NUMBER: u64 = 0x7ff8_0000_0000_0000;

impl Output {
    /// The run's digest: 16 hexadecimal digits of a `SipHash`-1-3.
    ///
    /// It covers every counter of flows, streams, links and sessions and every value of every
    /// recorded table, to the last bit, with the columns' names. It also covers the time of the
    /// end, the number of events, and the version of the results' layout. The transfers of parallel
    /// connections are sums of covered counters, and are left out; so are tables without a row.
    ///
    /// A plan has one digest on every machine, natively and as WebAssembly. A run with another
    /// record has another digest.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hash = Hash(SipHasher13::new());
        hash.number(RESULTS_VERSION.into());
        hash.number(self.end.as_ps());
        hash.number(self.measured.as_ps());
        hash.number(self.events);
        hash.rows("flows", FLOWS, &self.flows);
        hash.rows("streams", STREAMS, &self.streams);
        hash.rows("links", LINKS, &self.links);
        hash.rows("sessions", SESSIONS, &self.sessions);
        for recorded in self.tables().iter().filter(|recorded| recorded.table.height() > 0) {
            hash.text(recorded.name);
            recorded.table.each(&mut |column, values| {
                hash.text(column.name);
                hash.values(values);
            });
            hash.number(recorded.names.len() as u64);
            for name in &recorded.names {
                hash.text(name);
            }
        }
        for (table, until) in self.recorded_until() {
            hash.text(table);
            hash.number(until.as_ps());
        }
        format!("{:016x}", hash.0.finish())
    }
}

struct Hash(SipHasher13);

impl Hash {
    fn number(&mut self, number: u64) {
        // The hasher takes the bytes as they lie in memory.
        self.0.write_u64(number.to_le());
    }

    fn real(&mut self, number: f64) {
        self.number(if number.is_nan() { NOT_A_NUMBER } else { number.to_bits() });
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.write(text.as_bytes());
    }

    fn rows<T>(&mut self, table: &str, parts: &Rows<T>, rows: &[T]) {
        self.text(table);
        self.number(rows.len() as u64);
        for row in rows {
            for part in parts {
                part.values(row, &mut |column, value| {
                    self.text(column.name);
                    match value {
                        Value::Integer(number) => self.number(number),
                        Value::Real(number) => self.real(number),
                        Value::Text(text) => self.text(text),
                        Value::Missing => self.real(f64::NAN),
                    }
                });
            }
        }
    }

    fn values(&mut self, values: Values) {
        self.number(values.len() as u64);
        match values {
            Values::U8(values) => self.0.write(values),
            Values::U16(values) => values.iter().for_each(|value| self.number((*value).into())),
            Values::U32(values) => values.iter().for_each(|value| self.number((*value).into())),
            Values::U64(values) => values.iter().for_each(|value| self.number(*value)),
            Values::F64(values) => values.iter().for_each(|value| self.real(*value)),
        }
    }
}
