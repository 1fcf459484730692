"""One module a command; each has add_arguments(parser) and run(args) -> exit status."""
