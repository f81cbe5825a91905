"""Keys of the tiny quiz."""


def even_one():
    return next(name for name, n in {"four": 4, "five": 5, "seven": 7}.items() if n % 2 == 0)


def even_all():
    return {name for name, n in {"two": 2, "six": 6, "three": 3, "nine": 9}.items() if n % 2 == 0}


def turned():
    return [2, 3, "B"][::-1]


def gaps():
    return ["a**2 + 2*a*b + b**2", 1 / 2, "square"]


def counting():
    return sorted(["ten", "hundred", "one"], key={"one": 1, "ten": 10, "hundred": 100}.get)


def partners():
    return {"from-one": "to-two", "from-two": "to-four"}
