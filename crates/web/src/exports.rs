//! The functions that WebAssembly exports. None of them follows a pointer that comes from outside.
#![expect(unsafe_code, reason = "an exported name counts as unsafe code")]

use std::cell::RefCell;

use serde_json::{Value, json};

use crate::capture::Capture;
use crate::failure;
use crate::run::Running;
use crate::services;

#[derive(Default)]
struct State {
    input: Vec<u8>,
    output: Vec<u8>,
    running: Option<Running>,
    capture: Option<Capture>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

impl State {
    fn answer(&mut self, answer: Result<Value, String>) -> usize {
        let answer = match answer {
            Ok(value) => json!({ "ok": value }),
            Err(sentence) => json!({ "error": sentence }),
        };
        self.output = answer.to_string().into_bytes();
        self.output.len()
    }
}

fn with(answer: impl FnOnce(&mut State) -> Result<Value, String>) -> usize {
    STATE.with_borrow_mut(|state| {
        let answer = answer(state);
        state.answer(answer)
    })
}

/// Where the page writes the next `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input.clear();
        state.input.resize(length, 0);
        state.input.as_mut_ptr()
    })
}

/// Where the page reads the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    STATE.with_borrow(|state| state.output.as_ptr())
}

/// Answers a question of the resolver; gives the answer's length.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    with(|state| services::ask(&state.input))
}

/// Begins the run of a plan.
#[unsafe(no_mangle)]
pub extern "C" fn start() -> usize {
    begin(Running::new)
}

/// Begins the run of a plan with each packet and decision, of which `window` gives a part.
#[unsafe(no_mangle)]
pub extern "C" fn start_in_detail() -> usize {
    begin(Running::in_detail)
}

fn begin(run: fn(&[u8]) -> Result<Running, String>) -> usize {
    failure::keep();
    with(|state| {
        state.running = Some(run(&state.input)?);
        Ok(Value::Null)
    })
}

/// Handles at most so many events. Gives the simulated time, s; below 0: the run is over.
#[unsafe(no_mangle)]
pub extern "C" fn advance(events: u32) -> f64 {
    STATE.with_borrow_mut(|state| state.running.as_mut().map_or(-1.0, |run| run.advance(events)))
}

/// Removes packets and decisions before this time, s, of a run in detail.
#[unsafe(no_mangle)]
pub extern "C" fn forget_before(time: f64) {
    STATE.with_borrow_mut(|state| {
        if let Some(run) = &mut state.running {
            run.forget_before(time);
        }
    });
}

/// Describes packets and decisions from a time up to another, s, of a run in detail.
#[unsafe(no_mangle)]
pub extern "C" fn window(from: f64, to: f64) -> usize {
    with(|state| state.running.as_ref().ok_or("no run was started")?.window(from, to))
}

/// Ends the run and gives its counters.
#[unsafe(no_mangle)]
pub extern "C" fn finish() -> usize {
    with(|state| state.running.as_mut().ok_or("no run was started")?.finish())
}

/// Describes the columns of the table that the input names: place, type and length of each.
#[unsafe(no_mangle)]
pub extern "C" fn table() -> usize {
    with(|state| {
        let name = String::from_utf8_lossy(&state.input);
        state.running.as_ref().ok_or("no run was started")?.table(&name)
    })
}

/// Address of the sentence of the panic that ended the instance; its length is `failure_length`.
#[unsafe(no_mangle)]
pub extern "C" fn failure() -> *const u8 {
    failure::sentence().as_ptr()
}

/// Length of the sentence of the panic that ended the instance; 0: there was none.
#[unsafe(no_mangle)]
pub extern "C" fn failure_length() -> usize {
    failure::sentence().len()
}

/// Lays out connection `number` of a capture, or below 0 the one with most payload. The input is
/// the file's name, of `name` bytes, and the file.
#[unsafe(no_mangle)]
pub extern "C" fn capture(number: i32, name: usize) -> usize {
    with(|state| {
        let (name, file) =
            state.input.split_at_checked(name).ok_or("the name is longer than the input")?;
        let name = String::from_utf8_lossy(name);
        let (capture, answer) = Capture::read(file, usize::try_from(number).ok(), &name)?;
        state.capture = Some(capture);
        Ok(answer)
    })
}

/// Describes the columns of the table of the capture that the input names.
#[unsafe(no_mangle)]
pub extern "C" fn capture_table() -> usize {
    with(|state| {
        let name = String::from_utf8_lossy(&state.input);
        let capture = state.capture.as_ref().ok_or("no capture was read")?;
        capture.table(&name).ok_or_else(|| format!("a capture has no table '{name}'"))
    })
}
