//! How well a run was conducted.
