import torch


class Mine(torch.Tensor):
    pass


def double(x):
    return (2 * x).as_subclass(Mine)


def greet(name, mark="!"):
    return name + mark
