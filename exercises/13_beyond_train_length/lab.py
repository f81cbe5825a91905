"""选做实验（不计分）：序列变长以后，几种位置编码各会怎样？

五种模型：不加位置、正弦、可学习（练习 09）、RoPE（练习 11）和 ALiBi（练习 12），
都是一层的因果 Transformer。训练序列都是 32 个 token；训练完，在 32 到 128 个 token 的新序列上测
最后 8 个位置答对的比例。三个任务都要知道顺序：说出一个名字上一次的值（latest），
抄写四步之前的 token（copy），说出整个序列的第一个 token（first）。

    python exercises/13_beyond_train_length/lab.py
    python exercises/13_beyond_train_length/lab.py --seed 1 --out lab.png    （存图需要 matplotlib）

先猜每一行超出 32 以后会怎样，再运行，全部跑完要一到两分钟。
写好本练习的 interpolate_positions 和 ntk_base 以后，表里会多出两行：
用你写的函数处理同一个训练好的 RoPE 模型，不再训练。
看结果时留意：32 那一列低，说明这种模型在几百步里根本没学会，谈不上外推；
三个任务的名次一样吗？一种补救处处有用吗？
这只是一个很小的实验：模型小，任务是编出来的，只训练几百步。换几个种子，看哪些结论站得住。

Optional lab, not graded: what becomes of each positional encoding when sequences get longer?

Five models, all of them one-layer causal Transformers: no positions, sinusoids, learned positions
(exercise 09), RoPE (11) and ALiBi (12). All training sequences have 32 tokens; afterwards new ones
of 32 to 128 tokens are given, and the table shows how many of the answers at the last 8 positions
are right. Three tasks need order: give the value that a name had last (latest), copy the token four
steps back (copy), give the first token of the sequence (first).

Guess what becomes of each row past 32, then run it; all of it takes one to two minutes. Once you
have written this exercise's interpolate_positions and ntk_base, two more rows show your functions
applied to the same trained RoPE model, with no further training. Where the column for 32 is low,
the model has not learned the task in a few hundred steps, so there is nothing to extrapolate. Is
the order the same in all three tasks? Does a remedy help in each? It is one tiny experiment with
invented tasks: try other seeds to see what holds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import beyond_train_length as yours
import torch
import torch.nn.functional as F
from given import frequencies
from torch import Tensor, nn

TRAIN_LEN = 32
LENGTHS = (32, 48, 64, 96, 128)
MECHANISMS = ("none", "sinusoid", "learned", "rope", "alibi")
DIM, HEADS = 32, 4
HEAD_DIM = DIM // HEADS
SLOPES = (1 / 4, 1 / 16, 1 / 64, 1 / 256)  # of ALiBi, one for each head
BATCH, LEARNING_RATE = 32, 5e-3
LAST = 8  # answers are counted at the last 8 positions
IGNORE = -100  # a target that asks for nothing


# ---- Tasks: tokens [B, L] in, at every position an answer [B, L] that needs order ----


@dataclass(frozen=True)
class Task:
    """One task: how many tokens and answers there are, and how to draw sequences."""

    name: str
    says: str
    tokens: int
    answers: int
    draw: Callable[[int, int, torch.Generator], tuple[Tensor, Tensor]]


def draw_latest(batch: int, length: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw tokens 4 * name + value; asked for: the value that this name had the last time."""
    tokens = torch.randint(16, (batch, length), generator=generator)  # [B, L]
    name, value = tokens // 4, tokens % 4
    same = (name[:, :, None] == name[:, None, :]).tril(-1)  # [B, L, L], earlier ones only
    latest = torch.where(same, torch.arange(length), -1).amax(dim=-1)  # [B, L]
    answers = value.gather(1, latest.clamp(min=0))  # [B, L]
    return tokens, answers.masked_fill(latest < 0, IGNORE)


def draw_copy(batch: int, length: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw any tokens; asked for: the token four steps back."""
    tokens = torch.randint(8, (batch, length), generator=generator)  # [B, L]
    answers = tokens.roll(4, dims=1)  # [B, L]
    answers[:, :4] = IGNORE
    return tokens, answers


def draw_first(batch: int, length: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw any tokens; asked for, at every position: the first token."""
    tokens = torch.randint(8, (batch, length), generator=generator)  # [B, L]
    return tokens, tokens[:, :1].repeat(1, length)


TASKS = (
    Task("latest", "这个名字上一次的值 the value this name had last", 16, 4, draw_latest),
    Task("copy", "四步之前的 token。The token four steps back", 8, 8, draw_copy),
    Task("first", "整个序列的第一个 token。The first token of the sequence", 8, 8, draw_first),
)


# ---- The model: one block, and the five places where order may come in ----


@dataclass(frozen=True)
class Places:
    """Where the tokens stand, and the base of RoPE's frequencies; remedies change these two."""

    positions: Tensor  # [L], float32
    base: float = 10000.0


def sinusoid(positions: Tensor) -> Tensor:
    """Return the rows of the sinusoidal table, [L, D]."""
    angle = (positions[:, None] * frequencies(DIM)).float()  # [L, D/2]
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)  # [L, D]


def rotate(x: Tensor, places: Places) -> Tensor:
    """RoPE: turn every pair of x [B, H, L, D/H] by the angle of its position."""
    angle = (places.positions[:, None] * frequencies(HEAD_DIM, places.base)).float()  # [L, D/2H]
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))  # [B, H, L, D/2H], complex
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(-2)


class TinyTransformer(nn.Module):
    """Embedding, one block of causal attention and MLP, and a classifier at every position."""

    def __init__(self, mechanism: str, tokens: int, answers: int) -> None:
        super().__init__()
        self.mechanism = mechanism
        self.embed = nn.Embedding(tokens, DIM)
        if mechanism == "learned":
            self.table = nn.Parameter(torch.randn(TRAIN_LEN, DIM))  # starts as large as `embed`
        self.before_attention, self.before_mlp = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.to_qkv, self.from_heads = nn.Linear(DIM, 3 * DIM), nn.Linear(DIM, DIM)
        self.mlp = nn.Sequential(nn.Linear(DIM, 4 * DIM), nn.GELU(), nn.Linear(4 * DIM, DIM))
        self.classify = nn.Sequential(nn.LayerNorm(DIM), nn.Linear(DIM, answers))

    def defined(self, length: int) -> bool:
        """Tell whether there is an encoding at all: past its table, a learned one has none."""
        return self.mechanism != "learned" or length <= self.table.size(0)

    def forward(self, tokens: Tensor, places: Places) -> Tensor:
        """Return scores for every answer, [B, L, answers], from tokens [B, L]."""
        x = self.embed(tokens)  # [B, L, D]
        if self.mechanism == "sinusoid":
            x = x + sinusoid(places.positions)
        if self.mechanism == "learned":
            x = x + self.table[: tokens.size(1)]
        x = x + self.attend(self.before_attention(x), places)
        x = x + self.mlp(self.before_mlp(x))
        return self.classify(x)

    def attend(self, x: Tensor, places: Places) -> Tensor:
        """Causal attention of every token to itself and the past, [B, L, D]."""
        length = x.size(1)
        heads = self.to_qkv(x).unflatten(-1, (3, HEADS, HEAD_DIM))  # [B, L, 3, H, D/H]
        q, k, v = heads.permute(2, 0, 3, 1, 4)  # each [B, H, L, D/H]
        if self.mechanism == "rope":
            q, k = rotate(q, places), rotate(k, places)
        scores = q @ k.transpose(-1, -2) / HEAD_DIM**0.5  # [B, H, L, L]
        if self.mechanism == "alibi":
            steps_back = places.positions[:, None] - places.positions  # [L, L]
            scores = scores - torch.tensor(SLOPES)[:, None, None] * steps_back
        future = torch.ones(length, length, dtype=torch.bool).triu(1)  # [L, L]
        weights = scores.masked_fill(future, -torch.inf).softmax(dim=-1)  # [B, H, L, L]
        return self.from_heads((weights @ v).transpose(1, 2).flatten(2))  # [B, L, D]


# ---- Training on short sequences, testing on longer ones ----


def train(model: TinyTransformer, task: Task, steps: int, seconds: float, seed: int) -> int:
    """Train until steps or seconds are used up; return the number of steps taken."""
    generator = torch.Generator().manual_seed(seed)
    places = Places(torch.arange(TRAIN_LEN).float())
    optimiser = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    start, used, step = time.monotonic(), 0.0, 0
    while used < 1:
        optimiser.param_groups[0]["lr"] = LEARNING_RATE * (1 - used)  # falls to 0 in a line
        tokens, answers = task.draw(BATCH, TRAIN_LEN, generator)
        loss = F.cross_entropy(model(tokens, places).flatten(0, 1), answers.flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step += 1
        used = max(step / steps, (time.monotonic() - start) / seconds)
    return step


@torch.no_grad()
def accuracy(model: TinyTransformer, task: Task, places: Places, sequences: int) -> float | None:
    """Return the share of right answers at the last positions; None if nothing is defined there."""
    length = len(places.positions)
    if not model.defined(length):
        return None
    generator = torch.Generator().manual_seed(length)  # the same test for every model
    tokens, answers = task.draw(sequences, length, generator)  # [B, L] each
    guesses = model(tokens, places).argmax(dim=-1)  # [B, L]
    guesses, answers = guesses[:, -LAST:], answers[:, -LAST:]
    asked = answers != IGNORE
    return float((guesses == answers)[asked].float().mean())


def plain(length: int) -> Places:
    """No remedy: positions 0, 1, 2, ... as they are."""
    return Places(torch.arange(length).float())


def interpolated(length: int) -> Places:
    """Your interpolation of the positions."""
    return Places(yours.interpolate_positions(torch.arange(length), TRAIN_LEN, length))


def larger_base(length: int) -> Places:
    """Your base, for the width of one head."""
    return Places(torch.arange(length).float(), yours.ntk_base(HEAD_DIM, length / TRAIN_LEN))


REMEDIES = {"rope+interpolation": interpolated, "rope+ntk base": larger_base}


# ---- Showing it ----

Row = list[float | None]


def line(name: str, cells: list[str]) -> str:
    """Return one line of a table, 80 columns wide."""
    return f"{name:<20}" + "".join(f"{cell:>12}" for cell in cells)


def show(name: str, row: Row) -> None:
    """Print one row of accuracies; flushed, since the next one takes seconds."""
    cells = ["not defined" if share is None else f"{100 * share:.0f} %" for share in row]
    print(line(name, cells), flush=True)


def run(task: Task, steps: int, seconds: float, seed: int, sequences: int) -> dict[str, Row]:
    """Train and test every mechanism on one task, and print its table on the way."""
    print(f"\n{task.name}: {task.says}")
    print(f"瞎猜 by chance: {100 / task.answers:.1f} %")
    print(line("length", [str(length) for length in LENGTHS]))
    rows: dict[str, Row] = {}
    for mechanism in MECHANISMS:
        torch.manual_seed(seed)
        model = TinyTransformer(mechanism, task.tokens, task.answers)
        taken = train(model, task, steps, seconds, seed)
        rows[mechanism] = [accuracy(model, task, plain(n), sequences) for n in LENGTHS]
        show(mechanism, rows[mechanism])
        if taken < steps:
            print(f"  时间到 out of time: {taken} / {steps} steps")
        if mechanism == "rope":
            rows |= run_remedies(model, task, sequences)
    return rows


def run_remedies(model: TinyTransformer, task: Task, sequences: int) -> dict[str, Row]:
    """Test a trained RoPE model once more with each remedy, as far as you have written it."""
    rows: dict[str, Row] = {}
    for name, remedy in REMEDIES.items():
        try:
            places = [remedy(length) for length in LENGTHS]
        except NotImplementedError:
            print(line(name, ["not written"] * len(LENGTHS)))
            continue
        rows[name] = [accuracy(model, task, place, sequences) for place in places]
        show(name, rows[name])
    return rows


def draw_figure(results: dict[str, dict[str, Row]], path: str) -> None:
    """Save the curves as a picture, if matplotlib is there."""
    try:
        import matplotlib as mpl
    except ImportError:
        print("\n没有安装 matplotlib，只有上面的表。matplotlib is missing: tables only, no figure.")
        print("python -m pip install matplotlib")
        return
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, panels = plt.subplots(1, len(results), figsize=(14, 4), layout="constrained")
    for panel, (task, rows) in zip(panels, results.items(), strict=True):
        for name, row in rows.items():
            shares = [float("nan") if share is None else share for share in row]
            panel.plot(LENGTHS, shares, "--" if name in REMEDIES else "-", marker="o", label=name)
        panel.axvline(TRAIN_LEN, color="grey", linestyle=":")
        panel.set(title=task, xlabel="length (trained on 32)", xticks=LENGTHS, ylim=(0, 1.05))
    panels[0].set_ylabel("right answers at the last 8 positions")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right upper")
    figure.savefig(path)
    print(f"\n图 figure: {path}")


def main() -> None:
    """Read the options, run the tasks, and say what the numbers are worth."""
    parser = argparse.ArgumentParser(description="选做实验，不计分。An optional lab, not graded.")
    parser.add_argument("--steps", type=int, default=600, help="training steps of each model")
    parser.add_argument("--seconds", type=float, default=5, help="time limit of each training")
    parser.add_argument("--seed", type=int, default=0, help="another seed, another experiment")
    parser.add_argument("--sequences", type=int, default=256, help="test sequences of each length")
    parser.add_argument("--out", metavar="PNG", help="also save a picture (needs matplotlib)")
    options = parser.parse_args()
    if min(options.steps, options.sequences) < 1 or options.seconds <= 0:
        parser.error("--steps and --sequences must be at least 1, --seconds more than 0")
    torch.set_num_threads(1)  # the tensors are so small that a second thread only gets in the way

    print(f"训练长度 training length: {TRAIN_LEN}; seed {options.seed}")
    budget = (options.steps, options.seconds, options.seed, options.sequences)
    results = {task.name: run(task, *budget) for task in TASKS}
    if options.out:
        draw_figure(results, options.out)
    print(
        "\n这是一个很小的实验，只有一个种子：相差几个百分点说明不了什么，换任务、换大小，名次都会变。"
        "\nnot defined：学到的表只有 32 行，后面的位置没有编码。"
        "\nOne tiny experiment with one seed: a few points mean nothing, and another task or size"
        "\nchanges the order. not defined: the learned table has 32 rows and nothing after them."
    )


if __name__ == "__main__":
    main()
