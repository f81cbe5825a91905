import os


def work(n):
    os._exit(3)


def other(n):
    return n + 1
