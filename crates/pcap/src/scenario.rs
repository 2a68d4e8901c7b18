//! The estimated path as a scenario: a TOML file whose comments say what each number rests on.

use std::fmt::Write;

use crate::layout::{Figures, Layout};
use crate::path::{Part, Path};

/// Shortest and longest duration of the scenario, s: a shorter capture says little about a steady
/// state, and a minute or two show it.
const DURATION: (f64, f64) = (10.0, 120.0);
/// Width of a comment.
const WIDTH: usize = 96;
/// A share of losses below this is left out of the scenario.
const NO_LOSS: f64 = 1e-6;

/// The scenario of an estimated path. `source` is the capture's name.
#[must_use]
pub fn scenario(layout: &Layout, path: &Path, source: &str) -> String {
    let figures = &layout.figures;
    let mut text = String::from(
        "#:schema https://raw.githubusercontent.com/ackclock/ackclock/main/scenarios/\
         scenario.schema.json\n",
    );
    let source: String = source.chars().filter(|it| !it.is_control()).collect();
    comment(
        &mut text,
        &format!(
            "The path of connection {} in {source}, estimated from that capture alone.",
            figures.number
        ),
    );
    comment(&mut text, "");
    comment(&mut text, "What a capture of one connection cannot show:");
    for sentence in &path.unknown {
        comment(&mut text, &format!("- {sentence}"));
    }
    comment(&mut text, &format!("Where it was captured: {}", figures.vantage.because));
    let duration = figures.data_duration.clamp(DURATION.0, DURATION.1).ceil();
    let _ = write!(
        text,
        "name = \"captured-path\"\ndescription = \"A path estimated from a capture\"\nduration = \
         \"{duration}s\"\n\n[network]\nkind = \"dumbbell\"\n\n[network.bottleneck]\n"
    );
    part(&mut text, &path.rate);
    let _ = writeln!(text, "rate = \"{}\"", rate(path.rate.value));
    part(&mut text, &path.rtt);
    let serialisation = 8.0 * path.packet / path.rate.value;
    let delay = ((path.rtt.value - serialisation) / 2.0).max(1e-6);
    comment(
        &mut text,
        &format!(
            "The round trip of {:.3} ms without the {:.3} ms that a packet takes on the link; half \
             of it each way.",
            path.rtt.value * 1e3,
            serialisation * 1e3
        ),
    );
    let _ = writeln!(text, "delay = \"{:.0}us\"", delay * 1e6);
    part(&mut text, &path.buffer);
    let _ = writeln!(text, "limit = \"{:.0} packets\"", path.buffer.value);
    part(&mut text, &path.loss);
    if path.loss.value > NO_LOSS {
        let _ = writeln!(text, "loss = {{ kind = \"bernoulli\", p = {:.6} }}", path.loss.value);
    }
    let _ = write!(text, "\n[[flows]]\nname = \"flow\"\ncc = \"cubic\"\n");
    transport(&mut text, figures, path);
    let _ = write!(text, "\n[compare]\ncc = [\"cubic\", \"reno\", \"bbr\"]\nseeds = 3\n");
    text
}

fn transport(text: &mut String, figures: &Figures, path: &Path) {
    let _ = write!(text, "\n[transport]\n");
    comment(text, "Payload of a full segment.");
    let _ = writeln!(text, "mss = \"{} bytes\"", path.payload);
    if let Some(window) = path.window.filter(|&window| window > 0) {
        comment(
            text,
            &format!(
                "The receiver's window held the sender back after {:.0} % of the segments.",
                100.0 * figures.window_limited
            ),
        );
        let _ = writeln!(text, "receive_buffer = \"{window} bytes\"");
    }
}

fn part(text: &mut String, part: &Part) {
    comment(text, &part.because);
    if part.is_at_least {
        comment(text, "The true value may be larger.");
    }
}

fn rate(bps: f64) -> String {
    if bps >= 1e6 { format!("{:.3}Mbit/s", bps / 1e6) } else { format!("{:.3}kbit/s", bps / 1e3) }
}

fn comment(text: &mut String, sentence: &str) {
    let mut line = String::from("#");
    for word in sentence.split_whitespace() {
        if line.len() > 1 && line.len() + word.len() + 1 > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}
