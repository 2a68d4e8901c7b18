"""Does each criterion judge as it declares?"""

import math

import pytest

from ackclock.studies.claim import Criterion, Evidence
from ackclock.studies.criteria import Effect, Growth, Level, greater, less, no_more, same, within
from ackclock.studies.results import Results
from ackclock.studies.rules import Agreement, All, Rule, Unjudged
from ackclock.studies.weighing import Range, counted, shown, signed
from made_up_studies import noise, results

PAIR = ("e", "goodput", "cc", "cubic", "reno")


def shifted(*shares: float, spread: float = 1.0) -> Results:
    """Cubic differs from Reno by a share per buffer; the seeds' own spread is common to both."""

    def figure(cc: str, buffer: int, replication: int) -> float:
        share = dict(zip((5, 10, 20), shares, strict=True))[buffer]
        base = 100.0 + 5 * noise(replication)
        return base if cc == "reno" else base * (1 + share) + spread * noise(replication * 3 + 1)

    return results(figure)


@pytest.mark.parametrize(
    ("shares", "kind"),
    [
        ((-0.1, -0.2, -0.3), "holds"),
        ((-0.1, -0.2, 0.2), "in part"),
        ((-0.1, 0.0, 0.0), "in part"),
        ((0.1, 0.2, 0.3), "does not hold"),
        ((0.1, 0.0, 0.0), "does not hold"),
        ((0.0, 0.0, 0.0), "cannot be judged"),
    ],
)
def test_less_is_judged_setting_by_setting(shares: tuple[float, ...], kind: str) -> None:
    assert less(*PAIR).judge(shifted(*shares)).kind == kind


def test_greater_is_the_mirror_of_less() -> None:
    assert greater(*PAIR).judge(shifted(0.1, 0.2, 0.3)).kind == "holds"
    assert greater(*PAIR).judge(shifted(-0.1, -0.2, -0.3)).kind == "does not hold"


def test_a_difference_that_is_clear_but_smaller_than_claimed_speaks_against() -> None:
    runs = shifted(-0.1, -0.1, -0.1)
    assert less(*PAIR, by=0.05).judge(runs).kind == "holds"
    assert less(*PAIR, by=0.2).judge(runs).kind == "does not hold"


def test_the_very_same_values_are_not_less() -> None:
    verdict = less(*PAIR).judge(shifted(0.0, 0.0, 0.0, spread=0.0))
    assert verdict.kind == "does not hold"
    assert {piece.leaning for piece in verdict.evidence} == {"against"}


def test_the_very_same_values_are_the_same_and_no_more() -> None:
    runs = shifted(0.0, 0.0, 0.0, spread=0.0)
    assert same(*PAIR, margin=0.01).judge(runs).kind == "holds"
    assert no_more(*PAIR, margin=0.01).judge(runs).kind == "holds"


def test_few_noisy_seeds_do_not_prove_equality() -> None:
    assert (
        same(*PAIR, margin=0.01).judge(shifted(0.0, 0.0, 0.0, spread=20.0)).kind
        == "cannot be judged"
    )


def test_one_seed_leaves_everything_open() -> None:
    verdict = less(*PAIR).judge(
        results(lambda cc, _buffer, _seed: 1.0 if cc == "cubic" else 100.0, seeds=1)
    )
    assert verdict.kind == "cannot be judged"


def test_intervals_are_wider_the_more_settings_there_are() -> None:
    runs = shifted(-0.1, -0.1, -0.1)
    alone = less(*PAIR, at={"buffer": 5}).judge(runs).evidence[0]
    among = less(*PAIR).judge(runs).evidence[0]
    assert alone.value == among.value
    assert None not in (alone.low, alone.high, among.low, among.high)
    assert (among.high or 0.0) - (among.low or 0.0) > 1.1 * (
        (alone.high or 0.0) - (alone.low or 0.0)
    )


def test_more_where_the_base_has_none_speaks_against_less() -> None:
    verdict = less(*PAIR).judge(
        results(lambda cc, _buffer, replication: 0.0 if cc == "reno" else 10.0 + noise(replication))
    )
    assert verdict.kind == "does not hold"
    assert "where the base has none" in verdict.evidence[0].why


def test_a_label_that_the_axis_has_not_is_an_error() -> None:
    with pytest.raises(KeyError, match="no value 'vegas'"):
        less("e", "goodput", "cc", "vegas", "reno").judge(shifted(0.0, 0.0, 0.0))
    with pytest.raises(KeyError, match="no response 'loss'"):
        less("e", "loss", "cc", "cubic", "reno").judge(shifted(0.0, 0.0, 0.0))


@pytest.mark.parametrize("ccs", [("reno",), ("cubic",)])
@pytest.mark.parametrize("criterion", [less(*PAIR), Effect(*PAIR), Growth(*PAIR, along="buffer")])
def test_what_quick_runs_leave_out_cannot_be_judged(
    criterion: Criterion, ccs: tuple[str, ...]
) -> None:
    other = "reno" if ccs == ("cubic",) else "cubic"
    verdict = criterion.judge(results(lambda *_: 100.0, ccs=ccs, quick=True))
    assert verdict.kind == "cannot be judged"
    assert verdict.sentence == f"the quick runs leave out cc = {other}."


@pytest.mark.parametrize("wanted", [5, [5, 40]])
def test_a_setting_that_quick_runs_leave_out_cannot_be_judged(wanted: object) -> None:
    runs = results(lambda *_: 100.0, buffers=(10, 20), quick=True)
    labels = "5, 40" if isinstance(wanted, list) else "5"
    for criterion in (
        less(*PAIR, at={"buffer": wanted}),
        within("e", "goodput", 100.0, tolerance=0.1, at={"buffer": wanted}),
    ):
        verdict = criterion.judge(runs)
        assert (verdict.kind, verdict.sentence) == (
            "cannot be judged",
            f"the quick runs leave out buffer = {labels}.",
        )
    alone = Growth(*PAIR, along="buffer").judge(
        results(lambda *_: 100.0, buffers=(10,), quick=True)
    )
    assert alone.sentence == "the quick runs leave out all but one value of buffer."


def test_of_several_labels_those_that_ran_are_judged() -> None:
    runs = results(
        lambda cc, _, seed: (90.0 if cc == "cubic" else 100.0) + noise(seed),
        buffers=(10, 20),
        quick=True,
    )
    assert less(*PAIR, at={"buffer": [5, 10]}).judge(runs).kind == "holds"


def test_settings_are_paired_by_their_labels() -> None:
    runs = shifted(-0.1, -0.2, -0.3)
    pairs = less(*PAIR).pairs(runs)
    assert [(ours.labels["buffer"], base.labels["buffer"]) for ours, base in pairs] == [
        (5, 5),
        (10, 10),
        (20, 20),
    ]
    assert {(ours.labels["cc"], base.labels["cc"]) for ours, base in pairs} == {("cubic", "reno")}


@pytest.mark.parametrize(
    ("slope", "kind"), [(0.5, "holds"), (2.0, "does not hold"), (1.0, "cannot be judged")]
)
def test_growth_compares_slopes(slope: float, kind: str) -> None:
    def figure(cc: str, buffer: int, replication: int) -> float:
        return buffer * (slope if cc == "cubic" else 1.0) + 0.1 * noise(
            replication * (3 if cc == "cubic" else 1) + buffer
        )

    verdict = Growth(*PAIR, along="buffer").judge(results(figure))
    assert verdict.kind == kind
    assert verdict.figures["base_slope"] == pytest.approx(1.0, abs=0.05)


def test_within_needs_the_whole_interval() -> None:
    at = {"cc": "reno"}
    runs = results(lambda _cc, _buffer, replication: 100.0 + noise(replication))
    assert within("e", "goodput", 100.0, tolerance=0.05, at=at).judge(runs).kind == "holds"
    assert within("e", "goodput", 120.0, tolerance=0.05, at=at).judge(runs).kind == "does not hold"
    assert (
        within("e", "goodput", 100.0, tolerance=0.001, at=at).judge(runs).kind == "cannot be judged"
    )
    assert Level("e", "goodput", lowest=90.0, at=at).judge(runs).kind == "holds"


def test_agreement_names_the_worst() -> None:
    pairs = [("a", 1.0, 1.0), ("b", 1.2, 1.0)]
    verdict = Agreement("x against y", lambda _results: pairs, 0.1).judge(shifted(0.0, 0.0, 0.0))
    assert verdict.kind == "in part"
    assert "at b" in verdict.sentence
    assert "+20 %" in verdict.sentence


def test_parts_are_weighed_as_settings_are() -> None:
    runs = shifted(-0.1, -0.2, -0.3)
    good, bad = less(*PAIR), greater(*PAIR)
    assert All((("a", good), ("b", good))).judge(runs).kind == "holds"
    assert All((("a", good), ("b", bad))).judge(runs).kind == "in part"
    assert All((("a", bad), ("b", bad))).judge(runs).kind == "does not hold"
    assert All((("a", bad), ("b", Unjudged("no run can")))).judge(runs).kind == "does not hold"


def test_what_all_parts_say_is_said_once() -> None:
    text = All(
        (("a", less(*PAIR, at={"buffer": 5})), ("b", less(*PAIR, at={"buffer": 20})))
    ).describe()
    assert text.startswith(
        "a: goodput of cubic is less than that of reno (at buffer = 5); b: goodput of cubic"
    )
    assert text.count("paired by seed") == 1
    assert text.endswith("; all " + less(*PAIR).describe().partition("reno, ")[2])


def test_a_label_with_commas_is_one_name() -> None:
    text = All(
        (
            ("a", less("e", "goodput", "cc", "COS, told", "reno")),
            ("b", Effect("e", "loss", "cc", "COS, told", "x, told")),
        )
    ).describe()
    assert "goodput of “COS, told” is less than that of reno" in text
    assert "loss of “COS, told” against “x, told”, paired by seed" in text


def test_what_agrees_exactly_is_said_so() -> None:
    assert (
        Agreement("x against y", lambda _results: [], 0.0).describe()
        == "x against y: each the same"
    )


def test_an_effect_tells_where_it_is_less_more_or_neither() -> None:
    verdict = Effect(*PAIR).judge(shifted(-0.2, 0.0, 0.2))
    assert verdict.kind == "answered"
    assert verdict.figures == {"less": 1, "more": 1, "neither": 1}
    assert "clearly less" in verdict.text
    assert "buffer = 5" in verdict.text


def test_an_effect_knows_what_one_wishes() -> None:
    leanings = [
        piece.leaning
        for piece in Effect(*PAIR, better="more").judge(shifted(-0.2, 0.0, 0.2)).evidence
    ]
    assert leanings == ["against", "open", "for"]


def test_a_rule_is_the_studys_own() -> None:
    rule = Rule("it is so", lambda _results: Unjudged("why not").judge(_results))
    assert rule.describe() == "it is so"
    assert rule.judge(shifted(0.0, 0.0, 0.0)).sentence == "Why not."


def test_counted_follows_the_same_rule() -> None:
    assert [counted(passed, 3) for passed in (3, 1, 0)] == ["holds", "in part", "does not hold"]
    assert counted(0, 0) == "cannot be judged"


def test_a_range_leans_by_the_whole_interval() -> None:
    below = Range(highest=0.0)
    assert below.leaning(-2.0, -1.0) == "for"
    assert below.leaning(1.0, 2.0) == "against"
    assert below.leaning(-1.0, 1.0) == "open"
    assert below.leaning(None, None) == "open"
    assert below.leaning(math.inf, math.inf) == "against"


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.05, "+5 %"), (-0.31, "−31 %"), (8.9, "+890 %"), (9.0, "×10"), (25.66, "×27")],
)
def test_many_times_as_much_is_told_as_a_factor(share: float, said: str) -> None:
    assert signed(share) == said
    assert shown(Evidence("", "for", share, share, share, "change", 1)) == said


@pytest.mark.parametrize(
    ("low", "high", "unit", "said"),
    [
        (0.0963, 0.0964, "change", "+9.63 % [+9.63 %, +9.64 %]"),
        (-0.0202, -0.0201, "change", "−2.02 % [−2.02 %, −2.01 %]"),
        (0.018406, 0.018409, "s", "18.407 ms [18.406 ms, 18.409 ms]"),
        (1e-6, 2e-6, "change", "+0.00014 % [+0.0001 %, +0.0002 %]"),
        (11.501, 11.502, "change", "×12.501 [×12.501, ×12.502]"),
        (0.5, 0.7, "change", "+58 % [+50 %, +70 %]"),
    ],
)
def test_ends_that_differ_are_not_shown_alike(
    low: float, high: float, unit: str, said: str
) -> None:
    text = shown(Evidence("", "for", low + 0.4 * (high - low), low, high, unit, 5))
    ends = text[text.index("[") + 1 : -1].split(", ")
    assert ends[0] != ends[1]
    assert text == said
