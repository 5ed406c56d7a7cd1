"""Values of the Lade format (lib/FORMAT.md, section 4), for read_lade.py."""
import math
import struct
from collections import deque
from fractions import Fraction

from lade_schema import (ANY, ANY_REF, BITS, CUSTOM, ENUM, EXTERNAL, F128, FIXED_TEXT, GRID, HALO_STORED, HALO_WIDTHS, LIST,
                         MAP, MAX_RANK, OPTIONAL, POOL, RECORD, REF, SCALARS, TEXT, VALUE, VARIANT, VECTOR,
                         Bytes, need)

CONTENT_MIN = 4096


def plain(x):
    if isinstance(x, float) and not math.isfinite(x):
        return repr(x)
    return x


def binary128(data):
    """An IEEE binary128 number: as a float if it is one, else exactly, in hexadecimal."""
    bits = int.from_bytes(data, "little")
    sign, exponent, fraction = "-" if bits >> 127 else "", bits >> 112 & 0x7fff, bits & ((1 << 112) - 1)
    if exponent == 0x7fff:
        return "nan" if fraction else sign + "inf"
    whole, power = (1, exponent - 0x3fff) if exponent else (0, -0x3ffe)
    text = f"{sign}0x{whole}.{fraction:028x}".rstrip("0").rstrip(".") if fraction else f"{sign}0x{whole}"
    number = (whole << 112 | fraction) * Fraction(2) ** (power - 112)
    try:
        near = float(number)
    except OverflowError:
        return f"{text}p{power}"
    return math.copysign(near, -1 if sign else 1) if Fraction(near) == number else f"{text}p{power}"


def fold(items, extents):
    """A flat list as nested lists of these extents; a single thing if there are none."""
    if not extents:
        return items[0]
    for n in reversed(extents[1:]):
        items = [items[i:i + n] for i in range(0, len(items), n)] if n else []
    return items


class Walk:
    """Decodes one value from its skeleton and content; `known` gives the schema of a fingerprint."""

    def __init__(self, schema, skeleton, content, known):
        self.schema, self.b = schema, Bytes(skeleton)
        self.content, self.known = content, known
        self.pools = {}  # key of a type: number of pool objects
        self.pool_next, self.counts = 0, []
        self.names = {t.key: t.name for t in schema.types}
        self.objects = {t.key: [] for t in schema.types}
        self.tags, self.fingerprints = [], []
        self.work = deque()

    def root(self):
        first = self.schema.types[0]
        extents = None
        if self.schema.array:
            extents = [self.b.varint() for _ in range(self.b.u8())]
            need(1 <= len(extents) <= MAX_RANK, "the rank of an array is not valid")
            n = math.prod(extents)
            self.pools[first.key] = n
            value = fold(self.run(first, n) if n else [], extents)
        else:
            self.pool_counts(first)
            value = {}
            self.objects[first.key].append(value)  # known types too may have refs that lead here
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
            self.pools[element.key] = self.pools.get(element.key, 0) + n

    def find_pools(self, t, order):
        for f in t.fields:
            if f.kind == POOL:
                order.append(f.type)
            elif f.kind == RECORD:
                for _ in range(f.count):
                    self.find_pools(f.type, order)

    def fits(self, t, n):
        left = len(self.b.data) - self.b.at + self.content.left()
        need(n * t.least <= left if t.least else n <= 4096 + left, "a count is larger than what is left")

    def run(self, t, n):
        self.fits(t, n)
        places = [{} for _ in range(n)]
        self.run_into(t, places)
        return [p.get("", p) for p in places]

    def run_into(self, t, places):
        if not t.natural:
            for place in places:
                if t.scalar or t.form == CUSTOM:
                    place[""] = self.custom() if t.form == CUSTOM else binary128(self.b.take(16))
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
        if code == F128:
            return [binary128(self.b.take(16)) for _ in range(n)]
        bare = type("Scalar", (), {"natural": SCALARS[code][1:3], "scalar": code, "fields": [],
                               "least": SCALARS[code][1]})
        return self.run(bare, n)

    def body(self, f, n):
        if not f.deferred:
            return self.run(f.type, n)
        self.fits(f.type, n)
        places = [{} for _ in range(n)]
        self.work.append((f.type, places))
        return places

    def field(self, f):
        if f.kind == VALUE:
            return fold(self.scalar_run(f.scalar, f.count), f.extents)
        if f.kind == RECORD:
            return fold(self.run(f.type, f.count), f.extents)
        return fold([self.element(f) for _ in range(f.count)], f.extents)

    def element(self, f):
        b = self.b
        if f.kind == ENUM:
            return self.enumerator(f)
        if f.kind in (TEXT, EXTERNAL):
            return b.optional_text()
        if f.kind == FIXED_TEXT:
            n = b.varint()
            need(n <= f.capacity, "a text is longer than its member")
            return b.text(n)
        if f.kind in (VECTOR, POOL):
            n = b.varint() if f.kind == VECTOR else self.counts[self.pool_next]
            self.pool_next += f.kind == POOL
            return self.body(f, n) if n else []
        if f.kind == OPTIONAL:
            return self.body(f, 1)[0] if self.mark() else None
        if f.kind == REF:
            return self.ref(f.type)
        if f.kind in (LIST, MAP):
            n = b.varint()
            self.fits(f.type, n)
            return [self.body(f, 1)[0] for _ in range(n)]
        return {GRID: self.grid, ANY: self.any, ANY_REF: self.any_ref, VARIANT: self.variant, BITS: self.bits}[f.kind](f)

    def mark(self):
        there = self.b.u8()
        need(there <= 1, "the mark of an optional or a grid is neither 0 nor 1")
        return there

    def grid(self, f):
        there, extents, halos = self.mark(), [], []
        for _ in range(f.rank):
            extents.append(self.b.varint())
            if f.flags & HALO_WIDTHS:
                halos.append(self.b.varint())
        out = {"extents": extents}
        if halos:
            out["halo"] = halos
        if f.flags & HALO_STORED:
            extents = [n + 2 * h for n, h in zip(extents, halos)]
        need(not there or math.prod(extents), "a grid that is there has no elements")
        out["values"] = fold(self.body(f, math.prod(extents)), extents) if there else None
        return out

    def tag(self):
        """The type that a tag names, or None."""
        tag = self.b.varint()
        need(tag <= len(self.tags) + 1, "a tag names a type that is not listed")
        if tag == len(self.tags) + 1:
            fingerprint = self.b.take(16)
            need(fingerprint not in self.fingerprints, "a type is listed twice")
            self.fingerprints.append(fingerprint)
            self.tags.append(self.known(fingerprint).types[0])
            self.names.setdefault(self.tags[-1].key, self.tags[-1].name)
        return self.tags[tag - 1] if tag else None

    def any(self, _):
        t = self.tag()
        if t is None:
            return None
        if not t.defers:
            return {t.name: self.run(t, 1)[0]}
        place = {}
        self.work.append((t, [place]))
        return {t.name: place}

    def any_ref(self, _):
        t = self.tag()
        if t is None:
            return None
        ref = self.ref(t)
        need(ref is not None, "a reference behind a tag is null")
        return ref

    def variant(self, f):
        code = self.b.varint()
        need(code <= len(f.type.fields), "a case is not in the union")
        if code:
            case = f.type.fields[code - 1]
            return {case.name: self.field(case)}
        value = self.b.i64()
        need(value not in [c.when for c in f.type.fields], "a case of the union is stored as a number")
        return value

    def bits(self, _):
        n = self.b.varint()
        data = bytes(self.scalar_run(4, n // 8))
        data += self.b.take(1) if n % 8 else b""
        need(n % 8 == 0 or data[-1] >> n % 8 == 0, "bits beyond the last one are set")
        return "".join(str(data[i // 8] >> i % 8 & 1) for i in range(n))

    def custom(self):
        size = self.b.varint()
        sizes = [self.b.varint() for _ in range(self.b.varint())] if size & 1 else []
        need(sizes or not size & 1, "a custom value has no content arrays")
        need(all(n >= CONTENT_MIN for n in sizes), "an array of a custom value is too short for content")
        data = self.b.take(size >> 1)
        return {"bytes": data.hex(), "content": [self.content.take(n).hex() for n in sizes]}

    def enumerator(self, f):
        code = self.b.varint()
        need(code <= len(f.list), "an enumerator is not in the list")
        if code:
            return f.list[code - 1][0]
        value = self.b.i64()
        need(value not in [v for _, v in f.list], "a listed enumerator is stored as a number")
        return value

    def ref(self, t):
        if t.key in self.pools:
            n = self.pools[t.key]
            code = int.from_bytes(self.b.take(((n + 1).bit_length() + 7) // 8), "little")
            need(code <= n + 1, "a reference lies beyond its pool")
            if code <= n:
                return f"{t.name}@{code - 1}" if code else None
        code = self.b.varint()
        if code == 0:
            return None
        table = self.objects.setdefault(t.key, [])
        need(code - 1 <= len(table), "a reference names an object that does not exist")
        if code - 1 == len(table):
            table.append({})
            self.work.append((t, [table[-1]]))
        return f"{t.name}#{code - 1}"
