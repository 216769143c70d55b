"""What is seen and set, and what follows for the hidden causes, in words."""

from __future__ import annotations

from latconf_core.inference.asking import Answer


def held_sentence(answer: Answer, row: int | None) -> str:
    """What is seen and set, and how probable it is to see it."""
    question = answer.question
    said = []
    if row is not None:
        said.append(f"Evidence: all of row {row + 1:,}.")
    elif question.see:
        said.append("Observed: " + ", ".join(f"{name} = {state}" for name, state in question.see.items()) + ".")
    if question.do:
        said.append("Set: " + ", ".join(f"{name} = {state}" for name, state in question.do.items()) + ".")
    if question.see:
        said.append(f"Probability of the evidence: {_probability(answer)}.")
    return " ".join(said)


def _probability(answer: Answer) -> str:
    if answer.probability > 0:
        return f"{answer.probability:.3g}"
    return f"10 to the power of {answer.log_probability / 2.302585092994046:.0f}"


def latents_sentence(answer: Answer) -> str:
    """The most probable state of each latent."""
    network = answer.network
    latents = [name for name in network.variables if name in network.latents and name not in answer.question.see]
    if not latents:
        return ""
    parts = ["{} is {} ({:.2f})".format(name, *answer.most_probable(name)) for name in latents]
    return f"Most probably {', '.join(parts)}."
