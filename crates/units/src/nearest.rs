//! The name that a user probably meant.

/// Least likeness of two names, from 0 to 1, at which one is offered for the other.
const LEAST_LIKENESS: f64 = 0.6;

/// The known name that is most like `wrong`, if one is like it at all.
///
/// Names are alike by their beginning (`west`, `westwood`) and by the few letters to change (`cso`,
/// `cos`). Upper and lower case decide only between names that are equally like.
#[must_use]
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = wrong.to_lowercase();
    let mut best: Option<((f64, f64), &str)> = None;
    for name in known {
        let key = (likeness(&lower, &name.to_lowercase()), likeness(wrong, name));
        if key.0 > LEAST_LIKENESS && best.is_none_or(|(least, _)| key > least) {
            best = Some((key, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The words `; did you mean 'x'?` for the known name that is most like `wrong`. Messages that
/// refuse a name say so in these words.
#[must_use]
pub fn did_you_mean<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(wrong, known).map(|name| format!("; did you mean '{name}'?"))
}

/// Mean of two measures from 0 to 1: Jaro-Winkler favours a common beginning, Damerau-Levenshtein
/// counts edits.
fn likeness(word: &str, other: &str) -> f64 {
    f64::midpoint(
        strsim::jaro_winkler(word, other),
        strsim::normalized_damerau_levenshtein(word, other),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_beginning_their_letters_and_in_any_case() {
        let known = ["reno", "cubic", "westwood", "cos"];
        for (wrong, meant) in [
            ("renno", Some("reno")),
            ("west", Some("westwood")),
            ("cso", Some("cos")),
            ("CUBIC", Some("cubic")),
            ("bottleneck", None),
            ("", None),
        ] {
            assert_eq!(nearest(wrong, known), meant, "{wrong}");
        }
        assert_eq!(nearest("MBPS", ["Mbps", "MBps"]), Some("MBps"), "case decides between equals");
        assert_eq!(did_you_mean("renno", known).as_deref(), Some("; did you mean 'reno'?"));
    }
}
