# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""What `pip install .` calls (PEP 517): CMake builds and installs the package, this packs it into a wheel.

It needs nothing but the standard library, so that `pip install . --no-build-isolation` works without a network.

Settings, as in `pip install . --config-settings training=off`:

training=on|off   with what trains (libtorch; on) or only what answers (off: needs neither libtorch, VTK nor HDF5)
build=FOLDER      the build folder: build/release, or build/python-runtime for training=off
jobs=N            compilers at a time
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]


def version():
    text = (SOURCE / "CMakeLists.txt").read_text()
    return re.search(r"project\(fluidsplat VERSION ([0-9.]+)", text).group(1)


def metadata():
    return (
        f"Metadata-Version: 2.1\nName: fluidsplat\nVersion: {version()}\n"
        "Summary: Flow fields with their uncertainty from a handful of sensors\nLicense: Apache-2.0\n"
        "Requires-Python: >=3.9\nRequires-Dist: numpy\n"
    )


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


def build_package(settings, destination):
    """Configures, builds and installs the package's files into a folder."""
    training = settings.get("training", "on") == "on"
    build = Path(settings.get("build") or SOURCE / "build" / ("release" if training else "python-runtime"))
    if not (build / "build.ninja").exists():
        run("cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            f"-DFLUIDSPLAT_PYTHON={sys.executable}", f"-DFLUIDSPLAT_RUNTIME_ONLY={'OFF' if training else 'ON'}")  # fmt: skip
    else:
        made_for = re.search(r"^FLUIDSPLAT_PYTHON:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
        if not made_for or Path(made_for.group(1)).resolve() != Path(sys.executable).resolve():
            raise SystemExit(
                f"{build} is made for {made_for and made_for.group(1)}, pip runs on {sys.executable}: use that Python's "
                "pip, or another folder with --config-settings build=FOLDER"
            )
    jobs = ["-j", settings["jobs"]] if settings.get("jobs") else []
    run("cmake", "--build", build, "--target", "python_package", *jobs)
    for component in ("python", "python_training"):
        run("cmake", "--install", build, "--prefix", destination, "--component", component)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"fluidsplat-{version()}"
    file = f"{name}-{tag()}.whl"
    info = f"{name}.dist-info"
    with tempfile.TemporaryDirectory() as folder:
        build_package(config_settings or {}, folder)
        (package,) = Path(folder).rglob("fluidsplat/__init__.py")
        contents = {f"fluidsplat/{p.name}": p.read_bytes() for p in sorted(package.parent.iterdir()) if p.is_file()}
    contents[f"{info}/METADATA"] = metadata().encode()
    wheel = f"Wheel-Version: 1.0\nGenerator: fluidsplat\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    contents[f"{info}/WHEEL"] = wheel.encode()
    record = ""
    for path, data in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    contents[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    with zipfile.ZipFile(os.path.join(wheel_directory, file), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in contents.items():
            archive.writestr(path, data)
    return file


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("fluidsplat is built from its repository: pip install .")
