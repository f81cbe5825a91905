def work(n):
    return n << 1


def other(n):
    return n + 1
