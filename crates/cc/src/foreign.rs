//! Algorithms that the catalogue does not list, such as those of another language: whoever builds controllers may bring a
//! [`Maker`] of them. They take part in a spec like the catalogue's own: `cos+python:mymodule:MyAvoidance`.

use crate::avoidance::Avoidance;
use crate::registry::SpecError;
use crate::slow_start::SlowStart;
use crate::{CongestionControl, Setup};

/// Makes the parts of a spec whose names the catalogue lacks.
pub trait Maker {
    /// What `name` names with these arguments, as they are written; `None`: nothing of this maker's kind.
    fn part(&self, name: &str, arguments: &[(&str, &str)]) -> Option<Result<Part, SpecError>>;
}

/// A part of a spec.
pub struct Part {
    /// How it is made, which is also its role.
    pub make: Make,
    /// Transport options that it stands for, as (key, value).
    pub implies: Vec<(String, String)>,
}

/// Makes an algorithm for a connection.
pub type Constructor<T> = Box<dyn FnOnce(&Setup) -> Result<Box<T>, SpecError>>;

/// How a part is made.
pub enum Make {
    /// A slow start.
    SlowStart(Constructor<dyn SlowStart>),
    /// An avoidance, and the slow start that comes with it where none is named.
    Avoidance {
        /// That slow start, as in a spec.
        slow_start: String,
        /// The constructor.
        make: Constructor<dyn Avoidance>,
    },
    /// A whole controller.
    Whole(Constructor<dyn CongestionControl>),
}

/// Knows nothing beyond the catalogue.
pub struct Nothing;

impl Maker for Nothing {
    fn part(&self, _name: &str, _arguments: &[(&str, &str)]) -> Option<Result<Part, SpecError>> {
        None
    }
}
