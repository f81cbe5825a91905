def indices(n):
    out = []
    for i in range(1, n + 1):
        out += [i, i]
    return out
