def double(x):
    return x + undefined


def greet(name, mark="!"):
    return name + mark
