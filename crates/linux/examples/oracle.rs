//! Plays random scripts on this machine's kernel and on our sender: `oracle SCRIPTS SEED CC...`.

use std::ops::ControlFlow;

use ackclock_linux::oracle::campaign::{self, CampaignPlan};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, or: u64| arguments.get(at).map_or(or, |text| text.parse().expect("a number"));
    let only = std::env::var("ONLY").ok().map(|text| text.parse::<u64>().expect("a number"));
    let plan = CampaignPlan {
        seed: number(1, 1),
        first: only.unwrap_or(0),
        scripts: if only.is_some() { 1 } else { number(0, 100) },
        ccs: arguments.get(2..).map_or_else(|| vec!["reno".into()], <[String]>::to_vec),
        at_once: std::env::var("AT_ONCE").map_or(100, |text| text.parse().expect("a number")),
        repeats: 3,
        shrink: std::env::var("SHRINK").map_or(0, |text| text.parse().expect("a number")),
        transport: serde_json::from_str(include_str!("../../sim/tests/support/linux.json")).expect("the fixture is a transport plan"),
        given: Vec::new(),
    };
    let report = campaign::run(&plan, |_| ControlFlow::Continue(())).unwrap_or_else(|error| panic!("{}", error.0));
    for result in &report.results {
        println!(
            "{}: {} scripts, {} agree ({} only when repeated), {} disturbed",
            result.cc, result.scripts, result.agreed, result.agreed_again, result.disturbed
        );
        for class in &result.classes {
            println!(
                "{:>6}  {}   {:?}",
                class.scripts,
                class.class,
                &class.numbers[..class.numbers.len().min(5)]
            );
            println!(
                "        {} events: {}",
                class.example.script.events.len(),
                class.example.difference.detail
            );
        }
        if std::env::var("STORY").is_ok() {
            for class in &result.classes {
                println!("=== {}\n{}\n{}", class.class, class.example.story, class.example.packetdrill);
            }
        }
    }
}
