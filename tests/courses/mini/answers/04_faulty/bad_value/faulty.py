def faulty(n):
    return "three"
