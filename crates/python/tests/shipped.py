"""The games that are shipped; a build for the tests of the workspace has a fourth, tiny one."""

GAMES = ["othello", "morris", "abalone"]
