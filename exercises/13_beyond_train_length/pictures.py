"""What the report shows of exercise 13."""

import math

import torch

from grader.checking import Student, picture

DIM, TRAINED, FACTOR = 32, 512, 4
LENGTHS = [2**power for power in range(2, 13)]


@picture(
    kind="heatmap",
    zh=f"没见过的相位：`unseen_phase_pairs({DIM}, train_len, 2 * train_len)`，列出的对画成 1",
    en=f"Phases never seen: `unseen_phase_pairs({DIM}, train_len, 2 * train_len)`, "
    "1 for a pair listed",
    rows=("train_len", "train_len"),
    columns=("对", "pair"),
    row_names=LENGTHS,
)
def unseen(student: Student) -> object:
    shown = torch.zeros(len(LENGTHS), DIM // 2)
    for row, length in enumerate(LENGTHS):
        found = student.unseen_phase_pairs(DIM, length, 2 * length)
        if not isinstance(found, list):
            return found
        places = [pair for pair in found if isinstance(pair, int) and 0 <= pair < DIM // 2]
        shown[row, places] = 1.0
    return shown


@picture(
    kind="curves",
    zh=f"波长，对数刻度：曲线 0 是底数 10000，曲线 1 是 `ntk_base({DIM}, {FACTOR})`，"
    f"曲线 2 是训练长度 {TRAINED}",
    en=f"Wavelengths, logarithmic: curve 0 with base 10000, curve 1 with "
    f"`ntk_base({DIM}, {FACTOR})`, curve 2 is the training length {TRAINED}",
    rows=("曲线", "curve"),
    columns=("对", "pair"),
    logarithmic=True,
)
def wavelengths(student: Student) -> object:
    base = student.ntk_base(DIM, float(FACTOR))
    if not isinstance(base, int | float):
        return base
    exponent = torch.arange(0, DIM, 2, dtype=torch.float64) / DIM
    turns = [2 * math.pi * torch.pow(torch.tensor(float(b)), exponent) for b in (10000.0, base)]
    return torch.stack([*turns, torch.full_like(exponent, TRAINED)])


@picture(
    kind="curves",
    zh="位置插值：`interpolate_positions` 把 0 到 63 压回训练过的 16 个位置",
    en="Interpolation: `interpolate_positions` shrinks 0 to 63 to the 16 positions of training",
    rows=("压缩后的位置", "position after"),
    columns=("位置", "position"),
)
def interpolated(student: Student) -> object:
    found = student.interpolate_positions(torch.arange(64), 16, 64)
    return found[None] if isinstance(found, torch.Tensor) and found.dim() == 1 else found


@picture(
    kind="curves",
    zh="加分题：`yarn_ramp(64, 2048)`，每一对保留多少原来的转速",
    en="Bonus: `yarn_ramp(64, 2048)`, how much of its own speed each pair keeps",
    rows=("保留", "kept"),
    columns=("对", "pair"),
)
def ramp(student: Student) -> object:
    found = student.yarn_ramp(64, 2048)
    return found[None] if isinstance(found, torch.Tensor) and found.dim() == 1 else found
