"""What tells the mistakes apart."""

from grader.checking import aspect


@aspect(zh="n = 1", en="n = 1")
def one(student):
    return student.indices(1)


@aspect(zh="n = 3", en="n = 3")
def three(student):
    return student.indices(3)


@aspect(zh="n = 4 的顺序", en="the order for n = 4")
def rising(student):
    found = student.indices(4)
    return found == sorted(found)
