"""Where did everyone go? The Y variables: step through them, average them, and see what is left to know."""
