"""What each command does: read the course, call the engine, print a report, return an exit code.

One module for each family of commands; ``cli`` imports the one it needs.
"""
