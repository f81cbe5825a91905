import time

time.sleep(60)


def work(n):
    return 2 * n


def other(n):
    return n + 1
