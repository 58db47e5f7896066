"""Names that pictures must show as they are."""

ODD_NAMES = [
    "$x_1$",
    r"\frac{1}{2}$",
    "50%_&_#more^~",
    "_hidden",
    "two\nlines",
    "größe [µm]",
    "",
    7,
    ("t", 1),
    "W" * 80,
    "a column name that explains everything about itself at length",
]
