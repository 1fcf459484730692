"""The croupier that holds all plausible histories of a hand; it is not at the table yet.

The croupiers beside this folder still deal. This one takes their place, module by module, once it
brings every hand of every game to its end.
"""
