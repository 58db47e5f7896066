"""How a command ended."""


def done(result):
    """Return what a command printed, after checking that it was content."""
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refused(result):
    """Return the one line with which a command refused."""
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("bnclass: ")
    assert isinstance(result.exception, SystemExit)
    return result.stderr.rstrip("\n")
