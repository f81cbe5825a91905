def work(n):
    while True:
        n += 1


def other(n):
    return n + 1
