"""What the report shows of exercise 07."""

import torch

from grader.checking import Student, picture

LENGTHS = [2**power for power in range(18)]


@picture(
    kind="curves",
    zh="波长：`wavelengths(64)`，对数刻度",
    en="Wavelengths: `wavelengths(64)`, logarithmic",
    rows=("波长", "wavelength"),
    columns=("对", "pair"),
    logarithmic=True,
)
def ladder(student: Student) -> object:
    found = student.wavelengths(64)
    return found[None] if isinstance(found, torch.Tensor) and found.dim() == 1 else found


@picture(
    kind="curves",
    zh="转满一圈的指针：`finished_turns(16, length)`，length 每次加倍",
    en="Hands that got once around: `finished_turns(16, length)`, length doubling each time",
    rows=("指针数", "hands"),
    columns=("length", "length"),
    column_names=LENGTHS,
)
def turns(student: Student) -> object:
    found = [student.finished_turns(16, length) for length in LENGTHS]
    if all(isinstance(count, int | float) for count in found):
        return torch.tensor([found], dtype=torch.float64)
    return next(count for count in found if not isinstance(count, int | float))
