import math


def angle_sum():
    a, b = 0.3, 0.4
    claims = {
        "mixed": math.sin(a) * math.cos(b) + math.cos(a) * math.sin(b),
        "plain": math.sin(a) + math.sin(b),
    }
    return next(id_ for id_, value in claims.items() if math.isclose(value, math.sin(a + b)))


def right_ones():
    names = ["one", "two", "three", "four", "five"]
    return {name for number, name in enumerate(names, start=1) if number % 2}


def table_shape(length, dim):
    return [length, dim]


def half_and_name():
    return [1 / 2, "half"]


def pipeline():
    return ["embed", "scale", "add"]


def hands():
    return {"fast": "near", "slow": "far"}
