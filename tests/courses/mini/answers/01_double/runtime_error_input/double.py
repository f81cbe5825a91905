def double(x):
    return x * int(input("factor? "))


def greet(name, mark="!"):
    return name + mark
