"""What to observe of a submission to exercise 10 in order to name its mistake.

Every aspect is blind to most of the others: which way distances count is read from a single query,
where the middle row is from a single pair, how far rows reach is measured from the diagonal and
without regard to the side, and where the queries stand is read from the key that looks up the
middle row. Sheets of the wrong orientation are turned first; the shape has an aspect of its own.
"""

import torch

from grader.checking import Student, aspect

ERRORS = (AssertionError, LookupError, RuntimeError, TypeError, ValueError)
UNREADABLE = "no sheet of numbers"


def sheet(student: Student, q_len: int, k_len: int, reach: int) -> torch.Tensor | None:
    """Return row numbers as float64 with queries as rows, the last q_len of them, or None."""
    out = student.relative_index(q_len, k_len, reach)
    if not isinstance(out, torch.Tensor) or out.dim() != 2 or out.is_complex():
        return None
    if out.shape == (k_len, q_len):
        out = out if q_len == k_len else out.T
    if out.size(1) != k_len or out.size(0) < q_len:
        return None
    return out[-q_len:].double()


def shape_of(out: object) -> object:
    """Return the shape of a tensor, or what else it is."""
    return tuple(out.shape) if isinstance(out, torch.Tensor) else type(out).__name__


def dtype_of(out: object) -> object:
    """Return the dtype of a tensor in words, or what else it is."""
    return str(out.dtype) if isinstance(out, torch.Tensor) else type(out).__name__


def has_two_sides(student: Student) -> bool:
    """Whether one step back and one step ahead lie on different sides of the middle row."""
    found = sheet(student, 2, 2, 9)
    if found is None:
        return False
    steps = sorted((found[0, 1] - found[0, 0], found[1, 0] - found[1, 1]))
    return bool(steps[0] < 0 < steps[1])


def bucket(student: Student, distance: int, two_sided: bool) -> object:
    """Return the bucket of one distance at T5's own sizes, as a float; or what else came back."""
    out = student.t5_bucket(torch.tensor([distance]), two_sided)
    if not isinstance(out, torch.Tensor) or out.numel() != 1 or out.is_complex():
        return type(out).__name__
    return float(out.double().item())


def biases(student: Student, heads: int, *, q_len: int, k_len: int, rows: int) -> object:
    """Look up 0, 1, 2, ... in a table whose row r holds 10 r, 10 r + 1, ... for the heads."""
    index = torch.arange(q_len * k_len).reshape(q_len, k_len) % min(rows, heads)
    table = 10.0 * torch.arange(rows)[:, None] + torch.arange(heads)
    return student.relative_bias(index, table)


@aspect(zh="relative_index(2, 5, 9) 的形状", en="the shape of relative_index(2, 5, 9)")
def index_shape(student: Student) -> object:
    return shape_of(student.relative_index(2, 5, 9))


@aspect(zh="relative_index(2, 2, 3) 的 dtype", en="the dtype of relative_index(2, 2, 3)")
def index_dtype(student: Student) -> object:
    return dtype_of(student.relative_index(2, 2, 3))


@aspect(
    zh="relative_index(2, 2, 9)：前一步和后一步各离对角线几行",
    en="relative_index(2, 2, 9): how many rows one step back and one ahead are off the diagonal",
)
def two_sides(student: Student) -> object:
    found = sheet(student, 2, 2, 9)
    if found is None:
        return UNREADABLE
    return tuple(sorted((float(found[0, 1] - found[0, 0]), float(found[1, 0] - found[1, 1]))))


@aspect(
    zh="relative_index(1, 3, 9)：从第一个 key 到最后一个 key，行号增大还是减小",
    en="relative_index(1, 3, 9): whether row numbers grow or fall from the first key to the last",
)
def direction(student: Student) -> object:
    if not has_two_sides(student):
        return "one side"
    found = sheet(student, 1, 3, 9)
    return UNREADABLE if found is None else f"{float((found[0, 2] - found[0, 0]).sign()):+.0f}"


@aspect(
    zh="relative_index(1, 1, 3)：token 与它自己查哪一行",
    en="relative_index(1, 1, 3): the row for a token and itself",
)
def middle_row(student: Student) -> object:
    if not has_two_sides(student):
        return "one side"
    found = sheet(student, 1, 1, 3)
    return UNREADABLE if found is None else float(found[0, 0])


@aspect(
    zh="relative_index(9, 9, 2)：最远的行号离对角线几行",
    en="relative_index(9, 9, 2): how far from the diagonal's row the farthest rows are",
)
def reach_of_rows(student: Student) -> object:
    found = sheet(student, 9, 9, 2)
    if found is None:
        return UNREADABLE
    off = found - found[0, 0]
    return float(off.min()), float(off.max())


@aspect(
    zh="relative_index(5, 5, 2)：每条对角线上的行号是否相同",
    en="relative_index(5, 5, 2): whether row numbers are constant along diagonals",
)
def constant_diagonals(student: Student) -> object:
    found = sheet(student, 5, 5, 2)
    return UNREADABLE if found is None else bool(torch.equal(found[1:, 1:], found[:-1, :-1]))


@aspect(
    zh="relative_index(6, 6, 2)：第一行的行号是否只朝一个方向变化",
    en="relative_index(6, 6, 2): whether the first row's numbers only ever move one way",
)
def moves_one_way(student: Student) -> object:
    found = sheet(student, 6, 6, 2)
    if found is None:
        return UNREADABLE
    steps = found[0].diff()
    return bool((steps >= 0).all() or (steps <= 0).all())


@aspect(
    zh="relative_index(2, 5, 9)：最后一个 query 的距离 0 落在哪个 key 上",
    en="relative_index(2, 5, 9): the key at distance 0 from the last query",
)
def key_of_last_query(student: Student) -> object:
    itself, found = sheet(student, 1, 1, 9), sheet(student, 2, 5, 9)
    if itself is None or found is None:
        return UNREADABLE
    places = (found[-1] == itself[0, 0]).nonzero().flatten().tolist()
    return places[0] if places else "none"


@aspect(
    zh="relative_bias：index [2, 3]、table [7, 4]，返回值的形状",
    en="relative_bias: the shape returned for index [2, 3], table [7, 4]",
)
def bias_shape(student: Student) -> object:
    return shape_of(biases(student, 4, q_len=2, k_len=3, rows=7))


@aspect(
    zh="relative_bias：index [1, 1]、table [2, 2] 为 float64，返回值的 dtype",
    en="relative_bias: the dtype returned for index [1, 1], table [2, 2] of float64",
)
def bias_dtype(student: Student) -> object:
    index, table = torch.zeros(1, 1, dtype=torch.int64), torch.zeros(2, 2, dtype=torch.float64)
    return dtype_of(student.relative_bias(index, table))


@aspect(
    zh="relative_bias：index [[2]]、table [5, 3]，取到的数",
    en="relative_bias: the numbers picked for index [[2]], table [5, 3]",
)
def numbers_of_one_pair(student: Student) -> object:
    table = 10.0 * torch.arange(5)[:, None] + torch.arange(3)
    out = student.relative_bias(torch.tensor([[2]]), table)
    return tuple(out.double().flatten().tolist()) if isinstance(out, torch.Tensor) else "no tensor"


@aspect(
    zh="relative_bias：index [2, 3]、table [7, 4]，每个头的数是否来自同一列",
    en="relative_bias: index [2, 3], table [7, 4], whether each head's numbers share a column",
)
def heads_unmixed(student: Student) -> object:
    out = biases(student, 4, q_len=2, k_len=3, rows=7)
    if not isinstance(out, torch.Tensor) or 4 not in out.shape:
        return "no axis of heads"
    columns = out.double().movedim(out.shape.index(4), 0).reshape(4, -1) % 10
    return bool((columns == columns[:, :1]).all())


@aspect(
    zh="relative_bias：需要梯度的 table [2, 2]",
    en="relative_bias: a table [2, 2] that asks for gradients",
)
def gradient_arrives(student: Student) -> object:
    table = student.put(torch.zeros(2, 2), requires_grad=True)
    out = student.hold(student.relative_bias, torch.zeros(1, 1, dtype=torch.int64), table)
    if not isinstance(student.value(out), torch.Tensor):
        return "no tensor"
    return student.gradient(out, table) is not None


@aspect(zh="t5_bucket([-1]) 返回值的 dtype", en="the dtype of t5_bucket([-1])")
def bucket_dtype(student: Student) -> object:
    return dtype_of(student.t5_bucket(torch.tensor([-1])))


@aspect(
    zh="t5_bucket([-9, 9])，调用之后再看传入的距离",
    en="t5_bucket([-9, 9]), the distances after the call",
)
def distances_afterwards(student: Student) -> object:
    for two_sided in (True, False):
        distances = student.put(torch.tensor([-9, 9]))
        student.t5_bucket(distances, two_sided)
        if student.value(distances).tolist() != [-9, 9]:
            return "changed"
    return "as before"


@aspect(
    zh="t5_bucket([-1]) 和 t5_bucket([1])，两侧都看",
    en="t5_bucket([-1]) and t5_bucket([1]), both sides",
)
def buckets_of_neighbours(student: Student) -> object:
    return bucket(student, -1, True), bucket(student, 1, True)


@aspect(
    zh="t5_bucket([-1], False) 和 t5_bucket([1], False)，只看过去",
    en="t5_bucket([-1], False) and t5_bucket([1], False), the past only",
)
def buckets_of_neighbours_past_only(student: Student) -> object:
    return bucket(student, -1, False), bucket(student, 1, False)


@aspect(
    zh="距离 9 到 12，两侧都看：是不是还各有一个桶",
    en="distances 9 to 12, both sides: whether each still has a bucket of its own",
)
def exact_beyond_eight(student: Student) -> object:
    for distance in range(9, 13):
        found = (bucket(student, -distance, True), bucket(student, distance, True))
        if not all(isinstance(one, float) for one in found):
            return "no number"
        if min(found) != distance:
            return False
    return True


@aspect(
    zh="距离 20、30、100 的桶号，只看过去",
    en="the buckets of distances 20, 30 and 100, the past only",
)
def buckets_in_between(student: Student) -> object:
    return tuple(larger_side(student, distance) for distance in (20, 30, 100))


@aspect(
    zh="距离 128 和 1050 的桶号，只看过去，32 以上不再细分",
    en="the buckets of distances 128 and 1050, the past only, all above 32 alike",
)
def buckets_far_away(student: Student) -> object:
    found = [larger_side(student, distance) for distance in (128, 1050)]
    return tuple(min(one, 33.0) if isinstance(one, float) else one for one in found)


def larger_side(student: Student, distance: int) -> object:
    """Return the larger bucket of the two signs: one of them may count as no distance."""
    found = (bucket(student, -distance, False), bucket(student, distance, False))
    return max(found) if all(isinstance(one, float) for one in found) else "no number"
