#!/usr/bin/env python3
# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Makes man pages and shell completions of what the program says of its commands.

command_docs.py COMMANDS.json VERSION OUT: writes OUT/man/*.1 and OUT/completion/{fluidsplat,_fluidsplat,fluidsplat.fish}
"""

import json
import sys
from pathlib import Path


def walk(command, path=()):
    """Every command with the words that lead to it."""
    yield path, command
    for sub in command["commands"]:
        yield from walk(sub, (*path, sub["name"]))


# ---- man pages ----


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


def option_entry(option):
    value = f" \\fI{escaped(option['value'])}\\fR" if option["value"] else ""
    names = ", ".join(f"\\fB{escaped(n)}\\fR" for n in option["names"]) or f"\\fI{escaped(option['name'])}\\fR"
    return f".TP\n{names}{value if option['names'] else ''}\n{escaped(option['description'])}\n"


def man_page(path, command, version):
    words = " ".join(("fluidsplat", *path))
    page = "-".join(("fluidsplat", *path))
    usage = " ".join(
        [f"\\fB{escaped(words)}\\fR"]
        + (["[\\fIoptions\\fR]"] if any(o["names"] for o in command["options"]) else [])
        + [f"\\fI{escaped(o['name'])}\\fR" for o in command["options"] if o["positional"]]
        + (["\\fIcommand\\fR"] if command["commands"] else [])
    )
    text = f'.TH "{page.upper()}" 1 "" "fluidsplat {version}"\n'
    text += f".SH NAME\n{escaped(page)} \\- {escaped(command['description'])}\n.SH SYNOPSIS\n{usage}\n"
    for title, chosen in (("ARGUMENTS", True), ("OPTIONS", False)):
        entries = [option_entry(o) for o in command["options"] if o["positional"] == chosen]
        if entries:
            text += f".SH {title}\n{''.join(entries)}"
    if command["commands"]:
        text += ".SH COMMANDS\n"
        for sub in command["commands"]:
            text += f".TP\n\\fB{escaped(page)}\\-{escaped(sub['name'])}\\fR(1)\n{escaped(sub['description'])}\n"
    text += ".SH EXIT STATUS\n0 done, 1 bad input, 2 wrong usage, 3 a mistake of the program, 130 interrupted.\n"
    return page + ".1", text


# ---- completions ----


def bash(commands):
    """Words that may follow, by the commands typed so far; where none does, files."""
    cases = ""
    for path, command in commands:
        words = [c["name"] for c in command["commands"]] + [n for o in command["options"] for n in o["names"]]
        cases += f'    "{" ".join(path)}") words="{" ".join(words)}" ;;\n'
    known = "|".join(f'"{" ".join(path)}"' for path, _ in commands if path)
    return f"""# fluidsplat: completion for bash
_fluidsplat() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" path="" word words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="${{path:+$path }}${{COMP_WORDS[i]}}"
    case "$word" in {known}) path="$word" ;; esac
  done
  case "$path" in
{cases}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ ${{#COMPREPLY[@]}} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$current"))
}}
complete -o filenames -F _fluidsplat fluidsplat
"""


def quoted(text):
    return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:").replace("\n", " ")


def zsh(commands):
    functions = ""
    for path, command in commands:
        name = "_".join(("_fluidsplat", *path)).replace("-", "_")
        lines = [
            f"'{n}[{quoted(o['description'])}]{':value:_files' if o['value'] else ''}'"
            for o in command["options"]
            for n in o["names"]
        ]
        subs = command["commands"]
        if subs:
            entries = " ".join(f"'{c['name']}:{quoted(c['description'])}'" for c in subs)
            cases = " ".join(f"{c['name']}) {name}_{c['name'].replace('-', '_')} ;;" for c in subs)
            functions += (
                f"{name}() {{\n  local state line\n  _arguments -C {' '.join(lines)} '1: :->command' '*:: :->rest'\n"
                f"  case $state in\n    command) local -a commands; commands=({entries}); _describe command commands ;;\n"
                f"    rest) case $line[1] in {cases} esac ;;\n  esac\n}}\n"
            )
        else:
            functions += f"{name}() {{ _arguments {' '.join(lines)} '*:file:_files' }}\n"
    return f'#compdef fluidsplat\n# fluidsplat: completion for zsh\n{functions}_fluidsplat "$@"\n'


def fish(commands):
    def text(s):
        return "'" + s.replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ") + "'"

    lines = ["# fluidsplat: completion for fish"]
    for path, command in commands:
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in path) or "__fish_use_subcommand"
        subs = " ".join(c["name"] for c in command["commands"])
        first = f"{seen}; and not __fish_seen_subcommand_from {subs}" if path and subs else seen
        for sub in command["commands"]:
            lines.append(f"complete -c fluidsplat -n {text(first)} -f -a {sub['name']} -d {text(sub['description'])}")
        for option in command["options"]:
            for n in option["names"]:
                kind = f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}"
                value = " -r" if option["value"] else ""
                lines.append(f"complete -c fluidsplat -n {text(seen)} {kind}{value} -d {text(option['description'])}")
    return "\n".join(lines) + "\n"


def main():
    source, version, out = sys.argv[1:]
    commands = list(walk(json.loads(Path(source).read_text())))
    files = {f"man/{name}": text for name, text in (man_page(p, c, version) for p, c in commands)}
    files |= {
        "completion/fluidsplat": bash(commands),
        "completion/_fluidsplat": zsh(commands),
        "completion/fluidsplat.fish": fish(commands),
    }
    for name, text in files.items():
        path = Path(out) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
