"""A class's mistake stops the run, with one line that names flow, class, method, file and time."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import ackclock as ac
from scripts import ackclock_command

Write = Callable[[str], str]

WHOLE = """
class Mine(CongestionControl):
    def on_ack(self, ack):
        {}
    def on_congestion(self, event):
        self.cwnd = max(self.cwnd / 2, self.mss)
"""
AVOIDANCE = """
class Mine(Avoidance):
    def next_cwnd(self, ack, window):
        {}
    def ssthresh(self, event, window):
        return window.cwnd / 2
"""
SLOW_START = """
class Mine(SlowStart):
    def on_ack(self, ack, window):
        {}
"""
A_WINDOW = "allowed is a number of bytes from 1448, one segment, to 2^50"


def scenario(cc: str, ssthresh: str = "10 packets") -> ac.Scenario:
    flows = [ac.flow("reno", name="other"), ac.flow(cc, name="mine", ssthresh=ssthresh)]
    return ac.dumbbell(rate="10Mbit/s", rtt="60ms", buffer="1bdp", duration="5s", flows=flows)


def stopped(cc: str, ssthresh: str = "10 packets") -> ac.AlgorithmError:
    with pytest.raises(ac.AlgorithmError) as error:
        ac.run(scenario(cc, ssthresh))
    assert "\n" not in str(error.value)
    return error.value


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("self.cwnd = 0.5 * self.mss", "cwnd = 724.0; " + A_WINDOW),
        ("self.cwnd = -1", "cwnd = -1; " + A_WINDOW),
        ("self.cwnd = float('nan')", "cwnd = nan; " + A_WINDOW),
        ("self.cwnd = float('inf')", "cwnd = inf; " + A_WINDOW),
        ("self.cwnd = 2**80", f"cwnd = {2**80}; " + A_WINDOW),
        ("self.cwnd = '10 packets'", "cwnd = '10 packets'; " + A_WINDOW),
        ("self.cwnd = None", "cwnd = None; " + A_WINDOW),
        ("self.cwnd = True", "cwnd = True; " + A_WINDOW),
        (
            "self.ssthresh = float('nan')",
            "ssthresh = nan; allowed is a number of bytes from 0 to 2^50",
        ),
        (
            "self.pacing_rate = 0",
            "pacing_rate = 0; allowed is None, or a number of bit/s from 1 to 2^50",
        ),
        ("self.pacing_rate = float('inf')", "pacing_rate = inf; allowed is None, or"),
    ],
)
def test_an_impossible_decision(write: Write, does: str, said: str) -> None:
    name = write(WHOLE.format(does))
    error = stopped(f"python:{name}:Mine")
    assert str(error).startswith(f"flow 'mine': Mine.on_ack ({name}.py, line 4) at ")
    assert said in str(error)
    assert (error.flow, error.algorithm, error.method) == ("mine", "Mine", "on_ack")
    assert 0.12 < error.time < 0.3, (
        "the first ACK of data: a handshake and a round trip of 60 ms each, and some queue"
    )
    assert error.__cause__ is None


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("return 10", "returned 10; " + A_WINDOW),
        ("return float('nan')", "returned nan; " + A_WINDOW),
        ("return None", "returned None; " + A_WINDOW),
        ("return [window.cwnd]", "returned [14480]; " + A_WINDOW),
    ],
)
def test_an_impossible_window_of_an_avoidance(write: Write, does: str, said: str) -> None:
    name = write(AVOIDANCE.format(does))
    error = stopped(f"python:{name}:Mine")
    assert str(error).startswith(f"flow 'mine': Mine.next_cwnd ({name}.py, line 4) at ")
    assert said in str(error)


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("return -1", "returned -1; "),
        ("return None", "returned None; "),
        ("return Exit('all')", "returned Exit('all'); "),
        ("return ExitAt(100)", "returned ExitAt(100); "),
        ("return ExitAt(float('nan'))", "returned ExitAt(nan); "),
        ("return 2**50", f"returned {2**50}; "),
    ],
)
def test_an_impossible_growth_of_a_slow_start(write: Write, does: str, said: str) -> None:
    name = write(SLOW_START.format(does))
    error = stopped(f"python:{name}:Mine+reno", "unlimited")
    assert str(error).startswith(f"flow 'mine': Mine.on_ack ({name}.py, line 4) at ")
    assert (
        said + "allowed is a number of bytes to add, Exit(bytes to add) or ExitAt(window)"
        in str(error)
    )


def test_an_impossible_threshold_interval_or_internal(write: Write) -> None:
    whole = WHOLE.format("pass")
    name = write(
        AVOIDANCE.format("return window.cwnd + window.mss").replace(
            "window.cwnd / 2", "-window.cwnd"
        )
    )
    assert "Mine.ssthresh" in str(stopped(f"python:{name}:Mine"))
    name = write(whole + "    def begin_interval(self, start):\n        return 0\n")
    assert "returned 0; allowed is None, or a number of seconds that is more than 0" in str(
        stopped(f"python:{name}:Mine")
    )
    name = write(whole + "    def internals(self):\n        return {'x': float('inf')}\n")
    assert "returned inf for 'x'; allowed is a dict of names and finite numbers" in str(
        stopped(f"python:{name}:Mine")
    )
    name = write(whole + "    def internals(self):\n        return 3\n")
    assert "Mine.internals" in str(stopped(f"python:{name}:Mine"))


def test_an_exception_is_told_with_its_line_and_kept_as_the_cause(write: Write) -> None:
    name = write(
        AVOIDANCE.format("return share(window)")
        + "def share(window):\n    return window.cwnd / 0\n"
    )
    error = stopped(f"python:{name}:Mine")
    assert str(error).startswith(f"flow 'mine': Mine.next_cwnd ({name}.py, line 9) at ")
    assert str(error).endswith(" s raised ZeroDivisionError: division by zero")
    assert isinstance(error.__cause__, ZeroDivisionError)


def test_a_constructor_that_refuses(write: Write) -> None:
    name = write("""
        class Mine(CongestionControl):
            def __init__(self, setup, n=1):
                super().__init__(setup)
                if n < 1:
                    raise ValueError("n must be positive")
            def on_ack(self, ack): ...
            def on_congestion(self, event): ...
        class Empty:
            def __init__(self, setup): ...
            def on_ack(self, ack): ...
            def on_congestion(self, event): ...
        class Tight(Empty):
            __slots__ = ("cwnd",)
            def __init__(self, setup):
                self.cwnd = setup.initial_window
        """)
    error = stopped(f"python:{name}:Mine(n=0)")
    assert (
        f"Mine.__init__ ({name}.py, line 7) at 0.000000 s raised ValueError: n must be positive"
        in str(error)
    )
    assert "left no cwnd; " + A_WINDOW in str(stopped(f"python:{name}:Empty"))
    ac.run(scenario(f"python:{name}:Tight"))


def test_what_cannot_be_copied_is_said_when_a_copy_is_needed(write: Write) -> None:
    name = write(
        AVOIDANCE.format("return window.cwnd + window.mss")
        + "    def __init__(self, setup):\n        self.steps = (n for n in ())\n"
    )
    error = stopped(f"python:{name}:Mine")
    assert error.method == "clone"
    assert "cannot pickle 'generator' object" in str(error)


def test_the_first_of_several_faults_is_the_one_told(write: Write) -> None:
    name = write(WHOLE.format("raise KeyError(ack.delivered)"))
    flows = [ac.flow(f"python:{name}:Mine", count=3)]
    # The three start together, in an order that the seed draws: whose ACK comes first is told.
    with pytest.raises(ac.AlgorithmError, match=r"flow 'flow1\.2'.*KeyError: 1448"):
        ac.run(ac.dumbbell(rate="10Mbit/s", rtt="60ms", duration="60s", flows=flows))


def test_an_interruption_is_no_fault_of_the_algorithm(write: Write) -> None:
    name = write(WHOLE.format("import os, signal; os.kill(os.getpid(), signal.SIGINT)"))
    with pytest.raises(KeyboardInterrupt):
        ac.run(scenario(f"python:{name}:Mine"))


_NO_EXCEPTIONS = [
    "sys.exit(0)",
    "sys.exit('done')",
    "raise KeyboardInterrupt",
    "raise GeneratorExit",
    "raise Odd('x')",
]


@pytest.mark.parametrize("does", _NO_EXCEPTIONS)
@pytest.mark.parametrize("frame", [WHOLE, AVOIDANCE, SLOW_START])
def test_what_ends_python_is_a_fault_of_the_algorithm(write: Write, does: str, frame: str) -> None:
    name = write("import sys\nclass Odd(BaseException): ...\n" + frame.format(does))
    whole = frame is not SLOW_START
    error = stopped(
        f"python:{name}:Mine{'' if whole else '+reno'}", "10 packets" if whole else "unlimited"
    )
    assert error.method in {"on_ack", "next_cwnd"}
    kind = {"sys": "SystemExit", "raise Odd('x')": "Odd"}.get(does.split(".")[0], does.split()[-1])
    assert f"flow 'mine': Mine.{error.method} ({name}.py, line 7) at " in str(error)
    assert f" raised {kind}" in str(error)
    assert len(str(error)) < 300


@pytest.mark.parametrize("does", _NO_EXCEPTIONS)
def test_what_ends_python_in_a_constructor_or_a_copy_is_told(write: Write, does: str) -> None:
    begin = "import sys\nclass Odd(BaseException): ...\n"
    name = write(begin + WHOLE.format("pass") + f"    def __init__(self, setup):\n        {does}\n")
    assert stopped(f"python:{name}:Mine").method == "__init__"
    name = write(
        begin
        + AVOIDANCE.format("return window.cwnd + 1448")
        + f"    def clone(self):\n        {does}\n"
    )
    assert stopped(f"python:{name}:Mine").method == "clone"
    name = write(begin + WHOLE.format("pass") + f"    def internals(self):\n        {does}\n")
    assert stopped(f"python:{name}:Mine").method == "internals"


@pytest.mark.parametrize("does", _NO_EXCEPTIONS)
def test_what_ends_python_while_it_is_imported_is_told(write: Write, does: str) -> None:
    name = write(f"import sys\nclass Odd(BaseException): ...\n{does}\n{WHOLE.format('pass')}")
    with pytest.raises(
        ac.ScenarioError, match=rf"importing '{name}' raised .*\({name}\.py, line 4\)"
    ):
        scenario(f"python:{name}:Mine")


@pytest.mark.parametrize(("number", "does"), list(enumerate(_NO_EXCEPTIONS)))
def test_what_ends_python_in_a_metric_is_told(write: Write, number: int, does: str) -> None:
    name = write(f"""
        import sys
        import ackclock
        class Odd(BaseException): ...
        @ackclock.metric(unit="s")
        def ends{number}(result):
            "Ends Python."
            {does}
        """)
    with pytest.raises(
        ac.MetricError, match=rf"metric 'ends{number}' \({name}\.py, line 9\) raised "
    ):
        ac.run(scenario("reno")).metric(f"python:{name}:ends{number}")


def test_what_an_exception_says_is_kept_short_and_prints(write: Write) -> None:
    name = write(WHOLE.format("raise ValueError('\\x1b[31m' + 'long ' * 2000)"))
    error = stopped(f"python:{name}:Mine")
    assert len(str(error)) < 300
    assert str(error).isprintable()


@pytest.mark.long
@pytest.mark.parametrize("command", ["run", "compare", "sweep"])
@pytest.mark.parametrize("does", ["1 / 0", "raise SystemExit(0)", "raise KeyboardInterrupt"])
def test_on_the_command_line_it_is_one_line_and_status_2_and_nothing_is_left(
    write: Write, tmp_path: Path, command: str, does: str
) -> None:
    name = write(WHOLE.format(does))
    text = scenario(f"python:{name}:Mine").to_toml() + "\n[sweep]\nreplications = 1\n"
    (tmp_path / "s.toml").write_text(text, encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    done = ackclock_command(command, "s.toml")
    assert done.returncode == 2
    assert done.stdout == ""
    which = "" if command == "run" else "setting 0, seed 1: "
    assert done.stderr.splitlines()[-1].startswith(
        f"{which}flow 'mine': Mine.on_ack ({name}.py, line 5) at "
    )
    assert "Traceback" not in done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_names_that_lead_nowhere(write: Write) -> None:
    whole = WHOLE.format("pass")
    name = write(f"""{whole}
class NoCongestion:
    def __init__(self, setup): ...
    def on_ack(self, ack): ...
class NoSetup:
    def on_ack(self, ack): ...
    def on_congestion(self, event): ...
class Half(Avoidance):
    def next_cwnd(self, ack, window): ...
class Needs(Mine):
    def __init__(self, setup, gain): ...
class Any(Mine):
    def __init__(*given): ...
class Wrong(Mine):
    implies = {{"pacin": "cc"}}
class Numb(Mine):
    implies = {{"pacing": 1.5}}
class Start(SlowStart):
    def on_ack(self, ack, window): ...
class Bound(Start):
    implies = {{"pacing": "cc"}}
def function(): ...
""")
    for spec, said in {
        "python": "python",
        "python:": "'python:' names no class: write python:MODULE:CLASS",
        name: "there is no congestion control",
        f"python:{name}": "names no class: write python:MODULE:CLASS",
        f"python:{name}:Min": f"there is no class 'Min' in '{name}'; did you mean 'Mine'?",
        f"python:{name}:function": f"'function' in '{name}' is a function and no class",
        f"python:{name}x:Mine": f"there is no module '{name}x' in the current directory or on "
        "Python's path; did you "
        f"mean '{name}'?",
        f"python:{name}:NoCongestion": "NoCongestion has no on_congestion: a congestion control "
        "has on_ack(ack) and "
        "on_congestion(event)",
        f"python:{name}:NoSetup": "the constructor of NoSetup takes no setup: def __init__(self, "
        "setup)",
        f"python:{name}:Half": "Half has no ssthresh: an avoidance has next_cwnd(ack, window) "
        "and ssthresh(event, "
        "window)",
        f"python:{name}:Needs": "Needs needs a value for its parameter 'gain': Needs(gain=...)",
        f"python:{name}:Needs(gian=2)": "Needs has no parameter 'gian'; did you mean 'gain'? (it "
        "has gain)",
        f"python:{name}:Mine(n=2)": "Mine has no parameter 'n' (it has none at all)",
        f"python:{name}:Needs(gain=high)": "Needs: gain = 'high' is not a finite number, true or "
        "false",
        f"python:{name}:Needs(gain=nan)": "Needs: gain = 'nan' is not a finite number, true or "
        "false",
        f"python:{name}:Wrong": "Wrong.implies: pacin: unknown key; did you mean 'pacing'?",
        f"python:{name}:Numb": "Numb.implies: pacing: 1.5 is not one of off, cwnd, cc",
        f"python:{name}:Bound+reno": "Bound.implies: a slow start stands for no transport options",
        f"python:{name}:Start": "is a slow start and needs an avoidance after it",
        f"python:{name}:Mine+reno": "is a whole controller and stands alone",
        f"cos+python:{name}:Start": "both are slow starts",
        "python:ackclock.cc:Avoidance": "Avoidance is the base of such classes: write a class of "
        "your own",
    }.items():
        with pytest.raises(ac.ScenarioError) as error:
            ac.flow(spec)
        assert said in str(error.value), spec
        assert "\n" not in str(error.value)
    assert ac.flow(f"python:{name}:Any").cc == f"python:{name}:Any"


def test_modules_that_cannot_be_imported(write: Write) -> None:
    for source, said in {
        "import nowhere_at_all": "raised ModuleNotFoundError: No module named 'nowhere_at_all' "
        "({}.py, line 2)",
        "1 / 0": "raised ZeroDivisionError: division by zero ({}.py, line 2)",
        "def x(:": "raised SyntaxError: invalid syntax ({}.py, line 2)",
        "raise SystemExit": "raised SystemExit ({}.py, line 2)",
    }.items():
        name = write(source)
        with pytest.raises(ac.ScenarioError) as error:
            ac.flow(f"python:{name}:Mine")
        assert f"importing '{name}' {said.format(name)}" in str(error.value)


def test_the_schema_takes_any_name() -> None:
    assert (
        json.dumps(ac.Scenario.json_schema()["$defs"]["Flow"]["properties"]["cc"]).count(
            '"type": "string"'
        )
        == 1
    )
