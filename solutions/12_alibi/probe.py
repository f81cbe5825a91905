"""What to observe of a submission to exercise 12 in order to name its mistake.

Slopes are read by themselves. The bias is measured in steps of its own head 0, so slopes do not
disturb it, and only where a causal mask lets it be seen; of too few or too many queries the last
ones count. Whether it uses the slopes is seen by comparing it with the student's own.
"""

import math

import torch

from grader.checking import Student, aspect

UNREADABLE = "no bias for each head"


def numbers(found: object) -> list[float]:
    """Return slopes as a list of sizes without sign, whatever holds them; [] for anything else."""
    if isinstance(found, torch.Tensor) and not found.is_complex():
        return found.double().abs().flatten().tolist()
    if isinstance(found, list | tuple) and all(isinstance(one, int | float) for one in found):
        return [abs(float(one)) for one in found]
    return []


def digits(found: list[float]) -> str:
    """Write numbers with three digits."""
    return " ".join(f"{one:.3g}" for one in found)


def sheets(student: Student, n_heads: int, q_len: int, k_len: int) -> torch.Tensor | None:
    """Return the bias as float64 [H, q_len, k_len] in whatever form it comes, or None."""
    bias = student.alibi_bias(n_heads, q_len, k_len)
    if not isinstance(bias, torch.Tensor) or bias.is_complex():
        return None
    bias = bias.double()
    while bias.dim() > 3 and bias.size(0) == 1:
        bias = bias.squeeze(0)
    if bias.dim() != 3:
        return None
    if bias.size(0) != n_heads and bias.size(2) == n_heads:
        bias = bias.movedim(2, 0)
    if bias.size(0) != n_heads or bias.size(2) != k_len:
        return None
    if bias.size(1) == 1:
        return bias.expand(n_heads, q_len, k_len)
    return bias[:, -q_len:] if bias.size(1) >= q_len else None


def step_of(bias: torch.Tensor, head: int) -> float:
    """Return the size of a head's last step, or 1 where it takes none."""
    return abs(float(bias[head, -1, -1] - bias[head, -1, -2])) or 1.0


@aspect(zh="alibi_slopes(8) 的类型和形状", en="type and shape of alibi_slopes(8)")
def slopes_form(student: Student) -> object:
    slopes = student.alibi_slopes(8)
    return tuple(slopes.shape) if isinstance(slopes, torch.Tensor) else type(slopes).__name__


@aspect(zh="alibi_slopes(8) 的 dtype", en="the dtype of alibi_slopes(8)")
def slopes_dtype(student: Student) -> object:
    slopes = student.alibi_slopes(8)
    return str(slopes.dtype) if isinstance(slopes, torch.Tensor) else "no dtype"


@aspect(zh="alibi_slopes(8) 的符号", en="the signs of alibi_slopes(8)")
def slopes_sign(student: Student) -> object:
    slopes = student.alibi_slopes(8)
    if isinstance(slopes, torch.Tensor):
        slopes = slopes.flatten().tolist()
    return sorted({"negative" if one < 0 else "positive" for one in slopes})


@aspect(zh="alibi_slopes(8) 从大到小是哪些数", en="the numbers of alibi_slopes(8), largest first")
def slopes_of_eight(student: Student) -> object:
    return digits(sorted(numbers(student.alibi_slopes(8)), reverse=True))


@aspect(zh="alibi_slopes(4) 从大到小是哪些数", en="the numbers of alibi_slopes(4), largest first")
def slopes_of_four(student: Student) -> object:
    return digits(sorted(numbers(student.alibi_slopes(4)), reverse=True))


@aspect(zh="alibi_slopes(4) 第一个头和最后一个头谁大", en="alibi_slopes(4): first head or last")
def larger_end(student: Student) -> object:
    slopes = numbers(student.alibi_slopes(4))
    if len(slopes) < 2 or slopes[0] == slopes[-1]:
        return "neither"
    return "first" if slopes[0] > slopes[-1] else "last"


@aspect(
    zh="alibi_slopes(6) 从大到小是哪些数（以 4 个头时相邻两数的比为单位）",
    en="the numbers of alibi_slopes(6), largest first, in ratios of those for 4 heads",
)
def slopes_of_six(student: Student) -> object:
    four = sorted(numbers(student.alibi_slopes(4)))
    six = sorted(numbers(student.alibi_slopes(6)))
    if len(four) != 4 or len(six) != 6 or min(four + six) <= 0 or four[-1] <= four[-2]:
        return "not as many slopes as heads"
    ratio = math.log(four[-1] / four[-2])
    return digits([round(-math.log(one) / ratio, 2) + 0.0 for one in six])


@aspect(
    zh="alibi_slopes(4) 的四个数在 alibi_slopes(6) 的什么地方",
    en="where the numbers of alibi_slopes(4) stand in alibi_slopes(6)",
)
def four_among_six(student: Student) -> object:
    four, six = numbers(student.alibi_slopes(4)), numbers(student.alibi_slopes(6))
    if digits(six[:4]) == digits(four):
        return "in front"
    return "at the end" if digits(six[-4:]) == digits(four) else "scattered or missing"


@aspect(zh="alibi_bias(8, 2, 5) 的形状", en="the shape of alibi_bias(8, 2, 5)")
def bias_shape(student: Student) -> object:
    bias = student.alibi_bias(8, 2, 5)
    return tuple(bias.shape) if isinstance(bias, torch.Tensor) else type(bias).__name__


@aspect(
    zh="alibi_bias(8, 2, 2) 的 dtype 是否既不是 float32，也不是斜率的 dtype",
    en="whether the dtype of alibi_bias(8, 2, 2) is neither float32 nor that of the slopes",
)
def bias_dtype_of_its_own(student: Student) -> object:
    bias, slopes = student.alibi_bias(8, 2, 2), student.alibi_slopes(8)
    if not isinstance(bias, torch.Tensor):
        return "no tensor"
    usual = {torch.float32, slopes.dtype if isinstance(slopes, torch.Tensor) else torch.float32}
    return bias.dtype not in usual


@aspect(
    zh="alibi_bias(8, 2, 2)：前一个 key 比自己大还是小",
    en="alibi_bias(8, 2, 2): whether the key before has more or less than the token itself",
)
def towards_the_past(student: Student) -> object:
    bias = sheets(student, 8, 2, 2)
    return UNREADABLE if bias is None else float((bias[0, 1, 0] - bias[0, 1, 1]).sign())


@aspect(
    zh="alibi_bias(8, 3, 3)：最后两个 query 的两行是否相同",
    en="alibi_bias(8, 3, 3): whether the rows of the last two queries are equal",
)
def rows_alike(student: Student) -> object:
    bias = sheets(student, 8, 3, 3)
    if bias is None:
        return UNREADABLE
    if not torch.equal(bias[0, 1, :2], bias[0, 2, :2]):
        return "different"
    # Equal rows may all be the last one, or count from the first key on.
    return "alike, 0 at the end" if bias[0, 2, 2].abs() < 1e-6 else "alike, not 0 at the end"


@aspect(
    zh="alibi_bias(8, 3, 3)：最后一个 token 对自己的偏置是几步",
    en="alibi_bias(8, 3, 3): the last token's bias to itself, in steps",
)
def bias_to_itself(student: Student) -> object:
    bias = sheets(student, 8, 3, 3)
    return UNREADABLE if bias is None else round(float(bias[0, 2, 2]) / step_of(bias, 0), 2) + 0.0


@aspect(
    zh="alibi_bias(8, 5, 5)：最后一行相邻两个 key 各差几步",
    en="alibi_bias(8, 5, 5): the differences of neighbouring keys in the last row, in steps",
)
def steps_of_last_row(student: Student) -> object:
    bias = sheets(student, 8, 5, 5)
    if bias is None:
        return UNREADABLE
    steps = bias[0, 4].diff().abs() / step_of(bias, 0)
    return digits(steps.tolist())


@aspect(
    zh="alibi_bias(8, 4, 4)：第 0 个头的一步是斜率的几倍",
    en="alibi_bias(8, 4, 4): how many slopes a step of head 0 is",
)
def step_in_slopes(student: Student) -> object:
    bias, slopes = sheets(student, 8, 4, 4), numbers(student.alibi_slopes(8))
    if bias is None or not slopes or slopes[0] == 0:
        return UNREADABLE
    return round(abs(float(bias[0, -1, -1] - bias[0, -1, -2])) / slopes[0], 3)


@aspect(
    zh="alibi_bias(8, 2, 2)：第 1 个头与第 0 个头的步长之比",
    en="alibi_bias(8, 2, 2): the ratio of the steps of heads 1 and 0",
)
def heads_as_slopes(student: Student) -> object:
    bias, slopes = sheets(student, 8, 2, 2), numbers(student.alibi_slopes(8))
    if bias is None or len(slopes) < 2 or slopes[0] == 0:
        return UNREADABLE
    ratio = step_of(bias, 1) / step_of(bias, 0)
    if abs(ratio - slopes[1] / slopes[0]) < 1e-3:
        return "as their slopes"
    return "equal" if abs(ratio - 1) < 1e-3 else "in another ratio"


@aspect(
    zh="alibi_bias(8, 2, 5)：最后一个 query 站在第几个 key 上",
    en="alibi_bias(8, 2, 5): the key on which the last query stands",
)
def key_of_last_query(student: Student) -> object:
    itself, bias = sheets(student, 8, 1, 1), sheets(student, 8, 2, 5)
    if itself is None or bias is None:
        return UNREADABLE
    places = (bias[0, -1] == itself[0, 0, 0]).nonzero().flatten().tolist()
    return places[0] if places else "none"
