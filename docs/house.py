#!/usr/bin/env python3
"""What the rules of the house forbid: prints lines of generic code that name a game, long functions, long files, and
public types of the same name.

    docs/house.py            # from the root of the repository

Test modules, comments and the examples in help texts do not count as code. A game's own folders and files, and the
folders of the works that are about one game, may name it. A name that is a role, such as each game's `Position`, may
be declared in every module of its family.
"""

import collections
import pathlib
import re
import subprocess

GAME = re.compile("othello|morris|abalone", re.I)
OWN = re.compile(r"/(othello|morris|abalone)(/|\.)|/(reversi|logistello|muehle|othilie|tests|faults)(/|\.)")
GENERIC = ["search", "arena", "learn", "server", "studies", "trilith"]
HELP = re.compile(r'^trilith |^"?[A-Za-z][^;{}()]*\\n|\\n\\?$|\\$')
FUNCTION = re.compile(r'^( *)(?:pub(?:\([a-z]+\))? )?(?:const |async |unsafe )*fn (\w+)')
TYPE = re.compile(r"pub (?:unsafe )?(?:struct|enum|union|trait|type) (\w+)")
ROLES = {
    "Args": "what a command of the program is called with",
    "Evaluations": "a game's list of evaluations",
    "Move": "a game's own",
    "Position": "a game's own",
    "Rules": "a game's own",
}
LONGEST_FUNCTION, LONGEST_FILE = 60, 450


def tracked(*patterns):
    listed = subprocess.check_output(["git", "ls-files", *patterns], text=True).split()
    return [pathlib.Path(name) for name in listed if pathlib.Path(name).exists()]


def lines(path):
    return path.read_text().splitlines()


def code(path):
    """Numbered lines before the tests, without comments and help."""
    for number, line in enumerate(lines(path), 1):
        if line.strip() == "#[cfg(test)]":
            return
        if not line.strip().startswith(("//", "/*")) and not HELP.search(line.strip()):
            yield number, line.strip()


def functions(path):
    all_lines = lines(path)
    for start, line in enumerate(all_lines):
        if found := FUNCTION.match(line):
            indent = found[1]
            end = next((at for at in range(start, len(all_lines)) if all_lines[at] == indent + "}"), start)
            opens = next((at for at in range(start, end + 1) if all_lines[at].rstrip().endswith(("{", ";"))), end)
            if all_lines[opens].rstrip().endswith("{"):
                yield start + 1, found[2], end - start + 1


def declared_twice():
    """Public types whose name is declared in more than one file, with these files."""
    places = collections.defaultdict(set)
    for path in tracked("crates/*/src/*.rs"):
        if not re.search(r"/tests(/|\.)", str(path)):
            for _, line in code(path):
                if (found := TYPE.match(line)) and found[1] not in ROLES:
                    places[found[1]].add(str(path))
    return {name: sorted(paths) for name, paths in sorted(places.items()) if len(paths) > 1}


def main():
    sources = [path for crate in GENERIC for path in tracked(f"crates/{crate}/src/*.rs")]
    print("Generic code that names a game:")
    for path in sources + tracked("web/*.js", "web/*.html"):
        if not OWN.search(f"/{path}"):
            for number, line in code(path):
                if GAME.search(line):
                    print(f"  {path}:{number}: {line[:110]}")
    print(f"Functions over {LONGEST_FUNCTION} lines:")
    for path in tracked("crates/*.rs", "fuzz/*.rs"):
        for number, name, length in functions(path):
            if length > LONGEST_FUNCTION:
                print(f"  {path}:{number}: {name} {length}")
    print(f"Files over {LONGEST_FILE} lines:")
    for path in tracked("crates/*.rs", "fuzz/*.rs", "web/*.js"):
        if len(lines(path)) > LONGEST_FILE:
            print(f"  {path}: {len(lines(path))}")
    print("Public types declared twice:")
    for name, paths in declared_twice().items():
        print(f"  {name}: {' '.join(paths)}")


if __name__ == "__main__":
    main()
