def double(x):
    return 2 * x / (0 * x)


def greet(name, mark="!"):
    return name + mark
