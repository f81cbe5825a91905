"""The class side: collect what students send, grade it all, keep what came out."""
