"""The rounding lab: one table rounded in four ways, what adds up, and what a reader concludes."""
