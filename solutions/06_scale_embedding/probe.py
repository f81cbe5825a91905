"""What to observe of a submission to exercise 06 in order to name its mistake.

Most aspects send one sentence of two equal tokens with a table whose rows are all the same, and
send it twice if need be: with as many rows as tokens, and with one more. On one of the two every
way of cutting the table runs and adds that row, so that what else is wrong can be seen beside it.
The id 0 and tables whose rows differ appear only where they are the point.
"""

from collections.abc import Callable

import torch

from grader.checking import Student, aspect

D, V = 16, 9  # roots 4 and 3; of L = 2 it is 1.41
IDS = torch.tensor([[1, 1]])


def through(send: Callable[[torch.Tensor], object], row: torch.Tensor) -> object:
    """Call `send` with a table of two rows `row`, and with three where two do not do."""
    try:
        return send(row.repeat(2, 1))
    except (IndexError, RuntimeError):
        return send(row.repeat(3, 1))


def embed(
    student: Student, weight: torch.Tensor, row: torch.Tensor, scale: bool = True
) -> torch.Tensor | str:
    """Return what comes out for IDS, or its type where it is no tensor of three axes."""
    out = through(lambda table: student.embed_tokens(IDS, weight, table, scale), row)
    if not isinstance(out, torch.Tensor) or out.dim() != 3 or out.numel() == 0:
        return type(out).__name__
    return out


def first_number(out: torch.Tensor | str) -> object:
    """Return the first number of an output."""
    return out if isinstance(out, str) else round(float(out.flatten()[0]), 2)


def rows_added(student: Student, batch: int, length: int, max_len: int) -> object:
    """Tell which row of the table each token of the first sample gets; -1 for none."""
    ids = torch.full((batch, length), 1)
    out = student.embed_tokens(ids, torch.zeros(V, 8), torch.eye(8)[:max_len])
    if not isinstance(out, torch.Tensor) or out.dim() != 3 or out.numel() == 0:
        return type(out).__name__
    first = out[0].double()
    found = torch.where(first.amax(dim=1) > 0, first.argmax(dim=1) % 8, -1)
    return tuple(found.tolist())


@aspect(
    zh="ids = [[1, 1]]，D=16，weight 全是 1，table 全是 0；输出的第一个数",
    en="ids [[1, 1]], D 16, weight of ones, table of zeros; the first number that comes out",
)
def factor_of_embedding(student: Student) -> object:
    """By what an embedding is multiplied."""
    return first_number(embed(student, torch.ones(V, D), torch.zeros(1, D)))


@aspect(
    zh="ids = [[1, 1]]，D=16，weight 全是 1，table 全是 0，scale=False；输出是否还全是 1",
    en="ids [[1, 1]], D 16, weight of ones, table of zeros, scale=False; is the output still 1",
)
def embedding_without_scale(student: Student) -> object:
    """Whether an embedding is left alone when it should be."""
    found = first_number(embed(student, torch.ones(V, D), torch.zeros(1, D), scale=False))
    return found if isinstance(found, str) else found == 1


@aspect(
    zh="ids = [[1, 1]]，D=16，weight 全是 0，table 全是 1；输出的最后一个数与 1 相比",
    en="ids [[1, 1]], D 16, weight of zeros, table of ones; the last number compared with 1",
)
def size_of_position(student: Student) -> object:
    """What becomes of a position row."""
    out = embed(student, torch.zeros(V, D), torch.ones(1, D))
    if isinstance(out, str):
        return out
    last = round(float(out.flatten()[-1]), 2)
    return "none" if last == 0 else "equal" if last == 1 else "larger" if last > 1 else "smaller"


@aspect(
    zh="ids = [[1, 1]]，weight 每行只有一个 1，table 全是 0；两个 token 各用了 weight 的哪一行",
    en="ids [[1, 1]], weight with a single 1 in each row, table of zeros; "
    "which row of weight each token gets",
)
def rows_looked_up(student: Student) -> object:
    """Which embedding a token gets."""
    out = embed(student, torch.eye(8), torch.zeros(1, 8))
    return out if isinstance(out, str) else tuple(out.flatten(0, 1)[:2].argmax(dim=1).tolist())


@aspect(
    zh="ids = [[0]]，weight 全是 1，table 全是 0；输出是否为 0",
    en="ids [[0]], weight of ones, table of zeros; is the output 0",
)
def id_zero(student: Student) -> object:
    """Whether id 0 is a token like any other."""
    ids = torch.zeros(1, 2, dtype=torch.int64)
    out = through(
        lambda table: student.embed_tokens(ids, torch.ones(V, D), table), torch.zeros(1, D)
    )
    return not out.any() if isinstance(out, torch.Tensor) else type(out).__name__


@aspect(
    zh="ids = [[1, 1]]，D=16；输出的形状",
    en="ids [[1, 1]], D 16; the shape that comes out",
)
def shape(student: Student) -> object:
    """Shape of the output."""
    out = embed(student, torch.ones(V, D), torch.zeros(1, D))
    return out if isinstance(out, str) else tuple(out.shape)


@aspect(
    zh="ids 形状 [2, 2]，weight 全是 0，table 4 行各不相同；第一句的 token 各加上哪一行",
    en="ids of shape [2, 2], weight of zeros, a table of 4 different rows; "
    "the row each token of the first sample gets",
)
def rows_when_batch_equals_length(student: Student) -> object:
    """Positions where B = L hides a mix-up of the two."""
    return rows_added(student, batch=2, length=2, max_len=4)


@aspect(
    zh="ids 形状 [2, 2]，weight 全是 0，table 4 行各不相同；两句话加上的是否相同",
    en="ids of shape [2, 2], weight of zeros, a table of 4 different rows; "
    "do both samples get the same addition",
)
def samples_alike(student: Student) -> object:
    """Whether positions are counted anew in each sample."""
    ids = torch.ones(2, 2, dtype=torch.int64)
    out = student.embed_tokens(ids, torch.zeros(V, 8), torch.eye(8)[:4])
    if not isinstance(out, torch.Tensor) or out.dim() != 3 or out.numel() == 0:
        return type(out).__name__
    return bool(torch.equal(out[0], out[-1]))


@aspect(
    zh="ids 形状 [2, 3]，weight 全是 0，table 3 行各不相同；第一句的 token 各加上哪一行",
    en="ids of shape [2, 3], weight of zeros, a table of 3 different rows; "
    "the row each token of the first sample gets",
)
def rows_at_full_length(student: Student) -> object:
    """Positions where L = max_len hides a missing slice."""
    return rows_added(student, batch=2, length=3, max_len=3)


@aspect(
    zh="ids 形状 [2, 3]，weight 全是 0，table 5 行各不相同；第一句的 token 各加上哪一行",
    en="ids of shape [2, 3], weight of zeros, a table of 5 different rows; "
    "the row each token of the first sample gets",
)
def rows_at_short_length(student: Student) -> object:
    """Positions where nothing is hidden."""
    return rows_added(student, batch=2, length=3, max_len=5)


@aspect(
    zh="ids = [[1, 1]]，weight 是 bfloat16，table 是 float32；输出的 dtype",
    en="ids [[1, 1]], bfloat16 weight, float32 table; the dtype that comes out",
)
def type_for_bf16(student: Student) -> object:
    """Type of the output for bfloat16 embeddings."""
    out = embed(student, torch.ones(V, D, dtype=torch.bfloat16), torch.zeros(1, D))
    return out if isinstance(out, str) else str(out.dtype)


@aspect(
    zh="ids = [[1, 1]]，weight 是 float64，table 是 float32；输出的 dtype",
    en="ids [[1, 1]], float64 weight, float32 table; the dtype that comes out",
)
def type_for_float64(student: Student) -> object:
    """Type of the output for float64 embeddings."""
    out = embed(student, torch.ones(V, D, dtype=torch.float64), torch.zeros(1, D))
    return out if isinstance(out, str) else str(out.dtype)


@aspect(
    zh="ids = [[1, 1]]，调用之后再看 weight",
    en="ids [[1, 1]]; weight after the call",
)
def weight_afterwards(student: Student) -> object:
    """Whether weight is still full of ones."""
    weight = student.put(torch.ones(V, D))
    through(lambda table: student.embed_tokens(IDS, weight, table), torch.zeros(1, D))
    return bool((student.value(weight) == 1).all())


@aspect(
    zh="ids = [[1, 1]]，weight 需要梯度；梯度能否传回 weight",
    en="ids [[1, 1]], weight that asks for gradients; does one get back to weight",
)
def gradient_arrives(student: Student) -> object:
    """Whether a graph joins the output and weight, which is no leaf, so writing into it works."""
    leaf = student.put(torch.ones(V, D), requires_grad=True)
    weight = student.hold(leaf.clone)
    out = through(
        lambda table: student.hold(student.embed_tokens, IDS, weight, table), torch.zeros(1, D)
    )
    if not isinstance(student.value(out), torch.Tensor):
        return "no tensor"
    return student.gradient(out, leaf) is not None
