//! The list of all algorithms: a new one is a file and a line here.

use crate::entry::Entry;
use crate::{avoidance, controllers, pairs, slow_start};

static CATALOGUE: &[Entry] = &[
    slow_start::classic::ENTRY,
    slow_start::limited::ENTRY,
    slow_start::hystart::ENTRY,
    slow_start::hystartpp::ENTRY,
    slow_start::cos::ENTRY,
    pairs::vegas::slow_start::ENTRY,
    pairs::nv::slow_start::ENTRY,
    pairs::ledbatpp::slow_start::ENTRY,
    slow_start::search::ENTRY,
    pairs::multcp::slow_start::ENTRY,
    pairs::hybla::slow_start::ENTRY,
    avoidance::reno::ENTRY,
    avoidance::reno::TAHOE,
    avoidance::reno::NEWRENO,
    pairs::multcp::avoidance::ENTRY,
    avoidance::aimd::ENTRY,
    avoidance::binomial::ENTRY,
    avoidance::scalable::ENTRY,
    avoidance::highspeed::ENTRY,
    avoidance::cubic::ENTRY,
    avoidance::bic::ENTRY,
    avoidance::htcp::ENTRY,
    pairs::hybla::avoidance::ENTRY,
    avoidance::illinois::ENTRY,
    avoidance::veno::ENTRY,
    avoidance::westwood::ENTRY,
    avoidance::yeah::ENTRY,
    avoidance::compound::ENTRY,
    pairs::vegas::avoidance::ENTRY,
    pairs::vegas::stabilised::ENTRY,
    pairs::nv::avoidance::ENTRY,
    avoidance::fast::ENTRY,
    avoidance::lp::ENTRY,
    avoidance::ledbat::ENTRY,
    pairs::ledbatpp::avoidance::ENTRY,
    avoidance::cdg::ENTRY,
    avoidance::dctcp::ENTRY,
    avoidance::prague::ENTRY,
    controllers::bbr::ENTRY,
    controllers::bbr::LOWLAT,
    controllers::bbr3::ENTRY,
    controllers::copa::ENTRY,
    controllers::pcc::vivace::ENTRY,
    controllers::pcc::allegro::ENTRY,
];

/// All algorithms that a spec can name, in the order in which lists show them: slow starts first.
#[must_use]
pub fn catalogue() -> &'static [Entry] {
    CATALOGUE
}

/// The algorithm `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.name == name)
}
