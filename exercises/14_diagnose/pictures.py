"""What the report shows of exercise 14."""

import torch

from grader.checking import Student, picture

BOXES = 3  # of each name: of different widths, starts and gains


@picture(
    kind="heatmap",
    zh=f"把谁认成了谁：每个名字 {BOXES} 只箱子，行是箱子的名字，列是你的回答，"
    "都是 `given.NAMES` 里的序号",
    en=f"What was taken for what: {BOXES} boxes of each name, rows are their names, columns your "
    "answers, both as places in `given.NAMES`",
    rows=("箱子", "box"),
    columns=("回答", "answer"),
)
def answers(student: Student) -> object:
    names = list(student.given.NAMES)
    counts = torch.zeros(len(names), len(names))
    for row, name in enumerate(names):
        for box in range(BOXES):
            made = student.given.numbers(
                name, 6 + 2 * box, max_len=6, start=3 * box, gain=1.0 + box, seed=box
            )
            found = student.diagnose(student.given.Box(*made))
            if not isinstance(found, str):
                return found
            if found in names:  # a name that is on no list has no column
                counts[row, names.index(found)] += 1
    return counts
