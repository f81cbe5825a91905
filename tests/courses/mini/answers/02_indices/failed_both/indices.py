def indices(n):
    return list(range(1, n + 1)) * 2
