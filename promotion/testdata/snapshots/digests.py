#!/usr/bin/env python3
"""Writes digests.json: snapshots, and their digests as another program computes them.

Run it in this folder. json.dumps with these arguments writes the form of RFC 8785 for
lists of strings and small whole numbers, as long as no string needs an escape that the
two write differently; the paths here don't.
"""
import base64
import hashlib
import json

snapshots = {
    "one file": [("SKILL.md", "file", b"---\nname: a\n---\n")],
    "an empty file": [("SKILL.md", "file", b"")],
    "executable": [("SKILL.md", "file", b"x"), ("run.sh", "exec", b"#!/bin/sh\n")],
    "byte order": [(p, "file", p.encode()) for p in ("a/b", "a.txt", "a-b", "C", "b", "a0", "SKILL.md")],
    "beyond ASCII": [(p, "file", b"\x00\xff") for p in ("SKILL.md", "\u00e9/\u65e5\u672c.md", "\U0001f600", "\uff21", 'quote"d')],
    "long paths": [("SKILL.md", "file", b"x" * 3000), ("d/" * 30 + "f" * 200, "exec", b"y" * 511), ("g" * 255, "file", b"z" * 512)],
}


def digest(files):
    rows = [
        [path, mode, len(data), hashlib.sha256(data).hexdigest()]
        for path, mode, data in sorted(files, key=lambda f: f[0].encode())
    ]
    form = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(form.encode()).hexdigest()


with open("digests.json", "w") as out:
    json.dump(
        [
            {
                "name": name,
                "digest": digest(files),
                "files": [{"path": p, "exec": m == "exec", "data": base64.b64encode(d).decode()} for p, m, d in files],
            }
            for name, files in snapshots.items()
        ],
        out,
        indent=1,
    )
    out.write("\n")
