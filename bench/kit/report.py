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
    """The sections of this run, over those of earlier runs that it did not measure again."""

    def __init__(self, folder):
        self.markdown_file = Path(folder) / "benchmarks.md"
        self.json_file = Path(folder) / "benchmarks.json"
        self.subjects = {}
        if self.json_file.exists():
            self.subjects = json.loads(self.json_file.read_text())["subjects"]

    def add(self, key, section, machine, date, load):
        self.subjects[key] = {
            **asdict(section),
            "machine": machine,
            "date": date,
            "load": load,
        }

    def write(self, order):
        self.markdown_file.parent.mkdir(parents=True, exist_ok=True)
        self.subjects = {key: self.subjects[key] for key in order if key in self.subjects}
        text = json.dumps({"subjects": self.subjects}, indent=2, ensure_ascii=False)
        self.json_file.write_text(text + "\n")
        parts = [HEAD]
        for subject in self.subjects.values():
            rows = [Row(**row) for row in subject["rows"]]
            measured = f"{subject['date']}, {subject['machine']}; load before: {subject['load']}"
            parts.append(Section(subject["title"], subject["how"], rows).markdown(measured))
        self.markdown_file.write_text("\n".join(parts))
