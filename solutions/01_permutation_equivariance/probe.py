"""What to observe of a submission to exercise 01 in order to name its mistake.

Each aspect looks at one of the three functions only. What stands for the measured function is a
method of a tensor, so nothing depends on given.py.

Attention: tokens are unit vectors and w_v moves them to other columns, so that the attention
weights can be read off the output, beside a residual and for values that were not projected. Scores
are symmetric and w_q, w_k are too wherever their roles are not the point; only the last row, which
sees every token under a causal mask as well, is read wherever masks are not the point.

Gap: T is symmetric and x is -2 T put back by one step of the order. Then a student whose
permute_rows exchanges columns, goes the other way, overwrites rows or writes into x still gets the
right gap, so these mistakes show in permute_rows alone.
"""

import math

import torch

from grader.checking import Student, aspect

EYE = torch.eye(4)
TOKENS = EYE[:2]  # e1, e2: [2, 4]
TO_OTHER_COLUMNS = EYE[[2, 3, 0, 1]]  # e1 <-> e3, e2 <-> e4
CYCLE = torch.tensor([1, 2, 0])
BACK = torch.tensor([2, 0, 1])
SWAP = torch.tensor([1, 0])
T2 = torch.tensor([[2.0, 1.0], [1.0, 0.0]])
T3 = torch.tensor([[-3.0, -1.0, 0.0], [-1.0, 3.0, 0.0], [0.0, 0.0, 0.0]])


def weights(out: object) -> torch.Tensor | None:
    """Return the attention weights [query, key] of the two tokens, None where there are none."""
    if not isinstance(out, torch.Tensor) or out.shape != (2, 4):
        return None
    out = out.double()
    return out[:, 2:] if out[:, 2:].abs().max() > 1e-6 else out[:, :2]


def attend(student: Student, w_q: torch.Tensor, w_k: torch.Tensor) -> torch.Tensor | None:
    """Return the weights with which the two tokens attend to each other."""
    return weights(student.self_attention(TOKENS, w_q, w_k, TO_OTHER_COLUMNS))


def preferred(found: torch.Tensor | None) -> str:
    """Say which token the last one attends to most."""
    if found is None:
        return "no weights"
    other, itself = found[1].tolist()
    return "itself" if itself > other else "the other token"


def number(gap: object) -> object:
    """Return a gap as a rounded float, also from a tensor of one element; else its type."""
    if isinstance(gap, torch.Tensor) and gap.numel() == 1 and gap.dtype != torch.bool:
        gap = float(gap)
    return round(gap, 3) if isinstance(gap, float) else type(gap).__name__


@aspect(
    zh="self_attention：一个 token (1, 0, 0, 0)，w_v 把它变成 (0, 1, 0, 0)；看输出哪些列不为 0",
    en="self_attention: one token (1, 0, 0, 0), which w_v makes (0, 1, 0, 0); see which "
    "columns of the output are not 0",
)
def columns_of_one_token(student: Student) -> object:
    """Where the value of a token comes from. The only weight is 1, whatever the scores."""
    out = student.self_attention(EYE[:1], EYE, EYE, EYE.roll(1, dims=1))
    if not isinstance(out, torch.Tensor) or out.shape != (1, 4):
        return "no [1, 4] tensor"
    return tuple((out[0].abs() > 1e-6).nonzero().flatten().tolist())


@aspect(
    zh="self_attention：只有一个 token (1, 0, 0, 0)，w_v 是单位矩阵；看输出的长度",
    en="self_attention: one token (1, 0, 0, 0), w_v the identity; see how long the output is",
)
def size_of_one_token(student: Student) -> object:
    """How large the value arrives. The score is 1 once it is scaled."""
    out = student.self_attention(EYE[:1], 2 * EYE, EYE, EYE)
    return round(float(out.norm()), 3) if isinstance(out, torch.Tensor) else type(out).__name__


@aspect(
    zh="self_attention：两个 token (1, 0, 0, 0)、(0, 1, 0, 0)，w_q、w_k 都是单位矩阵的 2 倍；"
    "看给自己的权重是给对方的几倍",
    en="self_attention: two tokens (1, 0, 0, 0) and (0, 1, 0, 0), w_q and w_k twice the identity; "
    "see how many times the weight on the other that on itself is",
)
def sharpness(student: Student) -> object:
    """The difference of two scores, as the softmax saw them."""
    found = attend(student, 2 * EYE, 2 * EYE)
    if found is None or not (found[1] > 0).all():
        return "no positive weights"
    other, itself = found[1].tolist()
    return round(math.log(itself / other), 2)


@aspect(
    zh="self_attention：两个 token，分数不一样大；权重是每行之和相同，还是每列之和相同",
    en="self_attention: two tokens with unequal scores; is it the rows of weights "
    "or the columns that add up alike",
)
def what_adds_up_alike(student: Student) -> object:
    """Over which axis the softmax goes. Scores are 2 and 1/2 on the diagonal."""
    scale = torch.diag(torch.tensor([2.0, 1.0, 2.0, 1.0]))
    found = attend(student, scale, scale)
    if found is None:
        return "no weights"
    for name, axis in (("rows", 1), ("columns", 0)):
        first, last = found.sum(dim=axis).tolist()
        if abs(first - last) < 1e-4:
            return name
    return "neither"


@aspect(
    zh="self_attention：两个 token，所有分数相等；第一个 token 是否看得到最后一个",
    en="self_attention: two tokens, all scores equal; does the first token see the last",
)
def first_sees_last(student: Student) -> object:
    """Whether there is a mask."""
    found = attend(student, torch.ones(4, 4), torch.ones(4, 4))
    return "no weights" if found is None else bool(found[0, 1].abs() > 1e-6)


@aspect(
    zh="self_attention：两个 token，分数矩阵不对称；最后一个 token 更看重谁",
    en="self_attention: two tokens, scores not symmetric; whom does the last token attend to most",
)
def who_asks(student: Student) -> object:
    """Whether rows of the score matrix belong to queries: S is [[.5, .5], [-.5, 0]]."""
    w_q, w_k = torch.eye(4), torch.eye(4)
    w_q[:2, :2] = torch.tensor([[-1.0, 0.0], [0.0, 1.0]])
    w_k[:2, :2] = torch.tensor([[-1.0, -1.0], [-1.0, 0.0]])
    return preferred(attend(student, w_q, w_k))


@aspect(
    zh="self_attention：两个 token，w_k 与 w_q 不同；最后一个 token 更看重谁",
    en="self_attention: two tokens, w_k unlike w_q; whom does the last token attend to most",
)
def keys_have_own_weights(student: Student) -> object:
    """Whether keys are made with w_k: scores [[-2, -2], [-2, -1]]; with w_q [[4, 3], [3, 2.5]]."""
    w_q, w_k = torch.eye(4), torch.eye(4)
    w_q[:2, :2] = torch.tensor([[2.0, 2.0], [2.0, 1.0]])
    w_k[:2, :2] = -2.0 * torch.eye(2)
    return preferred(attend(student, w_q, w_k))


@aspect(
    zh="permute_rows：x 形状 [3, 3]，order = [1, 2, 0]",
    en="permute_rows: x of shape [3, 3], order [1, 2, 0]",
)
def rows_after(student: Student) -> object:
    """Where each element goes; square, so that columns can be exchanged by mistake."""
    return student.permute_rows(torch.arange(9.0).reshape(3, 3), CYCLE)


@aspect(
    zh="permute_rows：x 形状 [2, 2]，order = [1, 0]，调用之后再看 x",
    en="permute_rows: x of shape [2, 2], order [1, 0]; x after the call",
)
def rows_afterwards(student: Student) -> object:
    """Whether x is as it was."""
    x = student.put(T2)
    student.permute_rows(x, SWAP)
    return bool(torch.equal(student.value(x), T2))


@aspect(
    zh="equivariance_gap：function(x) = 2·x，x 全是 1，形状 [2, 2]；返回值的类型",
    en="equivariance_gap: function(x) = 2x, x of ones, shape [2, 2]; the type of the result",
)
def type_of_gap(student: Student) -> object:
    """Type of the result."""
    double = student.put(torch.full((2, 2), 2.0)).mul
    return type(student.equivariance_gap(double, torch.ones(2, 2), SWAP)).__name__


@aspect(
    zh="equivariance_gap：function(x) = x + [[2, 1], [1, 0]]，x = [[−2, 0], [−4, −2]]，交换两行",
    en="equivariance_gap: function(x) = x + [[2, 1], [1, 0]], x = [[-2, 0], [-4, -2]], swapped",
)
def gap_for_swap(student: Student) -> object:
    """All four differences are 1 or -1, and permuting twice undoes itself."""
    gap = student.equivariance_gap(student.put(T2).add, -2 * T2[SWAP], SWAP)
    return number(gap)


@aspect(
    zh="equivariance_gap：function(x) = x + T，T 与 x 的形状都是 [3, 3]，order = [1, 2, 0]",
    en="equivariance_gap: function(x) = x + T, T and x of shape [3, 3], order [1, 2, 0]",
)
def gap_for_cycle(student: Student) -> object:
    """Differences from -4 to 3: 4 is right."""
    gap = student.equivariance_gap(student.put(T3).add, -2 * T3[BACK], CYCLE)
    return number(gap)
