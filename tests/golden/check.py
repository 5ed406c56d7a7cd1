#!/usr/bin/env python3
"""Reads the golden files with the independent reader and compares with the JSON beside them.

usage: check.py DIRECTORY [MAKE_GOLDEN]

Wrong bytes behind the checksums are tried on every file (wrong_bytes.py). With the program make_golden it also reads what the library writes now, and a file of several content blocks; and
the reader must refuse every file of which one byte was changed or that was cut.
"""
import pathlib
import subprocess
import sys
import tempfile

import read_lade
import wrong_bytes


def refused(data, path):
    path.write_bytes(data)
    try:
        read_lade.read(path)
    except (read_lade.Bad, UnicodeDecodeError):
        return True
    return False


def damage(source, scratch):
    """Damage that the reader takes for good; superseded entries are not read."""
    data, accepted = source.read_bytes(), []
    for cut in range(len(data)):
        if not refused(data[:cut], scratch):
            accepted.append(f"cut at {cut}")
    for at in range(len(data)):
        if not refused(data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1:], scratch):
            accepted.append(f"byte {at}")
    return accepted


def main():
    directory, failed = pathlib.Path(sys.argv[1]), []
    files = sorted(directory.glob("*.lade"))
    for path in files:
        text = read_lade.dump(read_lade.read(path))
        if text != path.with_suffix(".json").read_text(encoding="utf-8"):
            failed.append(f"{path.name}: other values than in {path.stem}.json")
        failed += [f"{path.name}: {accepted}" for accepted in wrong_bytes.of_file(path)]
    failed += wrong_bytes.of_cases()
    if len(sys.argv) > 2:
        with tempfile.TemporaryDirectory() as temporary:
            fresh = pathlib.Path(temporary)
            subprocess.run([sys.argv[2], temporary, "--large"], check=True)
            for path in files:
                if (fresh / path.name).read_bytes() != path.read_bytes():
                    failed.append(f"{path.name}: the library writes other bytes")
            entry = read_lade.read(fresh / "large.lade")["entries"]["reals"]
            if sum(entry["value"], []) != [float(i) for i in range(330000)]:
                failed.append("large.lade: other values than were written")
            for name in ("deferred", "table"):
                for accepted in damage(directory / f"{name}.lade", fresh / "damaged"):
                    failed.append(f"{name}.lade: {accepted} was accepted")
    print("\n".join(failed) if failed else f"{len(files)} files read")
    sys.exit(1 if failed or not files else 0)


if __name__ == "__main__":
    main()
