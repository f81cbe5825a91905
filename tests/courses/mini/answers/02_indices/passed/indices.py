def indices(n):
    return sorted([*range(n)] * 2)
