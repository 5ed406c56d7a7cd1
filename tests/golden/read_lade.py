#!/usr/bin/env python3
"""Prints all entries of a Lade file as JSON.

Written from lib/FORMAT.md alone, with the standard library; lade_schema.py and lade_value.py are its other parts.

usage: read_lade.py [--recover] FILE

Every checksum and all padding are checked, but for the fingerprints (Python has no XXH3): they are compared with
those of the schema records. References become strings: "node#3" is object 3 of the table of type node, "node@5"
is object 5 of its pools. Objects of the table stand under "objects". Floating-point numbers that JSON lacks
become strings, and so do bit sets. An object of a known type and a case of a union stand under their names; a
union without a case is its discriminant. Values of custom types are hexadecimal bytes. Known types must stand
as entries of their own too, else their schemas are not to be had.
"""
import argparse
import json
import struct
import sys
import zlib

from lade_schema import REF, Bad, Bytes, Schema, need, u32, u64
from lade_value import Walk

ALIGN, FRAME, BLOCK, VERSION = 64, 65536, 1 << 20, 1


def padded(n):
    return (n + ALIGN - 1) // ALIGN * ALIGN


class Content:
    """The arrays of an entry, one behind the other."""

    def __init__(self, file, start):
        self.file, self.at, self.size, self.places = file, start, 0, []

    def left(self):
        return self.file.end - self.at

    def take(self, n):
        need(n <= self.file.end - self.at, "the content ends too early")
        start = self.at
        self.places.append((start, n))
        self.size += n
        self.at = padded(start + n)
        self.file.zero(start + n, self.at)
        return self.file.data[start:start + n]


class File:
    def __init__(self, data, recover):
        self.data = data
        need(data[:8] == b"\x89LADE\r\n\x1a"[:max(1, len(data))], "this is not a Lade file")
        need(len(data) >= ALIGN, "truncated: the file ends in its first block")
        self.crc(0, 60, u32(data, 60), "the first block")
        version = u32(data, 8)
        need(version <= VERSION, f"format version {version} is newer than {VERSION}")
        need(version > 0, "format version 0 does not exist")
        self.zero(12, 60)
        self.end = self.last_footer()
        need(self.end, "truncated: no whole commit")
        need(recover or self.end == len(data), "an unfinished tail follows the last commit")
        self.entries, self.commits = {}, 0
        self.read_commits()

    def crc(self, start, end, expected, what):
        need(end <= len(self.data), f"{what} at {start} is cut short")
        need(zlib.crc32(self.data[start:end]) == expected, f"{what} at {start} is damaged")

    def zero(self, start, end):
        need(end <= len(self.data), f"padding at {start} is cut short")
        need(not any(self.data[start:end]), f"padding at {start} is not zero")

    def footer(self, at):
        f = self.data[at:at + ALIGN]
        if len(f) < ALIGN or f[:8] != b"\x89LCOMMIT" or zlib.crc32(f[:60]) != u32(f, 60):
            return None
        if u64(f, 16) != at + ALIGN or any(f[32:60]) or u64(f, 8) >= at:
            return None
        return u64(f, 8), u64(f, 24)

    def last_footer(self):
        at = len(self.data) // ALIGN * ALIGN - ALIGN
        while at > 0 and not self.footer(at):
            at -= ALIGN
        return at + ALIGN if at > 0 else 0

    def head(self, at, kind):
        need(at % ALIGN == 0 and at + ALIGN <= self.end, f"a record at {at} lies outside the file")
        self.crc(at, at + 60, u32(self.data, at + 60), "the head of a record")
        need(self.data[at:at + 4] == b"LREC" and self.data[at + 4:at + 5] == kind and
             u64(self.data, at + 8) == at, f"the head of a record at {at} is not valid")
        return self.data[at:at + ALIGN]

    def read_commits(self):
        commit, sequence = self.footer(self.end - ALIGN)
        self.commits = sequence
        while commit:
            head = self.head(commit, b"C")
            start, size, count = commit + ALIGN, u64(head, 32), u32(head, 44)
            self.crc(start, start + size, u32(head, 40), "a directory")
            end = padded(start + size)
            self.zero(start + size, end)
            need(self.footer(end) == (commit, sequence), f"the footer at {end} is damaged")
            need(u64(head, 24) == sequence, "commits are out of order")
            self.directory(Bytes(self.data[start:start + size]), count, commit)
            previous = u64(head, 16)
            need(previous < commit and (previous == 0) == (sequence == 1), "commits are out of order")
            commit, sequence = previous, sequence - 1

    def directory(self, b, count, commit):
        last = b""
        for _ in range(count):
            position, size, skeleton, n = struct.unpack("<QQQB", b.take(25))
            name = b.take(n)
            need(name > last and position + size <= commit and position % ALIGN == 0 and
                 size % ALIGN == 0 and skeleton <= size, f"the directory at {commit} is not valid")
            last = name
            self.entries.setdefault(name, (position, size, skeleton))
        b.end()

    def schema(self, at, fingerprint):
        head = self.head(at, b"S")
        start, size = at + ALIGN, u64(head, 16)
        self.crc(start, start + size, u32(head, 24), "a schema")
        self.zero(start + size, padded(start + size))
        need(head[32:48] == fingerprint, "the schema is not the one of the entry")
        schema = Schema(self.data[start:start + size])
        start, size = padded(start + size), u64(head, 48)
        self.crc(start, start + size, u32(head, 56), "the attachment of a schema")
        self.zero(start + size, padded(start + size))
        if size:
            schema.attach(self.data[start:start + size])
        return schema

    def entry(self, name):
        position, size, skeleton_size = self.entries[name]
        head = self.head(position, b"E")
        need(head[5] <= 3, "unknown flags of an entry")
        checked = not head[5] & 2
        schema = self.schema(u64(head, 32), head[16:32])
        need(schema.array == bool(head[5] & 1), "the schema is not the one of the entry")
        n = u32(head, 40)
        at = position + ALIGN
        self.crc(at, at + n, u32(head, 44), "a name")
        need(self.data[at:at + n] == name, "the name of the entry differs from its directory")
        at, skeleton = self.frames(at + n, skeleton_size, checked)
        content_size, count, start = self.end_frame(at, skeleton)
        content = Content(self, start)
        walk = Walk(schema, skeleton, content, self.known)
        extents, value = walk.root()
        need(content.size == content_size and len(content.places) == count,
             "the content has another size than its end frame says")
        at, whole = self.trailer(content.at, position, content.places, checked)
        need(at == position + size, "the entry has another size than its directory says")
        out = {"type": schema.types[0].name}
        if extents is not None:
            out["extents"] = extents
        if schema.notes is not None:
            out.update({"known": schema.known_types()} if schema.known_types() else {})
            out.update({"notes": schema.notes} if schema.notes else {})
        if not checked:
            out["checksums"] = False
        out["arrays"] = [n for _, n in content.places]
        out["value"] = value
        objects = {walk.names[k]: [o.get("", o) for o in table] for k, table in walk.objects.items() if table}
        if not schema.array:
            self.name_root(schema, objects)
        if objects:
            out["objects"] = objects
        crc = zlib.crc32(skeleton) if checked else 0
        for p, n in content.places if checked else []:
            crc = zlib.crc32(self.data[p:p + n], crc)
        need(whole == crc, "the checksum of an entry does not match")
        return out

    @staticmethod
    def name_root(schema, objects):
        """The saved value is the first object of its type, if there are others or refs lead to it."""
        first = schema.types[0]
        table = objects[first.name]
        table[0] = "value"
        if len(table) == 1 and not any(f.kind == REF and f.type is first for t in schema.types for f in t.fields):
            del objects[first.name]

    def known(self, fingerprint):
        """The schema of a type that a value names: that of an entry of this type."""
        for position, _, _ in self.entries.values():
            head = self.head(position, b"E")
            if head[16:32] == fingerprint and not head[5] & 1:
                return self.schema(u64(head, 32), fingerprint)
        raise Bad("the file has no schema of a type that a value names")

    def frames(self, at, total, checked):
        parts, left = [], total
        while left:
            size = min(left, FRAME)
            need(at + 8 + size <= self.end and u32(self.data, at) == size, f"the frame at {at} is not valid")
            if checked:
                self.crc(at + 8, at + 8 + size, u32(self.data, at + 4), "a frame")
            else:
                self.zero(at + 4, at + 8)
            parts.append(self.data[at + 8:at + 8 + size])
            at, left = at + 8 + size, left - size
        return at, b"".join(parts)

    def end_frame(self, at, skeleton):
        """Bytes and number of content arrays, and where they start."""
        data = self.data
        need(at + 32 <= self.end and u32(data, at) == 0, "the end frame is not valid")
        self.crc(at + 8, at + 32, u32(data, at + 4), "the end frame")
        need(u64(data, at + 8) == len(skeleton), "the skeleton has another size than its frames")
        self.zero(at + 32, padded(at + 32))
        return u64(data, at + 16), u64(data, at + 24), padded(at + 32)

    def trailer(self, at, position, places, checked):
        """Checks the arrays at these places; the end of the entry, and its CRC."""
        data = self.data
        self.crc(at, at + 60, u32(data, at + 60), "the trailer")
        blocks = [(p + k, p + min(n, k + BLOCK)) for p, n in places for k in range(0, n, BLOCK)]
        blocks = blocks if checked else []
        need(data[at:at + 4] == b"LEND" and u64(data, at + 8) == position and
             u64(data, at + 16) == len(places) and u64(data, at + 24) == len(blocks),
             f"the trailer at {at} is not valid")
        self.zero(at + 40, at + 60)
        table, size = at + ALIGN, 8 * len(places) + 4 * len(blocks)
        self.crc(table, table + size, u32(data, at + 32), "the table")
        self.zero(table + size, padded(table + size))
        for i, (_, n) in enumerate(places):
            need(u64(data, table + 8 * i) == n, "an array has another size than its value")
        crcs = table + 8 * len(places)
        for i, (start, end) in enumerate(blocks):
            self.crc(start, end, u32(data, crcs + 4 * i), "a block of an array")
        return padded(table + size), u32(data, at + 36)


def read(path, recover=False):
    with open(path, "rb") as f:
        file = File(f.read(), recover)
    names = sorted(file.entries)
    return {"commits": file.commits,
            "entries": {n.decode("utf-8", "backslashreplace"): file.entry(n) for n in names}}


def dump(value):
    """JSON, one line an entry, so that differences can be read."""
    lines = [f"  {json.dumps(n)}: {json.dumps(e)}" for n, e in value["entries"].items()]
    return f'{{"commits": {value["commits"]}, "entries": {{\n' + ",\n".join(lines) + "\n}}\n"


def main():
    parser = argparse.ArgumentParser(description="Prints all entries of a Lade file as JSON.")
    parser.add_argument("--recover", action="store_true", help="ignore an unfinished tail")
    parser.add_argument("file")
    args = parser.parse_args()
    try:
        sys.stdout.write(dump(read(args.file, args.recover)))
    except (Bad, OSError) as error:
        sys.exit(f"{args.file}: {error}")


if __name__ == "__main__":
    main()
