"""A question about two slow starts, its runs, and the answer in two sentences."""

from ackclock.tools.demo.question import QUESTION, SCENARIO, answer, question_design

__all__ = ["QUESTION", "SCENARIO", "answer", "question_design"]
