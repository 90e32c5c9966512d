# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""The program's two halves say the same, and man pages and completions know its commands."""

import json
import shutil
import subprocess

import pytest
from conftest import BUILD, READINGS

DOCS = BUILD / "command-docs"


def run(program, *words, **how):
    return subprocess.run([program, *words], capture_output=True, text=True, **how)


@pytest.mark.parametrize("words", ["", "reconstruct", "data import"])
def test_help_is_that_of_the_full_program(words):
    front, full = (run(BUILD / name, *words.split(), "--help") for name in ("fluidsplat", "fluidsplat-full"))
    assert front.returncode == full.returncode == 0 and "Usage" in full.stdout
    assert front.stdout.replace(str(BUILD / "fluidsplat"), "X") == full.stdout.replace(str(BUILD / "fluidsplat-full"), "X")


def test_the_front_has_neither_libtorch_nor_what_draws():
    needs = run("ldd", BUILD / "fluidsplat").stdout
    assert "libstdc++" in needs and "torch" not in needs and "vtkRendering" not in needs
    assert "torch" in run("ldd", BUILD / "fluidsplat-full").stdout


def test_mistakes_are_told_by_the_full_program(model_file):
    wrong = run(BUILD / "fluidsplat", "reconstruct", model_file, "--reading", "x.csv")
    assert wrong.returncode == 2 and "did you mean" in wrong.stderr and "--readings" in wrong.stderr
    assert run(BUILD / "fluidsplat").returncode == 2
    gone = run(BUILD / "fluidsplat", "reconstruct", "no-such-model", "--readings", "x.csv")
    assert gone.returncode == 1 and "no-such-model: no such model" in gone.stderr


def test_without_its_other_half_it_says_so(model_file, tmp_path):
    alone = shutil.copy(BUILD / "fluidsplat", tmp_path / "fluidsplat")
    assert run(alone, "version").stdout.startswith("fluidsplat ")
    (tmp_path / "readings.csv").write_text("s1.u\n0.5\n")
    done = run(alone, "reconstruct", model_file, "--readings", "readings.csv", "--grid", "4x3", cwd=tmp_path)
    assert done.returncode == 0 and "1 instant at 12 points" in done.stdout
    lost = run(alone, "train", "x.toml")
    assert lost.returncode == 1 and "fluidsplat-full" in lost.stderr and "install fluidsplat again" in lost.stderr


def commands():
    def walk(command, path):
        yield path, command
        for sub in command["commands"]:
            yield from walk(sub, [*path, sub["name"]])

    return list(walk(json.loads((BUILD / "commands.json").read_text()), []))


def test_every_command_has_a_man_page():
    found = {p.name for p in (DOCS / "man").iterdir()}
    assert found == {"-".join(["fluidsplat", *path]) + ".1" for path, _ in commands()} and len(found) > 20
    page = (DOCS / "man" / "fluidsplat-reconstruct.1").read_text()
    assert ".SH OPTIONS" in page and "\\-\\-readings" in page
    if shutil.which("man"):
        shown = run("man", "--warnings", "-l", DOCS / "man" / "fluidsplat-reconstruct.1")
        assert shown.returncode == 0 and shown.stderr == "" and "--readings" in shown.stdout


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("rec", {"reconstruct"}), ("data im", {"import"}), ("reconstruct --check", {"--check-sensors"})],
)
def test_bash_completes(typed, expected):
    words = ["fluidsplat", *typed.split()]
    script = (
        f"source {DOCS}/completion/fluidsplat; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; "
        '_fluidsplat; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert set(run("bash", "-c", script).stdout.split()) == expected


def test_other_shells_can_read_theirs():
    for shell, file in (("zsh", "_fluidsplat"), ("fish", "fluidsplat.fish")):
        if shutil.which(shell):
            assert run(shell, "-n", DOCS / "completion" / file).returncode == 0
        else:
            assert "reconstruct" in (DOCS / "completion" / file).read_text()


def test_readings_reach_the_runtime(model, model_file, tmp_path):
    (tmp_path / "r.csv").write_text(",".join(model.readings) + "\n" + ",".join(map(str, READINGS)) + "\n")
    words = ["reconstruct", model_file, "--readings", "r.csv", "--grid", "4x3", "--format", "npy"]
    for program, out in (("fluidsplat", "a"), ("fluidsplat-full", "b")):
        assert run(BUILD / program, *words, "--out", out, cwd=tmp_path).returncode == 0
    assert (tmp_path / "a" / "field.npy").read_bytes() == (tmp_path / "b" / "field.npy").read_bytes()
