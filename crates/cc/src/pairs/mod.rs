//! Algorithms that are an avoidance and the slow start made for it: a folder for each pair.

pub(crate) mod hybla;
pub(crate) mod ledbatpp;
pub(crate) mod multcp;
pub(crate) mod nv;
pub(crate) mod vegas;
