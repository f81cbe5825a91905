"""The solutions against published implementations: what they compute is what others compute.

One file per package, so that a package can go with its file. A package that lays things out in
another way is converted in the test, and said so; where one of our files of `kind: convention`
has that layout, it must agree without a conversion.
"""
