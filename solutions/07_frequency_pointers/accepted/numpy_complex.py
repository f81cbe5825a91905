"""NumPy: hands as complex numbers, parameters in another order."""

import numpy as np
import torch


def turning(dim):
    return np.power(1e4, -np.arange(dim // 2) * 2.0 / dim)


def wavelengths(dim):
    return torch.from_numpy((2 * np.pi / turning(dim)).astype(np.float32))


def finished_turns(length, dim):
    return int(np.sum(2 * np.pi / turning(dim) <= length))


def decode_position(max_position, row):
    numbers = row.double().numpy()
    hands = numbers[1::2] + 1j * numbers[0::2]
    positions = np.arange(max_position + 1)
    alike = np.exp(1j * np.outer(positions, turning(len(row)))) @ hands.conj()
    return int(alike.real.argmax())
