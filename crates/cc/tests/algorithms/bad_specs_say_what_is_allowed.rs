//! Does a spec that names nothing say, in one sentence, what is wrong and what is allowed?

use ackclock_cc::entry::Value;
use ackclock_cc::registry::{build, catalogue, check, implied};

use crate::driver::setup;

#[track_caller]
fn refused(spec: &str, parts: &[&str]) {
    let message = check(spec).expect_err("a bad spec").to_string();
    for part in parts {
        assert!(message.contains(part), "{spec}: {message}");
    }
    assert!(!message.contains('\n') && message.ends_with('.'), "{message}");
}

#[test]
fn a_misspelt_name() {
    refused("renno", &["'renno'", "did you mean 'reno'?", "cubic"]);
    refused("Cubic", &["did you mean 'cubic'?"]);
    refused("cos+cubik", &["did you mean 'cubic'?"]);
    refused("cso+reno", &["did you mean 'cos'?"]);
    refused("west", &["did you mean 'westwood'?"]);
    refused("", &["There is no congestion control ''", "reno"]);
    refused("+reno", &["no congestion control ''"]);
}

#[test]
fn a_wrong_role_or_order() {
    refused("cos", &["is a slow start", "'cos+reno'"]);
    refused("reno+cos", &["the slow start comes first", "'cos+reno'"]);
    refused("cos+classic", &["both are slow starts"]);
    refused("reno+cubic", &["both are avoidances"]);
    refused("cos+reno+reno", &["3 parts"]);
}

#[test]
fn a_wrong_parameter() {
    refused(
        "cubic(betta=0.7)",
        &["no parameter 'betta'", "did you mean 'beta'?", "fast_convergence"],
    );
    refused("reno(x=1)", &["no parameter 'x'", "none at all"]);
    refused("cubic(beta=2)", &["beta = '2'", "from 0.1 to 0.99", "default 0.7"]);
    refused("cubic(beta=fast)", &["beta = 'fast'", "a number"]);
    refused("cubic(beta=nan)", &["a number"]);
    refused("cubic(linux=1)", &["true or false", "default true"]);
    refused("cubic(beta)", &["parameter=value"]);
    refused("cubic(beta=0.7, beta=0.8)", &["twice"]);
    refused("cubic(beta=0.7", &["parentheses"]);
    refused("cubic)", &["cubic)"]);
}

#[test]
fn good_specs_are_built() {
    for spec in [
        "reno",
        "cos+reno",
        " cos( sigma = 4 ) + cubic( beta = 0.8 , fast_convergence = false ) ",
        "hystart(ack_delta=1e+1)+cubic",
        "cubic()",
        "cubic(linux=false)",
        "cos+newreno",
        "bbr(quirks=ns3.35)",
        "bbr(quirks=intervals+dips)",
    ] {
        assert!(build(spec, &setup(10, None)).is_ok(), "{spec}: {:?}", check(spec));
    }
}

#[test]
fn every_entry_of_the_catalogue_is_built_with_its_defaults_and_its_bounds() {
    for entry in catalogue() {
        let with = |arguments: &str| match entry.role() {
            "slow start" => format!("{}({arguments})+reno", entry.name),
            _ => format!("{}({arguments})", entry.name),
        };
        for parameter in entry.parameters {
            let mut values = vec![parameter.default.to_string()];
            match parameter.default {
                Value::Number(_) => values.extend([
                    parameter.range.start().to_string(),
                    parameter.range.end().to_string(),
                ]),
                Value::Flag(_) => values.extend(["true".to_owned(), "false".to_owned()]),
                Value::Choice(_, all) => values.extend(all.iter().map(ToString::to_string)),
            }
            for value in values {
                let spec = with(&format!("{}={value}", parameter.name));
                assert!(check(&spec).is_ok(), "{spec}: {:?}", check(&spec));
            }
        }
        assert!(check(&with("")).is_ok());
    }
}

#[test]
fn names_that_stand_for_transport_options_say_so() {
    let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    assert_eq!(
        implied("cos+tahoe"),
        Ok([("loss_detection", "dupack"), ("dupack_recovery", "tahoe")].map(owned).to_vec())
    );
    assert_eq!(implied("reno"), Ok(Vec::new()));
}

proptest::proptest! {
    /// No text panics, and a spec can be checked if and only if it can be built.
    #[test]
    fn no_text_panics(
        any in "\\PC{0,30}",
        words in "(reno|cubic|cos|bbr|hystart|beta|low|true|1e400|0\\.8|-1|nan|[-+(),=. ]){0,12}",
    ) {
        for spec in [any, words] {
            assert_eq!(check(&spec).is_ok(), build(&spec, &setup(10, None)).is_ok(), "{spec}");
            assert_eq!(check(&spec).is_ok(), implied(&spec).is_ok(), "{spec}");
        }
    }

    /// A user can write every parameter of every entry, with any value in its range.
    #[test]
    fn every_value_in_range_is_taken(share in 0.0..=1.0_f64) {
        for entry in catalogue() {
            let head = if entry.role() == "slow start" { "+reno" } else { "" };
            for parameter in entry.parameters {
                let Value::Number(_) = parameter.default else { continue };
                let (from, to) = (parameter.range.start(), parameter.range.end());
                let value = (from + share * (to - from)).clamp(*from, *to);
                let spec = format!("{}({}={value}){head}", entry.name, parameter.name);
                assert_eq!(check(&spec), Ok(()), "{spec}");
            }
        }
    }
}
