//! Macros that define columns of rows: what is counted, and what is calculated from it.

/// Defines a struct of counters: `name: type = rule, kind, "unit";` in groups of neighbouring
/// columns, and after `with` the fields that are no columns, `name: type = rule;`.
///
/// The rule says how the counters of subflows become the counter of their aggregate. It is `sum`,
/// `mean`, `max`, `min`, `all` (the largest, if every subflow has a value), `earliest` (of pairs of
/// a value and a time) or `first` (the value of the first subflow). A field that is itself a struct
/// of counters applies its own rules: its rule here is `mean` if any of its fields is a mean, and
/// `sum` otherwise. The doc comment of a counter is the meaning in every table and page. Each group
/// becomes a constant, which a table's `Rows` lists.
macro_rules! counters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($group:ident {
                $(
                    $(#[doc = $doc:expr])+
                    $field:ident: $type:ty = $rule:ident, $kind:ident, $unit:literal;
                )+
            })*
        }
        $(with {
            $(
                $(#[$extra_meta:meta])*
                $visible:vis $extra:ident: $extra_type:ty = $extra_rule:ident;
            )+
        })?
    ) => {
        $(#[$meta])*
        #[derive(serde::Serialize, serde::Deserialize)]
        pub struct $name {
            $($($(#[doc = $doc])+ pub $field: $type,)+)*
            $($($(#[$extra_meta])* $visible $extra: $extra_type,)+)?
        }

        impl $name {
            $(
                pub(crate) const $group: &'static [$crate::columns::Field<Self>] = &[$(
                    $crate::columns::Field {
                        column: $crate::columns::Column::new(
                            stringify!($field),
                            $crate::columns::Kind::$kind,
                            $unit,
                            concat!($($doc),+),
                            <$type as $crate::columns::Shown>::IS_OPTIONAL,
                        ),
                        value: |it| $crate::columns::Shown::shown(it.$field),
                    },
                )+];
            )*
        }

        impl $crate::columns::Sum for $name {
            fn add(&mut self, other: &Self) {
                $($($crate::columns::counters!(@add $rule, self.$field, other.$field);)+)*
                $($($crate::columns::counters!(@add $extra_rule, self.$extra, other.$extra);)+)?
            }
        }

        impl $crate::columns::Divide for $name {
            fn divide(&mut self, count: u64) {
                // Only the rule `mean` divides.
                let _ = count;
                $($($crate::columns::counters!(@divide $rule, self.$field, count);)+)*
                $($($crate::columns::counters!(@divide $extra_rule, self.$extra, count);)+)?
            }
        }
    };
    (@add sum, $mine:expr, $theirs:expr) => {
        $crate::columns::Sum::add(&mut $mine, &$theirs)
    };
    (@add mean, $mine:expr, $theirs:expr) => {
        $crate::columns::Sum::add(&mut $mine, &$theirs)
    };
    (@add max, $mine:expr, $theirs:expr) => {
        $mine = $mine.max($theirs)
    };
    (@add min, $mine:expr, $theirs:expr) => {
        $mine = $mine.min($theirs)
    };
    (@add all, $mine:expr, $theirs:expr) => {
        $mine = $mine.zip($theirs).map(|(mine, theirs)| mine.max(theirs))
    };
    (@add earliest, $mine:expr, $theirs:expr) => {
        $mine = [$mine, $theirs].into_iter().flatten().min_by_key(|(_, at)| *at)
    };
    (@add first, $mine:expr, $theirs:expr) => {};
    (@divide mean, $sum:expr, $count:ident) => {
        $crate::columns::Divide::divide(&mut $sum, $count)
    };
    (@divide $other:ident, $sum:expr, $count:ident) => {};
}

/// Defines columns that are calculated from a row: `name: type = kind, "unit", value;` in groups.
macro_rules! columns {
    (
        impl $row:ty as $it:ident {
            $($group:ident {
                $(
                    $(#[doc = $doc:expr])+
                    $name:ident: $type:ty = $kind:ident, $unit:literal, $value:expr;
                )+
            })+
        }
    ) => {
        impl $row {
            $(
                pub(crate) const $group: &'static [$crate::columns::Field<Self>] = &[$(
                    $crate::columns::Field {
                        column: $crate::columns::Column::new(
                            stringify!($name),
                            $crate::columns::Kind::$kind,
                            $unit,
                            concat!($($doc),+),
                            <$type as $crate::columns::Shown>::IS_OPTIONAL,
                        ),
                        value: |$it| {
                            let value: $type = $value;
                            $crate::columns::Shown::shown(value)
                        },
                    },
                )+];
            )+
        }
    };
}

/// Defines the group of a histogram's columns: count, extremes, mean and percentiles.
macro_rules! spread {
    (impl $row:ty as $it:ident; $group:ident, $prefix:literal, $what:literal, $histogram:expr) => {
        impl $row {
            pub(crate) const $group: &'static [$crate::columns::Field<Self>] = &[
                $crate::columns::Field {
                    column: $crate::columns::Column::new(
                        concat!($prefix, "_count"),
                        $crate::columns::Kind::Integer,
                        "1",
                        concat!("Samples of the ", $what, "."),
                        false,
                    ),
                    value: |$it| $crate::columns::Shown::shown($histogram.count()),
                },
                $crate::columns::spread!(
                    @s $prefix, "min", "Minimum", $what, |$it| $histogram.min()
                ),
                $crate::columns::spread!(
                    @s $prefix, "mean", "Mean", $what, |$it| $histogram.mean()
                ),
                $crate::columns::spread!(
                    @s $prefix, "p50", "Median", $what, |$it| $histogram.quantile(0.50)
                ),
                $crate::columns::spread!(
                    @s $prefix, "p95", "95th percentile", $what, |$it| $histogram.quantile(0.95)
                ),
                $crate::columns::spread!(
                    @s $prefix, "p99", "99th percentile", $what, |$it| $histogram.quantile(0.99)
                ),
                $crate::columns::spread!(
                    @s $prefix, "max", "Maximum", $what, |$it| $histogram.max()
                ),
            ];
        }
    };
    (@s $prefix:literal, $name:literal, $label:literal, $what:literal, |$it:ident| $value:expr) => {
        $crate::columns::Field {
            column: $crate::columns::Column::new(
                concat!($prefix, "_", $name),
                $crate::columns::Kind::Real,
                "s",
                concat!($label, " of the ", $what, "; null without samples."),
                true,
            ),
            value: |$it| $crate::columns::Shown::shown($value),
        }
    };
}

pub(crate) use {columns, counters, spread};
