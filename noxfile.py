"""Everything a developer runs, by name: ``nox -s tests lint types course hostile catalogues``."""

from __future__ import annotations

import nox

nox.options.sessions = ["lint", "types", "tests"]


def _install(session: nox.Session) -> None:
    session.install("-e", ".[dev]")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests; arguments go to pytest."""
    _install(session)
    session.run("pytest", *session.posargs)


@nox.session
def hostile(session: nox.Session) -> None:
    """Run the hostile submissions only."""
    _install(session)
    session.run("pytest", "tests/hostile", *session.posargs)


@nox.session
def course(session: nox.Session) -> None:
    """Prove the graders of every exercise."""
    _install(session)
    session.run("grade", "check", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and format."""
    _install(session)
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check types."""
    _install(session)
    session.run("mypy")


@nox.session
def catalogues(session: nox.Session) -> None:
    """Bring the translation catalogue up to date with the code and compile it."""
    _install(session)
    session.run("python", "-m", "tests.catalogues", "--update")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed as ratios, side by side in one run."""
    _install(session)
    session.run("python", "-m", "tests.bench", *session.posargs)
