import time


def work(n):
    time.sleep(60)


def other(n):
    return n + 1
