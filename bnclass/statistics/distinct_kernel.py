"""The compiled loop that collects distinct numbers; importing this module loads numba."""

import numba
import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint64]

_NOTHING = np.uint64(2**64 - 1)  # the bits of a NaN, which is never put into the set
_LAST_NUMBER = np.uint64(0xFFE0000000000000)  # infinity without its sign bit, shifted left
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ / golden ratio, odd
_ZERO, _ONE, _HALF = np.uint64(0), np.uint64(1), np.uint64(32)


@numba.njit(nogil=True, cache=True)
def distinct(bits: Bits, slots: Bits, log2_slots: int, found: Bits) -> int:
    """Collect the distinct numbers of a column in an open-addressing hash set.

    Parameters
    ----------
    bits : ndarray of shape (n_rows,), uint64
        The float64 numbers bit by bit; NaN is skipped, -0.0 is 0.0.
    slots : ndarray of shape (2**log2_slots,), uint64
        Room for the set, overwritten.
    log2_slots : int
    found : ndarray of shape (most,), uint64
        Overwritten: the distinct numbers as they come; fewer than there are slots.

    Returns
    -------
    int
        How many there are, or -1 if there are more than `found` holds.
    """
    shift, mask = np.uint64(64 - log2_slots), np.uint64(len(slots) - 1)
    slots[:] = _NOTHING
    n = 0
    for number in bits:
        magnitude = number << _ONE
        if magnitude > _LAST_NUMBER:
            continue
        if magnitude == _ZERO:
            number = _ZERO
        # Whole numbers differ in their upper bits only: fold them down before multiplying.
        slot = ((number ^ (number >> _HALF)) * _GOLDEN) >> shift
        while slots[slot] != number:
            if slots[slot] == _NOTHING:
                if n == len(found):
                    return -1
                slots[slot] = number
                found[n] = number
                n += 1
                break
            slot = (slot + _ONE) & mask
    return n
