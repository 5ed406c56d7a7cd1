"""Bytes and schemas of the Lade format (lib/FORMAT.md, sections 2 and 3), for read_lade.py."""
import math
import struct

MAX_RANK, MAX_FIXED_RANK, MAX_NESTING, LEVEL = 8, 4, 32, 1
(VALUE, ENUM, TEXT, FIXED_TEXT, RECORD, VECTOR, POOL, OPTIONAL, REF, GRID, ANY, ANY_REF, VARIANT, LIST, MAP, BITS,
 EXTERNAL) = range(1, 18)
ARRAY = 64  # added to a kind: a fixed array of it
ARRAYS = (TEXT, VECTOR, OPTIONAL, REF, ANY, ANY_REF, EXTERNAL)
TYPED = (RECORD, VECTOR, POOL, OPTIONAL, REF, GRID, VARIANT, LIST, MAP)
DEFERRABLE = (VECTOR, POOL, OPTIONAL, GRID, LIST, MAP)
FORTRAN, HALO_STORED, HALO_WIDTHS = 1, 2, 4
BOOL, F128, UNION, CUSTOM = 1, 15, 64, 65
# code: name, size, unit, struct letter
SCALARS = {
    1: ("bool", 1, 1, "B"), 2: ("char", 1, 1, "B"), 3: ("i8", 1, 1, "b"), 4: ("u8", 1, 1, "B"),
    5: ("i16", 2, 2, "h"), 6: ("u16", 2, 2, "H"), 7: ("i32", 4, 4, "i"), 8: ("u32", 4, 4, "I"),
    9: ("i64", 8, 8, "q"), 10: ("u64", 8, 8, "Q"), 11: ("f32", 4, 4, "f"), 12: ("f64", 8, 8, "d"),
    13: ("c32", 8, 4, "f"), 14: ("c64", 16, 8, "d"), 15: ("f128", 16, 16, None),
}


class Bad(Exception):
    """The file is not valid; the message says why."""


def need(condition, text):
    if not condition:
        raise Bad(text)


def u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def u64(data, at):
    return struct.unpack_from("<Q", data, at)[0]


class Bytes:
    """A cursor over bytes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        need(n <= len(self.data) - self.at, "the data ends too early")
        self.at += n
        return self.data[self.at - n:self.at]

    def u8(self):
        return self.take(1)[0]

    def i64(self):
        return struct.unpack("<q", self.take(8))[0]

    def varint(self):
        first = self.u8()
        if first == 0:
            value = u64(self.take(8), 0)
            need(value >> 56, "a varint is not in its shortest form")
            return value
        n = (first & -first).bit_length()
        value = int.from_bytes(bytes([first]) + self.take(n - 1), "little") >> n
        need(n == 1 or value >> (7 * (n - 1)), "a varint is not in its shortest form")
        return value

    def text(self, n):
        text = self.take(n)
        need(0 not in text, "a text holds a NUL")
        return text.decode("utf-8", "backslashreplace")

    def optional_text(self):
        n = self.varint()
        return self.text(n - 1) if n else None

    def name(self):
        return self.text(self.varint())

    def end(self):
        need(self.at == len(self.data), "bytes are left over")


class Field:
    def __init__(self, b, of_union):
        start = b.at
        self.name, kind = b.name(), b.u8()
        self.kind = kind & ~ARRAY
        need(VALUE <= self.kind <= EXTERNAL, "unknown kind of field")
        array = kind != self.kind
        need(not array or self.kind in ARRAYS, "an array of a kind that has none")
        self.scalar = b.u8() if self.kind in (VALUE, ENUM) else 0
        need(self.kind not in (VALUE, ENUM) or self.scalar in SCALARS, "unknown scalar")
        shaped = array or self.kind in (VALUE, ENUM, FIXED_TEXT, RECORD)
        self.extents = [b.varint() for _ in range(b.u8())] if shaped else []
        need(len(self.extents) <= MAX_FIXED_RANK and 0 not in self.extents and (self.extents or not array),
             "the extents of a field are not valid")
        if self.kind == FIXED_TEXT:
            need(self.extents, "a fixed text has no capacity")
            self.capacity = self.extents.pop()
        self.count = math.prod(self.extents)
        if self.kind == ENUM:
            self.enum = b.name()
            self.list = [(b.name(), b.i64()) for _ in range(b.varint())]
        if self.kind == GRID:
            self.rank, self.flags = b.u8(), b.u8()
            need(1 <= self.rank <= MAX_RANK and self.flags <= 7 and self.flags & 6 != HALO_STORED,
                 "the shape of a grid is not valid")
        if self.kind == EXTERNAL:
            self.set = b.name()
        self.head = b.data[start:b.at]
        self.type = b.varint() if self.kind in TYPED else None
        self.when = b.i64() if of_union else None
        self.level = int(array or self.kind >= GRID or self.scalar == F128 or
                         (self.kind == FIXED_TEXT and bool(self.extents)))


class Type:
    def __init__(self, b):
        self.name, self.scalar, self.form, self.fields = b.name(), b.u8(), 0, []
        self.level = int(self.scalar == F128)
        self.version = 0
        if self.scalar in (UNION, CUSTOM):
            self.scalar, self.form, self.level = 0, self.scalar, 1
        need(self.scalar == 0 or self.scalar in SCALARS, "unknown scalar")
        if self.scalar == 0:
            self.version = b.varint()
        if self.scalar == 0 and self.form != CUSTOM:
            self.fields = [Field(b, self.form == UNION) for _ in range(b.varint())]
            self.level |= not self.fields or any(f.level for f in self.fields)


def link(types, start=0):
    """Replaces the indices of fields by the types that they mean."""
    for t in types[start:]:
        for f in t.fields:
            need(f.type is None or f.type < len(types), "a field has no type")
            if f.type is not None:
                f.type = types[f.type]
                need((f.type.form == UNION) == (f.kind == VARIANT), "a field has a type of another form")


class Schema:
    def __init__(self, data):
        b = Bytes(data)
        first = b.u8()
        self.array, level = bool(first & 1), first >> 1
        need(level <= LEVEL, f"a schema of level {level} is newer than {LEVEL}")
        self.types = [Type(b) for _ in range(b.varint())]
        b.end()
        need(self.types, "a schema has no types")
        need(level == max(t.level for t in self.types), "a schema has another level than its types")
        link(self.types)
        need(self.order(self.types[0]) == self.types, "the types of a schema are out of order")
        need(len({t.name for t in self.types}) == len(self.types), "two types of a schema have one name")
        for t in self.types:
            t.reached = self.reach(t)
            t.key = self.key(t)
        for t in self.types:
            t.natural = self.natural(t)
            t.defers = any(f.kind == ANY for x in t.reached | {t} for f in x.fields)
            for f in t.fields:
                f.deferred = f.kind in DEFERRABLE and t in f.type.reached
        for t in self.types:
            t.least = self.least(t)
        self.notes = None

    def least(self, t, holders=()):
        """The fewest bytes that a value takes."""
        need(t not in holders, "a record holds itself")
        if t.scalar:
            return SCALARS[t.scalar][1]
        if t.form:
            return 1 if t.form == CUSTOM else 0
        size = 0
        for f in t.fields:
            if f.kind == VALUE:
                size += SCALARS[f.scalar][1] * f.count
            elif f.kind == RECORD:
                size += self.least(f.type, holders + (t,)) * f.count
            elif f.kind != POOL:
                size += f.count
        return size

    def attach(self, data):
        """Reads the attachment: known types of fields, their units and sentences."""
        b = Bytes(data)
        if b.u8() != 1:
            return
        types = self.types + [Type(b) for _ in range(b.varint())]
        link(types, len(self.types))
        for t in types:
            for f in t.fields:
                if f.kind in (ANY, ANY_REF):
                    f.known = [b.varint() for _ in range(b.varint())]
                    need(f.known and max(f.known) < len(types), "a field has no known types")
                    f.known = [types[i].name for i in f.known]
        self.notes = []
        for _ in range(b.varint()):
            t, f, unit, sentence = b.varint(), b.varint(), b.name(), b.name()
            need(t < len(types) and f < len(types[t].fields), "a note is about no field")
            self.notes.append([types[t].name, types[t].fields[f].name, unit, sentence])
        b.end()

    def known_types(self):
        return {f"{t.name}.{f.name}": f.known for t in self.types for f in t.fields if f.kind in (ANY, ANY_REF)}

    @staticmethod
    def order(first):
        """The types that this one reaches, in the order of a schema."""
        found = [first]
        for t in found:
            for f in t.fields:
                if f.type and f.type not in found:
                    found.append(f.type)
        return found

    def key(self, t):
        """The same for equal types of different schemas: what the type's own schema says."""
        types = self.order(t)
        return tuple((x.name, x.scalar, x.form, x.version,
                      tuple((f.head, f.type and types.index(f.type), f.when) for f in x.fields)) for x in types)

    @staticmethod
    def reach(start):
        found, todo = set(), [start]
        while todo:
            for f in todo.pop().fields:
                if f.type and f.kind != REF and f.type not in found:
                    found.add(f.type)
                    todo.append(f.type)
        return found

    def natural(self, t, levels=MAX_NESTING):
        """(size, align) of a natural type, or None."""
        if t.scalar:
            return SCALARS[t.scalar][1:3] if t.scalar != F128 else None
        at, align = 0, 1
        for f in t.fields:
            inner = None
            if f.kind == VALUE and f.scalar not in (BOOL, F128):
                inner = SCALARS[f.scalar][1:3]
            elif f.kind == RECORD and levels and not f.type.scalar:
                inner = self.natural(f.type, levels - 1)
            if not inner or at % inner[1]:
                return None
            at, align = at + inner[0] * f.count, max(align, inner[1])
        return (at, align) if t.fields and not t.form and at % align == 0 else None
