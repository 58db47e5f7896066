"""The page a network is drawn on: its size, its axes and its scale."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from bnclass.plot.layout import Layout
from bnclass.plot.sheet import Sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# In inches.
MARGIN = 0.15
KEY_HEIGHT = 0.4
TITLE_HEIGHT = 0.4


class Page(NamedTuple):
    """What the axes show, in inches of the natural size.

    Attributes
    ----------
    left, right, bottom, top : float
    """

    left: float
    right: float
    bottom: float
    top: float

    @property
    def width(self) -> float:
        """Width in inches."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height in inches."""
        return self.top - self.bottom


def page_of(layout: Layout, sheet: Sheet, key_width: float = 0.0) -> Page:
    """Return the page that holds a layout, a margin and perhaps a key below.

    Parameters
    ----------
    layout : Layout
    sheet : Sheet
    key_width : float, default=0
        In inches; 0 if there is no key.

    Returns
    -------
    Page
    """
    left, right, bottom, top = layout.extent
    middle, half = (left + right) / 2 * sheet.width, (right - left) / 2 * sheet.width
    half = max(half, key_width / 2) + MARGIN
    below = MARGIN + (KEY_HEIGHT if key_width > 0 else 0.0)
    return Page(
        middle - half, middle + half, bottom * sheet.height - below, top * sheet.height + MARGIN
    )


def common_page(pages: Iterable[Page]) -> Page:
    """Return the page that holds each of several pages.

    Parameters
    ----------
    pages : iterable of Page
        One at least.

    Returns
    -------
    Page

    Examples
    --------
    >>> from bnclass.plot.page import Page, common_page
    >>> common_page([Page(-1, 2, -1, 0), Page(-2, 1, -3, 0)])
    Page(left=-2, right=2, bottom=-3, top=0)
    """
    left, right, bottom, top = zip(*pages, strict=True)
    return Page(min(left), max(right), min(bottom), max(top))


def new_axes(page: Page, *, with_title: bool) -> "Axes":
    """Make a pyplot figure in which a page has its natural size.

    Parameters
    ----------
    page : Page
    with_title : bool
        Leave room above.

    Returns
    -------
    matplotlib.axes.Axes
    """
    import matplotlib.pyplot as plt

    height = page.height + (TITLE_HEIGHT if with_title else 0.0)
    figure, ax = plt.subplots(figsize=(page.width, height), layout="none")
    figure.subplots_adjust(left=0, right=1, bottom=0, top=page.height / height)
    return ax


def show_page(ax: "Axes", page: Page) -> float:
    """Let axes show a page and nothing else.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    page : Page

    Returns
    -------
    float
        Size in the axes over natural size.
    """
    ax.set_axis_off()
    ax.set_xlim(page.left, page.right)
    ax.set_ylim(page.bottom, page.top)
    ax.set_aspect("equal")
    box, dpi = ax.get_window_extent(), ax.figure.dpi
    return float(min(box.width / dpi / page.width, box.height / dpi / page.height))
