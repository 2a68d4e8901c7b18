//! A capture that was dropped on the page.

use std::io::Cursor;

use ackclock_pcap::Layout;
use ackclock_sim::columns::Table;
use serde_json::{Value, json};

use crate::table;

/// A connection of a capture, with the tables that the page reads.
pub struct Capture {
    layout: Layout,
}

impl Capture {
    /// Reads a capture and lays out a connection; by default the one with most payload. `name` is
    /// the file's name.
    pub fn read(bytes: &[u8], number: Option<usize>, name: &str) -> Result<(Self, Value), String> {
        let listing = ackclock_pcap::list(Cursor::new(bytes)).map_err(|it| it.to_string())?;
        let number = number.unwrap_or_else(|| listing.largest());
        let layout =
            ackclock_pcap::lay_out(Cursor::new(bytes), number).map_err(|it| it.to_string())?;
        let path = ackclock_pcap::estimate(&layout);
        let scenario = path.as_ref().ok().map(|it| ackclock_pcap::scenario(&layout, it, name));
        let answer = json!({
            "listing": listing,
            "figures": layout.figures,
            "path": path.as_ref().ok(),
            "why_no_path": path.as_ref().err(),
            "scenario": scenario,
        });
        Ok((Self { layout }, answer))
    }

    /// Describes a table's columns.
    pub fn table(&self, name: &str) -> Option<Value> {
        let table: &dyn Table = match name {
            "segments" => &self.layout.segments,
            "sacks" => &self.layout.sacks,
            "rates" => &self.layout.rates,
            _ => return None,
        };
        Some(table::describe(table, 0..table.height()))
    }
}
