"""A class graded on a Dask cluster: orders go out, results come back, the ledger stays here."""

from __future__ import annotations

from grader.classroom.cluster.client import run_on_cluster

__all__ = ["run_on_cluster"]
