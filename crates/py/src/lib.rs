//! Python's view of the engine: the module `ackclock._core`. Conversions and errors only; what they
//! mean is documented in `_core.pyi`.

use pyo3::prelude::*;

mod build;
mod capture;
mod columns;
mod distributions;
mod draw;
#[cfg(target_os = "linux")]
mod linux;
mod pcap;
mod plugin;
mod registry;
mod run;
mod schema;
mod script;
mod units;

/// The compiled core of ackclock.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::build::build;
    #[pymodule_export]
    use crate::capture::{capture_columns, lay_out_capture, list_capture};
    #[pymodule_export]
    use crate::columns::{columns, row_bytes};
    #[pymodule_export]
    use crate::distributions::{binomial_cdf, student_cdf, student_quantile};
    #[pymodule_export]
    use crate::draw::{check_distribution, draw, mean};
    #[cfg(target_os = "linux")]
    #[pymodule_export]
    use crate::linux::{kernel, linux_packets_per_second, run_linux, run_random};
    #[pymodule_export]
    use crate::plugin::Stream;
    #[pymodule_export]
    use crate::plugin::events::{
        AckEvent, CongestionEvent, Exit, ExitAt, Interval, IntervalStart, LostSegment, RateSample,
        Round, RoundSummary, Window,
    };
    #[pymodule_export]
    use crate::registry::{check_cc, implied_by_cc, list_cc, list_qdisc};
    #[pymodule_export]
    use crate::run::{Run, check_plan, run, run_from_bytes};
    #[cfg(target_os = "linux")]
    #[pymodule_export]
    use crate::schema::linux_plan_schema;
    #[pymodule_export]
    use crate::schema::plan_schema;
    #[pymodule_export]
    use crate::script::PacketScript;
    #[pymodule_export]
    use crate::units::{
        format_rate, format_size, format_time, nearest, parse_rate, parse_size, parse_time,
    };
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("RESULTS_VERSION", ackclock_sim::output::RESULTS_VERSION)
    }
}
