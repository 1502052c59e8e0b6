"""How a GPU is chosen, in the server's words and in GLB's."""

SPELLINGS = {
    "spread": "spread",
    "spreading": "spread",
    "pack": "pack",
    "packing": "pack",
    "best-fit": "best-fit",
    "round-robin": "round-robin",
}
OPTIONS = ("spread", "pack", "best-fit", "round-robin")


def policy_named(given: str, parameter: str = "policy") -> str:
    """The server's word. Raises ValueError with the options."""
    try:
        return SPELLINGS[given]
    except (KeyError, TypeError):
        raise ValueError(f"Got {parameter}={given!r}, but options are {OPTIONS}.") from None
