def double(x):
    return 2 * x


def greet(name, mark="!"):
    return name + mark


assert double(3) == 7, "my own trial"
