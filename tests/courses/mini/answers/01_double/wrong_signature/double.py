def double(x, factor):
    return factor * x


def greet(name, *, sign="!"):
    return name + sign
