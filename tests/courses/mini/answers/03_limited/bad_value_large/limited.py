import torch


def work(n):
    return torch.ones(1).expand(2**40)


def other(n):
    return n + 1
