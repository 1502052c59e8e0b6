"""The test classes of the tree, found by name; nothing is run to find them."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JAVA = ("telemetry", "job-worker", "node-agent", "coordinator", "examples")
PYTHON = "python"
MODULES = JAVA + (PYTHON,)

# left to --all: what is slow, and attacks that take minutes
SLOW = "slow"
LONG_ATTACK = "long-attack"
STATE_FILE = "state-file"

# names its tests, or has those of the class that it extends; KeeperUnderTest does neither
_TESTS = re.compile(r"^\s*@(?:\w*Test|Property|TestFactory|TestTemplate|Example)\b|\bclass \w+(?:<.*>)? extends ",
                    re.MULTILINE)
# the lines of annotations before a member; a value may go on in lines that are further in
_ANNOTATIONS = re.compile(r"(?:^  @.*\n(?:^   +.*\n|^  [)}].*\n)*)+", re.MULTILINE)
_TAG = re.compile(r'@Tag\(\s*(?:"([^"]+)"|\w+\.(STATE_FILE))\s*\)')


@dataclass(frozen=True)
class TestClass:
    """One test class: of Java by its full name, of Python by module and class."""

    module: str
    name: str
    integration: bool = False
    tags: frozenset = frozenset()
    method_tags: frozenset = frozenset()
    tags_by_method: tuple = ()  # of each test method its tags

    @property
    def simple(self):
        return self.name.rsplit(".", 1)[-1]

    @property
    def fault(self):
        """Kills and stops processes for long; the node-agent's takes seconds and is not left out."""
        return self.module == "coordinator" and self.name.endswith("FaultIT")

    def left_to_all(self):
        return self.fault or bool(self.tags & {SLOW, LONG_ATTACK})

    def all_left_out(self, excluded):
        """Whether each of its test methods has one of the tags, so that it may well not run."""
        return bool(self.tags_by_method) and all(tags & excluded for tags in self.tags_by_method)


def tags_of(source):
    """The tags of the class itself, those of its methods together, and those of each test."""
    name = re.search(r"^(?:public )?(?:final )?class ", source, re.MULTILINE)
    at = name.start() if name else len(source)

    def tags(text):
        return frozenset(word or STATE_FILE for word, constant in _TAG.findall(text))

    blocks = [block[0] for block in _ANNOTATIONS.finditer(source, at)]
    by_method = tuple(tags(block) for block in blocks if _TESTS.search(block))
    return tags(source[:at]), tags(source[at:]), by_method


def java_classes(root=ROOT, modules=JAVA):
    found = []
    for module in modules:
        sources = root / module / "src" / "test" / "java"
        for file in sorted(sources.rglob("*.java")):
            if not file.stem.endswith(("Test", "IT")):
                continue
            text = file.read_text(encoding="utf-8")
            if re.search(r"^(?:public )?abstract ", text, re.MULTILINE) or not _TESTS.search(text):
                continue
            name = ".".join(file.relative_to(sources).with_suffix("").parts)
            found.append(TestClass(module, name, file.stem.endswith("IT"), *tags_of(text)))
    return found


def python_classes(root=ROOT):
    found = []
    for file in sorted((root / "clients" / "python" / "tests").glob("test_*.py")):
        for name in re.findall(r"^class (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE):
            found.append(TestClass(PYTHON, f"tests.{file.stem}.{name}"))
    return found


def all_classes(root=ROOT):
    return java_classes(root) + python_classes(root)


def matching(classes, words):
    """Those with one of the words in their names or packages; without words all of them."""
    if not words:
        return list(classes)
    lower = [word.lower() for word in words]
    return [each for each in classes if any(word in each.name.lower() for word in lower)]
