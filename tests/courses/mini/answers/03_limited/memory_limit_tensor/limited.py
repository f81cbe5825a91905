import torch


def work(n):
    return int(torch.ones(2**28).sum())


def other(n):
    return n + 1
