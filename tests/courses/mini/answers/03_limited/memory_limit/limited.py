def work(n):
    hoard = bytearray(2**30)
    return len(hoard)


def other(n):
    return n + 1
