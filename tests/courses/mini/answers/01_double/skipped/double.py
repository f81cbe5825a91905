def double(x):
    return 2 * x[:1]


def greet(name, mark="!"):
    return name + mark
