import numpyy


def double(x):
    return 2 * x


def greet(name, mark="!"):
    return name + mark
