"""Colours and dashes that tell many lines apart, for every kind of colour vision.

The colours are those of Okabe and Ito, Color universal design (2008), without the yellow,
which is too light for a line on white.
"""

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
DASHES = ("-", "--", "-.", ":")
GREY = "#808890"


def line_style(i: int) -> tuple[str, str]:
    """Return the colour and the dashes of the i-th line.

    Parameters
    ----------
    i : int
        From 0. The first 28 lines all differ.

    Returns
    -------
    colour, dashes : str

    Examples
    --------
    >>> from bnclass.plot.palette import line_style
    >>> line_style(0), line_style(1)
    (('#0072b2', '-'), ('#d55e00', '--'))
    """
    # 7 and 4 have no common factor, so no pair comes back before 28 lines.
    return COLOURS[i % len(COLOURS)], DASHES[i % len(DASHES)]
