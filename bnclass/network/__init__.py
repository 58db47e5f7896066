"""Networks, ensembles and their joints."""
