def work(n):
    print("x" * 500_000)
    return 2 * n


def other(n):
    return n + 1
