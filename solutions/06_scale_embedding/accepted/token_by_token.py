"""Goes through the sentences token by token and stacks what it gets."""

import torch


def embed_tokens(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """Return [B, L, D], one row after the other."""
    dim = len(weight[0])
    sentences: list[torch.Tensor] = []
    for sentence in ids.tolist():
        tokens = [
            weight[token] * (dim**0.5 if scale else 1) + table[position].to(weight.dtype)
            for position, token in enumerate(sentence)
        ]
        sentences.append(torch.stack(tokens))
    return torch.stack(sentences)
