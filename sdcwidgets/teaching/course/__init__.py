"""A course: a file of steps, goals that the core checks, what a room of trainees has done, and a handout."""

from sdcwidgets.teaching.course.course import Course, CourseStep
from sdcwidgets.teaching.course.reading import parse, read, ready, text_of

__all__ = ["Course", "CourseStep", "parse", "read", "ready", "text_of"]
