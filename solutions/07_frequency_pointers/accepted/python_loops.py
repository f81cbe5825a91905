"""Plain Python, no tensor operation except for the list that goes in and out."""

import math

import torch


def speed(pair: int, dim: int) -> float:
    return math.exp(-2 * pair * math.log(10000) / dim)


def wavelengths(dim: int) -> torch.Tensor:
    return torch.tensor([2 * math.pi / speed(pair, dim) for pair in range(dim // 2)])


def finished_turns(dim: int, length: int) -> int:
    count = 0
    for pair in range(dim // 2):
        if length * speed(pair, dim) >= 2 * math.pi:
            count += 1
    return count


def decode_position(row: torch.Tensor, max_position: int) -> int:
    numbers = row.tolist()
    dim = len(numbers)
    angles = [math.atan2(numbers[k], numbers[k + 1]) for k in range(0, dim, 2)]

    def mismatch(position: int) -> float:
        total = 0.0
        for pair, angle in enumerate(angles):
            total += 1 - math.cos(position * speed(pair, dim) - angle)
        return total

    return min(range(max_position + 1), key=mismatch)
