"""What to observe of a submission to exercise 11 in order to name its mistake.

The matrix at one position tells pairing, frequency and direction. It is read relative to position 0
and with positions 0, 1, so that a wrong first position, ignored positions and columns that change
places in the result do not show in it. At dim 2 there is one pair and one frequency, so directions
and lengths show there undisturbed. Scores are looked at where the pairing, the frequencies and the
direction make no difference. Where something is added to x, no turning is to be seen.
"""

import math

import torch

from grader.checking import UNSEEN, Student, aspect

PAIR_01 = torch.tensor([0, 1])


def turned(student: Student, x: torch.Tensor, at: torch.Tensor, *base: float) -> torch.Tensor:
    """Return what apply_rope makes of x in float64; NaN where that is no tensor of its shape."""
    out = student.apply_rope(x, at, *base)
    if not isinstance(out, torch.Tensor) or out.shape != x.shape or out.is_complex():
        return torch.full(x.shape, math.nan, dtype=torch.float64)
    return out.double()


def matrices(student: Student, dim: int, *base: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the matrices at positions 0 and 1: column j is what becomes of unit vector j."""
    outs = [
        turned(student, unit.expand(2, dim).contiguous(), PAIR_01, *base) for unit in torch.eye(dim)
    ]
    both = torch.stack(outs, dim=-1)  # [2, D, D]
    return both[0], both[1]


def turn(student: Student, dim: int, *base: float) -> torch.Tensor:
    """Return how position 1 is turned against position 0, [D, D]."""
    at_0, at_1 = matrices(student, dim, *base)
    return at_0.T @ at_1


def keeps_lengths(student: Student, dim: int) -> bool:
    """Tell whether the matrix from position 0 to position 1 is orthogonal."""
    matrix = turn(student, dim)
    return bool(((matrix.T @ matrix - torch.eye(dim)).abs() < 1e-3).all())


def adds(student: Student) -> bool:
    """Tell whether something is added, so that even a zero vector is moved."""
    return bool((turned(student, torch.zeros(1, 2), torch.tensor([1])) != 0).any())


def score_of_units(student: Student, dim: int, column: int, m: int, n: int) -> object:
    """Return the score of a unit vector at position m with itself at position n.

    It is given relative to position 0 for both, which takes out any scale. Positions are 0, 1, 2,
    ..., so that it does not matter whether they are used.
    """
    if adds(student):
        return UNSEEN
    at = torch.arange(max(m, n) + 1)
    units = torch.eye(dim)[column].expand(len(at), dim).contiguous()
    score = student.rope_scores(units, units, at, at)
    if not isinstance(score, torch.Tensor) or score.shape != (len(at), len(at)):
        return math.nan
    here, at_0 = score[m, n].item(), score[0, 0].item()
    return round(here / at_0, 2) + 0.0 if at_0 else math.nan


def sign(number: float) -> str:
    """Return +, 0 or -."""
    return "0" if abs(number) < 1e-3 else "+" if number > 0 else "-"


@aspect(
    zh="D=2，零向量在位置 1：结果是否仍为零",
    en="D = 2, a zero vector at position 1: whether it stays zero",
)
def zero_stays_zero(student: Student) -> object:
    return not adds(student)


@aspect(
    zh="D=2，从位置 0 到位置 1 的 2×2 矩阵：副对角线上两个数的正负号",
    en="D = 2, the 2 x 2 matrix from position 0 to position 1: signs off the diagonal",
)
def signs(student: Student) -> object:
    if adds(student):
        return UNSEEN
    matrix = turn(student, 2)
    return sign(matrix[0, 1].item()) + sign(matrix[1, 0].item())


@aspect(
    zh="D=2，向量 (3, 4) 在位置 1：结果的长度",
    en="D = 2, the vector (3, 4) at position 1: the length of what comes out",
)
def length(student: Student) -> object:
    if adds(student):
        return UNSEEN
    x = torch.tensor([[3.0, 4.0]])
    return round(turned(student, x, torch.tensor([1])).norm().item(), 2)


@aspect(
    zh="D=6，第 1 列为 1 的单位向量，位置 1：哪些列不为 0",
    en="D = 6, the unit vector with a 1 in column 1, position 1: which columns are not zero",
)
def columns(student: Student) -> object:
    if adds(student):
        return UNSEEN
    x = torch.eye(6)[1].expand(2, 6).contiguous()
    return tuple(turned(student, x, PAIR_01)[1].abs().gt(1e-6).nonzero().flatten().tolist())


@aspect(
    zh="D=6，从位置 0 到位置 1 的矩阵：每一行中最小的非零数的大小",
    en="D = 6, the matrix from position 0 to position 1: each row's smallest non-zero size",
)
def sizes(student: Student) -> object:
    if adds(student):
        return UNSEEN
    rows = turn(student, 6).abs()
    found = [f"{row[row > 1e-6].min().item():.2g}" for row in rows if (row > 1e-6).any()]
    return tuple(dict.fromkeys(found))  # each once, in order: the same for any pairing


@aspect(
    zh="D=4，从位置 0 到位置 1 的矩阵：各列是否互相垂直、长度为 1",
    en="D = 4, the matrix from position 0 to position 1: whether it keeps lengths and angles",
)
def orthogonal(student: Student) -> object:
    if adds(student) or not keeps_lengths(student, 2):
        return UNSEEN  # what is wrong with a single pair is looked at elsewhere
    return keeps_lengths(student, 4)


@aspect(
    zh="D=8，位置 0、1：base=10000 与 base=100 的结果是否相同",
    en="D = 8, positions 0 and 1: whether base 10000 and base 100 give the same",
)
def base_effect(student: Student) -> object:
    matrix = turn(student, 8, 1e4)
    if not torch.equal(matrix, turn(student, 8, 1e2)):
        return "another result"
    different = {round(cosine, 5) for cosine in matrix.diagonal().tolist()}
    if adds(student) or len(different) <= 2:
        return UNSEEN  # maybe one frequency: nothing for base to act on
    return "the same"


@aspect(
    zh="D=2，(1, 0) 在位置 0：结果是不是整数",
    en="D = 2, (1, 0) at position 0: whether whole numbers come out",
)
def position_zero(student: Student) -> object:
    out = turned(student, torch.tensor([[1.0, 0.0]]), torch.tensor([0]))
    return bool(((out - out.round()).abs() < 0.01).all())


@aspect(
    zh="D=2，位置 0 的 2×2 矩阵：行列式是否为 -1",
    en="D = 2, the 2 x 2 matrix at position 0: whether its determinant is -1",
)
def mirrored(student: Student) -> object:
    if adds(student):
        return UNSEEN
    (a, b), (c, d) = matrices(student, 2)[0].tolist()
    return abs(a * d - b * c + 1) < 0.01


@aspect(
    zh="D=2，两个 token 都是 (1, 0)：位置 [1, 0] 与 [0, 1] 的结果是否恰好对调",
    en="D = 2, two tokens (1, 0): whether positions [1, 0] and [0, 1] give exchanged results",
)
def follows_positions(student: Student) -> object:
    x = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    gap = turned(student, x, PAIR_01.flip(0)) - turned(student, x, PAIR_01).flip(0)
    return bool((gap.abs() < 1e-3).all())


@aspect(
    zh="x 形状 [1, 2, 2, 2]，每个 token 都是 (1, 0)，位置 [0, 1]：角度随哪一维变化",
    en="x of shape [1, 2, 2, 2], all (1, 0), positions [0, 1]: along which axis angles change",
)
def axis_of_positions(student: Student) -> object:
    x = torch.tensor([1.0, 0.0]).expand(1, 2, 2, 2).contiguous()
    out = turned(student, x, PAIR_01)[0, :, :, 0]  # [H, L]
    heads = bool(((out[0] - out[1]).abs() > 1e-3).any())
    tokens = bool(((out[:, 0] - out[:, 1]).abs() > 1e-3).any())
    return f"heads differ: {heads}, tokens differ: {tokens}"


@aspect(zh="bf16 的 x：结果的 dtype", en="a bf16 x: the dtype of the result")
def dtype_of_bf16(student: Student) -> object:
    out = student.apply_rope(torch.ones(2, 2, dtype=torch.bfloat16), PAIR_01)
    return str(out.dtype) if isinstance(out, torch.Tensor) else type(out).__name__


@aspect(
    zh="D=2，(1, 0) 在位置 256 到 259：x 是 bf16 与 float32 时结果是否相近",
    en="D = 2, (1, 0) at positions 256 to 259: whether bf16 and float32 x come out close",
)
def bf16_angles(student: Student) -> object:
    x, at = torch.tensor([[1.0, 0.0]] * 4), torch.arange(256, 260)
    gap = turned(student, x.bfloat16(), at) - turned(student, x, at)
    return bool((gap.abs() < 0.05).all())


@aspect(zh="D=2，位置 [0, 1]：调用之后的 x", en="D = 2, positions [0, 1]: x after the call")
def input_kept(student: Student) -> object:
    x = torch.tensor([[3.0, 4.0], [3.0, 4.0]])
    kept = student.put(x)
    student.apply_rope(kept, PAIR_01)
    now = student.value(kept)
    return isinstance(now, torch.Tensor) and torch.equal(now, x)


@aspect(
    zh="D=2，位置 [0, 1]：x 有没有梯度", en="D = 2, positions [0, 1]: whether x gets a gradient"
)
def gradient_arrives(student: Student) -> object:
    leaf = student.put(torch.ones(2, 2), requires_grad=True)
    # An in-place write would refuse a leaf, which is another mistake; a result of one it takes.
    x = student.hold(leaf.mul, 1.0)
    return student.gradient(student.hold(student.apply_rope, x, PAIR_01), leaf) is not None


@aspect(zh="dim=6 的排列", en="the permutation for dim 6")
def permutation(student: Student) -> object:
    order = student.half_split_permutation(6)
    return tuple(order.long().tolist()) if isinstance(order, torch.Tensor) else "no tensor"


@aspect(zh="dim=6 的排列：dtype", en="the permutation for dim 6: its dtype")
def permutation_dtype(student: Student) -> object:
    order = student.half_split_permutation(6)
    return str(order.dtype) if isinstance(order, torch.Tensor) else type(order).__name__


@aspect(
    zh="q 形状 [2, 2]，k 形状 [3, 2]：分数的形状",
    en="q of shape [2, 2], k of shape [3, 2]: the shape of the scores",
)
def score_shape(student: Student) -> object:
    q, k = torch.ones(2, 2), torch.ones(3, 2)
    score = student.rope_scores(q, k, torch.tensor([1, 2]), torch.tensor([0, 1, 2]))
    return tuple(score.shape) if isinstance(score, torch.Tensor) else type(score).__name__


@aspect(
    zh="D=4，q = k = (3, 0, 0, 0)，都在位置 0：分数",
    en="D = 4, q = k = (3, 0, 0, 0), both at position 0: the score",
)
def score_at_zero(student: Student) -> object:
    if adds(student):
        return UNSEEN
    point = torch.tensor([[3.0, 0.0, 0.0, 0.0]])
    score = student.rope_scores(point, point, torch.tensor([0]), torch.tensor([0]))
    usable = isinstance(score, torch.Tensor) and score.numel() == 1
    return round(score.double().item(), 2) if usable else type(score).__name__


@aspect(
    zh="D=2，q = k = (1, 0)，都在位置 1：分数是都在位置 0 时的几倍",
    en="D = 2, q = k = (1, 0), both at position 1: the score as a multiple of that at position 0",
)
def score_at_same_position(student: Student) -> object:
    return score_of_units(student, 2, 0, 1, 1)


@aspect(
    zh="D=2，q = k = (1, 0)，位置 3 与 1：分数是都在位置 0 时的几倍",
    en="D = 2, q = k = (1, 0), positions 3 and 1: the score as a multiple of that at position 0",
)
def score_two_apart(student: Student) -> object:
    return score_of_units(student, 2, 0, 3, 1)


@aspect(
    zh="D=4，q = k = (0, 1, 0, 0)，都在位置 1：分数是都在位置 0 时的几倍",
    en="D = 4, q = k = (0, 1, 0, 0), both at position 1: the score as a multiple of that at 0",
)
def score_of_another_column(student: Student) -> object:
    return score_of_units(student, 4, 1, 1, 1) if keeps_lengths(student, 4) else UNSEEN


@aspect(
    zh="D=2，全是 (1, 0)，一个位置 2 的 query，位置 0、1、2 的 key：分数最高的是哪一个 key",
    en="D = 2, all (1, 0), one query at position 2, keys at 0, 1, 2: which key scores highest",
)
def best_cached_key(student: Student) -> object:
    if adds(student):
        return UNSEEN
    k = torch.tensor([[1.0, 0.0]] * 3)
    score = student.rope_scores(k[:1].clone(), k, torch.tensor([2]), torch.arange(3))
    if not isinstance(score, torch.Tensor) or score.numel() != 3:
        return "no three scores"
    best: int = score.flatten().argmax().item()
    return best
