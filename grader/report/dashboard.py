"""The dashboard in the terminal: objectives with bars, exercises and quizzes, the next step."""

from __future__ import annotations

from grader.progress.dashboard import Dashboard, ItemStanding, NextStep, ObjectiveStanding
from grader.progress.events import Score
from grader.report.screen import Screen
from grader.report.words import percent
from grader.text import Text, say

__all__ = ["show_dashboard"]

STYLES = {
    "done": ("passed", "green"),
    "in_progress": ("half", "yellow"),
    "not_started": ("todo", ""),
}


def show_dashboard(dashboard: Dashboard, screen: Screen) -> None:
    """Print where the student stands."""
    language = screen.language
    screen.line(dashboard.course.pick(language), "bold")
    screen.line(say("Learning objectives").pick(language), "bold")
    for objective in dashboard.objectives:
        _show_objective(objective, screen)
    _show_items(say("Exercises"), dashboard.exercises, screen)
    _show_items(say("Quizzes"), dashboard.quizzes, screen)
    _show_next(dashboard, screen)


def _show_objective(objective: ObjectiveStanding, screen: Screen) -> None:
    facts = [say("{tried} of {all} tried", tried=objective.tried, all=objective.of)]
    if objective.tried:
        facts.insert(0, _points(objective.score))
    if objective.mastered:
        facts.append(say("mastered"))
    title = objective.title.pick(screen.language)
    style = "green" if objective.mastered else ""
    lead = f"{screen.bar(objective.share)} {percent(objective.share):3d} % "
    screen.line(f"{title} ({screen.joined(*facts)})", style, 2, lead)


def _show_items(title: Text, standings: list[ItemStanding], screen: Screen) -> None:
    if not standings:
        return
    done = sum(standing.state == "done" or standing.item.answered for standing in standings)
    heading = say("{title}: {done} of {all} done", title=title, done=done, all=len(standings))
    screen.line(heading.pick(screen.language), "bold")
    for standing in standings:
        sign, style = STYLES["in_progress" if standing.item.answered else standing.state]
        number = standing.item.id.partition("_")[0]
        state = _state(standing).pick(screen.language)
        name = standing.item.title.pick(screen.language)
        lead = f"{screen.sign(sign)} {number} "
        facts = screen.joined(*_facts(standing))
        screen.line(f"[{state}] {name} ({facts})", style, 2, lead)


def _state(standing: ItemStanding) -> Text:
    if standing.state == "done":
        return say("done")
    if standing.item.answered:
        return say("answered")
    return say("in progress") if standing.state == "in_progress" else say("not started")


def _facts(standing: ItemStanding) -> list[Text]:
    if standing.best is None:
        facts = [say("{minutes} min", minutes=standing.item.minutes)]
    else:
        facts = [_points(standing.best)]
    if standing.not_run:
        facts.append(say("{count} hidden checks not run here", count=standing.not_run))
    if standing.latest is not None and standing.latest != standing.best:
        facts.append(say("last attempt: {earned:g}", earned=standing.latest.earned))
    if standing.hints:
        facts.append(say("hints seen: {count}", count=standing.hints))
    if standing.gave_up:
        facts.append(say("solution looked at"))
    return facts


def _points(score: Score) -> Text:
    return say("{earned:g}/{possible:g} points", earned=score.earned, possible=score.possible)


def _show_next(dashboard: Dashboard, screen: Screen) -> None:
    language = screen.language
    if dashboard.next is None:
        screen.line(say("Everything is done.").pick(language), "bold green")
        return
    screen.line(next_sentence(dashboard.next).pick(language), "bold")
    screen.line(
        say("Start with: {command}", command=f"grade {dashboard.next.target}").pick(language)
    )


def next_sentence(step: NextStep) -> Text:
    """Return the suggestion as a sentence."""
    number = step.id.partition("_")[0]
    if step.kind == "quiz":
        return say(
            "Next: quiz {number} {title} ({why})", number=number, title=step.title, why=step.why
        )
    return say("Next: {number} {title} ({why})", number=number, title=step.title, why=step.why)
