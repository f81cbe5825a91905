"""What an instructor does with a course: carry it into other systems, and results back."""
