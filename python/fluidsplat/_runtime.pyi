# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
__version__: str

class Error(ValueError): ...

class Model:
    def __init__(self, path: str) -> None: ...
    dim: int
    sensor_count: int
    primitives: int
    primitive_columns: int
    parameters: int
    wall_features: int
    def channels(self) -> list[str]: ...
    def units(self) -> list[str]: ...
    def features(self) -> list[str]: ...
    def descriptors(self) -> list[str]: ...
    def sensors(self) -> list[str]: ...
    def readings(self) -> list[tuple[int, int]]: ...
    def domain(self) -> NDArray[np.float64]: ...
    def sensor_positions(self) -> Floats: ...
    def sensor_means(self) -> Floats: ...
    def calibration(self) -> tuple[float, int]: ...

class Plan:
    def __init__(
        self,
        model: Model,
        points: Floats | None = None,
        features: Floats | None = None,
        sensors: Floats | None = None,
        sensor_means: Floats | None = None,
        sensor_features: Floats | None = None,
        wall_points: Floats | None = None,
        wall_features: Floats | None = None,
        threads: int = 1,
        gradients: bool = False,
        level: float = 0.0,
        simultaneous: bool = False,
        side: int = 0,
        check_sensors: bool = False,
        on_average: bool = False,
    ) -> None: ...
    readings: int
    guarantee: str
    false_alarms: float
    def run(self, readings: Floats, descriptors: Floats | None, outputs: dict[str, Floats]) -> None: ...
    def primitives(self, readings: Floats, descriptors: Floats | None, result: Floats) -> None: ...
    def check_sensors(
        self, readings: Floats, descriptors: Floats | None, checked: Floats
    ) -> tuple[list[tuple[int, int, float, float, float]], bool]: ...
