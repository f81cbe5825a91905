"""What to observe of a submission to exercise 03 in order to name its mistake.

Every property is looked at where the other mistakes leave it alone:

- [1, 1, D] is the quiet input: one sample, one token, more than one row in the table. Every way of
  slicing runs on it, so what else is wrong can be seen beside a slicing mistake.
- Whether a call works at a length is one word, whatever class of error it would be.
- A result of one token, which would broadcast, counts as that token everywhere: careless and
  careful versions of one mistake do not share the number of tokens, nor that of samples.
- What a mistake does in passing (x lost, a product in place of the sum) is not read as a position
  or a length.
"""

import contextlib
import math
from collections.abc import Callable

import torch

from grader.checking import UNSEEN, Student, aspect

ERRORS = (AssertionError, LookupError, RuntimeError, TypeError, ValueError)


def look(out: object, read: Callable[[torch.Tensor], object]) -> object:
    """Read something off a [*, *, D] output; of any other value tell what it is."""
    if not isinstance(out, torch.Tensor):
        return type(out).__name__
    if out.dim() == 2:  # one row without samples, [*, D]
        out = out.unsqueeze(0)
    if out.dim() != 3 or out.numel() == 0 or out.size(-1) < 2:
        return tuple(out.shape)
    return read(out)


def fits(student: Student, dim: int, max_len: int, size: int, length: int) -> bool:
    """Tell whether [size, length, dim] goes through and as many tokens come out, or one."""
    try:
        out = student.SinusoidalPositionEncoding(dim, max_len)(torch.zeros(size, length, dim))
    except ERRORS:
        return False
    tokens = look(out, lambda tensor: tensor.size(1))
    return isinstance(tokens, int) and tokens in (1, length)


def row_of_first_token(student: Student) -> str:
    """Tell which row of the table a single token gets: "row 0", "row 1", "another" or "unseen"."""
    for value in (0.0, 1.0):
        x = torch.full((1, 1, 2), value)
        out = through(student, 2, lambda encode, x=x: encode(x))
        if not isinstance(out, torch.Tensor) or out.numel() < 2 or out.size(-1) < 2:
            return "unseen"
        sine, cosine = out.double().flatten(end_dim=-2)[0, -2:].tolist()
        if sine != cosine:
            angle = math.atan2(sine, cosine)
            return next((f"row {p}" for p in (0, 1) if abs(angle - p) < 0.01), "another")
    return "unseen"


def answer_to_too_long(student: Student, size: int, max_len: int) -> str:
    """Return in words what happens to [size, size, size] when max_len is smaller."""
    try:
        outs = [
            student.SinusoidalPositionEncoding(size, max_len)(torch.full((size,) * 3, value))
            for value in (0.0, 1.0)
        ]
    except ValueError:
        return "ValueError"
    except ERRORS:
        # With a row too few, the error may have nothing to do with the length.
        short = row_of_first_token(student) == "row 1"
        return "another error, maybe for want of a row" if short else "another error"
    tokens = look(outs[0], lambda tensor: tensor.size(1))
    # The rows of the table are fewer by themselves; only tokens of x can be lost.
    lost = tokens != size and isinstance(outs[0], torch.Tensor) and torch.equal(*outs)
    # Where every number is the same, no row of any table is in it, so none was computed anew. A
    # table of one row is left out: it broadcasts, so that a sum may be computed and then dropped.
    bare = max_len > 1 and all(map(constant, outs))
    note = ", none of them from x" if lost else ", no positions in them" if bare else ""
    return f"tokens returned: {tokens}{note}"


def constant(out: object) -> bool:
    """Tell whether `out` holds one number everywhere, like the x that went in."""
    return (
        isinstance(out, torch.Tensor) and out.numel() > 0 and bool((out == out.flatten()[0]).all())
    )


def through(
    student: Student,
    dim: int,
    send: Callable[..., object],
    *,
    dropout: float = 0.0,
    evaluate: bool = False,
) -> object:
    """Send one token through a module of three rows; of a single row where three do not fit."""
    for max_len in (3, 1):
        encode = student.SinusoidalPositionEncoding(dim, max_len, dropout)
        if evaluate:
            encode.eval()
        try:
            return send(encode)
        except RuntimeError:
            if max_len == 1:
                raise
    return None


def three_tokens(student: Student) -> torch.Tensor | None:
    """Return what becomes of [3, 3, 8]: of zeros, or of ones where zeros stay zero.

    The table has more rows than that or, where it must, just as many; None where neither works.
    """
    for max_len in (5, 3):
        try:
            outs = [
                student.SinusoidalPositionEncoding(8, max_len)(torch.full((3, 3, 8), value))
                for value in (0.0, 1.0)
            ]
        except ERRORS:
            continue
        for out in outs:
            if not isinstance(out, torch.Tensor) or out.dim() not in (2, 3) or out.size(-1) < 8:
                return None
            if out.size(-2) in (1, 3) and out.any():
                return out[..., -8:].double().expand(3, 3, 8)
    return None


def nothing_to_see(student: Student) -> object:
    """Say why there are no three tokens; a table that must not be full hides what they would be."""
    return "no three tokens" if fits(student, 4, 4, 4, 4) else UNSEEN


def typical(student: Student, value: float, p: float = 0.999) -> tuple[float, float] | None:
    """Return the median of the even and of the odd columns when training.

    Half of row 0 is 0 and half is 1, in turn; x is `value` everywhere. One token of 64 features,
    or, where three rows do not fit, 64 samples of two.
    """
    one: object = None
    other: object = None
    with contextlib.suppress(*ERRORS):
        one = student.SinusoidalPositionEncoding(64, 3, p)(torch.full((1, 1, 64), value))
    tokens = look(one, lambda tensor: tensor.size(1))
    if tokens != 1:
        with contextlib.suppress(*ERRORS):
            other = student.SinusoidalPositionEncoding(2, 2, p)(torch.full((64, 2, 2), value))
    if isinstance(other, torch.Tensor) and other.dim() == 3 and other.numel() >= 256:
        seen = other[:, 0, :2].flatten()
    elif isinstance(one, torch.Tensor) and one.dim() > 1 and one.size(-1) >= 64:
        seen = one.flatten(end_dim=-2)[0, :64]
    else:
        return None
    return float(seen[0::2].double().median()), float(seen[1::2].double().median())


def outcome(call: Callable[..., object], *args: object) -> object:
    """Return the numbers that come out of a call, or the name of its error."""
    try:
        return look(call(*args), torch.Tensor.tolist)
    except ERRORS as error:
        return type(error).__name__


@aspect(
    zh="dim=4、max_len=3，x 形状 [1, 1, 4]，先全 0 再全 1",
    en="dim 4, max_len 3, x of shape [1, 1, 4], all zeros, then all ones",
)
def share_of_x(student: Student) -> object:
    """How much the output grows when x grows by one, if that is the same in every feature."""
    outs: list[object] = []
    for value in (0.0, 1.0):
        x = torch.full((1, 1, 4), value)
        out = through(student, 4, lambda encode, x=x: encode(x))
        outs.append(look(out, lambda tensor: tensor[0, 0, :4].double().tolist()))
    if not all(isinstance(out, list) for out in outs):
        return "no features"
    growths = {round(after - before, 3) for before, after in zip(*outs, strict=True)}
    return growths.pop() if len(growths) == 1 else "not the same in every feature"


@aspect(
    zh="dim=4、max_len=3，x 形状 [1, 1, 4]：输出的宽度",
    en="dim 4, max_len 3, x of shape [1, 1, 4]: the width of what comes out",
)
def width(student: Student) -> object:
    """How wide the output is."""
    out = through(student, 4, lambda encode: encode(torch.zeros(1, 1, 4)))
    return look(out, lambda tensor: tensor.size(-1))


@aspect(
    zh="dim=8、max_len=3，x 全 0，形状 [1, 1, 8]",
    en="dim 8, max_len 3, x of zeros of shape [1, 1, 8]",
)
def size_of_addition(student: Student) -> object:
    """Norm of what is added to one token: every row of the table has the same norm."""
    out = through(student, 8, lambda encode: encode(torch.zeros(1, 1, 8)))
    return look(out, lambda tensor: round(float(tensor[0, 0].double().norm()), 3))


@aspect(
    zh="dim=2、max_len=3，bf16 的 x，形状 [1, 1, 2]",
    en="dim 2, max_len 3, bf16 x of shape [1, 1, 2]",
)
def type_for_bf16(student: Student) -> object:
    """Type of the output for bfloat16."""
    x = torch.zeros(1, 1, 2, dtype=torch.bfloat16)
    out = through(student, 2, lambda encode: encode(x))
    return look(out, lambda tensor: str(tensor.dtype))


@aspect(
    zh="dim=2、max_len=3，float64 的 x，形状 [1, 1, 2]",
    en="dim 2, max_len 3, float64 x of shape [1, 1, 2]",
)
def type_for_float64(student: Student) -> object:
    """Type of the output for float64."""
    x = torch.zeros(1, 1, 2, dtype=torch.float64)
    out = through(student, 2, lambda encode: encode(x))
    return look(out, lambda tensor: str(tensor.dtype))


@aspect(
    zh="dim=2、max_len=3，需要梯度的 x，形状 [1, 1, 2]",
    en="dim 2, max_len 3, x of shape [1, 1, 2] that asks for gradients",
)
def gradient_arrives(student: Student) -> object:
    """Whether a graph joins the output and x, which is no leaf, so that writing into it works."""
    leaf = student.put(torch.zeros(1, 1, 2), requires_grad=True)
    x = student.hold(leaf.clone)
    out = through(student, 2, lambda encode: student.hold(encode, x))
    seen = student.value(out)
    if not isinstance(seen, torch.Tensor):
        return "no tensor"
    other = through(student, 2, lambda encode: encode(torch.ones(1, 1, 2)))
    if isinstance(other, torch.Tensor) and torch.equal(seen, other):
        return "x is not in it"  # nothing that a gradient could go back to
    return student.gradient(out, leaf) is not None


@aspect(
    zh="dim=2、max_len=3，传入全 0 的 x，形状 [1, 1, 2]；调用之后打印 x，它已经不是 0",
    en="dim 2, max_len 3, x of zeros, shape [1, 1, 2]; print x after the call: no longer 0",
)
def input_afterwards(student: Student) -> object:
    """Whether x is still zero after a call, successful or not."""
    for length, max_len in ((1, 3), (2, 2)):
        x = student.put(torch.zeros(1, length, 2))
        outcome(student.SinusoidalPositionEncoding(2, max_len), x)
        if student.value(x).any():
            return False
    return True


@aspect(
    zh="dim=2、max_len=3，先传 [1, 1, 2] 再传 [1, 2, 2]",
    en="dim 2, max_len 3, first x of shape [1, 1, 2], then [1, 2, 2]",
)
def after_a_shorter_call(student: Student) -> object:
    """Whether a module that has seen one token answers like a new one."""
    used, new = (student.SinusoidalPositionEncoding(2, 3) for _ in range(2))
    outcome(used, torch.zeros(1, 1, 2))
    x = torch.zeros(1, 2, 2)
    return outcome(used, x) == outcome(new, x)


@aspect(
    zh="dim=2、max_len=2，[2, 2, 2] 的 x 传两次：第一次是 bf16 或 float32，第二次是 float32",
    en="dim 2, max_len 2, x of shape [2, 2, 2] twice: as bf16 or float32, then as float32",
)
def after_a_bf16_call(student: Student) -> object:
    """Whether a module that has seen bfloat16 answers like one that has seen float32."""
    one, other = (student.SinusoidalPositionEncoding(2, 2) for _ in range(2))
    x = torch.zeros(2, 2, 2)
    outcome(one, x.bfloat16())
    outcome(other, x)
    return outcome(one, x) == outcome(other, x)


@aspect(zh="dim=2、max_len=1，x 形状 [2, 2, 2]", en="dim 2, max_len 1, x of shape [2, 2, 2]")
def too_long_for_one_row(student: Student) -> object:
    """What a table of a single row makes of two tokens. B = L = D: any axis is too long."""
    return answer_to_too_long(student, size=2, max_len=1)


@aspect(zh="dim=4、max_len=3，x 形状 [4, 4, 4]", en="dim 4, max_len 3, x of shape [4, 4, 4]")
def too_long(student: Student) -> object:
    """What a table of three rows makes of four tokens. B = L = D: any axis is too long."""
    return answer_to_too_long(student, size=4, max_len=3)


@aspect(
    zh="dim=4、max_len=3，x 形状 [2, 2, 4]，token 数是否不变",
    en="dim 4, max_len 3, x of shape [2, 2, 4], whether as many tokens come out",
)
def batch_equals_length(student: Student) -> object:
    """Whether it works where B = L hides a mix-up of the two."""
    return fits(student, 4, 3, 2, 2)


@aspect(
    zh="dim=4、max_len=5，x 形状 [2, 4, 4]（不行就用 [4, 2, 4]），token 数是否不变",
    en="dim 4, max_len 5, x of shape [2, 4, 4] (or [4, 2, 4] where that fails), whether as many "
    "tokens come out",
)
def width_equals_length(student: Student) -> object:
    """Whether it works where D = L hides a mix-up of the two, on whichever axis L is."""
    return fits(student, 4, 5, 2, 4) or fits(student, 4, 5, 4, 2)


@aspect(
    zh="dim=8、max_len=5，x 形状 [2, 3, 8]，token 数是否不变",
    en="dim 8, max_len 5, x of shape [2, 3, 8], whether as many tokens come out",
)
def short_length(student: Student) -> object:
    """Whether it works when L is below max_len; slicing makes no more rows than there are."""
    if fits(student, 8, 5, 2, 3):
        return "works"
    out = through(student, 8, lambda encode: encode(torch.zeros(1, 1, 8)))
    tokens = look(out, lambda tensor: tensor.size(1))
    more = isinstance(tokens, int) and tokens > 3
    return "fails, and not by slicing: more tokens than rows" if more else "fails"


@aspect(
    zh="dim=4、max_len=4，x 形状 [4, 4, 4]，token 数是否不变",
    en="dim 4, max_len 4, x of shape [4, 4, 4], whether as many tokens come out",
)
def full_length(student: Student) -> object:
    """Whether it works when L = max_len. B = L = D: the slice may be any of them."""
    if fits(student, 4, 4, 4, 4):
        return "works"
    try:
        student.SinusoidalPositionEncoding(4, 4)(torch.zeros(4, 4, 4))
        refused = False
    except ERRORS as error:
        refused = isinstance(error, ValueError)
    # Rows that start at 1 end one too early: that is no refusal.
    row = row_of_first_token(student)
    short = row == "row 1" or (row == "unseen" and not refused)
    return "fails, maybe for want of a row" if short else "fails"


@aspect(
    zh="dim=8、max_len=5（不行就用 3），x 形状 [3, 3, 8]",
    en="dim 8, max_len 5 (or 3 where that fails), x of shape [3, 3, 8]",
)
def positions(student: Student) -> object:
    """Positions of the first sample's tokens, read off their fastest pair (sin p, cos p)."""
    out = three_tokens(student)
    if out is None:
        return nothing_to_see(student)
    return tuple(torch.atan2(out[0, :, 0], out[0, :, 1]).round(decimals=2).tolist())


@aspect(
    zh="dim=8、max_len=5（不行就用 3），x 形状 [3, 3, 8]，比较两个样本",
    en="dim 8, max_len 5 (or 3 where that fails), x of shape [3, 3, 8], first sample against last",
)
def samples_alike(student: Student) -> object:
    """Whether first and last sample get the same addition."""
    out = three_tokens(student)
    return nothing_to_see(student) if out is None else torch.equal(out[0], out[-1])


@aspect(
    zh="dim=64、max_len=3、dropout=0.999、训练模式，x 全 7，形状 [1, 1, 64]，比较奇偶列",
    en="dim 64, max_len 3, dropout 0.999, training mode, x full of 7, even columns against odd",
)
def positions_dropped(student: Student) -> object:
    """Whether the positions disappear: nothing else makes even and odd columns differ."""
    seen = typical(student, 7.0)
    return UNSEEN if seen is None else abs(seen[0] - seen[1]) < 0.01


@aspect(
    zh="dim=64、max_len=3、dropout=0.999、训练模式，x 形状 [1, 1, 64]，先全 7 再全 14",
    en="dim 64, max_len 3, dropout 0.999, training mode, x of shape [1, 1, 64], all 7, then all 14",
)
def embeddings_dropped(student: Student) -> object:
    """Whether x disappears: nothing else makes the two outputs differ."""

    def gap(p: float) -> float | None:
        one, other = typical(student, 7.0, p), typical(student, 14.0, p)
        return None if one is None or other is None else abs(one[1] - other[1])

    kept, left = gap(0.0), gap(0.999)
    if kept is None or left is None or kept < 0.01:  # x may be missing without any dropout
        return UNSEEN
    return left < 0.01


@aspect(
    zh="dim=64、max_len=3、评估模式，x 全 7，形状 [1, 1, 64]，比较 dropout=0.999 与 0",
    en="dim 64, max_len 3, evaluation mode, x full of 7 of shape [1, 1, 64], dropout 0.999 and 0",
)
def nothing_dropped_in_evaluation(student: Student) -> object:
    """Whether the dropout probability makes a difference after eval()."""
    x = torch.full((1, 1, 64), 7.0)
    outs = [
        through(student, 64, lambda encode: encode(x), dropout=probability, evaluate=True)
        for probability in (0.999, 0.0)
    ]
    return look(outs[0], torch.Tensor.tolist) == look(outs[1], torch.Tensor.tolist)
