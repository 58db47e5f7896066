"""Gaussian and conditional linear Gaussian parameters from exact moments.

A factor is named as in the discrete oracle: attribute i, given ((variable, value), ...) of its
discrete parents, the class (Y, y) among them unless the arc from the class is missing. Its
continuous parents are column numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from oracle.regression import slopes
from oracle.tables import Number, Row, Table, Value, Y, remembered

Given = tuple[tuple[Value, Value], ...]
Rows = list[tuple[Row, Value, Number]]  # cells, label, weight

MOST_DISTINCT = 2**16


# --- one column ---------------------------------------------------------------------------------


@remembered
def resolution(table: Table, i: int) -> Fraction:
    """Return r, the mean gap between neighbouring distinct values; 0 for a constant column."""
    distinct = {row[i] for row in table.rows} - {None}
    if len(distinct) == 1:
        return Fraction(0)
    gaps = len(distinct) - 1 if len(distinct) <= MOST_DISTINCT else MOST_DISTINCT
    return (max(distinct) - min(distinct)) / gaps


def floor(table: Table, i: int) -> Fraction:
    """Return the smallest variance of an attribute, (r/6)²."""
    return (resolution(table, i) / 6) ** 2


def is_constant(table: Table, i: int) -> bool:
    """Tell whether a column of numbers has one distinct value."""
    return resolution(table, i) == 0


@remembered
def spread(table: Table, i: int) -> Fraction:
    """Return σ², the variance of an attribute over all rows in which it is observed."""
    return variance_of(family_rows(table, (i,)), i)


# --- moments over rows --------------------------------------------------------------------------


@remembered
def family_rows(table: Table, variables: tuple[Value, ...]) -> Rows:
    """Return the rows in which all the variables are observed (the class always is)."""
    columns = [variable for variable in variables if variable != Y]
    rows = zip(table.rows, table.labels, table.weights, strict=True)
    return [row for row in rows if all(row[0][i] is not None for i in columns)]


def matching(rows: Rows, given: Given) -> Rows:
    """Return the rows in which the named variables have the named values."""
    return [
        (cells, label, weight)
        for cells, label, weight in rows
        if all((label if name == Y else cells[name]) == value for name, value in given)
    ]


def weight_of(rows: Rows) -> Number:
    """Return the weight of some rows, "the number of rows"."""
    return sum(weight for _, _, weight in rows)


def mean_of(rows: Rows, i: int) -> Fraction:
    """Return the mean of an attribute over some rows."""
    return Fraction(sum(weight * cells[i] for cells, _, weight in rows)) / weight_of(rows)


def covariance_of(rows: Rows, i: int, j: int) -> Fraction:
    """Return the maximum-likelihood covariance of two attributes over some rows."""
    a, b = mean_of(rows, i), mean_of(rows, j)
    products = sum(weight * (cells[i] - a) * (cells[j] - b) for cells, _, weight in rows)
    return Fraction(products) / weight_of(rows)


def variance_of(rows: Rows, i: int) -> Fraction:
    """Return the maximum-likelihood variance of an attribute over some rows."""
    return covariance_of(rows, i, i)


# --- factors ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fit:
    """Moments of one configuration, no variance floored: X ~ mean + Σ b_j (z_j - mean_j)."""

    mean: Fraction
    parent_means: tuple[Fraction, ...]
    coefficients: tuple[Fraction, ...]
    variance: Fraction
    residual: Fraction


@dataclass(frozen=True)
class Linear:
    """X ~ N(intercept + Σ b_j z_j, variance); a constant column has variance 0."""

    intercept: Fraction
    coefficients: tuple[Fraction, ...]
    variance: Fraction

    def mean(self, parents: Sequence[Fraction | None]) -> Fraction:
        """Return the mean given the values of the continuous parents."""
        terms = zip(self.coefficients, parents, strict=True)
        return self.intercept + sum(b * z for b, z in terms if b)


def fit_rows(table: Table, i: int, parents: tuple[int, ...], rows: Rows) -> Fit:
    """Regress an attribute on its continuous parents over some rows."""
    variance = variance_of(rows, i)
    matrix = [[covariance_of(rows, j, k) for k in parents] for j in parents]
    for place, j in enumerate(parents):
        matrix[place][place] = max(matrix[place][place], floor(table, j))
    covariances = [covariance_of(rows, j, i) for j in parents]
    b = slopes(matrix, covariances, [spread(table, j) for j in parents])
    explained = sum(b[j] * matrix[j][k] * b[k] for j in range(len(b)) for k in range(len(b)))
    return Fit(
        mean_of(rows, i),
        tuple(mean_of(rows, j) for j in parents),
        b,
        variance,
        variance - explained,
    )


def flat(mean: Fraction, variance: Fraction, parents: tuple[int, ...]) -> Fit:
    """Return a fit without slopes."""
    zeros = (Fraction(0),) * len(parents)
    return Fit(mean, zeros, zeros, variance, variance)


def class_part(given: Given) -> Given:
    """Return the class among the given; () if the arc from the class is missing."""
    return tuple((name, value) for name, value in given if name == Y)


def groups(table: Table, rows: Rows, given: Given) -> list[Rows]:
    """Split rows by class; one group of them all where the arc from the class is missing."""
    if not class_part(given):
        return [rows]
    return [matching(rows, ((Y, y),)) for y in table.classes]


def pooled_variance(table: Table, i: int, rows: Rows, given: Given) -> Fraction:
    """Return Σ_y n_y σ²_y / Σ_y n_y, no variance floored."""
    parts = [part for part in groups(table, rows, given) if part]
    return sum(weight_of(part) * variance_of(part, i) for part in parts) / weight_of(rows)


@remembered
def fit(table: Table, i: int, parents: tuple[int, ...], given: Given) -> Fit:
    """Return the moments of a configuration, or those it backs off to."""
    rows = family_rows(table, (i, *parents, *(name for name, _ in given)))
    if not rows:
        if not family_rows(table, (i,)):
            raise ValueError(f"attribute {i} is nowhere observed")
        alone = fit(table, i, (), class_part(given))
        return flat(alone.mean, alone.variance, parents)
    own, of_class = matching(rows, given), matching(rows, class_part(given))
    if weight_of(own) >= 2:
        return fit_rows(table, i, parents, own)
    if weight_of(of_class) >= 2:
        return fit_rows(table, i, parents, of_class)
    mean = mean_of(of_class or rows, i)
    return flat(mean, pooled_variance(table, i, rows, given), parents)


@remembered
def clg(table: Table, i: int, parents: tuple[int, ...], given: Given) -> Linear:
    """Return the conditional linear Gaussian of an attribute; without parents the Gaussian."""
    if is_constant(table, i):
        return point_mass(table, i, parents)
    moments = fit(table, i, parents, given)
    variance = max(moments.residual, floor(table, i))
    return Linear(centred(moments), moments.coefficients, variance)


def point_mass(table: Table, i: int, parents: tuple[int, ...]) -> Linear:
    """Return the factor of a constant column."""
    return Linear(mean_of(family_rows(table, (i,)), i), (Fraction(0),) * len(parents), Fraction(0))


def centred(moments: Fit) -> Fraction:
    """Return the intercept mean - Σ b_j mean_j."""
    terms = zip(moments.coefficients, moments.parent_means, strict=True)
    return moments.mean - sum(b * mean for b, mean in terms)


@remembered
def hugin(table: Table, i: int, parents: tuple[int, ...], given: Given) -> Linear:
    """Return GAODE's variance="hugin": neither the mean centred nor the variance reduced."""
    if is_constant(table, i):
        return point_mass(table, i, parents)
    moments = fit(table, i, parents, given)
    return Linear(moments.mean, moments.coefficients, max(moments.variance, floor(table, i)))


@remembered
def pooled(table: Table, i: int, parents: tuple[int, ...], given: Given) -> Linear:
    """Return GAODE's variance="pooled": the classes share one residual variance.

    Only for factors whose one discrete parent is the class.
    """
    if is_constant(table, i):
        return point_mass(table, i, parents)
    moments = fit(table, i, parents, given)
    rows = family_rows(table, (i, *parents))
    variance = (
        sum(
            weight_of(part) * raw_residual(table, i, parents, part)
            for part in groups(table, rows, given)
            if part
        )
        / weight_of(rows)
        if rows
        else pooled_variance(table, i, family_rows(table, (i,)), given)
    )
    return Linear(centred(moments), moments.coefficients, max(variance, floor(table, i)))


def raw_residual(table: Table, i: int, parents: tuple[int, ...], rows: Rows) -> Fraction:
    """Return the residual variance of one class; its variance if it has fewer than two rows."""
    if weight_of(rows) < 2:
        return variance_of(rows, i)
    return fit_rows(table, i, parents, rows).residual
