"""Quizzes for other systems: QTI, Moodle XML, Anki and paper."""
