#!/usr/bin/env python3
# check_rooms.py - Who may use whom among the folders of lib.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the graph of lib's folders, and draws it as docs/rooms.svg.

A room is a folder of lib with a library in its CMakeLists.txt, together with the
folder of the same path under include/nm. Its headers are its own; a folder of
include/nm without one in lib holds headers only. One room uses another by an
#include or by a link line, and both must say the same. There are no cycles.

    check_rooms.py -c    checks, and that the picture is current (CI)
    check_rooms.py -f    checks, and draws the picture
"""

import pathlib
import re
import subprocess
import sys

import rooms_picture

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs/rooms.svg"
INCLUDE = re.compile(r'^#include "((?:nm|nm-c)/[^"]+)"', re.MULTILINE)
LIBRARY = re.compile(r"nm_add(?:_mlir)?_library\((\w+)(.*?)\)\n", re.DOTALL)
UMBRELLA = re.compile(r"target_link_libraries\((\w+) INTERFACE(.*?)\)", re.DOTALL)


def list_files(*patterns):
    """What git tracks or would track, below the root."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--"]
    listed = subprocess.run(command + list(patterns), cwd=ROOT, check=True,
                            stdout=subprocess.PIPE, text=True).stdout.split()
    return sorted({ROOT / name for name in listed if (ROOT / name).is_file()})


class Rooms:
    """The rooms by path ("Dialect/NM/IR"), and what each includes and links."""

    def __init__(self):
        self.library = {}  # of a room
        self.linked = {}  # rooms, by room
        self.included = {}  # files, by room and the room that they include
        self.errors = []
        self._read_link_lines()
        self._read_includes()

    def _read_link_lines(self):
        links, members = {}, {}
        for path in list_files("lib/CMakeLists.txt", "lib/**/CMakeLists.txt"):
            text = path.read_text()
            room = str(path.parent.relative_to(ROOT / "lib"))
            for name, body in LIBRARY.findall(text):
                if room in self.library:
                    self.errors.append(f"lib/{room}: expected one library, got a second, {name}")
                self.library[room] = name
                links[room] = body.partition("LINK")[2].split()
            for name, body in UMBRELLA.findall(text):
                members[name] = body.split()
        rooms = {name: room for room, name in self.library.items()}
        for room, names in links.items():
            every = [word for name in names for word in members.get(name, [name])]
            self.linked[room] = {rooms[name] for name in every if name in rooms}
        # They are linked for what they register, be their headers included or not.
        self.umbrellas = {rooms[name] for names in members.values() for name in names}

    def _owner(self, header):
        """The room of an included header."""
        folder = str(pathlib.PurePosixPath(header).parent)
        return folder if folder.startswith("nm-c") else folder.removeprefix("nm/")

    def _read_includes(self):
        for path in list_files("lib", "include/nm"):
            if path.suffix not in (".cpp", ".h"):
                continue
            base = ROOT / ("lib" if "lib" == path.relative_to(ROOT).parts[0] else "include/nm")
            room = str(path.parent.relative_to(base))
            if base.name == "lib" and room not in self.library:
                self.errors.append(f"{path.relative_to(ROOT)}: expected a library in lib/{room}")
            for header in INCLUDE.findall(path.read_text()):
                owner = self._owner(header)
                if owner != room:
                    files = self.included.setdefault(room, {}).setdefault(owner, [])
                    files.append(str(path.relative_to(ROOT)))

    def check_links(self):
        """Link lines say what the includes say."""
        for room in self.library:
            used = {owner for owner in self.included.get(room, {}) if owner in self.library}
            linked = self.linked[room]
            for owner in sorted(used - linked):
                self.errors.append(
                    f"lib/{room}: expected {self.library[owner]} in LINK, as "
                    f"{self.included[room][owner][0]} includes a header of {owner}")
            for owner in sorted(linked - used - self.umbrellas):
                self.errors.append(f"lib/{room}: expected an include of {owner}, or no "
                                   f"{self.library[owner]} in LINK")

    def graph(self):
        """The rooms that each room uses."""
        uses = {room: set(self.linked.get(room, ())) for room in self.library}
        for room, owners in self.included.items():
            uses.setdefault(room, set()).update(owners)
        for owner in {owner for owners in uses.values() for owner in owners}:
            uses.setdefault(owner, set())
        return uses


def find_cycle(uses):
    """A path from a room to itself; empty if there is none."""
    done, path = set(), []

    def visit(room):
        if room in path:
            return path[path.index(room):] + [room]
        if room in done:
            return []
        path.append(room)
        for other in sorted(uses[room]):
            if cycle := visit(other):
                return cycle
        done.add(path.pop())
        return []

    return next((cycle for room in sorted(uses) if (cycle := visit(room))), [])


def fold(uses, groups):
    """The graph with the rooms below each of `groups` as one."""

    def name(room):
        return next((g for g in groups if room == g or room.startswith(g + "/")), room)

    folded = {}
    for room, others in uses.items():
        node = folded.setdefault(name(room), set())
        node.update(name(other) for other in others)
        node.discard(name(room))
    return folded


def main():
    if sys.argv[1:] not in (["-c"], ["-f"]):
        print("usage: check_rooms.py -c | -f", file=sys.stderr)
        return 2
    rooms = Rooms()
    rooms.check_links()
    uses = rooms.graph()
    drawn = fold(uses, ["Conversion", "Transforms"])
    for graph in (uses, drawn):
        if cycle := find_cycle(graph):
            rooms.errors.append("expected no cycle, got " + " -> ".join(cycle))
            break
    for error in rooms.errors:
        print(f"check_rooms: {error}", file=sys.stderr)
    if rooms.errors:
        return 1
    picture = rooms_picture.draw(drawn)
    if sys.argv[1] == "-f":
        PICTURE.write_text(picture)
    elif not PICTURE.exists() or PICTURE.read_text() != picture:
        print("docs/rooms.svg is stale: run tools/scripts/check_rooms.py -f", file=sys.stderr)
        return 1
    print(f"rooms: {len(uses)}, without a cycle")
    return 0


if __name__ == "__main__":
    sys.exit(main())
