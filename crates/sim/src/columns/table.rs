//! The macro that defines tables recorded column by column.

use super::{Column, Room};

/// Values of a recorded column.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// 8 bits each.
    U8(&'a [u8]),
    /// 16 bits each.
    U16(&'a [u16]),
    /// 32 bits each.
    U32(&'a [u32]),
    /// 64 bits each.
    U64(&'a [u64]),
    /// Real numbers.
    F64(&'a [f64]),
}

macro_rules! values {
    ($($type:ty, $variant:ident, $name:literal;)+) => {
        $(impl<'a> From<&'a [$type]> for Values<'a> {
            fn from(values: &'a [$type]) -> Self {
                Self::$variant(values)
            }
        })+

        impl Values<'_> {
            /// Number of values.
            #[must_use]
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$variant(values) => values.len(),)+
                }
            }

            /// Whether there are no values.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Type of the values, as `NumPy` calls it.
            #[must_use]
            pub fn type_name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)+
                }
            }
        }
    };
}
values! {
    u8, U8, "uint8";
    u16, U16, "uint16";
    u32, U32, "uint32";
    u64, U64, "uint64";
    f64, F64, "float64";
}

/// A table recorded column by column.
pub trait Table {
    /// Shows every column with its values.
    fn each<'a>(&'a self, show: &mut dyn FnMut(Column, Values<'a>));

    /// Memory of a row, bytes.
    fn row_bytes(&self) -> usize;

    /// Rows of the table.
    fn height(&self) -> usize;

    /// Bound of the table, and whether it is full.
    fn room(&self) -> &Room;
}

/// Defines a table recorded column by column, and the struct of its rows, for its
/// `push`: `name: type = kind, "unit";`, with `as "name"` where files call the column something
/// else; after `with` the table's other fields. Not a number stands for a missing value.
#[macro_export]
macro_rules! table {
    (
        $(#[$meta:meta])*
        pub struct $table:ident of $row:ident {
            $(
                $(#[doc = $doc:expr])+
                $column:ident $(as $shown:literal)?:
                    $type:ty = $kind:ident $(($names:expr))?, $unit:literal;
            )+
        }
        $(with { $($(#[$extra_meta:meta])* pub $extra:ident: $extra_type:ty;)+ })?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
        pub struct $table {
            $($(#[doc = $doc])+ pub $column: Vec<$type>,)+
            $($($(#[$extra_meta])* pub $extra: $extra_type,)+)?
            /// Bound of the table, and whether it is full.
            pub room: $crate::columns::Room,
        }

        #[doc = concat!("A row of [`", stringify!($table), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $row {
            $($(#[doc = $doc])+ pub $column: $type,)+
        }

        impl $table {
            const ROW_BYTES: usize = 0 $(+ size_of::<$type>())+;

            /// An empty table that takes at most so much memory, bytes.
            #[must_use]
            pub fn bounded(max_bytes: u64) -> Self {
                let room = $crate::columns::Room::bytes(max_bytes, Self::ROW_BYTES);
                Self { room, ..Self::default() }
            }

            /// Whether there is place for one more row, which belongs to the moment `now`.
            #[inline]
            pub fn has_room(&mut self, now: ackclock_units::Time) -> bool {
                let rows = self.height();
                if self.room.is_ready(rows) {
                    return true;
                }
                let Self { room, $($column,)+ .. } = self;
                room.grow(rows, now, |more| {
                    true $(&& $column.try_reserve_exact(more).is_ok())+
                })
            }

            /// Adds a row; ask [`Self::has_room`] first.
            #[inline]
            pub fn push(&mut self, row: $row) {
                $(self.$column.push(row.$column);)+
            }

            /// Adds rows of the moment `now`, as many as there is place for.
            pub fn extend(&mut self, rows: &[$row], now: ackclock_units::Time) {
                let mut rows = rows;
                while !rows.is_empty() && self.has_room(now) {
                    let (fit, others) =
                        rows.split_at(rows.len().min(self.room.ready() - self.height()));
                    $(self.$column.extend(fit.iter().map(|row| row.$column));)+
                    rows = others;
                }
            }

            /// Removes the first `rows` rows, and keeps their memory for others.
            pub fn forget_first(&mut self, rows: usize) {
                $(self.$column.drain(..rows);)+
            }

            /// Rows of the table.
            #[inline]
            #[must_use]
            pub fn height(&self) -> usize {
                $crate::table!(@first self, $($column)+).len()
            }
        }

        impl $crate::columns::Table for $table {
            fn each<'a>(
                &'a self,
                show: &mut dyn FnMut($crate::columns::Column, $crate::columns::Values<'a>),
            ) {
                $(show(
                    $crate::columns::Column::new(
                        $crate::table!(@name $column $($shown)?),
                        $crate::columns::Kind::$kind $(($names))?,
                        $unit,
                        concat!($($doc),+),
                        false,
                    ),
                    $crate::columns::Values::from(self.$column.as_slice()),
                );)+
            }

            fn row_bytes(&self) -> usize {
                Self::ROW_BYTES
            }

            fn height(&self) -> usize {
                self.height()
            }

            fn room(&self) -> &$crate::columns::Room {
                &self.room
            }
        }
    };
    (@first $self:ident, $first:ident $($others:ident)*) => { $self.$first };
    (@name $column:ident) => { stringify!($column) };
    (@name $column:ident $shown:literal) => { $shown };
}

pub use table;
