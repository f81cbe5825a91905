"""练习 05：用对 register_buffer。四个模块都算得对，但都把张量放错了地方。
请换一种存放方式，forward 的结果不变。

Exercise 05: four modules that compute the right thing and keep their tensor in the wrong place.
Change how it is kept; what forward returns stays the same.
"""

import torch
from given import sinusoidal_table
from torch import Tensor, nn


class Encoding1(nn.Module):
    """症状：模型搬到 GPU 以后，一调用就报错，说两个张量不在同一个设备上。

    Symptom: once the model is on a GPU, every call fails: two tensors are on different devices.

    修好以后（课文 6.1）：table 是 buffer，跟着模块走，不在 state_dict() 里。
    Repaired (lesson, 6.1): table is a buffer, goes where the module goes, is not in state_dict().
    """

    table: Tensor  # [max_len, D], float32

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.table = sinusoidal_table(max_len, dim)

    def forward(self, x: Tensor) -> Tensor:
        """x: [B, L, D] -> [B, L, D]."""
        rows = self.table[: x.size(1)].to(x.dtype)  # [L, D]
        return x + rows


class Encoding2(nn.Module):
    """症状：训练几轮之后，位置表不再是正弦和余弦；模型的参数也比预想的多。

    Symptom: after some epochs the table holds no sines and cosines any more, and the model has more
    parameters than expected.

    修好以后（课文 6.1）：table 是 buffer，不参加训练，不在 state_dict() 里；梯度照常传回 x。
    Repaired (lesson, 6.1): table is a buffer, is not trained, is not in state_dict(); gradients
    still reach x.
    """

    table: Tensor  # [max_len, D], float32

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.table = nn.Parameter(sinusoidal_table(max_len, dim))

    def forward(self, x: Tensor) -> Tensor:
        """x: [B, L, D] -> [B, L, D]."""
        rows = self.table[: x.size(1)].to(x.dtype)  # [L, D]
        return x + rows


class Encoding3(nn.Module):
    """症状：有人先“解冻全部参数”再微调，频率就变了；按参数做初始化的循环也会改写它。

    Symptom: someone unfroze all parameters before fine-tuning, and the frequencies changed; a loop
    that initialises parameters overwrites them too.

    频率在构造时随机抽取，所以必须存进 checkpoint；已有的 checkpoint 用的键是 "frequency"。
    修好以后：frequency 是 buffer，state_dict() 里恰好有 "frequency" 这一个键。

    The frequencies are drawn at random on construction, so a checkpoint has to hold them; those
    that exist use the key "frequency". Repaired: frequency is a buffer, and state_dict() has the
    one key "frequency".
    """

    frequency: Tensor  # [D/2], float32

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.frequency = nn.Parameter(torch.randn(dim // 2), requires_grad=False)

    def forward(self, x: Tensor) -> Tensor:
        """x: [B, L, D] -> [B, L, D]."""
        position = torch.arange(x.size(1), device=x.device)  # [L]
        angle = position[:, None] * self.frequency  # [L, D/2]
        rows = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(start_dim=1)  # [L, D]
        return x + rows.to(x.dtype)


class Encoding4(nn.Module):
    """症状：max_len 为 512 时存下的 checkpoint，载入不了 max_len 为 1024 的模块，反过来也不行。

    Symptom: a checkpoint saved with max_len 512 does not load into a module with max_len 1024, nor
    the other way round.

    修好以后：两个 max_len 之间可以互相载入，各自的表仍有自己的 max_len 行；table 还是 buffer。
    Repaired: checkpoints load between any two max_len, each module keeps the max_len rows of its
    own, and table is still a buffer.
    """

    table: Tensor  # [max_len, D], float32

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim))

    def forward(self, x: Tensor) -> Tensor:
        """x: [B, L, D] -> [B, L, D]."""
        rows = self.table[: x.size(1)].to(x.dtype)  # [L, D]
        return x + rows
