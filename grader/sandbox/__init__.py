"""Start, limit and end untrusted processes; the only package that starts any."""

from grader.sandbox.choose import TIERS, choose
from grader.sandbox.faults import Fault, SandboxBroken
from grader.sandbox.session import CheckProcess, SubmissionRun
from grader.sandbox.zygote import Zygote

__all__ = ["TIERS", "CheckProcess", "Fault", "SandboxBroken", "SubmissionRun", "Zygote", "choose"]
