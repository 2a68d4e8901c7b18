"""UDP streams are shown with the figures that they have."""

from ackclock.results.run_tables import stream_table

BASE = {
    "lost_packets": 3,
    "late_packets": 0,
    "delay_mean": 0.05,
    "delay_p95": 0.07,
    "jitter": 0.001,
}
NONE = {
    "frames_sent": None,
    "frames_complete": None,
    "frames_decodable": None,
    "r_factor": None,
    "mos": None,
}


def test_columns_that_no_stream_has_are_left_out() -> None:
    table = stream_table([{"name": "cbr", **BASE, **NONE}])
    assert table.header == ["stream", "lost", "late", "delay, mean", "delay, p95", "jitter"]
    assert table.rows == [["cbr", "3", "0", "50 ms", "70 ms", "1 ms"]]


def test_a_film_and_a_call_leave_each_other_s_columns_open() -> None:
    film = {
        "name": "film",
        **BASE,
        **NONE,
        "frames_sent": 100,
        "frames_complete": 90,
        "frames_decodable": 20,
    }
    call = {"name": "call", **BASE, **NONE, "r_factor": 80.0, "mos": 4.0}
    table = stream_table([film, call])
    assert table.header[6:] == ["frames", "on time", "decodable", "R", "MOS"]
    assert [row[6:] for row in table.rows] == [
        ["100", "90", "20", "–", "–"],
        ["–", "–", "–", "80", "4"],
    ]
