def work(n):
    return work(n + 1)


def other(n):
    return n + 1
