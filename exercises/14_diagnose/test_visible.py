"""练习 14 的公开检查：可以读，也可以照着添加自己的。

Visible checks of exercise 14: read them, and add your own in the same way.
"""

from types import ModuleType

import pytest

from grader.checking import Student, assert_value, fail


@pytest.mark.check(
    title={
        "zh": "README 中的例子：D = 6 时转速是 1、0.1、0.01",
        "en": "the README's example: speeds of 1, 0.1, 0.01 at D = 6",
    },
    points=2,
    objectives=["frequencies"],
)
def test_readme_example(student: Student, given: ModuleType) -> None:
    """The same box as in the README, then the one that it is easily taken for."""
    for name, dim in (("base-1000", 6), ("sinusoid", 6), ("sinusoid", 8)):
        encode = student.given.Box(*given.numbers(name, dim=dim, start=4))

        assert_value(student.diagnose(encode), name)


@pytest.mark.check(
    title={
        "zh": "三种与顺序无关的箱子，和一只旋转的箱子",
        "en": "three boxes that ignore order, and one that rotates",
    },
    points=2,
    objectives=["order-blindness"],
)
def test_example_order_ignored(student: Student, given: ModuleType) -> None:
    """Nothing added, one row added, one matrix applied; rotating depends on the place."""
    for seed in (0, 1, 2):
        encode = student.given.Box(*given.numbers("order-ignored", seed=seed))

        assert_value(student.diagnose(encode), "order-ignored")
    assert_value(student.diagnose(student.given.Box(*given.numbers("rope"))), "rope")


@pytest.mark.check(
    title={
        "zh": "前几个练习里的三种错误",
        "en": "three mistakes of earlier exercises",
    },
    points=2,
    objectives=["formula-and-shape"],
    core=True,
)
def test_example_mistakes(student: Student, given: ModuleType) -> None:
    """Exercises 03 and 04: sliced by batch, table returned, added twice."""
    for name in ("batch-slice", "table-returned", "added-twice"):
        encode = student.given.Box(*given.numbers(name, dim=12, max_len=7, gain=2.0))

        assert_value(student.diagnose(encode), name)


@pytest.mark.check(
    title={
        "zh": "三种约定：从位置 0 数起，或从 37 数起",
        "en": "three conventions, counted from position 0 or 37",
    },
    points=2,
    objectives=["relative-offset"],
)
def test_example_conventions(student: Student, given: ModuleType) -> None:
    """Where the first token stands does not change the name."""
    for start in (0, 37):
        for name in ("sinusoid", "cos-first", "halves", "rope", "rope-backwards"):
            encode = student.given.Box(*given.numbers(name, dim=10, start=start))

            assert_value(student.diagnose(encode), name)


@pytest.mark.check(
    title={
        "zh": "加表与旋转，至多调用 4 次",
        "en": "adding a table and rotating, with 4 calls at most",
    },
    points=2,
    objectives=["mechanisms"],
)
def test_example_calls(student: Student, given: ModuleType) -> None:
    """A box counts how often it is called."""
    for name in ("learned-table", "sinusoid", "rope"):
        encode = student.given.Box(*given.numbers(name, dim=16, max_len=11, seed=5))

        assert_value(student.diagnose(encode), name)
        if encode.calls > given.MOST_CALLS:
            fail(
                zh=f"名字认对了，但调用了 {encode.calls} 次，至多可以 {given.MOST_CALLS} 次。",
                en=f"The name is right, but the box was called {encode.calls} times; "
                f"{given.MOST_CALLS} times is the most.",
            )
