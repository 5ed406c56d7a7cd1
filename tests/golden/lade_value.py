"""Schemas and values of the Lade format (lib/FORMAT.md, sections 2 to 4), for read_lade.py."""
import math
import struct
from collections import deque

CONTENT_MIN, MAX_RANK = 4096, 8
VALUE, ENUM, TEXT, FIXED_TEXT, RECORD, VECTOR, POOL, OPTIONAL, REF = range(1, 10)
# code: name, size, unit, struct letter
SCALARS = {
    1: ("bool", 1, 1, "B"), 2: ("char", 1, 1, "B"), 3: ("i8", 1, 1, "b"), 4: ("u8", 1, 1, "B"),
    5: ("i16", 2, 2, "h"), 6: ("u16", 2, 2, "H"), 7: ("i32", 4, 4, "i"), 8: ("u32", 4, 4, "I"),
    9: ("i64", 8, 8, "q"), 10: ("u64", 8, 8, "Q"), 11: ("f32", 4, 4, "f"), 12: ("f64", 8, 8, "d"),
    13: ("c32", 8, 4, "f"), 14: ("c64", 16, 8, "d"),
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

    def name(self):
        return self.text(self.varint())

    def end(self):
        need(self.at == len(self.data), "bytes are left over")


class Field:
    def __init__(self, b):
        self.name, self.kind = b.name(), b.u8()
        need(VALUE <= self.kind <= REF, "unknown kind of field")
        self.scalar = b.u8() if self.kind in (VALUE, ENUM) else 0
        need(self.kind not in (VALUE, ENUM) or self.scalar in SCALARS, "unknown scalar")
        shaped = self.kind in (VALUE, ENUM, FIXED_TEXT, RECORD)
        self.extents = [b.varint() for _ in range(b.u8())] if shaped else []
        self.count = math.prod(self.extents)
        if self.kind == ENUM:
            self.enum = b.name()
            self.list = [(b.name(), struct.unpack("<q", b.take(8))[0]) for _ in range(b.varint())]
        self.type = b.varint() if self.kind >= RECORD else None


class Type:
    def __init__(self, b):
        self.name, self.scalar, self.fields = b.name(), b.u8(), []
        need(self.scalar == 0 or self.scalar in SCALARS, "unknown scalar")
        if self.scalar == 0:
            self.version = b.varint()
            self.fields = [Field(b) for _ in range(b.varint())]


class Schema:
    def __init__(self, data):
        b = Bytes(data)
        self.array = b.u8() == 1
        self.types = [Type(b) for _ in range(b.varint())]
        b.end()
        for t in self.types:
            for f in t.fields:
                need(f.type is None or f.type < len(self.types), "a field has no type")
                if f.type is not None:
                    f.type = self.types[f.type]
        for t in self.types:
            t.reached = self.reach(t)
        for t in self.types:
            t.natural = self.natural(t)
        for t in self.types:
            for f in t.fields:
                f.deferred = f.kind in (VECTOR, POOL, OPTIONAL) and t in f.type.reached

    @staticmethod
    def reach(start):
        found, todo = set(), [start]
        while todo:
            for f in todo.pop().fields:
                if f.type and f.kind != REF and f.type not in found:
                    found.add(f.type)
                    todo.append(f.type)
        return found

    def natural(self, t):
        """(size, align) of a natural type, or None."""
        if t.scalar:
            return SCALARS[t.scalar][1:3]
        at, align = 0, 1
        for f in t.fields:
            if f.kind == VALUE and f.scalar != 1:
                size, unit = SCALARS[f.scalar][1:3]
            elif f.kind == RECORD and f.type is not t and self.natural(f.type):
                size, unit = self.natural(f.type)
            else:
                return None
            if at % unit:
                return None
            at, align = at + size * f.count, max(align, unit)
        return (at, align) if at % align == 0 else None


def plain(x):
    if isinstance(x, float) and not math.isfinite(x):
        return repr(x)
    return x


def fold(items, extents):
    """A flat list as nested lists of these extents; a single thing if there are none."""
    if not extents:
        return items[0]
    for n in reversed(extents[1:]):
        items = [items[i:i + n] for i in range(0, len(items), n)] if n else []
    return items


class Walk:
    """Decodes one value from its skeleton and content."""

    def __init__(self, schema, skeleton, content):
        self.schema, self.b = schema, Bytes(skeleton)
        self.content = content
        self.pools = {}  # type: number of pool objects
        self.pool_next, self.counts = 0, []
        self.objects = {t: [] for t in schema.types}
        self.work = deque()

    def root(self):
        first = self.schema.types[0]
        extents = None
        if self.schema.array:
            extents = [self.b.varint() for _ in range(self.b.u8())]
            need(1 <= len(extents) <= MAX_RANK, "the rank of an array is not valid")
            n = math.prod(extents)
            self.pools[first] = n
            value = fold(self.run(first, n) if n else [], extents)
        else:
            self.pool_counts(first)
            value = {}
            if any(f.kind == REF and f.type is first for t in self.schema.types for f in t.fields):
                self.objects[first].append(value)
            self.run_into(first, [value])
            value = value.get("", value)
        while self.work:
            t, places = self.work.popleft()
            self.run_into(t, places)
        self.b.end()
        return extents, value

    def pool_counts(self, t):
        order = []
        self.find_pools(t, order)
        self.counts = [self.b.varint() for _ in order]
        for element, n in zip(order, self.counts):
            self.pools[element] = self.pools.get(element, 0) + n

    def find_pools(self, t, order):
        for f in t.fields:
            if f.kind == POOL:
                order.append(f.type)
            elif f.kind == RECORD:
                for _ in range(f.count):
                    self.find_pools(f.type, order)

    def run(self, t, n):
        places = [{} for _ in range(n)]
        self.run_into(t, places)
        return [p.get("", p) for p in places]

    def run_into(self, t, places):
        if not t.natural:
            for place in places:
                for f in t.fields:
                    place[f.name] = self.field(f)
            return
        size = t.natural[0] * len(places)
        if size >= CONTENT_MIN:
            data = self.content.take(size)
        else:
            data = self.b.take(size)
        flat = Bytes(data)
        for place in places:
            self.natural(t, flat, place)
        flat.end()

    def natural(self, t, flat, place):
        if t.scalar:
            place[""] = self.scalars(t.scalar, flat, 1)[0]
        for f in t.fields:
            if f.kind == VALUE:
                place[f.name] = fold(self.scalars(f.scalar, flat, f.count), f.extents)
                continue
            inner = [{} for _ in range(f.count)]
            for x in inner:
                self.natural(f.type, flat, x)
            place[f.name] = fold(inner, f.extents)

    @staticmethod
    def scalars(code, b, n):
        name, size, unit, letter = SCALARS[code]
        parts = size // unit
        flat = [plain(x) for x in struct.unpack(f"<{n * parts}{letter}", b.take(n * size))]
        if name == "bool":
            need(all(x <= 1 for x in flat), "a boolean is neither 0 nor 1")
            return [x == 1 for x in flat]
        return flat if parts == 1 else [flat[i:i + 2] for i in range(0, len(flat), 2)]

    def scalar_run(self, code, n):
        bare = type("Scalar", (), {"natural": SCALARS[code][1:3], "scalar": code, "fields": []})
        return self.run(bare, n)

    def body(self, f, n):
        if not f.deferred:
            return self.run(f.type, n)
        places = [{} for _ in range(n)]
        self.work.append((f.type, places))
        return places

    def field(self, f):
        b = self.b
        if f.kind == VALUE:
            return fold(self.scalar_run(f.scalar, f.count), f.extents)
        if f.kind == ENUM:
            return fold([self.enumerator(f) for _ in range(f.count)], f.extents)
        if f.kind == TEXT:
            n = b.varint()
            return b.text(n - 1) if n else None
        if f.kind == FIXED_TEXT:
            n = b.varint()
            need(n <= f.count, "a text is longer than its member")
            return b.text(n)
        if f.kind == RECORD:
            return fold(self.run(f.type, f.count), f.extents)
        if f.kind in (VECTOR, POOL):
            n = b.varint() if f.kind == VECTOR else self.counts[self.pool_next]
            self.pool_next += f.kind == POOL
            return self.body(f, n) if n else []
        if f.kind == OPTIONAL:
            there = b.u8()
            need(there <= 1, "the mark of an optional is neither 0 nor 1")
            return self.body(f, 1)[0] if there else None
        return self.ref(f.type)

    def enumerator(self, f):
        code = self.b.varint()
        need(code <= len(f.list), "an enumerator is not in the list")
        if code:
            return f.list[code - 1][0]
        value = struct.unpack("<q", self.b.take(8))[0]
        need(value not in [v for _, v in f.list], "a listed enumerator is stored as a number")
        return value

    def ref(self, t):
        if t in self.pools:
            n = self.pools[t]
            code = int.from_bytes(self.b.take(((n + 1).bit_length() + 7) // 8), "little")
            need(code <= n + 1, "a reference lies beyond its pool")
            if code <= n:
                return f"{t.name}@{code - 1}" if code else None
        code = self.b.varint()
        if code == 0:
            return None
        table = self.objects[t]
        need(code - 1 <= len(table), "a reference names an object that does not exist")
        if code - 1 == len(table):
            table.append({})
            self.work.append((t, [table[-1]]))
        return f"{t.name}#{code - 1}"
