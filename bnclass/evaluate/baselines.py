def encoded(x):
    return x


def needs_encoding(x):
    return False
