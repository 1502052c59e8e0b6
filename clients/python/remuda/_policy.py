"""The names of placement policies, of the server and of GLB."""

SPELLINGS = {
    "spread": "spread",
    "spreading": "spread",
    "pack": "pack",
    "packing": "pack",
    "best-fit": "best-fit",
    "round-robin": "round-robin",
    "foresight": "foresight",
    "fgd": "fgd",
    "dot-product": "dot-product",
    "random": "random",
    "share": "share",
}
OPTIONS = (
    "spread",
    "pack",
    "best-fit",
    "round-robin",
    "foresight",
    "fgd",
    "dot-product",
    "random",
    "share",
)


def policy_named(given: str, parameter: str = "policy") -> str:
    """Returns the server's name. Raises ValueError with the options."""
    try:
        return SPELLINGS[given]
    except (KeyError, TypeError):
        raise ValueError(f"Got {parameter}={given!r}, but options are {OPTIONS}.") from None
