def work(n):
    while True:
        print("x" * 1000)


def other(n):
    return n + 1
