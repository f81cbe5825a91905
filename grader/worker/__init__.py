"""The untrusted side: one zygote, a session per submission, a process per check.

    zygote    torch imported once; never runs a student's line
      keeper    process 1 of the session's namespaces; never runs a student's line; its end ends all
        loader    imports the submission, forks once per check
          check     serves the calls of one check

This package imports the standard library, torch, msgspec, safetensors, ``grader.wire``,
``grader.outline`` and ``grader.folders`` only: nothing of the course, no expected value, no hidden
test is ever in these processes.
"""
