//! How an algorithm describes itself: its name, its parameters, and how it is made.

mod make;
mod maker;
mod parameter;
pub mod traits;

pub use make::{Constructor, Make, SpecError};
pub use maker::{Maker, NoMaker, Part};
pub use parameter::{Parameter, Value, Values};
pub use traits::Traits;

/// An algorithm that a spec can name. Each algorithm's file has one as a constant.
#[derive(Debug)]
pub struct Entry {
    /// Name in a spec.
    pub name: &'static str,
    /// One line for a list of algorithms.
    pub summary: &'static str,
    /// Parameters that may stand in parentheses after the name.
    pub parameters: &'static [Parameter],
    /// RFC, draft or paper that specifies the algorithm.
    pub reference: &'static str,
    /// Transport options that the name sets beside the controller, as (key, value).
    pub implies: &'static [(&'static str, &'static str)],
    /// Traits of the algorithm, for readers who know only its name.
    pub traits: Traits,
    /// Role and constructor of the algorithm.
    pub make: Make,
}

impl Entry {
    /// Role of the algorithm: "slow start", "avoidance" or "whole".
    #[must_use]
    pub fn role(&self) -> &'static str {
        match self.make {
            Make::SlowStart(_) => "slow start",
            Make::Avoidance { .. } => "avoidance",
            Make::Whole(_) => "whole",
        }
    }

    /// Slow start of an avoidance that is named alone; `None` for other roles.
    #[must_use]
    pub fn slow_start(&self) -> Option<&str> {
        match &self.make {
            Make::Avoidance { slow_start, .. } => Some(slow_start),
            Make::SlowStart(_) | Make::Whole(_) => None,
        }
    }
}
