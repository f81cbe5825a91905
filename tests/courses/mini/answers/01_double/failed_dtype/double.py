def double(x):
    return (2 * x).float()


def greet(name, mark="!"):
    return name + mark
