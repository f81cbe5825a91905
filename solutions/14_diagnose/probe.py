"""What to observe of a submission to exercise 14 in order to name its mistake.

Nearly every aspect is the name that one small box gets. Boxes are free of noise, begin at position
0 and leave x as it is, unless an aspect is about one of these.
"""

import torch

from grader.checking import Student, aspect

Numbers = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def numbers(student: Student, name: str, dim: int = 8, **settings: float) -> Numbers:
    """Return the numbers of a box from given.py; six tokens, no noise unless asked for."""
    return student.given.numbers(name, dim, **{"noise": 0.0, **settings})


def answer(student: Student, made: Numbers) -> object:
    """Return the name that a box of these numbers gets, with hyphens; of no name, its type."""
    got = student.diagnose(student.given.Box(*made))
    return got.replace("_", "-") if isinstance(got, str) else type(got).__name__


def named(student: Student, name: str, dim: int = 8, **settings: float) -> object:
    """Return the name that such a box gets."""
    return answer(student, numbers(student, name, dim, **settings))


def either_rope(got: object) -> object:
    """Return a name without its direction: where nothing turns, the direction is an accident."""
    return "rope" if got == "rope-backwards" else got


@aspect(zh="任意一只箱子：返回值的类型", en="any box: the type of what is returned")
def type_of_answer(student: Student) -> object:
    """Type of the result."""
    box = student.given.Box(*numbers(student, "sinusoid"))
    return type(student.diagnose(box)).__name__


@aspect(
    zh="cos-first、base-1000 和 rope-backwards 箱子：名字里有没有下划线",
    en="boxes cos-first, base-1000 and rope-backwards: are there underscores in the names?",
)
def underscores(student: Student) -> object:
    """Whether the names are written in another way."""
    boxes = [
        student.given.Box(*numbers(student, name))
        for name in ("cos-first", "base-1000", "rope-backwards")
    ]
    found = [student.diagnose(box) for box in boxes]
    return any(isinstance(got, str) and "_" in got for got in found)


@aspect(
    zh="max_len = 12 的 sinusoid 箱子：调用了几次", en="a sinusoid box of max_len 12: its calls"
)
def calls(student: Student) -> object:
    """Whether the README's number of calls is kept."""
    box = student.given.Box(*numbers(student, "sinusoid", max_len=12))
    student.diagnose(box)
    return bool(box.calls <= 4)


@aspect(zh="order-ignored，什么都不加，D = 8", en="order-ignored, adds nothing, D = 8")
def nothing_added(student: Student) -> object:
    """A box that returns x."""
    return either_rope(named(student, "order-ignored", seed=0))


@aspect(zh="order-ignored，处处加同一行，D = 8", en="order-ignored, one row for all, D = 8")
def one_row_for_all(student: Student) -> object:
    """A box that adds one row."""
    return named(student, "order-ignored", seed=1)


@aspect(zh="order-ignored，处处乘同一个矩阵，D = 8", en="order-ignored, one matrix for all, D = 8")
def one_matrix_for_all(student: Student) -> object:
    """A box that multiplies by one matrix."""
    return either_rope(named(student, "order-ignored", seed=2))


@aspect(zh="table-returned，D = 8", en="table-returned, D = 8")
def table_returned(student: Student) -> object:
    """A box without x."""
    return named(student, "table-returned")


@aspect(zh="batch-slice，D = 8", en="batch-slice, D = 8")
def batch_slice(student: Student) -> object:
    """A box that takes rows by sample."""
    return named(student, "batch-slice")


@aspect(zh="added-twice，D = 8", en="added-twice, D = 8")
def added_twice(student: Student) -> object:
    """A box that adds the table twice."""
    return named(student, "added-twice")


@aspect(zh="sinusoid，D = 8", en="sinusoid, D = 8")
def sinusoid(student: Student) -> object:
    """A box that adds the lesson's table."""
    return named(student, "sinusoid")


@aspect(zh="sinusoid，D = 8 和 D = 12：名字是否相同", en="sinusoid, D = 8 and 12: the same name?")
def width_matters(student: Student) -> object:
    """Whether the width changes the name."""
    return named(student, "sinusoid") == named(student, "sinusoid", 12)


@aspect(
    zh="sinusoid，从位置 0 和从位置 37 数起：名字是否相同",
    en="sinusoid, counted from position 0 and from 37: the same name?",
)
def start_matters(student: Student) -> object:
    """Whether the first position changes the name."""
    return named(student, "sinusoid") == named(student, "sinusoid", start=37)


@aspect(
    zh="sinusoid，x 乘 1 和乘 3：名字是否相同",
    en="sinusoid, x times 1 and x times 3: the same name?",
)
def gain_matters(student: Student) -> object:
    """Whether a factor of x changes the name."""
    return named(student, "sinusoid") == named(student, "sinusoid", gain=3.0)


@aspect(
    zh="order-ignored，什么都不加，没有误差和有 0.00001 的误差：名字是否相同",
    en="order-ignored, adds nothing, without errors and with errors of 0.00001: the same name?",
)
def noise_matters(student: Student) -> object:
    """Whether errors as small as the README says change the name."""
    clean, noisy = (named(student, "order-ignored", noise=noise) for noise in (0.0, 1e-5))
    return clean == noisy


@aspect(zh="one-frequency，D = 8", en="one-frequency, D = 8")
def one_frequency(student: Student) -> object:
    """A box whose pairs all have frequency 1."""
    return named(student, "one-frequency")


@aspect(zh="one-frequency，D = 6", en="one-frequency, D = 6")
def one_frequency_with_odd_half(student: Student) -> object:
    """Columns half the width apart are sin and cos of one angle as well."""
    return named(student, "one-frequency", 6)


@aspect(zh="base-1000，D = 8", en="base-1000, D = 8")
def base_1000(student: Student) -> object:
    """A box with another base."""
    return named(student, "base-1000")


@aspect(zh="cos-first，D = 8", en="cos-first, D = 8")
def cos_first(student: Student) -> object:
    """A box with cos in even columns."""
    return named(student, "cos-first")


@aspect(zh="halves，D = 8", en="halves, D = 8")
def halves(student: Student) -> object:
    """A box with sines first, then cosines."""
    return named(student, "halves")


@aspect(zh="learned-table，D = 8", en="learned-table, D = 8")
def learned(student: Student) -> object:
    """A box with random numbers."""
    return named(student, "learned-table")


@aspect(zh="learned-table，数在 0.02 上下，D = 8", en="learned-table, numbers about 0.02, D = 8")
def learned_and_small(student: Student) -> object:
    """A box with small random numbers."""
    table, matrices, places = numbers(student, "learned-table")
    return answer(student, (0.02 * table, matrices, places))


@aspect(
    zh="learned-table，前三行与 sinusoid 相同，D = 8",
    en="learned-table, its first three rows those of sinusoid, D = 8",
)
def learned_with_sinusoidal_start(student: Student) -> object:
    """A box whose first steps look like the formula."""
    table, matrices, places = numbers(student, "learned-table")
    table[:3] = numbers(student, "sinusoid")[0][:3]
    return answer(student, (table, matrices, places))


@aspect(
    zh="learned-table，由 cos-first 的行组成：位置 0、1、3、4、6、7，或 0、1、0、2、1、3，D = 8",
    en="learned-table made of rows of cos-first: 0, 1, 3, 4, 6, 7, or 0, 1, 0, 2, 1, 3, D = 8",
)
def learned_with_uneven_steps(student: Student) -> object:
    """Two boxes whose pairs keep their length, but not their speed; the second turns back, too."""
    rows = numbers(student, "cos-first", max_len=8)[0]
    _, matrices, places = numbers(student, "learned-table")
    order = ([0, 1, 3, 4, 6, 7], [0, 1, 0, 2, 1, 3])
    return tuple(answer(student, (rows[steps], matrices, places)) for steps in order)


@aspect(zh="rope，D = 8", en="rope, D = 8")
def rope(student: Student) -> object:
    """A box that rotates."""
    return named(student, "rope")


@aspect(zh="rope-backwards，D = 8", en="rope-backwards, D = 8")
def rope_backwards(student: Student) -> object:
    """A box that rotates the other way."""
    return named(student, "rope-backwards")
