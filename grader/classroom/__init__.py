"""The class side: collect what students send, grade it all, carry quizzes and marks elsewhere."""
