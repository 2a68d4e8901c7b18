//! Copies of algorithms in boxes, for every algorithm that is `Clone`.

/// Defines the trait `$copied` of algorithms of the role `$role` that can be copied in a box.
macro_rules! copies_in_box {
    ($role:ident, $copied:ident) => {
        /// Copies an algorithm into a box; every algorithm that is `Clone` has this trait.
        pub trait $copied {
            /// A copy of the algorithm with its state.
            fn clone_box(&self) -> Box<dyn $role>;
        }

        impl<T: $role + Clone + 'static> $copied for T {
            fn clone_box(&self) -> Box<dyn $role> {
                Box::new(self.clone())
            }
        }

        impl Clone for Box<dyn $role> {
            fn clone(&self) -> Self {
                (**self).clone_box()
            }
        }
    };
}

pub(crate) use copies_in_box;
