"""What to observe of a submission to exercise 03 in order to name its mistake.

The input [1, 1, D] is the quiet one: one sample, one token, more than one row in the table. Every
way of slicing runs on it, so what else is wrong can be seen beside a slicing mistake. No aspect
looks at the number of samples in the output, which careless and careful versions of the same
mistake do not share.
"""

from collections.abc import Callable

import torch

from grader.checking import Student, aspect

ERRORS = (AssertionError, LookupError, RuntimeError, TypeError, ValueError)


def look(out: object, read: Callable[[torch.Tensor], object]) -> object:
    """Read something off a [*, *, D] output; of any other value tell what it is."""
    if not isinstance(out, torch.Tensor):
        return type(out).__name__
    if out.dim() != 3 or out.numel() == 0 or out.size(-1) < 2:
        return tuple(out.shape)
    return read(out)


def token_shape(out: object) -> object:
    """Return tokens and width of an output; the number of samples is left aside."""
    return look(out, lambda tensor: tuple(tensor.shape[1:]))


def positions_of_first_sample(out: object) -> object:
    """Read each token's position off its fastest pair (sin p, cos p), whatever the pair's size."""

    def read(tensor: torch.Tensor) -> tuple[float, ...]:
        first = tensor[0].double()
        return tuple(torch.atan2(first[:, 0], first[:, 1]).round(decimals=2).tolist())

    return look(out, read)


def answer_to_too_long(student: Student, size: int, max_len: int) -> str:
    """Return in words what happens to size tokens of size samples when max_len is smaller."""
    encode = student.SinusoidalPositionEncoding(2, max_len)
    try:
        out = encode(torch.zeros(size, size, 2))
    except ValueError:
        return "ValueError"
    except ERRORS:
        return "another error"
    return f"tokens returned: {look(out, lambda tensor: tensor.size(1))}"


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


def mostly(student: Student, value: float, small: float) -> object:
    """Tell whether training with p = 0.999 leaves next to nothing of one token full of `value`."""
    x = torch.full((1, 1, 64), value)
    out = through(student, 64, lambda encode: encode(x), dropout=0.999)
    return look(out, lambda tensor: bool((tensor.abs() <= small).double().mean() > 0.9))


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
    """How much the output grows when x grows by one."""
    means: list[object] = []
    for value in (0.0, 1.0):
        x = torch.full((1, 1, 4), value)
        out = through(student, 4, lambda encode, x=x: encode(x))
        means.append(look(out, lambda tensor: float(tensor[0, 0].double().mean())))
    if not all(isinstance(mean, float) for mean in means):
        return tuple(means)
    return round(means[1] - means[0], 3)


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
    if not isinstance(student.value(out), torch.Tensor):
        return "no tensor"
    return student.gradient(out, leaf) is not None


@aspect(
    zh="dim=2，x 全 0，形状 [1, 1, 2]（max_len=3）和 [1, 2, 2]（max_len=2），调用之后再看 x",
    en="dim 2, x of zeros of shape [1, 1, 2] (max_len 3) and [1, 2, 2] (max_len 2), after the call",
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
    zh="dim=2、max_len=2，[1, 2, 2] 的 x 先传 bf16，再传 float32",
    en="dim 2, max_len 2, x of shape [1, 2, 2], first as bf16, then as float32",
)
def after_a_bf16_call(student: Student) -> object:
    """Whether a module that has seen bfloat16 answers like a new one."""
    used, new = (student.SinusoidalPositionEncoding(2, 2) for _ in range(2))
    x = torch.zeros(1, 2, 2)
    outcome(used, x.bfloat16())
    return outcome(used, x) == outcome(new, x)


@aspect(zh="dim=2、max_len=1，x 形状 [2, 2, 2]", en="dim 2, max_len 1, x of shape [2, 2, 2]")
def too_long_for_one_row(student: Student) -> object:
    """What a table of a single row makes of two tokens. B = L: either axis is too long."""
    return answer_to_too_long(student, size=2, max_len=1)


@aspect(zh="dim=2、max_len=2，x 形状 [3, 3, 2]", en="dim 2, max_len 2, x of shape [3, 3, 2]")
def too_long(student: Student) -> object:
    """What a table of two rows makes of three tokens. B = L: either axis is too long."""
    return answer_to_too_long(student, size=3, max_len=2)


@aspect(zh="dim=4、max_len=3，x 形状 [2, 2, 4]", en="dim 4, max_len 3, x of shape [2, 2, 4]")
def batch_equals_length(student: Student) -> object:
    """Tokens and width where B = L hides a mix-up of the two."""
    return token_shape(student.SinusoidalPositionEncoding(4, 3)(torch.zeros(2, 2, 4)))


@aspect(zh="dim=4、max_len=5，x 形状 [2, 4, 4]", en="dim 4, max_len 5, x of shape [2, 4, 4]")
def width_equals_length(student: Student) -> object:
    """Tokens and width where D = L hides a mix-up of the two."""
    return token_shape(student.SinusoidalPositionEncoding(4, 5)(torch.zeros(2, 4, 4)))


@aspect(
    zh="dim=8、max_len=3，x 全 0，形状 [2, 3, 8]",
    en="dim 8, max_len 3, x of zeros of shape [2, 3, 8]",
)
def positions_at_full_length(student: Student) -> object:
    """Positions the first sample's tokens get when L = max_len."""
    out = student.SinusoidalPositionEncoding(8, 3)(torch.zeros(2, 3, 8))
    return positions_of_first_sample(out)


@aspect(
    zh="dim=8、max_len=3，x 全 0，形状 [2, 3, 8]，比较两个样本",
    en="dim 8, max_len 3, x of zeros of shape [2, 3, 8], first sample against last",
)
def samples_alike(student: Student) -> object:
    """Whether first and last sample get the same addition."""
    out = student.SinusoidalPositionEncoding(8, 3)(torch.zeros(2, 3, 8))
    return look(out, lambda tensor: bool(torch.equal(tensor[0], tensor[-1])))


@aspect(
    zh="dim=8、max_len=5，x 全 0，形状 [2, 3, 8]",
    en="dim 8, max_len 5, x of zeros of shape [2, 3, 8]",
)
def positions_at_short_length(student: Student) -> object:
    """Positions the first sample's tokens get when L is below max_len."""
    out = student.SinusoidalPositionEncoding(8, 5)(torch.zeros(2, 3, 8))
    return positions_of_first_sample(out)


@aspect(
    zh="dim=64、max_len=3、dropout=0.999、训练模式，x 全 0，形状 [1, 1, 64]",
    en="dim 64, max_len 3, dropout 0.999, training mode, x of zeros of shape [1, 1, 64]",
)
def positions_dropped(student: Student) -> object:
    """Whether the positions disappear (half of row 0 is zero by itself)."""
    return mostly(student, value=0.0, small=0.0)


@aspect(
    zh="dim=64、max_len=3、dropout=0.999、训练模式，x 全 7，形状 [1, 1, 64]",
    en="dim 64, max_len 3, dropout 0.999, training mode, x full of 7 of shape [1, 1, 64]",
)
def embeddings_dropped(student: Student) -> object:
    """Whether x disappears; positions alone stay below 3."""
    return mostly(student, value=7.0, small=3.0)


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
