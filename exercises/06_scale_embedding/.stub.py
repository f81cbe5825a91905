"""练习 06：缩放 embedding。Exercise 06: scale the embedding."""

import torch


def embed_tokens(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """从 token id 到模型的输入：查 embedding，乘 √D，加位置行（课文第 2 节、第 7 节）。

    From token ids to the input of the model: look the embeddings up, scale them by the square root
    of D, add the rows of the positions (lesson, sections 2 and 7).

    Args:
        ids: token ids [B, L], int64, each in 0..V-1. Stays as it is.
        weight: embeddings [V, D], floating, one row for each id. Stays as it is.
        table: position table [max_len, D], floating, row p for position p; L <= max_len. Stays as
            it is.
        scale: whether to scale the embeddings.

    Returns:
        A new tensor [B, L, D] with the dtype of weight.
    """
    raise NotImplementedError("TODO 06: look up, scale, slice, cast, add")
