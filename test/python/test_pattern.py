"""nm.Pattern: what is a pattern, and what it fits."""

import nm
import pytest


@pytest.mark.parametrize(
    "arguments, text",
    [
        ((2, 4), "2:4"),
        ((8, 32, (1, 32)), "8:32, unit = 1x32"),
        ((16, None), "16:all"),
    ],
)
def test_str(arguments, text):
    assert str(nm.Pattern(*arguments)) == text


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((0, 4), "expected keep >= 1, got 0"),
        ((4, 2), "expected keep <= window, got keep=4 of window=2"),
        ((2.5, 4), "keep: expected a whole number, got 2.5"),
        ((2, "4"), "window: expected a whole number, got '4'"),
        ((None, 4), "keep: expected a whole number, got None"),
        ((1, 4, 32), r"expected unit=\(Bk, Bn\), two ints, got 32"),
        ((1, 4, (1,)), r"expected unit=\(Bk, Bn\), both >= 1, got \(1,\)"),
        ((1, 4, (0, 1)), r"expected unit=\(Bk, Bn\), both >= 1, got \(0, 1\)"),
    ],
)
def test_no_pattern(arguments, message):
    with pytest.raises(nm.PatternError, match=message):
        nm.Pattern(*arguments)


def test_height_counts_partial_windows():
    assert nm.Pattern(3, 10).height(60) == 18
    assert nm.Pattern(3, 10).height(67) == 21
    assert nm.Pattern(2, 4, (4, 4)).height(40) == 24
    assert nm.Pattern(16, None).height(96) == 16


@pytest.mark.parametrize(
    "arguments, k, n, reason",
    [
        ((2, 4), 6, 5, None),
        ((2, 4, (1, 8)), 64, 5, "a unit of 1x8 is larger than the weight"),
        ((8, 32), 16, 5, "a window of 32 units is 32 rows long"),
        ((3, 4), 5, 5, "it would store 6 rows of 5, which saves nothing"),
        ((4, 4), 8, 5, "it would store 8 rows of 8, which saves nothing"),
    ],
)
def test_misfit(arguments, k, n, reason):
    assert nm.Pattern(*arguments).misfit(k, n) == reason
