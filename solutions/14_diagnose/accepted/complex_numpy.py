"""Works with numpy's complex numbers: one row divided by the one before is the step."""

import numpy as np
import torch
from given import NAMES, Box


def near(left: np.ndarray, right: np.ndarray | float) -> bool:
    """Return whether two arrays are equal but for noise."""
    return bool(np.max(np.abs(left - right)) < 5e-4)


def diagnose(encode: Box) -> str:
    """Return the name of what `encode` does."""
    length, dim = encode.max_len, encode.dim
    x = np.zeros((4, length, dim), dtype=np.float32)
    x[2], x[3, :, ::2] = -1.0, 1.0
    y = encode(torch.from_numpy(x)).numpy().astype(np.float64)
    added, ones, evens = y[0], y[0] - y[2], y[3] - y[0]
    guess = NAMES.index("learned-table")
    if not near(y[1], added):
        guess = NAMES.index("batch-slice")
    elif near(ones, 0.0):
        guess = NAMES.index("table-returned")
    elif not near(evens, evens[0]):
        z = evens[:, 0] + 1j * evens[:, 1]
        guess = NAMES.index("rope" if np.angle(z[1] / z[0]) > 0 else "rope-backwards")
    elif near(added, added[0]):
        guess = NAMES.index("order-ignored")
    else:
        guess = NAMES.index(of_table(added))
    return NAMES[guess]


def step_of(z: np.ndarray) -> np.ndarray | None:
    """Return the common quotient of neighbouring rows, [D/2], if there is one of size 1."""
    quotient = z[1:] * z[:-1].conj() / np.maximum(np.abs(z[:-1]) ** 2, 1e-12)
    steady = near(quotient, quotient[0]) and near(np.abs(quotient), 1.0)
    return quotient[0] if steady else None


def of_table(rows: np.ndarray) -> str:
    """Name a table [L, D]."""
    half = rows.shape[1] // 2
    z = rows[:, 1::2] + 1j * rows[:, ::2]  # cos + i sin turns counterclockwise
    step = step_of(z)
    if step is None:
        split = step_of(rows[:, half:] + 1j * rows[:, :half])
        return "learned-table" if split is None else "halves"
    share = np.arange(half) / half
    for name, base in (("sinusoid", 1e4), ("base-1000", 1e3), ("one-frequency", 1.0)):
        if near(step, np.exp(1j * base**-share)):
            return "added-twice" if near(np.abs(z), 2.0) else name
    return "cos-first" if near(step, np.exp(-1j * 1e4**-share)) else "learned-table"
