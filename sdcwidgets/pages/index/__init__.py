"""The landing page: a path from one person in a table to lessons, tools and one's own table."""
