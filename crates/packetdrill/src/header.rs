//! The header: comments that say the host under test, which packetdrill passes over.

use core::fmt;

use ackclock_sim::transport::plan::TransportPlan;
use ackclock_units::{Duration, Rate};
use serde_json::Value;

/// Beginning of a line of the header.
pub const MARK: &str = "// ackclock: ";

/// The host under test. With a header nothing is negotiated but the scale of the windows, what
/// arrives arrives at the time of its line, every packet of the host must be expected, and its
/// window is compared where a line says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Profile of the transport: `linux`, `rfc` or `classic`.
    pub profile: String,
    /// Congestion control.
    pub cc: String,
    /// Largest distance of a packet from its time, us.
    pub tolerance_us: u32,
    /// Options of the transport, in order: keys of [`TransportPlan`] without a unit, and values.
    pub settings: Vec<(String, String)>,
}

impl Default for Header {
    fn default() -> Self {
        Self { profile: "linux".into(), cc: "reno".into(), tolerance_us: 1, settings: Vec::new() }
    }
}

/// An option of a header is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderError(String);

impl fmt::Display for HeaderError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl core::error::Error for HeaderError {}

impl Header {
    /// Reads `KEY=VALUE; KEY=VALUE`.
    pub(crate) fn read(&mut self, line: &str) -> Result<(), String> {
        line.split(';').try_for_each(|setting| self.read_setting(setting.trim()))
    }

    fn read_setting(&mut self, setting: &str) -> Result<(), String> {
        let (key, value) = setting
            .split_once('=')
            .map(|(key, value)| (key.trim(), value.trim()))
            .filter(|(key, value)| !key.is_empty() && !value.is_empty())
            .ok_or_else(|| format!("the header's '{setting}': KEY=VALUE, as in mss=1000"))?;
        match key {
            "profile" if ["linux", "rfc", "classic"].contains(&value) => {
                self.profile = value.into();
            }
            "profile" => return Err(format!("profile '{value}': linux, rfc or classic")),
            "cc" => self.cc = value.into(),
            "tolerance" => {
                let time: Duration = value.parse().map_err(|it| format!("tolerance: {it}"))?;
                self.tolerance_us = u32::try_from(time.as_ps() / 1_000_000)
                    .map_err(|_| format!("tolerance '{value}': an hour at most"))?;
            }
            _ => self.settings.push((key.into(), value.into())),
        }
        Ok(())
    }

    /// The value of an option of the transport, if the header sets it.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<&str> {
        let of_key = |setting: &&(String, String)| setting.0 == key;
        self.settings.iter().rev().find(of_key).map(|setting| setting.1.as_str())
    }

    /// The transport of the profile with the header's options.
    ///
    /// # Errors
    /// If an option does not exist, or its value is wrong.
    pub fn transport(&self, profile: &TransportPlan) -> Result<TransportPlan, HeaderError> {
        let wrong = |problem: &dyn fmt::Display| HeaderError(format!("the header: {problem}"));
        let mut plan = serde_json::to_value(profile).map_err(|it| wrong(&it))?;
        for (key, value) in &self.settings {
            set(&mut plan, key, value).map_err(HeaderError)?;
        }
        let plan: TransportPlan = serde_json::from_value(plan).map_err(|it| wrong(&it))?;
        plan.check().map_err(|it| wrong(&it))?;
        Ok(plan)
    }
}

/// Changes an option. A unit in the value replaces the one in the key: `initial_window=4 segments`
/// sets `initial_window_bytes`.
fn set(plan: &mut Value, key: &str, text: &str) -> Result<(), String> {
    let fields = plan.as_object_mut().ok_or("a plan is a table")?;
    let mss = fields.get("mss").and_then(Value::as_u64).unwrap_or(1).max(1);
    let wrong = |problem: &dyn fmt::Display| format!("the header's {key}: {problem}");
    let (full, value) = if fields.contains_key(key) {
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.into()));
        (key.to_owned(), value)
    } else if fields.contains_key(&format!("{key}_ps")) {
        let time: Duration = text.parse().map_err(|it| wrong(&it))?;
        (format!("{key}_ps"), time.as_ps().into())
    } else if fields.contains_key(&format!("{key}_bps")) {
        let rate: Rate = text.parse().map_err(|it| wrong(&it))?;
        (format!("{key}_bps"), rate.as_bps().into())
    } else if fields.contains_key(&format!("{key}_bytes")) {
        (format!("{key}_bytes"), size(text, mss).map_err(|it| wrong(&it))?.into())
    } else {
        return Err(format!("the header's {key}: not an option of the transport"));
    };
    if key == "mss"
        && let (Some(window), Some(new)) =
            (fields.get("initial_window_bytes").and_then(Value::as_u64), value.as_u64())
    {
        let window = (window / mss).saturating_mul(new);
        fields.insert("initial_window_bytes".into(), window.into());
    }
    fields.insert(full, value);
    Ok(())
}

/// Bytes of `4 segments` or `5000 bytes`.
pub(crate) fn size(text: &str, mss: u64) -> Result<u64, String> {
    let (count, unit) = text.split_once(' ').unwrap_or((text, ""));
    match (count.parse::<u64>(), unit) {
        (Ok(count), "segments" | "segment") => Ok(count.saturating_mul(mss)),
        (Ok(count), "bytes") => Ok(count),
        _ => Err(format!("'{text}': N segments or N bytes")),
    }
}
