def double(x):
    return 2 * x


def greet(mark="!", name=""):
    return name + mark
