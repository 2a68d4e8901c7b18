//! Algorithms that the catalogue does not list, for example ones written in Python. A program that
//! builds controllers may pass a [`Maker`] of them. Their names compose in a spec like the
//! catalogue's: `cos+python:mymodule:MyAvoidance`.

use super::{Make, SpecError};

/// Resolves the names in a spec that the catalogue lacks.
pub trait Maker {
    /// Finds the algorithm `name` with these arguments (key, value) as the user wrote them. `None`:
    /// the name is not of this maker's kind.
    fn part(&self, name: &str, arguments: &[(&str, &str)]) -> Option<Result<Part, SpecError>>;
}

/// An algorithm that a [`Maker`] has found.
#[derive(Debug)]
pub struct Part {
    /// Role and constructor of the algorithm.
    pub make: Make,
    /// Transport options that the name sets beside the controller, as (key, value).
    pub implies: Vec<(String, String)>,
}

/// A maker without algorithms: specs name what the catalogue lists.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMaker;

impl Maker for NoMaker {
    fn part(&self, _name: &str, _arguments: &[(&str, &str)]) -> Option<Result<Part, SpecError>> {
        None
    }
}
