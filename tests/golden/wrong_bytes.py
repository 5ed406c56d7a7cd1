"""Bytes that the independent reader must refuse, behind the checksums: for check.py."""
import read_lade
from lade_schema import Bad, Schema
from lade_value import Walk

MOST_BYTES = 700  # of a skeleton in which every byte is changed


class NoContent:
    """The content of values that have none."""

    @staticmethod
    def left():
        return 0

    @staticmethod
    def take(_):
        raise Bad("the content ends too early")


def outcome(schema, skeleton, content, known):
    """True if the value is refused, False if it is read; anything else is an error of the reader."""
    try:
        Walk(schema, skeleton, content, known).root()
    except Bad:
        return True
    return False


def of_file(path):
    """Truncations and changes of all skeletons of a file."""
    seen, accepted = [], []

    class Spy(Walk):
        def __init__(self, schema, skeleton, content, known):
            seen.append((schema, skeleton, content.file, content.at, known))
            super().__init__(schema, skeleton, content, known)

    read_lade.Walk = Spy
    try:
        read_lade.read(path)
    finally:
        read_lade.Walk = Walk
    for schema, skeleton, file, start, known in seen:
        if len(skeleton) > MOST_BYTES:
            continue
        wrong = [skeleton[:cut] for cut in range(len(skeleton))] + [skeleton + b"\0"]
        for data in wrong:
            if not outcome(schema, data, read_lade.Content(file, start), known):
                accepted.append(f"a skeleton of {len(skeleton)} bytes is taken with {len(data)}")
        for at, old in enumerate(skeleton):
            for new in {0, 255, old ^ 1, old ^ 128}:
                changed = skeleton[:at] + bytes([new]) + skeleton[at + 1:]
                outcome(schema, changed, read_lade.Content(file, start), known)  # refused or read
    return accepted


def n(value):
    """A short varint."""
    return bytes([value << 1 | 1])


def name(text):
    return n(len(text)) + text.encode()


def record(title, *fields):
    return name(title) + b"\0" + n(0) + n(len(fields)) + b"".join(fields)


def field(kind, rest=b""):
    return name("f") + bytes([kind]) + rest


def schema(*types, level=1):
    return bytes([level << 1]) + n(len(types)) + b"".join(types)


U8, SPOT = name("u8") + b"\4", record("spot", field(3))
UNION = name("u") + bytes([64]) + n(0) + n(1) + field(1, b"\4\0") + (7).to_bytes(8, "little")
FIRST, SECOND = bytes(16), bytes([1] * 16)
ANY, REF, GRID = schema(record("r", field(11))), schema(record("r", field(12))), field(10, b"\1\0" + n(1))
PAIR = schema(record("r", field(11 + 64, b"\1" + n(2))))
# what, schema, skeletons that are good, skeletons that are not
CASES = [
    ("grid", schema(record("r", GRID), U8), [b"\1" + n(2) + b"ab", b"\0" + n(2), b"\0" + n(0)],
     [b"\2" + n(2) + b"ab", b"\1" + n(0), b"\1" + n(3) + b"ab"]),
    ("variant", schema(record("r", field(13, n(1))), UNION), [n(1) + b"a", n(0) + bytes(8)],
     [n(2) + b"a", n(0) + (7).to_bytes(8, "little")]),
    ("bits", schema(record("r", field(16))), [n(0), n(3) + b"\7", n(8) + b"\xff"], [n(3) + b"\x0f", n(9) + b"\0\2"]),
    ("any", ANY, [n(0), n(1) + FIRST + n(0)], [n(2) + FIRST + n(0), n(1) + SECOND + n(0)]),
    ("array of any", PAIR, [n(0) + n(0), n(1) + FIRST + n(0) + n(1) + n(0)],
     [n(1) + FIRST + n(0) + n(2) + FIRST + n(0), n(1) + FIRST + n(0) + n(3)]),
    ("any_ref", REF, [n(0), n(1) + FIRST + n(1) + n(0)], [n(1) + FIRST + n(0), n(1) + FIRST + n(2) + n(0)]),
    ("list", schema(record("r", field(14, n(1))), SPOT), [n(0), n(2) + n(0) + n(1)],
     [n(3) + n(0) + n(0), bytes(8) + b"\1"]),
    ("external", schema(record("r", field(17, name("set")))), [n(0), n(2) + b"k"], [n(2) + b"\0", n(3) + b"k"]),
    ("custom", schema(name("c") + bytes([65]) + n(0)), [n(0), n(4) + b"ab"], [n(1) + n(0), n(6) + b"ab"]),
    ("array of optionals", schema(record("r", field(8 + 64, b"\1" + n(2) + n(1))), U8), [b"\0\1a"], [b"\0\2a", b"\0\1"]),
    ("nothing", schema(record("r")), [b""], [b"\0"]),
]
SCHEMAS = [
    ("a level beyond 1", schema(U8, level=2)), ("level 0 with a grid", schema(record("r", GRID), U8, level=0)),
    ("level 1 without need", schema(U8)), ("an unknown kind", schema(record("r", field(18)))),
    ("an array of bits", schema(record("r", field(16 + 64, b"\1" + n(2))))),
    ("a grid of rank 9", schema(record("r", field(10, b"\x09\0" + n(1))), U8)),
    ("a grid with unknown flags", schema(record("r", field(10, b"\1\x08" + n(1))), U8)),
    ("a stored halo without widths", schema(record("r", field(10, b"\1\2" + n(1))), U8)),
    ("a variant of a record", schema(record("r", field(13, n(1))), SPOT)),
    ("a record that is a union", schema(record("r", field(5, b"\0" + n(1))), UNION)),
    ("a record that holds itself", schema(record("r", field(5, b"\0" + n(0)), field(16)))),
    ("an unknown scalar", schema(name("x") + bytes([66]) + n(0))),
    ("a type that is not mentioned", schema(record("r"), U8)),
]


def of_cases():
    spot = Schema(schema(SPOT, level=0))

    def known(fingerprint):
        if fingerprint == FIRST:
            return spot
        raise Bad("unknown")

    failed = []
    for what, data, good, bad in CASES:
        parsed = Schema(data)
        failed += [f"{what}: {x.hex()} is refused" for x in good if outcome(parsed, x, NoContent, known)]
        failed += [f"{what}: {x.hex()} is accepted" for x in bad if not outcome(parsed, x, NoContent, known)]
    for what, data in SCHEMAS:
        try:
            Schema(data)
            failed.append(f"a schema with {what} is accepted")
        except Bad:
            pass
    return failed
