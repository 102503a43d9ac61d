"""The package of the recipes is installed by its tests, not collected: it would register what it has."""

collect_ignore = ["office"]
