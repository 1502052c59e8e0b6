"""What of a class file other classes are compiled against."""

import hashlib
import struct

_PRIVATE, _SYNTHETIC = 0x0002, 0x1000
_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4,
          18: 4, 19: 2, 20: 2}
# of a class, a field or a method: what a caller is compiled against
_KEPT = {"Signature", "Exceptions", "ConstantValue", "AnnotationDefault", "PermittedSubclasses",
         "Record"}


class ClassFile:
    """The parts of one class file that decide what is compiled anew."""

    def __init__(self, data):
        if data[:4] != b"\xca\xfe\xba\xbe":
            raise ValueError("no class file")
        self._data = data
        self._at = 8
        self._read_constants()
        self._flags, this, above = self._take(">HHH")
        self.name = self._class(this)
        self.above = [self._class(above)] if above else []
        self.above += [self._class(index) for index in self._indices()]
        self._fields = self._members()
        self._methods = self._members()
        self._attributes = self._read_attributes()

    def _take(self, form):
        values = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return values

    def _indices(self):
        (count,) = self._take(">H")
        return self._take(f">{count}H")

    def _read_constants(self):
        (count,) = self._take(">H")
        self._constants = [None] * count
        index = 1
        while index < count:
            tag = self._data[self._at]
            self._at += 1
            if tag == 1:
                (size,) = self._take(">H")
            else:
                size = _SIZES[tag]
            self._constants[index] = (tag, self._data[self._at : self._at + size])
            self._at += size
            index += 2 if tag in (5, 6) else 1

    def _text(self, index):
        return self._constants[index][1].decode("utf-8", "surrogateescape")

    def _class(self, index):
        return self._text(struct.unpack(">H", self._constants[index][1])[0])

    def classes(self):
        """The names of all classes that the code speaks to."""
        found = set()
        for constant in self._constants:
            if constant and constant[0] == 7:
                found.add(self._text(struct.unpack(">H", constant[1])[0]).strip("[L;"))
        return found

    def _members(self):
        (count,) = self._take(">H")
        members = []
        for _ in range(count):
            flags, name, kind = self._take(">HHH")
            attributes = self._read_attributes()
            if not flags & (_PRIVATE | _SYNTHETIC):
                members.append((self._text(name), self._text(kind), flags, attributes))
        return sorted(members)

    def _read_attributes(self):
        (count,) = self._take(">H")
        kept = []
        for _ in range(count):
            name, size = self._take(">HI")
            word = self._text(name)
            end = self._at + size
            if word in _KEPT:
                kept.append((word, self._meaning(word, end)))
            elif word == "InnerClasses":
                kept.append((word, self._inner()))
            self._at = end
        return sorted(kept)

    def _meaning(self, word, end):
        """An attribute without indices into the constants, which every edit moves."""
        if word == "Signature":
            return self._text(self._take(">H")[0])
        if word == "ConstantValue":
            tag, data = self._constants[self._take(">H")[0]]
            return self._text(struct.unpack(">H", data)[0]) if tag == 8 else repr((tag, data))
        if word in ("Exceptions", "PermittedSubclasses"):
            return repr([self._class(index) for index in self._indices()])
        if word == "Record":
            (count,) = self._take(">H")
            parts = []
            for _ in range(count):
                name, kind = self._take(">HH")
                parts.append((self._text(name), self._text(kind), self._read_attributes()))
            return repr(parts)
        return "present"

    def _inner(self):
        (count,) = self._take(">H")
        found = []
        for _ in range(count):
            inner, _, _, flags = self._take(">HHHH")
            if self._class(inner) == self.name:
                found.append(flags)
        return repr(found)

    @property
    def inside(self):
        """Whether nothing outside of its source file can name it: anonymous or local."""
        return any(part[:1].isdigit() for part in self.name.rsplit("/", 1)[-1].split("$")[1:])

    def outside(self):
        """A digest of all that others are compiled against."""
        told = (self.name, self._flags, self.above, self._fields, self._methods, self._attributes)
        return hashlib.sha256(repr(told).encode("utf-8", "surrogateescape")).hexdigest()


def outside_of(files):
    """What the class files of one source show to others; the order of the files does not matter."""
    shown = []
    for file in files:
        parsed = ClassFile(file.read_bytes())
        if not parsed.inside:
            shown.append(parsed.outside())
    return sorted(shown)
