# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
from ._field import Bands as Bands
from ._field import Field as Field
from ._field import Gradient as Gradient
from ._field import Primitives as Primitives
from ._field import SensorCheck as SensorCheck
from ._field import SensorFinding as SensorFinding
from ._model import Model as Model
from ._model import Plan as Plan
from ._model import open as open
from ._runtime import Error as Error
from ._training import Dataset as Dataset
from ._training import Reconstructor as Reconstructor
from ._training import compare as compare

__version__: str
