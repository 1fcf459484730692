"""One module a command; each has add_arguments(parser) and run(args) -> exit status.

What ``run`` raises of our own errors, ``device/cli.py`` prints in a line.
"""
