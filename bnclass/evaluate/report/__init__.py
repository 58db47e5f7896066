"""What came of an experiment, as a paper shows it: tables, tests and figures."""
