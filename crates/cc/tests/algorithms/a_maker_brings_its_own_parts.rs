//! Do parts that the catalogue lacks compose with its own, and do their makers' errors come
//! through?

use std::sync::Arc;

use ackclock_cc::Setup;
use ackclock_cc::avoidance::{Avoidance, Reno};
use ackclock_cc::entry::{Constructor, Make, Maker, Part, SpecError};
use ackclock_cc::registry::{build_with, check, check_with, implied_with};
use ackclock_cc::slow_start::Classic;
use ackclock_cc::windowed::Windowed;

use crate::driver::{MSS, setup};

/// `own:start`, `own:avoidance(setup=MSS)`, which is refused on a connection with another mss, and
/// `own:whole`.
struct Own;

fn avoidance_for(mss: Option<u64>) -> impl Fn(&Setup) -> Result<Box<dyn Avoidance>, SpecError> {
    move |setup| match mss {
        Some(mss) if mss != setup.mss => {
            Err(SpecError::new(format!("own:avoidance: {} is not {mss}.", setup.mss)))
        }
        _ => Ok(Box::new(Reno::default())),
    }
}

impl Maker for Own {
    fn part(&self, name: &str, arguments: &[(&str, &str)]) -> Option<Result<Part, SpecError>> {
        let make = match name.strip_prefix("own:")? {
            "start" => Make::SlowStart(Constructor::Closure(Arc::new(|_| Ok(Box::new(Classic))))),
            "avoidance" => Make::Avoidance {
                slow_start: "cos(sigma=3)".into(),
                make: Constructor::Closure(Arc::new(avoidance_for(
                    arguments.first().map(|(_, mss)| mss.parse().expect("a number")),
                ))),
            },
            "whole" => Make::Whole(Constructor::Closure(Arc::new(|setup| {
                let whole = Windowed::new(setup, Box::new(Classic), Box::new(Reno::default()));
                Ok(Box::new(whole))
            }))),
            other => return Some(Err(SpecError::new(format!("there is no own:{other}.")))),
        };
        Some(Ok(Part { make, implies: vec![("pacing".to_owned(), "cc".to_owned())] }))
    }
}

#[test]
fn its_parts_compose_with_the_catalogue() {
    for spec in [
        "own:avoidance",
        "cos+own:avoidance",
        "own:start+reno",
        "own:start+own:avoidance(mss=1000)",
        "own:whole",
        "reno",
    ] {
        assert_eq!(check_with(spec, &Own), Ok(()), "{spec}");
        let cc = build_with(spec, &setup(4, None), &Own).expect(spec);
        assert_eq!(cc.decision().cwnd, 4 * MSS, "{spec}");
    }
}

#[test]
fn what_an_avoidance_or_a_whole_controller_stands_for_is_told() {
    let pacing = || Ok(vec![("pacing".to_owned(), "cc".to_owned())]);
    assert_eq!(implied_with("own:whole", &Own), pacing());
    assert_eq!(implied_with("classic+own:avoidance", &Own), pacing());
    assert_eq!(implied_with("own:start+reno", &Own), Ok(Vec::new()));
}

#[test]
fn its_errors_are_the_specs() {
    let says = |spec: &str| check_with(spec, &Own).expect_err("a bad spec").to_string();
    assert_eq!(says("own:other"), "there is no own:other.");
    assert!(says("renno").contains("did you mean 'reno'"));
    assert!(says("own:start").contains("is a slow start"));
    assert!(says("own:whole+reno").contains("'own:whole' is a whole controller and stands alone"));
    assert!(says("own:avoidance(a=1, a=2)").contains("a is given twice"));
    assert!(check("own:whole").is_err(), "without its maker the name means nothing");
    let refused =
        build_with("own:avoidance(mss=9)", &setup(4, None), &Own).err().expect("another mss");
    assert_eq!(refused.to_string(), "own:avoidance: 1000 is not 9.");
}
