"""``python -m grader``: the same as ``grade``, where that is not on the path."""

from grader.cli import main

if __name__ == "__main__":
    main()
