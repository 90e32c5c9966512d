# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

def write_dataset(
    path: str,
    coordinates: list[str],
    channels: list[str],
    units: list[str],
    points: Floats,
    fields: Floats,
    times: list[float],
    descriptor_names: list[str],
    descriptors: Floats,
    feature_names: list[str],
    features: Floats,
    shape: list[int],
) -> None: ...
def info(path: str) -> tuple[str, str]: ...
def points(path: str) -> Floats: ...
def suggest(path: str, out: str, positions: list[list[float]], channels: list[str], minutes: float) -> str: ...
def resolve(toml: str, overrides: list[str]) -> str: ...
def train(toml: str, tell: Callable[..., None] | None) -> tuple[str, int, float, float]: ...
def compare(
    toml: str, overrides: list[str], minutes: float, networks: list[str], cases: int, tell: Callable[..., None] | None
) -> tuple[str, str] | None: ...
