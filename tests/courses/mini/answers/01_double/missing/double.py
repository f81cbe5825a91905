def twice(x):
    return 2 * x


def greeting(name, mark="!"):
    return name + mark
