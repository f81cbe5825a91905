"""No table: estimate with the slowest hand, then let every faster hand correct the estimate."""

import math

import torch


def wavelengths(dim: int) -> torch.Tensor:
    ratio = 10000.0 ** (2.0 / dim)
    found = [math.tau]
    while len(found) < dim // 2:
        found.append(found[-1] * ratio)
    return torch.tensor(found)


def finished_turns(dim: int, length: int) -> int:
    # p turns by p * w radians; the exponent at which that is one turn, counted in pairs.
    if length < math.tau:
        return 0
    last = math.floor(math.log(length / math.tau, 10000.0) * dim / 2)
    return min(last + 1, dim // 2)


def decode_position(row: torch.Tensor, max_position: int) -> int:
    hands = torch.view_as_complex(row.double().reshape(-1, 2).flip(-1).contiguous()).angle()
    waves = [math.tau * 10000.0 ** (i / len(hands)) for i in range(len(hands))]
    share = float(hands[-1]) / math.tau % 1.0
    estimate = share * waves[-1]
    if estimate - max_position > waves[-1] - estimate:  # nearer to 0, from the other side
        estimate -= waves[-1]
    for hand, wave in reversed(list(zip(hands.tolist(), waves, strict=True))[:-1]):
        turned = hand / math.tau * wave
        estimate = turned + wave * round((estimate - turned) / wave)
    return min(max(round(estimate), 0), max_position)
