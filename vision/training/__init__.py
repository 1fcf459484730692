"""How the networks in ``vision/models`` are made; needs the ``train`` extra, running does not."""
