//! A packetdrill script.

use ackclock_packetdrill::{self as packetdrill, Code, CodeError, Host, State};
use ackclock_sim::transport::plan::TransportPlan;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

fn wrong(problem: &impl ToString) -> PyErr {
    PyValueError::new_err(problem.to_string())
}

/// A packetdrill script.
#[pyclass(frozen, module = "ackclock._core")]
pub struct PacketScript {
    script: packetdrill::Script,
}

impl PacketScript {
    /// The host of the script's header, or the given one.
    fn host(&self, cc: &str, transport_json: &str) -> PyResult<Host> {
        let transport: TransportPlan =
            serde_json::from_str(transport_json).map_err(|it| wrong(&it))?;
        Ok(match &self.script.header {
            None => Host { cc: cc.to_owned(), transport },
            Some(header) => Host {
                cc: header.cc.clone(),
                transport: header.transport(&transport).map_err(|it| wrong(&it))?,
            },
        })
    }
}

#[pymethods]
impl PacketScript {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        Ok(Self { script: packetdrill::parse(text).map_err(|it| wrong(&it))? })
    }

    /// Profile of the header's transport; None: there is no header.
    #[getter]
    fn profile(&self) -> Option<&str> {
        self.script.header.as_ref().map(|header| header.profile.as_str())
    }

    /// Shell commands that set the host up, in order.
    #[getter]
    fn commands(&self) -> Vec<&str> {
        let setup = self.script.setup.iter().map(String::as_str);
        setup.chain(self.script.commands_before()).collect()
    }

    fn play(
        &self,
        cc: &str,
        transport_json: &str,
        run: &Bound<'_, PyAny>,
    ) -> PyResult<(Option<String>, Vec<String>)> {
        let mut code = Runner { run, raised: None };
        let host = self.host(cc, transport_json)?;
        let played = packetdrill::play(&self.script, host, &mut code);
        if let Some(raised) = code.raised {
            return Err(raised);
        }
        let played = played.map_err(|it| wrong(&it))?;
        Ok((played.problem, played.exchange))
    }

    #[getter]
    fn refusal(&self) -> Option<String> {
        packetdrill::refusal(&self.script)
    }

    fn export(&self, name: &str, transport_json: &str) -> PyResult<String> {
        let host = self.host("", transport_json)?;
        packetdrill::export(&self.script, name, host).map_err(|it| wrong(&it))
    }
}

/// Code is run by a function in Python.
struct Runner<'a, 'py> {
    run: &'a Bound<'py, PyAny>,
    raised: Option<PyErr>,
}

impl Runner<'_, '_> {
    /// Runs the code; the answer is whether it is understood, and the problem.
    fn ask(&self, code: &str, state: &State) -> PyResult<Option<(bool, String)>> {
        let variables = PyDict::new(self.run.py());
        for (name, value) in state.iter() {
            #[expect(clippy::cast_possible_truncation, reason = "a count has less than 53 bits")]
            if value.fract() == 0.0 {
                variables.set_item(name, value as i64)?;
            } else {
                variables.set_item(name, value)?;
            }
        }
        self.run.call1((code, variables))?.extract()
    }
}

impl Code for Runner<'_, '_> {
    fn run(&mut self, code: &str, state: &State) -> Result<(), CodeError> {
        match self.ask(code, state) {
            Ok(None) => Ok(()),
            Ok(Some((true, problem))) => Err(CodeError::Failed(problem)),
            Ok(Some((false, problem))) => Err(CodeError::Unknown(problem)),
            Err(raised) => {
                let problem = raised.to_string();
                self.raised = Some(raised);
                Err(CodeError::Failed(problem))
            }
        }
    }
}
