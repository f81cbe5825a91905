"""Hand a course out: bundles, the proof that nothing leaks, notebooks and autograders elsewhere."""
