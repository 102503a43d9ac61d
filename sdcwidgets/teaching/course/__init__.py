"""Courses: steps, goals, the state of a course session, and handouts."""

from sdcwidgets.teaching.course.course import Course, CourseStep
from sdcwidgets.teaching.course.reading import parse, read, ready, text_of

__all__ = ["Course", "CourseStep", "parse", "read", "ready", "text_of"]
