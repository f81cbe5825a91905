def double(x):
    return 3 * x


def greet(name, mark="!"):
    return name + mark
