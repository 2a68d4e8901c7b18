//! The simplest code of a script: `assert NAME == VALUE`.

use crate::player::{Code, CodeError, State};

/// `assert NAME == VALUE`, as our transcripts have it. Packetdrill's code is Python, of which a
/// caller with Python can run more.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Variable of the state.
    pub name: String,
    /// Value that it must have.
    pub value: f64,
}

/// States of `tcpi_ca_state`, from 0.
pub(crate) const CA_STATES: [&str; 5] =
    ["TCP_CA_Open", "TCP_CA_Disorder", "TCP_CA_CWR", "TCP_CA_Recovery", "TCP_CA_Loss"];

impl Claim {
    /// Reads a claim; none: the code is something else.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        let claim = code.trim().strip_prefix("assert ")?;
        let claim = claim.split_once(',').map_or(claim, |(claim, _)| claim);
        let (name, value) = claim.split_once("==")?;
        let name = name.trim();
        let is_name =
            !name.is_empty() && name.bytes().all(|it| it.is_ascii_lowercase() || it == b'_');
        let value = number(value.trim())?;
        is_name.then(|| Self { name: name.to_owned(), value })
    }
}

/// `5`, `TCP_CA_Loss` or `5500 / 1000`.
fn number(text: &str) -> Option<f64> {
    if let Some((dividend, divisor)) = text.split_once(" / ") {
        return Some(number(dividend)? / number(divisor)?);
    }
    let state = CA_STATES.iter().zip(0_u32..).find(|(name, _)| **name == text);
    state.map(|(_, number)| f64::from(number)).or_else(|| text.parse().ok())
}

/// Runs claims, and `pass`.
#[derive(Debug, Default)]
pub struct Claims;

impl Code for Claims {
    #[expect(clippy::float_cmp, reason = "a claim is exact")]
    fn run(&mut self, code: &str, state: &State) -> Result<(), CodeError> {
        if code.trim() == "pass" {
            return Ok(());
        }
        let Some(claim) = Claim::parse(code) else {
            return Err(CodeError::Failed(format!("only 'assert NAME == VALUE' is read: {code}")));
        };
        match state.get(&claim.name) {
            None => Err(CodeError::Unknown(format!("the simulator has no {}", claim.name))),
            Some(value) if value == claim.value => Ok(()),
            Some(value) => Err(CodeError::Failed(format!("{} is {value}", claim.name))),
        }
    }
}
