//! Rows of flows that wait until the run has come past them, in a run by rounds.
//!
//! A sender makes the row of a change before its receiver and the links have come to that moment,
//! or after it. What the row says of them is filled in when it is written.

use ackclock_units::Time;

use crate::event::{Moment, Step};
use crate::net::later::due;
use crate::record::{FlowColumns, FlowSample, InternalColumns};

/// A row of a flow that waits.
#[derive(Clone, Debug)]
struct Row {
    step: Step,
    now: Time,
    sample: FlowSample,
    internals: Vec<(&'static str, f64)>,
    closes: bool,
}

/// Rows that wait.
#[derive(Clone, Debug)]
pub(super) struct LaterRows {
    pub step: Step,
    rows: Vec<Row>,
    delivered: Vec<(Step, u32, u64)>,
    /// By flow: bytes delivered and packets lost, up to the last row that was written.
    known: Vec<(u64, u64)>,
    /// Whether there is a row for every change. Otherwise rows are of closes alone: a receiver has
    /// all of its connection's data then, and no more.
    has_changes: bool,
}

impl LaterRows {
    pub fn new(has_changes: bool) -> Self {
        Self {
            step: Step::begins(Moment::before(Time::ZERO)),
            rows: Vec::new(),
            delivered: Vec::new(),
            known: Vec::new(),
            has_changes,
        }
    }

    pub fn row(&mut self, now: Time, sample: FlowSample) {
        let step = self.step;
        self.rows.push(Row { step, now, sample, internals: Vec::new(), closes: false });
    }

    /// Adds a variable of the algorithm to the latest row.
    pub fn internal(&mut self, name: &'static str, value: f64) {
        if let Some(row) = self.rows.last_mut() {
            row.internals.push((name, value));
        }
    }

    /// Removes window and rates from the latest row.
    pub fn close(&mut self) {
        if let Some(row) = self.rows.last_mut() {
            row.closes = true;
        }
    }

    /// A receiver has so much data in order.
    pub fn delivered(&mut self, flow: u32, bytes: u64) {
        if self.has_changes {
            self.delivered.push((self.step, flow, bytes));
        }
    }

    /// Begins the measured part of the run: losses count from now on.
    pub fn reset(&mut self) {
        for (_, lost) in &mut self.known {
            *lost = 0;
        }
    }

    fn known(&mut self, flow: u32) -> &mut (u64, u64) {
        let at = flow as usize;
        if at >= self.known.len() {
            self.known.resize(at + 1, (0, 0));
        }
        &mut self.known[at]
    }

    /// Writes the rows before `until`. `lost`: the losses by flow.
    pub fn flush(
        &mut self,
        until: Moment,
        lost: &mut Vec<(Step, u32)>,
        flows: &mut FlowColumns,
        internals: &mut InternalColumns,
    ) {
        let rows: Vec<Row> = due(&mut self.rows, until, |row| row.step).collect();
        let delivered: Vec<_> = due(&mut self.delivered, until, |note| note.0).collect();
        let mut delivered = delivered.into_iter().peekable();
        let mut lost = due(lost, until, |note| note.0).peekable();
        for row in rows {
            while let Some((_, flow, bytes)) = delivered.next_if(|note| note.0 <= row.step) {
                self.known(flow).0 = bytes;
            }
            while let Some((_, flow)) = lost.next_if(|note| note.0 <= row.step) {
                self.known(flow).1 += 1;
            }
            let (delivered, lost) = *self.known(row.sample.flow);
            let delivered = if self.has_changes { delivered } else { row.sample.delivered };
            if flows.has_room(row.now) {
                flows.push(FlowSample { delivered, lost, ..row.sample });
            }
            for (name, value) in row.internals {
                internals.add(row.now, row.sample.flow, name, value);
            }
            if row.closes {
                flows.close();
            }
        }
        for (_, flow, bytes) in delivered {
            self.known(flow).0 = bytes;
        }
        for (_, flow) in lost {
            self.known(flow).1 += 1;
        }
    }
}
