//! Builds a controller from its spec.
//!
//! A spec is `AVOIDANCE`, `SLOW_START+AVOIDANCE` or `WHOLE`: `reno`, `cos+reno`,
//! `cubic(beta=0.8)`, `bbr`. Each part may carry parameters in parentheses. An avoidance without a
//! slow start brings the one that it is deployed with, and passes on the parameters that both have
//! (`hybla(rtt0=50)`).

mod catalogue;
mod spec;

pub use crate::entry::SpecError;
pub use catalogue::catalogue;

use crate::entry::{Maker, NoMaker};
use crate::{CongestionControl, Setup};
use spec::Spec;

/// Builds the controller that `spec` names, for a connection.
///
/// # Errors
/// Says which part of `spec` is wrong and what is allowed there.
pub fn build(spec: &str, setup: &Setup) -> Result<Box<dyn CongestionControl>, SpecError> {
    build_with(spec, setup, &NoMaker)
}

/// Builds the controller that `spec` names, for a connection; `maker` resolves names that the
/// catalogue lacks.
///
/// # Errors
/// Says which part of `spec` is wrong and what is allowed there, or why the maker refuses.
pub fn build_with(
    spec: &str,
    setup: &Setup,
    maker: &dyn Maker,
) -> Result<Box<dyn CongestionControl>, SpecError> {
    Spec::parse(spec, maker)?.build(setup)
}

/// Checks that `spec` names a controller.
///
/// # Errors
/// Says which part of `spec` is wrong and what is allowed there.
pub fn check(spec: &str) -> Result<(), SpecError> {
    check_with(spec, &NoMaker)
}

/// Checks that `spec` names a controller; `maker` resolves names that the catalogue lacks. Nothing
/// is constructed.
///
/// # Errors
/// Says which part of `spec` is wrong and what is allowed there, or why the maker refuses.
pub fn check_with(spec: &str, maker: &dyn Maker) -> Result<(), SpecError> {
    Spec::parse(spec, maker).map(|_| ())
}

/// Transport options that `spec` sets beside the controller, as (key, value). They are those of its
/// avoidance or whole controller.
///
/// # Errors
/// Says which part of `spec` is wrong and what is allowed there.
pub fn implied(spec: &str) -> Result<Vec<(String, String)>, SpecError> {
    implied_with(spec, &NoMaker)
}

/// Transport options that `spec` sets beside the controller, as (key, value); `maker` resolves
/// names that the catalogue lacks.
///
/// # Errors
/// Says which part of `spec` is wrong and what is allowed there, or why the maker refuses.
pub fn implied_with(spec: &str, maker: &dyn Maker) -> Result<Vec<(String, String)>, SpecError> {
    Spec::parse(spec, maker).map(|spec| spec.implies)
}
