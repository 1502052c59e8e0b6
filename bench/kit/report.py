"""Figures with what they are compared to, as Markdown and as JSON."""

import json
import statistics
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Optional

HEAD = """# Benchmarks

Written by `mvn -Pbench`; `bench/README.md` says how each figure is measured. Two things that are
compared were run in turn in the same run. All figures are medians.
"""

COLUMNS = ("what", "figure", "compared with", "ratio", "target", "")


@dataclass
class Row:
    """One figure. `met` is None where there is no target, or nothing was measured."""

    what: str
    figure: str
    compared: str = ""
    ratio: str = ""
    target: str = ""
    met: Optional[bool] = None
    values: dict = field(default_factory=dict)

    def cells(self):
        verdict = {True: "met", False: "**missed**", None: ""}[self.met]
        return (self.what, self.figure, self.compared, self.ratio, self.target, verdict)


@dataclass
class Section:
    """The figures of one subject."""

    title: str
    how: str
    rows: list

    def markdown(self, measured):
        lines = [f"## {self.title}", "", self.how, ""]
        lines.append("| " + " | ".join(COLUMNS) + " |")
        lines.append("|" + "---|" * len(COLUMNS))
        lines += ["| " + " | ".join(row.cells()) + " |" for row in self.rows]
        return "\n".join(lines + ["", f"*{measured}*", ""])


def not_measured(what, why, target=""):
    return Row(what, f"not measured: {why}", target=target)


def median(values):
    return statistics.median(values)


def ratio_of(times, peers):
    """The median over the pairs that were run one after the other."""
    return statistics.median(time / peer for time, peer in zip(times, peers))


class Report:
    """The figures of this run. What it did not measure stays as it is in both files."""

    def __init__(self, folder):
        self.markdown_file = Path(folder) / "benchmarks.md"
        self.json_file = Path(folder) / "benchmarks.json"
        self.measured = {}

    def add(self, key, section, machine, date, load):
        self.measured[key] = {
            **asdict(section),
            "machine": machine,
            "date": date,
            "load": load,
        }

    def write(self, order):
        self.markdown_file.parent.mkdir(parents=True, exist_ok=True)
        known = {}
        if self.json_file.exists():
            known = json.loads(self.json_file.read_text())["subjects"]
        known.update(self.measured)
        subjects = {key: known[key] for key in order if key in known}
        text = json.dumps({"subjects": subjects}, indent=2, ensure_ascii=False)
        self.json_file.write_text(text + "\n")
        before = self.markdown_file.read_text() if self.markdown_file.exists() else HEAD
        self.markdown_file.write_text(self._replaced(before))

    def _replaced(self, text):
        """The text with the sections that were measured; new ones are added at the end."""
        head, *parts = text.split("\n## ")
        parts = ["## " + part.strip("\n") + "\n" for part in parts]
        for subject in self.measured.values():
            rows = [Row(**row) for row in subject["rows"]]
            measured = f"{subject['date']}, {subject['machine']}; load before: {subject['load']}"
            section = Section(subject["title"], subject["how"], rows).markdown(measured)
            places = [i for i, part in enumerate(parts) if part.startswith(f"## {subject['title']}\n")]
            if places:
                parts[places[0]] = section
            else:
                parts.append(section)
        return "\n".join([head.strip("\n") + "\n", *parts])
