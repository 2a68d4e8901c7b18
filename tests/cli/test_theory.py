"""`ackclock theory`: the closed forms from the command line."""

import doctest
import inspect
import json
import math
from pathlib import Path

import pytest

from ackclock import theory
from ackclock.cli import main
from ackclock.theory.catalogue import formulas

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def narrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(["theory", *arguments])
    return stopped.value.code


def value(capsys: Capture, *arguments: str) -> object:
    assert status(*arguments, "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    return row["result"]


def test_every_function_is_listed_with_its_meaning_and_fits_the_terminal(capsys: Capture) -> None:
    assert status() == 0
    text = capsys.readouterr().out
    assert max(len(line) for line in text.splitlines()) <= 80
    functions = {name for name in theory.__all__ if inspect.isfunction(getattr(theory, name))}
    assert functions == set(formulas())
    words = "".join(text.split())
    assert all(
        name in text and "".join(formula.meaning.split()) in words
        for name, formula in formulas().items()
    )
    assert status("--json") == 0
    assert {entry["name"] for entry in json.loads(capsys.readouterr().out)} == functions


@pytest.mark.parametrize("name", list(formulas()))
def test_every_argument_has_a_meaning_and_every_function_a_help_and_an_example(
    name: str, capsys: Capture
) -> None:
    formula = formulas()[name]
    assert formula.meaning
    assert all(parameter.meaning for parameter in formula.parameters), [
        parameter.name for parameter in formula.parameters if not parameter.meaning
    ]
    assert status(name, "--help") == 0
    text = capsys.readouterr().out
    assert all(
        f"--{parameter.name.replace('_', '-')} " in text
        for parameter in formula.parameters
        if parameter.kind != "python"
    )


@pytest.mark.parametrize("name", list(formulas()))
def test_every_example_runs_as_it_is_written(name: str) -> None:
    public = {function: getattr(theory, function) for function in theory.__all__}
    (example,) = doctest.DocTestFinder(recurse=False).find(
        formulas()[name].function, name, globs=public
    )
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def test_units_come_from_the_docstrings() -> None:
    def unit(name: str, argument: str) -> str | None:
        return next(
            parameter.unit
            for parameter in formulas()[name].parameters
            if parameter.name == argument
        )

    assert unit("pftk_rate", "rtt") == "s"
    assert unit("pftk_rate", "rto") == "s"
    assert unit("pftk_rate", "loss_rate") is None
    assert unit("cos_window", "ssthresh") == "packets"
    # Said at another function.
    assert unit("small_buffer", "rate") == "packets/s"
    assert unit("bic_window", "left") is None
    assert unit("path_window", "rate") == "bit/s"
    assert unit("path_window", "packet_size") == "bytes"
    # Packets per round trip are not packets.
    assert unit("aimd_window", "increase") is None
    assert formulas()["pftk_rate"].unit == "packets/s"
    assert formulas()["md1_wait"].unit == "s"


# 10 Mbit/s of 1500 bytes is 833.3 packets/s; 1 Gbit/s over 200 ms is P4's 16 667 packets.
@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        (["rule_of_thumb", "--rate", "10Mbit/s", "--rtt", "60ms"], 50),
        (["rule-of-thumb", "--rate=10Mbit/s", "--rtt=0.06", "--packet-size", "750 bytes"], 100),
        (["path_window", "--rate", "1Gbit/s", "--rtt", "200ms"], 16666.667),
        (
            ["path_window", "--rate", "1e9", "--rtt", "0.2", "--packet_size", "1500 bytes"],
            16666.667,
        ),
        (["cos_window", "--rounds", "3", "--ssthresh", "96kB"], 33),
        (["red_drop_share", "--probability", "0.1", "--wait", "false"], 0.2),
        (
            ["copa_equilibrium", "--deltas", "0.5,0.1"],
            {"highest": 30, "lowest": 0, "mean": 15, "period": 5, "shares": [1 / 6, 5 / 6]},
        ),
        (["alpha_fair_rates", "--routes", "0,1;0;1", "--capacities", "3,3"], [1, 2, 2]),
    ],
)
def test_quantities_are_written_as_in_a_scenario(
    arguments: list[str], result: object, capsys: Capture
) -> None:
    answer = value(capsys, *arguments)
    if isinstance(answer, dict) and isinstance(result, dict):
        shares = result.pop("shares")
        assert answer.pop("shares") == pytest.approx(shares)
    assert answer == pytest.approx(result, rel=1e-6)


def test_one_value_is_printed_with_its_unit(capsys: Capture) -> None:
    assert status("aimd_recovery_time", "--rate", "10Mbit/s", "--rtt", "200ms") == 0
    assert capsys.readouterr().out == "16.6667 s\n"
    assert status("knee", "--rate", "1000", "--rtt", "50ms") == 0
    assert "inflight: 50 packets\n" in capsys.readouterr().out


def test_a_buffer_is_given_in_packets_bytes_and_milliseconds(capsys: Capture) -> None:
    assert status("rule_of_thumb", "--rate", "10Mbit/s", "--rtt", "60ms") == 0
    assert capsys.readouterr().out == "50 packets = 75 kB = 60 ms = 1 BDP\n"
    assert (
        status(
            "rule_of_thumb",
            "--rate",
            "10Mbit/s",
            "--rtt",
            "60ms",
            "--packet-size",
            "750 bytes",
            "--json",
        )
        == 0
    )
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["result"], row["bytes"], row["seconds"]) == pytest.approx((100.0, 75_000.0, 0.06))
    assert (
        status("small_buffer", "--rate", "10Gbit/s", "--rtt", "100ms", "--flows", "100,10000") == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-4:-1] for line in lines[-2:]] == [
        ["8333", "12.5", "10"],
        ["833.3", "1.25", "1"],
    ]
    # Without a rate there is no time.
    assert status("tiny_buffer", "--max-window", "64", "--load", "0.5", "--utilisation", "0.9") == 0
    assert capsys.readouterr().out == "14.3219 packets = 21.5 kB\n"


def test_several_values_are_a_table_of_all_combinations(capsys: Capture) -> None:
    assert (
        status("pftk_rate", "--loss-rate", "1e-4,1e-3,1e-2", "--rtt", "20ms,100ms", "--json") == 0
    )
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["arguments"]["loss_rate"], row["arguments"]["rtt"]) for row in rows] == [
        (p, rtt) for p in (1e-4, 1e-3, 1e-2) for rtt in (0.02, 0.1)
    ]
    assert [row["result"] for row in rows] == pytest.approx(
        [theory.pftk_rate(**row["arguments"]) for row in rows]
    )
    assert (
        status(
            "stability_margin",
            "--cc",
            "scalable,aimd(a=2,b=0.25)",
            "--rtt",
            "10ms,100ms",
            "--rate",
            "100Mbit/s",
            "--flows",
            "10",
        )
        == 0
    )
    text = capsys.readouterr().out
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80
    assert "…" not in text
    assert "scalable" in text
    assert "aimd(a=2" in text


def test_ranges_are_even_or_where_they_are_wide_in_equal_ratios(capsys: Capture) -> None:
    def spread(text: str, *more: str) -> list[float]:
        assert status("bbr_probe_rtt_rounds", "--rtt", text, *more, "--json") == 0
        return [row["arguments"]["rtt"] for row in json.loads(capsys.readouterr().out)["rows"]]

    assert spread("10ms..50ms:5") == pytest.approx([0.01, 0.02, 0.03, 0.04, 0.05])
    assert spread("1ms..1s:4") == pytest.approx([0.001, 0.01, 0.1, 1])
    assert len(spread("10ms..50ms")) == 25
    assert status("bbr_filter_share", "--flows", "1..4", "--json") == 0
    assert [row["arguments"]["flows"] for row in json.loads(capsys.readouterr().out)["rows"]] == [
        1,
        2,
        3,
        4,
    ]


def test_a_course_has_a_row_per_step(capsys: Capture) -> None:
    assert status("bbr_two_flow_map", "--share", "0.9", "--probes", "3") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[-3:]] == ["1", "2", "3"]
    assert float(lines[-1].split()[1]) == pytest.approx(
        theory.bbr_two_flow_map(0.9, 3)[-1].rates[0], rel=1e-3
    )


def test_arrays_have_a_row_per_place(capsys: Capture) -> None:
    """RFC 3649 appendix B: b = 0.5 at 38 packets, 0.33 at 1058, 0.1 at 83 000 or so."""
    assert status("highspeed_response", "--window", "38,1058,83000") == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [row[0] for row in rows] == ["1", "2", "3"]
    assert [float(row[2]) for row in rows] == pytest.approx([0.5, 0.33, 0.1], abs=0.005)


def test_what_is_not_finite_is_json_all_the_same(capsys: Capture) -> None:
    margins = value(
        capsys,
        "stability_margin",
        "--cc",
        "reno",
        "--rtt",
        "20ms",
        "--rate",
        "1000",
        "--flows",
        "5",
        "--weight",
        "1e-6",
    )
    assert isinstance(margins, dict)
    assert margins["stable"] is True
    assert all(
        margin is None or margin == "inf" or math.isfinite(margin) for margin in margins.values()
    )


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_a_figure_is_drawn_over_what_varies(suffix: str, tmp_path: Path, capsys: Capture) -> None:
    made = tmp_path / f"pftk.{suffix}"
    assert (
        status("pftk_rate", "--loss-rate", "1e-4..0.1", "--rtt", "20ms,100ms", "--plot", made.name)
        == 0
    )
    first = made.read_bytes()
    assert f"Figure: {made.name}" in capsys.readouterr().err
    assert (
        status("pftk_rate", "--loss-rate", "1e-4..0.1", "--rtt", "20ms,100ms", "--plot", made.name)
        == 0
    )
    assert made.read_bytes() == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["small_bufer"], "did you mean 'small_buffer'?"),
        (["pftk_rate"], "pftk_rate needs --loss-rate, --rtt"),
        (["pftk_rate", "--los", "1"], "--los"),
        (
            ["rule_of_thumb", "--rate", "10ms", "--rtt", "1"],
            "--rate: '10ms' is neither a number, in packets/s, nor a quantity such as '10Mbit/s'",
        ),
        (
            ["pftk_rate", "--loss-rate", "much", "--rtt", "1"],
            "--loss-rate: 'much' is not a number; it has no unit here",
        ),
        (["bbr_filter_share", "--flows", "1.5"], "--flows: 1.5 is not a whole number"),
        (
            ["bbr_filter_share", "--flows", "0"],
            "bbr_filter_share(flows=0): 0 flows with a gain of 1.25: at least one flow",
        ),
        (
            ["red_drop_share", "--probability", "0.1", "--wait", "no"],
            "--wait: 'no' is neither true nor false",
        ),
        (["bbr_loss_cliff", "--plot", "a.svg"], "--plot: nothing varies that is a number"),
        (["bbr_loss_cliff", "--gain", "1.1,1.2", "--plot", "a.gif"], ".svg, .pdf, .png or .pgf"),
        (["bbr_loss_cliff", "--gain", "1.1,1.2", "--plot", "no/a.svg"], "there is no folder 'no'"),
        (["bbr_loss_cliff", "--gain", "1..1"], "begins where it ends"),
        (["bbr_loss_cliff", "--gain", "1..2:1"], "a range has 2 to 10000 values"),
        (["bbr_loss_cliff", "--gain", "1..2:9999", "--packet-size", "1"], "--packet-size"),
        (
            ["random_loss_window", "--loss-rate", "0.1"],
            "call ackclock.theory.random_loss_window from Python",
        ),
        (
            [
                "bbr_settling_probes",
                "--shares",
                "0.5,0.5",
                "--gain",
                "1..2:1000",
                "--within",
                "1..2:1000",
            ],
            "1,000,000 combinations",
        ),
        (
            ["path_window", "--rate", "1e9", "--rtt", "0.1", "--packet-size", "0"],
            "a packet of 0 bytes",
        ),
        (
            ["rule_of_thumb", "--rate", "1e9", "--rtt", "0.1", "--packet-size", "0 bytes"],
            "--packet-size: a packet has a byte at least",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    arguments: list[str], message: str, capsys: Capture
) -> None:
    assert status(*arguments) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
