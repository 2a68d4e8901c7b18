"""Are parameters of an algorithm keys like any other, for --set, sweeps and Scenario.replace?"""

import pytest

import ackclock as ac


def scenario(*cc: str) -> ac.Scenario:
    flows = [ac.flow(spec, name=name) for spec, name in zip(cc, "ab", strict=False)]
    return ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=flows, duration="1s")


@pytest.mark.parametrize(
    ("cc", "key", "value", "becomes"),
    [
        ("cubic", "flows.a.cc.beta", 0.8, "cubic(beta=0.8)"),
        ("cubic(beta=0.6, c=0.5)", "flows.cc.beta", 0.8, "cubic(c=0.5, beta=0.8)"),
        ("cos+reno", "flows.a.cc.sigma", 3, "cos(sigma=3)+reno"),
        ("cos+cubic", "flows.a.cc.beta", 0.8, "cos+cubic(beta=0.8)"),
        ("cos+cubic", "flows.a.cc.cubic.beta", 0.8, "cos+cubic(beta=0.8)"),
        ("cubic", "flows.a.cc.fast_convergence", False, "cubic(fast_convergence=false)"),
        ("cos(sigma=1e+0)+reno", "flows.a.cc.sigma", 1.5, "cos(sigma=1.5)+reno"),
    ],
)
def test_a_parameter_is_set(cc: str, key: str, value: object, becomes: str) -> None:
    assert scenario(cc).replace({key: value}).flows[0].cc == becomes


@pytest.mark.parametrize(
    ("cc", "key", "says"),
    [
        ("cos+reno", "flows.a.cc.beta", "no part of 'cos\\+reno' has a parameter 'beta'"),
        ("cos+reno", "flows.a.cc.sigm", "did you mean 'sigma'"),
        (
            "cos+reno",
            "flows.a.cc.coss.sigma",
            "has no part 'coss', only cos, reno; did you mean 'cos'",
        ),
        ("cubic", "flows.a.cc.betta", "cubic has no parameter 'betta'; did you mean 'beta'"),
        ("cubic", "flows.a.cc.cubic.beta.x", "a parameter has no keys inside"),
        ("cubic", "flows.a.cc.beta", "is no value of a parameter"),
    ],
)
def test_what_cannot_be_set_is_told(cc: str, key: str, says: str) -> None:
    value = [1, 2] if "no value" in says else 0.5
    with pytest.raises(ac.ScenarioError, match=says):
        scenario(cc).replace({key: value})


def test_two_parts_that_could_be_meant_are_told_apart() -> None:
    class_and_part = "python:own_reno:Reno"
    with pytest.raises(
        ac.ScenarioError, match=r"more than one part .* flows.cc.cos.sigma or flows.cc.Reno.sigma"
    ):
        scenario(f"cos+{class_and_part}").replace({"flows.cc.sigma": 2})


def test_it_is_an_axis_of_a_sweep() -> None:
    base = scenario("cubic", "reno")
    result = ac.sweep(
        base, axes=[{"flows.a.cc.beta": [0.3, 0.9]}], replications=1, responses=["goodput@a"]
    )
    assert result.runs["beta"].to_list() == [0.3, 0.9]
    slow, fast = result.runs["goodput@a"].to_list()
    # A window that is cut to a third of itself leaves more of the link to the other flow than one
    # that keeps nine tenths.
    assert slow < fast
