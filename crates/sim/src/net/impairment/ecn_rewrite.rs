//! Rewritten ECN fields: a router, a tunnel or a firewall on the way changes two bits of the IP
//! header.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Crossing, Impairment};
use crate::packet::Ecn;

/// Parameters of a rewriting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EcnRewritePlan {
    /// Codepoints that change.
    pub rule: EcnRule,
}

/// Codepoints that a rewriting changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EcnRule {
    /// ECT(0), ECT(1) and CE become Not-ECT (RFC 3168 section 18.1.3, "Disabling
    /// ECN-Capability").
    Bleach,
    /// A packet that the link's queue marked gets back the codepoint with which it reached the
    /// link (RFC 3168 section 18.1.1, "Erasing the Congestion Indication"). A tunnel does so whose
    /// egress drops the outer header without a look at it. RFC 6040 section 4.2 lets an outer CE
    /// over an inner ECT leave as CE. A packet that carried CE before keeps it, as an inner header
    /// does.
    ClearCe,
    /// ECT(1) becomes ECT(0), so that a packet of a scalable flow looks like one of a classic flow
    /// (RFC 9331 section 4.1).
    #[serde(rename = "ect1-to-ect0")]
    Ect1ToEct0,
}

/// Rewrites the ECN field of every packet, pure ACKs included.
pub struct EcnRewrite {
    plan: EcnRewritePlan,
}

impl EcnRewrite {
    /// Makes the impairment of a plan.
    #[must_use]
    pub fn new(plan: EcnRewritePlan) -> Self {
        Self { plan }
    }
}

impl Impairment for EcnRewrite {
    fn apply(&mut self, crossing: &mut Crossing) {
        let ecn = &mut crossing.packet.ecn;
        *ecn = match (self.plan.rule, *ecn) {
            (EcnRule::Bleach, _) => Ecn::NotEct,
            (EcnRule::ClearCe, Ecn::Ce) => crossing.entered,
            (EcnRule::Ect1ToEct0, Ecn::Ect1) => Ecn::Ect0,
            (_, same) => same,
        };
    }
}
