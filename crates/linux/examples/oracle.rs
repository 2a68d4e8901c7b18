//! Plays random scripts on this machine's kernel and on our sender: `oracle SCRIPTS SEED CC...`.

use std::ops::ControlFlow;

use ackclock_linux::oracle::campaign::{self, CampaignPlan};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize, or: u64| arguments.get(at).map_or(or, |text| text.parse().expect("a number"));
    if let Ok(path) = std::env::var("REPLAY") {
        let text = std::fs::read_to_string(path).expect("readable");
        let (script, trace) = serde_json::from_str(&text).expect("a script and a trace");
        let transport = serde_json::from_str(include_str!("../../sim/tests/support/linux.json"))
            .expect("a plan");
        println!(
            "{}",
            ackclock_linux::oracle::replay::narrate(&script, &trace, &transport).expect("a sender")
        );
        return;
    }
    let only = std::env::var("ONLY").ok().map(|text| text.parse::<u64>().expect("a number"));
    let plan = CampaignPlan {
        seed: number(1, 1),
        first: only.unwrap_or(0),
        scripts: if only.is_some() { 1 } else { number(0, 100) },
        ccs: arguments.get(2..).map_or_else(|| vec!["reno".into()], <[String]>::to_vec),
        at_once: std::env::var("AT_ONCE").map_or(100, |text| text.parse().expect("a number")),
        repeats: 3,
        shrink: std::env::var("SHRINK").map_or(0, |text| text.parse().expect("a number")),
        transport: serde_json::from_str(include_str!("../../sim/tests/support/linux.json"))
            .expect("the fixture is a transport plan"),
        given: Vec::new(),
    };
    let report = campaign::run(&plan, |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{}", error.0));
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
        if let Ok(folder) = std::env::var("SAVE") {
            for class in &result.classes {
                let path = format!("{folder}/{}-{}.json", result.cc, class.example.script.number);
                let text = serde_json::to_string(&(&class.example.script, &class.example.trace))
                    .expect("JSON");
                std::fs::write(path, text).expect("writable");
            }
        }
        if std::env::var("STORY").is_ok() {
            for class in &result.classes {
                println!(
                    "=== {}\n{}\n{}",
                    class.class, class.example.story, class.example.packetdrill
                );
            }
        }
    }
}
