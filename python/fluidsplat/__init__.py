# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Flow fields with their uncertainty from a handful of sensors.

>>> import fluidsplat as fs
>>> model = fs.open(model_file)
>>> plan = model.plan(grid=(40, 20))
>>> field = plan.reconstruct([0.5, 0.1, 1.5, 0.1, 0.2, 0.3, 0.1, 0.0, 0.4])
>>> field["u"].shape
(20, 40)

Answering needs no deep-learning framework.  What trains (``Reconstructor``, ``Dataset``, ``compare``) is imported when
it is first used.
"""

from ._field import Bands, Field, Gradient, Primitives, SensorCheck, SensorFinding
from ._model import Model, Plan, open
from ._runtime import Error, __version__

_TRAINING = ("Reconstructor", "Dataset", "compare")

__all__ = [
    "Bands", "Error", "Field", "Gradient", "Model", "Plan", "Primitives", "SensorCheck", "SensorFinding", "open",
    *_TRAINING,
]  # fmt: skip


def __getattr__(name):
    if name not in _TRAINING:
        raise AttributeError(f"module 'fluidsplat' has no attribute {name!r}")
    try:
        from . import _training
    except ImportError as e:
        raise ImportError(f"what trains is not installed (Debian: python3-fluidsplat-training): {e}") from e

    return getattr(_training, name)


def __dir__():
    return sorted([*__all__, "__version__"])
