//! Constructors of algorithms, which make one for a connection.

use std::borrow::Cow;
use std::sync::Arc;

use super::Values;
use crate::role::{Avoidance, SlowStart};
use crate::{CongestionControl, Setup};

/// Role of an algorithm, with the constructor that the role needs.
#[derive(Clone, Debug)]
pub enum Make {
    /// A slow start.
    SlowStart(Constructor<dyn SlowStart>),
    /// A congestion avoidance.
    Avoidance {
        /// Spec of the slow start that is used where the user names none.
        slow_start: Cow<'static, str>,
        /// Constructor of the avoidance.
        make: Constructor<dyn Avoidance>,
    },
    /// A whole controller, which has no separate slow start.
    Whole(Constructor<dyn CongestionControl>),
}

/// Function that makes an algorithm from the values of its parameters, for a connection.
pub type Function<T> = fn(&Values, &Setup) -> Box<T>;

/// Closure that makes an algorithm for a connection, or says why it does not.
pub type Closure<T> = dyn Fn(&Setup) -> Result<Box<T>, SpecError> + Send + Sync;

impl Make {
    /// A slow start of the catalogue.
    #[must_use]
    pub const fn slow_start(make: Function<dyn SlowStart>) -> Self {
        Self::SlowStart(Constructor::Function(make))
    }

    /// An avoidance of the catalogue. Where a spec does not name a slow start, the avoidance brings
    /// `slow_start`.
    #[must_use]
    pub const fn avoidance(slow_start: &'static str, make: Function<dyn Avoidance>) -> Self {
        Self::Avoidance { slow_start: Cow::Borrowed(slow_start), make: Constructor::Function(make) }
    }

    /// A whole controller of the catalogue.
    #[must_use]
    pub const fn whole(make: Function<dyn CongestionControl>) -> Self {
        Self::Whole(Constructor::Function(make))
    }
}

/// Makes algorithms of one role.
pub enum Constructor<T: ?Sized> {
    /// A function of the parameters' values. Algorithms of the catalogue have one.
    Function(Function<T>),
    /// A closure that knows its arguments and may refuse a connection. Algorithms of a
    /// [`Maker`](super::Maker) have one.
    Closure(Arc<Closure<T>>),
}

impl<T: ?Sized> Constructor<T> {
    /// Makes the algorithm for a connection. A closure ignores `values`.
    ///
    /// # Errors
    /// Passes on what a closure refuses. A function never fails.
    pub fn call(&self, values: &Values, setup: &Setup) -> Result<Box<T>, SpecError> {
        match self {
            Self::Function(make) => Ok(make(values, setup)),
            Self::Closure(make) => make(setup),
        }
    }
}

impl<T: ?Sized> Clone for Constructor<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Function(make) => Self::Function(*make),
            Self::Closure(make) => Self::Closure(Arc::clone(make)),
        }
    }
}

impl<T: ?Sized> core::fmt::Debug for Constructor<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Function(_) => "Function",
            Self::Closure(_) => "Closure",
        })
    }
}

/// Reason why a spec names no controller, as one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError(String);

impl SpecError {
    /// Error with this sentence.
    #[must_use]
    pub fn new(sentence: String) -> Self {
        Self(sentence)
    }
}

impl core::fmt::Display for SpecError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}
