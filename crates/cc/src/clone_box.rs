//! Copies of algorithms in boxes, for every algorithm that is `Clone`.

pub(crate) use std::any::Any;

/// Defines the trait `$copied` of algorithms of the role `$role` that can be copied in a box.
macro_rules! copies_in_box {
    ($role:ident, $copied:ident) => {
        /// Copies an algorithm into a box; every algorithm that is `Clone` has this trait.
        pub trait $copied {
            /// A copy of the algorithm with its state.
            fn clone_box(&self) -> Box<dyn $role>;
            /// Puts a copy of the algorithm with its state into `kept`. The box of an earlier copy
            /// is used again.
            fn copy_into(&self, kept: &mut Option<Box<dyn $role>>);
            /// The algorithm as any type.
            fn as_any(&mut self) -> &mut dyn $crate::clone_box::Any;
        }

        impl<T: $role + Clone + 'static> $copied for T {
            fn clone_box(&self) -> Box<dyn $role> {
                Box::new(self.clone())
            }

            fn copy_into(&self, kept: &mut Option<Box<dyn $role>>) {
                let earlier = kept.as_mut().map(|kept| (**kept).as_any());
                match earlier.and_then(|earlier| earlier.downcast_mut::<T>()) {
                    Some(earlier) => earlier.clone_from(self),
                    None => *kept = Some(self.clone_box()),
                }
            }

            fn as_any(&mut self) -> &mut dyn $crate::clone_box::Any {
                self
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
