"""A class's marks in nbgrader's gradebook, in the pages of its formgrader, and back."""
